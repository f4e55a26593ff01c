//! Derivations: the whole tree behind `decl* stmt* ok` or `decl* stmt* ⇓ μ′`, as data.
//!
//! # Conventions
//! Γ: [`ContextNumber`], μ: [`StoreNumber`], `e`: [`ExprId`], `i`: [`MultiIndex`]. A derivation is a list of
//! [`DerivationStep`]s, premises before the nodes that use them, with the root last; a shared subtree is listed once.
//! Nothing recurses, so depth costs no stack.
//!
//! Contexts and stores are listed once and written as updates, as in the paper: Γ₀ = μ₀ = ⊥,
//! `Γk = Γ(k−1){x ↦ t}`, `μk = μ(k−1){∀i≤t. x_i ↦ ri}`; judgements name them by number.
//!
//! - [`typing::derive_typing`] and [`evaluation::derive_evaluation`] build derivations.
//! - [`checker`] checks each step again; it knows the rules, but not the builders, typing or evaluation.
//! - [`text`], [`latex`] and [`document`] (JSON) write them; [`document`] also reads them.
//!
//! # Departures
//! - `(μ, stmt*) →Γ (μ′, ∅)` of a single statement is the conclusion of ev-stmt itself; ev-seq adds one more.
//!   Without statements, ev-prog has two premises (`→^{0,1}`).
//! - Equation (11) has `Γ ⊢ e : t` as its first premise, as printed. Equation (12) has the type of `e0` (for `*`)
//!   or of `e1` (for `/`) as its first premise, which decides between the clauses.
//! - In a padded derivation the judgements `Γ ⊢ e : t` and `eval_{Γ,μ}(e_i)` are over `⌈Γ⌉` (Fig. 14).
//! - Fig. 13 has no qualifiers; d-pad-var of an `input` variable demands `xi ∈ V`, like d-in-var.

pub mod checker;
pub mod document;
pub mod evaluation;
mod growth;
mod judgements;
pub mod latex;
pub mod text;
pub mod typing;

pub use growth::{DEFAULT_BUDGET, DerivationTooLarge, Underivable};
pub use judgements::{
    ContextFormed, ContextNumber, Evaluates, InferenceRule, Judgement, StatementOk, StatementsOk, Step,
    StoreFormed, StoreNumber, TypedExpression, Valued,
};

use super::syntax::{NameId, Program};
use selfsame_core::counterexample::WrittenElement;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use values::Division;

#[cfg(doc)]
use super::{store::MultiIndex, syntax::ExprId};

/// The extents of a type; the empty list is the scalar type.
pub type Extents = Vec<u64>;

/// A node, by its index in the derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(pub(crate) usize);

impl StepId {
    /// The position of the node in the derivation.
    pub fn index(self) -> usize {
        self.0
    }
}

/// One step: a rule with its conclusion and premises.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DerivationStep {
    /// Its own position.
    pub id: StepId,
    /// The rule.
    pub rule: InferenceRule,
    /// The conclusion.
    pub conclusion: Judgement,
    /// The premises, in the order of the rule; they precede this node.
    pub premises: Vec<StepId>,
}

/// `Γ{x ↦ t}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextUpdate {
    /// The variable.
    pub x: NameId,
    /// Its type.
    pub t: Extents,
}

/// `μ{∀i≤t. x_i ↦ ri}`
#[derive(Clone, Debug)]
pub struct StoreUpdate {
    /// The variable.
    pub x: NameId,
    /// The type `t`.
    pub t: Extents,
    /// The `ri`, row-major; as many as `t` has elements.
    pub r: Vec<WrittenElement>,
}

/// The judgement that is derived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum DerivationGoal {
    /// `decl* stmt* ok`
    Typing,
    /// `decl* stmt* ⇓ μ′`, or `⇓p` with padding.
    Evaluation {
        /// The name of the number system `V`.
        values: String,
        /// The division that `/` denotes.
        division: Division,
        /// The vector length `M` of padded evaluation.
        pad: Option<NonZeroU64>,
    },
}

/// A derivation. Only the builders and [`document::from_json`] make one, so its numbers are in range, whether or
/// not its steps are right.
#[derive(Clone, Debug)]
pub struct Derivation {
    subject: DerivationGoal,
    program: Program,
    contexts: Vec<ContextUpdate>,
    stores: Vec<StoreUpdate>,
    nodes: Vec<DerivationStep>,
}

impl Derivation {
    /// The judgement that is derived.
    pub fn subject(&self) -> &DerivationGoal {
        &self.subject
    }

    /// The program of the judgement.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The updates; entry `k − 1` turns Γ(k−1) into Γk.
    pub fn contexts(&self) -> &[ContextUpdate] {
        &self.contexts
    }

    /// The updates; entry `k − 1` turns μ(k−1) into μk.
    pub fn stores(&self) -> &[StoreUpdate] {
        &self.stores
    }

    /// All nodes, premises first; the last is the root.
    pub fn nodes(&self) -> &[DerivationStep] {
        &self.nodes
    }

    /// The vector length `M`, in a padded derivation.
    pub fn pad(&self) -> Option<NonZeroU64> {
        match self.subject {
            DerivationGoal::Typing => None,
            DerivationGoal::Evaluation { pad, .. } => pad,
        }
    }
}
