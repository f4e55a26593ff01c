//! Abstract syntax of the core in index notation, in one arena.
//!
//! Equal expressions share one node. **Children precede their parents**, so every pass is a loop in arena order.

use super::condition::Condition;
use super::index::{Index, Variable};
use crate::operators::{Binary, ElementType, Primitive, Unary};
use base::identifiers::identifier;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use values::{Division, Literal, Machine};

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
        NodeId(identifier(position))
    }
}

/// A given tensor, by its place in [`Program::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// An uninterpreted scalar function, by its place in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A scalar operator; all are strict, except for [`Operator::Select`] and [`Operator::Conditional`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// With one operand.
    Unary(Unary),
    /// With two operands.
    Binary(Binary),
    /// `if e1 then e2 else e3`, strict in all three (ledger: `alpha/decision-strict-if`).
    If,
    /// `if e1 then e2 else e3`: undefined where the chosen one is, whatever the other one is. It traps where any of the three does.
    Select,
    /// `conditional(e1, e2, e3)`: the same value, but only the chosen one is evaluated ([`crate::traps`]).
    Conditional,
    /// A function with a fixed meaning.
    Primitive(Primitive),
    /// An uninterpreted function.
    Call(FunctionId),
}

/// `⊕ over v1 in l1..u1, …, where c of e`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// `⊕`
    pub operator: Binary,
    /// The bound indices with their bounds, `lower ≤ v < upper`, over free and earlier variables.
    pub binders: Box<[(Variable, [Index; 2])]>,
    /// The points within the bounds that belong to the domain.
    pub filter: Condition,
    /// The reduced expression.
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

/// An infinity as a literal.
pub fn infinity(negative: bool) -> Literal {
    Literal::F64(if negative { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// A value at a point: a function of sizes and indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number with its type.
    Number(RBig, ElementType),
    /// An infinity, which only floats have, with its type.
    Infinite {
        /// Whether it is negative.
        negative: bool,
        /// Its type.
        of: ElementType,
    },
    /// A truth value.
    Truth(bool),
    /// An index term as a number, with its type.
    Index(Index, ElementType),
    /// An element of an input.
    Read(InputId, Box<[Index]>),
    /// An operator on values.
    Apply(Operator, Box<[NodeId]>),
    /// The first node where the condition holds, else the second; the other one need not have a value.
    Choose(Condition, [NodeId; 2]),
    /// A reduction; over nothing, the identity of the operator if it has one, else undefined.
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

/// `lower ≤ i < upper`; either bound may be absent.
pub type Bounds = [Option<Index>; 2];

/// The condition that an index is within its bounds.
pub fn within(v: Variable, [lower, upper]: &Bounds) -> Condition {
    let lower = lower.iter().map(|lower| Condition::at_most(lower, &Index::from(v)));
    let upper = upper.iter().map(|upper| Condition::less(&Index::from(v), upper));
    Condition::all(lower.chain(upper))
}

/// A given tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// The bounds of its indices.
    pub bounds: Vec<Bounds>,
    /// The type of its elements.
    pub data_type: ElementType,
}

/// An uninterpreted scalar function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// The types of its arguments.
    pub arguments: Vec<ElementType>,
    /// The type of its value.
    pub result: ElementType,
}

impl Function {
    /// Whether it maps reals to a real, like the functions whose name has a meaning.
    pub fn is_of_reals(&self) -> bool {
        is_of_reals(&self.arguments, self.result)
    }
}

/// Like [`Function::is_of_reals`], for any signature.
pub fn is_of_reals(arguments: &[ElementType], result: ElementType) -> bool {
    arguments.iter().chain([&result]).all(|of| of.is_real() && *of == result)
}

/// A node with derived data.
#[derive(Clone, Debug)]
struct NodeEntry {
    node: Node,
    data_type: ElementType,
    /// The free variables, in order, each once.
    free: Box<[Variable]>,
    /// The number of occurrences as an operand.
    uses: u32,
}

/// Expressions over shared variables, inputs and functions.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of sizes and indices; those that users see are distinct.
    pub variables: Vec<Arc<str>>,
    /// The given tensors.
    pub inputs: Vec<Input>,
    /// The uninterpreted functions.
    pub functions: Vec<Function>,
    /// The division that `/` denotes.
    pub division: Division,
    /// What operations on machine numbers do.
    pub machine: Machine,
    nodes: Vec<NodeEntry>,
    interned: FxHashMap<Node, NodeId>,
}

impl Program {
    /// An empty program.
    pub fn with_division(division: Division) -> Program {
        Program { division, ..Program::default() }
    }

    /// The program on a machine.
    #[must_use]
    pub fn on(self, machine: Machine) -> Program {
        Program { machine, ..self }
    }

