//! Factorizations of affine maps.

use alpha::patterns::dimension_names;
use polyhedra::{Affine, AffineMap};

/// `f` with `h = f ∘ g`, if there is one.
pub fn left_factor(h: &AffineMap, g: &AffineMap) -> Option<AffineMap> {
    let section = section(g)?;
    let f = h.after(&section).ok()?;
    (f.after(g).ok()?.outputs == h.outputs).then_some(f)
}

/// `g` with `h = f ∘ g`, for an invertible `f`.
pub fn right_factor(h: &AffineMap, f: &AffineMap) -> Option<AffineMap> {
    let inverse = section(f)?;
    let is_inverse = inverse.after(f).ok()?.is_identity();
    inverse.after(h).ok().filter(|_| is_inverse)
}

/// Factorizations `h = f ∘ g` where `g` drops one coordinate.
pub fn splits(h: &AffineMap) -> Vec<(AffineMap, AffineMap)> {
    let rank = h.space.rank();
    let forgets = |d: usize| {
        let kept = (0..rank).filter(|&k| k != d).map(|k| Affine::column(h.space.column(k)));
        let g = AffineMap::new(h.space.clone(), kept.collect());
        Some((left_factor(h, &g)?, g))
    };
    (0..rank).filter_map(forgets).collect()
}

/// `f'` and `g'` with `g ∘ f' = f ∘ g'` that cover all pairs of arguments with equal values of `f` and `g`; `f`
/// must have a section.
pub fn pullback(f: &AffineMap, g: &AffineMap) -> Option<(AffineMap, AffineMap)> {
    let MapFrame { section, kernel } = frame(f)?;
    let rank = g.space.rank();
    let space = g.space.with_dimensions(dimension_names(rank + kernel.len()));
    let first = (0..rank).map(|d| Affine::column(space.column(d))).collect();
    let along = |(d, output): (usize, &Affine)| {
        kernel.iter().enumerate().try_fold(output.clone(), |sum, (k, direction)| {
            sum.plus(direction[d], &Affine::column(space.column(rank + k))).ok()
        })
    };
    let outputs: Option<Vec<Affine>> = section.after(g).ok()?.outputs.iter().enumerate().map(along).collect();
    Some((AffineMap::new(space.clone(), first), AffineMap::new(space, outputs?)))
}

/// `f` and `g` with `g ∘ f' = f ∘ g'`, from all coordinates of `f'` that are functions of `g'`.
pub fn pushout(f1: &AffineMap, g1: &AffineMap) -> Option<(AffineMap, AffineMap)> {
    let coordinate = |k: usize| AffineMap::new(f1.space.clone(), vec![f1.outputs[k].clone()]);
    let common: Vec<usize> =
        (0..f1.outputs.len()).filter(|&k| left_factor(&coordinate(k), g1).is_some()).collect();
    let outputs = common.iter().map(|&k| f1.outputs[k].clone()).collect();
    let both = AffineMap { outputs, ..f1.clone() };
    let target = f1.target();
    let selected = common.iter().map(|&k| Affine::column(target.column(k))).collect();
    Some((left_factor(&both, g1)?, AffineMap::new(target, selected)))
}

/// A section of a map, and the directions along which the map does not change.
struct MapFrame {
    section: AffineMap,
    kernel: Vec<Vec<i64>>,
}

/// `s` with `g(s(z)) = z` for all `z`, if there is one: column steps, each a change of coordinates of the
/// argument, bring the matrix of `g` into the form `[Id 0]`.
pub fn section(g: &AffineMap) -> Option<AffineMap> {
    frame(g).map(|frame| frame.section)
}

fn frame(g: &AffineMap) -> Option<MapFrame> {
    if !g.floors.is_empty() {
        return None;
    }
    let (outer, rank, target) = (g.space.parameters.len(), g.space.rank(), g.target());
    let entry = |r: usize, c: usize| g.outputs[r].coefficient(g.space.column(c));
    let mut columns: Vec<Vec<i64>> =
        (0..rank).map(|c| (0..g.outputs.len()).map(|r| entry(r, c)).collect()).collect();
    let mut basis: Vec<Vec<i64>> =
        (0..rank).map(|c| (0..rank).map(|d| i64::from(c == d)).collect()).collect();
    for r in 0..g.outputs.len() {
        while let Some((pivot, other)) = two_nonzero(&columns, r) {
            let quotient = columns[other][r].div_euclid(columns[pivot][r]);
            subtract(&mut columns, pivot, other, quotient)?;
            subtract(&mut basis, pivot, other, quotient)?;
        }
        let pivot = (r..rank).find(|&c| columns[c][r] != 0).filter(|&c| columns[c][r].unsigned_abs() == 1)?;
        columns.swap(r, pivot);
        basis.swap(r, pivot);
        let sign = columns[r][r];
        for all in [&mut columns, &mut basis] {
            all[r].iter_mut().for_each(|entry| *entry *= sign);
        }
        for other in (0..rank).filter(|&c| c != r) {
            let quotient = columns[other][r];
            subtract(&mut columns, r, other, quotient)?;
            subtract(&mut basis, r, other, quotient)?;
        }
    }
    // The argument is the sum of the columns of the basis, weighted by the coordinates of the value minus the
    // constant part of `g`.
    let coordinate = |d: usize| {
        (0..g.outputs.len()).try_fold(Affine::constant(0), |sum, r| {
            let constant = g.outputs[r].substitute(|at| match at < outer {
                true => Affine::column(at),
                false => Affine::constant(0),
            });
            let value = Affine::column(target.column(r)).plus(-1, &constant.ok()?).ok()?;
            sum.plus(basis[r][d], &value).ok()
        })
    };
    let outputs: Option<Vec<Affine>> = (0..rank).map(coordinate).collect();
    let section = AffineMap::new(target.clone(), outputs?);
    Some(MapFrame { section, kernel: basis.split_off(g.outputs.len()) })
}

fn subtract(columns: &mut [Vec<i64>], pivot: usize, other: usize, quotient: i64) -> Option<()> {
    let subtracted = columns[pivot].clone();
    for (entry, subtracted) in columns[other].iter_mut().zip(subtracted) {
        *entry = entry.checked_sub(subtracted.checked_mul(quotient)?)?;
    }
    Some(())
}

/// Two columns from `r` on with nonzero entries in row `r`, the smaller entry first.
fn two_nonzero(columns: &[Vec<i64>], r: usize) -> Option<(usize, usize)> {
    let mut nonzero = (r..columns.len()).filter(|&c| columns[c][r] != 0);
    let (first, second) = (nonzero.next()?, nonzero.next()?);
    Some(if columns[first][r].unsigned_abs() <= columns[second][r].unsigned_abs() {
        (first, second)
    } else {
        (second, first)
    })
}
