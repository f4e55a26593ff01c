//! Expressions and calls, with extents that are symbols.

use super::contexts::error_of;
use super::symbolic::Sym;
use super::{Failure, Lowering, Result, error, known, overflow, refused};
use crate::errors::{Error, ErrorKind};
use crate::evaluation::{described, integer, type_text};
use crate::functions::{ArgumentType, FunctionRef, NotChosen, Unit, chosen};
use crate::primitives::Primitive;
use crate::syntax::{ExprId, Expression, Extent, Function, Name, Scalar, ShapeType, Type};
use alpha::syntax::{ExprId as NodeId, Expression as Node, FunctionId, Intrinsic};
use base::diagnostics::Span;
use indices::condition::Condition;
use indices::expression::IndexExpr;
use rustc_hash::FxHashMap;
use selfsame_core::operators::{Binary, ElementType, Unary};
use std::rc::Rc;

/// The variables of a function.
pub(super) type Frame = Vec<Option<Sym>>;

/// A value where conditions on sizes and indices hold.
pub(super) type Part = (Vec<IndexExpr>, Sym);

/// Where an expression is evaluated.
pub(super) struct Scope<'f> {
    pub unit: Unit,
    pub frame: &'f mut Frame,
}

impl Lowering<'_> {
    /// The results of a function.
    pub(super) fn call(&mut self, of: FunctionRef, arguments: Vec<Sym>) -> Result<Vec<Sym>> {
        let module = self.modules.of(of.unit);
        let function = module.file.function(of.function);
        if self.depth >= crate::evaluation::MAX_CALLS {
            return refused(function.name.span, "functions call each other too often");
        }
        self.depth += 1;
        let mark = self.mark();
        let results = base::stack::growing(|| self.body(of, function, arguments));
        self.reset(mark);
        self.depth -= 1;
        results
    }

    fn body(&mut self, of: FunctionRef, function: &Function, arguments: Vec<Sym>) -> Result<Vec<Sym>> {
        let module = self.modules.of(of.unit);
        let mut frame: Frame = vec![None; module.names.frame(of.function)];
        let mut named: FxHashMap<Name, IndexExpr> = FxHashMap::default();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            self.named_extents(of.unit, &parameter.of, (&argument, parameter.binding.span), &mut named)?;
            frame[module.names.bound(parameter.binding.id)] = Some(argument);
        }
        for binding in &function.extents {
            let extent = named.get(&binding.name).cloned().map(Sym::int);
            frame[module.names.bound(binding.id)] = extent;
        }
        let scope = &mut Scope { unit: of.unit, frame: &mut frame };
        if let Some(guard) = function.guard {
            self.guard(scope, guard)?;
        }
        self.statements(scope, &function.body)?;
        let mut results = Vec::new();
        for (&e, stated) in function.returns.iter().zip(&function.results) {
            let value = self.expression(scope, e)?;
            results.push(self.result(of.unit, function, (value, module.file.span(e)), stated)?);
        }
        for ((value, stated), e) in results.iter().zip(&function.results).zip(&function.returns) {
            self.named_extents(of.unit, stated, (value, module.file.span(*e)), &mut named)?;
        }
        Ok(results)
    }

    /// A guard holds, here and in what follows.
    fn guard(&mut self, scope: &mut Scope<'_>, guard: ExprId) -> Result<()> {
        let span = self.modules.of(scope.unit).file.span(guard);
        let fails = error_of(ErrorKind::Guard, scope.unit, span, "the guard does not hold");
        match self.expression(scope, guard)? {
            Sym::Truth(condition) => match self.decided(&condition) {
                Some(true) => Ok(()),
                Some(false) => Err(Failure::Error(fails)),
                None => {
                    for conditions in &condition.no {
                        self.forbid(conditions, fails.clone())?;
                    }
                    if let [conditions] = &condition.yes[..] {
                        self.conditions.extend(conditions.iter().cloned());
                    }
                    Ok(())
                }
            },
            Sym::Scalar(Scalar::Bool, ..) => refused(span, "a guard depends on elements"),
            other => {
                let message =
                    format!("a condition is a truth value, and not {}", described(&other.argument()));
                error(ErrorKind::Type, scope.unit, span, message)
            }
        }
    }

    /// A value has the type of a result.
    fn result(
        &mut self,
        unit: Unit,
        function: &Function,
        (value, span): (Sym, Span),
        of: &Type,
    ) -> Result<Sym> {
        let value = match of.scalar {
            Some(scalar) if scalar.is_float() && value.scalar() == Scalar::Int => {
                self.converted(&value, scalar, span)?
            }
            _ => value,
        };
        let argument = value.argument();
        let rank_only = Type { scalar: of.scalar, shape: without_numbers(&of.shape) };
        if rank_only.fits(&argument) != crate::functions::Fits::Yes {
            let message = format!(
                "`{}` returns {}, and not what it states, {}",
                function.name.name,
                described(&argument),
                type_text(of)
            );
            return error(ErrorKind::Type, unit, span, message);
        }
        if let ShapeType::Extents(extents) = &of.shape {
            for (extent, found) in extents.iter().zip(value.shape()) {
                if let Extent::Number(number) = extent {
                    let number = IndexExpr::number(i64::try_from(*number).unwrap_or(i64::MAX));
                    let what = || {
                        let message =
                            format!("`{}` returns another shape than it states", function.name.name);
                        error_of(ErrorKind::Type, unit, span, message)
                    };
                    self.require_equal([&found, &number], what)?;
                }
            }
        }
        Ok(value)
    }

    /// The same name of an extent is the same extent.
    fn named_extents(
        &mut self,
        unit: Unit,
        of: &Type,
        (value, span): (&Sym, Span),
        named: &mut FxHashMap<Name, IndexExpr>,
    ) -> Result<()> {
        let ShapeType::Extents(extents) = &of.shape else { return Ok(()) };
        for (extent, known) in extents.iter().zip(value.shape()) {
            let Extent::Named(name) = extent else { continue };
            let before = named.entry(name.clone()).or_insert_with(|| known.clone()).clone();
            let texts = [&before, &known].map(|of| self.text(of));
            let what = || {
                let message = format!("the extent `{name}` is {} and {}", texts[0], texts[1]);
                error_of(ErrorKind::Shapes, unit, span, message)
            };
            self.require_equal([&before, &known], what)?;
        }
        Ok(())
    }

    pub(super) fn expression(&mut self, scope: &mut Scope<'_>, e: ExprId) -> Result<Sym> {
        let module = self.modules.of(scope.unit);
        let span = module.file.span(e);
        self.spend(span)?;
        base::stack::growing(|| match module.file.expression(e) {
            Expression::Number(number, of) => match (of, integer(number)) {
                (Scalar::Int, Some(number)) => Ok(Sym::number(number)),
                _ => {
                    let e = self.constant(number, self.floats.of(*of), span);
                    Ok(self.scalar_here(*of, e))
                }
            },
            Expression::Truth(truth) => Ok(Sym::Truth(Rc::new(known(*truth)))),
            Expression::Variable(_) => match &scope.frame[module.names.read(e)] {
                Some(value) => Ok(value.clone()),
                None => error(ErrorKind::Type, scope.unit, span, "a variable has no value"),
            },
            Expression::Array(elements) => self.array(scope, span, elements),
            Expression::Call(name, arguments) => {
                let values = arguments.iter().map(|argument| self.expression(scope, *argument));
                let values: Vec<Sym> = values.collect::<Result<_>>()?;
                self.applied(scope.unit, e, &name.name, values)
            }
            Expression::Select(array, index) => {
                let array = self.expression(scope, *array)?;
                let index = self.expression(scope, *index)?;
                self.selected(scope.unit, span, &array, &index)
            }
            Expression::Conditional(parts) => self.choice(scope, *parts),
            Expression::With(of) => self.with_loop(scope, e, of),
            Expression::Comprehension(of) => self.comprehension(scope, e, of),
        })
    }

    fn array(&mut self, scope: &mut Scope<'_>, span: Span, elements: &[ExprId]) -> Result<Sym> {
        let values = elements.iter().map(|element| self.expression(scope, *element));
        let values: Vec<Sym> = values.collect::<Result<_>>()?;
        let Some(first) = values.first() else { return Ok(Sym::vector(Vec::new())) };
        let mut scalar = first.scalar();
        for value in &values {
            if value.rank() != first.rank() {
                let message = "the elements of an array have one shape";
                return error(ErrorKind::Shapes, scope.unit, span, message);
            }
            scalar = joined(scope.unit, span, scalar, value.scalar())?;
        }
        if first.rank() > 0 {
            return self.array_of_arrays(scope.unit, span, (scalar, &values));
        }
        self.listed(scalar, vec![values.len()], values, span)
    }

    /// Scalars one by one.
    pub(super) fn listed(
        &mut self,
        scalar: Scalar,
        shape: Vec<usize>,
        values: Vec<Sym>,
        span: Span,
    ) -> Result<Sym> {
        let known: Option<Vec<IndexExpr>> =
            values.iter().map(|value| value.integers().and_then(|all| all.first().cloned())).collect();
        match known {
            Some(known) if scalar == Scalar::Int => Ok(Sym::Ints(shape, Rc::new(known))),
            _ => {
                let values = values.iter().map(|value| self.converted(value, scalar, span));
                Ok(Sym::Cells(scalar, shape, Rc::new(values.collect::<Result<_>>()?)))
            }
        }
    }

    /// An array whose elements are arrays: with numbers as extents the elements one by one, or else a local variable.
    fn array_of_arrays(&mut self, unit: Unit, span: Span, (scalar, values): (Scalar, &[Sym])) -> Result<Sym> {
        let shape = values[0].shape();
        for value in values {
            for (a, b) in shape.iter().zip(value.shape()) {
                let what =
                    || error_of(ErrorKind::Shapes, unit, span, "the elements of an array have one shape");
                self.require_equal([a, &b], what)?;
            }
        }
        let listed: Option<Vec<Vec<Sym>>> = values.iter().map(cells).collect();
        if let (Some(listed), Some(extents)) = (listed, numbers(&shape)) {
            let shape = [&[values.len()], &extents[..]].concat();
            return self.listed(scalar, shape, listed.concat(), span);
        }
        let frame = IndexExpr::number(values.len() as i64);
        let mark = self.mark();
        let dims = self.fresh((0..=shape.len()).map(|k| format!("x{k}")));
        let all = [&[frame], &shape[..]].concat();
        let at = self.push_box(dims, &all)?;
        let mut parts = Vec::new();
        for (k, value) in values.iter().enumerate() {
            let here = at[0].plus_number(-(k as i64)).map_err(overflow)?;
            let conditions = vec![here.clone(), here.times(-1).map_err(overflow)?];
            let part = self.part(value, &at[1..], span)?;
            parts.push((vec![conditions], self.element(&part, scalar, span)?));
        }
        let e = self.cases(&parts, span)?;
        let variable = self.local("list", scalar, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(scalar, all, variable, prefix))
    }

    /// A value as one of another type.
    pub(super) fn converted(&mut self, value: &Sym, to: Scalar, span: Span) -> Result<Sym> {
        if value.scalar() == to {
            return Ok(value.clone());
        }
        if value.rank() == 0 {
            let e = self.element(value, to, span)?;
            return Ok(self.scalar_here(to, e));
        }
        if let (Some(cells), Some(shape)) = (cells(value), numbers(&value.shape())) {
            let cells = cells.iter().map(|cell| self.converted(cell, to, span));
            return Ok(Sym::Cells(to, shape, Rc::new(cells.collect::<Result<_>>()?)));
        }
        let (mark, shape) = (self.mark(), value.shape());
        let dims = self.fresh((0..shape.len()).map(|k| format!("x{k}")));
        let at = self.push_box(dims, &shape)?;
        let part = self.part(value, &at, span)?;
        let e = self.element(&part, to, span)?;
        let variable = self.local("converted", to, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(to, shape, variable, prefix))
    }

    /// A function of a name on values.
    pub(super) fn applied(&mut self, unit: Unit, e: ExprId, name: &str, values: Vec<Sym>) -> Result<Sym> {
        let module = self.modules.of(unit);
        let span = module.file.span(e);
        let candidates = module.names.candidates(e);
        let is_standard = candidates.iter().all(|candidate| candidate.unit == Unit::Prelude);
        let are_scalars = values.iter().all(|value| value.rank() == 0);
        let operator = Primitive::of_operator(name, values.len()).filter(|_| is_standard && are_scalars);
        if let Some(primitive) = Primitive::named(name).or(operator) {
            return self.primitive((unit, span), primitive, &values);
        }
        let mut results = self.dispatched((unit, span), name, candidates, values)?;
        match (results.pop(), results.is_empty()) {
            (Some(result), true) => Ok(result),
            _ => {
                let message = format!("`{name}` has several results, which only an assignment takes");
                error(ErrorKind::Call, unit, span, message)
            }
        }
    }

    pub(super) fn dispatched(
        &mut self,
        (unit, span): (Unit, Span),
        name: &str,
        candidates: &[FunctionRef],
        values: Vec<Sym>,
    ) -> Result<Vec<Sym>> {
        let arguments: Vec<ArgumentType> = values.iter().map(Sym::argument).collect();
        let modules = self.modules;
        let types =
            |of: FunctionRef| modules.function(of).parameters.iter().map(|parameter| &parameter.of).collect();
        match chosen(candidates, types, &arguments) {
            Ok(function) if unit == Unit::Program && function.unit == Unit::Prelude => {
                let outer = self.call.replace((name.into(), span));
                let results = self.call(function, values);
                let results = results.map_err(|failure| match failure {
                    Failure::Error(error) => Failure::Error(self.placed(error)),
                    refusal => refusal,
                });
                self.call = outer;
                results
            }
            Ok(function) => self.call(function, values),
            Err(NotChosen::Unknown) => {
                refused(span, format!("which `{name}` is called depends on an extent that is not known"))
            }
            Err(why) => {
                let texts: Vec<String> = arguments.iter().map(described).collect();
                let problem = match why {
                    NotChosen::Ambiguous => "several functions, none of which is the most specific, have",
                    NotChosen::None | NotChosen::Unknown => "no function has",
                };
                let message = format!("{problem} these arguments: {name}({})", texts.join(", "));
                error(ErrorKind::Call, unit, span, message)
            }
        }
    }

    /// The index expressions of a scalar or a vector.
    pub(super) fn integers(
        &self,
        (unit, span): (Unit, Span),
        value: &Sym,
        what: &str,
    ) -> Result<Vec<IndexExpr>> {
        match value.integers() {
            Some(integers) => Ok(integers.to_vec()),
            None if value.rank() > 1 || value.scalar() != Scalar::Int => {
                let message =
                    format!("{what} is a vector of integers, and not {}", described(&value.argument()));
                error(ErrorKind::Type, unit, span, message)
            }
            None => refused(
                span,
                format!("{what} depends on values of elements, or has a length that is not known"),
            ),
        }
    }

    pub(super) fn selected(&mut self, unit: Unit, span: Span, array: &Sym, index: &Sym) -> Result<Sym> {
        let at = self.integers((unit, span), index, "an index")?;
        let shape = array.shape();
        if at.len() > shape.len() {
            let message = format!(
                "an index of {} components selects from an array with {} axes",
                at.len(),
                shape.len()
            );
            return error(ErrorKind::Outside, unit, span, message);
        }
        self.require_inside((&at, &shape), (unit, span))?;
        // Where an index is outside at all sizes, nothing is evaluated.
        let is_outside = |(p, extent): (&IndexExpr, &IndexExpr)| match (p.as_number(), extent.as_number()) {
            (Some(p), Some(extent)) => p < 0 || p >= extent,
            _ => false,
        };
        if self.of_shapes.is_none() && at.iter().zip(&shape).any(is_outside) {
            return error(ErrorKind::Outside, unit, span, "an index is outside of an array");
        }
        self.part(array, &at, span)
    }

    fn choice(&mut self, scope: &mut Scope<'_>, [condition, yes, no]: [ExprId; 3]) -> Result<Sym> {
        let span = self.modules.of(scope.unit).file.span(condition);
        match self.expression(scope, condition)? {
            Sym::Truth(condition) => match self.decided(&condition) {
                Some(truth) => self.expression(scope, if truth { yes } else { no }),
                None => {
                    let mut parts = self.under(scope, &condition.yes, yes)?;
                    parts.extend(self.under(scope, &condition.no, no)?);
                    self.chosen_by((scope.unit, span), parts)
                }
            },
            truth @ Sym::Scalar(Scalar::Bool, ..) => {
                let both = [self.expression(scope, yes), self.expression(scope, no)];
                let [a, b] = self.of_two(span, both)?;
                self.selected_by((scope.unit, span), &truth, [a, b])
            }
            other => {
                let message =
                    format!("a condition is a truth value, and not {}", described(&other.argument()));
                error(ErrorKind::Type, scope.unit, span, message)
            }
        }
    }

    /// Two branches, both of which are evaluated: an error in one of them is one in either case. If only the shape counts, it is not known then.
    pub(super) fn of_two<T>(&self, span: Span, both: [Result<T>; 2]) -> Result<[T; 2]> {
        let [a, b] = both.map(|branch| match branch {
            Err(Failure::Error(_)) if self.of_shapes.is_some() => {
                refused(span, "whether the value has a shape depends on elements")
            }
            other => other,
        });
        Ok([a?, b?])
    }

    /// The values where one of some alternatives holds, each with where that is; where a value is an error, there is none.
    fn under(
        &mut self,
        scope: &mut Scope<'_>,
        alternatives: &[Vec<IndexExpr>],
        e: ExprId,
    ) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        for conditions in self.disjoint(alternatives)? {
            let mark = self.mark();
            self.conditions.extend(conditions.iter().cloned());
            match self.caught(|this| this.expression(scope, e))? {
                Ok(value) => parts.push((conditions, value)),
                Err(of) => self.error_in_branch(&conditions, of)?,
            }
            self.reset(mark);
        }
        Ok(parts)
    }

    /// Alternatives without what those before have.
    pub(super) fn disjoint(&mut self, alternatives: &[Vec<IndexExpr>]) -> Result<Vec<Vec<IndexExpr>>> {
        let (mut rest, mut parts) = (vec![Vec::new()], Vec::new());
        for (at, conditions) in alternatives.iter().enumerate() {
            parts.extend(rest.iter().map(|outside| [&outside[..], conditions].concat()));
            if at + 1 < alternatives.len() {
                rest = self.left(&rest, conditions, Span::default())?;
            }
        }
        Ok(parts)
    }

    /// One of several values, each where conditions on sizes and indices hold.
    pub(super) fn chosen_by(&mut self, (unit, span): (Unit, Span), parts: Vec<Part>) -> Result<Sym> {
        let Some((_, first)) = parts.first() else {
            return error(ErrorKind::Call, unit, span, "both branches are errors");
        };
        if parts.iter().all(|(_, value)| is_same(value, first)) {
            return Ok(first.clone());
        }
        let mut scalar = first.scalar();
        for (_, value) in &parts {
            scalar = joined(unit, span, scalar, value.scalar())?;
        }
        let (conditions, values): (Vec<Vec<IndexExpr>>, Vec<Sym>) = parts.into_iter().unzip();
        self.merged(span, scalar, (&values, &conditions), &mut |this, all| {
            let cases: Vec<_> = conditions.iter().zip(all).map(|(of, e)| (vec![of.clone()], *e)).collect();
            this.cases(&cases, span)
        })
    }

    /// One of two values, by a truth value of the core.
    pub(super) fn selected_by(
        &mut self,
        (unit, span): (Unit, Span),
        truth: &Sym,
        [a, b]: [Sym; 2],
    ) -> Result<Sym> {
        let scalar = joined(unit, span, a.scalar(), b.scalar())?;
        let always = [Vec::new(), Vec::new()];
        self.merged(span, scalar, (&[a, b], &always), &mut |this, all| {
            let truth = this.element(truth, Scalar::Bool, span)?;
            let operands = [&[truth], all].concat();
            Ok(this.system.push(Node::Intrinsic(Intrinsic::Select, operands), span))
        })
    }

    /// Values of one shape, each where conditions hold, element by element.
    fn merged(
        &mut self,
        span: Span,
        scalar: Scalar,
        (values, conditions): (&[Sym], &[Vec<IndexExpr>]),
        merge: &mut dyn FnMut(&mut Self, &[NodeId]) -> Result<NodeId>,
    ) -> Result<Sym> {
        let shape = values.first().map(Sym::shape).unwrap_or_default();
        if values.iter().any(|value| value.shape() != shape) {
            return refused(span, "a condition that is not known chooses between arrays of different shapes");
        }
        let mark = self.mark();
        let dims = self.fresh((0..shape.len()).map(|k| format!("x{k}")));
        let at = self.push_box(dims, &shape)?;
        let mut all = Vec::with_capacity(values.len());
        for (value, conditions) in values.iter().zip(conditions) {
            let inner = self.mark();
            self.conditions.extend(conditions.iter().cloned());
            let part = self.part(value, &at, span)?;
            all.push(self.element(&part, scalar, span)?);
            self.reset(inner);
        }
        let e = merge(self, &all)?;
        if shape.is_empty() {
            return Ok(self.scalar_here(scalar, e));
        }
        let variable = self.local("chosen", scalar, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(scalar, shape, variable, prefix))
    }

    /// A primitive of values.
    fn primitive(&mut self, place: (Unit, Span), of: Primitive, values: &[Sym]) -> Result<Sym> {
        let (unit, span) = place;
        match (of, values) {
            (Primitive::Shape, [a]) => Ok(Sym::vector(a.shape())),
            (Primitive::Dim, [a]) => Ok(Sym::number(a.rank() as i64)),
            (Primitive::Zero, [a]) => match a.scalar() {
                Scalar::Int => Ok(Sym::number(0)),
                Scalar::Bool => Ok(Sym::Truth(Rc::new(known(false)))),
                float => {
                    let e = self.zero_of(float, span);
                    Ok(self.scalar_here(float, e))
                }
            },
            (Primitive::SameShape, [a, b]) => self.same_shape(place, [a, b]),
            (Primitive::Sel, [index, a]) => {
                let components = index.shape();
                match components[..] {
                    [ref length] if length.as_number() == Some(a.rank() as i64) => {
                        self.selected(unit, span, a, index)
                    }
                    _ => Err(wrong_arguments(place, of, values)),
                }
            }
            (Primitive::Drop | Primitive::Take, [n, vector]) => self.part_of_vector(place, of, [n, vector]),
            (Primitive::Cat, [a, b]) => match (cells(a), cells(b)) {
                (Some(first), Some(second)) if a.rank() == 1 && b.rank() == 1 => {
                    let scalar = joined(unit, span, a.scalar(), b.scalar())?;
                    let all = [first, second].concat();
                    self.listed(scalar, vec![all.len()], all, span)
                }
                _ => refused(span, "a vector whose length is not a number is part of another one"),
            },
            (_, [a]) if a.rank() == 0 => self.unary(place, of, a),
            (_, [a, b]) if a.rank() == 0 && b.rank() == 0 => self.binary(place, of, [a, b]),
            _ => Err(wrong_arguments(place, of, values)),
        }
    }

    fn same_shape(&mut self, (unit, span): (Unit, Span), [a, b]: [&Sym; 2]) -> Result<Sym> {
        let [first, second] = [a.shape(), b.shape()];
        if first.len() != second.len() {
            let [a, b] = [a, b].map(|of| described(&of.argument()));
            let message = format!("the shapes of {a} and {b} are not the same");
            return error(ErrorKind::Shapes, unit, span, message);
        }
        for (p, q) in first.iter().zip(&second) {
            let texts = [p, q].map(|of| self.text(of));
            let what = || {
                let message = format!("two shapes are not the same: {} and {}", texts[0], texts[1]);
                error_of(ErrorKind::Shapes, unit, span, message)
            };
            self.require_equal([p, q], what)?;
        }
        Ok(Sym::vector(first))
    }

    /// `_drop_SxV_` and `_take_SxV_`, of numbers.
    fn part_of_vector(&mut self, place: (Unit, Span), of: Primitive, [n, vector]: [&Sym; 2]) -> Result<Sym> {
        let (unit, span) = place;
        let (Some([n]), Some(all)) = (n.integers(), cells(vector)) else {
            return refused(span, "a part of a vector whose length is not a number");
        };
        let Some(n) = n.as_number() else {
            return refused(span, "a part of a vector, of a length that is not a number");
        };
        let size = usize::try_from(n.unsigned_abs()).ok().filter(|size| *size <= all.len());
        let Some(size) = size.filter(|_| vector.rank() == 1) else {
            let message = format!("{} of {n} elements, from a vector of {}", of.name(), all.len());
            return error(ErrorKind::Outside, unit, span, message);
        };
        let range = match (of, n < 0) {
            (Primitive::Drop, false) => size..all.len(),
            (Primitive::Drop, true) => 0..all.len() - size,
            (_, false) => 0..size,
            (_, true) => all.len() - size..all.len(),
        };
        let part = all[range].to_vec();
        self.listed(vector.scalar(), vec![part.len()], part, span)
    }

    fn unary(&mut self, place: (Unit, Span), of: Primitive, a: &Sym) -> Result<Sym> {
        let (_, span) = place;
        let kind = a.scalar();
        let is_number = kind != Scalar::Bool;
        if let Some(value) = self.unary_of_index(of, a)? {
            return Ok(value);
        }
        let operator = match of {
            Primitive::Negate if is_number => Unary::Negate,
            Primitive::Absolute if is_number => Unary::Absolute,
            Primitive::Not if !is_number => Unary::Not,
            Primitive::ToInt if is_number => return self.converted(a, Scalar::Int, span),
            Primitive::ToFloat if is_number => return self.converted(a, Scalar::Float, span),
            Primitive::ToDouble if is_number => return self.converted(a, Scalar::Double, span),
            Primitive::Exp | Primitive::Log | Primitive::Sqrt if kind.is_float() => {
                let operand = self.element(a, kind, span)?;
                let function = self.function(of, self.floats.of(kind), span);
                let e = self.system.push(Node::Call(function, vec![operand]), span);
                return Ok(self.scalar_here(kind, e));
            }
            _ => return Err(wrong_arguments(place, of, std::slice::from_ref(a))),
        };
        let operand = self.element(a, kind, span)?;
        let e = self.system.push(Node::Unary(operator, operand), span);
        Ok(self.scalar_here(kind, e))
    }

    /// A unary operator on an index expression or a condition.
    fn unary_of_index(&mut self, of: Primitive, a: &Sym) -> Result<Option<Sym>> {
        Ok(match (of, a, a.integers()) {
            (Primitive::Not, Sym::Truth(condition), _) => {
                Some(Sym::Truth(Rc::new((**condition).clone().negated())))
            }
            (Primitive::Negate, _, Some([p])) => Some(Sym::int(p.times(-1).map_err(overflow)?)),
            (Primitive::Absolute, _, Some([p])) => {
                let negated = p.times(-1).map_err(overflow)?;
                Some(Sym::int(match (self.is_plain(p), self.is_plain(&negated)) {
                    (true, _) => p.clone(),
                    (_, true) => negated,
                    _ => IndexExpr::greatest(&[p.clone(), negated]).map_err(overflow)?,
                }))
            }
            _ => None,
        })
    }

    fn function(&mut self, of: Primitive, data_type: ElementType, span: Span) -> FunctionId {
        let name = of.name().trim_matches('_').trim_end_matches("_S");
        let declared =
            if data_type == ElementType::Real { name.to_owned() } else { format!("{name}_{data_type}") };
        self.system.find_function(&declared).unwrap_or_else(|| {
            self.system.functions.push(alpha::syntax::DeclaredFunction {
                name: declared.as_str().into(),
                arguments: vec![data_type],
                result: data_type,
                span,
            });
            FunctionId::at(self.system.functions.len() - 1)
        })
    }

    fn binary(&mut self, place: (Unit, Span), of: Primitive, [a, b]: [&Sym; 2]) -> Result<Sym> {
        let (_, span) = place;
        let values = || [a.clone(), b.clone()];
        let (Some(operator), Some(kind)) = (of.binary(), a.scalar().joined(b.scalar())) else {
            return Err(wrong_arguments(place, of, &values()));
        };
        if let (Some([p]), Some([q])) = (a.integers(), b.integers()) {
            return self.binary_of_indices(place, of, [p, q]);
        }
        if let (Sym::Truth(p), Sym::Truth(q)) = (a, b)
            && let Some(condition) = connected(of, p, q)
        {
            return Ok(Sym::Truth(Rc::new(condition)));
        }
        if !crate::evaluation::has(operator, kind) {
            return Err(wrong_arguments(place, of, &values()));
        }
        let operands = [self.element(a, kind, span)?, self.element(b, kind, span)?];
        let node = match (of, kind) {
            (Primitive::Div, Scalar::Int) => {
                Node::Intrinsic(Intrinsic::Primitive(values::Primitive::Quotient), operands.to_vec())
            }
            _ => Node::Binary(operator, operands),
        };
        let e = self.system.push(node, span);
        let kind = if crate::evaluation::is_comparison(operator) { Scalar::Bool } else { kind };
        Ok(self.scalar_here(kind, e))
    }

    /// An operator on two index expressions.
    fn binary_of_indices(
        &mut self,
        place: (Unit, Span),
        of: Primitive,
        [p, q]: [&IndexExpr; 2],
    ) -> Result<Sym> {
        let (unit, span) = place;
        let result = match of {
            Primitive::Add => p.plus(1, q),
            Primitive::Sub => p.plus(-1, q),
            Primitive::Mul => p.product(q),
            Primitive::Min => self.least([p, q]),
            Primitive::Max => {
                let negated = [p.times(-1).map_err(overflow)?, q.times(-1).map_err(overflow)?];
                self.least([&negated[0], &negated[1]]).and_then(|least| least.times(-1))
            }
            Primitive::Div | Primitive::Mod => return self.quotient(place, of, [p, q]),
            comparison => {
                let operator = comparison.binary().unwrap_or(Binary::Equal);
                let condition = Condition::comparison(operator, [p, q]).map_err(overflow)?;
                let Some(condition) = condition else {
                    return Err(wrong_arguments(
                        (unit, span),
                        of,
                        &[Sym::int(p.clone()), Sym::int(q.clone())],
                    ));
                };
                let decided = self.decided(&condition);
                return Ok(Sym::Truth(Rc::new(decided.map_or(condition, known))));
            }
        };
        Ok(Sym::int(result.map_err(overflow)?))
    }

    /// The least of two; the one that is seen to be it.
    pub(super) fn least(
        &self,
        [p, q]: [&IndexExpr; 2],
    ) -> std::result::Result<IndexExpr, indices::expression::Overflow> {
        match (self.is_plain(&q.plus(-1, p)?), self.is_plain(&p.plus(-1, q)?)) {
            (true, _) => Ok(p.clone()),
            (_, true) => Ok(q.clone()),
            _ => IndexExpr::least(&[p.clone(), q.clone()]),
        }
    }

    /// A quotient, or a remainder, by a positive number, of what is not negative: then C's quotient is rounded down.
    fn quotient(
        &mut self,
        (unit, span): (Unit, Span),
        of: Primitive,
        [p, q]: [&IndexExpr; 2],
    ) -> Result<Sym> {
        let quotient = match (p.as_number(), q.as_number()) {
            (_, Some(0)) => {
                return error(ErrorKind::Number, unit, span, "a known integer is divided by 0");
            }
            (Some(p), Some(q)) => {
                let result = if of == Primitive::Div { p.checked_div(q) } else { p.checked_rem(q) };
                return match result {
                    Some(result) => Ok(Sym::number(result)),
                    None => error(ErrorKind::Number, unit, span, "a known integer exceeds 64 bits"),
                };
            }
            (_, Some(d)) if d > 0 && (self.of_shapes.is_some() || self.is_plain(p)) => p.floor(d),
            _ => return refused(span, "a quotient of what may be negative, or by what is not a number"),
        };
        let quotient = quotient.map_err(overflow)?;
        let result = match of {
            Primitive::Div => quotient,
            _ => p.plus(-q.constant(), &quotient).map_err(overflow)?,
        };
        Ok(Sym::int(result))
    }
}

