//! Elaborates applications of operators and functions.

use super::{Elaborator, MAX_APPLICATIONS, RuleError, fault, index_value};
use crate::syntax::{BITCAST, Definition, Expr, ExprKind, Operand, conversion};
use crate::values::{Application, Lifted, Origin, Scope, Tensor, Value};
use crate::vectors::is_builtin;
use base::diagnostics::{Code, Diagnostic, Span, counted};
use selfsame_core::Program;
use selfsame_core::operators::{ElementType, Primitive, Unary};
use std::rc::Rc;

impl<'a> Elaborator<'a> {
    pub(super) fn call(
        &mut self,
        name: &'a str,
        operands: &'a [Expr],
        attributes: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        let values = operands.iter().map(|operand| self.value(operand, scope));
        let values: Vec<Value<'a>> = values.collect::<Result<_, _>>()?;
        let is_defined = self.library.definition(name).is_some() || self.library.function(name).is_some();
        let is_cast = !is_defined || matches!(scope.find(name), Some(Value::Type(_)));
        if let (true, Some(operator)) = (is_cast, cast(name, attributes, scope, span)?) {
            return match values.len() {
                1 => self.lift(operator, values, span),
                _ => fault(Code::V0005, span, format!("`{name}` takes one operand"), "wrong operands"),
            };
        }
        if let Some(definition) = self.library.definition(name) {
            return self.inline(definition, &values, attributes, scope, span);
        }
        let function = self.library.function(name);
        if let Some(first) = attributes.first().filter(|_| function.is_some() || is_builtin(name)) {
            return fault(Code::V0008, first.span, format!("`{name}` takes no attributes"), "after the `;`");
        }
        match function {
            Some(function) => self.lift(Lifted::Call(function), values, span),
            None => self.builtin(name, values, span),
        }
    }

