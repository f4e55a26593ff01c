//! Proves obligations by cases: a contradiction is shown for each alternative separately, after substituting what
//! equations determine. Among conditions that share no variables, only those that matter are given to the solver.

use crate::products::with_consequences;
use crate::solver::{ObligationAnswer, Obligations};
use selfsame_core::index::Atom;
use selfsame_core::{Condition, Index, Variable};

/// The maximum number of cases. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_CASES: u32 = 400;

/// The cost of examining an index term, in steps of z3. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS_OF_A_TERM: usize = 20;

/// Shows that conditions are unsatisfiable.
pub(crate) struct Refutation<'a> {
    /// The solver interface.
    pub obligations: &'a Obligations,
    left: u32,
}

impl<'a> Refutation<'a> {
    /// A refutation with its full budget.
    pub fn new(obligations: &'a Obligations) -> Refutation<'a> {
        Refutation { obligations, left: MAX_CASES }
    }

    /// Whether the conditions contradict each other: `Holds` if so. The next case distinction prefers alternatives
    /// about variables in `focus`.
    pub fn refute(&mut self, conditions: Vec<Condition>, focus: &[Variable]) -> ObligationAnswer {
        let Some(left) = self.left.checked_sub(1).filter(|_| !self.obligations.is_spent()) else {
            return ObligationAnswer::Unknown;
        };
        self.left = left;
        let Some(conditions) = self.substituted(conditions) else { return ObligationAnswer::Holds };
        let parts = parts(&conditions);
        if parts.iter().any(|part| self.obligations.contradict_linearly(part)) {
            return ObligationAnswer::Holds;
        }
        if let Some(answer) = self.split(&conditions, focus) {
            return answer;
        }
        if parts.iter().any(|part| self.obligations.contradict_linearly(&with_consequences(part))) {
            return ObligationAnswer::Holds;
        }
        // The focus did not suffice, so consider everything else.
        self.split(&conditions, &[])
            .unwrap_or_else(|| self.obligations.contradict(parts.iter().map(Vec::as_slice)))
    }

    /// Eliminates the variables that equations determine; `None` if a condition is plainly false.
    fn substituted(&self, mut conditions: Vec<Condition>) -> Option<Vec<Condition>> {
        let mut floors = FLOORS;
        conditions.iter().for_each(|c| c.visit(&mut |v| floors = floors.max(v.0 + 1)));
        loop {
            self.obligations.spend(STEPS_OF_A_TERM * terms(&conditions));
            let flat = Condition::all(conditions);
            if flat.is_never() {
                return None;
            }
            conditions = flat.conjuncts().to_vec();
            let found = conditions.iter().find_map(|condition| determined(condition, &mut floors));
            let Some(Determined { variable, value, floors: named }) = found else { return Some(conditions) };
            conditions.extend(
                named.into_iter().map(|(w, atom)| Condition::equal(&Index::from(w), &Index::of_atom(atom))),
            );
            let replace = |w: Variable| (w == variable).then(|| value.clone());
            conditions = conditions.iter().map(|c| c.substitute(&replace)).collect();
        }
    }

    /// Splits into cases, if there are alternatives or extrema about the focus.
    fn split(&mut self, conditions: &[Condition], focus: &[Variable]) -> Option<ObligationAnswer> {
        match (alternative(conditions, focus), extremum(conditions, focus)) {
            (Some(at), _) => Some(self.branches(conditions, at)),
            (None, Some(atom)) => Some(self.extrema(conditions, &atom, focus)),
            (None, None) => None,
        }
    }

    /// Splits on a minimum or maximum, which is one of its operands.
    fn extrema(&mut self, conditions: &[Condition], atom: &Atom, focus: &[Variable]) -> ObligationAnswer {
        let (Atom::Min(parts) | Atom::Max(parts)) = atom else { return ObligationAnswer::Unknown };
        let first_is_smaller = Condition::at_most(&parts[0], &parts[1]);
        let is_minimum = matches!(atom, Atom::Min(_));
        for (case, smaller) in [(first_is_smaller.clone(), 0), (!first_is_smaller, 1)] {
            let value = &parts[if is_minimum { smaller } else { 1 - smaller }];
            let replace = |other: &Atom| (other == atom).then(|| value.clone());
            let conditions = conditions.iter().map(|c| c.rewrite(&replace)).chain([case]).collect();
            match self.refute(conditions, focus) {
                ObligationAnswer::Holds => {}
                open => return open,
            }
        }
        ObligationAnswer::Holds
    }

    fn branches(&mut self, conditions: &[Condition], at: usize) -> ObligationAnswer {
        let Condition::Or(branches) = &conditions[at] else { return ObligationAnswer::Unknown };
        for branch in branches.iter() {
            let mut conditions = conditions.to_vec();
            conditions[at] = branch.clone();
            match self.refute(conditions, &branch.variables()) {
                ObligationAnswer::Holds => {}
                open => return open,
            }
        }
        ObligationAnswer::Holds
    }
}

/// The next alternatives to distinguish: the fewest about the focus.
fn alternative(conditions: &[Condition], focus: &[Variable]) -> Option<usize> {
    let candidates = conditions.iter().enumerate().filter_map(|(at, condition)| match condition {
        Condition::Or(branches) if branches.len() > 1 => Some((at, branches.len(), condition)),
        _ => None,
    });
    let near =
        |condition: &Condition| focus.is_empty() || condition.variables().iter().any(|v| focus.contains(v));
    candidates
        .filter(|(_, _, condition)| near(condition))
        .min_by_key(|(_, count, _)| *count)
        .map(|(at, _, _)| at)
}

/// A minimum or maximum in a term about the focus that contains no others.
fn extremum(conditions: &[Condition], focus: &[Variable]) -> Option<Atom> {
    let mut found = None;
    let near = |p: &Index| focus.is_empty() || focus.iter().any(|&v| p.mentions(v));
    for condition in conditions {
        condition.visit_terms(&mut |p| {
            if found.is_none() && near(p) {
                p.visit_atoms(&mut |atom| {
                    if matches!(atom, Atom::Min(_) | Atom::Max(_)) {
                        found = Some(atom.clone());
                    }
                });
            }
        });
    }
    found
}

/// Partitions conditions into parts that share no variables, the smallest part first.
fn parts(conditions: &[Condition]) -> Vec<Vec<Condition>> {
    let mut parts: Vec<(Vec<Variable>, Vec<Condition>)> = Vec::new();
    for condition in conditions {
        let mut of = condition.variables();
        let mut joined = vec![condition.clone()];
        parts.retain(|(other, conditions)| {
            let apart = !other.iter().any(|v| of.contains(v));
            if !apart {
                of.extend(other);
                joined.splice(0..0, conditions.iter().cloned());
            }
            apart
        });
        parts.push((of, joined));
    }
    parts.sort_by_key(|(_, conditions)| conditions.len());
    parts.into_iter().map(|(_, conditions)| conditions).collect()
}

/// The number of index terms in conditions.
fn terms(conditions: &[Condition]) -> usize {
    let mut count = 0;
    conditions.iter().for_each(|condition| condition.visit_terms(&mut |_| count += 1));
    count
}

/// The first variable number for floors, the last quarter of 32 bits: all other variables are below, those of
/// the checker from 2^30 on.
const FLOORS: u32 = 3 << 30;

/// A variable that an equation determines.
struct Determined {
    variable: Variable,
    value: Index,
    /// New variables for the floors in which the variable occurs, too.
    floors: Vec<(Variable, Atom)>,
}

/// `v = e` from an equation in which `v` occurs once as a term, with factor 1 or −1. It may also occur in floors,
/// as in `v = d·⌊v / d⌋`, if each of these is replaced by a variable.
fn determined(condition: &Condition, next: &mut u32) -> Option<Determined> {
    let Condition::Zero(p) = condition else { return None };
    p.terms().iter().find_map(|(monomial, factor)| {
        let [Atom::Variable(v)] = monomial[..] else { return None };
        let sign = i64::try_from(factor).ok().filter(|sign| sign.unsigned_abs() == 1)?;
        let rest = p - &Index::from(v).scaled(factor);
        let (rest, floors) = without_floors(&rest, v, *next);
        // Otherwise a variable for a floor would introduce another one, without end.
        if rest.mentions(v) || v.0 >= FLOORS && !floors.is_empty() {
            return None;
        }
        *next += u32::try_from(floors.len()).unwrap_or(0);
        Some(Determined { variable: v, value: rest.scaled(&(-sign).into()), floors })
    })
}

/// The term with a new variable for each floor that contains `v`.
fn without_floors(p: &Index, v: Variable, next: u32) -> (Index, Vec<(Variable, Atom)>) {
    let mut floors: Vec<(Variable, Atom)> = Vec::new();
    let mut sum = Index::default();
    for (monomial, factor) in p.terms() {
        let mut product = Index::constant(factor.clone());
        for atom in monomial {
            let stands = matches!(atom, Atom::Floor(parts) if parts.iter().any(|part| part.mentions(v)));
            let known = floors.iter().find(|(_, other)| other == atom).map(|(w, _)| *w);
            let index = match (stands, known) {
                (false, _) => Index::of_atom(atom.clone()),
                (true, Some(w)) => Index::from(w),
                (true, None) => {
                    let w = Variable(next + u32::try_from(floors.len()).unwrap_or(0));
                    floors.push((w, atom.clone()));
                    Index::from(w)
                }
            };
            product = &product * &index;
        }
        sum = sum + product;
    }
    (sum, floors)
}
