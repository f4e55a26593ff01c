//! The table of languages: a row is a name, and the type of its programs.

use alpha::lowered::Lowered;
use base::diagnostics::Diagnostic;
use language::{Checked, Difference, Given, Outputs, Program as _, Sizes, Stopped, Task};
use polyhedra::Engine;
use serde::{Deserialize, Serialize};
use values::{Division, ValueDomain};

/// Makes the enumerations of the languages, of their programs, and of what is run; each function asks the row.
macro_rules! languages {
    ($($(#[$doc:meta])* $Row:ident $name:literal $Program:ty,)*) => {
        /// A language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Language {
            $($(#[$doc])* #[serde(rename = $name)] $Row,)*
        }

        /// A program of any language: parsed and typed, its sizes symbols.
        #[derive(Clone, Debug)]
        pub enum Program {
            $($(#[$doc])* $Row(Box<$Program>),)*
        }

        /// A program of any language, ready to be run at any sizes.
        #[derive(Debug)]
        pub enum Runnable<'a> {
            $($(#[$doc])* $Row(<$Program as language::Program>::Runnable<'a>),)*
        }

        impl Language {
            /// All of them, in the order of the table.
            pub const ALL: &[Language] = &[$(Language::$Row,)*];

            /// The name by which the command line and certificates know it.
            pub fn name(self) -> &'static str {
                match self { $(Language::$Row => $name,)* }
            }

            /// What people call it.
            pub fn title(self) -> &'static str {
                match self { $(Language::$Row => <$Program>::TITLE,)* }
            }

            /// The ending of its files.
            pub fn ending(self) -> &'static str {
                match self { $(Language::$Row => <$Program>::ENDING,)* }
            }

            /// What `/` is.
            pub fn division(self) -> Division {
                match self { $(Language::$Row => <$Program>::DIVISION,)* }
            }

            /// As [`language::Program::HAS_STATIC_CHECKS`].
            pub fn has_static_checks(self) -> bool {
                match self { $(Language::$Row => <$Program>::HAS_STATIC_CHECKS,)* }
            }

            /// Parses and types a text.
            ///
            /// # Errors
            /// As [`language::Program::read`].
            pub fn read(self, text: &str) -> Result<Program, Vec<Diagnostic>> {
                match self { $(Language::$Row => <$Program>::read(text).map(Box::new).map(Program::$Row),)* }
            }
        }

        impl Program {
            /// Its language.
            pub fn language(&self) -> Language {
                match self { $(Program::$Row(_) => Language::$Row,)* }
            }

            /// The size parameters, in the order in which they are declared.
            pub fn parameters(&self) -> Vec<String> {
                match self { $(Program::$Row(program) => program.parameters(),)* }
            }

            /// The variables that are compared with those of another program.
            pub fn outputs(&self) -> Vec<String> {
                match self { $(Program::$Row(program) => program.outputs(),)* }
            }

            /// As [`language::Program::locals`].
            pub fn locals(&self) -> Vec<String> {
                match self { $(Program::$Row(program) => program.locals(),)* }
            }

            /// As [`language::Program::declares_unused`].
            pub fn declares_unused(&self, name: &str) -> bool {
                match self { $(Program::$Row(program) => program.declares_unused(name),)* }
            }

            /// The first difference between the declarations of two programs of one language, where these must be the same.
            pub fn different_declaration(&self, second: &Program) -> Option<Difference> {
                match (self, second) {
                    $((Program::$Row(first), Program::$Row(second)) => first.different_declaration(second),)*
                    _ => None,
                }
            }

            /// Whether something is divided.
            pub fn divides(&self) -> bool {
                match self { $(Program::$Row(program) => program.divides(),)* }
            }

            /// The program as a system.
            ///
            /// # Errors
            /// As [`language::Program::lower`].
            pub fn lower(&self) -> Result<Lowered, Diagnostic> {
                match self { $(Program::$Row(program) => program.lower(),)* }
            }

            /// As [`language::Program::raise`].
            pub fn raise(&self, core: &Lowered) -> Option<String> {
                match self { $(Program::$Row(program) => program.raise(core),)* }
            }

            /// As [`language::Program::check`].
            ///
            /// # Errors
            /// As [`language::Program::check`].
            pub fn check(&self, sizes: &Sizes, engine: &dyn Engine) -> Result<Checked, Diagnostic> {
                match self { $(Program::$Row(program) => program.check(sizes, engine),)* }
            }

            /// As [`language::Program::runnable`].
            ///
            /// # Errors
            /// As [`language::Program::runnable`].
            pub fn runnable(&self, engine: &dyn Engine) -> Result<Runnable<'_>, String> {
                match self { $(Program::$Row(program) => program.runnable(engine).map(Runnable::$Row),)* }
            }
        }

        impl language::Runnable for Runnable<'_> {
            fn allows(&self, sizes: &Sizes) -> bool {
                match self { $(Runnable::$Row(program) => program.allows(sizes),)* }
            }

            fn shape(&self, sizes: &Sizes) -> Vec<bool> {
                match self { $(Runnable::$Row(program) => program.shape(sizes),)* }
            }

            fn total(&self) -> Vec<String> {
                match self { $(Runnable::$Row(program) => program.total(),)* }
            }

            fn outputs<D: ValueDomain>(
                &self,
                domain: &D,
                sizes: &Sizes,
                given: &impl Given<D>,
                task: Task<'_>,
            ) -> Result<Outputs<D>, Stopped> {
                match self { $(Runnable::$Row(program) => program.outputs(domain, sizes, given, task),)* }
            }
        }
    };
}

languages! {
    /// The tensor model language.
    Rink "rink" rink::program::Program,
    /// ALPHA.
    Alpha "alpha" alpha::program::Program,
}

impl Language {
    /// The language of a name.
    pub fn named(name: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.name() == name)
    }

    /// The language of files with an ending.
    pub fn of_ending(ending: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.ending() == ending)
    }
}
