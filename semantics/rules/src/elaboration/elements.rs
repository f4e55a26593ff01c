//! Elaborates elements: reads, choices and numbers.

use super::{Elaborator, RuleError, fault, index_value, wrong_kind};
use crate::syntax::{Expr, ExprKind};
use crate::values::{Elements, Lifted, Numeral, Scope, Tensor, Value};
use base::diagnostics::{Code, Diagnostic, Span, counted};
use base::seeded::{Seeded, seeded};
use base::stack::growing;
use dashu_ratio::RBig;
use selfsame_core::operators::ElementType;
use selfsame_core::{Condition, Index, Node, NodeId};
use values::Scalar;

impl<'a> Elaborator<'a> {
    pub(super) fn conditional(
        &mut self,
        parts: &'a [Expr; 3],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        let [c, a, b] = parts;
        let condition = match self.value(c, scope)? {
            Value::Condition(condition) => condition,
            chosen => {
                let (a, b) = (self.value(a, scope)?, self.value(b, scope)?);
                return self.lift(Lifted::If, vec![chosen, a, b], span);
            }
        };
        // A condition on ranks or dimensions is decided here, and the other branch need not have a meaning.
        let known = condition.known();
        if let Some(truth) = known.filter(|_| !varies(c, scope)) {
            return self.value(if truth { a } else { b }, scope);
        }
        let yes = self.under(condition.clone(), |this| this.value(a, scope))?;
        let no = self.under(!condition.clone(), |this| this.value(b, scope))?;
        let condition = seeded(Seeded::IfNegated, condition.clone(), || !condition);
        if let (Value::Condition(yes), Value::Condition(no)) = (&yes, &no) {
            let both =
                [Condition::all([condition.clone(), yes.clone()]), Condition::all([!condition, no.clone()])];
            return Ok(Value::Condition(Condition::any(both)));
        }
        match (known, &yes, &no) {
            (Some(true), Value::Tensor(_), _) => Ok(yes),
            (Some(false), _, Value::Tensor(_)) => Ok(no),
            _ => self.choose(condition, [yes, no], span).map(Value::Scalar),
        }
    }

