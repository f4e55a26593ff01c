//! The expressions of a rule at one choice, as an arena of shared nodes.
//!
//! A node is an index term, a condition on indices, or a value. It is a function of the rule's symbols, its
//! inputs, and its free *levels*: a level is a bound index, counted from the outside. Nodes with the same
//! operation and operands are identical.

use super::errors::{NoAnswer, SizeRequirement};
use base::diagnostics::Span;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};

/// A node, by its position in the arena; operands precede it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DirectNodeId(u32);

impl DirectNodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation on index terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum IndexOperation {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Min,
    Max,
    CeilDiv,
}

impl IndexOperation {
    /// The exact result; `None` on overflow or for a nonpositive divisor.
    pub(super) fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            IndexOperation::Add => a.checked_add(b),
            IndexOperation::Sub => a.checked_sub(b),
            IndexOperation::Mul => a.checked_mul(b),
            IndexOperation::Min => Some(a.min(b)),
            IndexOperation::Max => Some(a.max(b)),
            IndexOperation::Div => (b > 0).then(|| a.div_euclid(b)),
            IndexOperation::Mod => (b > 0).then(|| a.rem_euclid(b)),
            IndexOperation::CeilDiv => (b > 0).then(|| a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)),
        }
    }

    pub(super) fn divides(self) -> bool {
        matches!(self, IndexOperation::Div | IndexOperation::Mod | IndexOperation::CeilDiv)
    }
}

/// A reduction by `⊕` over indices at consecutive levels from `level`, each within its bounds, where the filter
/// holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DirectFold {
    pub operator: Binary,
    /// The type of the values; `None` for conditions on indices.
    pub data_type: Option<ElementType>,
    pub level: u32,
    /// `lower ≤ v < upper`, in terms of free levels and earlier indices.
    pub bounds: Box<[[DirectNodeId; 2]]>,
    pub filter: Option<DirectNodeId>,
    pub body: DirectNodeId,
}

/// An element of a tensor defined by an expression: the body, with the levels from `level` set to an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct BodyAtIndex {
    pub level: u32,
    pub index: Box<[DirectNodeId]>,
    /// The extents that the index must lie in; empty if it certainly does.
    pub extents: Box<[DirectNodeId]>,
    pub body: DirectNodeId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum DirectNode {
    // index terms
    Integer(i128),
    Symbol(u32),
    Level(u32),
    Arithmetic(IndexOperation, DirectNodeId, DirectNodeId),
    /// The component of a vector at a position that depends on an index.
    Component(DirectNodeId, Box<[DirectNodeId]>),
    // conditions on indices
    Condition(bool),
    Compare(Binary, DirectNodeId, DirectNodeId),
    Connect(Binary, DirectNodeId, DirectNodeId),
    Not(DirectNodeId),
    /// True, or stuck if the condition is false.
    Require(DirectNodeId, SizeRequirement, Span),
    // values
    Number(ElementType, RBig),
    Infinity(ElementType),
    IndexValue(ElementType, DirectNodeId),
    ConditionValue(DirectNodeId),
    /// An element of an input, which must exist.
    Input(u32, Box<[DirectNodeId]>, Span),
    /// With the type of its operand.
    Unary(Unary, ElementType, DirectNodeId),
    Binary(Binary, DirectNodeId, DirectNodeId),
    Primitive(Primitive, Box<[DirectNodeId]>),
    /// A selection by a truth.
    If([DirectNodeId; 3]),
    /// A selection that evaluates only the chosen branch.
    Conditional([DirectNodeId; 3]),
    Call(u32, Box<[DirectNodeId]>),
    // any of them
    /// A choice by a condition on indices; only the chosen branch is evaluated.
    Choose([DirectNodeId; 3]),
    Fold(Box<DirectFold>),
    Element(Box<BodyAtIndex>, Span),
}

