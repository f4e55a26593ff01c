//! Comprehensions (§4), by what §4 says of them; their translation to with-loops (§5) is in `translation`.
//!
//! Conventions: `l`, `u`: the bounds of a partition's indices, `v`: the shape of its value, `s`: the shape of the frame, `c`: that of a cell.
//! ```text
//! sac-range       l is given, or 0; u is given, or the least extent from which the value selects with the index (find-shapes), or, if the partition
//!                 is not the last one, that of the result
//! sac-layout      a variable of the pattern has its own axis, with u as its extent; `.` has the next axis of the value, `...` all those axes that the
//!                 other dots leave; axes of the value without a dot are those of a cell
//! sac-partition   the value at each index in l ≤ i < u, its axes moved to those of its dots
//! sac-comprehension   the last partition says s and c; the first partition that has an index says the cell there, and where none has, it is 0
//! ```
//! The shape of a value is the one that follows from shapes alone (`shapes`), or else from shapes and the lower bound (§5.4), or else that of the value at the
//! first index. ⊥, no bound or no shape, is an error.

use super::with_loops::{Cells, Grid};
use super::{Evaluation, Result, Scope, vector_text};
use crate::errors::{ErrorKind, Failure};
use crate::functions::ArgumentType;
use crate::selections::{Source, find_shapes};
use crate::syntax::{Bound, Component, ExprId, Limit, Partition, Pattern};
use crate::values::{Value, count};
use language::{GivenInputs, Stopped};
use values::ValueDomain;

/// What an axis of the result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// An index of the pattern, by its position.
    Index(usize),
    /// An axis of the value.
    Value(usize),
}

