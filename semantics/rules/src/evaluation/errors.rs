//! Why a rule has no value: each reason is a type, and carries its witness.

use base::diagnostics::Span;
use std::fmt;
use values::LiteralError;
use values::digits::TooLong;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The text has no meaning for this choice, whatever the sizes.
    IllFormed {
        /// The place in the text.
        span: Span,
        /// What is wrong.
        message: String,
    },
    /// Evaluation is stuck at these sizes.
    Stuck(StuckAt),
    /// A construct that this evaluator does not support, or a literal that the number system lacks.
    Unsupported {
        /// The place in the text.
        span: Span,
        /// What is not supported.
        message: String,
    },
    /// A function without an interpretation.
    Uninterpreted {
        /// The name of the function.
        function: String,
    },
    /// The limit of operations, elements, digits or instances is exceeded.
    OutOfBudget,
}

/// Where and why evaluation is stuck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckAt {
    /// The place in the text, possibly of the file that defines the operator.
    pub span: Span,
    /// The reason.
    pub reason: Reason,
}

/// Why evaluation is stuck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A read outside the extents.
    Outside {
        /// The index.
        index: Vec<i128>,
        /// The extents.
        extents: Vec<i128>,
    },
    /// `v.k` for a component `k` that does not exist.
    NoComponent(i128),
    /// A nonpositive divisor of an index term.
    Divisor(i128),
    /// A violated requirement.
    Requirement(SizeRequirement),
}

/// A kind of requirement on the sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeRequirement {
    /// The `where` of an operator.
    Condition,
    /// Operands of an element-wise operation have the same extents, and extents of one name are equal.
    SameExtents,
    /// The divisor of index terms is positive.
    PositiveDivisor,
    /// A scalar side is read at an index within the extents.
    Inside,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::IllFormed { message, .. } => f.write_str(message),
            NoAnswer::Stuck(stuck) => stuck.reason.fmt(f),
            NoAnswer::Unsupported { message, .. } => write!(f, "not supported: {message}"),
            NoAnswer::Uninterpreted { function } => {
                write!(f, "the function `{function}` has no interpretation")
            }
            NoAnswer::OutOfBudget => f.write_str("out of budget"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Outside { index, extents } => write!(f, "{index:?} is read, the extents are {extents:?}"),
            Reason::NoComponent(k) => write!(f, "there is no component {k}"),
            Reason::Divisor(divisor) => write!(f, "division of index terms by {divisor}"),
            Reason::Requirement(SizeRequirement::Condition) => {
                f.write_str("a condition of an operator does not hold")
            }
            Reason::Requirement(SizeRequirement::SameExtents) => {
                f.write_str("extents that must be equal are not")
            }
            Reason::Requirement(SizeRequirement::PositiveDivisor) => {
                f.write_str("a divisor of index terms is not positive")
            }
            Reason::Requirement(SizeRequirement::Inside) => {
                f.write_str("an element is read that is not there")
            }
        }
    }
}

impl std::error::Error for NoAnswer {}

impl From<TooLong> for NoAnswer {
    fn from(TooLong: TooLong) -> NoAnswer {
        NoAnswer::OutOfBudget
    }
}

pub(super) fn ill_formed<T>(span: Span, message: impl Into<String>) -> Result<T, NoAnswer> {
    Err(NoAnswer::IllFormed { span, message: message.into() })
}

pub(super) fn stuck<T>(span: Span, reason: Reason) -> Result<T, NoAnswer> {
    Err(NoAnswer::Stuck(StuckAt { span, reason }))
}

pub(super) fn no_number(span: Span, error: &LiteralError) -> NoAnswer {
    NoAnswer::Unsupported { span, message: error.to_string() }
}
