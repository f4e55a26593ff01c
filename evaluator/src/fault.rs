//! Why there is no plan, or why it does not run.

use base::diagnostics::Span;
use polyhedra::Error;
use std::fmt;
use values::LiteralError;

/// Why there is no plan, or why a plan does not run on given buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
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
    Undecided(Error),
    /// The named buffer has the wrong number of elements: actual and expected.
    Length(String, usize, usize),
    /// The named buffer is not aligned to 64 bytes.
    Alignment(String),
    /// The number of buffers differs from that of inputs or outputs: actual and expected.
    Count(usize, usize),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Undecided(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unbounded(name, _) => {
                write!(f, "{name} has no bounded domain of a size that can be planned")
            }
            Fault::Empty(name, _) => write!(f, "{name} has no elements"),
            Fault::TooLarge => write!(f, "the elements exceed what memory can hold"),
            Fault::Divisor(_) => {
                write!(f, "a divisor may be undefined, and 0/• is 0 under controlled division")
            }
            Fault::Branches(_) => write!(f, "there are too many combinations of branches"),
            Fault::Function(name, _) => write!(f, "the function `{name}` has no value"),
            Fault::Reduction(_) => write!(f, "the reduction may have no terms, and its operator no identity"),
            Fault::Constant(error, _) => write!(f, "{error}"),
            Fault::Order(name) => {
                write!(
                    f,
                    "no order of evaluation was found for {name}: it depends on itself, or is too large"
                )
            }
            Fault::Undecided(error) => write!(f, "{error}"),
            Fault::Length(name, found, expected) => {
                write!(f, "the buffer of {name} has {found} elements, its layout {expected}")
            }
            Fault::Alignment(name) => {
                write!(f, "the buffer of {name} does not start at a multiple of 64 bytes")
            }
            Fault::Count(found, expected) => write!(f, "{found} buffers for {expected} variables"),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The place in the source, if the fault has one.
    pub fn span(&self) -> Option<Span> {
        match self {
            Fault::Unbounded(_, span)
            | Fault::Empty(_, span)
            | Fault::Divisor(span)
            | Fault::Branches(span)
            | Fault::Function(_, span)
            | Fault::Reduction(span)
            | Fault::Constant(_, span) => Some(*span),
            _ => None,
        }
    }
}
