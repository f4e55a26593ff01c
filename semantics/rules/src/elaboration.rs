//! Elaborates expressions of a rule into nodes of the core, with symbolic sizes.
//!
//! Operators are inlined: the element of `slice(x; s)` at `i` is the element of `x` at `s + i`. Elaboration
//! recurses on the structure of the rule, on a growing stack.

mod elements;
mod operators;

use super::library::Library;
use super::syntax::{Binder, Expr, ExprKind};
use super::values::{Elements, Key, Lifted, Numeral, Origin, Scope, Tensor, Value, integer};
use base::diagnostics::{Code, Diagnostic, Span, counted, did_you_mean};
use base::seeded::{Seeded, seeded};
use base::stack::growing;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::{Condition, Index, Node, NodeId, Program, Reduction, Requirement, Variable};
use std::collections::BTreeMap;
use std::rc::Rc;
use values::Division;

/// The maximum number of nodes of a program. They are read in 1 s and take 149 MB (2026-11-27, a debug build). A
/// proof takes longer: equal sums of 4,000 elements, written out, are not decided in 40 s.
pub const MAX_NODES: usize = 100_000;

/// The maximum number of operator applications. A definition that applies another one twice doubles the work at
/// each level: 15 levels are read.
const MAX_APPLICATIONS: usize = 1 << 15;

/// An error in a rule.
pub type RuleError = Box<Diagnostic>;

/// Elaborates expressions into one program of the core.
pub struct Elaborator<'a> {
    /// The operators and functions in scope.
    pub library: &'a Library,
    /// The nodes built so far.
    pub program: Program,
    /// The conditions required so far.
    pub requirements: Vec<Requirement>,
    path: Vec<Condition>,
    /// Where the rule applies the operator whose definition is being elaborated.
    outer: Option<Origin<'a>>,
    /// The number of operator applications so far.
    applied: usize,
    tensors: usize,
    /// The tensors of which no element has been elaborated.
    unread: BTreeMap<usize, Tensor<'a>>,
    /// Elaborated elements, keyed also by the path conditions, on which their requirements depend.
    elements: FxHashMap<(usize, Vec<Index>, Vec<Condition>), NodeId>,
    /// Results of operator applications, so that equal applications are elaborated once.
    applications: FxHashMap<OperatorApplication<'a>, Value<'a>>,
}

/// An operator application: name, arguments, path conditions, and the place to which its faults and requirements
/// are attributed.
type OperatorApplication<'a> = (&'a str, Vec<Key>, Vec<Condition>, Span);

pub(super) fn fault<T>(
    code: Code,
    span: Span,
    message: impl Into<String>,
    label: impl Into<String>,
) -> Result<T, RuleError> {
    Err(Box::new(Diagnostic::new(code, span, message, label)))
}

pub(super) fn wrong_kind<T>(span: Span, wanted: &str, found: &Value<'_>) -> Result<T, RuleError> {
    let message = format!("expected {wanted}, found {}", found.kind());
    fault(Code::V0005, span, message, format!("this is {}", found.kind()))
}

