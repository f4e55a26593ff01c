//! The relation between the two sides of a question.

use crate::by_inputs::ByInputs;
use std::fmt;

/// The relation of the right-hand side to the left, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The same value, and defined for the same inputs.
    Equivalent,
    /// The same value wherever the left is defined; the right may be defined elsewhere too.
    Refines,
    /// Neither proved nor refuted.
    Unknown,
    /// On some input the two are not the same, but there the left is undefined. So the right may still refine the
    /// left, which is neither proved nor refuted.
    Unequal,
    /// On some input the left is defined, and the right is not the same.
    Different,
}

/// What remains open if two sides are [`Relation::Unequal`].
pub const UNEQUAL: &str = "not equal; whether the right side refines the left is not known";

impl Relation {
    /// The relation of `c` to `a`, where `self` is that of `b` to `a` and `other` that of `c` to `b`. If both
    /// steps differ the ends need not: `c` may return to what `b` left.
    pub fn then(self, other: Relation) -> Relation {
        match (self, other) {
            (Relation::Equivalent, other) => other,
            (this, Relation::Equivalent) => this,
            (Relation::Refines, Relation::Refines) => Relation::Refines,
            _ => Relation::Unknown,
        }
    }

    /// The verdict's word in the contract.
    pub fn word(self) -> &'static str {
        match self {
            Relation::Equivalent => "equivalent",
            Relation::Refines => "refines",
            Relation::Unknown | Relation::Unequal => "unknown",
            Relation::Different => "different",
        }
    }
}

impl fmt::Display for Relation {
    /// The word of the contract, or more where more is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Relation::Unequal { "not equal, ⊑ unknown" } else { self.word() })
    }
}

impl ByInputs<Relation> {
    /// The better relation of each pair: what two proofs of one claim show.
    #[must_use]
    pub fn or(self, other: ByInputs<Relation>) -> ByInputs<Relation> {
        self.zip(other).map(|(a, b)| a.min(b))
    }

    /// The worse relation of each pair: what the proofs of two claims show of both.
    #[must_use]
    pub fn and(self, other: ByInputs<Relation>) -> ByInputs<Relation> {
        self.zip(other).map(|(a, b)| a.max(b))
    }

    /// Whether nothing is known, whatever the inputs.
    pub fn are_unknown(self) -> bool {
        self == ByInputs::both(Relation::Unknown)
    }
}