fn wrong_arguments((unit, span): (Unit, Span), of: Primitive, values: &[Sym]) -> Failure {
    let texts: Vec<String> = values.iter().map(|value| described(&value.argument())).collect();
    let message = format!("no primitive has these arguments: {}({})", of.name(), texts.join(", "));
    Failure::Error(Error { kind: ErrorKind::Call, message, span, unit })
}

/// The values one by one of a vector or an array that lists them.
pub(super) fn cells(value: &Sym) -> Option<Vec<Sym>> {
    match value {
        Sym::Ints(_, elements) => Some(elements.iter().cloned().map(Sym::int).collect()),
        Sym::Cells(_, _, elements) => Some(elements.to_vec()),
        Sym::Truth(_) | Sym::Scalar(..) | Sym::Array(..) => None,
    }
}

/// Extents that all are numbers.
pub(super) fn numbers(shape: &[IndexExpr]) -> Option<Vec<usize>> {
    shape.iter().map(|extent| extent.as_number().and_then(|number| usize::try_from(number).ok())).collect()
}

pub(super) fn joined(unit: Unit, span: Span, a: Scalar, b: Scalar) -> Result<Scalar> {
    match a.joined(b) {
        Some(scalar) => Ok(scalar),
        None => {
            let message =
                format!("elements of an array have one type, not `{}` and `{}`", a.text(), b.text());
            error(ErrorKind::Type, unit, span, message)
        }
    }
}

