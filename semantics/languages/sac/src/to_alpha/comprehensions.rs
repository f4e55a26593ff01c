//! Comprehensions as local variables, by what §4 says of them.
//!
//! The shape of a partition's value is found by evaluating it once with its indices as symbols; what it would forbid then does not count.

use super::contexts::{OfShapes, error_of, within};
use super::expressions::Scope;
use super::loops::{Grid, Pending};
use super::symbolic::Sym;
use super::{Failure, Lowering, Result, error, overflow, refused};
use crate::errors::ErrorKind;
use crate::evaluation::{Axis, layout};
use crate::selections::find_shapes;
use crate::syntax::{Bound, ExprId, Limit, Partition, Pattern, Scalar};
use base::diagnostics::Span;
use indices::condition::Alternatives;
use indices::expression::{Atom, IndexExpr};
use polyhedra::Name;
use std::rc::Rc;

/// A partition: its indices, and the axes of the frame.
struct Part<'p> {
    partition: &'p Partition,
    grid: Grid,
    axes: Vec<Axis>,
    /// The shape of its value, and what its elements are.
    shape: Vec<IndexExpr>,
    scalar: Scalar,
}

impl Lowering<'_> {
    pub(super) fn comprehension(
        &mut self,
        scope: &mut Scope<'_>,
        e: ExprId,
        partitions: &[Partition],
    ) -> Result<Sym> {
        let (unit, span) = (scope.unit, self.modules.of(scope.unit).file.span(e));
        let Some(last) = partitions.last() else {
            return error(ErrorKind::Bottom, unit, span, "a comprehension without partitions");
        };
        let last = self.last_part(scope, last)?;
        let inner = last.axes.iter().filter(|axis| matches!(axis, Axis::Value(_))).count();
        let frame: Vec<IndexExpr> = last
            .axes
            .iter()
            .map(|axis| match axis {
                Axis::Index(k) => last.grid.upper[*k].clone(),
                Axis::Value(k) => last.shape[*k].clone(),
            })
            .collect();
        let cell = last.shape[inner..].to_vec();
        for extent in &frame {
            let what = || error_of(ErrorKind::Extent, unit, span, "the shape has a negative extent");
            // Where only the shape counts, it is one that is evaluated nowhere.
            if self.of_shapes.is_none() && extent.as_number().is_some_and(|number| number < 0) {
                return Err(Failure::Error(what()));
            }
            self.require(extent, what)?;
        }
        for extent in &cell {
            let message = "the shape of the value has a negative extent";
            self.require(extent, || error_of(ErrorKind::Bottom, unit, span, message))?;
        }
        if self.of_shapes.is_some() {
            return self.of_shape(last.scalar, [frame, cell].concat(), span);
        }
        let names = self.frame_names(&last, frame.len());
        let zero = match last.scalar {
            Scalar::Int => Sym::number(0),
            Scalar::Bool => Sym::Truth(Rc::new(super::known(false))),
            float => {
                let e = self.zero_of(float, span);
                self.scalar_here(float, e)
            }
        };
        let mut rest: Alternatives = vec![Vec::new()];
        let mut pending = Vec::new();
        for partition in &partitions[..partitions.len() - 1] {
            if let Some(part) = self.part_in_frame(scope, partition, &frame)? {
                rest = self.partition(scope, &part, (&names, &frame, &cell), (rest, &mut pending))?;
            }
        }
        rest = self.partition(scope, &last, (&names, &frame, &cell), (rest, &mut pending))?;
        self.defaults((unit, span), (&names, &frame, &cell), (&rest, &zero), &mut pending)?;
        self.assembled(unit, span, (names, &frame, &cell), pending)
    }

    fn frame_names(&self, last: &Part<'_>, length: usize) -> Vec<Name> {
        let bindings = last.partition.pattern.bindings();
        let vector = matches!(last.partition.pattern, Pattern::Vector(_));
        let names = last.axes.iter().enumerate().map(|(at, axis)| match axis {
            Axis::Index(k) if !vector => bindings.get(*k).map_or_else(String::new, |of| of.name.to_string()),
            Axis::Index(k) => bindings.first().map_or_else(String::new, |of| format!("{}{k}", of.name)),
            Axis::Value(_) => format!("x{at}"),
        });
        self.fresh(names.take(length))
    }

    /// The cells that no partition has.
    fn defaults(
        &mut self,
        place: (crate::functions::Unit, Span),
        (names, frame, cell): (&[Name], &[IndexExpr], &[IndexExpr]),
        (rest, zero): (&Alternatives, &Sym),
        pending: &mut Vec<Pending>,
    ) -> Result<()> {
        let mark = self.mark();
        self.push_box(names.to_vec(), frame)?;
        let dims = self.fresh((0..cell.len()).map(|k| format!("y{k}")));
        self.push_box(dims, cell)?;
        for outside in rest {
            let set = self.set(outside, place.1)?;
            let domain = self.system.push_set(&set, place.1);
            pending.push(Pending { dims: self.dims.clone(), domain, value: zero.clone() });
        }
        self.reset(mark);
        Ok(())
    }

    /// The last partition, which says the shape of the result.
    fn last_part<'p>(&mut self, scope: &mut Scope<'_>, partition: &'p Partition) -> Result<Part<'p>> {
        let grid = self.range(scope, partition, None)?;
        self.part_of(scope, partition, grid)
    }

    /// Another partition: what its bounds do not say is the frame. `None` if its value has no shape because it is an error, which is one where the
    /// partition has an index.
    fn part_in_frame<'p>(
        &mut self,
        scope: &mut Scope<'_>,
        partition: &'p Partition,
        frame: &[IndexExpr],
    ) -> Result<Option<Part<'p>>> {
        let indices = partition.pattern.bindings().len();
        let place = (scope.unit, partition.span);
        let dots = match &partition.pattern {
            Pattern::Vector(_) => 0,
            Pattern::Components(components, _) => components.len() - indices,
        };
        if dots == 0 {
            return self.part_without_dots(scope, partition, frame);
        }
        let rank = frame.len().checked_sub(indices);
        let axes = rank.and_then(|rank| layout(&partition.pattern, indices, rank)).map(|(axes, _)| axes);
        let Some(axes) = axes.filter(|axes| axes.len() == frame.len()) else {
            let message = "the pattern does not have the axes of the result";
            return error(ErrorKind::Lengths, place.0, place.1, message);
        };
        let of_indices: Vec<IndexExpr> = axes
            .iter()
            .zip(frame)
            .filter(|(axis, _)| matches!(axis, Axis::Index(_)))
            .map(|(_, extent)| extent.clone())
            .collect();
        let grid = self.range(scope, partition, Some(&of_indices))?;
        let mark = self.mark();
        let names = self.fresh((0..grid.lower.len()).map(|k| format!("x{k}")));
        let at = self.push_dims(names);
        let bounds = grid.bounds(&at)?;
        self.conditions.extend(bounds);
        let grid = Grid::full(grid.lower.clone(), grid.upper.clone());
        let part = match self.caught(|this| this.part_of(scope, partition, grid))? {
            Ok(part) if part.axes.len() == frame.len() => {
                for extent in &part.shape {
                    let what =
                        || error_of(ErrorKind::Extent, place.0, place.1, "a value has a negative extent");
                    self.require(extent, what)?;
                }
                Some(part)
            }
            Ok(_) => {
                let message = "a value does not have the axes of the result";
                self.error_here(error_of(ErrorKind::Lengths, place.0, place.1, message))?;
                None
            }
            Err(of) => {
                self.error_here(of)?;
                None
            }
        };
        self.reset(mark);
        Ok(part)
    }

    /// A partition whose pattern has no dots: each index is an axis of the frame.
    fn part_without_dots<'p>(
        &mut self,
        scope: &mut Scope<'_>,
        partition: &'p Partition,
        frame: &[IndexExpr],
    ) -> Result<Option<Part<'p>>> {
        let grid = self.range(scope, partition, Some(frame))?;
        let axes: Vec<Axis> = (0..grid.lower.len()).map(Axis::Index).collect();
        if axes.len() == frame.len() {
            return Ok(Some(Part { partition, grid, axes, shape: Vec::new(), scalar: Scalar::Int }));
        }
        let mark = self.mark();
        let names = self.fresh((0..grid.lower.len()).map(|k| format!("x{k}")));
        let at = self.push_dims(names);
        let bounds = grid.bounds(&at)?;
        self.conditions.extend(bounds);
        let message = "a partition has another number of axes than the result";
        self.error_here(error_of(ErrorKind::Lengths, scope.unit, partition.span, message))?;
        self.reset(mark);
        Ok(None)
    }

    /// The axes of a partition, from the shape of its value.
    fn part_of<'p>(
        &mut self,
        scope: &mut Scope<'_>,
        partition: &'p Partition,
        grid: Grid,
    ) -> Result<Part<'p>> {
        let (mark, forbidden) = (self.mark(), self.forbidden.len());
        let outer = self.dims.len();
        let names = self.fresh((0..grid.lower.len()).map(|k| format!("x{k}")));
        // Whether there is an index does not matter: nothing is known of it.
        let at = self.push_dims(names);
        self.bind_index(scope, &partition.pattern, &at);
        let (system, inputs) = (self.system.clone(), self.inputs.len());
        let known = self.of_shapes.as_ref().map_or(outer, |of| of.outer);
        let of_shapes = self.of_shapes.replace(OfShapes { outer: known, errors: Vec::new() });
        let value = self.expression(scope, partition.value);
        let errors =
            std::mem::replace(&mut self.of_shapes, of_shapes).map(|of| of.errors).unwrap_or_default();
        // What was evaluated is no part of the program.
        self.system = system;
        self.inputs.truncate(inputs);
        self.forbidden.truncate(forbidden);
        let value = value?;
        match &mut self.of_shapes {
            Some(outer) => outer.errors.extend(errors),
            None => self.forbidden.extend(errors),
        }
        self.reset(mark);
        let span = self.modules.of(scope.unit).file.span(partition.value);
        let shape = value.shape();
        let is_inner = |extent: &IndexExpr| (outer..outer + at.len()).any(|k| extent.mentions(k));
        if shape.iter().any(is_inner) {
            return refused(span, "the shape of the value depends on the index");
        }
        match layout(&partition.pattern, at.len(), shape.len()) {
            Some((axes, _)) => Ok(Part { partition, grid, axes, shape, scalar: value.scalar() }),
            None => {
                let message = "the pattern has more dots than the value has axes";
                error(ErrorKind::Lengths, scope.unit, partition.span, message)
            }
        }
    }

    /// **sac-range**
    fn range(
        &mut self,
        scope: &mut Scope<'_>,
        partition: &Partition,
        frame: Option<&[IndexExpr]>,
    ) -> Result<Grid> {
        let given = |limit: Option<Limit>| limit.filter(|limit| !matches!(limit.bound, Bound::Dot(_)));
        let lower = match given(partition.lower) {
            Some(limit) => Some(self.limit(scope, limit, (true, None))?),
            None => None,
        };
        let upper = match (partition.upper, given(partition.upper)) {
            (_, Some(limit)) => Some(self.limit(scope, limit, (false, None))?),
            (Some(_), None) => None,
            (None, None) => self.found(scope, partition, lower.as_deref())?,
        };
        let place = (scope.unit, partition.span);
        let upper = match (upper, frame) {
            (Some(upper), _) => upper,
            (None, Some(frame)) => frame.to_vec(),
            (None, None) => {
                let message = "the upper bound of the last partition does not follow from its value";
                return error(ErrorKind::Bottom, place.0, partition.pattern.span(), message);
            }
        };
        let lower = lower.unwrap_or_else(|| vec![IndexExpr::number(0); upper.len()]);
        let indices = match &partition.pattern {
            Pattern::Vector(_) => upper.len(),
            Pattern::Components(..) => partition.pattern.bindings().len(),
        };
        if lower.len() != indices || upper.len() != indices {
            let message = format!(
                "the bounds have {} and {} components, for an index of {indices}",
                lower.len(),
                upper.len()
            );
            return error(ErrorKind::Lengths, place.0, place.1, message);
        }
        Ok(Grid::full(lower, upper))
    }

    /// The upper bound that follows from selections; `None` if an index has none.
    fn found(
        &mut self,
        scope: &mut Scope<'_>,
        partition: &Partition,
        lower: Option<&[IndexExpr]>,
    ) -> Result<Option<Vec<IndexExpr>>> {
        let file = &self.modules.of(scope.unit).file;
        let sources = find_shapes(file, &partition.pattern, partition.value);
        if sources.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let mut upper: Vec<IndexExpr> = Vec::new();
        for of in &sources {
            let mut least: Option<Vec<IndexExpr>> = None;
            for source in of {
                let shape = self.expression(scope, source.array)?.shape();
                let own = match source.axis {
                    None => shape,
                    Some(axis) => match shape.get(axis) {
                        Some(extent) => vec![extent.clone()],
                        None => {
                            let span = file.span(source.array);
                            let message = format!(
                                "an index selects in dimension {axis} of an array with {} axes",
                                shape.len()
                            );
                            return error(ErrorKind::Outside, scope.unit, span, message);
                        }
                    },
                };
                least = Some(match least {
                    None => own,
                    Some(least) => {
                        let both = least.iter().zip(&own).map(|(p, q)| self.least([p, q]).map_err(overflow));
                        both.collect::<Result<_>>()?
                    }
                });
            }
            upper.extend(least.unwrap_or_default());
        }
        if let (Some(lower), Pattern::Vector(_)) = (lower, &partition.pattern) {
            if lower.len() > upper.len() {
                let message =
                    format!("the lower bound has {} components, for at most {}", lower.len(), upper.len());
                return error(ErrorKind::Lengths, scope.unit, partition.span, message);
            }
            upper.truncate(lower.len());
        }
        Ok(Some(upper))
    }

    /// Adds the elements of a partition; what it leaves of the frame.
    fn partition(
        &mut self,
        scope: &mut Scope<'_>,
        part: &Part<'_>,
        (names, frame, cell): (&[Name], &[IndexExpr], &[IndexExpr]),
        (rest, pending): (Alternatives, &mut Vec<Pending>),
    ) -> Result<Alternatives> {
        let span = part.partition.span;
        self.require_axes(scope, part, frame)?;
        let mark = self.mark();
        let at = self.push_box(names.to_vec(), frame)?;
        let of = |is_index: bool| {
            let chosen =
                part.axes.iter().zip(&at).filter(move |(axis, _)| matches!(axis, Axis::Index(_)) == is_index);
            chosen.map(|(_, x)| x.clone()).collect::<Vec<IndexExpr>>()
        };
        let (indices, positions) = (of(true), of(false));
        let mut conditions = part.grid.conditions(&indices)?;
        conditions.extend(within(&positions, &part.shape)?);
        for outside in &rest {
            let inner = self.mark();
            self.conditions.extend(outside.iter().chain(&conditions).cloned());
            self.bind_index(scope, &part.partition.pattern, &indices);
            let place = (scope.unit, self.modules.of(scope.unit).file.span(part.partition.value));
            match self.caught(|this| this.expression(scope, part.partition.value))? {
                Ok(value) => {
                    self.require_shape(place, &value, &part.shape[..positions.len()])?;
                    let value = self.part(&value, &positions, place.1)?;
                    self.pend(pending, place, (&value, cell))?;
                }
                Err(of) => self.error_here(of)?,
            }
            self.reset(inner);
        }
        let left = self.left(&rest, &conditions, span)?;
        self.reset(mark);
        Ok(left)
    }

    /// The first axes of a value are those of dots.
    fn require_shape(
        &mut self,
        (unit, span): (crate::functions::Unit, Span),
        value: &Sym,
        inner: &[IndexExpr],
    ) -> Result<()> {
        let what =
            || error_of(ErrorKind::Shapes, unit, span, "the values of a partition have different shapes");
        if value.rank() < inner.len() {
            return Err(Failure::Error(what()));
        }
        for (p, q) in inner.iter().zip(value.shape()) {
            self.require_equal([p, &q], what)?;
        }
        Ok(())
    }

    /// The indices of a partition, and the axes of its value, are inside of the frame, where it has both.
    fn require_axes(&mut self, scope: &Scope<'_>, part: &Part<'_>, frame: &[IndexExpr]) -> Result<()> {
        let (unit, span) = (scope.unit, part.partition.span);
        if part.axes.len() != frame.len() {
            return error(
                ErrorKind::Lengths,
                unit,
                span,
                "a partition has another number of axes than the result",
            );
        }
        let first = self.dims.len();
        let mark = self.mark();
        let names = self.fresh((0..frame.len()).map(|k| format!("x{k}")));
        self.push_dims(names);
        let x = |k: usize| IndexExpr::atom(Atom::Loop(first + k));
        let (mut indices, mut positions) = (Vec::new(), Vec::new());
        for (k, axis) in part.axes.iter().enumerate() {
            match axis {
                Axis::Index(_) => indices.push(x(k)),
                Axis::Value(_) => positions.push(x(k)),
            }
        }
        let bounds = part.grid.bounds(&indices)?;
        self.conditions.extend(bounds);
        self.conditions.extend(within(&positions, &part.shape)?);
        let all: Vec<IndexExpr> = (0..frame.len()).map(x).collect();
        for p in within(&all, frame)? {
            let what =
                || error_of(ErrorKind::Outside, unit, span, "a partition has indices outside of the result");
            self.require(&p, what)?;
        }
        self.reset(mark);
        Ok(())
    }
}
