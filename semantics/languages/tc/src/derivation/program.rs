//! A program as a derivation states it: numbers instead of names, operators by their names.

use crate::conditions::Condition;
use crate::indices::IndexExpr;
use crate::inference::Range;
use crate::typed::{Assignment, Origin, TensorId, TypedProgram, Value};
use rustc_hash::FxHashSet;
use selfsame_core::operators::{Binary, ElementType, Unary};
use serde::{Deserialize, Serialize};
use values::ElementTypes;

/// A program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenProgram {
    /// The names of the sizes.
    pub sizes: Vec<String>,
    /// The conditions on sizes, besides that each is at least 1: what is not negative.
    pub conditions: Vec<IndexExpr>,
    /// The tensors.
    pub tensors: Vec<WrittenTensor>,
    /// The statements.
    pub statements: Vec<WrittenStatement>,
    /// The nodes of right sides, operands first.
    pub values: Vec<WrittenValue>,
    /// The tensors that calls give inlined definitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<WrittenArgument>,
}

/// A tensor that a call gives an inlined definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenArgument {
    /// The tensor.
    pub tensor: usize,
    /// The extent that the definition gives each dimension of its argument.
    pub extents: Vec<IndexExpr>,
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenTensor {
    /// Its name.
    pub name: String,
    /// Its element type.
    #[serde(rename = "type")]
    pub data_type: ElementType,
    /// The range of each dimension.
    pub ranges: Vec<Range>,
    /// Where its elements before the first statement come from.
    pub origin: Origin,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenStatement {
    /// The tensor.
    pub target: usize,
    /// The loop indices with their ranges, those of the target first.
    pub loops: Vec<(String, Range)>,
    /// The round in which each got its range; 0 for `where`.
    pub rounds: Vec<usize>,
    /// The number of indices of the target.
    pub rank: usize,
    /// The reduction: `+`, `*`, `min` or `max`, and whether it initializes.
    pub reduction: Option<(String, bool)>,
    /// The accesses.
    pub accesses: Vec<WrittenAccess>,
    /// The right side.
    pub value: usize,
}

/// An access to a tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAccess {
    /// The tensor.
    pub tensor: usize,
    /// The index in each dimension; `null` if it is a value.
    pub indices: Vec<Option<IndexExpr>>,
}

/// A node with its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenValue {
    /// The type.
    #[serde(rename = "type")]
    pub data_type: ElementType,
    /// The node.
    pub node: WrittenNode,
}

/// A node of a right side; operands are positions of nodes before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WrittenNode {
    /// A number, as text.
    Number(String),
    /// A truth value.
    Truth(bool),
    /// An index expression as a number.
    Index(IndexExpr),
    /// An element of a tensor.
    Read(usize, Vec<IndexExpr>),
    /// An element of a tensor at indices of which some are operands.
    Gather(usize, Vec<Option<IndexExpr>>, Vec<usize>),
    /// `-`, `not` or `abs`, and the operand.
    Unary(String, usize),
    /// The operand in the type of the node.
    Cast(usize),
    /// The operator and its operands.
    Binary(String, usize, usize),
    /// A function with a fixed meaning.
    Primitive(String, Vec<usize>),
    /// `c ? a : b`
    Conditional(usize, usize, usize),
    /// `c ? a : b` for a condition on indices.
    Choose(Condition, usize, usize),
    /// A function of real numbers.
    Call(String, Vec<usize>),
}

impl WrittenNode {
    /// The operands, left to right.
    pub fn operands(&self) -> Vec<usize> {
        match self {
            WrittenNode::Number(_)
            | WrittenNode::Truth(_)
            | WrittenNode::Index(_)
            | WrittenNode::Read(..) => Vec::new(),
            WrittenNode::Unary(_, a) | WrittenNode::Cast(a) => vec![*a],
            WrittenNode::Binary(_, a, b) | WrittenNode::Choose(_, a, b) => vec![*a, *b],
            WrittenNode::Conditional(c, a, b) => vec![*c, *a, *b],
            WrittenNode::Gather(_, _, operands)
            | WrittenNode::Primitive(_, operands)
            | WrittenNode::Call(_, operands) => operands.clone(),
        }
    }
}

impl WrittenProgram {
    /// The types of numbers in it.
    pub fn types(&self) -> ElementTypes {
        let types = self.tensors.iter().map(|tensor| tensor.data_type);
        let types = types.chain(self.values.iter().map(|value| value.data_type));
        types.filter(|of| *of != ElementType::Boolean).collect()
    }

