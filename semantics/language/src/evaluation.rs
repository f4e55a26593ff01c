//! Running a program by the reference semantics of its language.

use selfsame_core::operations::Element;
use selfsame_core::operators::DataType;
use std::collections::BTreeMap;
use std::fmt;
use values::{Division, ValueDomain};

/// Values of parameters by their names.
pub type Sizes = BTreeMap<String, i64>;

/// An element: the variable and its index.
pub type Place = (String, Vec<i64>);

/// The elements of outputs.
pub type Outputs<D> = BTreeMap<Place, Element<D>>;

/// What goes into a program: a function of names and indices, so that two programs are given the same.
pub trait Given<D: ValueDomain> {
    /// The element of an input.
    fn element(&self, name: &str, at: &[i64], data_type: DataType) -> Element<D>;

    /// The value of an input on which index sets depend.
    fn index(&self, name: &str) -> i64;

    /// The value of a function of which the program says nothing else than its type; `None` if it has none.
    fn call(&self, function: Signature<'_>, arguments: &[Element<D>]) -> Option<Element<D>>;
}

/// What a function takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// Its name.
    pub name: &'a str,
    /// The types of its arguments.
    pub arguments: &'a [DataType],
    /// The type of its result.
    pub result: DataType,
}

impl<'a> From<&'a selfsame_core::syntax::Function> for Signature<'a> {
    fn from(of: &'a selfsame_core::syntax::Function) -> Signature<'a> {
        Signature { name: &of.name, arguments: &of.arguments, result: of.result }
    }
}

/// Which elements are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Compared<'a> {
    /// Those of all outputs.
    All,
    /// One.
    One(&'a Place),
}

/// What is computed, and with how much effort at most.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Which division `/` is.
    pub division: Division,
    /// The variables whose elements are wanted, by name.
    pub outputs: &'a [String],
    /// Which of their elements.
    pub compared: Compared<'a>,
    /// The maximum number of steps.
    pub steps: u64,
    /// The maximum number of elements of an output. Of an output with more, those around the origin are computed.
    pub elements: usize,
}

/// Why a program was not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The program does not allow these sizes.
    NotAllowed,
    /// Evaluation needs more steps, memory or digits than it may take, or an index set is too large.
    Budget,
    /// Evaluation cannot go on: why.
    Stuck(String),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stopped::NotAllowed => "a program does not allow these sizes",
            Stopped::Budget => "evaluation takes more steps than it may",
            Stopped::Stuck(why) => why,
        })
    }
}

/// A program that is run at any sizes.
pub trait Runnable {
    /// Whether the program allows these sizes.
    fn allows(&self, sizes: &Sizes) -> bool;

    /// Which of its index sets are empty at these sizes: where that changes, the program changes.
    fn shape(&self, _sizes: &Sizes) -> Vec<bool> {
        Vec::new()
    }

    /// The inputs that have no undefined element.
    fn total(&self) -> Vec<String> {
        Vec::new()
    }

    /// The elements of outputs, by the reference semantics of the language.
    ///
    /// # Errors
    /// There is no value: why.
    fn outputs<D: ValueDomain>(
        &self,
        domain: &D,
        sizes: &Sizes,
        given: &impl Given<D>,
        task: Task<'_>,
    ) -> Result<Outputs<D>, Stopped>;
}
