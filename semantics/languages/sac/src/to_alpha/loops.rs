//! With-loops as local variables and reductions.
//!
//! The index sets of generators become disjoint: what is left of the frame after each generator is a union of boxes, outside of the first bound of the
//! generator that does not hold.

use super::contexts::{error_of, within};
use super::expressions::{Scope, joined, numbers};
use super::symbolic::Sym;
use super::{Lowering, Result, error, overflow, refused};
use crate::errors::ErrorKind;
use crate::functions::Unit;
use crate::primitives::Primitive;
use crate::syntax::{Bound, ExprId, Generator, Limit, Named, Operator, Pattern, Scalar, WithLoop};
use alpha::syntax::{DomainId, ExprId as Node, Expression};
use base::diagnostics::Span;
use indices::condition::Alternatives;
use indices::expression::IndexExpr;
use polyhedra::{Affine, AffineMap, Name};
use selfsame_core::operators::Binary;

/// The maximum number of elements of an array of integers that is evaluated one by one.
const MAX_LISTED: usize = 256;
/// The maximum number of boxes that are left of a frame.
const MAX_BOXES: usize = 64;

/// An index set: bounds, and steps that are numbers.
pub(super) struct Grid {
    pub lower: Vec<IndexExpr>,
    pub upper: Vec<IndexExpr>,
    steps: Vec<(i64, i64)>,
}

impl Grid {
    pub(super) fn full(lower: Vec<IndexExpr>, upper: Vec<IndexExpr>) -> Grid {
        let steps = vec![(1, 1); lower.len()];
        Grid { lower, upper, steps }
    }

    /// The bounds as conditions on indices.
    pub(super) fn bounds(&self, at: &[IndexExpr]) -> Result<Vec<IndexExpr>> {
        let mut conditions = Vec::new();
        for ((x, lower), upper) in at.iter().zip(&self.lower).zip(&self.upper) {
            conditions.push(x.plus(-1, lower).map_err(overflow)?);
            conditions.push(upper.plus(-1, x).and_then(|e| e.plus_number(-1)).map_err(overflow)?);
        }
        Ok(conditions)
    }

    /// All conditions: `(x − lower) mod step < width`, too.
    pub(super) fn conditions(&self, at: &[IndexExpr]) -> Result<Vec<IndexExpr>> {
        let mut conditions = self.bounds(at)?;
        for ((x, lower), (step, width)) in at.iter().zip(&self.lower).zip(&self.steps) {
            if width < step {
                let from = x.plus(-1, lower).map_err(overflow)?;
                let quotient = from.floor(*step).map_err(overflow)?;
                let remainder = from.plus(-step, &quotient).map_err(overflow)?;
                conditions
                    .push(remainder.times(-1).and_then(|e| e.plus_number(width - 1)).map_err(overflow)?);
            }
        }
        Ok(conditions)
    }
}

/// A scalar at the points of some loops.
pub(super) struct Pending {
    pub dims: Vec<Name>,
    pub domain: DomainId,
    pub value: Sym,
}

