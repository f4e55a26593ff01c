//! A program with names, types and ranges: one definition, in which calls are inlined.

use crate::conditions::Condition;
use crate::indices::{IndexExpr, Overflow};
use crate::inference::Range;
use crate::syntax::{Name, Reduction};
use base::diagnostics::{Diagnostic, Span};
use base::identifiers::identifier;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};
use serde::{Deserialize, Serialize};

macro_rules! positions {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The position.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The one at a position.
            pub fn at(position: usize) -> $name {
                $name(identifier(position))
            }
        }
    )*};
}

positions! {
    /// A tensor of a program.
    TensorId
    /// A value of a program: a node of a right side.
    ValueId
}

/// A tensor.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name; those of inlined definitions have the name of the call in front.
    pub name: Name,
    /// Its element type.
    pub data_type: ElementType,
    /// The range of each dimension.
    pub ranges: Vec<Range>,
    /// Where its elements before the first statement come from.
    pub origin: Origin,
    /// Where it is declared or first defined.
    pub span: Span,
}

/// Where the elements of a tensor come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It is an argument.
    Argument,
    /// A statement defines it.
    Statement,
    /// A statement accumulates into it, and none before defines it: what was there before is an input of its name.
    Accumulated,
}

/// A node of a right side. **Operands precede their users.**
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(RBig),
    /// An index expression as a number.
    Index(IndexExpr),
    /// `T(p1, …, pn)`
    Read(TensorId, Vec<IndexExpr>),
    /// `T(…, e, …)`: each index is an index expression, or else the next operand, an integer.
    Gather(TensorId, Vec<Option<IndexExpr>>, Vec<ValueId>),
    /// An operator with one operand, or a cast.
    Unary(Unary, ValueId),
    /// An operator with two operands of one type.
    Binary(Binary, [ValueId; 2]),
    /// A function with a fixed meaning, such as the quotient of integers, toward zero.
    Primitive(Primitive, Vec<ValueId>),
    /// A truth value.
    Truth(bool),
    /// `c ? a : b`: a choice of one of two, of which the other one does not count.
    Conditional([ValueId; 3]),
    /// `c ? a : b` for a condition on indices and sizes: a choice of one of two, of which the other one does not count.
    Choose(Box<Condition>, [ValueId; 2]),
    /// A function of real numbers, by its name in rules.
    Call(&'static str, Vec<ValueId>),
}

impl Value {
    /// The operands, left to right.
    pub fn operands(&self) -> &[ValueId] {
        match self {
            Value::Number(_) | Value::Truth(_) | Value::Index(_) | Value::Read(..) => &[],
            Value::Unary(_, e) => std::slice::from_ref(e),
            Value::Binary(_, operands) | Value::Choose(_, operands) => operands,
            Value::Conditional(parts) => parts,
            Value::Gather(_, _, operands) | Value::Primitive(_, operands) | Value::Call(_, operands) => {
                operands
            }
        }
    }
}

/// An access to a tensor in a statement, which says something of the ranges of its indices.
#[derive(Clone, Debug)]
pub struct Access {
    /// The tensor.
    pub tensor: TensorId,
    /// The index in each dimension; `None` if it is a value.
    pub indices: Vec<Option<IndexExpr>>,
}

/// A statement: at each point of its loops, a value is assigned to an element, or combined with it.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The tensor.
    pub target: TensorId,
    /// The loop indices, with their ranges: first those of the target, in their order, then those of the reduction, in the order in which
    /// they occur.
    pub loops: Vec<(Name, Range)>,
    /// The round of the inference in which each loop index got its range; 0 for `where`.
    pub rounds: Vec<usize>,
    /// The accesses from which ranges were inferred, those of `exists`, too.
    pub accesses: Vec<Access>,
    /// The number of loop indices of the target.
    pub rank: usize,
    /// The reduction; `None` for `=`.
    pub reduction: Option<Reduction>,
    /// The right side.
    pub value: ValueId,
    /// The place of the left side.
    pub span: Span,
}

impl Assignment {
    /// The names of the indices of the target.
    pub fn target_names(&self) -> Vec<Name> {
        self.loops[..self.rank].iter().map(|(name, _)| name.clone()).collect()
    }

    /// The ranges of the indices of the target.
    pub fn target_ranges(&self) -> Vec<Range> {
        self.loops[..self.rank].iter().map(|(_, range)| range.clone()).collect()
    }

    /// For each index of the reduction, an expression that is negative exactly where its range is empty.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn some(&self) -> Result<Vec<IndexExpr>, Overflow> {
        let length = |(_, [b, e]): &(Name, Range)| e.plus(-1, b)?.plus_number(-1);
        self.loops[self.rank..].iter().map(length).collect()
    }

    /// Whether the range of an index of the reduction may be empty at some sizes.
    pub fn may_be_empty(&self) -> bool {
        self.some().map_or(true, |some| !some.iter().all(IndexExpr::is_plainly_nonnegative))
    }
}

/// A condition on sizes, without which the program has no meaning: an index expression that must not be negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Obligation {
    /// What must not be negative.
    pub expression: IndexExpr,
    /// What is at fault where it is negative.
    pub fault: ObligationFault,
    /// The place.
    pub span: Span,
}

/// What is at fault if an obligation does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObligationFault {
    /// An element outside of a tensor is read.
    Outside,
    /// `exists` names an element outside of a tensor.
    Named,
    /// An access may lie within its tensor, but that is not shown.
    NotShown,
    /// A range is empty.
    Empty,
    /// A tensor is defined again where it has no elements.
    Redefined,
    /// Two extents are not equal.
    Extents,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct TypedProgram {
    /// Its name.
    pub name: String,
    /// The sizes, in the order in which they occur.
    pub sizes: Vec<Name>,
    /// The tensors: the arguments first.
    pub tensors: Vec<Tensor>,
    /// What is returned, in order.
    pub returns: Vec<TensorId>,
    /// The statements, in order.
    pub assignments: Vec<Assignment>,
    /// The conditions on sizes, besides that each is at least 1.
    pub obligations: Vec<Obligation>,
    /// The tensors that calls give inlined definitions, with the extents that these give their arguments.
    pub calls: Vec<(TensorId, Vec<IndexExpr>)>,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
    values: Vec<(Value, ElementType, Span)>,
}

impl TypedProgram {
    /// The tensor.
    pub fn tensor(&self, tensor: TensorId) -> &Tensor {
        &self.tensors[tensor.index()]
    }

    /// The tensor with this name.
    pub fn find(&self, name: &str) -> Option<TensorId> {
        self.tensors.iter().position(|tensor| *tensor.name == *name).map(TensorId::at)
    }

    /// The node of a value.
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.index()].0
    }

    /// The type of a value.
    pub fn data_type(&self, value: ValueId) -> ElementType {
        self.values[value.index()].1
    }

    /// The place of a value.
    pub fn span(&self, value: ValueId) -> Span {
        self.values[value.index()].2
    }

    /// All values, operands first.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (ValueId, &Value)> {
        self.values.iter().enumerate().map(|(at, (value, ..))| (ValueId::at(at), value))
    }

    /// Adds a value whose operands exist.
    pub fn push(&mut self, value: Value, data_type: ElementType, span: Span) -> ValueId {
        self.values.push((value, data_type, span));
        ValueId::at(self.values.len() - 1)
    }
}
