//! The domains of a system as conditions on parameters and a point.
//!
//! As an assumption, a set is read by cases, one piece at a time, with a fresh variable for each quantified term:
//! `∃q. φ ⊢ ψ` is `φ ⊢ ψ` for every `q`. A goal has floor terms only.

use crate::refusal::{refusal, refuse};
use alpha::syntax::{Domain, DomainId, ExprId, Expression, System, VariableId};
use checker::refusal::Refusal;
use dashu_int::IBig;
use polyhedra::{Affine, BasicSet, IndexSet, Local};
use selfsame_core::{Condition, Index, Instance, Variable};
use std::collections::BTreeMap;

/// The first variable number that no claim uses: a program of 2^28 variables does not fit in memory.
const OWN: u32 = 1 << 28;
/// The maximum number of pieces of a domain. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_CASES: usize = 256;

/// Reads the domains of a system.
pub(super) struct DomainReader<'a, 'b> {
    system: &'a System,
    fixed: &'b BTreeMap<String, i64>,
    instance: &'b Instance,
    next: u32,
}

impl<'a, 'b> DomainReader<'a, 'b> {
    /// A reader in which the parameters are symbols of an instance, or fixed.
    pub fn new(system: &'a System, fixed: &'b BTreeMap<String, i64>, instance: &'b Instance) -> Self {
        DomainReader { system, fixed, instance, next: OWN }
    }

    fn fresh(&mut self) -> Index {
        self.next += 1;
        Index::from(Variable(self.next))
    }

    fn parameter(&self, name: &str) -> Result<Index, Refusal> {
        if let Some(&value) = self.fixed.get(name) {
            return Ok(Index::from(value));
        }
        let is_this = |v: &&Variable| self.instance.program.name(**v) == name;
        match self.instance.symbols.iter().find(is_this) {
            Some(&v) => Ok(Index::from(v)),
            None => refuse(format!("no claim speaks of the parameter `{name}`")),
        }
    }

    /// `P`, as a goal.
    pub fn allowed(&mut self) -> Result<Condition, Refusal> {
        let at = self.declared_parameters()?;
        match self.system.parameter_domain {
            Some(d) => self.goal(d, &at),
            None => Ok(Condition::always()),
        }
    }

    /// `P`, as an assumption, by cases.
    pub fn cases_of_parameters(&mut self) -> Result<Vec<Condition>, Refusal> {
        let at = self.declared_parameters()?;
        match self.system.parameter_domain {
            Some(d) => self.cases(d, &at),
            None => Ok(vec![Condition::always()]),
        }
    }

    fn declared_parameters(&self) -> Result<Vec<Index>, Refusal> {
        self.system.declared_parameters().iter().map(|name| self.parameter(name)).collect()
    }

    /// A new point `z`, and `P ∧ z ∈ D_X` as an assumption, by cases.
    pub fn cases_of_variable(&mut self, x: VariableId) -> Result<(Vec<Index>, Vec<Condition>), Refusal> {
        let point: Vec<Index> = (0..self.system.variable_rank(x)).map(|_| self.fresh()).collect();
        let elements = match self.system.variable(x).domain {
            Some(d) => self.cases(d, &point)?,
            None => vec![Condition::always()],
        };
        Ok((point, both(self.cases_of_parameters()?, &elements)?))
    }

    /// `z ∈ D_X`, as a goal or part of an assumption.
    pub fn contains(&mut self, x: VariableId, at: &[Index]) -> Result<Condition, Refusal> {
        self.system.variable(x).domain.map_or(Ok(Condition::always()), |d| self.goal(d, at))
    }

    /// A disjunction of conditions that covers a domain. Recurses to the depth of the domain's text.
    fn cases(&mut self, d: DomainId, at: &[Index]) -> Result<Vec<Condition>, Refusal> {
        match self.system.domain(d) {
            Domain::Polyhedron(set) => {
                let columns = self.columns(set, at)?;
                set.pieces.iter().map(|piece| self.piece(piece, columns.clone())).collect()
            }
            Domain::Union(a, b) => Ok([self.cases(*a, at)?, self.cases(*b, at)?].concat()),
            Domain::Intersection(a, b) => {
                let (a, b) = (self.cases(*a, at)?, self.cases(*b, at)?);
                both(a, &b)
            }
            Domain::Preimage(d, f) => {
                let image = self.image(f, at)?;
                self.cases(*d, &image)
            }
            Domain::Complement(d) => Ok(vec![!self.goal(*d, at)?]),
            Domain::Convex(_) => refuse("a convex hull has no condition that is seen"),
        }
    }

