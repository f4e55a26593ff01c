//! A program whose sizes are symbols.

use crate::evaluation::{Runnable, Sizes};
use base::diagnostics::{Diagnostic, Fault, Span};
use polyhedra::Engine;
use std::fmt::Debug;
use values::Division;

/// A program of a language: parsed and typed, its sizes symbols.
pub trait Program: Sized + Debug {
    /// What people call the language.
    const TITLE: &'static str;
    /// The ending of its files.
    const ENDING: &'static str;
    /// What `/` is.
    const DIVISION: Division;
    /// The least index of a tensor that does not state its origin.
    const FIRST_INDEX: i64;
    /// Whether the language is there for tests only: neither help nor hints name it.
    const IS_FOR_TESTS: bool = false;
    /// Whether a program may be ill-formed although it has types, so that [`Program::check`] is to be asked.
    const HAS_STATIC_CHECKS: bool = false;

    /// What a program is lowered to; the table says what that is for all languages.
    type Core;
    /// What is run.
    type Runnable<'a>: Runnable
    where
        Self: 'a;

    /// Parses and types a text.
    ///
    /// # Errors
    /// The program is ill-formed: all that is found, at least one.
    fn read(text: &str) -> Result<Self, Vec<Diagnostic>>;

    /// The size parameters, in the order in which they are declared.
    fn parameters(&self) -> Vec<String>;

    /// The variables that are compared with those of another program.
    fn outputs(&self) -> Vec<String>;

    /// The variables that are compared, too, where both programs have them and the question says so.
    fn locals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the program declares a variable, even if nothing reads it. A language whose programs cannot declare what they do not use has
    /// no such variable.
    fn declares_unused(&self, _name: &str) -> bool {
        false
    }

    /// The first difference between the declarations of two programs of the language, where these must be the same.
    fn different_declaration(&self, _second: &Self) -> Option<Difference> {
        None
    }

    /// Whether something is divided.
    fn divides(&self) -> bool;

    /// The program in the core language.
    ///
    /// # Errors
    /// The core cannot express it: what, and where.
    fn lower(&self) -> Result<Self::Core, Diagnostic>;

    /// A program of the language that is this core; nothing if the language cannot say it. What this program declares is declared.
    fn raise(&self, _core: &Self::Core) -> Option<String> {
        None
    }

    /// What is wrong with the program although it has types, or may be (warnings), for the parameters that have no value among `sizes`.
    ///
    /// # Errors
    /// The engine did not decide it.
    fn check(&self, _sizes: &Sizes, _engine: &dyn Engine) -> Result<Checked, Diagnostic> {
        Ok(Checked { faults: Vec::new(), is_allowed: true })
    }

    /// The program, ready to be run at any sizes.
    ///
    /// # Errors
    /// The engine did not decide where its variables have elements: why.
    fn runnable(&self, engine: &dyn Engine) -> Result<Self::Runnable<'_>, String>;
}

/// What the static checks say of a program.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is wrong, or may be.
    pub faults: Vec<Diagnostic>,
    /// Whether the program allows the sizes, if all of them are given.
    pub is_allowed: bool,
}

impl Checked {
    /// Whether there are warnings at most.
    pub fn is_well_formed(&self) -> bool {
        self.faults.iter().all(|fault| fault.code.fault() == Fault::Warning)
    }
}

/// Where the declarations of two programs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The program, 0 or 1, at whose declaration it is shown.
    pub side: usize,
    /// That declaration.
    pub span: Span,
    /// What differs.
    pub message: String,
}
