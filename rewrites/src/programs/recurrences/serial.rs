//! Turns serial recurrences into reductions: the serialization theorem of ALPHA (§8.4, ledger: `alpha/reduce-6`),
//! backwards.
//!
//! ```text
//! Y = case B : b; D : Y.(z -> z − d) ⊕ t; esac
//!   = case B : b; D : (B : b).(z -> z − S(z)·d) ⊕ reduce(⊕, (z,s -> z), { z,s | 0 <= s < S(z) } : t.(z,s -> z − s·d)); esac
//! ```
//! where `S(z)` is the number of steps along `d` to an element of `B`, as a constraint of `B` or `D` suggests. A
//! proposal is used only if it is proved by induction.

use alpha::syntax::{Domain, DomainId, ExprId, Expression, System, VariableId};
use base::diagnostics::Span;
use polyhedra::{Affine, AffineMap, IndexSet, Name, Space};
use selfsame_core::operators::Binary;

/// A step of a recurrence: `Y.(z -> z − d) ⊕ t1 ⊖ t2`.
struct RecurrenceStep {
    operator: Binary,
    /// `d`
    stride: Vec<i64>,
    /// The expressions added, and whether each is subtracted.
    terms: Vec<(ExprId, bool)>,
    /// The restrictions of the branch.
    domains: Vec<DomainId>,
}

/// The system with a serial recurrence replaced by reductions, for each number of steps that its constraints
/// suggest.
pub fn as_reduction(system: &System, y: VariableId) -> Vec<System> {
    let Some(serial) = Serial::new(system, y) else { return Vec::new() };
    serial.lengths().into_iter().filter_map(|length| serial.closed(&length)).collect()
}

/// A serial recurrence.
struct Serial<'a> {
    system: &'a System,
    equation: usize,
    space: Space,
    bases: Vec<ExprId>,
    steps: Vec<RecurrenceStep>,
}

impl<'a> Serial<'a> {
    fn new(system: &'a System, y: VariableId) -> Option<Serial<'a>> {
        let mut equations = (0..system.equations.len()).filter(|&at| system.equations[at].variable == y);
        let (Some(equation), None) = (equations.next(), equations.next()) else { return None };
        let Expression::Case(branches) = system.expression(system.equations[equation].expression) else {
            return None;
        };
        let space = space(system, y)?;
        let (mut bases, mut steps) = (Vec::new(), Vec::new());
        for &branch in branches {
            match mentions(system, branch, y) {
                false => bases.push(branch),
                true => steps.push(RecurrenceStep::new(system, branch, y, &space)?),
            }
        }
        let first = steps.first()?;
        let alike = |step: &RecurrenceStep| step.operator == first.operator && step.stride == first.stride;
        let is_serial = !bases.is_empty() && steps.iter().all(alike);
        is_serial.then_some(Serial { system, equation, space, bases, steps })
    }

    /// Candidates for the number of steps to the base.
    fn lengths(&self) -> Vec<Affine> {
        let stride = &self.steps[0].stride;
        let steps = || stride.iter().enumerate().map(|(d, k)| (self.space.column(d), *k));
        let mut lengths = Vec::new();
        let mut add =
            |length: Option<Affine>| lengths.extend(length.filter(|e| e.growth(steps()) == Some(1)));
        for set in self.bases.iter().flat_map(|&base| self.sets(&restrictions(self.system, base).0)) {
            for e in set.pieces.iter().flat_map(|piece| &piece.equalities) {
                add(Some(e.clone()));
                add(e.negation().ok());
            }
            for e in set.pieces.iter().flat_map(|piece| &piece.inequalities) {
                add(e.negation().ok());
            }
        }
        for set in self.steps.iter().flat_map(|step| self.sets(&step.domains)) {
            for e in set.pieces.iter().flat_map(|piece| &piece.inequalities) {
                add(e.plus(1, &Affine::constant(1)).ok());
            }
        }
        let mut distinct: Vec<Affine> = Vec::new();
        lengths.into_iter().for_each(|length| {
            if !distinct.contains(&length) {
                distinct.push(length);
            }
        });
        distinct
    }

    /// The domains that are polyhedra without quantified terms.
    fn sets(&self, domains: &[DomainId]) -> Vec<&'a IndexSet> {
        let set = |d: &DomainId| match self.system.domain(*d) {
            Domain::Polyhedron(set) => Some(set),
            _ => None,
        };
        let plain = |set: &&IndexSet| set.pieces.iter().all(|piece| piece.locals.is_empty());
        domains.iter().filter_map(set).filter(plain).collect()
    }

