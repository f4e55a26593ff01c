//! Index sets as conditions, and the bounds of indices in them.

use super::{CoreLowering, Refused};
use crate::syntax::{Domain, DomainId, ExprId, Expression, VariableId};
use base::diagnostics::Span;
use base::seeded::{Seeded, seeded};
use dashu_int::IBig;
use polyhedra::{Affine, AffineMap, BasicSet, IndexSet, Local};
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::Bounds;
use std::sync::Arc;

/// The condition that a point is in a set, or a condition that follows from it.
#[derive(Clone, Debug)]
pub struct Region {
    /// The condition.
    pub condition: Condition,
    /// Whether the condition is equivalent to membership.
    pub is_exact: bool,
}

impl From<Condition> for Region {
    fn from(condition: Condition) -> Region {
        Region { condition, is_exact: true }
    }
}

impl Region {
    /// Combines several conditions; `join` must not negate.
    pub fn joined(regions: Vec<Region>, join: impl FnOnce(Vec<Condition>) -> Condition) -> Region {
        let is_exact = regions.iter().all(|region| region.is_exact);
        Region { condition: join(regions.into_iter().map(|region| region.condition).collect()), is_exact }
    }
}

/// The first variable that stands for the point of a reduction until it is eliminated. Variables of programs
/// are below: a program of 2^29 variables does not fit in memory, and 2^30 and above belong to the checker.
const SHADOWS: u32 = 1 << 29;

impl CoreLowering<'_> {
    /// `D(e)` at `p`.
    pub(super) fn region(&self, e: ExprId, at: &[Index]) -> Result<Region, Refused> {
        self.region_within(e, at, SHADOWS)
    }

    fn region_within(&self, e: ExprId, at: &[Index], shadows: u32) -> Result<Region, Refused> {
        let key = (self.side, e, at.to_vec(), shadows);
        if let Some(known) = self.regions.borrow().get(&key) {
            return Ok(known.clone());
        }
        let region = self.new_region(e, at, shadows)?;
        self.regions.borrow_mut().insert(key, region.clone());
        Ok(region)
    }

    fn new_region(&self, e: ExprId, at: &[Index], shadows: u32) -> Result<Region, Refused> {
        let system = self.system();
        let regions = |of: &[ExprId]| -> Result<Vec<Region>, Refused> {
            of.iter().map(|&e| self.region_within(e, at, shadows)).collect()
        };
        Ok(match system.expression(e) {
            Expression::Constant(_) | Expression::Index(..) => Region::from(Condition::always()),
            Expression::ReduceOver(_, _, d, _) => Region::from(self.domain(*d, at)?),
            Expression::Variable(x) => Region::from(self.declared(*x, at)?),
            Expression::Dependence(of, f) => {
                self.region_within(*of, &self.applied(f, at, system.span(e))?, shadows)?
            }
            Expression::Restrict(d, e) => {
                let domain = self.domain(*d, at)?;
                let domain = Region::from(seeded(Seeded::RestrictDropped, domain, Condition::always));
                let parts = vec![domain, self.region_within(*e, at, shadows)?];
                Region::joined(parts, Condition::all)
            }
            Expression::Case(branches) => Region::joined(regions(branches)?, Condition::any),
            Expression::Reduce(_, f, body) => {
                let first = shadows + u32::try_from(f.space.rank()).unwrap_or(0);
                let variables: Vec<Variable> = (shadows..first).map(Variable).collect();
                let w: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
                let of_body = self.region_within(*body, &w, first)?;
                let value = self.applied(f, &w, system.span(e))?;
                let on_fibre = value.iter().zip(at).map(|(value, p)| Condition::equal(value, p));
                shadow(&variables, Condition::all(on_fibre.chain([of_body.condition])), of_body.is_exact)
            }
            of => Region::joined(regions(of.operands())?, Condition::all),
        })
    }

    /// `p ∈ D_X`
    pub(super) fn declared(&self, x: VariableId, at: &[Index]) -> Result<Condition, Refused> {
        self.system().variable(x).domain.map_or(Ok(Condition::always()), |d| self.domain(d, at))
    }

    /// `p ∈ D`
    pub(super) fn domain(&self, d: DomainId, at: &[Index]) -> Result<Condition, Refused> {
        let (system, span) = (self.system(), self.system().domain_span(d));
        Ok(match system.domain(d) {
            Domain::Polyhedron(set) => self.member(set, at, span)?,
            Domain::Union(a, b) => {
                let parts = [self.domain(*a, at)?, self.domain(*b, at)?];
                let count = seeded(Seeded::UnionFirst, 2, || 1);
                Condition::any(parts.into_iter().take(count))
            }
            Domain::Intersection(a, b) => Condition::all([self.domain(*a, at)?, self.domain(*b, at)?]),
            Domain::Preimage(d, f) => self.domain(*d, &self.applied(f, at, span)?)?,
            Domain::Complement(d) => !self.domain(*d, at)?,
            Domain::Convex(_) => return self.refuse(span, "a convex hull has no condition that is seen"),
        })
    }

    fn member(&self, set: &IndexSet, at: &[Index], span: Span) -> Result<Condition, Refused> {
        let columns = self.columns(&set.space.parameters, at);
        let pieces: Option<Vec<Condition>> = set.pieces.iter().map(|piece| member(piece, &columns)).collect();
        match pieces {
            Some(pieces) => Ok(Condition::any(pieces)),
            None => self.refuse(span, "a set with quantified terms has no condition that is seen"),
        }
    }

    /// The value of a map at a point.
    pub(super) fn applied(&self, f: &AffineMap, at: &[Index], span: Span) -> Result<Vec<Index>, Refused> {
        let mut columns = self.columns(&f.space.parameters, at);
        for floor in &f.floors {
            match floored(floor, &columns) {
                Some(value) => columns.push(value),
                None => return self.refuse(span, "a map with quantified terms"),
            }
        }
        Ok(f.outputs.iter().map(|output| affine(output, &columns)).collect())
    }

    /// The terms for parameters and dimensions.
    fn columns(&self, parameters: &[polyhedra::Name], at: &[Index]) -> Vec<Index> {
        let of = |name: &polyhedra::Name| self.parameters.get(&**name).cloned().unwrap_or_default();
        parameters.iter().map(of).chain(at.iter().cloned()).collect()
    }
}

