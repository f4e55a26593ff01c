//! The kinds of values that expressions have: index terms, conditions, vectors, sets of dimensions, permutations,
//! tensors.

use super::errors::{NoAnswer, ill_formed};
use super::nodes::{DirectNodeId, Nodes};
use base::diagnostics::Span;
use selfsame_core::operators::ElementType;

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// A written integer, or an index term as a number: of any type of numbers, depending on its context.
    Flexible,
    /// A written number with a fraction, or infinity: of any type of reals, depending on its context.
    Fraction,
    Known(ElementType),
}

pub(super) const REAL: Type = Type::Known(ElementType::Real);
pub(super) const BOOLEAN: Type = Type::Known(ElementType::Boolean);

impl Type {
    /// The common type of two alternatives, if there is one.
    pub(super) fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Flexible, Type::Known(known)) | (Type::Known(known), Type::Flexible) => {
                known.is_number().then_some(Type::Known(known))
            }
            (Type::Fraction, Type::Known(known)) | (Type::Known(known), Type::Fraction) => {
                known.is_real().then_some(Type::Known(known))
            }
            (Type::Flexible, other) | (other, Type::Flexible) => Some(other),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// The type beside an operand of type `other`, which determines a flexible type; real by default.
    pub(super) fn beside(self, other: Type) -> Type {
        match (self, other) {
            (Type::Flexible, Type::Known(of)) if of.is_number() => other,
            (Type::Fraction, Type::Known(of)) if of.is_real() => other,
            (Type::Flexible | Type::Fraction, _) => REAL,
            (known, _) => known,
        }
    }

    /// The data type; a flexible type defaults to real.
    pub(super) fn data_type(self) -> ElementType {
        match self {
            Type::Flexible | Type::Fraction => ElementType::Real,
            Type::Known(data_type) => data_type,
        }
    }

    pub(super) fn is_number(self) -> bool {
        self != BOOLEAN
    }

    pub(super) fn is_integer(self) -> bool {
        matches!(self, Type::Known(of) if of.is_integer())
    }
}

/// The source of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ElementSource {
    /// An input.
    Input(u32),
    /// The body, with the levels from `level` set to the index.
    Body { level: u32, body: DirectNodeId },
}

/// A tensor: its extents, and its element at any index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TensorThing {
    pub data_type: Type,
    pub extents: Vec<DirectNodeId>,
    pub elements: ElementSource,
}

impl TensorThing {
    /// A tensor without extents.
    pub(super) fn scalar(data_type: Type, body: DirectNodeId) -> TensorThing {
        TensorThing { data_type, extents: Vec::new(), elements: ElementSource::Body { level: 0, body } }
    }
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Index(DirectNodeId),
    Condition(DirectNodeId),
    /// A vector of index terms.
    Vector(Vec<DirectNodeId>),
    /// A set of dimensions, ascending.
    Dimensions(Vec<usize>),
    /// A permutation: the target of each dimension.
    Permutation(Vec<usize>),
    /// An element type.
    Type(ElementType),
    Tensor(TensorThing),
}

impl Thing {
    /// The kind of thing, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Thing::Index(_) => "an index term",
            Thing::Condition(_) => "a condition on indices",
            Thing::Vector(_) => "a vector",
            Thing::Dimensions(_) => "a set of dimensions",
            Thing::Permutation(_) => "a permutation",
            Thing::Type(_) => "an element type",
            Thing::Tensor(_) => "a value",
        }
    }

    fn is_no<T>(&self, span: Span, expected: &str) -> Result<T, NoAnswer> {
        ill_formed(span, format!("expected {expected}, found {}", self.kind()))
    }

    pub(super) fn index(&self, span: Span) -> Result<DirectNodeId, NoAnswer> {
        match self {
            Thing::Index(index) => Ok(*index),
            other => other.is_no(span, "an index term"),
        }
    }

    pub(super) fn condition(&self, span: Span) -> Result<DirectNodeId, NoAnswer> {
        match self {
            Thing::Condition(condition) => Ok(*condition),
            other => other.is_no(span, "a condition on indices"),
        }
    }

    pub(super) fn tensor(&self, span: Span) -> Result<&TensorThing, NoAnswer> {
        match self {
            Thing::Tensor(tensor) => Ok(tensor),
            other => other.is_no(span, "a tensor"),
        }
    }

    pub(super) fn vector(&self, span: Span) -> Result<&[DirectNodeId], NoAnswer> {
        match self {
            Thing::Vector(vector) => Ok(vector),
            other => other.is_no(span, "a vector"),
        }
    }

    /// A number that is constant once the choices are made.
    pub(super) fn number(&self, nodes: &Nodes, span: Span) -> Result<i128, NoAnswer> {
        let index = self.index(span)?;
        nodes
            .constant(index)
            .map_or_else(|| ill_formed(span, "expected a number that is the same for all sizes"), Ok)
    }

    /// A natural number that is constant once the choices are made.
    pub(super) fn count(&self, nodes: &Nodes, span: Span) -> Result<usize, NoAnswer> {
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

    /// A set of dimensions: a choice, a vector of numbers, or one number.
    pub(super) fn dimensions(&self, nodes: &Nodes, span: Span) -> Result<Vec<usize>, NoAnswer> {
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

    /// A permutation: a choice, or a vector of numbers.
    pub(super) fn permutation(&self, nodes: &Nodes, span: Span) -> Result<Vec<usize>, NoAnswer> {
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
            return ill_formed(span, "these numbers are not a permutation");
        }
        Ok(permutation)
    }
}
