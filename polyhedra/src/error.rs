//! Errors, each with its witness.

use crate::space::Space;
use std::fmt;

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The operands are in different spaces.
    Spaces(Box<Space>, Box<Space>),
    /// A coefficient exceeds 64 bits: out of budget.
    Overflow,
    /// The engine's operation count or a size limit is exceeded: out of budget.
    OutOfBudget {
        /// The name of the operation.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
    },
    /// The result is not known to be representable as the requested kind of set.
    Unsupported {
        /// The name of the operation.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
    },
    /// The set has, or may have, infinitely many points, but finitely many were requested.
    Unbounded(String),
    /// The relation has several values at a point, but a function was requested.
    NotSingleValued(String),
    /// The engine failed.
    Failed {
        /// The name of the operation.
        operation: &'static str,
        /// The operands, as text.
        operands: String,
        /// The message of the engine.
        message: String,
    },
    /// A text is not a set, relation or map.
    Syntax {
        /// The byte offset of the error.
        at: usize,
        /// The expected syntax.
        expected: &'static str,
    },
}

impl EngineError {
    /// Whether the question was valid but exceeded a budget.
    pub fn is_out_of_budget(&self) -> bool {
        matches!(self, EngineError::Overflow | EngineError::OutOfBudget { .. })
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Spaces(a, b) => write!(f, "the spaces {a} and {b} cannot be combined"),
            EngineError::Overflow => f.write_str("out of budget: a coefficient exceeds 64 bits"),
            EngineError::OutOfBudget { operation, operands } => {
                write!(f, "out of budget: {operation} of {operands}")
            }
            EngineError::Unsupported { operation, operands } => {
                write!(
                    f,
                    "not supported: the {operation} of {operands} was not found as a union of polyhedra"
                )
            }
            EngineError::Unbounded(set) => write!(f, "{set} is not bounded"),
            EngineError::NotSingleValued(relation) => write!(f, "{relation} is not a function"),
            EngineError::Failed { operation, operands, message } => {
                write!(f, "{operation} of {operands} failed: {message}")
            }
            EngineError::Syntax { at, expected } => write!(f, "expected {expected} at offset {at}"),
        }
    }
}

impl std::error::Error for EngineError {}