/// **sac-layout**: the axes of the frame, and the number of axes of the value that are not in it.
pub(crate) fn layout(pattern: &Pattern, indices: usize, rank: usize) -> Option<(Vec<Axis>, usize)> {
    let Pattern::Components(components, _) = pattern else {
        return Some(((0..indices).map(Axis::Index).collect(), rank));
    };
    let single = components.iter().filter(|component| matches!(component, Component::Dot(_))).count();
    let has_dots = components.iter().any(|component| matches!(component, Component::Dots(_)));
    let many = rank.checked_sub(single)?;
    let (mut axes, mut index, mut axis) = (Vec::new(), 0, 0);
    for component in components {
        let number = match component {
            Component::Variable(_) => {
                axes.push(Axis::Index(index));
                index += 1;
                continue;
            }
            Component::Dot(_) => 1,
            Component::Dots(_) => many,
        };
        axes.extend((axis..axis + number).map(Axis::Value));
        axis += number;
    }
    Some((axes, if has_dots { 0 } else { many }))
}

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    /// **sac-comprehension**
    pub(crate) fn comprehension(
        &mut self,
        scope: &mut Scope<'_, D>,
        e: ExprId,
        partitions: &[Partition],
    ) -> Result<Value<D>> {
        let Some(last) = partitions.last() else {
            return Err(self.error(
                scope,
                e,
                ErrorKind::Bottom,
                "a comprehension without partitions".to_owned(),
            ));
        };
        let grid = self.range(scope, last, None)?;
        let of = self.type_of_value(scope, last, &grid)?;
        let shape: Vec<usize> = of.shape.iter().map(|extent| extent.unwrap_or(0)).collect();
        let (axes, _) = self.axes(scope, last, grid.upper.len(), &shape)?;
        let (frame, cell) = self.frame(scope, last, (&axes, &grid), &shape)?;
        let zero = self.zero(of.scalar);
        let size = count(&cell, self.elements).ok_or(Stopped::Budget)?;
        self.spend(size as u64)?;
        let default = Value::new(of.scalar, cell, vec![zero.cells()[0].clone(); size]);
        let mut cells = self.filled(frame, &default)?;
        for (at, partition) in partitions.iter().enumerate() {
            let known = (at + 1 == partitions.len()).then(|| grid.clone());
            self.partition(scope, partition, known, &mut cells)?;
        }
        Ok(cells.value())
    }

    /// The extents of the frame, and those of a cell.
    fn frame(
        &self,
        scope: &Scope<'_, D>,
        partition: &Partition,
        (axes, grid): (&[Axis], &Grid),
        shape: &[usize],
    ) -> Result<(Vec<usize>, Vec<usize>)> {
        let inner = axes.iter().filter(|axis| matches!(axis, Axis::Value(_))).count();
        let extent = |axis: &Axis| match axis {
            Axis::Index(k) => usize::try_from(grid.upper[*k]).ok(),
            Axis::Value(k) => shape.get(*k).copied(),
        };
        let frame: Option<Vec<usize>> = axes.iter().map(extent).collect();
        match frame {
            Some(frame) => Ok((frame, shape[inner..].to_vec())),
            None => {
                let message = format!("the shape {:?} has a negative extent", grid.upper);
                Err(super::fail(ErrorKind::Extent, scope.unit, partition.span, message))
            }
        }
    }

    fn axes(
        &self,
        scope: &Scope<'_, D>,
        partition: &Partition,
        indices: usize,
        shape: &[usize],
    ) -> Result<(Vec<Axis>, usize)> {
        layout(&partition.pattern, indices, shape.len()).ok_or_else(|| {
            let message = format!(
                "the pattern has more dots than the value has axes: its shape is {}",
                vector_text(shape)
            );
            super::fail(ErrorKind::Lengths, scope.unit, partition.span, message)
        })
    }

    /// **sac-range**: the indices of a partition. What is not given, and does not follow, is that of the frame, with the axes of the indices.
    fn range(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        frame: Option<&[usize]>,
    ) -> Result<Grid> {
        let lower = match partition.lower {
            Some(limit) if is_dot(limit) => None,
            Some(limit) => Some(self.limit(scope, limit, (true, None))?),
            None => None,
        };
        let upper = match partition.upper {
            Some(limit) if is_dot(limit) => None,
            Some(limit) => Some(self.limit(scope, limit, (false, None))?),
            None => self.found(scope, partition, lower.as_deref())?,
        };
        let upper = match (upper, frame) {
            (Some(upper), _) => upper,
            (None, Some(frame)) => frame.iter().map(|extent| *extent as i64).collect(),
            (None, None) => return Err(self.bottom(scope, partition)),
        };
        let lower = lower.unwrap_or_else(|| vec![0; upper.len()]);
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
            return Err(super::fail(ErrorKind::Lengths, scope.unit, partition.span, message));
        }
        Ok(Grid::full(lower, upper))
    }

    fn bottom(&self, scope: &Scope<'_, D>, partition: &Partition) -> Failure {
        let message = "the upper bound of the last partition does not follow from its value".to_owned();
        super::fail(ErrorKind::Bottom, scope.unit, partition.pattern.span(), message)
    }

    /// The upper bound that follows from selections; `None` if an index has none.
    fn found(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        lower: Option<&[i64]>,
    ) -> Result<Option<Vec<i64>>> {
        let file = &self.modules.of(scope.unit).file;
        let sources = find_shapes(file, &partition.pattern, partition.value);
        if sources.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        if matches!(partition.pattern, Pattern::Vector(_)) {
            let of = sources.first().map_or(&[][..], Vec::as_slice);
            return self.found_vector(scope, partition, of, lower).map(Some);
        }
        let mut upper = Vec::with_capacity(sources.len());
        for of in &sources {
            let mut least = i64::MAX;
            for Source { array, axis } in of {
                let shape = self.expression(scope, *array)?.shape().to_vec();
                let Some(extent) = axis.and_then(|axis| shape.get(axis)) else {
                    let message = format!(
                        "an index selects in dimension {} of an array of shape {}",
                        axis.unwrap_or(0),
                        vector_text(&shape)
                    );
                    return Err(self.error(scope, *array, ErrorKind::Outside, message));
                };
                least = least.min(*extent as i64);
            }
            upper.push(least);
        }
        Ok(Some(upper))
    }

    /// Of an index vector: as many components as the lower bound has, or else as all arrays have axes.
    fn found_vector(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        sources: &[Source],
        lower: Option<&[i64]>,
    ) -> Result<Vec<i64>> {
        let mut upper: Option<Vec<i64>> = None;
        for source in sources {
            let shape = self.expression(scope, source.array)?;
            let shape = shape.shape().iter().map(|extent| *extent as i64);
            upper = Some(match upper {
                None => shape.collect(),
                Some(upper) => upper.into_iter().zip(shape).map(|(a, b)| a.min(b)).collect(),
            });
        }
        let mut upper = upper.unwrap_or_default();
        if let Some(lower) = lower {
            if lower.len() > upper.len() {
                let message =
                    format!("the lower bound has {} components, for at most {}", lower.len(), upper.len());
                return Err(super::fail(ErrorKind::Lengths, scope.unit, partition.span, message));
            }
            upper.truncate(lower.len());
        }
        Ok(upper)
    }

    /// The type of the value of a partition.
    fn type_of_value(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        grid: &Grid,
    ) -> Result<ArgumentType> {
        for index in [Err(grid.lower.len()), Ok(&grid.lower[..])] {
            if let Some(of) = self.shape_alone(scope, partition, index)? {
                return Ok(of);
            }
        }
        match grid.first() {
            Some(index) => {
                self.bind_index(scope, &partition.pattern, &index);
                Ok(super::argument_type(&self.expression(scope, partition.value)?))
            }
            None => {
                let message = "there is no index, and the shape of the value does not follow from shapes";
                Err(self.error(scope, partition.value, ErrorKind::Bottom, message.to_owned()))
            }
        }
    }

    /// **sac-partition**: the cells of a partition that no partition before has.
    fn partition(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        known: Option<Grid>,
        cells: &mut Cells<D>,
    ) -> Result<()> {
        let dots = match &partition.pattern {
            Pattern::Vector(_) => 0,
            Pattern::Components(components, _) => components.len() - partition.pattern.bindings().len(),
        };
        if dots == 0 {
            let frame = cells.frame.clone();
            let grid = match known {
                Some(grid) => grid,
                None => self.range(scope, partition, Some(&frame))?,
            };
            let axes: Vec<Axis> = (0..grid.lower.len()).map(Axis::Index).collect();
            return self.points(scope, partition, (&grid, &axes, &[]), cells);
        }
        self.dotted(scope, partition, known, cells)
    }

    /// A partition whose pattern has dots.
    fn dotted(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        known: Option<Grid>,
        cells: &mut Cells<D>,
    ) -> Result<()> {
        // The frame has an axis for each variable and each axis of a dot: so many does `...` have.
        let indices = partition.pattern.bindings().len();
        let rank = cells.frame.len().checked_sub(indices);
        let axes = rank.and_then(|rank| layout(&partition.pattern, indices, rank)).map(|(axes, _)| axes);
        let Some(axes) = axes.filter(|axes| axes.len() == cells.frame.len()) else {
            let message = format!("the pattern does not have the {} axes of the result", cells.frame.len());
            return Err(super::fail(ErrorKind::Lengths, scope.unit, partition.span, message));
        };
        let of_indices: Vec<usize> = axes
            .iter()
            .zip(&cells.frame)
            .filter(|(axis, _)| matches!(axis, Axis::Index(_)))
            .map(|(_, extent)| *extent)
            .collect();
        let grid = match known {
            Some(grid) => grid,
            None => self.range(scope, partition, Some(&of_indices))?,
        };
        if grid.is_empty() {
            return Ok(());
        }
        let of = self.type_of_value(scope, partition, &grid)?;
        let shape: Vec<usize> = of.shape.iter().map(|extent| extent.unwrap_or(0)).collect();
        let (own, _) = self.axes(scope, partition, indices, &shape)?;
        if own.len() != cells.frame.len() {
            let message = format!(
                "a value of shape {} does not have the axes of the result, {}",
                vector_text(&shape),
                vector_text(&[&cells.frame[..], &cells.cell].concat())
            );
            return Err(super::fail(ErrorKind::Lengths, scope.unit, partition.span, message));
        }
        self.points(scope, partition, (&grid, &own, &shape), cells)
    }

    /// The values at the indices of a grid.
    fn points(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        (grid, axes, shape): (&Grid, &[Axis], &[usize]),
        cells: &mut Cells<D>,
    ) -> Result<()> {
        let Some(mut index) = grid.first() else { return Ok(()) };
        let inner = axes.iter().filter(|axis| matches!(axis, Axis::Value(_))).count();
        if shape[..inner].contains(&0) {
            return Ok(());
        }
        self.require_axes(scope, partition, (grid, axes, shape), cells)?;
        loop {
            self.point(scope, partition, (&index, axes, &shape[..inner]), cells)?;
            if !grid.advance(&mut index) {
                return Ok(());
            }
        }
    }

    /// Every index is inside of the frame.
    fn require_axes(
        &self,
        scope: &Scope<'_, D>,
        partition: &Partition,
        (grid, axes, shape): (&Grid, &[Axis], &[usize]),
        cells: &Cells<D>,
    ) -> Result<()> {
        let is_inside = |(axis, extent): (&Axis, &usize)| match axis {
            Axis::Index(k) => {
                grid.lower[*k] >= 0 && usize::try_from(grid.upper[*k]).is_ok_and(|upper| upper <= *extent)
            }
            Axis::Value(k) => shape[*k] <= *extent,
        };
        if axes.len() == cells.frame.len() && axes.iter().zip(&cells.frame).all(is_inside) {
            return Ok(());
        }
        let (kind, what) = match axes.len() == cells.frame.len() {
            true => (ErrorKind::Outside, "indices outside of"),
            false => (ErrorKind::Lengths, "another number of axes than"),
        };
        let message = format!(
            "a partition from {:?} to {:?} has {what} the shape {}",
            grid.lower,
            grid.upper,
            vector_text(&cells.frame)
        );
        Err(super::fail(kind, scope.unit, partition.span, message))
    }

    /// The value at an index, whose first axes are those of dots.
    fn point(
        &mut self,
        scope: &mut Scope<'_, D>,
        partition: &Partition,
        (index, axes, inner): (&[i64], &[Axis], &[usize]),
        cells: &mut Cells<D>,
    ) -> Result<()> {
        let positions = Grid::full(vec![0; inner.len()], inner.iter().map(|extent| *extent as i64).collect());
        let merged = |at: &[i64]| -> Vec<i64> {
            axes.iter()
                .map(|axis| match axis {
                    Axis::Index(k) => index[*k],
                    Axis::Value(k) => at[*k],
                })
                .collect()
        };
        let mut at = vec![0; inner.len()];
        let mut places = vec![(merged(&at), 0)];
        while positions.advance(&mut at) {
            places.push((merged(&at), places.len()));
        }
        places.retain(|(index, _)| !cells.covered[cells.place(index)]);
        if places.is_empty() {
            return Ok(());
        }
        self.bind_index(scope, &partition.pattern, index);
        let value = self.expression(scope, partition.value)?;
        if value.shape().len() < inner.len() || value.shape()[..inner.len()] != *inner {
            let [found, expected] = [value.shape(), inner].map(vector_text);
            let message = format!("the value at {index:?} has the shape {found}, and not {expected}");
            return Err(self.error(scope, partition.value, ErrorKind::Shapes, message));
        }
        for (index, place) in places {
            let part = self.part_of(&value, inner.len(), place)?;
            let at = cells.place(&index);
            self.put(scope, partition.value, cells, (at, &index), &part)?;
        }
        Ok(())
    }

    /// The cell of a value at a place of its first axes.
    fn part_of(&self, value: &Value<D>, axes: usize, place: usize) -> Result<Value<D>> {
        if axes == 0 {
            return Ok(value.clone());
        }
        let cell = &value.shape()[axes..];
        let size = count(cell, self.elements).ok_or(Stopped::Budget)?;
        let cells = value.cells()[place * size..(place + 1) * size].to_vec();
        Ok(Value::new(value.scalar(), cell.to_vec(), cells))
    }
}

fn is_dot(limit: Limit) -> bool {
    matches!(limit.bound, Bound::Dot(_))
}