impl DirectNode {
    /// The operands; bounds, filters and bodies under an index of their own come last.
    fn operands(&self) -> Vec<DirectNodeId> {
        match self {
            DirectNode::Integer(_)
            | DirectNode::Symbol(_)
            | DirectNode::Level(_)
            | DirectNode::Condition(_) => Vec::new(),
            DirectNode::Number(..) | DirectNode::Infinity(_) => Vec::new(),
            DirectNode::Arithmetic(_, a, b) | DirectNode::Compare(_, a, b) | DirectNode::Connect(_, a, b) => {
                vec![*a, *b]
            }
            DirectNode::Binary(_, a, b) => vec![*a, *b],
            DirectNode::Not(a) | DirectNode::Require(a, ..) | DirectNode::Unary(.., a) => vec![*a],
            DirectNode::IndexValue(_, a) | DirectNode::ConditionValue(a) => vec![*a],
            DirectNode::Component(k, of) => [*k].into_iter().chain(of.iter().copied()).collect(),
            DirectNode::Input(_, index, _) | DirectNode::Call(_, index) | DirectNode::Primitive(_, index) => {
                index.to_vec()
            }
            DirectNode::If(of) | DirectNode::Conditional(of) | DirectNode::Choose(of) => of.to_vec(),
            DirectNode::Fold(fold) => {
                let bounds = fold.bounds.iter().flatten().copied();
                bounds.chain(fold.filter).chain([fold.body]).collect()
            }
            DirectNode::Element(element, _) => {
                let outer = element.index.iter().chain(&element.extents).copied();
                outer.chain([element.body]).collect()
            }
        }
    }
}

struct StoredNode {
    node: DirectNode,
    /// The free levels, ascending.
    free: Box<[u32]>,
    /// The number of nodes of which this one is an operand.
    uses: u32,
}

/// The nodes of a rule.
pub(super) struct Nodes {
    entries: Vec<StoredNode>,
    known: FxHashMap<DirectNode, DirectNodeId>,
    limit: usize,
}

impl Nodes {
    /// An empty arena for at most `limit` nodes.
    pub(super) fn new(limit: usize) -> Nodes {
        Nodes { entries: Vec::new(), known: FxHashMap::default(), limit }
    }

    pub(super) fn get(&self, id: DirectNodeId) -> &DirectNode {
        &self.entries[id.index()].node
    }

    pub(super) fn free(&self, id: DirectNodeId) -> &[u32] {
        &self.entries[id.index()].free
    }

    pub(super) fn is_shared(&self, id: DirectNodeId) -> bool {
        self.entries[id.index()].uses > 1
    }

    /// The element types of numbers and of casts.
    pub(super) fn types(&self) -> impl Iterator<Item = ElementType> {
        self.entries.iter().filter_map(|stored| match &stored.node {
            // Until its context is known, a number is a real: a type that is there only so adds nothing.
            DirectNode::Number(of, _) | DirectNode::Infinity(of) | DirectNode::IndexValue(of, _) => {
                (stored.uses > 0).then_some(*of)
            }
            DirectNode::Unary(Unary::Cast(to), ..) => Some(*to),
            DirectNode::Primitive(primitive, _) => primitive.target(),
            _ => None,
        })
    }

    /// Adds a node, or returns the equal one that exists.
    pub(super) fn add(&mut self, node: DirectNode) -> Result<DirectNodeId, NoAnswer> {
        if let Some(&id) = self.known.get(&node) {
            return Ok(id);
        }
        if self.entries.len() >= self.limit {
            return Err(NoAnswer::OutOfBudget);
        }
        let id = DirectNodeId(u32::try_from(self.entries.len()).map_err(|_| NoAnswer::OutOfBudget)?);
        for operand in node.operands() {
            self.entries[operand.index()].uses += 1;
        }
        let free = self.free_levels(&node);
        self.entries.push(StoredNode { node: node.clone(), free, uses: 0 });
        self.known.insert(node, id);
        Ok(id)
    }

    fn free_levels(&self, node: &DirectNode) -> Box<[u32]> {
        let of = |ids: &[DirectNodeId]| -> Vec<u32> {
            ids.iter().flat_map(|&id| self.free(id)).copied().collect()
        };
        let mut free = match node {
            DirectNode::Level(level) => vec![*level],
            DirectNode::Element(element, _) => {
                let bound = element.level..element.level + element.index.len() as u32;
                let body = self.free(element.body).iter().copied().filter(|level| !bound.contains(level));
                let outer = of(&element.index).into_iter().chain(of(&element.extents));
                outer.chain(body).collect()
            }
            node => of(&node.operands()),
        };
        if let DirectNode::Fold(fold) = node {
            free.retain(|level| !(fold.level..fold.level + fold.bounds.len() as u32).contains(level));
        }
        free.sort_unstable();
        free.dedup();
        free.into()
    }