    /// The system with the recurrence closed, if it takes `length` steps to the base.
    fn closed(&self, length: &Affine) -> Option<System> {
        let mut system = self.system.clone();
        let span = Span::default();
        let stride = &self.steps[0].stride;
        let rank = self.space.rank();
        let back = |d: usize| Affine::column(self.space.column(d)).plus(-stride[d], length).ok();
        let to_base = AffineMap::new(self.space.clone(), (0..rank).map(back).collect::<Option<_>>()?);
        let base = match self.bases[..] {
            [only] => only,
            _ => system.push(Expression::Case(self.bases.clone()), span),
        };
        let base = system.push(Expression::Dependence(base, to_base), span);
        let wide = self.with_step();
        let s = wide.column(rank);
        let moved = |d: usize| Affine::column(wide.column(d)).plus(-stride[d], &Affine::column(s)).ok();
        let along = AffineMap::new(wide.clone(), (0..rank).map(moved).collect::<Option<_>>()?);
        let left = length.plus(-1, &Affine::column(s)).ok()?.plus(-1, &Affine::constant(1)).ok()?;
        let steps = IndexSet::constrained(wide.clone(), Vec::new(), vec![Affine::column(s), left]);
        let steps = system.push_set(&steps, span);
        let project =
            AffineMap::new(wide.clone(), (0..rank).map(|d| Affine::column(wide.column(d))).collect());
        let mut sum = base;
        let operator = self.steps[0].operator;
        for is_negative in [false, true] {
            let Some(term) = self.term(&mut system, is_negative) else { continue };
            let term = system.push(Expression::Dependence(term, along.clone()), span);
            let body = system.push(Expression::Restrict(steps, term), span);
            let total = system.push(Expression::Reduce(operator, project.clone(), body), span);
            let operator = if is_negative { Binary::Sub } else { operator };
            sum = system.push(Expression::Binary(operator, [sum, total]), span);
        }
        let mut branches = self.bases.clone();
        branches.extend(self.steps.iter().map(|step| restricted(&mut system, &step.domains, sum)));
        let expression = system.push(Expression::Case(branches), span);
        let equation = &mut system.equations[self.equation];
        (equation.expression, equation.indices) = (expression, None);
        Some(system)
    }

    /// The sum of what the steps add, or of what they subtract, on their domains.
    fn term(&self, system: &mut System, is_negative: bool) -> Option<ExprId> {
        let span = Span::default();
        let operator = self.steps[0].operator;
        let mut branches = Vec::new();
        for step in &self.steps {
            let terms = step.terms.iter().filter(|(_, negative)| *negative == is_negative).map(|(e, _)| *e);
            let Some(mut branch) =
                terms.reduce(|a, b| system.push(Expression::Binary(operator, [a, b]), span))
            else {
                continue;
            };
            if self.steps.len() > 1 {
                branch = restricted(system, &step.domains, branch);
            }
            branches.push(branch);
        }
        match branches[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(system.push(Expression::Case(branches), span)),
        }
    }

    /// The space of the variable with an additional dimension.
    fn with_step(&self) -> Space {
        let taken = |name: &str| {
            self.space.parameters.iter().chain(self.space.dimensions.iter()).any(|other| **other == *name)
        };
        let names = ["s".to_owned()].into_iter().chain((1..).map(|k| format!("s{k}")));
        let step: Option<Name> = names.into_iter().find(|name| !taken(name)).map(|name| name.as_str().into());
        self.space.with_dimensions(self.space.dimensions.iter().cloned().chain(step))
    }
}

impl RecurrenceStep {
    fn new(system: &System, branch: ExprId, y: VariableId, space: &Space) -> Option<RecurrenceStep> {
        let (domains, mut e) = restrictions(system, branch);
        let (mut class, mut terms) = (None, Vec::new());
        let f = loop {
            let (operator, [a, b]) = match system.expression(e) {
                Expression::Binary(operator, of) => (*operator, *of),
                Expression::Dependence(of, f) if *system.expression(*of) == Expression::Variable(y) => {
                    break f;
                }
                _ => return None,
            };
            let is_left = mentions(system, a, y);
            if is_left == mentions(system, b, y) {
                return None;
            }
            let of_class = match operator {
                Binary::Sub if is_left => Binary::Add,
                operator if operator.is_commutative() => operator,
                _ => return None,
            };
            if *class.get_or_insert(of_class) != of_class {
                return None;
            }
            terms.push((if is_left { b } else { a }, operator == Binary::Sub));
            e = if is_left { a } else { b };
        };
        let back = |d: usize| {
            let moved = f.outputs[d].plus(-1, &Affine::column(space.column(d))).ok()?;
            (f.floors.is_empty() && moved.is_constant()).then_some(-moved.constant)
        };
        let stride = (0..space.rank()).map(back).collect::<Option<Vec<i64>>>()?;
        Some(RecurrenceStep { operator: class?, stride, terms, domains })
    }
}

/// Splits `D1 : … Dn : e` into the domains and `e`.
fn restrictions(system: &System, mut e: ExprId) -> (Vec<DomainId>, ExprId) {
    let mut domains = Vec::new();
    while let Expression::Restrict(d, of) = system.expression(e) {
        domains.push(*d);
        e = *of;
    }
    (domains, e)
}

/// `D1 : … Dn : e`
fn restricted(system: &mut System, domains: &[DomainId], e: ExprId) -> ExprId {
    domains.iter().rev().fold(e, |e, &d| system.push(Expression::Restrict(d, e), Span::default()))
}

/// Whether an expression reads a variable.
fn mentions(system: &System, e: ExprId, y: VariableId) -> bool {
    let mut pending = vec![e];
    while let Some(e) = pending.pop() {
        match system.expression(e) {
            Expression::Variable(x) if *x == y => return true,
            of => pending.extend(of.operands()),
        }
    }
    false
}

/// The space of a variable, with the dimension names of its declaration.
fn space(system: &System, y: VariableId) -> Option<Space> {
    system.variable(y).domain.map(|_| system.space(system.index_names(y)))
}