    pub(super) fn inline(
        &mut self,
        definition: &'a Definition,
        operands: &[Value<'a>],
        attributes: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        let counts = [
            (definition.operands.len(), operands.len(), "operand"),
            (definition.attributes.len(), attributes.len(), "attribute"),
        ];
        for (wanted, found, what) in counts {
            if wanted != found {
                let message =
                    format!("`{}` takes {}, found {found}", definition.name.text, counted(wanted, what));
                let label = format!("expected {}", counted(wanted, what));
                let error = Diagnostic::new(Code::V0008, span, message, label);
                return Err(Box::new(error.hint(format!("write `{}`", signature(definition)))));
            }
        }
        let mut inner = Scope::default();
        for (operand, value) in definition.operands.iter().zip(operands) {
            inner = self.bind_operand(operand, value, inner, span, &|program| {
                let shapes = operands.iter().filter_map(|value| match value {
                    Value::Tensor(tensor) => Some(program.indices_text(&tensor.extents)),
                    _ => None,
                });
                let shapes: Vec<String> = shapes.collect();
                format!(" for `{}` of {}", definition.name.text, shapes.join(" and "))
            })?;
        }
        let mut given = Vec::new();
        for (attribute, value) in definition.attributes.iter().zip(attributes) {
            let value = self.value(value, scope)?;
            inner = inner.with(&attribute.text, value.clone());
            given.push(value);
        }
        let keys = operands.iter().chain(&given).map(Value::key).collect();
        let applied =
            (&*definition.name.text, keys, self.path.clone(), self.outer.map_or(span, |outer| outer.span));
        if let Some(known) = self.applications.get(&applied) {
            return Ok(known.clone());
        }
        let value = self.body(definition, &inner, [operands, &given], span)?;
        self.applications.insert(applied, value.clone());
        Ok(value)
    }

    /// The body of a definition, in a scope that binds its operands and attributes.
    pub(super) fn body(
        &mut self,
        definition: &'a Definition,
        scope: &Scope<'a>,
        [operands, attributes]: [&[Value<'a>]; 2],
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        self.applied += 1;
        if self.applied > MAX_APPLICATIONS {
            let message =
                format!("operators are applied more than {MAX_APPLICATIONS} times once they are inlined");
            return fault(Code::V0009, span, message, "here at the latest");
        }
        let result = self.inside(Some(Origin { operator: &definition.name.text, span }), |this| {
            for condition in &definition.conditions {
                let condition = this.condition(condition, scope)?;
                this.require(condition, span, |_| {
                    format!("operands for which `{}` is defined", definition.name.text)
                });
            }
            this.value(&definition.body, scope)
        });
        let body = match result? {
            Value::Tensor(body) => body,
            other => return Ok(other),
        };
        let application = Application {
            operator: &definition.name.text,
            operands: operands.to_vec(),
            attributes: attributes.to_vec(),
            body: body.clone(),
        };
        Ok(Value::Tensor(Tensor { application: Some(Rc::new(application)), ..body }))
    }

    /// Matches an operand against its pattern `x[N.., m]`: new extent names are bound, known names require equal
    /// extents; `what` says what the operand is for.
    pub(super) fn bind_operand(
        &mut self,
        operand: &'a Operand,
        value: &Value<'a>,
        mut scope: Scope<'a>,
        span: Span,
        what: &dyn Fn(&Program) -> String,
    ) -> Result<Scope<'a>, RuleError> {
        let tensor = self.as_tensor(value.clone(), span)?;
        let singles = operand.extents.iter().filter(|extent| !extent.spread).count();
        let spreads = operand.extents.len() - singles;
        let rank = tensor.extents.len();
        if spreads > 1 {
            let message = "an operand has at most one vector of extents";
            return fault(Code::V0006, span, message, "of two vectors");
        }
        if rank < singles || (spreads == 0 && rank > singles) {
            let message = format!("operand `{}` has rank {rank}", operand.name.text);
            let wanted =
                if spreads == 0 { format!("rank {singles}") } else { format!("at least rank {singles}") };
            return fault(
                Code::V0006,
                span,
                format!("{message}, not {wanted}{}", what(&self.program)),
                format!("expected {wanted}"),
            );
        }
        let mut rest = &tensor.extents[..];
        for extent in &operand.extents {
            let length = if extent.spread { rank - singles } else { 1 };
            let (mine, others) = rest.split_at(length);
            rest = others;
            match scope.find(&extent.name.text).and_then(Value::components) {
                None => scope = scope.with(&extent.name.text, index_value(mine, extent.spread)),
                Some((known, _)) => self.same_extents([mine, &known], span, what)?,
            }
        }
        Ok(scope.with(&operand.name.text, Value::Tensor(tensor)))
    }
}

/// `i8(x)`, `i8(x; floor, saturate)`, `f16(x; trunc)`, `t(x)` for a type that is chosen, `bitcast(x; f32)`.
fn cast(name: &str, attributes: &[Expr], scope: &Scope<'_>, span: Span) -> Result<Option<Lifted>, RuleError> {
    let named = |name: &str| match scope.find(name) {
        Some(Value::Type(of)) => Some(*of),
        Some(_) => None,
        None => ElementType::named(name),
    };
    if name == BITCAST {
        let to = match attributes {
            [Expr { kind: ExprKind::Name(to), .. }] => named(to),
            _ => None,
        };
        let missing = || fault(Code::V0008, span, "`bitcast` takes the type of its result", "after a `;`");
        return to.map_or_else(missing, |to| Ok(Some(Lifted::Primitive(Primitive::Bitcast(to)))));
    }
    let Some(to) = named(name) else { return Ok(None) };
    let Some(first) = attributes.first() else { return Ok(Some(Lifted::Unary(Unary::Cast(to)))) };
    if !to.is_integer() && !to.is_float() {
        let message = format!("a cast to `{to}` takes no attributes");
        return fault(Code::V0008, first.span, message, "only a cast to integers or floats does");
    }
    match conversion(to, attributes) {
        Some(conversion) => Ok(Some(Lifted::Primitive(conversion))),
        None => {
            let label = match to.is_float() {
                true => "expected `round`, `trunc`, `floor` or `ceil`",
                false => {
                    "expected `round`, `trunc`, `floor` or `ceil`, and `wrap`, `saturate` or `undefined`"
                }
            };
            fault(Code::V0008, first.span, format!("no attributes of a cast to `{to}`"), label)
        }
    }
}

/// An application of a definition, with the names of its operands and attributes: `transpose(x; p)`
fn signature(definition: &Definition) -> String {
    let operands: Vec<&str> = definition.operands.iter().map(|operand| &*operand.name.text).collect();
    let attributes: Vec<&str> = definition.attributes.iter().map(|attribute| &*attribute.text).collect();
    let separator = if attributes.is_empty() { "" } else { "; " };
    format!("{}({}{separator}{})", definition.name.text, operands.join(", "), attributes.join(", "))
}