    /// The nodes that a node needs, itself included, each once.
    pub(super) fn needed(&self, root: usize) -> FxHashSet<usize> {
        let (mut pending, mut needed) = (vec![root], FxHashSet::default());
        while let Some(value) = pending.pop() {
            if needed.insert(value) {
                pending.extend(self.values[value].node.operands());
            }
        }
        needed
    }

    /// The program as data.
    pub fn new(program: &TypedProgram) -> WrittenProgram {
        let tensors = program.tensors.iter().map(|tensor| WrittenTensor {
            name: tensor.name.to_string(),
            data_type: tensor.data_type,
            ranges: tensor.ranges.clone(),
            origin: tensor.origin,
        });
        let value =
            |(id, value)| WrittenValue { data_type: program.data_type(id), node: WrittenNode::new(value) };
        let argument = |(tensor, extents): &(TensorId, Vec<IndexExpr>)| WrittenArgument {
            tensor: tensor.index(),
            extents: extents.clone(),
        };
        WrittenProgram {
            sizes: program.sizes.iter().map(|size| size.to_string()).collect(),
            conditions: program.obligations.iter().map(|of| of.expression.clone()).collect(),
            tensors: tensors.collect(),
            statements: program.assignments.iter().map(|of| WrittenStatement::new(program, of)).collect(),
            values: program.values().map(value).collect(),
            calls: program.calls.iter().map(argument).collect(),
        }
    }
}

impl WrittenStatement {
    fn new(program: &TypedProgram, statement: &Assignment) -> WrittenStatement {
        let access = |access: &crate::typed::Access| WrittenAccess {
            tensor: access.tensor.index(),
            indices: access.indices.clone(),
        };
        let reduction = statement.reduction.map(|of| (of.operator.core().text().to_owned(), of.initializes));
        WrittenStatement {
            target: statement.target.index(),
            loops: names(program, statement)
                .into_iter()
                .zip(statement.loops.iter().map(|(_, range)| range.clone()))
                .collect(),
            rounds: statement.rounds.clone(),
            rank: statement.rank,
            reduction,
            accesses: statement.accesses.iter().map(access).collect(),
            value: statement.value.index(),
        }
    }
}

/// The names of the indices of a statement. An index of an inlined definition may have the name of a tensor of the program, and an index of the
/// program that of a tensor that is defined later: here it gets another one.
fn names(program: &TypedProgram, statement: &Assignment) -> Vec<String> {
    let tensors = program.tensors.iter().map(|tensor| &tensor.name);
    let mut taken: FxHashSet<&str> = program.sizes.iter().chain(tensors).map(|name| &**name).collect();
    let own: Vec<String> = statement.loops.iter().map(|(name, _)| name.to_string()).collect();
    let clashes: Vec<bool> = own.iter().map(|name| taken.contains(&**name)).collect();
    taken.extend(own.iter().map(String::as_str));
    let renamed = |(name, clashes): (&String, &bool)| {
        let mut name = name.clone();
        while *clashes && taken.contains(&*name) {
            name.push('_');
        }
        name
    };
    own.iter().zip(&clashes).map(renamed).collect()
}

impl WrittenNode {
    fn new(value: &Value) -> WrittenNode {
        let all = |operands: &[crate::typed::ValueId]| operands.iter().map(|e| e.index()).collect();
        match value {
            Value::Number(number) => WrittenNode::Number(number.to_string()),
            Value::Truth(truth) => WrittenNode::Truth(*truth),
            Value::Index(p) => WrittenNode::Index(p.clone()),
            Value::Read(tensor, indices) => WrittenNode::Read(tensor.index(), indices.clone()),
            Value::Gather(tensor, indices, operands) => {
                WrittenNode::Gather(tensor.index(), indices.clone(), all(operands))
            }
            Value::Unary(Unary::Cast(_), a) => WrittenNode::Cast(a.index()),
            Value::Unary(operator, a) => WrittenNode::Unary(operator.text().to_owned(), a.index()),
            Value::Binary(operator, [a, b]) => {
                WrittenNode::Binary(operator.text().to_owned(), a.index(), b.index())
            }
            Value::Primitive(of, operands) => WrittenNode::Primitive(of.name().to_owned(), all(operands)),
            Value::Conditional([c, a, b]) => WrittenNode::Conditional(c.index(), a.index(), b.index()),
            Value::Choose(condition, [a, b]) => {
                WrittenNode::Choose((**condition).clone(), a.index(), b.index())
            }
            Value::Call(name, arguments) => WrittenNode::Call((*name).to_owned(), all(arguments)),
        }
    }
}

/// The operator with this name.
pub(super) fn binary_named(name: &str) -> Option<Binary> {
    Binary::ALL.iter().copied().find(|operator| operator.text() == name)
}
