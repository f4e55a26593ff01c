//! Counts bound indices that occur in no factor and in no coefficient.
//!
//! ```text
//! Σ over v, a ≤ v < b, and w ∈ D of c·P   =   Σ over w ∈ D, b − a ≥ 1 of (b − a)·c·P     v not in a, b, D, c, P
//! Σ over v, v = p, and w ∈ D of c·P       =   Σ over w ∈ D[v := p] of c·P                v not in p, c, P
//! ```
//! If there is no `v`, nothing is read; so the domain requires a positive count.

use selfsame_core::{Condition, Index, Variable};

/// A domain after counting.
pub struct Counted {
    /// The remaining indices.
    pub binders: Vec<Variable>,
    /// The remaining domain.
    pub domain: Condition,
    /// The number of values of the counted indices.
    pub number: Index,
}

/// Counts the bound indices that occur only in the domain, if each ranges over an interval that is independent of
/// other such indices; `None` if there are none.
pub fn counted(
    binders: &[Variable],
    domain: &Condition,
    occurs: &dyn Fn(Variable) -> bool,
) -> Option<Counted> {
    let mut left = Counted { binders: binders.to_vec(), domain: domain.clone(), number: Index::from(1) };
    let mut idle: Vec<Variable> = binders.iter().copied().filter(|v| !occurs(*v)).collect();
    let before = idle.len();
    while let Some(at) = idle.iter().position(|&v| left.count(v, &idle)) {
        let gone = idle.remove(at);
        left.binders.retain(|v| *v != gone);
    }
    (idle.len() < before).then_some(left)
}

impl Counted {
    fn count(&mut self, v: Variable, idle: &[Variable]) -> bool {
        let conjuncts = self.domain.conjuncts();
        if let Some(value) = conjuncts.iter().find_map(|condition| value(condition, v)) {
            self.domain = self.domain.substitute(&|w| (w == v).then(|| value.clone()));
            return true;
        }
        let (own, others): (Vec<&Condition>, Vec<&Condition>) =
            conjuncts.iter().partition(|condition| condition.variables().contains(&v));
        let Some([lower, upper]) = interval(&own, v) else { return false };
        let number = upper - lower;
        // A count must not mention an index that is still to be counted or replaced.
        if idle.iter().any(|&w| number.mentions(w)) {
            return false;
        }
        let some = Condition::less(&Index::default(), &number);
        self.domain = Condition::all(others.into_iter().cloned().chain([some]));
        self.number = &self.number * &number;
        true
    }
}

/// The value that an equation gives to a variable.
fn value(condition: &Condition, v: Variable) -> Option<Index> {
    let Condition::Zero(p) = condition else { return None };
    let of = Index::from(v);
    [&of - p, p + &of].into_iter().find(|value| !value.mentions(v))
}

/// The least value, and the one after the greatest, if the conditions are just these bounds.
fn interval(conditions: &[&Condition], v: Variable) -> Option<[Index; 2]> {
    let (mut lower, mut upper): (Option<Index>, Option<Index>) = (None, None);
    let of = Index::from(v);
    for condition in conditions {
        let Condition::NonNegative(p) = condition else { return None };
        let (least, after) = (&of - p, p + &of + Index::from(1));
        if !least.mentions(v) {
            lower = Some(lower.map_or(least.clone(), |other| other.maximum(&least)));
        } else if !after.mentions(v) {
            upper = Some(upper.map_or(after.clone(), |other| other.minimum(&after)));
        } else {
            return None;
        }
    }
    Some([lower?, upper?])
}
