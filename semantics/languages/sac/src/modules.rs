//! A program with the prelude: the standard functions that the paper names, in SaC.

use crate::functions::{FunctionRef, Functions, Unit};
use crate::names::{Names, resolve};
use crate::parsing::parse;
use crate::syntax::{File, Function};
use base::diagnostics::Diagnostic;
use std::sync::LazyLock;

/// The text of the prelude.
pub const PRELUDE: &str = include_str!("prelude.sac");

/// A file whose names have a meaning.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The file.
    pub file: File,
    /// Where its variables are.
    pub names: Names,
    /// The functions that it may call.
    pub functions: Functions,
}

impl Module {
    /// A file that may call its own functions, and those of the prelude if there is one.
    ///
    /// # Errors
    /// A name has no meaning.
    pub fn new(file: File, prelude: Option<&Functions>) -> Result<Module, Vec<Diagnostic>> {
        let functions = Functions::of(&file, prelude);
        let (names, errors) = resolve(&file, &functions);
        if errors.is_empty() { Ok(Module { file, names, functions }) } else { Err(errors) }
    }
}

static PRELUDE_MODULE: LazyLock<Module> = LazyLock::new(|| {
    // The prelude has no errors, which a test checks; with one, no program would find its functions.
    Module::new(parse(PRELUDE).0, None).unwrap_or_default()
});

/// The prelude.
pub fn prelude() -> &'static Module {
    &PRELUDE_MODULE
}

/// A program and the prelude.
#[derive(Clone, Copy, Debug)]
pub struct Modules<'a> {
    /// The program.
    pub program: &'a Module,
}

impl<'a> Modules<'a> {
    /// The file of a unit with its names.
    pub fn of(self, unit: Unit) -> &'a Module {
        match unit {
            Unit::Program => self.program,
            Unit::Prelude => prelude(),
        }
    }

    /// A function.
    pub fn function(self, of: FunctionRef) -> &'a Function {
        self.of(of.unit).file.function(of.function)
    }
}
