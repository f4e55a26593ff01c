//! Bounded index sets without parameters: as boxes, or as rows of equally spaced points.

use crate::fault::PlanFault;
use crate::seeded::{Seeded, seeded};
use polyhedra::{Affine, BasicSet, EngineError, IndexSet};

/// The maximum number of points to list for a set that is not a box: at rank 3, 100 MB of coordinates, and as
/// much for the lists of them.
const MAX_POINTS: usize = 1 << 22;

/// Inclusive ranges, one per dimension.
pub type Ranges = Vec<(i64, i64)>;

/// The points of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointRegion {
    /// All points within ranges: a box.
    Box(Ranges),
    /// A list of points, in lexicographic order.
    Points(Vec<Vec<i64>>),
}

impl PointRegion {
    /// The points of a set as regions: one box per piece of a union, or one list.
    ///
    /// # Errors
    /// The set is unbounded, or not a box and too large to list.
    pub fn all(set: &IndexSet) -> Result<Vec<PointRegion>, EngineError> {
        let rank = set.space.rank();
        let boxes: Option<Vec<Option<Ranges>>> = set.pieces.iter().map(|piece| as_box(piece, rank)).collect();
        if let Some(boxes) = boxes {
            let boxes: Vec<Ranges> = boxes.into_iter().flatten().collect();
            let apart = |a: &Ranges, b: &Ranges| {
                let is_apart = a.iter().zip(b).any(|(a, b)| a.1 < b.0 || b.1 < a.0);
                seeded(Seeded::BoxesApart, is_apart, || true)
            };
            if boxes.iter().enumerate().all(|(k, a)| boxes[..k].iter().all(|b| apart(a, b))) {
                return Ok(boxes.into_iter().map(PointRegion::Box).collect());
            }
        }
        let points = set.scan(&[])?.points(&[], MAX_POINTS)?;
        Ok(if points.is_empty() { Vec::new() } else { vec![PointRegion::Points(points)] })
    }

    /// The bounding box of all points.
    pub fn around(regions: &[PointRegion]) -> Option<Ranges> {
        let join = |a: Ranges, b: Ranges| -> Ranges {
            a.iter().zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect()
        };
        let of = |region: &PointRegion| match region {
            PointRegion::Box(ranges) => Some(ranges.clone()),
            PointRegion::Points(points) => {
                let each = points.iter().map(|point| point.iter().map(|&i| (i, i)).collect());
                each.reduce(join)
            }
        };
        regions.iter().filter_map(of).reduce(join)
    }
}

/// The ranges of a basic set, `Some(None)` if it is empty; `None` if it is not recognized as a box.
fn as_box(piece: &BasicSet, rank: usize) -> Option<Option<Ranges>> {
    if !piece.locals.is_empty() {
        return None;
    }
    let mut ranges = vec![(i64::MIN, i64::MAX); rank];
    let opposite = |e: &Affine| Affine::default().plus(-1, e).ok();
    let equalities = piece.equalities.iter().flat_map(|e| [Some(e.clone()), opposite(e)]);
    let all: Option<Vec<Affine>> = equalities.chain(piece.inequalities.iter().cloned().map(Some)).collect();
    let (single, other): (Vec<Affine>, Vec<Affine>) = all?.into_iter().partition(|e| e.terms().count() <= 1);
    for e in &single {
        let constant = e.value(&vec![0; rank]);
        match e.terms().next() {
            None if constant < 0 => return Some(None),
            None => {}
            // a·i + c >= 0
            Some((at, a)) => {
                let divisor = i128::from(a.unsigned_abs());
                let quotient = constant.div_euclid(divisor);
                let quotient = seeded(Seeded::BoxRounding, quotient, || constant / divisor);
                let bound = |quotient: i128| i64::try_from(quotient).ok();
                if a > 0 {
                    ranges[at].0 = ranges[at].0.max(bound(-quotient)?);
                } else {
                    ranges[at].1 = ranges[at].1.min(bound(quotient)?);
                }
            }
        }
    }
    if ranges.iter().any(|(low, high)| low > high) {
        return Some(None);
    }
    if ranges.iter().any(|(low, high)| *low == i64::MIN || *high == i64::MAX) {
        return None;
    }
    // The remaining constraints must hold everywhere in the box.
    let least = |e: &Affine| {
        let corner: Vec<i64> =
            (0..rank).map(|at| if e.coefficient(at) > 0 { ranges[at].0 } else { ranges[at].1 }).collect();
        e.value(&corner)
    };
    let is_whole = other.iter().all(|e| least(e) >= 0);
    seeded(Seeded::BoxCorner, is_whole, || true).then_some(Some(ranges))
}

/// Points that differ in the last index only, equally spaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointRow {
    /// The first point.
    pub start: Vec<i64>,
    /// The number of points.
    pub length: usize,
    /// The distance between consecutive points.
    pub step: i64,
}

impl PointRow {
    /// The points.
    pub fn points(&self) -> impl Iterator<Item = Vec<i64>> + '_ {
        (0..self.length).map(|k| {
            let mut point = self.start.clone();
            if let Some(last) = point.last_mut() {
                *last += self.step * k as i64;
            }
            point
        })
    }
}

/// Groups points in lexicographic order into rows; with `single`, each point is a row.
pub fn rows(points: &[Vec<i64>], single: bool) -> Vec<PointRow> {
    let mut rows: Vec<PointRow> = Vec::new();
    for point in points {
        let rank = point.len();
        if let Some(row) = rows.last_mut().filter(|_| rank > 0 && !single)
            && row.start[..rank - 1] == point[..rank - 1]
        {
            let step = point[rank - 1] - (row.start[rank - 1] + row.step * (row.length as i64 - 1));
            let follows = row.length == 1 || step == row.step;
            if seeded(Seeded::RowsStep, follows, || true) {
                (row.step, row.length) = (step, row.length + 1);
                continue;
            }
        }
        rows.push(PointRow { start: point.clone(), length: 1, step: 1 });
    }
    rows
}

/// The number of integers in a range; saturates at `usize::MAX`.
pub fn extent((low, high): &(i64, i64)) -> usize {
    let count = i128::from(*high) - i128::from(*low) + 1;
    usize::try_from(count.max(0)).unwrap_or(usize::MAX)
}

/// The points within ranges as rows, in lexicographic order; with `single`, each point is a row.
///
/// # Errors
/// There are too many points.
pub fn rows_of(ranges: &[(i64, i64)], single: bool) -> Result<Vec<PointRow>, PlanFault> {
    let count = ranges.iter().try_fold(1_usize, |count, range| count.checked_mul(extent(range)));
    if ranges.iter().any(|range| extent(range) == 0) {
        return Ok(Vec::new());
    }
    if count.is_none_or(|count| count > MAX_POINTS) {
        return Err(PlanFault::TooLarge);
    }
    let (outer, length) = match ranges.split_last() {
        Some((last, outer)) if !single => (outer, extent(last)),
        _ => (ranges, 1),
    };
    let mut starts = vec![Vec::new()];
    for &(low, high) in outer {
        let longer = |start: &Vec<i64>| (low..=high).map(|i| [&start[..], &[i]].concat()).collect::<Vec<_>>();
        starts = starts.iter().flat_map(longer).collect();
    }
    let row = |mut start: Vec<i64>| {
        start.extend(ranges[start.len()..].iter().map(|(low, _)| *low));
        PointRow { start, length, step: 1 }
    };
    let count = seeded(Seeded::RowsLast, starts.len(), || starts.len() - 1);
    Ok(if length == 0 { Vec::new() } else { starts.into_iter().take(count).map(row).collect() })
}
