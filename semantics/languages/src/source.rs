//! Source texts of programs.

use crate::{Language, Program};
use alpha::lowered::Lowered;
use base::diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// The text of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the text.
    pub name: String,
    /// The language of the program.
    pub language: Language,
    /// The text itself.
    pub text: String,
}

impl Source {
    /// A text with its name, in a language.
    pub fn new(name: impl Into<String>, language: Language, text: impl Into<String>) -> Source {
        Source { name: name.into(), language, text: text.into() }
    }

    /// Parses and types the text.
    ///
    /// # Errors
    /// The program is ill-formed: all errors found, at least one.
    pub fn read(self) -> Result<ReadSource, Vec<Diagnostic>> {
        let program = self.language.read(&self.text)?;
        Ok(ReadSource { source: self, program: Arc::new(program), lowered: Arc::default() })
    }
}

/// A text with its program; only [`Source::read`] makes one.
#[derive(Clone, Debug)]
pub struct ReadSource {
    source: Source,
    program: Arc<Program>,
    /// The core, once it has been asked for: every comparison asks again.
    lowered: Arc<OnceLock<Result<Lowered, Diagnostic>>>,
}

impl ReadSource {
    /// The text with its name and language.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The program that the text was parsed to.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program as a system; it is lowered once.
    ///
    /// # Errors
    /// The core cannot express the program.
    pub fn lowered(&self) -> Result<&Lowered, Diagnostic> {
        self.lowered.get_or_init(|| self.program.lower()).as_ref().map_err(Diagnostic::clone)
    }

    /// The core, or one with the same parameters, inputs and outputs where it cannot express the program.
    ///
    /// # Errors
    /// See [`language::Program::interface`].
    pub fn interface(&self) -> Result<Lowered, Diagnostic> {
        self.lowered().cloned().or_else(|_| self.program.interface())
    }

    /// Whether the program divides: whether its core does. Where there is no core, it may.
    pub fn divides(&self) -> bool {
        self.lowered().map_or(true, |lowered| lowered.system.divides())
    }
}

impl PartialEq for ReadSource {
    /// Compares the sources only, because equal sources have equal programs.
    fn eq(&self, other: &ReadSource) -> bool {
        self.source == other.source
    }
}

impl Eq for ReadSource {}
