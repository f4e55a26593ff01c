//! The values that expressions of a rule take, once their names are resolved.

use super::syntax::Expr;
use base::diagnostics::Span;
use base::stack::growing;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary};
use selfsame_core::{Condition, FunctionId, Index, InputId, NodeId, Program};
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone)]
pub enum Value<'a> {
    /// An index term; a constant one may also serve as a number.
    Index(Index),
    /// A vector of index terms.
    Vector(Rc<[Index]>),
    /// A condition on indices; a constant one may also serve as a truth value.
    Condition(Condition),
    /// A set of dimensions, ascending.
    Set(Rc<[usize]>),
    /// A permutation of the dimensions.
    Permutation(Rc<[usize]>),
    /// An element type.
    Type(ElementType),
    /// A number, or an index term as a number, whose type depends on its context.
    Numeral(Numeral),
    /// A scalar element.
    Scalar(NodeId),
    /// A tensor.
    Tensor(Tensor<'a>),
}

/// A number without a type yet.
#[derive(Clone)]
pub enum Numeral {
    /// An exact number.
    Number(RBig),
    /// An index term as a number.
    Index(Index),
    /// `infinity` or `-infinity`, which only floats have.
    Infinite {
        /// Whether it is negative.
        negative: bool,
    },
}

/// A key under which equal values are shared; tensors compare by identity.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// An index term, or a vector (`true`).
    Indices(Vec<Index>, bool),
    /// A condition on indices.
    Condition(Condition),
    /// A set of dimensions, or a permutation (`true`).
    Dimensions(Rc<[usize]>, bool),
    /// An element type.
    Type(ElementType),
    /// An exact number.
    Number(RBig),
    /// An index term as a number.
    IndexNumber(Index),
    /// An infinity.
    Infinite {
        /// Whether it is negative.
        negative: bool,
    },
    /// A scalar element.
    Scalar(NodeId),
    /// A tensor, by its identity, and the address of the operator application that yields it, if any; the owner of
    /// the key keeps the tensor alive.
    Tensor(usize, Option<usize>),
}

/// The place in a rule that applies an operator.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The name of the operator.
    pub operator: &'a str,
    /// The application.
    pub span: Span,
}

/// A tensor: its extents, and the source of its elements.
#[derive(Clone)]
pub struct Tensor<'a> {
    /// Distinct for distinct tensors, so that elements can be cached.
    pub id: usize,
    /// The extents.
    pub extents: Rc<[Index]>,
    /// The source of its elements.
    pub elements: Rc<Elements<'a>>,
    /// Where the rule applies the operator whose definition contains this tensor.
    pub origin: Option<Origin<'a>>,
    /// The operator application that yields the tensor, if any.
    pub application: Option<Rc<Application<'a>>>,
}

impl<'a> Tensor<'a> {
    /// The constant, if the tensor is one without extents: its type depends on its context.
    pub fn constant(&self) -> Option<&Value<'a>> {
        match &*self.elements {
            Elements::Constant(value) if self.extents.is_empty() => Some(value),
            _ => None,
        }
    }
}

/// An application of an operator of the library.
pub struct Application<'a> {
    /// The name of the operator.
    pub operator: &'a str,
    /// The tensor operands.
    pub operands: Vec<Value<'a>>,
    /// The attributes.
    pub attributes: Vec<Value<'a>>,
    /// The value of the definition at these operands and attributes.
    pub body: Tensor<'a>,
}

