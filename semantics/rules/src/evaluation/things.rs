//! What an expression can be: index terms, conditions, vectors, sets of dimensions, permutations, tensors.

use super::errors::{Fault, ill_formed};
use super::nodes::{NodeId, Nodes};
use base::diagnostics::Span;
use selfsame_core::operators::DataType;

/// What the elements of a tensor are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// A written integer, or an index term as a number: real or integer, as it is used.
    Flexible,
    Known(DataType),
}

pub(super) const REAL: Type = Type::Known(DataType::Real);
pub(super) const INTEGER: Type = Type::Known(DataType::Integer);
pub(super) const BOOLEAN: Type = Type::Known(DataType::Boolean);

impl Type {
    /// The type of what is one or the other.
    pub(super) fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Flexible, Type::Known(DataType::Boolean))
            | (Type::Known(DataType::Boolean), Type::Flexible) => None,
            (Type::Flexible, known) | (known, Type::Flexible) => Some(known),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// The type beside another one, which a number takes that has none of its own; what nothing decides is real.
    pub(super) fn beside(self, other: Type) -> Type {
        match (self, other) {
            (Type::Flexible, Type::Known(DataType::Integer)) => INTEGER,
            (Type::Flexible, _) => REAL,
            (known, _) => known,
        }
    }

    /// What nothing decides is real.
    pub(super) fn data_type(self) -> DataType {
        match self {
            Type::Flexible => DataType::Real,
            Type::Known(data_type) => data_type,
        }
    }

    pub(super) fn is_number(self) -> bool {
        self != BOOLEAN
    }
}

/// Where the elements of a tensor come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Elements {
    /// They are given.
    Input(u32),
    /// They are the body, with the levels from `level` on at the index.
    Body { level: u32, body: NodeId },
}

/// A tensor: its extents, and its element at any index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tensor {
    pub data_type: Type,
    pub extents: Vec<NodeId>,
    pub elements: Elements,
}

impl Tensor {
    /// A tensor without extents.
    pub(super) fn scalar(data_type: Type, body: NodeId) -> Tensor {
        Tensor { data_type, extents: Vec::new(), elements: Elements::Body { level: 0, body } }
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Index(NodeId),
    Condition(NodeId),
    /// Index terms.
    Vector(Vec<NodeId>),
    /// A set of dimensions, in order.
    Dimensions(Vec<usize>),
    /// Where each dimension goes.
    Permutation(Vec<usize>),
    Tensor(Tensor),
}

impl Thing {
    /// What it is, for a person.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Thing::Index(_) => "an index term",
            Thing::Condition(_) => "a condition on indices",
            Thing::Vector(_) => "a vector",
            Thing::Dimensions(_) => "a set of dimensions",
            Thing::Permutation(_) => "a permutation",
            Thing::Tensor(_) => "a value",
        }
    }

    fn is_no<T>(&self, span: Span, expected: &str) -> Result<T, Fault> {
        ill_formed(span, format!("expected {expected}, found {}", self.kind()))
    }

    pub(super) fn index(&self, span: Span) -> Result<NodeId, Fault> {
        match self {
            Thing::Index(index) => Ok(*index),
            other => other.is_no(span, "an index term"),
        }
    }

    pub(super) fn condition(&self, span: Span) -> Result<NodeId, Fault> {
        match self {
            Thing::Condition(condition) => Ok(*condition),
            other => other.is_no(span, "a condition on indices"),
        }
    }

    pub(super) fn tensor(&self, span: Span) -> Result<&Tensor, Fault> {
        match self {
            Thing::Tensor(tensor) => Ok(tensor),
            other => other.is_no(span, "a tensor"),
        }
    }

    pub(super) fn vector(&self, span: Span) -> Result<&[NodeId], Fault> {
        match self {
            Thing::Vector(vector) => Ok(vector),
            other => other.is_no(span, "a vector"),
        }
    }

    /// A number that is known once the choices are made.
    pub(super) fn number(&self, nodes: &Nodes, span: Span) -> Result<i128, Fault> {
        let index = self.index(span)?;
        nodes
            .constant(index)
            .map_or_else(|| ill_formed(span, "expected a number that is the same for all sizes"), Ok)
    }

    /// Such a number that counts something.
    pub(super) fn count(&self, nodes: &Nodes, span: Span) -> Result<usize, Fault> {
        let number = self.number(nodes, span)?;
        usize::try_from(number)
            .or_else(|_| ill_formed(span, format!("expected a number of at least 0, found {number}")))
    }

    fn counts(&self, nodes: &Nodes, span: Span) -> Option<Vec<usize>> {
        match self {
            Thing::Index(_) => Some(vec![self.count(nodes, span).ok()?]),
            Thing::Vector(of) => of.iter().map(|&p| Thing::Index(p).count(nodes, span).ok()).collect(),
            _ => None,
        }
    }

    /// A set of dimensions: a choice, numbers, or a number.
    pub(super) fn dimensions(&self, nodes: &Nodes, span: Span) -> Result<Vec<usize>, Fault> {
        if let Thing::Dimensions(dimensions) = self {
            return Ok(dimensions.clone());
        }
        let Some(mut dimensions) = self.counts(nodes, span) else {
            return self.is_no(span, "a set of dimensions");
        };
        dimensions.sort_unstable();
        if dimensions.windows(2).any(|pair| pair[0] == pair[1]) {
            return ill_formed(span, "a dimension is there twice");
        }
        Ok(dimensions)
    }

    /// A permutation: a choice, or numbers.
    pub(super) fn permutation(&self, nodes: &Nodes, span: Span) -> Result<Vec<usize>, Fault> {
        if let Thing::Permutation(permutation) = self {
            return Ok(permutation.clone());
        }
        let permutation = match self {
            Thing::Vector(_) => self.counts(nodes, span),
            _ => None,
        };
        let Some(permutation) = permutation else { return self.is_no(span, "a permutation") };
        let mut sorted = permutation.clone();
        sorted.sort_unstable();
        if sorted.into_iter().ne(0..permutation.len()) {
            return ill_formed(span, "these numbers are no permutation");
        }
        Ok(permutation)
    }
}
