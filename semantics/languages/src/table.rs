//! The table of languages: each row has a name and the type of its programs.

use alpha::lowered::Lowered;
use base::diagnostics::Diagnostic;
use language::{Checked, Difference, GivenInputs, Outputs, Program as _, Sizes, Stopped, Task};
use polyhedra::Engine;
use serde::{Deserialize, Serialize};
use values::digits::within_limit;
use values::{Division, ElementTypes, ValueDomain};

/// Defines the enumerations of languages, programs and runnable programs; each function delegates to the row.
macro_rules! languages {
    ($($(#[cfg($when:meta)])? $(#[doc = $doc:literal])* $Row:ident $name:literal $Program:ty,)*) => {
        /// A language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Language {
            $($(#[cfg($when)])? $(#[doc = $doc])* #[serde(rename = $name)] $Row,)*
        }

        /// A program of any language: parsed and typed, with symbolic sizes.
        #[derive(Clone, Debug)]
        pub enum Program {
            $($(#[cfg($when)])? $(#[doc = $doc])* $Row(Box<$Program>),)*
        }

        /// A program of any language, ready to be run at any sizes.
        #[derive(Debug)]
        pub enum Runnable<'a> {
            $($(#[cfg($when)])? $(#[doc = $doc])* $Row(<$Program as language::Program>::Runnable<'a>),)*
        }

        impl Language {
            /// All languages, in the order of the table.
            pub const ALL: &[Language] = &[$($(#[cfg($when)])? Language::$Row,)*];

            /// The name in the command line and in certificates.
            pub fn name(self) -> &'static str {
                match self { $($(#[cfg($when)])? Language::$Row => $name,)* }
            }

            /// The name for people.
            pub fn title(self) -> &'static str {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::TITLE,)* }
            }

            /// The extension of its files.
            pub fn ending(self) -> &'static str {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::ENDING,)* }
            }

            /// The division that `/` denotes.
            pub fn division(self) -> Division {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::DIVISION,)* }
            }

            /// See [`language::Program::FIRST_INDEX`].
            pub fn first_index(self) -> i64 {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::FIRST_INDEX,)* }
            }

            /// See [`language::Program::STATES_ORIGINS`].
            pub fn states_origins(self) -> bool {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::STATES_ORIGINS,)* }
            }

            /// See [`language::Program::COMMENT`].
            pub fn comment(self) -> Option<&'static str> {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::COMMENT,)* }
            }

            /// See [`language::Program::IS_FOR_TESTS`].
            pub fn is_for_tests(self) -> bool {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::IS_FOR_TESTS,)* }
            }

            /// See [`language::Program::HAS_STATIC_CHECKS`].
            pub fn has_static_checks(self) -> bool {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::HAS_STATIC_CHECKS,)* }
            }

            /// See [`language::Program::at_ranks`].
            pub fn at_ranks(self, text: &str, ranks: &[(String, usize)]) -> Option<String> {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::at_ranks(text, ranks),)* }
            }

            /// Parses and types a text.
            ///
            /// # Errors
            /// See [`language::Program::read`].
            pub fn read(self, text: &str) -> Result<Program, Vec<Diagnostic>> {
                match self { $($(#[cfg($when)])? Language::$Row => <$Program>::read(text).map(Box::new).map(Program::$Row),)* }
            }
        }

        impl Program {
            /// The language of the program.
            pub fn language(&self) -> Language {
                match self { $($(#[cfg($when)])? Program::$Row(_) => Language::$Row,)* }
            }

            /// The size parameters, in the order in which they are declared.
            pub fn parameters(&self) -> Vec<String> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.parameters(),)* }
            }

            /// See [`language::Program::types`].
            pub fn types(&self) -> ElementTypes {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.types(),)* }
            }

            /// The variables that are compared with those of another program.
            pub fn outputs(&self) -> Vec<String> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.outputs(),)* }
            }

            /// See [`language::Program::locals`].
            pub fn locals(&self) -> Vec<String> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.locals(),)* }
            }

            /// See [`language::Program::declares_unused`].
            pub fn declares_unused(&self, name: &str) -> bool {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.declares_unused(name),)* }
            }

            /// The first forbidden difference between the declarations of two programs of one language.
            pub fn different_declaration(&self, second: &Program) -> Option<Difference> {
                match (self, second) {
                    $($(#[cfg($when)])? (Program::$Row(first), Program::$Row(second)) => first.different_declaration(second),)*
                    _ => None,
                }
            }

            /// The program as a system.
            ///
            /// # Errors
            /// See [`language::Program::lower`].
            pub fn lower(&self) -> Result<Lowered, Diagnostic> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.lower(),)* }
            }

            /// See [`language::Program::interface`].
            ///
            /// # Errors
            /// See [`language::Program::interface`].
            pub fn interface(&self) -> Result<Lowered, Diagnostic> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.interface(),)* }
            }

            /// See [`language::Program::raise`].
            pub fn raise(&self, core: &Lowered) -> Option<String> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.raise(core),)* }
            }

            /// See [`language::Program::check`].
            ///
            /// # Errors
            /// See [`language::Program::check`].
            pub fn check(&self, sizes: &Sizes, engine: &dyn Engine) -> Result<Checked, Diagnostic> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.check(sizes, engine),)* }
            }

            /// See [`language::Program::runnable`].
            ///
            /// # Errors
            /// See [`language::Program::runnable`].
            pub fn runnable(&self, engine: &dyn Engine) -> Result<Runnable<'_>, String> {
                match self { $($(#[cfg($when)])? Program::$Row(program) => program.runnable(engine).map(Runnable::$Row),)* }
            }
        }

        impl language::Runnable for Runnable<'_> {
            fn allows(&self, sizes: &Sizes) -> bool {
                match self { $($(#[cfg($when)])? Runnable::$Row(program) => program.allows(sizes),)* }
            }

            fn shape(&self, sizes: &Sizes) -> Vec<bool> {
                match self { $($(#[cfg($when)])? Runnable::$Row(program) => program.shape(sizes),)* }
            }

            fn total(&self) -> Vec<String> {
                match self { $($(#[cfg($when)])? Runnable::$Row(program) => program.total(),)* }
            }

            fn outputs<D: ValueDomain>(
                &self,
                domain: &D,
                sizes: &Sizes,
                given: &impl GivenInputs<D>,
                task: Task<'_>,
            ) -> Result<Outputs<D>, Stopped> {
                // A language need not check that numbers do not become too long.
                let outputs = within_limit(|| match self {
                    $($(#[cfg($when)])? Runnable::$Row(program) => program.outputs(domain, sizes, given, task),)*
                });
                outputs.unwrap_or(Err(Stopped::TooLong))
            }
        }
    };
}

languages! {
    /// The tensor model language.
    Rink "rink" rink::program::Program,
    /// ALPHA.
    Alpha "alpha" alpha::program::Program,
    /// Tensor Comprehensions.
    Tc "tc" tc::program::Program,
    /// SaC with tensor comprehensions.
    Sac "sac" sac::program::Program,
    #[cfg(debug_assertions)]
    /// A language for tests, which shows what a row needs; releases do not contain it.
    Toy "toy" crate::toy::Program,
}

/// A language that the table will have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The name in the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The extension of its files.
    pub ending: &'static str,
}

/// The languages that the table will have.
pub const PLANNED: &[Planned] = &[Planned { name: "hml", title: "HERO-ML", ending: "hml" }];

impl Language {
    /// The language with this name.
    pub fn named(name: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.name() == name)
    }

    /// The language of files with this extension.
    pub fn of_ending(ending: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.ending() == ending)
    }
}