    /// A condition that holds exactly at the points of a domain.
    fn goal(&mut self, d: DomainId, at: &[Index]) -> Result<Condition, Refusal> {
        match self.system.domain(d) {
            Domain::Polyhedron(set) => {
                let columns = self.columns(set, at)?;
                let pieces = set.pieces.iter().map(|piece| determined_piece(piece, columns.clone()));
                Ok(Condition::any(pieces.collect::<Result<Vec<_>, _>>()?))
            }
            Domain::Union(a, b) => Ok(Condition::any([self.goal(*a, at)?, self.goal(*b, at)?])),
            Domain::Intersection(a, b) => Ok(Condition::all([self.goal(*a, at)?, self.goal(*b, at)?])),
            Domain::Preimage(d, f) => {
                let image = self.image(f, at)?;
                self.goal(*d, &image)
            }
            Domain::Complement(d) => Ok(!self.goal(*d, at)?),
            Domain::Convex(_) => refuse("a convex hull has no condition that is seen"),
        }
    }

    fn columns(&self, set: &IndexSet, at: &[Index]) -> Result<Vec<Index>, Refusal> {
        let parameters = set.space.parameters.iter().map(|name| self.parameter(name));
        parameters.chain(at.iter().cloned().map(Ok)).collect()
    }

    /// The constraints of a piece, with fresh variables for its terms.
    fn piece(&mut self, piece: &BasicSet, mut columns: Vec<Index>) -> Result<Condition, Refusal> {
        let mut conditions = Vec::new();
        for local in &piece.locals {
            let term = self.fresh();
            if let Local::Floor { numerator, denominator } = local {
                let (numerator, denominator) = (affine(numerator, &columns), Index::from(*denominator));
                let rest = &numerator - &(&denominator * &term);
                conditions.push(Condition::within(&Index::default(), &rest, &denominator));
            }
            columns.push(term);
        }
        Ok(Condition::all(conditions.into_iter().chain(constraints(piece, &columns))))
    }

    fn image(&self, f: &polyhedra::AffineMap, at: &[Index]) -> Result<Vec<Index>, Refusal> {
        let parameters = f.space.parameters.iter().map(|name| self.parameter(name));
        let mut columns: Vec<Index> =
            parameters.chain(at.iter().cloned().map(Ok)).collect::<Result<_, _>>()?;
        for local in &f.floors {
            let value = floor(local, &columns)?;
            columns.push(value);
        }
        Ok(f.outputs.iter().map(|output| affine(output, &columns)).collect())
    }
}

fn both(a: Vec<Condition>, b: &[Condition]) -> Result<Vec<Condition>, Refusal> {
    if a.len().saturating_mul(b.len()) > MAX_CASES {
        return Err(refusal(format!("a domain has more than {MAX_CASES} pieces"), true));
    }
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| Condition::all([a.clone(), b.clone()])));
    Ok(pairs.collect())
}

/// The constraints of a piece whose terms are all floors or determined by an equation; divisibility becomes a
/// condition.
fn determined_piece(piece: &BasicSet, mut columns: Vec<Index>) -> Result<Condition, Refusal> {
    let mut conditions = Vec::new();
    for local in &piece.locals {
        let at = columns.len();
        let value = match local {
            Local::Floor { .. } => floor(local, &columns)?,
            Local::Exists => {
                let is_last = |e: &&Affine| e.coefficient(at) != 0 && e.coefficients().len() == at + 1;
                let Some(equation) = piece.equalities.iter().find(is_last) else {
                    return refuse("a set with quantified terms has no condition that is seen");
                };
                // `a·q + r = 0`, so that `q = −r/a` and `a` divides `r`.
                let factor = IBig::from(equation.coefficient(at));
                let with_zero: Vec<Index> = columns.iter().cloned().chain([Index::default()]).collect();
                let rest = affine(equation, &with_zero);
                let (rest, divisor) = match factor < IBig::ZERO {
                    true => (rest, Index::constant(-factor)),
                    false => (-rest, Index::constant(factor)),
                };
                conditions.push(Condition::zero(rest.modulo(&divisor)));
                rest.floor_div(&divisor)
            }
        };
        columns.push(value);
    }
    Ok(Condition::all(conditions.into_iter().chain(constraints(piece, &columns))))
}

fn constraints(piece: &BasicSet, columns: &[Index]) -> Vec<Condition> {
    let of = |(e, is_equality): (&Affine, bool)| match is_equality {
        true => Condition::zero(affine(e, columns)),
        false => Condition::non_negative(affine(e, columns)),
    };
    piece.constraints().map(of).collect()
}

fn floor(local: &Local, columns: &[Index]) -> Result<Index, Refusal> {
    match local {
        Local::Floor { numerator, denominator } => {
            Ok(affine(numerator, columns).floor_div(&Index::from(*denominator)))
        }
        Local::Exists => refuse("a map with quantified terms"),
    }
}

fn affine(e: &Affine, columns: &[Index]) -> Index {
    let terms = e.terms().map(|(at, factor)| columns[at].scaled(&factor.into()));
    terms.fold(Index::from(e.constant), |sum, term| sum + term)
}

/// The variables that an expression reads.
pub(super) fn variables_in(system: &System, root: ExprId) -> Vec<VariableId> {
    let (mut pending, mut found) = (vec![root], Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    while let Some(e) = pending.pop() {
        if !seen.insert(e) {
            continue;
        }
        match system.expression(e) {
            Expression::Variable(x) => found.push(*x),
            of => pending.extend(of.operands()),
        }
    }
    found
}
