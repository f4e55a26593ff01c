//! Abstract syntax of the core in index notation, in one arena.
//!
//! Equal expressions are one node. **Children precede their parents**, so every pass is a loop in arena order.

use super::condition::Condition;
use super::index::{Index, Variable};
use crate::operators::{Binary, DataType, Unary};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use values::{Division, Literal};

/// A node of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(u32);

impl NodeId {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node at a position.
    pub fn at(position: usize) -> NodeId {
        NodeId(u32::try_from(position).unwrap_or(u32::MAX))
    }
}

/// A tensor that is given, by its place in [`Program::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// An uninterpreted scalar function, by its place in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A strict scalar operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// Of one operand.
    Unary(Unary),
    /// Of two operands.
    Binary(Binary),
    /// `if e1 then e2 else e3`, strict in all three (ledger: `alpha/decision-strict-if`).
    If,
    /// An uninterpreted function.
    Call(FunctionId),
}

/// `⊕ over v1 in l1..u1, …, where c of e`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// `⊕`
    pub operator: Binary,
    /// The bound indices, with bounds over what is free and over earlier ones: `lower ≤ v < upper`.
    pub binders: Box<[(Variable, [Index; 2])]>,
    /// Which of those points count.
    pub filter: Condition,
    /// What is reduced.
    pub body: NodeId,
}

impl Reduction {
    /// `{ v | l ≤ v < u, c }`
    pub fn domain(&self) -> Condition {
        let bounds = self.binders.iter();
        let bounds = bounds.map(|(v, [lower, upper])| Condition::within(lower, &Index::from(*v), upper));
        Condition::all(bounds.chain([self.filter.clone()]))
    }
}

/// An infinity as it is written.
pub fn infinity(negative: bool) -> Literal {
    Literal::F64(if negative { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// A value at a point: a function of sizes and indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number, of a type.
    Number(RBig, DataType),
    /// A number that only floats have: infinity.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// A truth value.
    Truth(bool),
    /// An index term as a number, of a type.
    Index(Index, DataType),
    /// An element of an input.
    Read(InputId, Box<[Index]>),
    /// An operator on values.
    Apply(Operator, Box<[NodeId]>),
    /// The first where the condition holds, else the second; the other one need not have a value.
    Choose(Condition, [NodeId; 2]),
    /// A reduction; over nothing it is the identity of the operator, if that has one, else undefined.
    Reduce(Box<Reduction>),
}

impl Node {
    /// The operands, left to right.
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Node::Number(..) | Node::Infinite { .. } | Node::Truth(_) | Node::Index(..) | Node::Read(..) => {
                &[]
            }
            Node::Apply(_, operands) => operands,
            Node::Choose(_, branches) => branches,
            Node::Reduce(reduction) => std::slice::from_ref(&reduction.body),
        }
    }
}

/// `lower ≤ i < upper`, as far as an index has bounds.
pub type Bounds = [Option<Index>; 2];

/// That an index is within bounds.
pub fn within(v: Variable, [lower, upper]: &Bounds) -> Condition {
    let lower = lower.iter().map(|lower| Condition::at_most(lower, &Index::from(v)));
    let upper = upper.iter().map(|upper| Condition::less(&Index::from(v), upper));
    Condition::all(lower.chain(upper))
}

/// A tensor that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// The bounds of its indices.
    pub bounds: Vec<Bounds>,
    /// What its elements are.
    pub data_type: DataType,
}

/// An uninterpreted scalar function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// The types of its arguments.
    pub arguments: Vec<DataType>,
    /// The type of its value.
    pub result: DataType,
}

impl Function {
    /// Whether it takes real numbers to one, as the functions do that have a meaning by their name.
    pub fn is_of_reals(&self) -> bool {
        is_of_reals(&self.arguments, self.result)
    }
}

/// As [`Function::is_of_reals`], of any signature.
pub fn is_of_reals(arguments: &[DataType], result: DataType) -> bool {
    arguments.iter().chain([&result]).all(|of| *of == DataType::Real)
}

/// A node and what is known of it.
#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    data_type: DataType,
    /// In order, each once.
    free: Box<[Variable]>,
    /// Of how many nodes it is an operand, as often as it is one.
    uses: u32,
}

/// Expressions over shared variables, inputs and functions.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of sizes and indices; those that a reader sees are distinct.
    pub variables: Vec<Arc<str>>,
    /// The given tensors.
    pub inputs: Vec<Input>,
    /// The uninterpreted functions.
    pub functions: Vec<Function>,
    /// Which division `/` is.
    pub division: Division,
    nodes: Vec<Entry>,
    interned: FxHashMap<Node, NodeId>,
}

