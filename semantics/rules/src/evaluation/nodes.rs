//! The expressions of a rule at one choice, as an arena of shared nodes.
//!
//! A node is an index term, a condition on indices, or a value. It is a function of the rule's symbols, its
//! inputs, and its free *levels*: a level is a bound index, counted from the outside. Nodes with the same
//! operation and operands are identical.

use super::errors::{Fault, Requirement};
use base::diagnostics::Span;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, DataType, Unary};

/// A node, by its position in the arena; operands precede it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

impl NodeId {
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
pub(super) struct Fold {
    pub operator: Binary,
    /// The type of the values; `None` for conditions on indices.
    pub data_type: Option<DataType>,
    pub level: u32,
    /// `lower ≤ v < upper`, in terms of free levels and earlier indices.
    pub bounds: Box<[[NodeId; 2]]>,
    pub filter: Option<NodeId>,
    pub body: NodeId,
}

/// An element of a tensor defined by an expression: the body, with the levels from `level` set to an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct BodyAtIndex {
    pub level: u32,
    pub index: Box<[NodeId]>,
    /// The extents that the index must lie in; empty if it certainly does.
    pub extents: Box<[NodeId]>,
    pub body: NodeId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    // index terms
    Integer(i128),
    Symbol(u32),
    Level(u32),
    Arithmetic(IndexOperation, NodeId, NodeId),
    /// The component of a vector at a position that depends on an index.
    Component(NodeId, Box<[NodeId]>),
    // conditions on indices
    Condition(bool),
    Compare(Binary, NodeId, NodeId),
    Connect(Binary, NodeId, NodeId),
    Not(NodeId),
    /// True, or stuck if the condition is false.
    Require(NodeId, Requirement, Span),
    // values
    Number(RBig),
    Infinity,
    IndexValue(NodeId),
    ConditionValue(NodeId),
    /// An element of an input, which must exist.
    Input(u32, Box<[NodeId]>, Span),
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    /// A strict choice by a truth.
    If([NodeId; 3]),
    Call(u32, Box<[NodeId]>),
    // any of them
    /// A choice by a condition on indices; only the chosen branch is evaluated.
    Choose([NodeId; 3]),
    Fold(Box<Fold>),
    Element(Box<BodyAtIndex>, Span),
}

impl Node {
    /// The operands; bounds, filters and bodies under an index of their own come last.
    fn operands(&self) -> Vec<NodeId> {
        match self {
            Node::Integer(_) | Node::Symbol(_) | Node::Level(_) | Node::Condition(_) => Vec::new(),
            Node::Number(_) | Node::Infinity => Vec::new(),
            Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::Connect(_, a, b) => vec![*a, *b],
            Node::Binary(_, a, b) => vec![*a, *b],
            Node::Not(a) | Node::Require(a, ..) | Node::Unary(_, a) => vec![*a],
            Node::IndexValue(a) | Node::ConditionValue(a) => vec![*a],
            Node::Component(k, of) => [*k].into_iter().chain(of.iter().copied()).collect(),
            Node::Input(_, index, _) | Node::Call(_, index) => index.to_vec(),
            Node::If(of) | Node::Choose(of) => of.to_vec(),
            Node::Fold(fold) => {
                let bounds = fold.bounds.iter().flatten().copied();
                bounds.chain(fold.filter).chain([fold.body]).collect()
            }
            Node::Element(element, _) => {
                let outer = element.index.iter().chain(&element.extents).copied();
                outer.chain([element.body]).collect()
            }
        }
    }
}

struct StoredNode {
    node: Node,
    /// The free levels, ascending.
    free: Box<[u32]>,
    /// The number of nodes of which this one is an operand.
    uses: u32,
}

/// The nodes of a rule.
pub(super) struct Nodes {
    entries: Vec<StoredNode>,
    known: FxHashMap<Node, NodeId>,
    limit: usize,
}

impl Nodes {
    /// An empty arena for at most `limit` nodes.
    pub(super) fn new(limit: usize) -> Nodes {
        Nodes { entries: Vec::new(), known: FxHashMap::default(), limit }
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.entries[id.index()].node
    }

    pub(super) fn free(&self, id: NodeId) -> &[u32] {
        &self.entries[id.index()].free
    }

    pub(super) fn is_shared(&self, id: NodeId) -> bool {
        self.entries[id.index()].uses > 1
    }