impl<'a> Elaborator<'a> {
    /// An elaborator with an empty program.
    pub fn new(library: &'a Library) -> Elaborator<'a> {
        let mut program = Program::with_division(Division::System).on(library.system.machine);
        program.functions.clone_from(&library.functions);
        let elements = FxHashMap::default();
        let (requirements, path, applications) = (Vec::new(), Vec::new(), FxHashMap::default());
        Elaborator {
            library,
            program,
            requirements,
            path,
            outer: None,
            applied: 0,
            tensors: 0,
            unread: BTreeMap::new(),
            elements,
            applications,
        }
    }

    /// Discards the requirements so far, and the caches: if an expression is elaborated again, its requirements
    /// must be collected again.
    pub fn forget_requirements(&mut self) {
        self.requirements.clear();
        self.elements.clear();
        self.applications.clear();
    }

    /// A new tensor, with its own identity.
    pub fn tensor(&mut self, extents: Vec<Index>, elements: Elements<'a>) -> Tensor<'a> {
        self.tensors += 1;
        let (id, elements) = (self.tensors, Rc::new(elements));
        let tensor = Tensor { id, extents: extents.into(), elements, origin: self.outer, application: None };
        self.unread.insert(id, tensor.clone());
        tensor
    }

    /// The finished program. First elaborates an element of each unread tensor, because a rule is meaningless if
    /// any of its tensors is; these elements are not added to the program. `span` locates errors in expressions
    /// without a place of their own.
    ///
    /// # Errors
    /// An unread tensor has no meaning.
    pub fn finish(mut self, span: Span) -> Result<Program, RuleError> {
        if self.unread.is_empty() {
            return Ok(self.program);
        }
        let program = self.program.clone();
        // The last first: the tensors that it reads are marked as read, too.
        while let Some((_, tensor)) = self.unread.pop_last() {
            let extents = tensor.extents.iter();
            let at: Vec<Index> = extents.map(|_| Index::from(self.program.variable("i"))).collect();
            self.element(&tensor, &at, tensor.origin.map_or(span, |origin| origin.span))?;
        }
        Ok(program)
    }

    /// Requires a condition where the current expression is evaluated, unless the path implies it syntactically.
    /// `needs` says what is needed, in the rule's own terms.
    pub fn require(&mut self, condition: Condition, span: Span, needs: impl FnOnce(&Program) -> String) {
        let context = Condition::all(self.path.iter().cloned());
        let open = condition.conjuncts().iter().filter(|part| !context.conjuncts().contains(part));
        let condition = Condition::all(open.cloned());
        if !condition.is_always() {
            let span = self.outer.map_or(span, |outer| outer.span);
            let needs = Some(needs(&self.program).into());
            self.requirements.push(Requirement { context, condition, span, needs });
        }
    }

    /// Elaborates part of a definition on behalf of a place in the rule, to which its errors are attributed.
    fn inside<T>(
        &mut self,
        at: Option<Origin<'a>>,
        act: impl FnOnce(&mut Self) -> Result<T, RuleError>,
    ) -> Result<T, RuleError> {
        let before = self.outer;
        self.outer = before.or(at);
        let result = act(self);
        let outermost = before.is_none().then_some(self.outer).flatten();
        self.outer = before;
        result.map_err(|mut fault| {
            if let Some(Origin { operator, span }) = outermost {
                fault.message = format!("in the definition of `{operator}`: {}", fault.message);
                fault.primary.span = span;
            }
            fault
        })
    }

    pub(super) fn under<T>(
        &mut self,
        condition: Condition,
        act: impl FnOnce(&mut Self) -> Result<T, RuleError>,
    ) -> Result<T, RuleError> {
        self.path.push(condition);
        let result = act(self);
        self.path.pop();
        result
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// The expression has no meaning.
    pub fn value(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, RuleError> {
        growing(|| self.value_here(e, scope))
    }

    fn value_here(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, RuleError> {
        match &e.kind {
            ExprKind::Number(number) => Ok(match integer(number) {
                Some(integer) => Value::Index(Index::constant(integer)),
                None => Value::Numeral(Numeral::Number(number.clone())),
            }),
            ExprKind::Truth(truth) => Ok(Value::Condition(Condition::constant(*truth))),
            ExprKind::Name(name) => self.name(name, e.span, scope),
            ExprKind::Component(vector, at) => self.component(vector, at, scope),
            ExprKind::Vector(parts) => {
                let mut vector = Vec::new();
                for part in parts {
                    vector.extend(self.indices(part, scope)?.0);
                }
                Ok(Value::Vector(vector.into()))
            }
            ExprKind::Unary(operator, operand) => {
                let operand_value = self.value(operand, scope)?;
                self.unary(*operator, operand_value, e.span)
            }
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.value(a, scope)?, self.value(b, scope)?);
                self.binary(*operator, a, b, e.span)
            }
            ExprKind::If(parts) => self.conditional(parts, scope, e.span),
            ExprKind::Call(name, operands, attributes) => {
                self.call(name, operands, attributes, scope, e.span)
            }
            ExprKind::Read(tensor, indices) => self.read(tensor, indices, scope, e.span),
            ExprKind::Comprehension(binders, body) => self.comprehension(binders, body, scope),
            ExprKind::Reduce(operator, binders, filter, body) => {
                if let (Binary::And | Binary::Or, [binder @ Binder { lower: None, .. }], None) =
                    (operator, &binders[..], filter)
                    && let Some(condition) = self.each(*operator, binder, body, scope)?
                {
                    return Ok(Value::Condition(condition));
                }
                self.reduction(*operator, binders, filter.as_deref(), body, scope, e.span).map(Value::Scalar)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, scope: &Scope<'a>) -> Result<Value<'a>, RuleError> {
        if let Some(value) = scope.find(name) {
            return Ok(value.clone());
        }
        if name == "infinity" {
            return Ok(Value::Numeral(Numeral::Infinite { negative: false }));
        }
        let error = Diagnostic::new(Code::V0004, span, format!("`{name}` is not declared"), "not declared");
        let names = scope.names();
        Err(Box::new(match did_you_mean(name, names.iter().copied()) {
            Some(hint) => error.hint(hint),
            None if names.is_empty() => error,
            None => error.hint(format!("declared here: {}", names.join(", "))),
        }))
    }

    fn component(
        &mut self,
        vector: &'a Expr,
        at: &'a Expr,
        scope: &Scope<'a>,
    ) -> Result<Value<'a>, RuleError> {
        let (parts, _) = self.indices(vector, scope)?;
        let position = self.value(at, scope)?;
        match position.as_natural() {
            Some(k) if k < parts.len() => {
                let k = seeded(Seeded::ComponentNext, k, || (k + 1) % parts.len());
                Ok(Value::Index(parts[k].clone()))
            }
            Some(k) => {
                let message =
                    format!("there is no component {k} in a vector of {}", counted(parts.len(), "component"));
                fault(Code::V0006, at.span, message, "out of range")
            }
            None => wrong_kind(at.span, "a dimension", &position),
        }
    }

    /// An index term or a vector of them.
    pub(super) fn indices(
        &mut self,
        e: &'a Expr,
        scope: &Scope<'a>,
    ) -> Result<(Vec<Index>, bool), RuleError> {
        let value = self.value(e, scope)?;
        match value.components() {
            Some(components) => Ok(components),
            None => wrong_kind(e.span, "an index term", &value),
        }
    }

    /// A condition on indices.
    pub(super) fn condition(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Condition, RuleError> {
        match self.value(e, scope)? {
            Value::Condition(condition) => Ok(condition),
            other => wrong_kind(e.span, "a condition on indices", &other),
        }
    }

    /// A new node, within the budget.
    pub(super) fn add(
        &mut self,
        node: Node,
        data_type: ElementType,
        span: Span,
    ) -> Result<NodeId, RuleError> {
        if self.program.len() >= MAX_NODES {
            let message = format!("the sides have more than {MAX_NODES} nodes once operators are inlined");
            return fault(Code::V0009, span, message, "here at the latest");
        }
        Ok(self.program.add(node, data_type))
    }

    /// `all(k < 3 : c)` for a condition `c` on indices: elaborated once per dimension.
    fn each(
        &mut self,
        operator: Binary,
        binder: &'a Binder,
        body: &'a Expr,
        scope: &Scope<'a>,
    ) -> Result<Option<Condition>, RuleError> {
        let Some(bound) = self.value(&binder.upper, scope)?.as_natural().filter(|&bound| bound <= 8) else {
            return Ok(None);
        };
        let mut conditions = Vec::new();
        for k in 0..bound {
            let k = Value::Index(Index::constant(k.into()));
            match self.value(body, &scope.with(&binder.name.text, k))? {
                Value::Condition(condition) => conditions.push(condition),
                _ => return Ok(None),
            }
        }
        Ok(Some(match seeded(Seeded::EachAny, operator, || Binary::Or) {
            Binary::And => Condition::all(conditions),
            _ => Condition::any(conditions),
        }))
    }

    fn comprehension(
        &mut self,
        binders: &'a [Binder],
        body: &'a Expr,
        scope: &Scope<'a>,
    ) -> Result<Value<'a>, RuleError> {
        let (mut extents, mut names) = (Vec::new(), Vec::new());
        for binder in binders {
            if let Some(lower) = &binder.lower {
                return fault(
                    Code::V0005,
                    lower.span,
                    "indices of a tensor start at 0",
                    "no lower bound here",
                );
            }
            let (upper, is_vector) = self.indices(&binder.upper, scope)?;
            names.push((binder.name.text.as_str(), is_vector.then_some(upper.len())));
            extents.extend(upper);
        }
        Ok(Value::Tensor(self.tensor(extents, Elements::Body(names, body, scope.clone()))))
    }

    fn reduction(
        &mut self,
        operator: Binary,
        binders: &'a [Binder],
        filter: Option<&'a Expr>,
        body: &'a Expr,
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<NodeId, RuleError> {
        let (mut scope, mut bounds) = (scope.clone(), Vec::new());
        for binder in binders {
            // A later bound needs a meaning only where the earlier indices are within their bounds.
            let earlier = within_bounds(&bounds);
            let ((mut upper, is_vector), lower) = self.under(earlier, |this| {
                let upper = this.indices(&binder.upper, &scope)?;
                let lower = binder.lower.as_ref().map(|lower| this.indices(lower, &scope)).transpose()?;
                Ok((upper, lower))
            })?;
            if Seeded::ReductionUpper.is_in() {
                upper.iter_mut().for_each(|upper| *upper = &*upper - &Index::from(1));
            }
            let lower = lower.map_or(vec![Index::default(); upper.len()], |(lower, _)| lower);
            if lower.len() != upper.len() {
                let message = format!("bounds of {} and {} components", lower.len(), upper.len());
                return fault(Code::V0006, binder.name.span, message, "the lengths differ");
            }
            let variables: Vec<Variable> =
                upper.iter().map(|_| self.program.variable(&binder.name.text)).collect();
            scope = scope.with(&binder.name.text, variable_value(&variables, is_vector));
            bounds.extend(variables.into_iter().zip(lower.into_iter().zip(upper).map(|(l, u)| [l, u])));
        }
        let everything =
            Reduction { operator, binders: bounds.into(), filter: Condition::always(), body: NodeId::at(0) };
        self.under(everything.domain(), |this| this.reduce(everything, filter, body, &scope, span))
    }

    fn reduce(
        &mut self,
        mut reduction: Reduction,
        filter: Option<&'a Expr>,
        body: &'a Expr,
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<NodeId, RuleError> {
        if let Some(filter) = filter {
            let condition = self.condition(filter, scope)?;
            reduction.filter = seeded(Seeded::FilterDropped, condition, Condition::always);
        }
        reduction.body = self.under(reduction.filter.clone(), |this| {
            let value = this.value(body, scope)?;
            this.scalar(value, ElementType::Real, body.span)
        })?;
        let of = self.program.data_type(reduction.body);
        if selfsame_core::operators::binary_type(reduction.operator, of) != Some(of) {
            let message =
                format!("`{}` is not a reduction of {} elements", reduction.operator.text(), of.keyword());
            return fault(Code::V0007, span, message, format!("of {} elements", of.keyword()));
        }
        if reduction.binders.is_empty() && reduction.filter.is_always() {
            return Ok(reduction.body);
        }
        self.add(Node::Reduce(Box::new(reduction)), of, span)
    }

    /// Requires that both have the same extents; `what` says of what, such as ` for `+``.
    ///
    /// # Errors
    /// The ranks differ.
    pub(super) fn same_extents(
        &mut self,
        [a, b]: [&[Index]; 2],
        span: Span,
        what: &dyn Fn(&Program) -> String,
    ) -> Result<(), RuleError> {
        if a.len() != b.len() {
            let [of_a, of_b] = [a, b].map(|extents| self.program.indices_text(extents));
            let what = what(&self.program);
            let message = format!("tensors of rank {} and {}, not of one shape{what}", a.len(), b.len());
            return fault(Code::V0006, span, message, format!("the shapes are {of_a} and {of_b}"));
        }
        if Seeded::ShapeDropped.is_in() {
            return Ok(());
        }
        let equal = a.iter().zip(b).map(|(p, q)| Condition::equal(p, q));
        self.require(Condition::all(equal.collect::<Vec<_>>()), span, |program| {
            let [a, b] = [a, b].map(|extents| program.indices_text(extents));
            format!("equal extents{}, not {a} and {b}", what(program))
        });
        Ok(())
    }

    fn unary(&mut self, operator: Unary, operand: Value<'a>, span: Span) -> Result<Value<'a>, RuleError> {
        match (operator, operand) {
            (Unary::Not, Value::Condition(condition)) => Ok(Value::Condition(!condition)),
            (Unary::Negate, Value::Index(p)) => Ok(Value::Index(-p)),
            (Unary::Negate, Value::Vector(parts)) => {
                Ok(Value::Vector(parts.iter().map(|p| -p.clone()).collect()))
            }
            (Unary::Negate, Value::Numeral(Numeral::Number(number))) => {
                Ok(Value::Numeral(Numeral::Number(-number)))
            }
            (Unary::Negate, Value::Numeral(Numeral::Infinite { negative })) => {
                Ok(Value::Numeral(Numeral::Infinite { negative: !negative }))
            }
            (operator, operand) => self.lift(Lifted::Unary(operator), vec![operand], span),
        }
    }
}

/// The condition that indices lie within their bounds.
fn within_bounds(bounds: &[(Variable, [Index; 2])]) -> Condition {
    let within = bounds.iter().map(|(v, [lower, upper])| Condition::within(lower, &Index::from(*v), upper));
    Condition::all(within.collect::<Vec<_>>())
}

pub(super) fn variable_value<'a>(variables: &[Variable], is_vector: bool) -> Value<'a> {
    let parts: Vec<Index> = variables.iter().map(|&v| Index::from(v)).collect();
    index_value(&parts, is_vector)
}

pub(super) fn index_value<'a>(parts: &[Index], is_vector: bool) -> Value<'a> {
    match parts {
        [only] if !is_vector => Value::Index(only.clone()),
        parts => Value::Vector(parts.into()),
    }
}
