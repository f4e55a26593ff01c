//! Brute force: the points of a set, by trying every value of every column.

use super::generator::{EXISTS, Universe};
use polyhedra::{Affine, BasicSet, IndexSet, Local};
use std::collections::BTreeSet;

/// Points as columns: parameters, then coordinates.
pub type Points = BTreeSet<Vec<i64>>;

/// The points of a set in the box of a universe, or up to `margin` outside.
pub fn points(set: &IndexSet, universe: &Universe, margin: i64) -> Points {
    universe.columns(margin).into_iter().filter(|columns| contains(set, columns)).collect()
}

/// Whether the set contains a point with these parameters and coordinates.
pub fn contains(set: &IndexSet, columns: &[i64]) -> bool {
    let outer = |e: &Affine| e.coefficients().len() <= columns.len();
    let plainly_out = |(e, equality): (&Affine, bool)| {
        outer(e) && if equality { value(e, columns) != 0 } else { value(e, columns) < 0 }
    };
    let may_hold = |piece: &&BasicSet| !piece.constraints().any(plainly_out);
    let mut pieces = set.pieces.iter().filter(may_hold);
    pieces.any(|piece| holds(piece, &mut columns.to_vec(), columns.len()))
}

fn holds(piece: &BasicSet, columns: &mut Vec<i64>, outer: usize) -> bool {
    match piece.locals.get(columns.len() - outer) {
        None => {
            let equal = piece.equalities.iter().all(|e| value(e, columns) == 0);
            equal && piece.inequalities.iter().all(|e| value(e, columns) >= 0)
        }
        Some(Local::Floor { numerator, denominator }) => {
            let numerator = value(numerator, columns);
            let quotient = (numerator - numerator.rem_euclid(*denominator)) / denominator;
            with(piece, columns, outer, quotient)
        }
        Some(Local::Exists) => EXISTS.into_iter().any(|value| with(piece, columns, outer, value)),
    }
}

fn with(piece: &BasicSet, columns: &mut Vec<i64>, outer: usize, value: i64) -> bool {
    columns.push(value);
    let holds = holds(piece, columns, outer);
    columns.pop();
    holds
}

/// The value of an expression at columns that cover all its terms.
pub fn value(affine: &Affine, columns: &[i64]) -> i64 {
    affine.terms().map(|(at, a)| a * columns[at]).sum::<i64>() + affine.constant
}

/// Whether every local is a floor term over earlier columns, so that [`contains`] is exact everywhere.
pub fn is_explicit(set: &IndexSet) -> bool {
    let outer = set.space.columns();
    let explicit = |(k, local): (usize, &Local)| match local {
        Local::Exists => false,
        Local::Floor { numerator, denominator } => {
            *denominator > 0 && numerator.coefficients().len() <= outer + k
        }
    };
    set.pieces.iter().all(|piece| piece.locals.iter().enumerate().all(explicit))
}
