//! What an expression of a rule can be, once its names have meanings.

use super::syntax::Expr;
use base::diagnostics::Span;
use base::stack::growing;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Unary};
use selfsame_core::{Condition, FunctionId, Index, InputId, NodeId};
use std::rc::Rc;

/// What an expression is.
#[derive(Clone)]
pub enum Value<'a> {
    /// An index term; a constant may also be a number.
    Index(Index),
    /// Several index terms.
    Vector(Rc<[Index]>),
    /// A truth about indices; a constant may also be a truth value.
    Condition(Condition),
    /// Some of the dimensions, ascending.
    Set(Rc<[usize]>),
    /// The dimensions, rearranged.
    Permutation(Rc<[usize]>),
    /// A number, or an index term as a number, whose type depends on what it meets.
    Numeral(Numeral),
    /// An element.
    Scalar(NodeId),
    /// A tensor.
    Tensor(Tensor<'a>),
}

/// A number that is not yet of a type.
#[derive(Clone)]
pub enum Numeral {
    /// A number.
    Number(RBig),
    /// An index term as a number.
    Index(Index),
    /// `infinity` or `-infinity`, of floats.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
}

/// What a value is, for finding out that two are the same: tensors are by their identity.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// An index term or several.
    Indices(Vec<Index>, bool),
    /// A truth about indices.
    Condition(Condition),
    /// Some of the dimensions, or the dimensions rearranged.
    Dimensions(Rc<[usize]>, bool),
    /// A number.
    Number(RBig),
    /// An index term as a number.
    IndexNumber(Index),
    /// An infinity.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// An element.
    Scalar(NodeId),
    /// A tensor and the operator application that gives it, if one does: by its address, which is kept by whoever keeps the tensor.
    Tensor(usize, Option<usize>),
}

/// A tensor: its extents, and what gives its elements.
#[derive(Clone)]
pub struct Tensor<'a> {
    /// Distinct for distinct tensors, so that elements can be kept.
    pub id: usize,
    /// The extents.
    pub extents: Rc<[Index]>,
    /// What gives its elements.
    pub elements: Rc<Elements<'a>>,
    /// Where the rule uses the operator in whose definition it stands.
    pub origin: Option<Span>,
    /// The operator that gives it, if one does.
    pub application: Option<Rc<Application<'a>>>,
}

/// An operator of the library with what it is applied to.
pub struct Application<'a> {
    /// Its name.
    pub operator: &'a str,
    /// The tensors.
    pub operands: Vec<Value<'a>>,
    /// The attributes.
    pub attributes: Vec<Value<'a>>,
    /// What its definition makes of them.
    pub body: Tensor<'a>,
}

/// What gives the elements of a tensor.
pub enum Elements<'a> {
    /// It is given.
    Input(InputId),
    /// `[i < n] -> e`, with the names of the indices and the lengths of those that are vectors.
    Body(Vec<(&'a str, Option<usize>)>, &'a Expr, Scope<'a>),
    /// An operator, element by element; operands without extents are repeated.
    Lifted(Lifted, Vec<Value<'a>>),
    /// A constant, without extents.
    Constant(Value<'a>),
}

/// Tensors are made of tensors, as deep as a rule has operators.
impl Drop for Elements<'_> {
    fn drop(&mut self) {
        if let Elements::Lifted(_, operands) = self {
            growing(|| operands.clear());
        }
    }
}

impl Drop for Application<'_> {
    fn drop(&mut self) {
        growing(|| self.operands.clear());
    }
}

/// An operator of elements, before the types of its operands are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifted {
    /// Of one operand.
    Unary(Unary),
    /// Of two.
    Binary(Binary),
    /// `if c then a else b`
    If,
    /// A function.
    Call(FunctionId),
}

/// Names with their meanings, the newest first.
#[derive(Clone, Default)]
pub struct Scope<'a>(Option<Rc<Bound<'a>>>);

struct Bound<'a> {
    name: &'a str,
    value: Value<'a>,
    outer: Scope<'a>,
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        let mut outer = self.outer.0.take();
        while let Some(mut bound) = outer.and_then(Rc::into_inner) {
            outer = bound.outer.0.take();
        }
    }
}

impl<'a> Scope<'a> {
    /// One more name.
    pub fn with(&self, name: &'a str, value: Value<'a>) -> Scope<'a> {
        Scope(Some(Rc::new(Bound { name, value, outer: self.clone() })))
    }

    /// What a name means.
    pub fn find(&self, name: &str) -> Option<&Value<'a>> {
        let mut scope = self;
        while let Some(bound) = &scope.0 {
            if bound.name == name {
                return Some(&bound.value);
            }
            scope = &bound.outer;
        }
        None
    }

    /// The names.
    pub fn names(&self) -> Vec<&'a str> {
        let (mut names, mut scope) = (Vec::new(), self);
        while let Some(bound) = &scope.0 {
            names.push(bound.name);
            scope = &bound.outer;
        }
        names
    }
}

impl Value<'_> {
    /// As a person says it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Index(_) => "an index term",
            Value::Vector(_) => "a vector of index terms",
            Value::Condition(_) => "a condition on indices",
            Value::Set(_) => "a set of dimensions",
            Value::Permutation(_) => "a permutation",
            Value::Numeral(_) => "a number",
            Value::Scalar(_) => "an element",
            Value::Tensor(_) => "a tensor",
        }
    }

    /// Whether it is not the same for all sizes and indices.
    pub fn varies(&self) -> bool {
        let varies = |p: &Index| p.as_constant().is_none();
        match self {
            Value::Index(p) | Value::Numeral(Numeral::Index(p)) => varies(p),
            Value::Vector(parts) => parts.iter().any(varies),
            Value::Condition(condition) => condition.known().is_none(),
            Value::Set(_) | Value::Permutation(_) | Value::Numeral(_) => false,
            Value::Scalar(_) | Value::Tensor(_) => true,
        }
    }

    /// What it is.
    pub fn key(&self) -> Key {
        match self {
            Value::Index(p) => Key::Indices(vec![p.clone()], false),
            Value::Vector(parts) => Key::Indices(parts.to_vec(), true),
            Value::Condition(condition) => Key::Condition(condition.clone()),
            Value::Set(of) => Key::Dimensions(of.clone(), false),
            Value::Permutation(of) => Key::Dimensions(of.clone(), true),
            Value::Numeral(Numeral::Number(number)) => Key::Number(number.clone()),
            Value::Numeral(Numeral::Index(p)) => Key::IndexNumber(p.clone()),
            Value::Numeral(Numeral::Infinite { negative }) => Key::Infinite { negative: *negative },
            Value::Scalar(node) => Key::Scalar(*node),
            Value::Tensor(Tensor { id, application, .. }) => {
                Key::Tensor(*id, application.as_ref().map(|of| Rc::as_ptr(of).addr()))
            }
        }
    }

    /// A constant index.
    pub fn as_natural(&self) -> Option<usize> {
        match self {
            Value::Index(p) => usize::try_from(p.as_constant()?).ok(),
            _ => None,
        }
    }

    /// An index term or the components of a vector, and whether it is a vector.
    pub fn components(&self) -> Option<(Vec<Index>, bool)> {
        match self {
            Value::Index(p) => Some((vec![p.clone()], false)),
            Value::Vector(parts) => Some((parts.to_vec(), true)),
            _ => None,
        }
    }
}

/// A number as an index term, if it is an integer.
pub fn integer(number: &RBig) -> Option<IBig> {
    IBig::try_from(number.clone()).ok()
}
