//! Membership, and the points of bounded sets in lexicographic order, without an engine.

use crate::affine::Affine;
use crate::basic::{BasicSet, Local};
use crate::elimination::{Rows, bounds, eliminate, rows};
use crate::error::EngineError;
use crate::map::floor_value;
use crate::set::IndexSet;
use crate::voids::is_void;
use std::collections::BTreeSet;

/// The maximum number of steps of a search, plus [`STEPS_OF_A_POINT`] for each point that it finds. Chosen:
/// half and twice give the same verdicts (`docs/limits.md`).
const MAX_STEPS: u64 = 1_000_000;
/// The number of steps that each point adds to the limit. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS_OF_A_POINT: u64 = 100;

/// A set prepared for enumeration: for each prefix of a point, the bounds of the next coordinate.
#[derive(Clone, Debug)]
pub struct Scan {
    pieces: Vec<Levels>,
    rank: usize,
    set: Option<IndexSet>,
}

/// A basic set with rational bounds for each column in terms of the earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    piece: BasicSet,
    /// `levels[k]` has the rows over columns `0..=k`.
    levels: Vec<Rows>,
}

impl IndexSet {
    /// Whether a point is in the set, given the parameters.
    ///
    /// # Errors
    /// Existentially quantified terms are unbounded, so that only an engine can decide; or a floor term exceeds 64
    /// bits.
    pub fn contains(&self, parameters: &[i64], point: &[i64]) -> Result<bool, EngineError> {
        let joined;
        let columns = match parameters {
            [] => point,
            _ => {
                joined = [parameters, point].concat();
                &joined
            }
        };
        let mut undecided = None;
        for piece in &self.pieces {
            match holds(piece, columns) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => undecided = Some(error),
            }
        }
        undecided.map_or(Ok(false), Err)
    }

    /// Prepares the set for enumeration, given the parameters.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits, or there are too many constraints.
    pub fn scan(&self, parameters: &[i64]) -> Result<Scan, EngineError> {
        let fixed = self.at_parameters(parameters)?;
        let rank = self.space.rank();
        let pieces = fixed.pieces.into_iter().map(|piece| Levels::new(piece, rank));
        Ok(Scan { pieces: pieces.collect::<Result<_, _>>()?, rank, set: Some(self.clone()) })
    }
}

/// Whether every constraint holds at the given columns for some values of the locals.
fn holds(piece: &BasicSet, columns: &[i64]) -> Result<bool, EngineError> {
    if piece.locals.contains(&Local::Exists) {
        return some_local(piece, columns);
    }
    if piece.locals.is_empty() {
        return Ok(satisfied(piece, columns));
    }
    let mut columns = columns.to_vec();
    for local in &piece.locals {
        columns.push(floor_value(local, &columns)?);
    }
    Ok(satisfied(piece, &columns))
}

fn satisfied(piece: &BasicSet, columns: &[i64]) -> bool {
    let equal = piece.equalities.iter().all(|e| e.value(columns) == 0);
    equal && piece.inequalities.iter().all(|e| e.value(columns) >= 0)
}

/// Searches for values of the locals within the bounds from elimination.
fn some_local(piece: &BasicSet, columns: &[i64]) -> Result<bool, EngineError> {
    let outer = columns.len();
    let fix = |at: usize| match columns.get(at) {
        Some(&value) => Affine::constant(value),
        None => Affine::column(at - outer),
    };
    let fixed = piece.map(|affine| affine.substitute(fix))?;
    let inner = BasicSet { locals: Vec::new(), ..fixed.clone() };
    let mut all = rows(&inner, 0)?;
    all.extend(rows(&BasicSet { locals: fixed.locals, ..BasicSet::default() }, 0)?);
    let scan = Scan {
        pieces: vec![Levels::from_rows(inner, all, piece.locals.len())?],
        rank: piece.locals.len(),
        set: None,
    };
    Ok(scan.first(&[])?.is_some())
}

impl Levels {
    fn new(piece: BasicSet, rank: usize) -> Result<Levels, EngineError> {
        let rows = rows(&piece, rank)?;
        let columns = rank + piece.locals.len();
        Levels::from_rows(piece, rows, columns)
    }

    pub(crate) fn from_rows(piece: BasicSet, rows: Rows, columns: usize) -> Result<Levels, EngineError> {
        let mut levels = vec![rows];
        for column in (1..columns).rev() {
            let below = eliminate(&levels[levels.len() - 1], column)?;
            levels.push(below);
        }
        levels.reverse();
        Ok(Levels { piece, levels })
    }
}

