//! The structure of a rule's sides: which operators of the library the rule applies, so that a rule can be
//! transcribed for an implementation with these operators.

use super::values::{Elements, Lifted, Numeral, Tensor, Value};
use dashu_ratio::RBig;
use selfsame_core::{Condition, Index, InputId, Operator};

/// A tensor, with symbolic sizes.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The extents of the tensor.
    pub extents: Vec<Index>,
    /// How the tensor is formed.
    pub form: Form,
}

/// How a tensor is formed.
#[derive(Clone, Debug)]
pub enum Form {
    /// An input.
    Input(InputId),
    /// An exact number.
    Number(RBig),
    /// An infinity.
    Infinite {
        /// Whether it is negative.
        negative: bool,
    },
    /// An index term as a number.
    Index(Index),
    /// A condition on sizes, as a truth value.
    Truth(Condition),
    /// An element-wise operator; operands without extents are repeated.
    Elementwise(Operator, Vec<Outline>),
    /// An application of a library operator.
    Applied(Box<Applied>),
    /// Only its elements are known, as nodes of the core.
    Elements,
}

/// An application of an operator of the library.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The name of the operator.
    pub operator: String,
    /// The tensor operands.
    pub operands: Vec<Outline>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// The definition, expanded at these operands and attributes.
    pub body: Outline,
}

/// An attribute of an operator.
#[derive(Clone, Debug)]
pub enum Attribute {
    /// An index term.
    Index(Index),
    /// A vector of index terms, one per dimension.
    Vector(Vec<Index>),
    /// A set of dimensions, or a permutation as the target of each one.
    Dimensions(Vec<usize>),
}

/// The outline of a tensor.
pub(super) fn outline(tensor: &Tensor<'_>) -> Outline {
    let form = match (&tensor.application, &*tensor.elements) {
        (Some(application), _) => {
            let attributes: Option<Vec<Attribute>> = application.attributes.iter().map(attribute).collect();
            let operands = application.operands.iter().map(of_value).collect();
            let body = outline(&application.body);
            attributes.map_or(Form::Elements, |attributes| {
                let operator = application.operator.to_owned();
                Form::Applied(Box::new(Applied { operator, operands, attributes, body }))
            })
        }
        (None, Elements::Input(input)) => Form::Input(*input),
        (None, Elements::Constant(value)) => of_value(value).form,
        (None, Elements::Lifted(operator, operands)) => {
            let operator = match *operator {
                Lifted::Unary(operator) => Operator::Unary(operator),
                Lifted::Binary(operator) => Operator::Binary(operator),
                Lifted::Primitive(primitive) => Operator::Primitive(primitive),
                Lifted::If => Operator::If,
                Lifted::Conditional => Operator::Conditional,
                Lifted::Call(f) => Operator::Call(f),
            };
            Form::Elementwise(operator, operands.iter().map(of_value).collect())
        }
        (None, Elements::Body(..)) => Form::Elements,
    };
    Outline { extents: tensor.extents.to_vec(), form }
}

fn of_value(value: &Value<'_>) -> Outline {
    let form = match value {
        Value::Tensor(tensor) => return outline(tensor),
        Value::Index(p) => match p.as_constant() {
            Some(constant) => Form::Number(RBig::from(constant.clone())),
            None => Form::Index(p.clone()),
        },
        Value::Numeral(Numeral::Number(number)) => Form::Number(number.clone()),
        Value::Numeral(Numeral::Index(p)) => Form::Index(p.clone()),
        Value::Numeral(Numeral::Infinite { negative }) => Form::Infinite { negative: *negative },
        Value::Condition(condition) => Form::Truth(condition.clone()),
        Value::Scalar(_) | Value::Vector(_) | Value::Set(_) | Value::Permutation(_) | Value::Type(_) => {
            Form::Elements
        }
    };
    Outline { extents: Vec::new(), form }
}

fn attribute(value: &Value<'_>) -> Option<Attribute> {
    match value {
        Value::Index(p) => Some(Attribute::Index(p.clone())),
        Value::Vector(parts) => Some(Attribute::Vector(parts.to_vec())),
        Value::Set(dimensions) | Value::Permutation(dimensions) => {
            Some(Attribute::Dimensions(dimensions.to_vec()))
        }
        _ => None,
    }
}
