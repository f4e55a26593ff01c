//! Expressions of a rule, with sizes as symbols, as nodes of the core.
//!
//! Operators are inlined: an element of `slice(x; s)` at `i` is the element of `x` at `s + i`. Elaboration recurses, as its rules do,
//! on a stack that grows.

use super::library::Library;
use super::syntax::{Binder, Definition, Expr, ExprKind, Operand};
use super::values::{Application, Elements, Key, Lifted, Numeral, Scope, Tensor, Value, integer};
use crate::alpha::syntax::{Binary, DataType, Unary};
use crate::core::{Condition, Index, Node, NodeId, Program, Reduction, Requirement, Variable};
use crate::diagnostics::{Code, Diagnostic, Span, counted, did_you_mean};
use crate::seeded::{Seeded, seeded};
use crate::stack::growing;
use crate::values::Division;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The maximum number of nodes of a program.
pub const MAX_NODES: usize = 100_000;

/// Operators are applied at most this often: one that applies another one to two things each time doubles what is elaborated.
const MAX_APPLICATIONS: usize = 1 << 15;

/// What is wrong with a rule.
pub type Fault = Box<Diagnostic>;

/// Elaborates expressions into one program.
pub struct Elaborator<'a> {
    /// Operators and functions.
    pub library: &'a Library,
    /// The nodes.
    pub program: Program,
    /// What must hold, so far.
    pub requirements: Vec<Requirement>,
    path: Vec<Condition>,
    /// Where the rule uses the operator whose definition is being looked at.
    outer: Option<Span>,
    /// How often an operator was applied.
    applied: usize,
    tensors: usize,
    /// The elements of tensors, by the conditions under which they were looked at: what they require depends on these.
    elements: FxHashMap<(usize, Vec<Index>, Vec<Condition>), NodeId>,
    /// What operators gave, so that what is applied to the same twice is elaborated once.
    applications: FxHashMap<Applied<'a>, Value<'a>>,
}

/// An operator, what it is applied to, and where: the conditions, and the place that its faults and requirements are said of.
type Applied<'a> = (&'a str, Vec<Key>, Vec<Condition>, Option<Span>);

pub(super) fn fault<T>(
    code: Code,
    span: Span,
    message: impl Into<String>,
    label: impl Into<String>,
) -> Result<T, Fault> {
    Err(Box::new(Diagnostic::new(code, span, message, label)))
}

pub(super) fn wrong_kind<T>(span: Span, wanted: &str, found: &Value<'_>) -> Result<T, Fault> {
    let message = format!("expected {wanted}, found {}", found.kind());
    fault(Code::V0005, span, message, format!("this is {}", found.kind()))
}

impl<'a> Elaborator<'a> {
    /// Nothing elaborated yet.
    pub fn new(library: &'a Library) -> Elaborator<'a> {
        let mut program = Program::with_division(Division::Extended);
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
            elements,
            applications,
        }
    }

    /// What was required so far is of no concern; so what was elaborated is elaborated again, with what it requires.
    pub fn forget_requirements(&mut self) {
        self.requirements.clear();
        self.elements.clear();
        self.applications.clear();
    }