    /// A new size or index. If others have its name in the source, it gets a prime, and a number from the third one on:
    /// `k`, `k'`, `k'3`. No language has primes in names.
    pub fn variable(&mut self, name: &str) -> Variable {
        let unique = match self.variables.iter().filter(|other| in_source(other) == name).count() {
            0 => name.to_owned(),
            1 => format!("{name}'"),
            others => format!("{name}'{}", others + 1),
        };
        self.variables.push(unique.into());
        Variable(identifier(self.variables.len() - 1))
    }

    /// The name of a size or index; `index1`, `index2` and so on for those that a proof introduced.
    pub fn name(&self, variable: Variable) -> String {
        let known = self.variables.get(variable.index());
        known.map_or_else(|| self.introduced(variable), |name| name.to_string())
    }

    /// The name of an index that a proof introduced. Search and checker number theirs from a power of 2 on, so that
    /// they never meet: a prime tells them apart.
    fn introduced(&self, variable: Variable) -> String {
        // It divides 2^30, the checker's first number. In a program of more variables, a million, only these
        // names would be harder to tell apart.
        const FAR: u32 = 1 << 20;
        let (number, prime) = match variable.0 {
            near @ ..FAR => (near.saturating_sub(identifier(self.variables.len())), ""),
            far => (far % FAR, "'"),
        };
        format!("index{}{prime}", number + 1)
    }

    /// A given tensor.
    pub fn input(&self, input: InputId) -> &Input {
        &self.inputs[input.0 as usize]
    }

    /// An uninterpreted function.
    pub fn function(&self, function: FunctionId) -> &Function {
        &self.functions[function.0 as usize]
    }

    /// The identifier of a function, which is added if it is new.
    pub fn with_function(&mut self, function: Function) -> FunctionId {
        let known = self.functions.iter().position(|known| *known == function);
        let at = known.unwrap_or_else(|| {
            self.functions.push(function);
            self.functions.len() - 1
        });
        FunctionId(identifier(at))
    }

    /// The node with this identifier.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()].node
    }

    /// The type of a node's values.
    pub fn data_type(&self, id: NodeId) -> ElementType {
        self.nodes[id.index()].data_type
    }

    /// The variables on which the value of a node depends, in order.
    pub fn free(&self, id: NodeId) -> &[Variable] {
        &self.nodes[id.index()].free
    }

    /// Whether the node is an operand more than once.
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.nodes[id.index()].uses > 1
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The maximum number of nodes on a path from a node to a leaf.
    pub fn height(&self) -> usize {
        self.heights().into_iter().max().unwrap_or(0)
    }

    /// For each node, the maximum number of nodes on a path to a leaf.
    pub fn heights(&self) -> Vec<usize> {
        let mut heights: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for NodeEntry { node, .. } in &self.nodes {
            let below = node.operands().iter().map(|operand| heights[operand.index()]).max();
            heights.push(below.unwrap_or(0) + 1);
        }
        heights
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The identifier of the node, which is added if it is new. Its operands must exist, and it must be
    /// well-typed.
    pub fn add(&mut self, node: Node, data_type: ElementType) -> NodeId {
        if let Some(&id) = self.interned.get(&node) {
            return id;
        }
        let id = NodeId::at(self.nodes.len());
        for operand in node.operands() {
            self.nodes[operand.index()].uses += 1;
        }
        let free = self.variables_of(&node);
        self.nodes.push(NodeEntry { node: node.clone(), data_type, free, uses: 0 });
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

/// The subject of a claim, by which a checker sees whether the claims together cover everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// An element of an output by name, or of the result of a rule: its index, over the indices of the claim's
    /// point.
    Output(Arc<str>, Vec<Index>),
    /// The equation of a lemma at the claim's point; the number is its position among the lemmas of an induction.
    Lemma(usize),
    /// The dependences of a variable of system 0 or 1: each lowers its rank.
    Dependences(usize, Arc<str>),
    /// The set of elements of an output.
    Extent(Arc<str>),
}

/// The claim that two values are the same at every point of a domain.
#[derive(Clone, Debug)]
pub struct PointwiseClaim {
    /// What is compared, as users call it.
    pub name: Arc<str>,
    /// The subject.
    pub about: About,
    /// The indices of a point.
    pub point: Vec<Variable>,
    /// The bounds of each index.
    pub bounds: Vec<Bounds>,
    /// The points within the bounds for which the claim holds.
    pub filter: Condition,
    /// Both sides.
    pub sides: [NodeId; 2],
}

impl PointwiseClaim {
    /// The points for which the claim holds.
    pub fn domain(&self) -> Condition {
        let within = |(v, bounds): (&Variable, &Bounds)| within(*v, bounds);
        Condition::all(self.point.iter().zip(&self.bounds).map(within).chain([self.filter.clone()]))
    }
}

/// The name of a size or index in its source, where others may have it too: without what [`Program::variable`] adds.
pub(crate) fn in_source(name: &str) -> &str {
    name.split_once('\'').map_or(name, |(own, _)| own)
}
