//! A source program, ready to be run at sizes.

use crate::alpha::Alpha;
use crate::inputs::Inputs;
use crate::report::Effort;
use crate::rink::Rink;
use polyhedra::Engine;
use semantics::alpha::operations::Element;
use semantics::programs::{Language, Pair, Source};
use semantics::values::{Division, Extended, NumberSystem};
use std::collections::BTreeMap;
use std::fmt;

/// Values of parameters by their names.
pub(crate) type Sizes = BTreeMap<String, i64>;

/// The elements of the outputs, by name and index.
pub(crate) type Outputs<S> = BTreeMap<(String, Vec<i64>), Element<Extended<S>>>;

/// Which elements are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compared<'a> {
    /// Those of all outputs.
    All,
    /// One, by the output's name and the index.
    One(&'a (String, Vec<i64>)),
}

/// How a program is run.
#[derive(Clone, Copy)]
pub(crate) struct Running<'a> {
    pub division: Division,
    pub compared: Compared<'a>,
    pub effort: &'a Effort,
}

/// Why an instance was not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
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

/// A program with the reference semantics of its language.
pub(crate) enum Program {
    /// Of ALPHA.
    Alpha(Box<Alpha>),
    /// Of the tensor model language.
    Rink(Box<Rink>),
}

impl Program {
    /// Reads a source.
    pub fn read(source: &Source, pair: &Pair, engine: &dyn Engine) -> Result<Program, String> {
        match source.language {
            Language::Alpha => Alpha::read(source, pair, engine).map(Box::new).map(Program::Alpha),
            Language::Rink => Rink::read(source).map(Box::new).map(Program::Rink),
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> Vec<String> {
        match self {
            Program::Alpha(program) => program.parameters(),
            Program::Rink(program) => program.parameters(),
        }
    }

    /// Whether the sizes are allowed.
    pub fn allows(&self, sizes: &Sizes) -> bool {
        match self {
            Program::Alpha(program) => program.allows(sizes),
            Program::Rink(program) => program.allows(sizes),
        }
    }

    /// Which of its domains are empty at these sizes: where that changes, the program changes.
    pub fn shape(&self, sizes: &Sizes) -> Vec<bool> {
        match self {
            Program::Alpha(program) => program.shape(sizes),
            Program::Rink(_) => Vec::new(),
        }
    }

    /// The inputs that are always defined.
    pub fn total(&self) -> Vec<String> {
        match self {
            Program::Alpha(_) => Vec::new(),
            Program::Rink(program) => program.total(),
        }
    }

    /// The elements of the outputs, by the reference semantics.
    pub fn outputs<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        sizes: &Sizes,
        inputs: &Inputs<S>,
        running: Running<'_>,
    ) -> Result<Outputs<S>, Stopped> {
        match self {
            Program::Alpha(program) => program.outputs(system, sizes, inputs, running),
            Program::Rink(program) => program.outputs(system, sizes, inputs, running),
        }
    }
}
