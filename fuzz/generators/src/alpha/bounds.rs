//! Boxes around sets, found by intervals.

use polyhedra::{Affine, AffineMap, BasicSet, IndexSet};

/// What a column may be: from, to.
type Interval = [Option<i64>; 2];

/// Rounds of narrowing: bounds of one column come from those of others.
const ROUNDS: usize = 4;

/// A box around the image of a set under a map, for parameters from 0 to `high`; `None` if none was found.
pub(super) fn around_image(set: &IndexSet, map: &AffineMap, high: i64) -> Option<IndexSet> {
    let boxes: Vec<Vec<Interval>> = set.pieces.iter().map(|piece| around(piece, set, high)).collect();
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

/// What each column of a piece may be.
fn around(piece: &BasicSet, set: &IndexSet, high: i64) -> Vec<Interval> {
    let parameters = set.space.parameters.len();
    let mut columns = vec![[Some(0), Some(high)]; parameters];
    columns.resize(set.space.columns(), [None; 2]);
    let opposite = piece.equalities.iter().filter_map(negative);
    let constraints: Vec<Affine> =
        piece.inequalities.iter().chain(&piece.equalities).cloned().chain(opposite).collect();
    for _ in 0..ROUNDS {
        constraints.iter().for_each(|e| narrow(e, &mut columns));
    }
    columns
}

/// `a·x + rest ≥ 0` bounds `x`, if what `rest` is at most is known.
fn narrow(e: &Affine, columns: &mut [Interval]) {
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

/// What an expression is at least.
fn least(e: &Affine, columns: &[Interval]) -> Option<i64> {
    e.terms().try_fold(e.constant, |sum, (at, a)| {
        let [low, high] = columns.get(at)?;
        sum.checked_add(a.checked_mul((*if a > 0 { low } else { high })?)?)
    })
}

#[cfg(test)]
mod tests {
    use super::around_image;
    use polyhedra::{Affine, AffineMap, IndexSet, Space};

    #[test]
    fn a_triangle_and_its_image() {
        // { [i, j] : 0 ≤ j ≤ i ≤ N } for N ≤ 5, and (i, j -> 2i − j + 1)
        let space = Space::new(&["N"], &["i", "j"]);
        let (n, i, j) = (Affine::column(0), Affine::column(1), Affine::column(2));
        let inequalities = vec![j.clone(), i.plus(-1, &j).unwrap(), n.plus(-1, &i).unwrap()];
        let set = IndexSet::constrained(space.clone(), Vec::new(), inequalities);
        let output = Affine::constant(1).plus(2, &i).unwrap().plus(-1, &j).unwrap();
        let image = around_image(&set, &AffineMap::new(space, vec![output]), 5).unwrap();
        let inside: Vec<i64> = (-20..20).filter(|x| image.contains(&[5], &[*x]).unwrap()).collect();
        assert_eq!(inside, (-4..=11).collect::<Vec<_>>());
    }
}
