//! Operators and functions of elements, applied element by element.

use super::elaboration::{Elaborator, RuleError, fault};
use super::values::{Elements, Lifted, Numeral, Tensor, Value};
use base::diagnostics::{Code, Span};
use base::seeded::Seeded;
use selfsame_core::operators::{ElementType, Unary};
use selfsame_core::operators::{binary_type, unary_type};
use selfsame_core::syntax::Function;
use selfsame_core::{FunctionId, Index, Node, NodeId, Operator};

impl<'a> Elaborator<'a> {
    /// Applies an operator to tensors of one shape; operands without extents are repeated.
    pub(super) fn lift(
        &mut self,
        operator: Lifted,
        operands: Vec<Value<'a>>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        let shaped: Vec<&Tensor<'a>> = operands.iter().filter_map(shaped).collect();
        let Some((first, others)) = shaped.split_first() else {
            return self.lifted(operator, &operands, &[], span).map(Value::Scalar);
        };
        let extents = first.extents.clone();
        for other in others {
            self.same_extents([&extents, &other.extents], span, &|program| {
                format!(" for `{}`", operator.name(program))
            })?;
        }
        Ok(Value::Tensor(self.tensor(extents.to_vec(), Elements::Lifted(operator, operands))))
    }

    /// The element of a lifted operator at an index.
    pub(super) fn lifted(
        &mut self,
        operator: Lifted,
        operands: &[Value<'a>],
        at: &[Index],
        span: Span,
    ) -> Result<NodeId, RuleError> {
        let mut elements = Vec::new();
        for operand in operands {
            elements.push(match operand {
                Value::Tensor(tensor) => match tensor.constant() {
                    Some(constant) => constant.clone(),
                    None => {
                        let at = if tensor.extents.is_empty() { &[] } else { at };
                        Value::Scalar(self.element(tensor, at, span)?)
                    }
                },
                other => other.clone(),
            });
        }
        let nodes = self.typed(operator, elements, span)?;
        self.apply(operator, nodes, span)
    }

    /// The operands as nodes; literals take the type of the other operands.
    fn typed(
        &mut self,
        operator: Lifted,
        elements: Vec<Value<'a>>,
        span: Span,
    ) -> Result<Vec<NodeId>, RuleError> {
        let declared = match (operator, &elements[..]) {
            (Lifted::Call(f), _) => Some(self.signature(f, &elements).0),
            (Lifted::Unary(Unary::Cast(to)), [numeral])
                if to.is_number() && (is_integer(numeral) || (to.is_real() && is_written(numeral))) =>
            {
                Some(vec![to])
            }
            _ => None,
        };
        // The type of the condition does not determine that of the branches.
        let said = usize::from(matches!(operator, Lifted::If | Lifted::Conditional));
        let common = elements.iter().skip(said).find_map(|element| self.type_of(element));
        let mut nodes = Vec::new();
        for (at, element) in elements.into_iter().enumerate() {
            let of = declared.as_ref().and_then(|types| types.get(at)).copied().or(common);
            nodes.push(self.scalar(element, of.unwrap_or(ElementType::Real), span)?);
        }
        Ok(nodes)
    }

    /// The types of a function's arguments and of its value. A function of reals is one of each type of reals: for `real`
    /// stands the type of the first argument that has one.
    fn signature(&self, f: FunctionId, elements: &[Value<'a>]) -> (Vec<ElementType>, ElementType) {
        let function = self.program.function(f);
        let real = elements.iter().find_map(|element| self.type_of(element)).filter(|of| of.is_real());
        let of =
            |stated: ElementType| if stated == ElementType::Real { real.unwrap_or(stated) } else { stated };
        (function.arguments.iter().map(|stated| of(*stated)).collect(), of(function.result))
    }

    /// The function of reals of this name for arguments of these types.
    fn instantiated(&mut self, f: FunctionId, types: &[ElementType]) -> FunctionId {
        let function = self.program.function(f);
        let Some(&real) = types.first().filter(|of| of.is_real() && **of != ElementType::Real) else {
            return f;
        };
        if !function.is_of_reals() || types.iter().any(|of| *of != real) {
            return f;
        }
        let wanted = Function { name: function.name.clone(), arguments: types.to_vec(), result: real };
        self.program.with_function(wanted)
    }

    fn apply(&mut self, operator: Lifted, nodes: Vec<NodeId>, span: Span) -> Result<NodeId, RuleError> {
        let types: Vec<ElementType> = nodes.iter().map(|&node| self.program.data_type(node)).collect();
        let name = match operator {
            Lifted::Unary(operator) => operator.text().to_owned(),
            Lifted::Binary(operator) => operator.text().to_owned(),
            Lifted::Primitive(primitive) => primitive.name().to_owned(),
            Lifted::If => "if".to_owned(),
            Lifted::Conditional => "conditional".to_owned(),
            Lifted::Call(f) => self.program.function(f).name.to_string(),
        };
        let (operator, result) = match operator {
            Lifted::Unary(operator) => (Operator::Unary(operator), unary_type(operator, types[0])),
            Lifted::Binary(operator) => {
                let result = (types[0] == types[1]).then(|| binary_type(operator, types[0])).flatten();
                (Operator::Binary(operator), result)
            }
            Lifted::Primitive(primitive) => (Operator::Primitive(primitive), primitive.result(&types)),
            Lifted::If | Lifted::Conditional => {
                let fits = types[0] == ElementType::Boolean && types[1] == types[2];
                let lazy = operator == Lifted::Conditional;
                (if lazy { Operator::Conditional } else { Operator::Select }, fits.then_some(types[1]))
            }
            Lifted::Call(f) => {
                let f = self.instantiated(f, &types);
                let function = self.program.function(f);
                (Operator::Call(f), (function.arguments == types).then_some(function.result))
            }
        };
        match result {
            Some(_) if is_cast(operator) && Seeded::CastIgnored.is_in() => Ok(nodes[0]),
            // A cast to the operand's own type is the identity.
            Some(result) if operator == Operator::Unary(Unary::Cast(types[0])) && result == types[0] => {
                Ok(nodes[0])
            }
            Some(result) => self.add(Node::Apply(operator, nodes.into()), result, span),
            None => {
                let types: Vec<&str> = types.iter().map(|t| t.keyword()).collect();
                let types = types.join(", ");
                fault(
                    Code::V0007,
                    span,
                    format!("`{name}` cannot be applied to {types}"),
                    format!("applied to {types}"),
                )
            }
        }
    }
}

fn is_cast(operator: Operator) -> bool {
    matches!(operator, Operator::Unary(Unary::Cast(_)))
}

fn shaped<'a, 'b>(value: &'b Value<'a>) -> Option<&'b Tensor<'a>> {
    match value {
        Value::Tensor(tensor) if !tensor.extents.is_empty() => Some(tensor),
        _ => None,
    }
}

/// Whether a value is a written number.
fn is_written(value: &Value<'_>) -> bool {
    matches!(value, Value::Numeral(_))
}

/// Whether a value is an integer without a type. A cast gives it a numeric type directly, without rounding.
fn is_integer(value: &Value<'_>) -> bool {
    match value {
        Value::Index(_) | Value::Numeral(Numeral::Index(_)) => true,
        Value::Numeral(Numeral::Number(number)) => number.is_int(),
        _ => false,
    }
}
