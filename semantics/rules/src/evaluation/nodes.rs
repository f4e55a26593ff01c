//! What is evaluated: a rule's expressions for one choice, with shared parts shared.
//!
//! A node is an index term, a condition on indices, or a value. It is a function of the rule's symbols, its inputs, and the
//! *levels* that are free in it: a level is a bound index, counted from the outside. Nodes that are made of the same
//! operation on the same operands are one node.

use super::errors::{Fault, Requirement};
use base::diagnostics::Span;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, DataType, Unary};

/// A node, by its place in the arena; operands precede it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation on index terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Min,
    Max,
    CeilDiv,
}

impl Arithmetic {
    /// Exact; `None` where the result is too long, or the divisor not positive.
    pub(super) fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Sub => a.checked_sub(b),
            Arithmetic::Mul => a.checked_mul(b),
            Arithmetic::Min => Some(a.min(b)),
            Arithmetic::Max => Some(a.max(b)),
            Arithmetic::Div => (b > 0).then(|| a.div_euclid(b)),
            Arithmetic::Mod => (b > 0).then(|| a.rem_euclid(b)),
            Arithmetic::CeilDiv => (b > 0).then(|| a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)),
        }
    }

    pub(super) fn divides(self) -> bool {
        matches!(self, Arithmetic::Div | Arithmetic::Mod | Arithmetic::CeilDiv)
    }
}

/// `⊕` over indices at consecutive levels from `level` on, each between its bounds, where the filter holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fold {
    pub operator: Binary,
    /// The type of the values; `None` for conditions on indices.
    pub data_type: Option<DataType>,
    pub level: u32,
    /// `lower ≤ v < upper`, over what is free and earlier indices.
    pub bounds: Box<[[NodeId; 2]]>,
    pub filter: Option<NodeId>,
    pub body: NodeId,
}

/// The element of a tensor that was written as an expression: the body, with the levels from `level` on at an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Element {
    pub level: u32,
    pub index: Box<[NodeId]>,
    /// The extents that the index must lie in; none where it does for sure.
    pub extents: Box<[NodeId]>,
    pub body: NodeId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    // index terms
    Integer(i128),
    Symbol(u32),
    Level(u32),
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// The component of a vector at a place that depends on an index.
    Component(NodeId, Box<[NodeId]>),
    // conditions on indices
    Condition(bool),
    Compare(Binary, NodeId, NodeId),
    Connect(Binary, NodeId, NodeId),
    Not(NodeId),
    /// True; stuck where the condition is false.
    Require(NodeId, Requirement, Span),
    // values
    Number(RBig),
    Infinity,
    IndexValue(NodeId),
    ConditionValue(NodeId),
    /// An element of a given tensor, which must be there.
    Input(u32, Box<[NodeId]>, Span),
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    /// By a truth, strictly.
    If([NodeId; 3]),
    Call(u32, Box<[NodeId]>),
    // any of them
    /// By a condition on indices: only the chosen one has a meaning.
    Choose([NodeId; 3]),
    Fold(Box<Fold>),
    Element(Box<Element>, Span),
}

impl Node {
    /// What it is made of; bounds, filters and bodies under an index of its own are the last.
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

struct Entry {
    node: Node,
    /// The levels that are free in it, in order.
    free: Box<[u32]>,
    /// Of how many nodes it is an operand.
    uses: u32,
}

/// The nodes of a rule.
pub(super) struct Nodes {
    entries: Vec<Entry>,
    known: FxHashMap<Node, NodeId>,
    limit: usize,
}

impl Nodes {
    /// None yet, and at most `limit`.
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

    /// The node, new or known.
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
        self.entries.push(Entry { node: node.clone(), free, uses: 0 });
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

    /// The number that a term is in every case.
    pub(super) fn constant(&self, id: NodeId) -> Option<i128> {
        match self.get(id) {
            Node::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth that a condition is in every case.
    pub(super) fn known_truth(&self, id: NodeId) -> Option<bool> {
        match self.get(id) {
            Node::Condition(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Whether it is a number or a truth that is known.
    pub(super) fn is_known(&self, id: NodeId) -> bool {
        matches!(self.get(id), Node::Integer(_) | Node::Condition(_))
    }

    pub(super) fn integer(&mut self, number: i128) -> Result<NodeId, Fault> {
        self.add(Node::Integer(number))
    }

    pub(super) fn condition(&mut self, truth: bool) -> Result<NodeId, Fault> {
        self.add(Node::Condition(truth))
    }

    /// An operation on index terms; at once where both are known numbers.
    pub(super) fn arithmetic(
        &mut self,
        operation: Arithmetic,
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

    /// A connective of conditions.
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

/// A comparison of index terms.
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

/// A connective of conditions.
pub(super) fn connects(connective: Binary, a: bool, b: bool) -> bool {
    match connective {
        Binary::And => a && b,
        Binary::Or => a || b,
        _ => a != b,
    }
}