impl Program {
    /// Nothing yet.
    pub fn with_division(division: Division) -> Program {
        Program { division, ..Program::default() }
    }

    /// A new size or index; its name is made different from all others.
    pub fn variable(&mut self, name: &str) -> Variable {
        let taken = |name: &str| self.variables.iter().any(|other| **other == *name);
        let mut unique = name.to_owned();
        let mut count = 1;
        while taken(&unique) {
            count += 1;
            unique = format!("{name}_{count}");
        }
        self.variables.push(unique.into());
        Variable(u32::try_from(self.variables.len() - 1).unwrap_or(u32::MAX))
    }

    /// The name of a size or index; `v7` for one that a proof introduced.
    pub fn name(&self, variable: Variable) -> String {
        let known = self.variables.get(variable.index());
        known.map_or_else(|| format!("v{}", variable.0), |name| name.to_string())
    }

    /// A given tensor.
    pub fn input(&self, input: InputId) -> &Input {
        &self.inputs[input.0 as usize]
    }

    /// An uninterpreted function.
    pub fn function(&self, function: FunctionId) -> &Function {
        &self.functions[function.0 as usize]
    }

    /// The node with an identifier.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()].node
    }

    /// What the values of a node are.
    pub fn data_type(&self, id: NodeId) -> DataType {
        self.nodes[id.index()].data_type
    }

    /// The variables of which the value of a node is a function, in order.
    pub fn free(&self, id: NodeId) -> &[Variable] {
        &self.nodes[id.index()].free
    }

    /// Whether the node is an operand more than once.
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.nodes[id.index()].uses > 1
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes there are at most on a way from a node down to a leaf.
    pub fn height(&self) -> usize {
        self.heights().into_iter().max().unwrap_or(0)
    }

    /// For each node how many there are at most on a way from it down to a leaf.
    pub fn heights(&self) -> Vec<usize> {
        let mut heights: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for Entry { node, .. } in &self.nodes {
            let below = node.operands().iter().map(|operand| heights[operand.index()]).max();
            heights.push(below.unwrap_or(0) + 1);
        }
        heights
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node, added if it is new; its operands must be there, and it must be well-typed.
    pub fn add(&mut self, node: Node, data_type: DataType) -> NodeId {
        if let Some(&id) = self.interned.get(&node) {
            return id;
        }
        let id = NodeId::at(self.nodes.len());
        for operand in node.operands() {
            self.nodes[operand.index()].uses += 1;
        }
        let free = self.variables_of(&node);
        self.nodes.push(Entry { node: node.clone(), data_type, free, uses: 0 });
        self.interned.insert(node, id);
        id
    }

    fn variables_of(&self, node: &Node) -> Box<[Variable]> {
        let mut free: Vec<Variable> = node.operands().iter().flat_map(|&e| self.free(e)).copied().collect();
        match node {
            Node::Index(p, _) => p.visit(&mut |v| free.push(v)),
            Node::Read(_, index) => index.iter().for_each(|p| p.visit(&mut |v| free.push(v))),
            Node::Choose(condition, _) => condition.visit(&mut |v| free.push(v)),
            Node::Reduce(reduction) => {
                reduction.domain().visit(&mut |v| free.push(v));
                free.retain(|v| reduction.binders.iter().all(|(bound, _)| bound != v));
            }
            Node::Number(..) | Node::Infinite { .. } | Node::Truth(_) | Node::Apply(..) => {}
        }
        free.sort_unstable();
        free.dedup();
        free.into()
    }
}

/// What a claim is about, for whoever asks whether all claims together leave nothing out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// An element of the output of a name, or of the result of a rule: the index, over the indices of the claim's point.
    Output(Arc<str>, Vec<Index>),
    /// The equation of a lemma, by its number among those of an induction, at the claim's point.
    Lemma(usize),
    /// The dependences of a variable of a system, 0 or 1: each lowers its rank.
    Dependences(usize, Arc<str>),
    /// Which elements the output of a name has.
    Extent(Arc<str>),
}

/// Two values that are claimed to be the same at every point of a domain.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is compared, as a reader calls it.
    pub name: Arc<str>,
    /// What it is about.
    pub about: About,
    /// The indices of a point.
    pub point: Vec<Variable>,
    /// The bounds of each.
    pub bounds: Vec<Bounds>,
    /// Which of those points count.
    pub filter: Condition,
    /// Both sides.
    pub sides: [NodeId; 2],
}

impl Claim {
    /// The points of the tensor.
    pub fn domain(&self) -> Condition {
        let within = |(v, bounds): (&Variable, &Bounds)| within(*v, bounds);
        Condition::all(self.point.iter().zip(&self.bounds).map(within).chain([self.filter.clone()]))
    }
}