fn affine(e: &Affine, columns: &[Index]) -> Index {
    let terms = e.terms().map(|(at, factor)| columns[at].scaled(&factor.into()));
    terms.fold(Index::from(e.constant), |sum, term| sum + term)
}

fn floored(local: &Local, columns: &[Index]) -> Option<Index> {
    match local {
        Local::Floor { numerator, denominator } => {
            Some(affine(numerator, columns).floor_div(&Index::from(*denominator)))
        }
        Local::Exists => None,
    }
}

/// The constraints of a piece. A quantified term that an equation determines becomes a floor term, with the
/// condition that the division is exact.
fn member(piece: &BasicSet, columns: &[Index]) -> Option<Condition> {
    let mut columns = columns.to_vec();
    let mut conditions = Vec::new();
    for local in &piece.locals {
        let at = columns.len();
        let value = match local {
            Local::Floor { .. } => floored(local, &columns)?,
            Local::Exists => {
                let is_last = |e: &&Affine| e.coefficient(at) != 0 && e.coefficients().len() == at + 1;
                let equation = piece.equalities.iter().find(is_last)?;
                let factor = equation.coefficient(at);
                let rest = equation.plus(-factor, &Affine::column(at)).ok()?;
                let rest = affine(&rest, &columns).scaled(&IBig::from(-factor.signum()));
                let divisor = Index::from(factor.checked_abs()?);
                conditions.push(Condition::zero(rest.modulo(&divisor)));
                rest.floor_div(&divisor)
            }
        };
        columns.push(value);
    }
    let constraints = piece.constraints().map(|(e, is_equality)| match is_equality {
        true if Seeded::EqualityDropped.is_in() => Condition::non_negative(affine(e, &columns)),
        true => Condition::zero(affine(e, &columns)),
        false => {
            let least = seeded(Seeded::StrictBound, 0, || 1);
            Condition::at_most(&Index::from(least), &affine(e, &columns))
        }
    });
    Some(Condition::all(conditions.into_iter().chain(constraints)))
}