    pub(super) fn choose(
        &mut self,
        condition: Condition,
        branches: [Value<'a>; 2],
        span: Span,
    ) -> Result<NodeId, RuleError> {
        let wanted = branches.iter().find_map(|value| self.type_of(value));
        let wanted = wanted.unwrap_or(ElementType::Real);
        let [yes, no] = branches;
        let [yes, no] = [self.scalar(yes, wanted, span)?, self.scalar(no, wanted, span)?];
        let (t, u) = (self.program.data_type(yes), self.program.data_type(no));
        if t != u {
            let message = format!("the branches are {} and {}", t.keyword(), u.keyword());
            return fault(Code::V0007, span, message, "the types differ");
        }
        self.chosen(condition, [yes, no], t, span)
    }

    /// Chooses between two elements of one type; if the condition is constant, returns that branch.
    fn chosen(
        &mut self,
        condition: Condition,
        [yes, no]: [NodeId; 2],
        data_type: ElementType,
        span: Span,
    ) -> Result<NodeId, RuleError> {
        match condition.known() {
            Some(true) => Ok(yes),
            Some(false) => Ok(no),
            None => self.add(Node::Choose(condition, [yes, no]), data_type, span),
        }
    }

    /// Reads an element of a tensor; requires that the index lies within its extents.
    pub(super) fn read(
        &mut self,
        tensor: &'a Expr,
        indices: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, RuleError> {
        let value = self.value(tensor, scope)?;
        let Value::Tensor(read) = value else { return wrong_kind(tensor.span, "a tensor", &value) };
        let mut at = Vec::new();
        for index in indices {
            at.extend(self.indices(index, scope)?.0);
        }
        if at.len() != read.extents.len() {
            let message =
                format!("{} for a tensor of rank {}", counted(at.len(), "index term"), read.extents.len());
            return fault(Code::V0006, span, message, format!("expected {}", read.extents.len()));
        }
        let zero = Index::default();
        let within =
            at.iter().zip(read.extents.iter()).map(|(p, extent)| Condition::within(&zero, p, extent));
        self.require(Condition::all(within), span, |program| {
            let (at, extents) = (program.indices_text(&at), program.indices_text(&read.extents));
            format!("an index within the shape {extents}, not {at}")
        });
        self.element(&read, &at, span).map(Value::Scalar)
    }

    /// The element of a tensor at an index.
    ///
    /// # Errors
    /// The tensor's expression has no meaning.
    pub fn element(&mut self, tensor: &Tensor<'a>, at: &[Index], span: Span) -> Result<NodeId, RuleError> {
        let key = (tensor.id, at.to_vec(), self.path.clone());
        if let Some(&known) = self.elements.get(&key) {
            return Ok(known);
        }
        self.unread.remove(&tensor.id);
        let element = growing(|| self.inside(tensor.origin, |this| this.new_element(tensor, at, span)))?;
        self.elements.insert(key, element);
        Ok(element)
    }

    pub(super) fn new_element(
        &mut self,
        tensor: &Tensor<'a>,
        at: &[Index],
        span: Span,
    ) -> Result<NodeId, RuleError> {
        match &*tensor.elements {
            Elements::Input(input) => {
                let data_type = self.program.input(*input).data_type;
                self.add(Node::Read(*input, at.into()), data_type, span)
            }
            Elements::Body(names, body, scope) => {
                let (mut scope, mut rest) = (scope.clone(), at);
                for (name, length) in names {
                    let (mine, others) = rest.split_at(length.unwrap_or(1));
                    scope = scope.with(name, index_value(mine, length.is_some()));
                    rest = others;
                }
                let value = self.value(body, &scope)?;
                self.scalar(value, ElementType::Real, body.span)
            }
            Elements::Lifted(operator, operands) => self.lifted(*operator, operands, at, span),
            Elements::Constant(value) => self.scalar(value.clone(), ElementType::Real, span),
        }
    }

    /// The value as a tensor; a constant becomes a tensor without extents.
    ///
    /// # Errors
    /// The value is a vector, set or permutation.
    pub fn as_tensor(&mut self, value: Value<'a>, span: Span) -> Result<Tensor<'a>, RuleError> {
        match value {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Vector(_) | Value::Set(_) | Value::Permutation(_) | Value::Type(_) => {
                wrong_kind(span, "a tensor", &value)
            }
            constant => Ok(self.tensor(Vec::new(), Elements::Constant(constant))),
        }
    }

    /// The type of an element, if it is determined.
    pub(in super::super) fn type_of(&self, value: &Value<'a>) -> Option<ElementType> {
        match value {
            Value::Scalar(node) => Some(self.program.data_type(*node)),
            Value::Condition(_) => Some(ElementType::Boolean),
            Value::Tensor(tensor) => match (&*tensor.elements, tensor.constant()) {
                (_, Some(constant)) => self.type_of(constant),
                (Elements::Input(input), None) => Some(self.program.input(*input).data_type),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value as an element; numbers take the wanted type.
    pub(in super::super) fn scalar(
        &mut self,
        value: Value<'a>,
        wanted: ElementType,
        span: Span,
    ) -> Result<NodeId, RuleError> {
        let numeric = if wanted == ElementType::Boolean { ElementType::Real } else { wanted };
        match value {
            Value::Scalar(node) => Ok(node),
            Value::Tensor(tensor) if tensor.extents.is_empty() => match tensor.constant() {
                Some(constant) => self.scalar(constant.clone(), wanted, span),
                None => self.element(&tensor, &[], span),
            },
            Value::Numeral(Numeral::Number(number)) if numeric.is_integer() && !number.is_int() => {
                let message = "a number with a fraction is not an integer";
                fault(Code::V0007, span, message, "an integer is expected here")
            }
            Value::Numeral(Numeral::Number(number)) => self.number(number, numeric, span),
            Value::Numeral(Numeral::Index(p)) => self.add(Node::Index(p, numeric), numeric, span),
            Value::Numeral(Numeral::Infinite { negative }) => {
                let of = if numeric.is_real() { numeric } else { ElementType::Real };
                self.add(Node::Infinite { negative, of }, of, span)
            }
            Value::Index(p) => match p.as_constant() {
                Some(constant) => self.number(RBig::from(constant), numeric, span),
                None => {
                    let message = "an index term is not a number";
                    let error = Diagnostic::new(Code::V0005, span, message, "this is an index term");
                    Err(Box::new(error.hint("`index(p)` is the index term p as a number")))
                }
            },
            Value::Condition(condition) => self.truth(condition, span),
            other => wrong_kind(span, "an element", &other),
        }
    }

    /// A written number of an element type; a stated type must have it.
    fn number(&mut self, number: RBig, of: ElementType, span: Span) -> Result<NodeId, RuleError> {
        if !of.is_abstract() && !Scalar::has(of, &number) {
            let message = format!("{number} is not a number of type `{of}`");
            return fault(Code::V0007, span, message, format!("an element of type `{of}` is expected here"));
        }
        self.add(Node::Number(number, of), of, span)
    }

    /// A condition on indices as a truth value.
    pub(super) fn truth(&mut self, condition: Condition, span: Span) -> Result<NodeId, RuleError> {
        let [yes, no] = [true, false].map(|truth| self.add(Node::Truth(truth), ElementType::Boolean, span));
        self.chosen(condition, [yes?, no?], ElementType::Boolean, span)
    }
}

/// Whether a condition is about sizes or indices, rather than ranks and dimensions, which are fixed in each
/// instance. Even a condition that is constant for all sizes, such as `n <= n`, may be about sizes.
fn varies(condition: &Expr, scope: &Scope<'_>) -> bool {
    let mut pending = vec![condition];
    while let Some(e) = pending.pop() {
        match &e.kind {
            ExprKind::Name(name) if scope.find(name).is_some_and(Value::varies) => return true,
            ExprKind::Call(name, ..) if name == "length" || name == "rank" => {}
            kind => kind.parts(&mut pending),
        }
    }
    false
}