impl Lowering<'_> {
    pub(super) fn with_loop(&mut self, scope: &mut Scope<'_>, e: ExprId, of: &WithLoop) -> Result<Sym> {
        let (unit, span) = (scope.unit, self.modules.of(scope.unit).file.span(e));
        match &of.operator {
            Operator::Genarray(shape, default) => {
                let shape = self.expression(scope, *shape)?;
                let default = self.expression(scope, *default)?;
                let frame = self.integers((unit, span), &shape, "a shape")?;
                for extent in &frame {
                    let text = self.text(extent);
                    let message = || format!("a shape has a negative extent: {text}");
                    self.require(extent, || error_of(ErrorKind::Extent, unit, span, message()))?;
                    if self.of_shapes.is_none() && extent.as_number().is_some_and(|number| number < 0) {
                        return error(ErrorKind::Extent, unit, span, message());
                    }
                }
                let cell = default.shape();
                if self.of_shapes.is_some() {
                    let listed = self.caught(|this| this.listed_loop(scope, span, (of, &frame, &default)))?;
                    return match listed {
                        Ok(Some(listed)) => Ok(listed),
                        _ => self.loop_of_shape(scope, (of, span), (default.scalar(), &frame, &cell)),
                    };
                }
                if let Some(listed) = self.listed_loop(scope, span, (of, &frame, &default))? {
                    return Ok(listed);
                }
                self.generated(scope, span, (of, &frame, &cell), &|_, _| Ok(default.clone()))
            }
            Operator::Modarray(array) => {
                let array = self.expression(scope, *array)?;
                let shape = array.shape();
                if self.of_shapes.is_some() {
                    return self.loop_of_shape(scope, (of, span), (array.scalar(), &shape, &[]));
                }
                let length = self.length(scope, of, shape.len())?;
                if length > shape.len() {
                    let message =
                        format!("an index of {length} components for an array with {} axes", shape.len());
                    return error(ErrorKind::Lengths, unit, span, message);
                }
                let (frame, cell) = shape.split_at(length);
                self.generated(scope, span, (of, frame, cell), &|this, at| this.part(&array, at, span))
            }
            Operator::Fold(function, neutral) => self.fold(scope, e, of, (function, *neutral)),
        }
    }

    /// A with-loop of which only the shape counts: its values say what its elements are.
    fn loop_of_shape(
        &mut self,
        scope: &mut Scope<'_>,
        (of, span): (&WithLoop, Span),
        (mut scalar, frame, cell): (Scalar, &[IndexExpr], &[IndexExpr]),
    ) -> Result<Sym> {
        for generator in &of.generators {
            let mark = self.mark();
            let at = self.push_dims(self.index_names(of, frame.len()));
            self.bind_index(scope, &generator.pattern, &at);
            let value = self.caught(|this| {
                this.statements(scope, &generator.body)?;
                this.expression(scope, generator.value)
            });
            if let Some(joined) = value?.ok().and_then(|value| scalar.joined(value.scalar())) {
                scalar = joined;
            }
            self.reset(mark);
        }
        self.of_shape(scalar, [frame, cell].concat(), span)
    }

    /// A value of which only the shape counts.
    pub(super) fn of_shape(&mut self, scalar: Scalar, shape: Vec<IndexExpr>, span: Span) -> Result<Sym> {
        let mark = self.mark();
        let dims = self.fresh((0..shape.len()).map(|k| format!("x{k}")));
        self.push_box(dims, &shape)?;
        let e = self.zero_of(scalar, span);
        if shape.is_empty() {
            return Ok(self.scalar_here(scalar, e));
        }
        let variable = self.local("shape", scalar, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(scalar, shape, variable, prefix))
    }

    /// The number of components of the indices of a with-loop.
    fn length(&mut self, scope: &mut Scope<'_>, of: &WithLoop, rank: usize) -> Result<usize> {
        for generator in &of.generators {
            if let Pattern::Components(components, _) = &generator.pattern {
                return Ok(components.len());
            }
            for limit in [generator.lower, generator.upper] {
                if let Bound::Of(e) = limit.bound {
                    let span = self.modules.of(scope.unit).file.span(e);
                    let value = self.expression(scope, e)?;
                    return Ok(self.integers((scope.unit, span), &value, "a bound")?.len());
                }
            }
        }
        Ok(rank)
    }

    /// A with-loop over numbers whose values are index expressions or conditions: one by one.
    fn listed_loop(
        &mut self,
        scope: &mut Scope<'_>,
        span: Span,
        (of, frame, default): (&WithLoop, &[IndexExpr], &Sym),
    ) -> Result<Option<Sym>> {
        let Some(extents) = numbers(frame) else { return Ok(None) };
        let count = extents.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
        let is_listed =
            matches!(default, Sym::Ints(shape, _) if shape.is_empty()) || matches!(default, Sym::Truth(_));
        let Some(count) = count.filter(|count| *count <= MAX_LISTED && is_listed) else { return Ok(None) };
        let forbidden = self.forbidden.len();
        let mut cells: Vec<Option<Sym>> = vec![None; count];
        for generator in &of.generators {
            let grid = self.grid(scope, generator, Some(frame))?;
            let (Some(lower), Some(upper)) = (all_numbers(&grid.lower), all_numbers(&grid.upper)) else {
                return Ok(None);
            };
            for (place, cell) in cells.iter_mut().enumerate() {
                let at = index_of(place, &extents);
                let is_there = |k: usize| {
                    let (step, width) = grid.steps[k];
                    lower[k] <= at[k] && at[k] < upper[k] && (at[k] - lower[k]).rem_euclid(step) < width
                };
                if cell.is_some() || !(0..at.len()).all(is_there) {
                    continue;
                }
                let at: Vec<IndexExpr> = at.iter().map(|k| IndexExpr::number(*k)).collect();
                self.bind_index(scope, &generator.pattern, &at);
                self.statements(scope, &generator.body)?;
                let value = self.expression(scope, generator.value)?;
                if value.rank() != 0 || !matches!(value, Sym::Ints(..) | Sym::Truth(_)) {
                    // Not a vector of integers: evaluated again, for all indices at once.
                    self.forbidden.truncate(forbidden);
                    return Ok(None);
                }
                *cell = Some(value);
            }
            self.require_grid(scope.unit, (generator.span, &grid), frame)?;
        }
        let values: Vec<Sym> =
            cells.into_iter().map(|cell| cell.unwrap_or_else(|| default.clone())).collect();
        let mut scalar = default.scalar();
        for value in &values {
            scalar = joined(scope.unit, span, scalar, value.scalar())?;
        }
        match (&values[..], extents.is_empty()) {
            ([only], true) => Ok(Some(only.clone())),
            _ => self.listed(scalar, extents, values, span).map(Some),
        }
    }

    pub(super) fn bind_index(&self, scope: &mut Scope<'_>, pattern: &Pattern, at: &[IndexExpr]) {
        match pattern {
            Pattern::Vector(binding) => self.bind(scope, binding, Sym::vector(at.to_vec())),
            Pattern::Components(..) => {
                for (binding, x) in pattern.bindings().into_iter().zip(at) {
                    self.bind(scope, binding, Sym::int(x.clone()));
                }
            }
        }
    }

    fn grid(
        &mut self,
        scope: &mut Scope<'_>,
        generator: &Generator,
        frame: Option<&[IndexExpr]>,
    ) -> Result<Grid> {
        let place = (scope.unit, generator.span);
        let lower = self.limit(scope, generator.lower, (true, frame))?;
        let upper = self.limit(scope, generator.upper, (false, frame))?;
        let length = frame.map_or(lower.len(), <[IndexExpr]>::len);
        let expected = match &generator.pattern {
            Pattern::Components(components, _) => components.len(),
            Pattern::Vector(_) => length,
        };
        if [lower.len(), upper.len(), length].iter().any(|length| *length != expected) {
            let message = format!(
                "the bounds have {} and {} components, for an index of {expected}",
                lower.len(),
                upper.len()
            );
            return error(ErrorKind::Lengths, place.0, place.1, message);
        }
        let mut grid = Grid::full(lower, upper);
        if let Some(step) = generator.step {
            let steps = self.filter(scope, step, expected)?;
            let widths = match generator.width {
                Some(width) => self.filter(scope, width, expected)?,
                None => vec![1; expected],
            };
            grid.steps = steps.into_iter().zip(widths).collect();
            if !grid.steps.iter().all(|(step, width)| 1 <= *width && width <= step) {
                return error(ErrorKind::Lengths, place.0, place.1, "a width is from 1 to the step");
            }
        }
        Ok(grid)
    }

    /// A step or a width: numbers.
    fn filter(&mut self, scope: &mut Scope<'_>, e: ExprId, expected: usize) -> Result<Vec<i64>> {
        let span = self.modules.of(scope.unit).file.span(e);
        let value = self.expression(scope, e)?;
        let numbers = self.integers((scope.unit, span), &value, "a step")?;
        if numbers.len() != expected {
            let message = format!("a step has {} components, for an index of {expected}", numbers.len());
            return error(ErrorKind::Lengths, scope.unit, span, message);
        }
        all_numbers(&numbers).map_or_else(|| refused(span, "a step that is not a number"), Ok)
    }

    /// A bound as the first index, or the first after the last one.
    pub(super) fn limit(
        &mut self,
        scope: &mut Scope<'_>,
        limit: Limit,
        (is_lower, frame): (bool, Option<&[IndexExpr]>),
    ) -> Result<Vec<IndexExpr>> {
        let e = match (limit.bound, frame) {
            (Bound::Of(e), _) => e,
            (Bound::Dot(_), Some(frame)) => {
                let zero = || vec![IndexExpr::number(0); frame.len()];
                return Ok(if is_lower { zero() } else { frame.to_vec() });
            }
            (Bound::Dot(span), None) => {
                let message = "`.` is a bound of a shape, and `fold` has none";
                return error(ErrorKind::Bottom, scope.unit, span, message);
            }
        };
        let span = self.modules.of(scope.unit).file.span(e);
        let value = self.expression(scope, e)?;
        let moved = i64::from(limit.inclusive != is_lower);
        let all = self.integers((scope.unit, span), &value, "a bound")?;
        all.iter().map(|p| p.plus_number(moved).map_err(overflow)).collect()
    }

    /// Every index between the bounds is inside of the frame, or else an error.
    pub(super) fn require_grid(
        &mut self,
        unit: Unit,
        (span, grid): (Span, &Grid),
        frame: &[IndexExpr],
    ) -> Result<()> {
        let mark = self.mark();
        let dims = self.fresh((0..frame.len()).map(|k| format!("x{k}")));
        let at = self.push_dims(dims);
        let bounds = grid.bounds(&at)?;
        self.conditions.extend(bounds);
        for p in within(&at, frame)? {
            let what =
                || error_of(ErrorKind::Outside, unit, span, "a generator has indices outside of the result");
            self.require(&p, what)?;
        }
        self.reset(mark);
        Ok(())
    }

    /// The array of the values of generators, and of cells that no generator has.
    fn generated(
        &mut self,
        scope: &mut Scope<'_>,
        span: Span,
        (of, frame, cell): (&WithLoop, &[IndexExpr], &[IndexExpr]),
        default: &dyn Fn(&mut Self, &[IndexExpr]) -> Result<Sym>,
    ) -> Result<Sym> {
        let mut rest: Alternatives = vec![Vec::new()];
        let mut pending = Vec::new();
        let names = self.index_names(of, frame.len());
        for generator in &of.generators {
            let grid = self.grid(scope, generator, Some(frame))?;
            self.require_grid(scope.unit, (generator.span, &grid), frame)?;
            let mark = self.mark();
            let at = self.push_box(names.clone(), frame)?;
            let conditions = grid.conditions(&at)?;
            for outside in &rest {
                let inner = self.mark();
                self.conditions.extend(outside.iter().chain(&conditions).cloned());
                let value = self.generator_value(scope, generator, &at)?;
                if let Some(value) = value {
                    let place = (scope.unit, self.modules.of(scope.unit).file.span(generator.value));
                    self.pend(&mut pending, place, (&value, cell))?;
                }
                self.reset(inner);
            }
            rest = self.left(&rest, &conditions, span)?;
            self.reset(mark);
        }
        let mark = self.mark();
        let at = self.push_box(names.clone(), frame)?;
        for outside in &rest {
            let inner = self.mark();
            self.conditions.extend(outside.iter().cloned());
            let value = default(self, &at)?;
            self.pend(&mut pending, (scope.unit, span), (&value, cell))?;
            self.reset(inner);
        }
        self.reset(mark);
        self.assembled(scope.unit, span, (names, frame, cell), pending)
    }

    /// The names of the indices: those of the first pattern.
    fn index_names(&self, of: &WithLoop, length: usize) -> Vec<Name> {
        let first = of.generators.first().map(|generator| &generator.pattern);
        let names: Vec<String> = match first {
            Some(Pattern::Components(..)) => first
                .map(Pattern::bindings)
                .unwrap_or_default()
                .iter()
                .map(|of| of.name.to_string())
                .collect(),
            Some(Pattern::Vector(of)) => (0..length).map(|k| format!("{}{k}", of.name)).collect(),
            None => Vec::new(),
        };
        let numbered = (names.len()..length).map(|k| format!("x{k}"));
        self.fresh(names.into_iter().take(length).chain(numbered))
    }

    /// The value of a generator in the context; `None` if it is an error, which is an error where the context has a point.
    fn generator_value(
        &mut self,
        scope: &mut Scope<'_>,
        generator: &Generator,
        at: &[IndexExpr],
    ) -> Result<Option<Sym>> {
        self.bind_index(scope, &generator.pattern, at);
        let value = self.caught(|this| {
            this.statements(scope, &generator.body)?;
            this.expression(scope, generator.value)
        });
        match value? {
            Ok(value) => Ok(Some(value)),
            Err(error) => self.error_here(error).map(|()| None),
        }
    }

    /// Adds the elements of a cell.
    pub(super) fn pend(
        &mut self,
        pending: &mut Vec<Pending>,
        (unit, span): (Unit, Span),
        (value, cell): (&Sym, &[IndexExpr]),
    ) -> Result<()> {
        if value.rank() != cell.len() {
            let message = "a value and a cell have different numbers of axes";
            return self.error_here(error_of(ErrorKind::Shapes, unit, span, message));
        }
        for (p, q) in cell.iter().zip(value.shape()) {
            let texts = [p, &q].map(|of| self.text(of));
            let what = || {
                let message = format!("a value has an extent {}, and a cell {}", texts[1], texts[0]);
                error_of(ErrorKind::Shapes, unit, span, message)
            };
            self.require_equal([p, &q], what)?;
        }
        let mark = self.mark();
        let dims = self.fresh((0..cell.len()).map(|k| format!("y{k}")));
        let at = self.push_box(dims, cell)?;
        let value = self.part(value, &at, span)?;
        let set = self.set(&[], span)?;
        let domain = self.system.push_set(&set, span);
        pending.push(Pending { dims: self.dims.clone(), domain, value });
        self.reset(mark);
        Ok(())
    }

    /// The boxes of some that are outside of conditions: of the first one that does not hold.
    pub(super) fn left(
        &mut self,
        boxes: &[Vec<IndexExpr>],
        conditions: &[IndexExpr],
        span: Span,
    ) -> Result<Alternatives> {
        let mut left = Vec::new();
        for of in boxes {
            let mark = self.mark();
            self.conditions.extend(of.iter().cloned());
            let mut within = of.clone();
            for condition in conditions {
                if !self.is_plain(condition) {
                    let negated = condition.negated().map_err(overflow)?;
                    left.push([&within[..], &[negated]].concat());
                    within.push(condition.clone());
                }
            }
            self.reset(mark);
        }
        if left.len() > MAX_BOXES {
            return refused(
                span,
                format!("what generators leave of a frame has more than {MAX_BOXES} boxes"),
            );
        }
        Ok(left)
    }

    /// A local variable with pending elements.
    pub(super) fn assembled(
        &mut self,
        unit: Unit,
        span: Span,
        (names, frame, cell): (Vec<Name>, &[IndexExpr], &[IndexExpr]),
        pending: Vec<Pending>,
    ) -> Result<Sym> {
        let mut scalar = pending.first().map_or(Scalar::Int, |first| first.value.scalar());
        for of in &pending {
            scalar = joined(unit, span, scalar, of.value.scalar())?;
        }
        let shape = [frame, cell].concat();
        let mark = self.mark();
        self.push_box(names, frame)?;
        let dims = self.fresh((0..cell.len()).map(|k| format!("y{k}")));
        self.push_box(dims, cell)?;
        let outer = self.dims.clone();
        let mut branches = Vec::new();
        for Pending { dims, domain, value } in pending {
            self.dims = dims;
            let e = self.element(&value, scalar, span)?;
            branches.push(self.system.push(Expression::Restrict(domain, e), span));
        }
        self.dims = outer;
        let e = match branches[..] {
            [] => self.zero_of(scalar, span),
            [only] => only,
            _ => self.system.push(Expression::Case(branches), span),
        };
        if shape.is_empty() {
            self.reset(mark);
            return Ok(self.scalar_here(scalar, e));
        }
        let variable = self.local("array", scalar, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(scalar, shape, variable, prefix))
    }

    /// An array with one of its parts replaced.
    pub(super) fn with_part(
        &mut self,
        (array, scalar): (&Sym, Scalar),
        (at, part): (&[IndexExpr], &Sym),
        span: Span,
    ) -> Result<Sym> {
        let shape = array.shape();
        let (frame, cell) = shape.split_at(at.len());
        let names = self.fresh((0..frame.len()).map(|k| format!("x{k}")));
        let mark = self.mark();
        let here = self.push_box(names.clone(), frame)?;
        let mut conditions = Vec::new();
        for (x, p) in here.iter().zip(at) {
            conditions.push(x.plus(-1, p).map_err(overflow)?);
            conditions.push(p.plus(-1, x).map_err(overflow)?);
        }
        let mut pending = Vec::new();
        let rest = self.left(&[Vec::new()], &conditions, span)?;
        let parts = [(vec![conditions], part.clone()), (rest, array.clone())];
        for (k, (alternatives, value)) in parts.into_iter().enumerate() {
            for conditions in alternatives {
                let inner = self.mark();
                self.conditions.extend(conditions);
                let value = if k == 0 { value.clone() } else { self.part(&value, &here, span)? };
                let value = if value.rank() == 0 { self.converted(&value, scalar, span)? } else { value };
                self.pend(&mut pending, (Unit::Program, span), (&value, cell))?;
                self.reset(inner);
            }
        }
        self.reset(mark);
        self.assembled(Unit::Program, span, (names, frame, cell), pending)
    }

    fn fold(
        &mut self,
        scope: &mut Scope<'_>,
        e: ExprId,
        of: &WithLoop,
        (function, neutral): (&Named, ExprId),
    ) -> Result<Sym> {
        let (unit, span) = (scope.unit, self.modules.of(scope.unit).file.span(e));
        let neutral = self.expression(scope, neutral)?;
        if let Some(listed) = self.listed_fold(scope, e, of, (function, &neutral))? {
            return Ok(listed);
        }
        let candidates = self.modules.of(unit).names.candidates(e);
        let is_standard = candidates.iter().all(|candidate| candidate.unit == Unit::Prelude);
        let primitive = Primitive::of_operator(&function.name, 2).filter(|_| is_standard);
        let operator = primitive.and_then(Primitive::binary).filter(|operator| operator.is_commutative());
        let Some(operator) = operator else {
            return refused(
                span,
                format!("a fold of `{}`, over indices that are not numbers", function.name),
            );
        };
        let grids = of.generators.iter().map(|generator| self.grid(scope, generator, None));
        let grids: Vec<Grid> = grids.collect::<Result<_>>()?;
        let reduced = self.reduced(scope, span, (of, operator), &neutral)?;
        let all = self.applied(unit, e, &function.name, vec![neutral.clone(), reduced])?;
        // Sums, products and connections of nothing are neutral; a least or a greatest element of nothing is not there.
        match operator {
            Binary::Min | Binary::Max => self.unless_empty((unit, span), &grids, [all, neutral]),
            _ => Ok(all),
        }
    }

    /// The first value where one of some index sets has an index, and the second one where none has.
    fn unless_empty(
        &mut self,
        (unit, span): (Unit, Span),
        grids: &[Grid],
        [some, none]: [Sym; 2],
    ) -> Result<Sym> {
        let mut has_index: Alternatives = Vec::new();
        for grid in grids {
            let lengths = grid.lower.iter().zip(&grid.upper);
            let lengths = lengths.map(|(lower, upper)| upper.plus(-1, lower)?.plus_number(-1));
            has_index.push(lengths.collect::<std::result::Result<_, _>>().map_err(overflow)?);
        }
        let mut rest: Alternatives = vec![Vec::new()];
        for conditions in &has_index {
            rest = self.left(&rest, conditions, span)?;
        }
        if rest.is_empty() {
            return Ok(some);
        }
        let mut parts: Vec<_> =
            self.disjoint(&has_index)?.into_iter().map(|conditions| (conditions, some.clone())).collect();
        parts.extend(rest.into_iter().map(|conditions| (conditions, none.clone())));
        self.chosen_by((unit, span), parts)
    }

    /// The values of generators, reduced: an array over the cell.
    fn reduced(
        &mut self,
        scope: &mut Scope<'_>,
        span: Span,
        (of, operator): (&WithLoop, Binary),
        neutral: &Sym,
    ) -> Result<Sym> {
        let cell = neutral.shape();
        let outer = self.dims.len();
        let mut pending: Vec<Pending> = Vec::new();
        let mut rest: Alternatives = vec![Vec::new()];
        let mut length = None;
        for generator in &of.generators {
            let grid = self.grid(scope, generator, None)?;
            if *length.get_or_insert(grid.lower.len()) != grid.lower.len() {
                return error(
                    ErrorKind::Lengths,
                    scope.unit,
                    generator.span,
                    "generators of different lengths",
                );
            }
            let mark = self.mark();
            let names = self.index_names(of, grid.lower.len());
            let at = self.push_dims(names);
            let conditions = grid.conditions(&at)?;
            for outside in &rest {
                let inner = self.mark();
                self.conditions.extend(outside.iter().chain(&conditions).cloned());
                if let Some(value) = self.generator_value(scope, generator, &at)? {
                    let place = (scope.unit, self.modules.of(scope.unit).file.span(generator.value));
                    self.pend(&mut pending, place, (&value, &cell))?;
                }
                self.reset(inner);
            }
            rest = self.left(&rest, &conditions, span)?;
            self.reset(mark);
        }
        self.reduction(
            scope.unit,
            span,
            (operator, outer, length.unwrap_or(0)),
            (&cell, neutral.scalar(), pending),
        )
    }

    fn reduction(
        &mut self,
        unit: Unit,
        span: Span,
        (operator, outer, length): (Binary, usize, usize),
        (cell, neutral, pending): (&[IndexExpr], Scalar, Vec<Pending>),
    ) -> Result<Sym> {
        let mut scalar = neutral;
        for of in &pending {
            scalar = joined(unit, span, scalar, of.value.scalar())?;
        }
        let here = self.dims.clone();
        let mut branches: Vec<Node> = Vec::new();
        let mut inner: Vec<Name> = here.clone();
        for Pending { dims, domain, value } in pending {
            self.dims.clone_from(&dims);
            let e = self.element(&value, scalar, span)?;
            branches.push(self.system.push(Expression::Restrict(domain, e), span));
            inner = dims;
        }
        self.dims.clone_from(&here);
        let mark = self.mark();
        let dims = self.fresh((0..cell.len()).map(|k| format!("y{k}")));
        self.push_box(dims, cell)?;
        let body = match branches[..] {
            [] => return refused(span, "a fold over nothing"),
            [only] => only,
            _ => self.system.push(Expression::Case(branches), span),
        };
        // From the loops around, the indices and the cell to the loops around and the cell.
        let space = self.system.space(&inner);
        let kept = (0..outer).chain(outer + length..outer + length + cell.len());
        let outputs = kept.map(|k| Affine::column(space.column(k))).collect();
        let set = self.set(&[], span)?;
        let domain = self.system.push_set(&set, span);
        let map = AffineMap::new(space, outputs);
        let e = self.system.push(Expression::ReduceOver(operator, map, domain, body), span);
        if cell.is_empty() {
            self.reset(mark);
            return Ok(self.scalar_here(scalar, e));
        }
        let variable = self.local("fold", scalar, e, span)?;
        self.reset(mark);
        let prefix = self.here();
        Ok(Sym::Array(scalar, cell.to_vec(), variable, prefix))
    }

    /// A fold over numbers whose values are index expressions or conditions, or that the core cannot reduce: one by one.
    fn listed_fold(
        &mut self,
        scope: &mut Scope<'_>,
        e: ExprId,
        of: &WithLoop,
        (function, neutral): (&Named, &Sym),
    ) -> Result<Option<Sym>> {
        let forbidden = self.forbidden.len();
        let mut points: Vec<(Vec<i64>, usize)> = Vec::new();
        for (at, generator) in of.generators.iter().enumerate() {
            let grid = self.grid(scope, generator, None)?;
            let (Some(lower), Some(upper)) = (all_numbers(&grid.lower), all_numbers(&grid.upper)) else {
                return Ok(None);
            };
            let extents: Vec<usize> =
                lower.iter().zip(&upper).map(|(l, u)| usize::try_from(u - l).unwrap_or(0)).collect();
            let count = extents.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
            if count.is_none_or(|count| count > MAX_LISTED) {
                return Ok(None);
            }
            for place in 0..count.unwrap_or(0) {
                let index: Vec<i64> =
                    index_of(place, &extents).iter().zip(&lower).map(|(k, lower)| k + lower).collect();
                let is_there = |k: usize| {
                    let (step, width) = grid.steps[k];
                    (index[k] - lower[k]).rem_euclid(step) < width
                };
                if (0..index.len()).all(is_there) && !points.iter().any(|(known, _)| *known == index) {
                    points.push((index, at));
                }
            }
        }
        points.sort();
        let mut all: Option<Sym> = None;
        for (index, at) in points {
            let generator = &of.generators[at];
            let index: Vec<IndexExpr> = index.into_iter().map(IndexExpr::number).collect();
            self.bind_index(scope, &generator.pattern, &index);
            self.statements(scope, &generator.body)?;
            let value = self.expression(scope, generator.value)?;
            let is_known = matches!(value, Sym::Ints(..) | Sym::Truth(_));
            if !is_known && Primitive::of_operator(&function.name, 2).is_some() {
                self.forbidden.truncate(forbidden);
                return Ok(None);
            }
            all = Some(match all {
                None => value,
                Some(all) => self.applied(scope.unit, e, &function.name, vec![all, value])?,
            });
        }
        match all {
            None => Ok(Some(neutral.clone())),
            Some(all) => self.applied(scope.unit, e, &function.name, vec![neutral.clone(), all]).map(Some),
        }
    }
}

fn all_numbers(of: &[IndexExpr]) -> Option<Vec<i64>> {
    of.iter().map(IndexExpr::as_number).collect()
}

/// The index at a place, row by row.
fn index_of(place: usize, extents: &[usize]) -> Vec<i64> {
    let mut rest = place;
    let mut index = vec![0; extents.len()];
    for (k, extent) in extents.iter().enumerate().rev() {
        index[k] = i64::try_from(rest % extent).unwrap_or(0);
        rest /= extent;
    }
    index
}
