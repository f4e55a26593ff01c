//! With-loops (§2).
//!
//! Conventions: `L`: the number of components of an index, `s`: the shape of the frame, `c`: the shape of a cell.
//! ```text
//! sac-generator   l ⇓ l, u ⇓ u, both of length L:   the indices iv with l ≤ iv < u, componentwise, and (iv − l) mod step < width
//! sac-genarray    shape ⇓ s, default ⇓ d of shape c:   the array of shape s ++ c, whose cell at iv is the value of the first generator that
//!                 has iv, and d where none has
//! sac-modarray    array ⇓ a of shape s ++ c:           the same, with the cells of a
//! sac-fold        f(… f(f(v1, v2), v3) …, vn) of the values at the indices, row by row; before it the neutral element
//! ```
//! Every index of `genarray` and `modarray` is inside of `s`; every value has the shape `c` (homogeneity, §2).
//!
//! Decided here. `.` is the whole frame (§3.1), whichever relation stands before it (ledger: `sac/dots-as-bounds`). A reduction by `fold` is
//! `neutral ⊕ (v1 ⊕ v2 ⊕ …)`, as reductions of the core (ledger: `sac/decision-fold`).

use super::{Evaluation, Result, Scope, vector_text};
use crate::errors::ErrorKind;
use crate::functions::Unit;
use crate::primitives::Primitive;
use crate::syntax::{Bound, ExprId, Generator, Limit, Named, Operator, Pattern, Scalar, WithLoop};
use crate::values::{Cell, Value, count};
use language::{GivenInputs, Stopped};
use selfsame_core::operations::{accumulated, result_of};
use selfsame_core::operators::Binary;
use values::ValueDomain;

/// An index set: `lower ≤ iv < upper`, and `(iv − lower) mod step < width`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub lower: Vec<i64>,
    pub upper: Vec<i64>,
    pub step: Vec<i64>,
    pub width: Vec<i64>,
}

impl Grid {
    /// The box between two bounds.
    pub(crate) fn full(lower: Vec<i64>, upper: Vec<i64>) -> Grid {
        let ones = vec![1; lower.len()];
        Grid { lower, upper, step: ones.clone(), width: ones }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lower.iter().zip(&self.upper).any(|(lower, upper)| lower >= upper)
    }

    /// The first index, if there is one.
    pub(crate) fn first(&self) -> Option<Vec<i64>> {
        (!self.is_empty()).then(|| self.lower.clone())
    }

    /// Makes an index the next one, row by row; false after the last one.
    pub(crate) fn advance(&self, index: &mut [i64]) -> bool {
        for k in (0..index.len()).rev() {
            index[k] += 1;
            if (index[k] - self.lower[k]).rem_euclid(self.step[k]) >= self.width[k] {
                index[k] += self.step[k] - self.width[k];
            }
            if index[k] < self.upper[k] {
                return true;
            }
            index[k] = self.lower[k];
        }
        false
    }
}

/// The cells of a result under construction.
pub(crate) struct Cells<D: ValueDomain> {
    pub scalar: Scalar,
    pub frame: Vec<usize>,
    pub cell: Vec<usize>,
    pub size: usize,
    pub cells: Vec<Cell<D>>,
    /// The cells that have a value.
    pub covered: Vec<bool>,
}

impl<D: ValueDomain> Cells<D> {
    /// The place of the cell at an index.
    pub(crate) fn place(&self, index: &[i64]) -> usize {
        index.iter().zip(&self.frame).fold(0, |place, (at, extent)| place * extent + *at as usize)
    }