    /// The value of an index term, if it is a constant.
    pub(super) fn constant(&self, id: DirectNodeId) -> Option<i128> {
        match self.get(id) {
            DirectNode::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth of a condition, if it is a constant.
    pub(super) fn known_truth(&self, id: DirectNodeId) -> Option<bool> {
        match self.get(id) {
            DirectNode::Condition(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Whether the node is a constant index term or condition.
    pub(super) fn is_known(&self, id: DirectNodeId) -> bool {
        matches!(self.get(id), DirectNode::Integer(_) | DirectNode::Condition(_))
    }

    pub(super) fn integer(&mut self, number: i128) -> Result<DirectNodeId, NoAnswer> {
        self.add(DirectNode::Integer(number))
    }

    pub(super) fn condition(&mut self, truth: bool) -> Result<DirectNodeId, NoAnswer> {
        self.add(DirectNode::Condition(truth))
    }

    /// An operation on index terms, folded if both are constants.
    pub(super) fn arithmetic(
        &mut self,
        operation: IndexOperation,
        a: DirectNodeId,
        b: DirectNodeId,
    ) -> Result<DirectNodeId, NoAnswer> {
        let known = self.constant(a).zip(self.constant(b)).and_then(|(a, b)| operation.apply(a, b));
        self.add(known.map_or(DirectNode::Arithmetic(operation, a, b), DirectNode::Integer))
    }

    pub(super) fn compare(
        &mut self,
        comparison: Binary,
        a: DirectNodeId,
        b: DirectNodeId,
    ) -> Result<DirectNodeId, NoAnswer> {
        let known = self.constant(a).zip(self.constant(b)).map(|(a, b)| holds(comparison, a, b));
        self.add(known.map_or(DirectNode::Compare(comparison, a, b), DirectNode::Condition))
    }

    /// A connective of conditions, simplified if an operand is constant.
    pub(super) fn connect(
        &mut self,
        connective: Binary,
        a: DirectNodeId,
        b: DirectNodeId,
    ) -> Result<DirectNodeId, NoAnswer> {
        match (connective, self.known_truth(a), self.known_truth(b)) {
            (_, Some(a), Some(b)) => self.condition(connects(connective, a, b)),
            (Binary::And, Some(true), _) | (Binary::Or, Some(false), _) => Ok(b),
            (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => Ok(a),
            _ => self.add(DirectNode::Connect(connective, a, b)),
        }
    }

    pub(super) fn all(
        &mut self,
        conditions: impl IntoIterator<Item = DirectNodeId>,
    ) -> Result<DirectNodeId, NoAnswer> {
        let mut all = self.condition(true)?;
        for condition in conditions {
            all = self.connect(Binary::And, all, condition)?;
        }
        Ok(all)
    }

    pub(super) fn not(&mut self, a: DirectNodeId) -> Result<DirectNodeId, NoAnswer> {
        match self.known_truth(a) {
            Some(truth) => self.condition(!truth),
            None => self.add(DirectNode::Not(a)),
        }
    }

    pub(super) fn choose(
        &mut self,
        c: DirectNodeId,
        a: DirectNodeId,
        b: DirectNodeId,
    ) -> Result<DirectNodeId, NoAnswer> {
        match self.known_truth(c) {
            Some(truth) => Ok(if truth { a } else { b }),
            None if a == b && matches!(self.get(a), DirectNode::Condition(_)) => Ok(a),
            None => self.add(DirectNode::Choose([c, a, b])),
        }
    }

    pub(super) fn require(
        &mut self,
        condition: DirectNodeId,
        what: SizeRequirement,
        span: Span,
    ) -> Result<DirectNodeId, NoAnswer> {
        match self.known_truth(condition) {
            Some(true) => Ok(condition),
            _ => self.add(DirectNode::Require(condition, what, span)),
        }
    }
}

/// Whether a comparison of index terms holds.
pub(super) fn holds(comparison: Binary, a: i128, b: i128) -> bool {
    match comparison {
        Binary::Equal => a == b,
        Binary::NotEqual => a != b,
        Binary::Less => a < b,
        Binary::LessOrEqual => a <= b,
        Binary::Greater => a > b,
        _ => a >= b,
    }
}

/// The value of a connective of conditions.
pub(super) fn connects(connective: Binary, a: bool, b: bool) -> bool {
    match connective {
        Binary::And => a && b,
        Binary::Or => a || b,
        _ => a != b,
    }
}