impl Scan {
    /// The scanned set, for error messages.
    fn text(&self) -> String {
        self.set.as_ref().map_or("terms of a set".to_owned(), ToString::to_string)
    }

    /// The remaining coordinates of all points that begin with `prefix`, each once, in lexicographic order.
    ///
    /// # Errors
    /// There may be infinitely many points, more than `limit`, or too few among the candidates tried.
    pub fn points(&self, prefix: &[i64], limit: usize) -> Result<Vec<Vec<i64>>, EngineError> {
        // A single piece yields its points in order and without duplicates.
        let (mut list, mut set) = (Vec::new(), BTreeSet::new());
        for levels in &self.pieces {
            self.walk(levels, prefix, |point| {
                let rest = point[prefix.len()..].to_vec();
                match self.pieces.len() {
                    1 => list.push(rest),
                    _ => _ = set.insert(rest),
                }
                list.len().max(set.len()) <= limit
            })?;
        }
        list.extend(set);
        match list.len() > limit {
            true => Err(EngineError::OutOfBudget { operation: "enumeration", operands: self.text() }),
            false => Ok(list),
        }
    }

    /// A point that begins with `prefix`, if one exists.
    ///
    /// # Errors
    /// The search is unbounded.
    pub fn first(&self, prefix: &[i64]) -> Result<Option<Vec<i64>>, EngineError> {
        let mut found = None;
        for levels in &self.pieces {
            self.walk(levels, prefix, |point| {
                found = Some(point.to_vec());
                false
            })?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// Visits the points of a piece that begin with `prefix`, until `visit` returns false.
    fn walk(
        &self,
        levels: &Levels,
        prefix: &[i64],
        mut visit: impl FnMut(&[i64]) -> bool,
    ) -> Result<(), EngineError> {
        let mut point = prefix.to_vec();
        if point.len() == self.rank {
            if holds(&levels.piece, &point)? {
                visit(&point);
            }
            return Ok(());
        }
        if let Some(rows) = point.len().checked_sub(1).and_then(|last| levels.levels.get(last))
            && rows.iter().any(|row| row.value(&point) < 0)
        {
            return Ok(());
        }
        let mut ends = vec![self.range(levels, &mut point)?];
        let mut steps = 0;
        while let Some(&end) = ends.last() {
            steps += 1;
            if steps > MAX_STEPS {
                return Err(EngineError::OutOfBudget { operation: "enumeration", operands: self.text() });
            }
            let last = point.len() - 1;
            if point[last] >= end {
                ends.pop();
                point.pop();
                continue;
            }
            point[last] += 1;
            if point.len() < self.rank {
                ends.push(self.range(levels, &mut point)?);
            } else if holds(&levels.piece, &point)? {
                steps = steps.saturating_sub(STEPS_OF_A_POINT);
                if !visit(&point) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Appends the predecessor of the next column's least value, and returns its greatest value.
    fn range(&self, levels: &Levels, point: &mut Vec<i64>) -> Result<i64, EngineError> {
        let rows = &levels.levels[point.len()];
        let narrow = |wide: i128| i64::try_from(wide).map_err(|_| EngineError::Overflow);
        if rows.iter().any(|row| row.is_constant() && row.constant < 0) {
            point.push(0);
            return Ok(i64::MIN);
        }
        match bounds(rows, point) {
            (Some(low), Some(high)) => {
                point.push(narrow(low - 1)?);
                narrow(high)
            }
            _ if self.goes_nowhere(levels, point)? => {
                point.push(0);
                Ok(i64::MIN)
            }
            _ => Err(EngineError::Unbounded(self.text())),
        }
    }
}

impl Scan {
    /// Scans the points of one piece by their first `rank` columns.
    pub(crate) fn new(levels: Levels, rank: usize) -> Scan {
        Scan { pieces: vec![levels], rank, set: None }
    }

    /// Whether a piece certainly has no integer point that begins with `prefix`, although it has rational ones.
    fn goes_nowhere(&self, levels: &Levels, prefix: &[i64]) -> Result<bool, EngineError> {
        let fixed = |at: usize| match prefix.get(at) {
            Some(&value) => Affine::constant(value),
            None => Affine::column(at - prefix.len()),
        };
        let rest = levels.piece.map(|affine| affine.substitute(fixed));
        match rest.and_then(|rest| is_void(&rest, self.rank - prefix.len())) {
            Err(error) if error.is_out_of_budget() => Ok(false),
            seen => seen,
        }
    }
}