/// Whether two values are seen to be the same.
pub(super) fn is_same(a: &Sym, b: &Sym) -> bool {
    match (a, b) {
        (Sym::Ints(shape, p), Sym::Ints(other, q)) => shape == other && p == q,
        (Sym::Truth(p), Sym::Truth(q)) => p == q,
        (Sym::Cells(_, shape, p), Sym::Cells(_, other, q)) => {
            shape == other && p.iter().zip(q.iter()).all(|(p, q)| is_same(p, q))
        }
        (Sym::Scalar(_, e, depth), Sym::Scalar(_, f, other)) => e == f && depth == other,
        (Sym::Array(_, shape, x, prefix), Sym::Array(_, other, y, start)) => {
            x == y && shape == other && prefix == start
        }
        _ => false,
    }
}

/// A connection of conditions; `None` if it is none, or too large.
fn connected(of: Primitive, p: &Condition, q: &Condition) -> Option<Condition> {
    match of {
        Primitive::And => p.and(q),
        Primitive::Or => p.clone().negated().and(&q.clone().negated()).map(Condition::negated),
        _ => None,
    }
}

/// A shape without its numbers: they are conditions on sizes.
fn without_numbers(shape: &ShapeType) -> ShapeType {
    match shape {
        ShapeType::Extents(extents) => ShapeType::Extents(vec![Extent::Any; extents.len()]),
        other => other.clone(),
    }
}