/// The condition after elimination of these variables: exact if equations determine them, or they have
/// coefficients 1 and −1.
pub(super) fn shadow(variables: &[Variable], condition: Condition, is_exact: bool) -> Region {
    let unknown = Region { condition: Condition::always(), is_exact: false };
    if let Some(cases) = cases(variables, &condition) {
        let each = cases.into_iter().map(|case| shadow(variables, case, is_exact)).collect();
        return Region::joined(each, Condition::any);
    }
    let (mut rest, _) = without_determined(variables, condition);
    while let Some((v, value, is_whole)) = rest.conjuncts().iter().find_map(|part| quotient(variables, part))
    {
        rest = Condition::all([rest.substitute(&|w| (w == v).then(|| value.clone())), is_whole]);
    }
    for &v in variables {
        let (with, without): (Vec<_>, Vec<_>) =
            rest.conjuncts().iter().cloned().partition(|part| part.variables().contains(&v));
        let [mut lower, mut upper] = [Vec::new(), Vec::new()];
        for part in &with {
            let Condition::NonNegative(p) = part else { return unknown };
            let Some((factor, bound)) = p.linear_in(v) else { return unknown };
            match factor.as_constant() {
                Some(one) if one == IBig::ONE => lower.push(bound),
                Some(one) if one == IBig::NEG_ONE => upper.push(bound),
                _ => return unknown,
            }
        }
        let pairs = lower.iter().flat_map(|l| upper.iter().map(move |u| Condition::non_negative(l + u)));
        rest = Condition::all(without.into_iter().chain(pairs));
    }
    Region { condition: rest, is_exact }
}

/// The bounds over these symbols that a condition puts on an index, regardless of other indices.
pub(super) fn bounds_of(v: Variable, condition: &Condition, symbols: &[Variable]) -> Bounds {
    [false, true].map(|upper| bound(v, condition, upper, &|w| symbols.contains(&w)))
}

/// The smallest box over these symbols around the points that satisfy a condition; bounds may be absent.
pub(super) fn bounding_box(
    variables: &[Variable],
    condition: &Condition,
    symbols: &[Variable],
) -> Vec<Bounds> {
    let of = |&v: &Variable| {
        let others: Vec<Variable> = variables.iter().copied().filter(|w| *w != v).collect();
        let [lower, upper] = bounds_of(v, condition, symbols);
        if lower.is_some() && upper.is_some() {
            return [lower, upper];
        }
        let [least, last] = bounds_of(v, &projection(variables, &others, condition), symbols);
        [lower.or(least), upper.or(last)]
    };
    variables.iter().map(of).collect()
}

/// The consequence of a condition on `variables` after elimination of `others`, case by case.
fn projection(variables: &[Variable], others: &[Variable], condition: &Condition) -> Condition {
    match cases(variables, condition) {
        Some(cases) => Condition::any(cases.iter().map(|case| projection(variables, others, case))),
        None => projected(condition, others),
    }
}

/// An index term over known variables that bounds `v`: `l ≤ v`, or `v < u`.
fn bound(v: Variable, condition: &Condition, upper: bool, known: &dyn Fn(Variable) -> bool) -> Option<Index> {
    match condition {
        Condition::NonNegative(p) => one_bound(v, p, upper, known),
        Condition::Zero(p) => {
            one_bound(v, p, upper, known).or_else(|| one_bound(v, &-p.clone(), upper, known))
        }
        Condition::NonZero(_) => None,
        Condition::And(parts) => parts.iter().find_map(|part| bound(v, part, upper, known)),
        Condition::Or(parts) => {
            let bounds: Option<Vec<Index>> = parts.iter().map(|part| bound(v, part, upper, known)).collect();
            let join = if upper { Index::maximum } else { Index::minimum };
            bounds?.into_iter().reduce(|a, b| if a == b { a } else { join(&a, &b) })
        }
    }
}

