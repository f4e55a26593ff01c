//! A program with symbolic sizes.

use crate::evaluation::{Runnable, Sizes};
use base::diagnostics::{Diagnostic, Fault, Span};
use polyhedra::Engine;
use std::fmt::Debug;
use values::{Division, ElementType, ElementTypes};

/// A program of a language: parsed and typed, with symbolic sizes.
pub trait Program: Sized + Debug {
    /// The name of the language for people.
    const TITLE: &'static str;
    /// The extension of its files.
    const ENDING: &'static str;
    /// The division that `/` denotes.
    const DIVISION: Division;
    /// The least index of a tensor that does not state its origin.
    const FIRST_INDEX: i64;
    /// Whether programs state the least index of each dimension. If both languages of a comparison do not, and differ in
    /// [`Program::FIRST_INDEX`], the second program gets the indices of the first.
    const STATES_ORIGINS: bool = false;
    /// Whether the language exists for tests only, so that neither help nor hints name it.
    const IS_FOR_TESTS: bool = false;
    /// What starts a comment that ends with its line, if the language has such comments.
    const COMMENT: Option<&'static str> = None;
    /// Whether a well-typed program may still be ill-formed, so that [`Program::check`] is needed.
    const HAS_STATIC_CHECKS: bool = false;

    /// The result of lowering; the table of languages requires one type for all of them.
    type Core;
    /// The program in a form that can be run.
    type Runnable<'a>: Runnable
    where
        Self: 'a;

    /// Parses and types a text.
    ///
    /// # Errors
    /// The program is ill-formed: all errors found, at least one.
    fn read(text: &str) -> Result<Self, Vec<Diagnostic>>;

    /// The text of a program whose inputs have these ranks, by their names, where it does not say them; `None` if it has no such input. The default is for
    /// languages whose programs say all ranks.
    fn at_ranks(_text: &str, _ranks: &[(String, usize)]) -> Option<String> {
        None
    }

    /// The size parameters, in the order in which they are declared.
    fn parameters(&self) -> Vec<String>;

    /// The element types of its variables and expressions. The default is for languages of reals.
    fn types(&self) -> ElementTypes {
        [ElementType::Real].into_iter().collect()
    }

    /// The variables that are compared with those of another program.
    fn outputs(&self) -> Vec<String>;

    /// The local variables, which are compared if both programs have them and the question asks for it.
    fn locals(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the program declares a variable, even if nothing reads it. The default is for languages that have
    /// no such variables.
    fn declares_unused(&self, _name: &str) -> bool {
        false
    }

    /// The first forbidden difference between the declarations of two programs of the language.
    fn different_declaration(&self, _second: &Self) -> Option<Difference> {
        None
    }

    /// The program in the core language.
    ///
    /// # Errors
    /// The core cannot express the program; the diagnostic names the construct and its place.
    fn lower(&self) -> Result<Self::Core, Diagnostic>;

    /// A program in the core language with the same parameters, inputs and outputs, for a program that the core cannot express.
    ///
    /// # Errors
    /// The core cannot express the index sets of inputs or outputs.
    fn interface(&self) -> Result<Self::Core, Diagnostic> {
        self.lower()
    }

    /// A program of the language with this core; `None` if the language cannot express it. It declares what this
    /// program declares.
    fn raise(&self, _core: &Self::Core) -> Option<String> {
        None
    }

    /// The errors and warnings of a program that is well-typed, for the parameters without a value in `sizes`.
    ///
    /// # Errors
    /// The engine did not decide them.
    fn check(&self, _sizes: &Sizes, _engine: &dyn Engine) -> Result<Checked, Diagnostic> {
        Ok(Checked { faults: Vec::new(), is_allowed: true })
    }

    /// The program, ready to be run at any sizes.
    ///
    /// # Errors
    /// The engine did not decide the domains of the program's variables; the error states the reason.
    fn runnable(&self, engine: &dyn Engine) -> Result<Self::Runnable<'_>, String>;
}

/// The result of the static checks.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Errors and warnings.
    pub faults: Vec<Diagnostic>,
    /// Whether the program allows the sizes, if all of them are given.
    pub is_allowed: bool,
}

impl Checked {
    /// Whether there are no errors; warnings are allowed.
    pub fn is_well_formed(&self) -> bool {
        self.faults.iter().all(|fault| fault.code.fault() == Fault::Warning)
    }
}

/// A difference between the declarations of two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The program, 0 or 1, whose declaration is shown.
    pub side: usize,
    /// The place of that declaration.
    pub span: Span,
    /// What differs.
    pub message: String,
}
