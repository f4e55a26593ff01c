//! Conditions on indices: Boolean combinations of polynomial equations and inequalities.

use super::index::{Atom, Index, NoIndex, Variable};
use base::seeded::Seeded;
use dashu_int::IBig;
use std::sync::Arc;

/// A condition, with negations at its leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// `p ≥ 0`
    NonNegative(Index),
    /// `p = 0`
    Zero(Index),
    /// `p ≠ 0`
    NonZero(Index),
    /// All conditions hold; an empty list is *true*.
    And(Arc<[Condition]>),
    /// At least one condition holds; an empty list is *false*.
    Or(Arc<[Condition]>),
}

impl Condition {
    /// The condition *true*.
    pub fn always() -> Condition {
        Condition::And([].into())
    }

    /// The condition *false*.
    pub fn never() -> Condition {
        Condition::Or([].into())
    }

    /// The condition *true* or *false*.
    pub fn constant(truth: bool) -> Condition {
        if truth { Condition::always() } else { Condition::never() }
    }

    /// `p ≥ 0`
    pub fn non_negative(p: Index) -> Condition {
        match p.as_constant() {
            Some(constant) => Condition::constant(constant >= IBig::ZERO),
            None => Condition::NonNegative(p),
        }
    }

    /// `p = 0`
    pub fn zero(p: Index) -> Condition {
        match p.as_constant() {
            Some(constant) => Condition::constant(constant == IBig::ZERO),
            None => Condition::Zero(p),
        }
    }

    /// `p ≤ q`
    pub fn at_most(p: &Index, q: &Index) -> Condition {
        Condition::non_negative(q - p)
    }

    /// `p < q`
    pub fn less(p: &Index, q: &Index) -> Condition {
        Condition::non_negative(q - p - Index::from(1))
    }

    /// `p = q`
    pub fn equal(p: &Index, q: &Index) -> Condition {
        Condition::zero(p - q)
    }

    /// `lower ≤ p < upper`
    pub fn within(lower: &Index, p: &Index, upper: &Index) -> Condition {
        Condition::all([Condition::at_most(lower, p), Condition::less(p, upper)])
    }

    /// The conjunction, without duplicates.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut all: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::And(inner) => {
                    all.extend(inner.iter().filter(|p| !all.contains(p)).cloned().collect::<Vec<_>>())
                }
                Condition::Or(none) if none.is_empty() => return Condition::never(),
                part if all.contains(&part) => {}
                part => all.push(part),
            }
        }
        match <[Condition; 1]>::try_from(all) {
            Ok([only]) => only,
            Err(all) => Condition::And(all.into()),
        }
    }

    /// The disjunction.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        !Condition::all(parts.into_iter().map(|part| !part))
    }

    /// Whether it is *true* as written.
    pub fn is_always(&self) -> bool {
        matches!(self, Condition::And(parts) if parts.is_empty())
    }

    /// Whether it is *false* as written.
    pub fn is_never(&self) -> bool {
        matches!(self, Condition::Or(parts) if parts.is_empty())
    }

    /// Whether it is *true* or *false* as written; else `None`.
    pub fn known(&self) -> Option<bool> {
        self.is_always().then_some(true).or(self.is_never().then_some(false))
    }

    /// The conditions whose conjunction this is.
    pub fn conjuncts(&self) -> &[Condition] {
        match self {
            Condition::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The condition with terms substituted for variables.
    pub fn substitute(&self, replacement: &dyn Fn(Variable) -> Option<Index>) -> Condition {
        self.rewrite(&|atom| match atom {
            Atom::Variable(v) => replacement(*v),
            _ => None,
        })
    }

    /// The condition with terms substituted for atoms.
    pub fn rewrite(&self, replacement: &dyn Fn(&Atom) -> Option<Index>) -> Condition {
        match self {
            Condition::NonNegative(p) => Condition::non_negative(p.rewrite(replacement)),
            Condition::Zero(p) => Condition::zero(p.rewrite(replacement)),
            Condition::NonZero(p) => !Condition::zero(p.rewrite(replacement)),
            Condition::And(parts) => Condition::all(parts.iter().map(|part| part.rewrite(replacement))),
            Condition::Or(parts) => Condition::any(parts.iter().map(|part| part.rewrite(replacement))),
        }
    }

    /// Calls `see` with every index term.
    pub fn visit_terms(&self, see: &mut dyn FnMut(&Index)) {
        match self {
            Condition::NonNegative(p) | Condition::Zero(p) | Condition::NonZero(p) => see(p),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.visit_terms(see))
            }
        }
    }

    /// Whether it holds for the given values of the variables.
    ///
    /// # Errors
    /// A term that is evaluated has no value. Terms are evaluated from left to right, until the answer is known.
    pub fn holds(&self, variables: &[i64]) -> Result<bool, NoIndex> {
        Ok(match self {
            Condition::NonNegative(p) => p.value(variables)? >= 0,
            Condition::Zero(p) => p.value(variables)? == 0,
            Condition::NonZero(p) => p.value(variables)? != 0,
            Condition::And(parts) => {
                for part in parts.iter() {
                    if !part.holds(variables)? {
                        return Ok(false);
                    }
                }
                true
            }
            Condition::Or(parts) => {
                for part in parts.iter() {
                    if part.holds(variables)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }

    /// The variables, each once for every occurrence.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = Vec::new();
        self.visit(&mut |v| variables.push(v));
        variables
    }

    /// Calls `see` with every occurrence of a variable.
    pub fn visit(&self, see: &mut dyn FnMut(Variable)) {
        match self {
            Condition::NonNegative(p) | Condition::Zero(p) | Condition::NonZero(p) => p.visit(see),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| part.visit(see)),
        }
    }
}

impl std::ops::Not for Condition {
    type Output = Condition;
    fn not(self) -> Condition {
        match self {
            Condition::NonNegative(p) => {
                let least = i64::from(!Seeded::NotOffByOne.is_in());
                Condition::non_negative(-p - Index::from(least))
            }
            Condition::Zero(p) => Condition::NonZero(p),
            Condition::NonZero(p) => Condition::Zero(p),
            Condition::And(parts) => Condition::Or(parts.iter().cloned().map(|part| !part).collect()),
            Condition::Or(parts) => Condition::all(parts.iter().cloned().map(|part| !part)),
        }
    }
}
