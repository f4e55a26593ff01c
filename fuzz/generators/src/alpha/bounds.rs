//! Finds boxes around sets by interval arithmetic.

use polyhedra::{Affine, AffineMap, BasicSet, IndexSet};

/// The bounds of a column, from and to, both included.
type ColumnBounds = [Option<i64>; 2];

/// The number of rounds of narrowing: bounds of one column follow from those of others. With three dimensions, as
/// many as [`Shape`](super::SystemShape) allows by default, three rounds pass a bound on from each to all others, and
/// one is spare.
const ROUNDS: usize = 4;

/// A box around the image of a set under a map, for parameters from 0 to `high`; `None` if none was found.
pub fn around_image(set: &IndexSet, map: &AffineMap, high: i64) -> Option<IndexSet> {
    let boxes: Vec<Vec<ColumnBounds>> = set.pieces.iter().map(|piece| around(piece, set, high)).collect();
    let space = map.target();
    let mut inequalities = Vec::new();
    for (d, output) in map.outputs.iter().enumerate() {
        let ranges =
            boxes.iter().map(|columns| Some([least(output, columns)?, -least(&negative(output)?, columns)?]));
        let ranges: Vec<[i64; 2]> = ranges.collect::<Option<_>>()?;
        let low = ranges.iter().map(|[low, _]| *low).min().unwrap_or(0);
        let high = ranges.iter().map(|[_, high]| *high).max().unwrap_or(0);
        let x = Affine::column(space.column(d));
        inequalities
            .extend([Affine::constant(-low).plus(1, &x).ok()?, Affine::constant(high).plus(-1, &x).ok()?]);
    }
    Some(IndexSet::constrained(space, Vec::new(), inequalities))
}

fn negative(e: &Affine) -> Option<Affine> {
    Affine::default().plus(-1, e).ok()
}

/// The bounds of each column of a piece.
fn around(piece: &BasicSet, set: &IndexSet, high: i64) -> Vec<ColumnBounds> {
    let parameters = set.space.parameters.len();
    let mut columns = vec![[Some(0), Some(high)]; parameters];
    columns.resize(set.space.columns(), [None; 2]);
    let opposite = piece.equalities.iter().filter_map(negative);
    let mut constraints: Vec<Affine> =
        piece.inequalities.iter().chain(&piece.equalities).cloned().chain(opposite).collect();
    if constraints.iter().any(|e| e.is_constant() && e.constant < 0) {
        return vec![[Some(0); 2]; columns.len()];
    }
    let is_open = |[low, high]: &ColumnBounds| low.is_none() || high.is_none();
    for _ in 0..ROUNDS {
        for _ in 0..ROUNDS {
            constraints.iter().for_each(|e| narrow(e, &mut columns));
        }
        let Some(at) = columns.iter().position(is_open) else { break };
        let others = (0..columns.len()).filter(|&other| other >= parameters && other != at);
        let combined: Vec<Affine> = others.flat_map(|other| eliminated(&constraints, other)).collect();
        constraints.extend(combined);
        constraints.truncate(MAX_CONSTRAINTS);
    }
    columns
}

/// The maximum number of constraints to combine. Each elimination may square their number: of 400, half of which
/// bound the column from below and half from above, there are 40,000 pairs.
const MAX_CONSTRAINTS: usize = 400;

/// Combines pairs of constraints such that a column cancels.
fn eliminated(constraints: &[Affine], column: usize) -> Vec<Affine> {
    let signed = |sign: i64| constraints.iter().filter(move |e| e.coefficient(column).signum() == sign);
    let sum = |p: &Affine, n: &Affine| {
        let (a, b) = (p.coefficient(column), n.coefficient(column));
        let scaled = Affine::default().plus(b.checked_neg()?, p).ok()?;
        scaled.plus(a, n).ok().filter(|sum| !sum.is_constant())
    };
    signed(1).flat_map(|p| signed(-1).filter_map(move |n| sum(p, n))).collect()
}

/// `a·x + rest ≥ 0` bounds `x`, if a maximum of `rest` is known.
fn narrow(e: &Affine, columns: &mut [ColumnBounds]) {
    for (at, a) in e.terms() {
        let Ok(rest) = e.plus(-a, &Affine::column(at)) else { continue };
        let Some(most) = negative(&rest).and_then(|rest| least(&rest, columns)).map(|least| -least) else {
            continue;
        };
        match a > 0 {
            true => {
                let low = -most.div_euclid(a);
                columns[at][0] = Some(columns[at][0].map_or(low, |old| old.max(low)));
            }
            false => {
                let high = most.div_euclid(-a);
                columns[at][1] = Some(columns[at][1].map_or(high, |old| old.min(high)));
            }
        }
    }
}

/// A lower bound of an expression.
fn least(e: &Affine, columns: &[ColumnBounds]) -> Option<i64> {
    e.terms().try_fold(e.constant, |sum, (at, a)| {
        let [low, high] = columns.get(at)?;
        sum.checked_add(a.checked_mul((*if a > 0 { low } else { high })?)?)
    })
}