    pub(crate) fn value(self) -> Value<D> {
        Value::new(self.scalar, [self.frame, self.cell].concat(), self.cells)
    }
}

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    pub(crate) fn with_loop(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        of: &WithLoop,
    ) -> Result<Value<D>> {
        match &of.operator {
            // **sac-genarray**
            Operator::Genarray(shape_of, default) => {
                let shape = self.expression(scope, *shape_of)?;
                let default = self.expression(scope, *default)?;
                let frame = self.shape_of(scope, *shape_of, &shape)?;
                let cells = self.filled(frame, &default)?;
                self.generated(scope, e, of, cells)
            }
            // **sac-modarray**
            Operator::Modarray(array_of) => {
                let array = self.expression(scope, *array_of)?;
                let length = self.length(scope, of, array.shape().len())?;
                if length > array.shape().len() {
                    let message = format!(
                        "an index of {length} components for an array with {} axes",
                        array.shape().len()
                    );
                    return Err(self.error(scope, e, ErrorKind::Lengths, message));
                }
                let (frame, cell) = array.shape().split_at(length);
                let size = count(cell, self.elements).ok_or(Stopped::Budget)?;
                let number = count(frame, self.elements).ok_or(Stopped::Budget)?;
                self.spend(array.cells().len() as u64)?;
                let (frame, cell) = (frame.to_vec(), cell.to_vec());
                let (scalar, cells) = (array.scalar(), array.cells().to_vec());
                let cells = Cells { scalar, frame, cell, size, cells, covered: vec![false; number] };
                self.generated(scope, e, of, cells)
            }
            Operator::Fold(function, neutral) => self.fold(scope, e, of, (function, *neutral)),
        }
    }

    /// Cells that all are the default element.
    pub(crate) fn filled(&mut self, frame: Vec<usize>, default: &Value<D>) -> Result<Cells<D>> {
        let number = count(&frame, self.elements).ok_or(Stopped::Budget)?;
        let size = count(default.shape(), self.elements).ok_or(Stopped::Budget)?;
        let all = number.checked_mul(size).filter(|all| *all <= self.elements).ok_or(Stopped::Budget)?;
        self.spend(all as u64)?;
        let mut cells = Vec::with_capacity(all);
        (0..number).for_each(|_| cells.extend_from_slice(default.cells()));
        let (scalar, cell) = (default.scalar(), default.shape().to_vec());
        Ok(Cells { scalar, frame, cell, size, cells, covered: vec![false; number] })
    }

    /// The cells with the values of the generators.
    fn generated(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        of: &WithLoop,
        mut cells: Cells<D>,
    ) -> Result<Value<D>> {
        let frame = cells.frame.clone();
        for generator in &of.generators {
            let grid = self.grid(scope, e, generator, Some(&frame))?;
            let Some(mut index) = grid.first() else { continue };
            self.require_inside(scope, generator, &grid, &frame)?;
            loop {
                let place = cells.place(&index);
                if !cells.covered[place] {
                    let value = self.generator_value(scope, generator, &index)?;
                    self.put(scope, generator.value, &mut cells, (place, &index), &value)?;
                }
                if !grid.advance(&mut index) {
                    break;
                }
            }
        }
        Ok(cells.value())
    }

    /// Gives a cell its value.
    pub(crate) fn put(
        &self,
        scope: &Scope<'_, D>,
        e: ExprId,
        cells: &mut Cells<D>,
        (place, index): (usize, &[i64]),
        value: &Value<D>,
    ) -> Result<()> {
        if value.shape() != &cells.cell[..] {
            let [expected, found] = [&cells.cell, value.shape()].map(vector_text);
            let message = format!("the value at {index:?} has the shape {found}, and a cell has {expected}");
            return Err(self.error(scope, e, ErrorKind::Shapes, message));
        }
        if value.scalar() != cells.scalar {
            self.join(scope, e, cells, value.scalar())?;
        }
        cells.covered[place] = true;
        for (to, from) in cells.cells[place * cells.size..].iter_mut().zip(value.cells()) {
            *to = self.cell_as(value.scalar(), cells.scalar, from);
        }
        Ok(())
    }

    /// Makes integers floats, if a value is one.
    fn join(&self, scope: &Scope<'_, D>, e: ExprId, cells: &mut Cells<D>, other: Scalar) -> Result<()> {
        let joined = self.joined(scope, e, cells.scalar, other)?;
        if joined != cells.scalar {
            for cell in &mut cells.cells {
                *cell = self.cell_as(cells.scalar, joined, cell);
            }
            cells.scalar = joined;
        }
        Ok(())
    }

    fn generator_value(
        &mut self,
        scope: &mut Scope<'_, D>,
        generator: &Generator,
        index: &[i64],
    ) -> Result<Value<D>> {
        self.bind_index(scope, &generator.pattern, index);
        self.statements(scope, &generator.body)?;
        self.expression(scope, generator.value)
    }

    /// Binds the variables of a pattern to an index.
    pub(crate) fn bind_index(&self, scope: &mut Scope<'_, D>, pattern: &Pattern, index: &[i64]) {
        match pattern {
            Pattern::Vector(binding) => self.bind(scope, binding, Value::vector(index.iter().copied())),
            Pattern::Components(..) => {
                for (binding, at) in pattern.bindings().into_iter().zip(index) {
                    self.bind(scope, binding, Value::int(*at));
                }
            }
        }
    }

    fn require_inside(
        &self,
        scope: &Scope<'_, D>,
        generator: &Generator,
        grid: &Grid,
        frame: &[usize],
    ) -> Result<()> {
        let is_inside = |((lower, upper), extent): ((&i64, &i64), &usize)| {
            *lower >= 0 && usize::try_from(*upper).is_ok_and(|upper| upper <= *extent)
        };
        if grid.lower.iter().zip(&grid.upper).zip(frame).all(is_inside) {
            return Ok(());
        }
        let message = format!(
            "a generator from {:?} to {:?} has indices outside of the shape {}",
            grid.lower,
            grid.upper,
            vector_text(frame)
        );
        Err(super::fail(ErrorKind::Outside, scope.unit, generator.span, message))
    }

    /// The number of components of the indices of a with-loop; `rank` if nothing says it.
    fn length(&mut self, scope: &mut Scope<'_, D>, of: &WithLoop, rank: usize) -> Result<usize> {
        for generator in &of.generators {
            if let Pattern::Components(components, _) = &generator.pattern {
                return Ok(components.len());
            }
            for limit in [generator.lower, generator.upper] {
                if let Bound::Of(e) = limit.bound {
                    let value = self.expression(scope, e)?;
                    return Ok(self.integers(scope, e, &value, "a bound")?.len());
                }
            }
        }
        Ok(rank)
    }

    /// **sac-generator**: the index set of a generator in a frame; `None` for `fold`, which has no frame.
    fn grid(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        generator: &Generator,
        frame: Option<&[usize]>,
    ) -> Result<Grid> {
        let lower = self.limit(scope, generator.lower, (true, frame))?;
        let upper = self.limit(scope, generator.upper, (false, frame))?;
        let length = frame.map_or(lower.len(), <[usize]>::len);
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
            let message = if length == expected { message } else { format!("{message} and {length} axes") };
            return Err(super::fail(ErrorKind::Lengths, scope.unit, generator.span, message));
        }
        let mut grid = Grid::full(lower, upper);
        if let Some(step) = generator.step {
            grid.step = self.filter(scope, step, expected, "a step")?;
            if let Some(width) = generator.width {
                grid.width = self.filter(scope, width, expected, "a width")?;
            }
            let is_legal = |(step, width): (&i64, &i64)| 1 <= *width && width <= step;
            if !grid.step.iter().zip(&grid.width).all(is_legal) {
                let message =
                    format!("a width is from 1 to the step, and not {:?} of {:?}", grid.width, grid.step);
                return Err(self.error(scope, e, ErrorKind::Lengths, message));
            }
        }
        Ok(grid)
    }

    /// A step or a width.
    fn filter(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        expected: usize,
        what: &str,
    ) -> Result<Vec<i64>> {
        let value = self.expression(scope, e)?;
        let numbers = self.integers(scope, e, &value, what)?;
        if numbers.len() != expected {
            let message = format!("{what} has {} components, for an index of {expected}", numbers.len());
            return Err(self.error(scope, e, ErrorKind::Lengths, message));
        }
        Ok(numbers)
    }

    /// A bound as the first index, or the first after the last one.
    pub(crate) fn limit(
        &mut self,
        scope: &mut Scope<'_, D>,
        limit: Limit,
        (is_lower, frame): (bool, Option<&[usize]>),
    ) -> Result<Vec<i64>> {
        let e = match (limit.bound, frame) {
            (Bound::Of(e), _) => e,
            (Bound::Dot(_), Some(frame)) => {
                return Ok(frame.iter().map(|extent| if is_lower { 0 } else { *extent as i64 }).collect());
            }
            (Bound::Dot(span), None) => {
                let message = "`.` is a bound of a shape, and `fold` has none".to_owned();
                return Err(super::fail(ErrorKind::Bottom, scope.unit, span, message));
            }
        };
        let value = self.expression(scope, e)?;
        let numbers = self.integers(scope, e, &value, "a bound")?;
        let moved = i64::from(limit.inclusive != is_lower);
        let numbers: Option<Vec<i64>> = numbers.into_iter().map(|number| number.checked_add(moved)).collect();
        numbers.ok_or_else(|| self.error(scope, e, ErrorKind::Number, "a bound exceeds 64 bits".to_owned()))
    }

    /// **sac-fold**
    fn fold(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        of: &WithLoop,
        (function, neutral): (&Named, ExprId),
    ) -> Result<Value<D>> {
        let neutral = self.expression(scope, neutral)?;
        let operator = self.standard_operator(scope, e, &function.name);
        let mut folded: Option<Folded<D>> = None;
        for (generator, index) in self.folded_points(scope, e, of)? {
            let value = self.generator_value(scope, generator, &index)?;
            let next = self.accumulated(operator, &value);
            folded = Some(match folded {
                None => Folded { first: value, all: next },
                Some(Folded { first, all }) => {
                    Folded { first, all: self.applied(scope, e, &function.name, vec![all, next])? }
                }
            });
        }
        let Some(folded) = folded else { return Ok(neutral) };
        let all = self.result(operator, folded);
        self.applied(scope, e, &function.name, vec![neutral, all])
    }

    /// The indices of all generators, row by row, each with the first generator that has it.
    fn folded_points<'w>(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        of: &'w WithLoop,
    ) -> Result<Vec<(&'w Generator, Vec<i64>)>> {
        let mut grids: Vec<Grid> = Vec::new();
        let mut points = Vec::new();
        for generator in &of.generators {
            let grid = self.grid(scope, e, generator, None)?;
            if grids.first().is_some_and(|first| first.lower.len() != grid.lower.len()) {
                let message = "the generators of a fold have indices of different lengths".to_owned();
                return Err(super::fail(ErrorKind::Lengths, scope.unit, generator.span, message));
            }
            let mut index = grid.first();
            while let Some(at) = &mut index {
                if points.len() >= self.elements {
                    return Err(Stopped::Budget.into());
                }
                if !grids.iter().any(|grid| grid.has(at)) {
                    points.push((generator, at.clone()));
                }
                if !grid.advance(at) {
                    index = None;
                }
            }
            grids.push(grid);
        }
        self.spend(points.len() as u64)?;
        if grids.len() > 1 {
            points.sort_by(|(_, a), (_, b)| a.cmp(b));
        }
        Ok(points)
    }

    /// The operator of the core that a function is, if it is one of the prelude.
    fn standard_operator(&self, scope: &Scope<'_, D>, e: ExprId, name: &str) -> Option<Binary> {
        let candidates = self.modules.of(scope.unit).names.candidates(e);
        let is_standard = candidates.iter().all(|candidate| candidate.unit == Unit::Prelude);
        Primitive::of_operator(name, 2).filter(|_| is_standard)?.binary()
    }

    /// A value as sums and products of the machine accumulate it.
    fn accumulated(&self, operator: Option<Binary>, value: &Value<D>) -> Value<D> {
        let Some(operator) = operator else { return value.clone() };
        value.mapped(|cell| match cell {
            Cell::Int(_) => cell.clone(),
            Cell::Element(element) => Cell::Element(accumulated(self.domain, operator, element)),
        })
    }

    /// What was accumulated, in the type of the first value.
    fn result(&self, operator: Option<Binary>, Folded { first, all }: Folded<D>) -> Value<D> {
        let Some(operator) = operator.filter(|_| first.cells().len() == all.cells().len()) else {
            return all;
        };
        let mut terms = first.cells().iter();
        all.mapped(|cell| match (cell, terms.next()) {
            (Cell::Element(element), Some(term)) => {
                let term = self.element(first.scalar(), all.scalar(), term);
                Cell::Element(result_of(self.domain, operator, element.clone(), &term))
            }
            _ => cell.clone(),
        })
    }
}

impl Grid {
    /// Whether it has an index.
    pub(crate) fn has(&self, index: &[i64]) -> bool {
        index.len() == self.lower.len()
            && (0..index.len()).all(|k| {
                let (at, lower) = (index[k], self.lower[k]);
                lower <= at && at < self.upper[k] && (at - lower).rem_euclid(self.step[k]) < self.width[k]
            })
    }
}

/// A fold so far.
struct Folded<D: ValueDomain> {
    /// The first value.
    first: Value<D>,
    /// All of them.
    all: Value<D>,
}
