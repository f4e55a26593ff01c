//! The list of nodes that both builders grow within a budget.

use super::{DerivationStep, InferenceRule, Judgement, StepId};
use crate::printing::expression_to_string;
use crate::store::MultiIndex;
use crate::syntax::{ExprId, NameId, Program};
use dashu_base::BitTest;
use std::fmt;
use values::Literal;
use values::digits;

/// The default budget. A node takes some hundred bytes, so that the largest derivation is a few hundred
/// megabytes.
pub const DEFAULT_BUDGET: u64 = 1_000_000;

/// The number of bits from which a number counts as more than one node: 128 bytes, about what a node takes.
const BITS_OF_A_NODE: usize = 1024;

/// The derivation exceeds the budget, which counts nodes and the elements of the initial store; a very long number
/// counts as several. The program itself may be correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivationTooLarge {
    /// The budget.
    pub budget: u64,
    /// A lower bound of the need.
    pub at_least: u64,
}

impl fmt::Display for DerivationTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DerivationTooLarge { budget, at_least } = self;
        write!(f, "the derivation is too large: it has at least {at_least} nodes, the budget is {budget}")
    }
}

/// Why there is no derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Underivable {
    /// Out of budget.
    TooLarge(DerivationTooLarge),
    /// A number has more digits than the limit.
    TooLong,
    /// The expression has no type in Γ: the typing belongs to another program.
    Untyped(ExprId),
    /// `x_i ∉ dom μ`: the initial store belongs to another program.
    OutOfBounds {
        /// The variable.
        x: NameId,
        /// The index.
        index: MultiIndex,
    },
    /// An element of an `input` variable is `•`, so d-in-var does not apply.
    UndefinedInput {
        /// The variable.
        x: NameId,
        /// The index.
        index: MultiIndex,
    },
}

impl Underivable {
    /// The text for people.
    pub fn message(&self, program: &Program) -> String {
        match self {
            Underivable::TooLarge(too_large) => too_large.to_string(),
            Underivable::TooLong => digits::TooLong.to_string(),
            Underivable::Untyped(e) => format!("`{}` has no type", expression_to_string(program, *e)),
            Underivable::OutOfBounds { x, index } => {
                format!("the store has no element {index:?} of `{}`", program.name(*x))
            }
            Underivable::UndefinedInput { x, index } => {
                format!("element {index:?} of the input `{}` is undefined", program.name(*x))
            }
        }
    }
}

impl From<DerivationTooLarge> for Underivable {
    fn from(error: DerivationTooLarge) -> Underivable {
        Underivable::TooLarge(error)
    }
}

/// Nodes within a budget.
pub(super) struct Growth {
    nodes: Vec<DerivationStep>,
    spent: u64,
    budget: u64,
}

impl Growth {
    pub(super) fn new(budget: u64) -> Growth {
        Growth { nodes: Vec::new(), spent: 0, budget }
    }

    /// Adds a node.
    pub(super) fn push(
        &mut self,
        rule: InferenceRule,
        conclusion: Judgement,
        premises: Vec<StepId>,
    ) -> Result<StepId, DerivationTooLarge> {
        self.charge(1 + excess(&conclusion))?;
        let id = StepId(self.nodes.len());
        self.nodes.push(DerivationStep { id, rule, conclusion, premises });
        Ok(id)
    }

    /// Takes `units` off the budget.
    pub(super) fn charge(&mut self, units: u64) -> Result<(), DerivationTooLarge> {
        self.reserve(units)?;
        self.spent += units;
        Ok(())
    }

    /// Checks that `units` more are affordable, before they are allocated.
    pub(super) fn reserve(&self, units: u64) -> Result<(), DerivationTooLarge> {
        let at_least = self.spent.saturating_add(units);
        let affordable = at_least <= self.budget;
        if affordable { Ok(()) } else { Err(DerivationTooLarge { budget: self.budget, at_least }) }
    }

    /// Checks that a node may have this many premises, which are present or future nodes of this derivation.
    pub(super) fn affords_premises(&self, premises: u64) -> Result<(), DerivationTooLarge> {
        let affordable = premises <= self.budget;
        if affordable { Ok(()) } else { Err(DerivationTooLarge { budget: self.budget, at_least: premises }) }
    }

    pub(super) fn finish(self) -> Vec<DerivationStep> {
        self.nodes
    }
}

/// The cost of a node with a very long number, beyond 1.
fn excess(conclusion: &Judgement) -> u64 {
    match conclusion {
        Judgement::Value(valued) => match &valued.v {
            Some(Literal::Exact(exact)) => {
                ((exact.numerator().bit_len() + exact.denominator().bit_len()) / BITS_OF_A_NODE) as u64
            }
            _ => 0,
        },
        _ => 0,
    }
}
