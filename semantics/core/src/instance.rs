//! What a prover is asked.

use super::condition::Condition;
use super::index::Variable;
use super::syntax::{Claim, NodeId, Program};
use base::diagnostics::Span;

/// Two nodes that are claimed to be the same, with sizes as symbols: a rule at one of its choices, or an output of two programs.
#[derive(Clone, Debug)]
pub struct Instance {
    /// What was chosen, as text, if there are choices.
    pub choices: Vec<(String, String)>,
    /// The nodes of both sides.
    pub program: Program,
    /// The sizes and other integers that the rule holds for.
    pub symbols: Vec<Variable>,
    /// Those of them that are sizes, by the names that are declared: of a vector `N` all components by `N`.
    pub sizes: Vec<(Variable, String)>,
    /// For which of them: what is said, that no extent is negative, and what the left side requires.
    pub assumptions: Condition,
    /// Those of them that nobody says: what the operators of the left side require of the sizes.
    pub implied: Condition,
    /// What must hold for the left side and what is given, beyond the assumptions, and what the right side requires: that
    /// both sides have one shape, too.
    pub requirements: [Vec<Requirement>; 2],
    /// Both sides.
    pub claim: Claim,
    /// Whether a rule states it, whose operators should do what is said of them in each number system; else programs do, whose language
    /// says what they do.
    pub is_rule: bool,
    /// What is given of the values: truths about no index. Of a tensor of truths it is that all are true, a reduction by `and`.
    pub given: Vec<NodeId>,
    /// Instances of laws at the point: truths, wherever they are defined.
    pub laws: Vec<NodeId>,
}

/// Something that must hold for a side to have a meaning.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// For which sizes and indices it must.
    pub context: Condition,
    /// What must hold.
    pub condition: Condition,
    /// Where it comes from.
    pub span: Span,
}