/// The bound that `c·v + r ≥ 0` implies.
fn one_bound(v: Variable, p: &Index, upper: bool, known: &dyn Fn(Variable) -> bool) -> Option<Index> {
    let (factor, rest) = p.linear_in(v)?;
    let factor = factor.as_constant()?;
    let mut is_known = true;
    rest.visit(&mut |w| is_known &= known(w));
    if !is_known || (factor < IBig::ZERO) != upper {
        return None;
    }
    match upper {
        true => {
            let after = i64::from(!Seeded::BoundUpper.is_in());
            Some(rest.floor_div(&Index::constant(-factor)) + Index::from(after))
        }
        false => Some(-rest.floor_div(&Index::constant(factor))),
    }
}

/// The enumeration of a fibre.
pub(super) struct Fibre {
    pub binders: Vec<(Variable, [Index; 2])>,
    pub filter: Condition,
    determined: Vec<(Variable, Index)>,
}

impl Fibre {
    /// The term that equations assign to a variable.
    pub fn determined(&self, v: Variable) -> Option<Index> {
        self.determined.iter().find(|(w, _)| *w == v).map(|(_, p)| p.clone())
    }
}

/// The points that satisfy a condition, in lexicographic order. An equation determines the last of its variables,
/// which preserves the order.
pub(super) fn fibre(variables: &[Variable], condition: &Condition) -> Option<Fibre> {
    if condition.is_never() {
        return Some(Fibre { binders: Vec::new(), filter: Condition::never(), determined: Vec::new() });
    }
    let (condition, determined) = without_determined(variables, condition.clone());
    let is_free = |v: &Variable| determined.iter().all(|(w, _)| w != v);
    let free: Vec<Variable> = variables.iter().copied().filter(is_free).collect();
    let mut binders = Vec::new();
    for (at, &v) in free.iter().enumerate() {
        let later = &free[at..];
        let known = |w: Variable| !later.contains(&w);
        let projected = projected(&condition, &later[1..]);
        let [lower, upper] = [false, true]
            .map(|upper| bound(v, &condition, upper, &known).or_else(|| bound(v, &projected, upper, &known)));
        binders.push((v, [lower?, upper?]));
    }
    let bounds = binders.iter().map(|(v, [lower, upper])| Condition::within(lower, &Index::from(*v), upper));
    let bounds = Condition::all(bounds);
    if Seeded::FibreShort.is_in() {
        binders.iter_mut().for_each(|(_, [_, upper])| *upper = &*upper - &Index::from(1));
    }
    let rest = condition.conjuncts().iter().filter(|part| !bounds.conjuncts().contains(part)).cloned();
    let filter = seeded(Seeded::FibreFilter, Condition::all(rest), Condition::always);
    Some(Fibre { binders, filter, determined })
}

/// The maximum number of constraints of a projection. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_ROWS: usize = 400;

/// The consequence for the other variables, by Fourier–Motzkin elimination; alternatives are ignored.
fn projected(condition: &Condition, variables: &[Variable]) -> Condition {
    let mut rows: Vec<Index> = Vec::new();
    for part in condition.conjuncts() {
        match part {
            Condition::NonNegative(p) => rows.push(p.clone()),
            Condition::Zero(p) => rows.extend([p.clone(), -p.clone()]),
            _ => {}
        }
    }
    for &v in variables {
        let factor = |p: &Index| p.linear_in(v).and_then(|(factor, _)| factor.as_constant());
        let (lower, upper): (Vec<_>, Vec<_>) = rows
            .iter()
            .filter_map(|p| Some((factor(p)?, p.clone())))
            .partition(|(factor, _)| *factor > IBig::ZERO);
        rows.retain(|p| !p.mentions(v));
        if rows.len() + lower.len() * upper.len() > MAX_ROWS {
            return Condition::always();
        }
        for (l, p) in &lower {
            rows.extend(upper.iter().map(|(u, q)| p.scaled(&-u.clone()) + q.scaled(l)));
        }
    }
    Condition::all(rows.into_iter().map(Condition::non_negative))
}