    /// A tensor with an identity of its own.
    pub fn tensor(&mut self, extents: Vec<Index>, elements: Elements<'a>) -> Tensor<'a> {
        self.tensors += 1;
        let (id, elements) = (self.tensors, Rc::new(elements));
        Tensor { id, extents: extents.into(), elements, origin: self.outer, application: None }
    }

    /// Something that must hold where the expression at hand is evaluated, unless it plainly does.
    pub fn require(&mut self, condition: Condition, span: Span) {
        let context = Condition::all(self.path.iter().cloned());
        let open = condition.conjuncts().iter().filter(|part| !context.conjuncts().contains(part));
        let condition = Condition::all(open.cloned());
        if !condition.is_always() {
            let span = self.outer.unwrap_or(span);
            self.requirements.push(Requirement { context, condition, span });
        }
    }

    /// Looks at a definition on behalf of a place in the rule; what is wrong in it is said of that place.
    fn inside<T>(
        &mut self,
        at: Option<Span>,
        act: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let before = self.outer;
        self.outer = before.or(at);
        let result = act(self);
        let outermost = before.is_none().then_some(self.outer).flatten();
        self.outer = before;
        result.map_err(|mut fault| {
            if let Some(span) = outermost {
                fault.message = format!("in the definition of this: {}", fault.message);
                fault.primary.span = span;
            }
            fault
        })
    }

    pub(super) fn under<T>(
        &mut self,
        condition: Condition,
        act: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.path.push(condition);
        let result = act(self);
        self.path.pop();
        result
    }

    /// What an expression is.
    ///
    /// # Errors
    /// It has no meaning.
    pub fn value(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, Fault> {
        growing(|| self.value_here(e, scope))
    }

    fn value_here(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, Fault> {
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

    fn name(&mut self, name: &str, span: Span, scope: &Scope<'a>) -> Result<Value<'a>, Fault> {
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

    fn component(&mut self, vector: &'a Expr, at: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, Fault> {
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
    pub(super) fn indices(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<(Vec<Index>, bool), Fault> {
        let value = self.value(e, scope)?;
        match value.components() {
            Some(components) => Ok(components),
            None => wrong_kind(e.span, "an index term", &value),
        }
    }

    /// A condition on indices.
    pub(super) fn condition(&mut self, e: &'a Expr, scope: &Scope<'a>) -> Result<Condition, Fault> {
        match self.value(e, scope)? {
            Value::Condition(condition) => Ok(condition),
            other => wrong_kind(e.span, "a condition on indices", &other),
        }
    }

    fn conditional(
        &mut self,
        parts: &'a [Expr; 3],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let [c, a, b] = parts;
        let condition = match self.value(c, scope)? {
            Value::Condition(condition) => condition,
            chosen => {
                let (a, b) = (self.value(a, scope)?, self.value(b, scope)?);
                return self.lift(Lifted::If, vec![chosen, a, b], span);
            }
        };
        // A choice between sizes, made while elaborating.
        if condition.is_always() {
            return self.value(a, scope);
        } else if condition.is_never() {
            return self.value(b, scope);
        }
        let yes = self.under(condition.clone(), |this| this.value(a, scope))?;
        let no = self.under(!condition.clone(), |this| this.value(b, scope))?;
        let condition = seeded(Seeded::IfNegated, condition.clone(), || !condition);
        if let (Value::Condition(yes), Value::Condition(no)) = (&yes, &no) {
            let both =
                [Condition::all([condition.clone(), yes.clone()]), Condition::all([!condition, no.clone()])];
            return Ok(Value::Condition(Condition::any(both)));
        }
        self.choose(condition, [yes, no], span).map(Value::Scalar)
    }

    fn choose(
        &mut self,
        condition: Condition,
        branches: [Value<'a>; 2],
        span: Span,
    ) -> Result<NodeId, Fault> {
        let wanted = branches.iter().find_map(|value| self.type_of(value));
        let wanted = wanted.unwrap_or(DataType::Real);
        let [yes, no] = branches;
        let [yes, no] = [self.scalar(yes, wanted, span)?, self.scalar(no, wanted, span)?];
        let (t, u) = (self.program.data_type(yes), self.program.data_type(no));
        if t != u {
            let message = format!("the branches are {} and {}", t.keyword(), u.keyword());
            return fault(Code::V0007, span, message, "of two types");
        }
        self.add(Node::Choose(condition, [yes, no]), t, span)
    }

    /// A new node, within the budget.
    pub(super) fn add(&mut self, node: Node, data_type: DataType, span: Span) -> Result<NodeId, Fault> {
        if self.program.len() >= MAX_NODES {
            let message = format!("the sides have more than {MAX_NODES} nodes once operators are inlined");
            return fault(Code::V0009, span, message, "here at the latest");
        }
        Ok(self.program.add(node, data_type))
    }

    /// `all(k < 3 : c)` where `c` is a condition on indices: one for each dimension.
    fn each(
        &mut self,
        operator: Binary,
        binder: &'a Binder,
        body: &'a Expr,
        scope: &Scope<'a>,
    ) -> Result<Option<Condition>, Fault> {
        let Some(bound) = self.value(&binder.upper, scope)?.as_natural().filter(|&bound| bound <= 8) else {
            return Ok(None);
        };
        let mut conditions = Vec::new();
        for k in 0..bound {
            let k = Value::Index(Index::from(i64::try_from(k).unwrap_or(i64::MAX)));
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
    ) -> Result<Value<'a>, Fault> {
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
    ) -> Result<NodeId, Fault> {
        let (mut scope, mut bounds) = (scope.clone(), Vec::new());
        for binder in binders {
            // What a bound requires, it requires for the earlier indices only that are there.
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
                return fault(Code::V0006, binder.name.span, message, "of two lengths");
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
    ) -> Result<NodeId, Fault> {
        if let Some(filter) = filter {
            let condition = self.condition(filter, scope)?;
            reduction.filter = seeded(Seeded::FilterDropped, condition, Condition::always);
        }
        reduction.body = self.under(reduction.filter.clone(), |this| {
            let value = this.value(body, scope)?;
            this.scalar(value, DataType::Real, body.span)
        })?;
        let of = self.program.data_type(reduction.body);
        if crate::alpha::typing::binary_type(reduction.operator, of) != Some(of) {
            let message =
                format!("`{}` is no reduction of {} elements", reduction.operator.text(), of.keyword());
            return fault(Code::V0007, span, message, format!("of {} elements", of.keyword()));
        }
        if reduction.binders.is_empty() && reduction.filter.is_always() {
            return Ok(reduction.body);
        }
        self.add(Node::Reduce(Box::new(reduction)), of, span)
    }

    /// An element of a tensor; that the index is within its extents becomes a requirement.
    fn read(
        &mut self,
        tensor: &'a Expr,
        indices: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
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
        self.require(Condition::all(within), span);
        self.element(&read, &at, span).map(Value::Scalar)
    }

    /// The element of a tensor at an index.
    ///
    /// # Errors
    /// Its expression has no meaning.
    pub fn element(&mut self, tensor: &Tensor<'a>, at: &[Index], span: Span) -> Result<NodeId, Fault> {
        let key = (tensor.id, at.to_vec(), self.path.clone());
        if let Some(&known) = self.elements.get(&key) {
            return Ok(known);
        }
        let element = growing(|| self.inside(tensor.origin, |this| this.new_element(tensor, at, span)))?;
        self.elements.insert(key, element);
        Ok(element)
    }

    fn new_element(&mut self, tensor: &Tensor<'a>, at: &[Index], span: Span) -> Result<NodeId, Fault> {
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
                self.scalar(value, DataType::Real, body.span)
            }
            Elements::Lifted(operator, operands) => self.lifted(*operator, operands, at, span),
            Elements::Constant(value) => self.scalar(value.clone(), DataType::Real, span),
        }
    }

    fn call(
        &mut self,
        name: &'a str,
        operands: &'a [Expr],
        attributes: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.value(operand, scope)?);
        }
        if let Some(definition) = self.library.definition(name) {
            return self.inline(definition, &values, attributes, scope, span);
        }
        if let Some((rest, _)) = attributes.split_first() {
            return fault(Code::V0008, rest.span, format!("`{name}` takes no attributes"), "after the `;`");
        }
        if let Some(function) = self.library.function(name) {
            return self.lift(Lifted::Call(function), values, span);
        }
        self.builtin(name, values, span)
    }

    fn inline(
        &mut self,
        definition: &'a Definition,
        operands: &[Value<'a>],
        attributes: &'a [Expr],
        scope: &Scope<'a>,
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        let counts = [
            (definition.operands.len(), operands.len(), "operand"),
            (definition.attributes.len(), attributes.len(), "attribute"),
        ];
        for (wanted, found, what) in counts {
            if wanted != found {
                let message =
                    format!("`{}` takes {}, found {found}", definition.name.text, counted(wanted, what));
                return fault(Code::V0008, span, message, format!("expected {}", counted(wanted, what)));
            }
        }
        let mut inner = Scope::default();
        for (operand, value) in definition.operands.iter().zip(operands) {
            inner = self.bind_operand(operand, value, inner, span)?;
        }
        let mut given = Vec::new();
        for (attribute, value) in definition.attributes.iter().zip(attributes) {
            let value = self.value(value, scope)?;
            inner = inner.with(&attribute.text, value.clone());
            given.push(value);
        }
        let keys = operands.iter().chain(&given).map(Value::key).collect();
        let applied = (&*definition.name.text, keys, self.path.clone(), self.outer.or(Some(span)));
        if let Some(known) = self.applications.get(&applied) {
            return Ok(known.clone());
        }
        let value = self.body(definition, &inner, [operands, &given], span)?;
        self.applications.insert(applied, value.clone());
        Ok(value)
    }

    /// What a definition makes of operands and attributes, which have their names in a scope.
    fn body(
        &mut self,
        definition: &'a Definition,
        scope: &Scope<'a>,
        [operands, attributes]: [&[Value<'a>]; 2],
        span: Span,
    ) -> Result<Value<'a>, Fault> {
        self.applied += 1;
        if self.applied > MAX_APPLICATIONS {
            let message =
                format!("operators are applied more than {MAX_APPLICATIONS} times once they are inlined");
            return fault(Code::V0009, span, message, "here at the latest");
        }
        let result = self.inside(Some(span), |this| {
            for condition in &definition.conditions {
                let condition = this.condition(condition, scope)?;
                this.require(condition, span);
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

    /// `x[N.., m]`: the extents of an operand get names, or must be those that have the names already.
    fn bind_operand(
        &mut self,
        operand: &'a Operand,
        value: &Value<'a>,
        mut scope: Scope<'a>,
        span: Span,
    ) -> Result<Scope<'a>, Fault> {
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
                format!("{message}, not {wanted}"),
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
                Some((known, _)) => self.same_extents(mine, &known, span)?,
            }
        }
        Ok(scope.with(&operand.name.text, Value::Tensor(tensor)))
    }

    /// # Errors
    /// There are not equally many; that they are equal becomes a requirement.
    pub(super) fn same_extents(&mut self, a: &[Index], b: &[Index], span: Span) -> Result<(), Fault> {
        if a.len() != b.len() {
            let message = format!("tensors of rank {} and {}", a.len(), b.len());
            return fault(Code::V0006, span, message, "their ranks must be equal");
        }
        if Seeded::ShapeDropped.is_in() {
            return Ok(());
        }
        let equal = a.iter().zip(b).map(|(p, q)| Condition::equal(p, q));
        self.require(Condition::all(equal.collect::<Vec<_>>()), span);
        Ok(())
    }

    /// A tensor, or a constant as one without extents.
    ///
    /// # Errors
    /// It is something else.
    pub fn as_tensor(&mut self, value: Value<'a>, span: Span) -> Result<Tensor<'a>, Fault> {
        match value {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Vector(_) | Value::Set(_) | Value::Permutation(_) => wrong_kind(span, "a tensor", &value),
            constant => Ok(self.tensor(Vec::new(), Elements::Constant(constant))),
        }
    }

    /// The type of an element, where it is known.
    pub(super) fn type_of(&self, value: &Value<'a>) -> Option<DataType> {
        match value {
            Value::Scalar(node) => Some(self.program.data_type(*node)),
            Value::Condition(_) => Some(DataType::Boolean),
            _ => None,
        }
    }

    /// An element; numbers are of the wanted type.
    pub(super) fn scalar(&mut self, value: Value<'a>, wanted: DataType, span: Span) -> Result<NodeId, Fault> {
        let numeric = if wanted == DataType::Boolean { DataType::Real } else { wanted };
        match value {
            Value::Scalar(node) => Ok(node),
            Value::Tensor(tensor) if tensor.extents.is_empty() => self.element(&tensor, &[], span),
            Value::Numeral(Numeral::Number(number)) if numeric == DataType::Integer && !number.is_int() => {
                let message = "a number with a fraction is no integer";
                fault(Code::V0007, span, message, "an integer is expected here")
            }
            Value::Numeral(Numeral::Number(number)) => self.add(Node::Number(number, numeric), numeric, span),
            Value::Numeral(Numeral::Index(p)) => self.add(Node::Index(p, numeric), numeric, span),
            Value::Numeral(Numeral::Infinite { negative }) => {
                self.add(Node::Infinite { negative }, DataType::Real, span)
            }
            Value::Index(p) => match p.as_constant() {
                Some(constant) => self.add(Node::Number(RBig::from(constant), numeric), numeric, span),
                None => {
                    let message = "an index term is no number";
                    let error = Diagnostic::new(Code::V0005, span, message, "this is an index term");
                    Err(Box::new(error.hint("`index(p)` is the index term p as a number")))
                }
            },
            Value::Condition(condition) => self.truth(condition, span),
            other => wrong_kind(span, "an element", &other),
        }
    }

    /// A condition on indices as a truth value.
    fn truth(&mut self, condition: Condition, span: Span) -> Result<NodeId, Fault> {
        let [yes, no] = [true, false].map(|truth| self.add(Node::Truth(truth), DataType::Boolean, span));
        let (yes, no) = (yes?, no?);
        if condition.is_always() {
            return Ok(yes);
        } else if condition.is_never() {
            return Ok(no);
        }
        self.add(Node::Choose(condition, [yes, no]), DataType::Boolean, span)
    }

    fn unary(&mut self, operator: Unary, operand: Value<'a>, span: Span) -> Result<Value<'a>, Fault> {
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

/// That indices are within their bounds.
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
