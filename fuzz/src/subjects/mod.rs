//! The programs under test: one row for each language about which the fuzzer knows more than the table of
//! languages, and one for all others.
//!
//! - [`Tested`]: what a row knows of a program; the defaults are right for every language.
//! - `LanguageRow`: how a row reads programs and makes up random ones; `Semantics`: how it runs them.

pub mod alpha;
pub mod any;
pub mod rink;
pub mod tc;

use crate::case::Case;
use crate::generation::Profile;
use crate::judgement::FoundDifference;
use crate::meaning::{CaseMeaning, InputBox, LiteralMeaning, NoMeaning, OutputPlace};
use ::alpha::instance::SystemInstance;
use ::alpha::syntax::VariableId;
use ::rink::syntax::Program;
use generators::choices::DecisionSource;
use language::Sizes;
use languages::{Language, ReadSource};
use polyhedra::Engine;
use selfsame_core::operations::Element as Value;
use std::fmt;
use values::{Division, ValueDomain};

/// The size of a program: operators; ranks; nodes; sizes; constants.
pub type Weight = [usize; 5];

/// What the fuzzer knows of a program at its sizes.
pub trait Tested: fmt::Display {
    /// The language of the program.
    fn language(&self) -> Language;

    /// The values of its parameters, as a finding states them; `None` if its language has no parameters.
    fn parameters(&self) -> Option<String>;

    /// The operators of the program, nested as in its expressions: equal for programs that a person takes for the
    /// same.
    fn shape(&self) -> String;

    /// Whether the program contains a division.
    fn divides(&self) -> bool;

    /// Whether a constant is a fraction, which machine integers cannot hold.
    fn has_fractions(&self) -> bool {
        false
    }

    /// The meaning of the program.
    ///
    /// # Errors
    /// The program is ill-formed or too large.
    fn meaning(&self, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning>;

    /// The size of the program.
    fn weight(&self) -> Weight;

    /// The largest extent or size that the inputs do not show.
    fn largest(&self) -> usize {
        0
    }

    /// Well-formed programs that are one step smaller.
    fn smaller<'a>(&'a self, _: &'a dyn Engine) -> Box<dyn Iterator<Item = Subject> + 'a> {
        Box::new(std::iter::empty())
    }

    /// The other program that is read from the printed one, if it is another one.
    ///
    /// # Errors
    /// The language has no printer.
    fn misprint(&self) -> Result<Option<String>, String> {
        Err("the language has no printer".to_owned())
    }

    /// The first fault that gives no error, or another one, when it is put into the program at random places.
    ///
    /// # Errors
    /// No faults are known in the language.
    fn missed_fault(&self, _seed: u64, _: &dyn Engine) -> Result<Option<FoundDifference>, String> {
        Err("no faults are known in the language".to_owned())
    }

    /// The program, if it is one of the tensor model language: only these are edited, padded, and sent to targets.
    fn model(&self) -> Option<&Program> {
        None
    }
}

/// How programs of a row come about.
pub(crate) trait LanguageRow: Tested + Sized {
    /// A program for all sizes, as it was read.
    type Read;

    /// Reads a program of a finding; `name` is the name of its section.
    ///
    /// # Errors
    /// The program or its parameters cannot be read.
    fn read(language: Language, name: &str, text: &str, parameters: &str) -> Result<Self, String>;

    /// A program at sizes; `source` has the text from which it was read.
    ///
    /// # Errors
    /// A size is missing, or not allowed.
    fn at(source: &ReadSource, read: &Self::Read, sizes: &Sizes) -> Result<Self, String>;

    /// A random program, and the division that `/` denotes in it; `None` if the row has no generator.
    fn random(_: &mut impl DecisionSource, _: Profile) -> Option<(Self, Division)> {
        None
    }
}

/// The question for elements of the outputs of a case, in a value domain.
pub(crate) struct OutputsQuestion<'a, D: ValueDomain> {
    pub meaning: &'a CaseMeaning,
    pub case: &'a Case,
    pub instance: &'a SystemInstance<'a>,
    pub engine: &'a dyn Engine,
    pub domain: &'a D,
    pub given: &'a LiteralMeaning<'a, D>,
}

/// The values of elements.
pub(crate) type Values<D> = Result<Vec<Value<D>>, NoMeaning>;

/// A language's own semantics of a program at its sizes.
pub(crate) trait Semantics: fmt::Debug {
    /// The name in the program of an input or an output of its core; `None` if it is the core's name.
    fn name(&self, _: VariableId) -> Option<&str> {
        None
    }

    /// The values of elements by the reference semantics of the language.
    fn values<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Values<D>;

    /// The values of elements by the equations of the paper, as printed; `None` if these are the reference.
    fn pointwise<D: ValueDomain>(&self, _: &OutputsQuestion<'_, D>, _: &[OutputPlace]) -> Option<Values<D>> {
        None
    }