    /// Adds a node, or returns the equal one that exists.
    pub(super) fn add(&mut self, node: Node) -> Result<NodeId, Fault> {
        if let Some(&id) = self.known.get(&node) {
            return Ok(id);
        }
        if self.entries.len() >= self.limit {
            return Err(Fault::OutOfBudget);
        }
        let id = NodeId(u32::try_from(self.entries.len()).map_err(|_| Fault::OutOfBudget)?);
        for operand in node.operands() {
            self.entries[operand.index()].uses += 1;
        }
        let free = self.free_levels(&node);
        self.entries.push(StoredNode { node: node.clone(), free, uses: 0 });
        self.known.insert(node, id);
        Ok(id)
    }

    fn free_levels(&self, node: &Node) -> Box<[u32]> {
        let of = |ids: &[NodeId]| -> Vec<u32> { ids.iter().flat_map(|&id| self.free(id)).copied().collect() };
        let mut free = match node {
            Node::Level(level) => vec![*level],
            Node::Element(element, _) => {
                let bound = element.level..element.level + element.index.len() as u32;
                let body = self.free(element.body).iter().copied().filter(|level| !bound.contains(level));
                let outer = of(&element.index).into_iter().chain(of(&element.extents));
                outer.chain(body).collect()
            }
            node => of(&node.operands()),
        };
        if let Node::Fold(fold) = node {
            free.retain(|level| !(fold.level..fold.level + fold.bounds.len() as u32).contains(level));
        }
        free.sort_unstable();
        free.dedup();
        free.into()
    }

    /// The value of an index term, if it is a constant.
    pub(super) fn constant(&self, id: NodeId) -> Option<i128> {
        match self.get(id) {
            Node::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth of a condition, if it is a constant.
    pub(super) fn known_truth(&self, id: NodeId) -> Option<bool> {
        match self.get(id) {
            Node::Condition(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Whether the node is a constant index term or condition.
    pub(super) fn is_known(&self, id: NodeId) -> bool {
        matches!(self.get(id), Node::Integer(_) | Node::Condition(_))
    }

    pub(super) fn integer(&mut self, number: i128) -> Result<NodeId, Fault> {
        self.add(Node::Integer(number))
    }

    pub(super) fn condition(&mut self, truth: bool) -> Result<NodeId, Fault> {
        self.add(Node::Condition(truth))
    }

    /// An operation on index terms, folded if both are constants.
    pub(super) fn arithmetic(
        &mut self,
        operation: IndexOperation,
        a: NodeId,
        b: NodeId,
    ) -> Result<NodeId, Fault> {
        let known = self.constant(a).zip(self.constant(b)).and_then(|(a, b)| operation.apply(a, b));
        self.add(known.map_or(Node::Arithmetic(operation, a, b), Node::Integer))
    }

    pub(super) fn compare(&mut self, comparison: Binary, a: NodeId, b: NodeId) -> Result<NodeId, Fault> {
        let known = self.constant(a).zip(self.constant(b)).map(|(a, b)| holds(comparison, a, b));
        self.add(known.map_or(Node::Compare(comparison, a, b), Node::Condition))
    }

    /// A connective of conditions, simplified if an operand is constant.
    pub(super) fn connect(&mut self, connective: Binary, a: NodeId, b: NodeId) -> Result<NodeId, Fault> {
        match (connective, self.known_truth(a), self.known_truth(b)) {
            (_, Some(a), Some(b)) => self.condition(connects(connective, a, b)),
            (Binary::And, Some(true), _) | (Binary::Or, Some(false), _) => Ok(b),
            (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => Ok(a),
            _ => self.add(Node::Connect(connective, a, b)),
        }
    }

    pub(super) fn all(&mut self, conditions: impl IntoIterator<Item = NodeId>) -> Result<NodeId, Fault> {
        let mut all = self.condition(true)?;
        for condition in conditions {
            all = self.connect(Binary::And, all, condition)?;
        }
        Ok(all)
    }

    pub(super) fn not(&mut self, a: NodeId) -> Result<NodeId, Fault> {
        match self.known_truth(a) {
            Some(truth) => self.condition(!truth),
            None => self.add(Node::Not(a)),
        }
    }

    pub(super) fn choose(&mut self, c: NodeId, a: NodeId, b: NodeId) -> Result<NodeId, Fault> {
        match self.known_truth(c) {
            Some(truth) => Ok(if truth { a } else { b }),
            None if a == b && matches!(self.get(a), Node::Condition(_)) => Ok(a),
            None => self.add(Node::Choose([c, a, b])),
        }
    }

    pub(super) fn require(
        &mut self,
        condition: NodeId,
        what: Requirement,
        span: Span,
    ) -> Result<NodeId, Fault> {
        match self.known_truth(condition) {
            Some(true) => Ok(condition),
            _ => self.add(Node::Require(condition, what, span)),
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
