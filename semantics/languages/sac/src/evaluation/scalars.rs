//! **sac-primitive** (§6.2): scalars, and what is built in of arrays.

use super::{Evaluation, Result, Scope, argument_type, described, vector_text};
use crate::errors::ErrorKind;
use crate::primitives::Primitive;
use crate::syntax::{ExprId, Scalar};
use crate::values::{Cell, Value};
use language::{GivenInputs, Signature, Stopped};
use selfsame_core::operations::{Element, binary, primitive, unary};
use selfsame_core::operators::{Binary, Unary};
use values::ValueDomain;

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    /// A primitive of values.
    pub(crate) fn primitive(
        &mut self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        values: &[Value<D>],
    ) -> Result<Value<D>> {
        match (of, values) {
            (Primitive::Shape, [a]) => Ok(Value::vector(a.shape().iter().map(|extent| *extent as i64))),
            (Primitive::Dim, [a]) => Ok(Value::int(a.shape().len() as i64)),
            (Primitive::Zero, [a]) => Ok(self.zero(a.scalar())),
            (Primitive::SameShape, [a, b]) if a.shape() == b.shape() => {
                self.primitive(scope, e, Primitive::Shape, values.get(..1).unwrap_or(values))
            }
            (Primitive::SameShape, [a, b]) => {
                let [a, b] = [a, b].map(|value| vector_text(value.shape()));
                Err(self.error(
                    scope,
                    e,
                    ErrorKind::Shapes,
                    format!("the shapes {a} and {b} are not the same"),
                ))
            }
            (Primitive::Sel, [index, a]) => {
                let length = index.cells().len();
                if index.shape().len() == 1 && length == a.shape().len() {
                    return self.selected(scope, e, a, index);
                }
                let message = format!(
                    "{} selects with an index of {length} components from {} axes",
                    of.name(),
                    a.shape().len()
                );
                Err(self.error(scope, e, ErrorKind::Lengths, message))
            }
            (Primitive::Drop | Primitive::Take, [n, vector]) => self.part(scope, e, of, [n, vector]),
            (Primitive::Cat, [a, b]) if a.shape().len() == 1 && b.shape().len() == 1 => {
                let scalar = self.joined(scope, e, a.scalar(), b.scalar())?;
                let cells = |value: &Value<D>| {
                    let from = value.scalar();
                    value.cells().iter().map(|cell| self.cell_as(from, scalar, cell)).collect::<Vec<_>>()
                };
                let cells = [cells(a), cells(b)].concat();
                Ok(Value::new(scalar, vec![cells.len()], cells))
            }
            (_, [Value::Scalar(kind, a)]) => self.unary(scope, e, of, (*kind, a)),
            (_, [Value::Scalar(of_a, a), Value::Scalar(of_b, b)]) => {
                self.binary(scope, e, of, [(*of_a, a), (*of_b, b)])
            }
            _ => Err(self.wrong_arguments(scope, e, of, values)),
        }
    }

    fn wrong_arguments(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        values: &[Value<D>],
    ) -> crate::errors::Failure {
        let texts: Vec<String> = values.iter().map(|value| described(&argument_type(value))).collect();
        let message = format!("no primitive has these arguments: {}({})", of.name(), texts.join(", "));
        self.error(scope, e, ErrorKind::Call, message)
    }

    /// The 0 of a type, or `false`.
    pub(crate) fn zero(&self, scalar: Scalar) -> Value<D> {
        match scalar {
            Scalar::Bool => self.truth(Some(false)),
            Scalar::Int => Value::int(0),
            float => Value::Scalar(float, Cell::Element(self.element(Scalar::Int, float, &Cell::Int(0)))),
        }
    }

    /// `_drop_SxV_` and `_take_SxV_`
    fn part(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        [n, vector]: [&Value<D>; 2],
    ) -> Result<Value<D>> {
        let ([], [length]) = (n.shape(), vector.shape()) else {
            return Err(self.wrong_arguments(scope, e, of, &[n.clone(), vector.clone()]));
        };
        let [n] = self.integers(scope, e, n, "the first argument")?[..] else {
            return Err(self.wrong_arguments(scope, e, of, std::slice::from_ref(n)));
        };
        let size = usize::try_from(n.unsigned_abs()).ok().filter(|size| size <= length);
        let Some(size) = size else {
            let message = format!("{} of {n} elements, from a vector of {length}", of.name());
            return Err(self.error(scope, e, ErrorKind::Outside, message));
        };
        let range = match (of, n < 0) {
            (Primitive::Drop, false) => size..*length,
            (Primitive::Drop, true) => 0..length - size,
            (_, false) => 0..size,
            (_, true) => length - size..*length,
        };
        let cells = vector.cells()[range].to_vec();
        Ok(Value::new(vector.scalar(), vec![cells.len()], cells))
    }

    fn unary(
        &mut self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        (kind, a): (Scalar, &Cell<D>),
    ) -> Result<Value<D>> {
        let wrong = |this: &Self| this.wrong_arguments(scope, e, of, &[Value::Scalar(kind, a.clone())]);
        let number = |to: Scalar| Ok(Value::Scalar(to, self.cell_as(kind, to, a)));
        let operated = |operator| {
            let operand = self.element(kind, kind, a);
            let result = unary(self.domain, (operator, self.floats.of(kind)), &operand);
            Ok(Value::Scalar(kind, Cell::Element(result)))
        };
        match (of, kind, a) {
            (Primitive::Negate | Primitive::Absolute, Scalar::Int, Cell::Int(known)) => {
                let result = if of == Primitive::Negate { known.checked_neg() } else { known.checked_abs() };
                result.map(Value::int).ok_or_else(|| self.too_large(scope, e))
            }
            (Primitive::Negate, Scalar::Int | Scalar::Float | Scalar::Double, _) => operated(Unary::Negate),
            (Primitive::Absolute, Scalar::Int | Scalar::Float | Scalar::Double, _) => {
                operated(Unary::Absolute)
            }
            (Primitive::Not, Scalar::Bool, _) => operated(Unary::Not),
            (Primitive::ToInt, Scalar::Int | Scalar::Float | Scalar::Double, _) => number(Scalar::Int),
            (Primitive::ToFloat, Scalar::Int | Scalar::Float | Scalar::Double, _) => number(Scalar::Float),
            (Primitive::ToDouble, Scalar::Int | Scalar::Float | Scalar::Double, _) => number(Scalar::Double),
            (Primitive::Exp | Primitive::Log | Primitive::Sqrt, Scalar::Float | Scalar::Double, _) => {
                let data_type = self.floats.of(kind);
                let name = match of {
                    Primitive::Exp => "exp",
                    Primitive::Log => "log",
                    _ => "sqrt",
                };
                let signature = Signature { name, arguments: &[data_type], result: data_type };
                let value = self.given.call(signature, &[self.element(kind, kind, a)]);
                let value =
                    value.ok_or_else(|| Stopped::Stuck(format!("the function `{name}` has no value")))?;
                Ok(Value::Scalar(kind, Cell::Element(value)))
            }
            _ => Err(wrong(self)),
        }
    }

    fn too_large(&self, scope: &Scope<'_, D>, e: ExprId) -> crate::errors::Failure {
        self.error(scope, e, ErrorKind::Number, "a known integer exceeds 64 bits".to_owned())
    }

    fn binary(
        &mut self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        [(kind_a, a), (kind_b, b)]: [(Scalar, &Cell<D>); 2],
    ) -> Result<Value<D>> {
        let (Some(operator), Some(kind)) = (of.binary(), kind_a.joined(kind_b)) else {
            let values = [Value::Scalar(kind_a, a.clone()), Value::Scalar(kind_b, b.clone())];
            return Err(self.wrong_arguments(scope, e, of, &values));
        };
        if let (Cell::Int(a), Cell::Int(b)) = (a, b)
            && kind == Scalar::Int
        {
            return self.integers_combined(scope, e, of, [*a, *b]);
        }
        if !has(operator, kind) {
            let values = [Value::Scalar(kind_a, a.clone()), Value::Scalar(kind_b, b.clone())];
            return Err(self.wrong_arguments(scope, e, of, &values));
        }
        let [a, b] = [self.element(kind_a, kind, a), self.element(kind_b, kind, b)];
        let result = self.combined(of, operator, kind, [&a, &b]);
        let kind = if is_comparison(operator) { Scalar::Bool } else { kind };
        Ok(Value::Scalar(kind, Cell::Element(result)))
    }

    /// An operator on two values of the domain.
    fn combined(
        &self,
        of: Primitive,
        operator: Binary,
        kind: Scalar,
        [a, b]: [&Element<D>; 2],
    ) -> Element<D> {
        match (of, kind) {
            (Primitive::Div, Scalar::Int) => {
                primitive(self.domain, values::Primitive::Quotient, &[a.clone(), b.clone()])
            }
            _ => binary(self.domain, self.division, operator, a, b),
        }
    }

    /// An operator on two known integers.
    fn integers_combined(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        of: Primitive,
        [a, b]: [i64; 2],
    ) -> Result<Value<D>> {
        let truth = |truth| Ok(self.truth(Some(truth)));
        let result = match of {
            Primitive::Add => a.checked_add(b),
            Primitive::Sub => a.checked_sub(b),
            Primitive::Mul => a.checked_mul(b),
            Primitive::Div | Primitive::Mod if b == 0 => {
                let message = format!("the known integer {a} is divided by 0");
                return Err(self.error(scope, e, ErrorKind::Number, message));
            }
            Primitive::Div => a.checked_div(b),
            Primitive::Mod => a.checked_rem(b),
            Primitive::Min => Some(a.min(b)),
            Primitive::Max => Some(a.max(b)),
            Primitive::Equal => return truth(a == b),
            Primitive::NotEqual => return truth(a != b),
            Primitive::Less => return truth(a < b),
            Primitive::LessOrEqual => return truth(a <= b),
            Primitive::Greater => return truth(a > b),
            Primitive::GreaterOrEqual => return truth(a >= b),
            _ => return Err(self.wrong_arguments(scope, e, of, &[Value::int(a), Value::int(b)])),
        };
        result.map(Value::int).ok_or_else(|| self.too_large(scope, e))
    }

    pub(crate) fn cast(&self, [from, to]: [Scalar; 2], element: &Element<D>) -> Element<D> {
        unary(self.domain, (Unary::Cast(self.floats.of(to)), self.floats.of(from)), element)
    }
}

/// Whether a comparison has a truth value as its result.
pub(crate) fn is_comparison(operator: Binary) -> bool {
    use Binary::*;
    matches!(operator, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
}

/// Whether scalars of a type have an operator.
pub(crate) fn has(operator: Binary, kind: Scalar) -> bool {
    match operator {
        Binary::And | Binary::Or => kind == Scalar::Bool,
        Binary::Equal | Binary::NotEqual => true,
        Binary::Rem => kind == Scalar::Int,
        _ => kind != Scalar::Bool,
    }
}
