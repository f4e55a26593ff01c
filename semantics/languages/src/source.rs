//! Texts of programs.

use crate::{Language, Program};
use base::diagnostics::Diagnostic;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A program's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is called.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: String,
}

impl Source {
    /// A text with its program.
    ///
    /// # Errors
    /// The program is ill-formed: all that is found, at least one.
    pub fn read(self) -> Result<Read, Vec<Diagnostic>> {
        let program = self.language.read(&self.text)?;
        Ok(Read { source: self, program: Arc::new(program) })
    }
}

/// A text with the program that it is; only [`Source::read`] makes one.
#[derive(Clone, Debug)]
pub struct Read {
    source: Source,
    program: Arc<Program>,
}

impl Read {
    /// The text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

impl PartialEq for Read {
    /// One text is one program.
    fn eq(&self, other: &Read) -> bool {
        self.source == other.source
    }
}

impl Eq for Read {}
