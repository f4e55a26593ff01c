//! Why there is no verdict.

use crate::crash::Crash;
use base::diagnostics::{Diagnostic, Span};
use checker::nesting::MalformedDocument;
use language::Difference;
use languages::{Language, Mismatch};
use std::fmt;
use values::Division;

/// Why a question has no verdict. A verdict that leaves it open is not an error: its relation is unknown.
#[derive(Debug)]
pub enum Error {
    /// A text is ill-formed.
    IllFormed {
        /// The text's name.
        name: String,
        /// All errors found, at least one.
        faults: Vec<Diagnostic>,
    },
    /// The programs declare different variables.
    Declarations(Difference),
    /// The programs mean different things by `/`.
    Divisions,
    /// The programs have different sizes, inputs or outputs.
    Interfaces {
        /// What differs.
        mismatch: Mismatch,
        /// The program, 0 or 1, and the declaration in it that differs, if there is one.
        place: Option<(usize, Span)>,
    },
    /// A certificate cannot be written or read.
    Certificate(MalformedDocument),
    /// A bug of this library, or a lack of memory.
    Crashed(Crash),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::IllFormed { name, faults } => {
                write!(f, "`{name}` is ill-formed")?;
                faults.iter().try_for_each(|fault| write!(f, "; {}: {}", fault.code, fault.message))
            }
            Error::Declarations(difference) => {
                write!(f, "the programs declare different variables: {}", difference.message)
            }
            Error::Divisions => {
                let languages = |wanted: Division| {
                    let languages =
                        Language::ALL.iter().filter(|it| !it.is_for_tests() && it.division() == wanted);
                    languages.map(|it| it.title()).collect::<Vec<_>>().join(", ")
                };
                let [controlled, extended] = [Division::Controlled, Division::Extended].map(languages);
                write!(
                    f,
                    "the programs mean different things by `/`: it is controlled in {controlled}, and extended in {extended}"
                )
            }
            Error::Interfaces { mismatch, .. } => write!(f, "the programs cannot be compared: {mismatch}"),
            Error::Certificate(malformed) => write!(f, "the certificate is {malformed}"),
            Error::Crashed(crash) => crash.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Crash> for Error {
    fn from(crash: Crash) -> Error {
        Error::Crashed(crash)
    }
}
