//! What the sides of a rule are made of: the operators of the library where the rule applies them, so that they can be written for an
//! implementation that has them, too.

use super::values::{Elements, Lifted, Numeral, Tensor, Value};
use dashu_ratio::RBig;
use selfsame_core::{Condition, Index, InputId, Operator};

/// A tensor, with sizes as symbols.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its extents.
    pub extents: Vec<Index>,
    /// What it is.
    pub form: Form,
}

/// What a tensor is.
#[derive(Clone, Debug)]
pub enum Form {
    /// It is given.
    Input(InputId),
    /// A number.
    Number(RBig),
    /// An infinity.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// An index term as a number.
    Index(Index),
    /// A truth about sizes.
    Truth(Condition),
    /// An operator on elements; operands without extents are repeated.
    Elementwise(Operator, Vec<Outline>),
    /// An operator of the library.
    Applied(Box<Applied>),
    /// Only its elements are known: nodes of the core.
    Elements,
}

/// An operator of the library with what it is applied to.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Its name.
    pub operator: String,
    /// The tensors.
    pub operands: Vec<Outline>,
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// What its definition makes of them.
    pub body: Outline,
}

/// An attribute of an operator.
#[derive(Clone, Debug)]
pub enum Attribute {
    /// An index term.
    Index(Index),
    /// One for each dimension.
    Vector(Vec<Index>),
    /// Dimensions: a set, or where each one goes.
    Dimensions(Vec<usize>),
}

/// What a tensor is made of.
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
                Lifted::If => Operator::If,
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
        Value::Scalar(_) | Value::Vector(_) | Value::Set(_) | Value::Permutation(_) => Form::Elements,
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
