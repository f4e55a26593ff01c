//! What can go wrong, each with its witness.

use crate::space::Space;
use std::fmt;

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The operands live in different spaces.
    Spaces(Box<Space>, Box<Space>),
    /// A coefficient exceeds 64 bits: out of budget.
    Overflow,
    /// The operation count of the engine, or a stated size, is used up: out of budget.
    OutOfBudget {
        /// What was asked.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
    },
    /// The result is not known to be a set of this kind.
    Unsupported {
        /// What was asked.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
    },
    /// The set has infinitely many points, or could have, where finitely many were asked for.
    Unbounded(String),
    /// The relation has several values at a point where a function was asked for.
    NotSingleValued(String),
    /// The engine failed.
    Failed {
        /// What was asked.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
        /// What the engine said.
        message: String,
    },
    /// A text is not a set, a relation or a map.
    Syntax {
        /// Where, as a byte offset.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

impl Error {
    /// Whether the question was fine, and too much.
    pub fn is_out_of_budget(&self) -> bool {
        matches!(self, Error::Overflow | Error::OutOfBudget { .. })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Spaces(a, b) => write!(f, "the spaces {a} and {b} do not go together"),
            Error::Overflow => f.write_str("out of budget: a coefficient exceeds 64 bits"),
            Error::OutOfBudget { operation, operands } => {
                write!(f, "out of budget: {operation} of {operands}")
            }
            Error::Unsupported { operation, operands } => {
                write!(
                    f,
                    "not supported: the {operation} of {operands} was not found as a union of polyhedra"
                )
            }
            Error::Unbounded(set) => write!(f, "{set} is not bounded"),
            Error::NotSingleValued(relation) => write!(f, "{relation} is not a function"),
            Error::Failed { operation, operands, message } => {
                write!(f, "{operation} of {operands} failed: {message}")
            }
            Error::Syntax { at, expected } => write!(f, "expected {expected} at offset {at}"),
        }
    }
}

impl std::error::Error for Error {}
