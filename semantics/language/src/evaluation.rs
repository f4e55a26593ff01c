//! Runs a program by the reference semantics of its language.

use base::diagnostics::Diagnostic;
use selfsame_core::operations::Element;
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use std::fmt;
use values::digits::TooLong;
use values::{Division, ValueDomain};

/// Values of parameters by their names.
pub type Sizes = BTreeMap<String, i64>;

/// The place of an element: the variable and the index.
pub type Place = (String, Vec<i64>);

/// The elements of outputs.
pub type Outputs<D> = BTreeMap<Place, Element<D>>;

/// The inputs of a program as a function of names and indices, so that two programs receive the same ones.
pub trait GivenInputs<D: ValueDomain> {
    /// The element of an input.
    fn element(&self, name: &str, at: &[i64], data_type: ElementType) -> Element<D>;

    /// The value of an input on which index sets depend.
    fn index(&self, name: &str) -> i64;

    /// The value of a function of which the program states only the type; `None` if it has none.
    fn call(&self, function: Signature<'_>, arguments: &[Element<D>]) -> Option<Element<D>>;
}

/// The signature of a function.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// Its name.
    pub name: &'a str,
    /// The types of its arguments.
    pub arguments: &'a [ElementType],
    /// The type of its result.
    pub result: ElementType,
}

impl<'a> From<&'a selfsame_core::syntax::Function> for Signature<'a> {
    fn from(of: &'a selfsame_core::syntax::Function) -> Signature<'a> {
        Signature { name: &of.name, arguments: &of.arguments, result: of.result }
    }
}

/// The selection of the elements to compute.
#[derive(Clone, Copy, Debug)]
pub enum ComparedElements<'a> {
    /// All elements of all outputs.
    All,
    /// One element.
    One(&'a Place),
}

/// What to compute, and the limits of the effort.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The division that `/` denotes.
    pub division: Division,
    /// The variables whose elements are wanted, by name.
    pub outputs: &'a [String],
    /// The wanted elements of these variables.
    pub compared: ComparedElements<'a>,
    /// The maximum number of steps.
    pub steps: u64,
    /// The maximum number of elements of an output. If an output is larger, only the elements around the origin
    /// are computed.
    pub elements: usize,
}

/// Why a program was not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The program does not allow these sizes.
    NotAllowed,
    /// The program is an error at these sizes, or for these inputs.
    Fault(Box<Diagnostic>),
    /// Evaluation needs more steps or memory than it may take, or an index set is too large.
    Budget,
    /// An exact number has more bits than it may have.
    TooLong,
    /// Evaluation is stuck, with the reason.
    Stuck(String),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::NotAllowed => f.write_str("a program does not allow these sizes"),
            Stopped::Fault(diagnostic) => f.write_str(&diagnostic.message),
            Stopped::Budget => f.write_str("evaluation takes more steps than it may"),
            Stopped::TooLong => TooLong.fmt(f),
            Stopped::Stuck(why) => f.write_str(why),
        }
    }
}

/// A program that can be run at any sizes.
pub trait Runnable {
    /// Whether the program allows these sizes.
    fn allows(&self, sizes: &Sizes) -> bool;

    /// For each index set of the program, whether it is empty at these sizes. Where this changes, the behaviour of
    /// the program changes.
    fn shape(&self, _sizes: &Sizes) -> Vec<bool> {
        Vec::new()
    }

    /// The inputs that have no undefined element.
    fn total(&self) -> Vec<String> {
        Vec::new()
    }

    /// The elements of the outputs, by the reference semantics of the language.
    ///
    /// # Errors
    /// The program was not run to its end.
    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl GivenInputs<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped>;
}
