//! How one side of a question relates to the other.

use std::fmt;

/// How the right-hand side relates to the left, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The same value, and defined for the same inputs.
    Equivalent,
    /// The same value wherever the left is defined; the right may be defined elsewhere too.
    Refines,
    /// Neither proved nor refuted.
    Unknown,
    /// There is an input on which the two are not the same, but there the left is undefined: the right may refine it all the same, which
    /// is neither proved nor refuted.
    Unequal,
    /// There is an input on which the left is defined, and the right is not the same.
    Different,
}

/// What is open where two sides are [`Relation::Unequal`].
pub const UNEQUAL: &str = "not equal; whether the right side refines the left is not known";

impl Relation {
    /// How `c` relates to `a`, from how `b` relates to `a` (this) and `c` to `b`. Where two of them differ the ends need not: `b` may leave
    /// what `c` comes back to.
    pub fn then(self, other: Relation) -> Relation {
        match (self, other) {
            (Relation::Equivalent, other) => other,
            (this, Relation::Equivalent) => this,
            (Relation::Refines, Relation::Refines) => Relation::Refines,
            _ => Relation::Unknown,
        }
    }

    /// The word of the contract.
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
    /// The word of the contract, or as much more as is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Relation::Unequal { "not equal, ⊑ unknown" } else { self.word() })
    }
}
