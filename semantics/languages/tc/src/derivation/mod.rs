//! Derivations: the whole tree behind "each access lies within its tensor" or `σ0 →* σn`, as data.
//!
//! A derivation is a list of [`DerivationStep`]s, premises before the steps that use them, with the root last. Nothing recurses, so
//! depth costs no stack. The rules are those of [`crate::inference`] and [`crate::evaluation`]; `tc-ranges` has the steps of a statement as premises,
//! and `tc-ok` those of all statements.
//!
//! - [`statics::derive_ranges`] and [`dynamics::derive_evaluation`] build derivations.
//! - [`checker`] checks each step again: it knows the rules, and none of typing, inference and evaluation. That a range is the largest one,
//!   that accesses lie within bounds for all sizes, and that each condition is needed, it asks of the engine.
//! - [`text`] and [`document`] (JSON) write them; [`document`] also reads them.

pub mod checker;
pub mod document;
pub mod dynamics;
mod judgements;
mod program;
pub mod statics;
pub mod text;

pub use judgements::{Judgement, Rule};
pub use program::{
    WrittenAccess, WrittenArgument, WrittenNode, WrittenProgram, WrittenStatement, WrittenTensor,
    WrittenValue,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use values::Division;

/// One step: a rule with its conclusion and premises.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DerivationStep {
    /// The rule.
    pub rule: Rule,
    /// The conclusion.
    pub conclusion: Judgement,
    /// The positions of the premises, in the order of the rule; they precede this step.
    pub premises: Vec<usize>,
}

/// What is derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum DerivationGoal {
    /// The ranges of all indices, and that each access lies within its tensor.
    Typing,
    /// `σ0 →* σn`
    Evaluation {
        /// The name of the number system.
        values: String,
        /// The division that `/` denotes.
        division: Division,
        /// The values of the sizes.
        sizes: Vec<i64>,
    },
}

/// What a store adds to the one before: the elements of a tensor, row-major over its ranges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreUpdate {
    /// The position of the tensor.
    pub tensor: usize,
    /// The elements as JSON; `null` for •.
    pub elements: Vec<Value>,
}

/// A derivation. Only the builders and [`document::from_json`] make one, so its positions are in range, whether or not its steps are right.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derivation {
    format: String,
    version: u32,
    language: String,
    of: DerivationGoal,
    program: WrittenProgram,
    /// Store `k` is made of the first `k`.
    stores: Vec<StoreUpdate>,
    steps: Vec<DerivationStep>,
}

/// The language that a document names.
pub const LANGUAGE: &str = "tc";

impl Derivation {
    fn new(of: DerivationGoal, program: WrittenProgram) -> Derivation {
        let (format, language) = (document::FORMAT.to_owned(), LANGUAGE.to_owned());
        let (stores, steps) = (Vec::new(), Vec::new());
        Derivation { format, version: document::VERSION, language, of, program, stores, steps }
    }

    /// What is derived.
    pub fn of(&self) -> &DerivationGoal {
        &self.of
    }

    /// The program.
    pub fn program(&self) -> &WrittenProgram {
        &self.program
    }

    /// What each store adds to the one before.
    pub fn stores(&self) -> &[StoreUpdate] {
        &self.stores
    }

    /// All steps, premises first; the last one is the root.
    pub fn steps(&self) -> &[DerivationStep] {
        &self.steps
    }

    fn push(&mut self, rule: Rule, conclusion: Judgement, premises: Vec<usize>) -> usize {
        self.steps.push(DerivationStep { rule, conclusion, premises });
        self.steps.len() - 1
    }
}