/// The source of a tensor's elements.
pub enum Elements<'a> {
    /// An input.
    Input(InputId),
    /// `[i < n] -> e`, with the names of the indices and the lengths of those that are vectors.
    Body(Vec<(&'a str, Option<usize>)>, &'a Expr, Scope<'a>),
    /// An operator, element by element; operands without extents are repeated.
    Lifted(Lifted, Vec<Value<'a>>),
    /// A constant; the tensor has no extents.
    Constant(Value<'a>),
}

/// Grows the stack, because tensors nest as deeply as a rule has operators.
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

/// An operator on elements, before the types of its operands are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifted {
    /// A unary operator.
    Unary(Unary),
    /// A binary operator.
    Binary(Binary),
    /// A function with a fixed meaning.
    Primitive(Primitive),
    /// `if c then a else b`
    If,
    /// `conditional(c, a, b)`
    Conditional,
    /// A declared function.
    Call(FunctionId),
}

impl Lifted {
    /// The name of the operator or function in rules.
    pub(super) fn name(self, program: &Program) -> &str {
        match self {
            Lifted::Unary(operator) => operator.text(),
            Lifted::Binary(operator) => operator.text(),
            Lifted::Primitive(primitive) => primitive.name(),
            Lifted::If => "if",
            Lifted::Conditional => "conditional",
            Lifted::Call(function) => &program.function(function).name,
        }
    }
}

/// Names with their values, innermost first.
#[derive(Clone, Default)]
pub struct Scope<'a>(Option<Rc<BoundName<'a>>>);

struct BoundName<'a> {
    name: &'a str,
    value: Value<'a>,
    outer: Scope<'a>,
}

impl Drop for BoundName<'_> {
    fn drop(&mut self) {
        let mut outer = self.outer.0.take();
        while let Some(mut bound) = outer.and_then(Rc::into_inner) {
            outer = bound.outer.0.take();
        }
    }
}

impl<'a> Scope<'a> {
    /// The scope extended by a name.
    pub fn with(&self, name: &'a str, value: Value<'a>) -> Scope<'a> {
        Scope(Some(Rc::new(BoundName { name, value, outer: self.clone() })))
    }

    /// The value of a name.
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

    /// The names in scope, innermost first.
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
    /// The kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Index(_) => "an index term",
            Value::Vector(_) => "a vector of index terms",
            Value::Condition(_) => "a condition on indices",
            Value::Set(_) => "a set of dimensions",
            Value::Permutation(_) => "a permutation",
            Value::Type(_) => "an element type",
            Value::Numeral(_) => "a number",
            Value::Scalar(_) => "an element",
            Value::Tensor(_) => "a tensor",
        }
    }

    /// Whether the value depends on sizes or indices.
    pub fn varies(&self) -> bool {
        let varies = |p: &Index| p.as_constant().is_none();
        match self {
            Value::Index(p) | Value::Numeral(Numeral::Index(p)) => varies(p),
            Value::Vector(parts) => parts.iter().any(varies),
            Value::Condition(condition) => condition.known().is_none(),
            Value::Set(_) | Value::Permutation(_) | Value::Type(_) | Value::Numeral(_) => false,
            Value::Scalar(_) | Value::Tensor(_) => true,
        }
    }

    /// The key under which equal values are shared.
    pub fn key(&self) -> Key {
        match self {
            Value::Index(p) => Key::Indices(vec![p.clone()], false),
            Value::Vector(parts) => Key::Indices(parts.to_vec(), true),
            Value::Condition(condition) => Key::Condition(condition.clone()),
            Value::Set(of) => Key::Dimensions(of.clone(), false),
            Value::Permutation(of) => Key::Dimensions(of.clone(), true),
            Value::Type(of) => Key::Type(*of),
            Value::Numeral(Numeral::Number(number)) => Key::Number(number.clone()),
            Value::Numeral(Numeral::Index(p)) => Key::IndexNumber(p.clone()),
            Value::Numeral(Numeral::Infinite { negative }) => Key::Infinite { negative: *negative },
            Value::Scalar(node) => Key::Scalar(*node),
            Value::Tensor(Tensor { id, application, .. }) => {
                Key::Tensor(*id, application.as_ref().map(|of| Rc::as_ptr(of).addr()))
            }
        }
    }

    /// A constant index term as a natural number.
    pub fn as_natural(&self) -> Option<usize> {
        match self {
            Value::Index(p) => usize::try_from(p.as_constant()?).ok(),
            _ => None,
        }
    }

    /// The components of an index term or vector, and whether it is a vector.
    pub fn components(&self) -> Option<(Vec<Index>, bool)> {
        match self {
            Value::Index(p) => Some((vec![p.clone()], false)),
            Value::Vector(parts) => Some((parts.to_vec(), true)),
            _ => None,
        }
    }
}

/// An integral number as an integer.
pub fn integer(number: &RBig) -> Option<IBig> {
    IBig::try_from(number.clone()).ok()
}
