//! The questions for a prover.

use super::condition::Condition;
use super::index::Variable;
use super::syntax::{NodeId, PointwiseClaim, Program};
use base::diagnostics::Span;

/// A claim that two nodes are the same, with symbolic sizes: a rule at one of its choices, or an output of two
/// programs.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The choices as text, if there are any.
    pub choices: Vec<(String, String)>,
    /// The program with the nodes of both sides.
    pub program: Program,
    /// The sizes and other integers over which the claim is quantified.
    pub symbols: Vec<Variable>,
    /// The symbols that are sizes, with their declared names: all components of a vector `N` have the name `N`.
    pub sizes: Vec<(Variable, String)>,
    /// Conditions on the symbols: those that are stated, that no extent is negative, and what the left side
    /// requires.
    pub assumptions: Condition,
    /// The assumptions that nobody states: what the operators of the left side require of the sizes.
    pub implied: Condition,
    /// The requirements of the left side and of the givens, beyond the assumptions; and those of the right side,
    /// including that both sides have one shape.
    pub requirements: [Vec<Requirement>; 2],
    /// The claim about both sides.
    pub claim: PointwiseClaim,
    /// Whether a rule states the claim, so that its operators must behave as declared in each number system; else
    /// programs do, and their language defines the operators.
    pub is_rule: bool,
    /// Conditions on values that are given: truths without free indices. A given tensor of truths is a reduction
    /// by `and`: all are true.
    pub given: Vec<NodeId>,
    /// What is claimed of both sides besides: with a claim about values, where they are evaluated without a trap, and the other way
    /// round. The number systems in which a claim is judged are those of both.
    pub beside: Vec<NodeId>,
    /// Instances of laws at the point: nodes that are true wherever they are defined.
    pub laws: Vec<NodeId>,
}

/// A condition under which a side has a meaning.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The sizes and indices for which it must hold.
    pub context: Condition,
    /// The condition itself.
    pub condition: Condition,
    /// Its origin in the source.
    pub span: Span,
    /// What is needed, in the source's own terms: the operator and the shapes.
    pub needs: Option<Box<str>>,
}
