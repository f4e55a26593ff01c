//! The lower tiers: terms up to commutativity, and up to commutativity and associativity, of `+` and `·`.
//!
//! Each tier maps a term to a representative; equal representatives mean equal values in every number system that
//! obeys the tier's laws. Different representatives mean nothing.

use super::terms::{Formula, Operation, TermId, TermNode, Terms};
use rustc_hash::FxHashMap;

/// The laws that a tier may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rearrangement {
    /// `a + b = b + a`, `a · b = b · a`.
    Commute,
    /// Commutativity, and associativity of `+` and of `·`.
    Reassociate,
}

/// Representatives of terms, cached.
#[derive(Debug)]
pub struct Canonical<'a> {
    terms: &'a Terms,
    rearrangement: Rearrangement,
    representatives: FxHashMap<TermId, TermId>,
}

impl<'a> Canonical<'a> {
    /// An empty cache.
    pub fn new(terms: &'a Terms, rearrangement: Rearrangement) -> Canonical<'a> {
        Canonical { terms, rearrangement, representatives: FxHashMap::default() }
    }

    /// The representative of a term.
    pub fn representative(&mut self, root: TermId) -> TermId {
        for id in self.terms.reachable_until(&[root], |id| self.representatives.contains_key(&id)) {
            let representative = self.represent(id);
            self.representatives.insert(id, representative);
        }
        self.representatives[&root]
    }

    /// Represents a term whose operands have a representative.
    fn represent(&self, id: TermId) -> TermId {
        let of = |id: TermId| self.representatives[&id];
        let node = match self.terms.node(id) {
            TermNode::Binary(operation @ (Operation::Add | Operation::Mul), a, b) => {
                return self.commutative(operation, of(a), of(b));
            }
            TermNode::Binary(operation, a, b) => TermNode::Binary(operation, of(a), of(b)),
            TermNode::Select(formula, a, b) => TermNode::Select(formula_of(formula, of), of(a), of(b)),
            leaf => leaf,
        };
        self.terms.intern(node)
    }

    fn commutative(&self, operation: Operation, a: TermId, b: TermId) -> TermId {
        let mut leaves = vec![a, b];
        if self.rearrangement == Rearrangement::Reassociate {
            leaves = [a, b].into_iter().flat_map(|operand| self.chain(operation, operand)).collect();
        }
        leaves.sort_unstable();
        let mut leaves = leaves.into_iter();
        let first = leaves.next().unwrap_or(a);
        leaves.fold(first, |chain, leaf| self.terms.intern(TermNode::Binary(operation, chain, leaf)))
    }

    /// The operands of a representative that is a chain of one operation, associated to the left.
    fn chain(&self, operation: Operation, mut id: TermId) -> Vec<TermId> {
        let mut leaves = Vec::new();
        let longest = if self.terms.is_filling_up() { SHORT_CHAIN } else { MAX_CHAIN };
        while let TermNode::Binary(found, rest, leaf) = self.terms.node(id)
            && found == operation
            && leaves.len() < longest
        {
            leaves.push(leaf);
            id = rest;
        }
        leaves.push(id);
        leaves
    }
}

/// The maximum length of a chain. Longer ones are cut and their pieces ordered separately, which proves less
/// but nothing wrong. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_CHAIN: usize = 256;
/// The maximum length while the arena fills up: each prefix of a chain is a term, so only short ends are
/// ordered. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const SHORT_CHAIN: usize = 8;

fn formula_of(formula: Formula, of: impl Fn(TermId) -> TermId) -> Formula {
    match formula {
        Formula::Known(known) => Formula::Known(known),
        Formula::Compare(comparison, a, b) => Formula::Compare(comparison, of(a), of(b)),
        Formula::Same(a, b) => Formula::Same(of(a), of(b)),
    }
}
