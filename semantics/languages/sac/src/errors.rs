//! Errors of evaluation: values of their own kind, each with a witness.

use crate::functions::Unit;
use base::diagnostics::{Code, Diagnostic, Span};
use language::Stopped;
use std::fmt;

macro_rules! error_kinds {
    ($($(#[$doc:meta])* $Kind:ident $code:ident,)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ErrorKind { $($(#[$doc])* $Kind,)* }

        impl ErrorKind {
            /// The code of its diagnostic.
            pub fn code(self) -> Code {
                match self { $(ErrorKind::$Kind => Code::$code,)* }
            }
        }
    };
}

error_kinds! {
    /// An element outside of an array is selected, or a generator has an index outside of the result.
    Outside S0001,
    /// Two shapes are not the same: of the values of a with-loop, of the elements of an array, of two operands.
    Shapes S0002,
    /// Bounds of a generator have different lengths, or another length than its pattern or the shape of the result.
    Lengths S0003,
    /// An extent is negative, or too large.
    Extent S0004,
    /// No function has arguments of these types, or several have.
    Call S0005,
    /// ⊥ of the translation: bounds cannot be inferred (§5.2).
    Bottom S0006,
    /// A value has another type than is needed: a condition that is no truth value, an index that is no vector of integers.
    Type S0007,
    /// A known integer is divided by 0, or exceeds 64 bits.
    Number S0008,
    /// The guard of a function does not hold.
    Guard S0009,
}

/// An error: the value of an expression that has no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// What is wrong, with a witness.
    pub message: String,
    /// The place.
    pub span: Span,
    /// The file of the place.
    pub unit: Unit,
}

impl Error {
    /// The error of a standard function, at the place in the program where it is called.
    #[must_use]
    pub fn called(self, name: &str, span: Span) -> Error {
        let message = format!("{} (in `{name}`)", self.message);
        Error { kind: self.kind, message, span, unit: Unit::Program }
    }

    /// The error as a diagnostic about the program.
    pub fn diagnostic(&self) -> Diagnostic {
        let span = if self.unit == Unit::Program { self.span } else { Span::default() };
        Diagnostic::new(self.kind.code(), span, self.message.clone(), "here")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is an error.
    Error(Error),
    /// Evaluation was not run to its end.
    Stopped(Stopped),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        Failure::Stopped(stopped)
    }
}
