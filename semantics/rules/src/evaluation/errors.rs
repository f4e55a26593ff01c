//! Why a rule text has no value: each reason is a type, and carries its witness.

use base::diagnostics::Span;
use std::fmt;
use values::LiteralError;
use values::digits::TooLong;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text has no meaning for this choice, whatever the sizes.
    IllFormed {
        /// Where.
        span: Span,
        /// What is wrong.
        message: String,
    },
    /// Evaluation cannot go on at these sizes.
    Stuck(Stuck),
    /// The text may have a meaning that this evaluator does not know, or the number system lacks a written number.
    Unsupported {
        /// Where.
        span: Span,
        /// What is not supported.
        message: String,
    },
    /// A function has no interpretation.
    Uninterpreted {
        /// Its name.
        function: String,
    },
    /// More operations, elements, digits or instances than the limit.
    OutOfBudget,
}

/// Where evaluation stopped, and at what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The place in the text (of the file in which the operator is defined).
    pub span: Span,
    /// What was wrong.
    pub reason: Reason,
}

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A read outside of the extents.
    Outside {
        /// The index.
        index: Vec<i128>,
        /// The extents.
        extents: Vec<i128>,
    },
    /// `v.k` where there is no component `k`.
    NoComponent(i128),
    /// A division of index terms by something that is not positive.
    Divisor(i128),
    /// A requirement does not hold.
    Requirement(Requirement),
}

/// What an expression requires of the sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requirement {
    /// The `where` of an operator.
    Condition,
    /// Operands of an element-wise operation have the same extents, and extents of one name are equal.
    SameExtents,
    /// The divisor of index terms is positive.
    PositiveDivisor,
    /// An element of a scalar side is read at a place that is there.
    Inside,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::IllFormed { message, .. } => f.write_str(message),
            Fault::Stuck(stuck) => stuck.reason.fmt(f),
            Fault::Unsupported { message, .. } => write!(f, "not supported: {message}"),
            Fault::Uninterpreted { function } => write!(f, "the function `{function}` has no interpretation"),
            Fault::OutOfBudget => f.write_str("out of budget"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Outside { index, extents } => write!(f, "{index:?} is read, the extents are {extents:?}"),
            Reason::NoComponent(k) => write!(f, "there is no component {k}"),
            Reason::Divisor(divisor) => write!(f, "division of index terms by {divisor}"),
            Reason::Requirement(Requirement::Condition) => {
                f.write_str("a condition of an operator does not hold")
            }
            Reason::Requirement(Requirement::SameExtents) => {
                f.write_str("extents that must be equal are not")
            }
            Reason::Requirement(Requirement::PositiveDivisor) => {
                f.write_str("a divisor of index terms is not positive")
            }
            Reason::Requirement(Requirement::Inside) => f.write_str("an element is read that is not there"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<TooLong> for Fault {
    fn from(TooLong: TooLong) -> Fault {
        Fault::OutOfBudget
    }
}

pub(super) fn ill_formed<T>(span: Span, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::IllFormed { span, message: message.into() })
}

pub(super) fn stuck<T>(span: Span, reason: Reason) -> Result<T, Fault> {
    Err(Fault::Stuck(Stuck { span, reason }))
}

pub(super) fn no_number(span: Span, error: &LiteralError) -> Fault {
    Fault::Unsupported { span, message: error.to_string() }
}