    /// The boxes of the inputs; `None` if they are those of the core.
    fn boxes(&self) -> Option<Vec<InputBox>> {
        None
    }

    /// Whether an input of the core, by its name in the program, may have undefined elements.
    fn may_be_undefined(&self, _: &str) -> bool {
        false
    }
}

/// Defines the enumerations of programs and of their semantics; the last row is for all other languages.
macro_rules! subjects {
    ($($(#[doc = $doc:literal])* $Row:ident $Tested:ty, $Semantics:ty;)* ..
     $(#[doc = $other_doc:literal])* $Other:ident $OtherTested:ty, $OtherSemantics:ty;) => {
        /// A program of any language, at its sizes.
        #[derive(Clone, Debug)]
        pub enum Subject {
            $($(#[doc = $doc])* $Row($Tested),)*
            $(#[doc = $other_doc])* $Other($OtherTested),
        }

        $(impl From<$Tested> for Subject {
            fn from(program: $Tested) -> Subject {
                Subject::$Row(program)
            }
        })*

        #[allow(unreachable_patterns, reason = "in a release, without the tests' language, each language has a row")]
        impl Subject {
            /// What the fuzzer knows of the program.
            pub fn tested(&self) -> &dyn Tested {
                match self {
                    $(Subject::$Row(program) => program,)*
                    Subject::$Other(program) => program,
                }
            }

            /// Reads a program of a finding.
            ///
            /// # Errors
            /// The program or its parameters cannot be read.
            pub(crate) fn read(
                language: Language,
                name: &str,
                text: &str,
                parameters: &str,
            ) -> Result<Subject, String> {
                match language {
                    $(Language::$Row => LanguageRow::read(language, name, text, parameters).map(Subject::$Row),)*
                    _ => LanguageRow::read(language, name, text, parameters).map(Subject::$Other),
                }
            }

            /// A program at sizes.
            ///
            /// # Errors
            /// A size is missing, or not allowed.
            pub fn at(read: &ReadSource, sizes: &Sizes) -> Result<Subject, String> {
                match read.program() {
                    $(languages::Program::$Row(program) => LanguageRow::at(read, &**program, sizes).map(Subject::$Row),)*
                    _ => LanguageRow::at(read, read, sizes).map(Subject::$Other),
                }
            }

            /// A random program of a language, and its division; `None` if the language has no generator.
            pub(crate) fn random(
                language: Language,
                random: &mut impl DecisionSource,
                profile: Profile,
            ) -> Option<(Subject, Division)> {
                match language {
                    $(Language::$Row => {
                        let (program, division) = <$Tested as LanguageRow>::random(random, profile)?;
                        Some((Subject::$Row(program), division))
                    })*
                    _ => {
                        let (program, division) = <$OtherTested as LanguageRow>::random(random, profile)?;
                        Some((Subject::$Other(program), division))
                    }
                }
            }
        }

        /// The semantics of a program of any language.
        #[derive(Debug)]
        pub(crate) enum Reference {
            $($Row(Box<$Semantics>),)*
            $Other(Box<$OtherSemantics>),
        }

        impl Semantics for Reference {
            fn name(&self, x: VariableId) -> Option<&str> {
                match self { $(Reference::$Row(own) => own.name(x),)* Reference::$Other(own) => own.name(x) }
            }

            fn values<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Values<D> {
                match self { $(Reference::$Row(own) => own.values(asked, places),)* Reference::$Other(own) => own.values(asked, places) }
            }

            fn pointwise<D: ValueDomain>(&self, asked: &OutputsQuestion<'_, D>, places: &[OutputPlace]) -> Option<Values<D>> {
                match self { $(Reference::$Row(own) => own.pointwise(asked, places),)* Reference::$Other(own) => own.pointwise(asked, places) }
            }

            fn boxes(&self) -> Option<Vec<InputBox>> {
                match self { $(Reference::$Row(own) => own.boxes(),)* Reference::$Other(own) => own.boxes() }
            }

            fn may_be_undefined(&self, name: &str) -> bool {
                match self { $(Reference::$Row(own) => own.may_be_undefined(name),)* Reference::$Other(own) => own.may_be_undefined(name) }
            }
        }
    };
}

subjects! {
    /// A program of the tensor model language; every extent is a number.
    Rink Program, rink::ByStore;
    /// A system of ALPHA, with the values of its parameters.
    Alpha alpha::AtParameters, alpha::ByCore;
    /// A Tensor Comprehension, at sizes.
    Tc tc::AtSizes, any::ByTable;
    ..
    /// A program of any other language of the table, at sizes.
    Any any::AtSizes, any::ByTable;
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tested().fmt(f)
    }
}

/// Says why a program with these errors cannot be read.
pub(crate) fn unreadable(error: &base::diagnostics::Diagnostic) -> String {
    format!("the program cannot be read: {}", error.message)
}