/// The condition without the variables that its equations determine, and their values.
fn without_determined(
    variables: &[Variable],
    mut condition: Condition,
) -> (Condition, Vec<(Variable, Index)>) {
    let mut determined: Vec<(Variable, Index)> = Vec::new();
    while let Some((v, value)) =
        condition.conjuncts().iter().find_map(|part| last_determined(variables, part))
    {
        let replace = |w: Variable| (w == v).then(|| value.clone());
        condition = condition.substitute(&replace);
        determined.iter_mut().for_each(|(_, p)| *p = p.substitute(&replace));
        determined.push((v, value));
    }
    (condition, determined)
}

/// `v = p` from an equation whose last variable is `v`.
fn last_determined(variables: &[Variable], part: &Condition) -> Option<(Variable, Index)> {
    let Condition::Zero(p) = part else { return None };
    let v = *variables.iter().rev().find(|&&v| p.mentions(v))?;
    let (factor, rest) = p.linear_in(v)?;
    let factor = i64::try_from(factor.as_constant()?).ok().filter(|factor| factor.unsigned_abs() == 1)?;
    Some((v, rest.scaled(&(-factor).into())))
}

/// The maximum number of cases into which a condition is split. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_CASES: usize = 64;

/// The cases of the first alternative that mentions some of the variables.
fn cases<'c>(variables: &[Variable], condition: &'c Condition) -> Option<Vec<Condition>> {
    let parts = condition.conjuncts();
    let alternatives = |(at, part): (usize, &'c Condition)| match part {
        Condition::Or(cases) if part.variables().iter().any(|v| variables.contains(v)) => Some((at, cases)),
        _ => None,
    };
    let all: Vec<(usize, &Arc<[Condition]>)> = parts.iter().enumerate().filter_map(alternatives).collect();
    let count = all.iter().try_fold(1, |count: usize, (_, cases)| count.checked_mul(cases.len()))?;
    let &(at, cases) = all.first().filter(|_| count <= MAX_CASES)?;
    let others = || parts.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, part)| part.clone());
    Some(cases.iter().map(|case| Condition::all(others().chain([case.clone()]))).collect())
}

/// `v = p / c` from an equation `c·v = p`, and the condition that `p / c` is an integer.
fn quotient(variables: &[Variable], part: &Condition) -> Option<(Variable, Index, Condition)> {
    let Condition::Zero(p) = part else { return None };
    let of = |&v: &Variable| {
        let (factor, rest) = p.linear_in(v)?;
        let factor = factor.as_constant().filter(|factor| *factor != IBig::ZERO)?;
        let (divisor, rest) = match factor < IBig::ZERO {
            true => (Index::constant(-factor), rest),
            false => (Index::constant(factor), -rest),
        };
        let is_whole = Condition::zero(rest.modulo(&divisor));
        (!rest.mentions(v)).then(|| (v, rest.floor_div(&divisor), is_whole))
    };
    variables.iter().find_map(of)
}

/// Whether a condition on bound indices plainly holds: at their extreme values, it follows from a known condition.
pub(super) fn is_plain(part: &Condition, binders: &[(Variable, [Index; 2])], known: &[Condition]) -> bool {
    let Condition::NonNegative(p) = part else { return known.contains(part) };
    let mut least = p.clone();
    for (v, [lower, upper]) in binders.iter().rev() {
        if least.mentions(*v) {
            let factor = least.linear_in(*v).and_then(|(factor, _)| factor.as_constant());
            let Some(factor) = factor else { return false };
            let extreme = if factor < IBig::ZERO { upper - &Index::from(1) } else { lower.clone() };
            least = least.substitute(&|w| (w == *v).then(|| extreme.clone()));
        }
    }
    let follows = |rest: Index| rest.as_constant().is_some_and(|rest| rest >= IBig::ZERO);
    let from = |part: &Condition| matches!(part, Condition::NonNegative(q) if follows(&least - q));
    follows(least.clone()) || known.iter().any(from)
}
