//! Why there is no plan, or why it does not run.

use base::diagnostics::Span;
use polyhedra::EngineError;
use std::fmt;
use values::LiteralError;

/// Why there is no plan, or why a plan does not run on given buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanFault {
    /// The named domain is unbounded, or has too many points.
    Unbounded(String, Span),
    /// The named output has no elements.
    Empty(String, Span),
    /// A position exceeds the address space, or there is not enough memory.
    TooLarge,
    /// A divisor may be undefined, and under controlled division `0/•` is 0.
    Divisor(Span),
    /// An expression has too many combinations of branches.
    Branches(Span),
    /// A called function has no interpretation.
    Function(String, Span),
    /// The number system has no identity for the operator of a reduction.
    Reduction(Span),
    /// The number system has no such constant.
    Constant(LiteralError, Span),
    /// An element depends on itself, or there are too many elements to order.
    Order(String),
    /// A question about index sets could not be decided.
    Undecided(EngineError),
    /// The named buffer has the wrong number of elements: actual and expected.
    Length(String, usize, usize),
    /// The named buffer is not aligned to 64 bytes.
    Alignment(String),
    /// The number of buffers differs from that of inputs or outputs: actual and expected.
    Count(usize, usize),
}

impl From<EngineError> for PlanFault {
    fn from(error: EngineError) -> PlanFault {
        PlanFault::Undecided(error)
    }
}

impl fmt::Display for PlanFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanFault::Unbounded(name, _) => {
                write!(f, "{name} has no bounded domain of a size that can be planned")
            }
            PlanFault::Empty(name, _) => write!(f, "{name} has no elements"),
            PlanFault::TooLarge => write!(f, "the elements exceed what memory can hold"),
            PlanFault::Divisor(_) => {
                write!(f, "a divisor may be undefined, and 0/• is 0 under controlled division")
            }
            PlanFault::Branches(_) => write!(f, "there are too many combinations of branches"),
            PlanFault::Function(name, _) => write!(f, "the function `{name}` has no value"),
            PlanFault::Reduction(_) => {
                write!(f, "the reduction may have no terms, and its operator no identity")
            }
            PlanFault::Constant(error, _) => write!(f, "{error}"),
            PlanFault::Order(name) => {
                write!(
                    f,
                    "no order of evaluation was found for {name}: it depends on itself, or is too large"
                )
            }
            PlanFault::Undecided(error) => write!(f, "{error}"),
            PlanFault::Length(name, found, expected) => {
                write!(f, "the buffer of {name} has {found} elements, its layout {expected}")
            }
            PlanFault::Alignment(name) => {
                write!(f, "the buffer of {name} does not start at a multiple of 64 bytes")
            }
            PlanFault::Count(found, expected) => write!(f, "{found} buffers for {expected} variables"),
        }
    }
}

impl std::error::Error for PlanFault {}

impl PlanFault {
    /// The place in the source, if the fault has one.
    pub fn span(&self) -> Option<Span> {
        match self {
            PlanFault::Unbounded(_, span)
            | PlanFault::Empty(_, span)
            | PlanFault::Divisor(span)
            | PlanFault::Branches(span)
            | PlanFault::Function(_, span)
            | PlanFault::Reduction(span)
            | PlanFault::Constant(_, span) => Some(*span),
            _ => None,
        }
    }
}
