//! Counts the points of a set at given parameters: exactly if that takes few enough steps, else estimated from a
//! sample of lines.
//!
//! Indices that equations determine are eliminated, and groups of indices that no constraint connects are counted
//! separately.

use fastrand::Rng;
use polyhedra::{Affine, BasicSet, IndexSet};
use std::ops::{Add, Mul};

/// The number of sampled lines of a set that is too large to count, or of sampled points if it has quantified
/// terms. The count of half a box then has a standard error of 1.6 % (1/√4,000), and costs are compared, not
/// stated.
const SAMPLES: u32 = 4_000;
/// The number of passes that tighten bounds. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const ROUNDS: usize = 8;
/// The largest absolute value of a bound; beyond it, a coordinate counts as unbounded. Sums of a million such
/// bounds fit into 64 bits.
const MAX_COORDINATE: i128 = 1 << 40;

/// A number of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointCount {
    /// The number; infinity if no bounds of a coordinate are found.
    pub points: f64,
    /// Whether the number is exact.
    pub is_exact: bool,
}

impl PointCount {
    const NONE: PointCount = PointCount::exactly(0.0);

    const fn exactly(points: f64) -> PointCount {
        PointCount { points, is_exact: true }
    }
}

impl Add for PointCount {
    type Output = PointCount;

    fn add(self, other: PointCount) -> PointCount {
        PointCount { points: self.points + other.points, is_exact: self.is_exact && other.is_exact }
    }
}

impl Mul for PointCount {
    type Output = PointCount;

    fn mul(self, other: PointCount) -> PointCount {
        PointCount { points: self.points * other.points, is_exact: self.is_exact && other.is_exact }
    }
}

/// The number of points, exact if that takes at most `steps` lines or points. Pieces are assumed disjoint.
pub fn points(set: &IndexSet, parameters: &[i64], steps: f64) -> PointCount {
    let Ok(fixed) = set.at_parameters(parameters) else { return PointCount::exactly(f64::INFINITY) };
    fixed
        .pieces
        .iter()
        .map(|piece| of_piece(&fixed.of_piece(piece), piece, steps))
        .fold(PointCount::NONE, Add::add)
}

fn of_piece(set: &IndexSet, piece: &BasicSet, steps: f64) -> PointCount {
    let rank = set.space.rank();
    let Some(ranges) = ranges(piece, rank) else { return PointCount::exactly(f64::INFINITY) };
    if ranges.iter().any(|[low, high]| low > high) {
        return PointCount::NONE;
    }
    if !piece.locals.is_empty() {
        return with_locals(set, &ranges, steps);
    }
    let mut left: Vec<usize> = (0..rank).collect();
    let piece = determined(piece, &ranges, &mut left);
    let connected = |group: &Vec<usize>, e: &Affine| e.terms().any(|(at, _)| group.contains(&at));
    let mut groups: Vec<Vec<usize>> = left.iter().map(|&d| vec![d]).collect();
    for (e, is_equality) in piece.constraints() {
        if e.is_constant() && (e.constant < 0 || is_equality && e.constant != 0) {
            return PointCount::NONE;
        }
        let (together, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| connected(group, e));
        groups = apart;
        groups.extend((!together.is_empty()).then(|| together.concat()));
    }
    let each = groups.iter().map(|group| of_group(&piece, &ranges, group, steps));
    each.fold(PointCount::exactly(1.0), Mul::mul)
}

/// The piece without the indices that equations determine; their bounds become constraints on the other indices.
fn determined(piece: &BasicSet, ranges: &[[i64; 2]], left: &mut Vec<usize>) -> BasicSet {
    let mut piece = piece.clone();
    let unit = |e: &Affine| e.terms().find(|(_, a)| a.unsigned_abs() == 1);
    while let Some((k, (d, a))) = piece.equalities.iter().enumerate().find_map(|(k, e)| Some((k, unit(e)?))) {
        // a·x + rest = 0, so x = −a·rest.
        let e = piece.equalities[k].clone();
        let of = |e: Affine| -> Option<Affine> { e.plus(-a, &Affine::column(d)).ok() };
        let Some(value) = of(e).and_then(|rest| Affine::default().plus(-a, &rest).ok()) else { break };
        let replaced = |at: usize| if at == d { value.clone() } else { Affine::column(at) };
        let Ok(mut next) = piece.map(|e| e.substitute(replaced)) else { break };
        next.equalities.remove(k);
        let bound = |sign: i64, limit: i64| Affine::constant(-sign * limit).plus(sign, &value).ok();
        let [Some(low), Some(high)] = [bound(1, ranges[d][0]), bound(-1, ranges[d][1])] else { break };
        next.inequalities.extend([low, high]);
        left.retain(|other| *other != d);
        piece = next;
    }
    piece
}

/// Counts a set with quantified terms point by point.
fn with_locals(set: &IndexSet, ranges: &[[i64; 2]], steps: f64) -> PointCount {
    let volume: f64 = ranges.iter().map(length).product();
    let is_in = |point: &Vec<i64>| set.contains(&[], point) == Ok(true);
    // Each point takes a search for its quantified terms, which is longer than to count a line: so these are only
    // as many as for a set of an e-graph.
    if volume <= steps.min(20_000.0) {
        return PointCount::exactly(every(ranges).filter(is_in).count() as f64);
    }
    let mut rng = Rng::with_seed(0);
    let inside = (0..SAMPLES).filter(|_| is_in(&any(ranges, &mut rng))).count();
    PointCount { points: volume * inside as f64 / f64::from(SAMPLES), is_exact: false }
}

fn length([low, high]: &[i64; 2]) -> f64 {
    (i128::from(*high) - i128::from(*low) + 1) as f64
}

/// A random point of a box.
fn any(ranges: &[[i64; 2]], rng: &mut Rng) -> Vec<i64> {
    ranges.iter().map(|[low, high]| rng.i64(*low..=*high)).collect()
}

/// Counts a group of connected indices by lines along its longest dimension.
fn of_group(piece: &BasicSet, ranges: &[[i64; 2]], group: &[usize], steps: f64) -> PointCount {
    let of_others = |e: &Affine| e.terms().any(|(at, _)| !group.contains(&at));
    let constraints: Vec<(&Affine, bool)> =
        piece.constraints().filter(|(e, _)| !e.is_constant() && !of_others(e)).collect();
    let Some(&d) = group.iter().max_by_key(|&&d| ranges[d][1] - ranges[d][0]) else {
        return PointCount::exactly(1.0);
    };
    let mut across: Vec<[i64; 2]> =
        (0..ranges.len()).map(|at| if group.contains(&at) { ranges[at] } else { [0, 0] }).collect();
    let whole = [i128::from(ranges[d][0]), i128::from(ranges[d][1])];
    across[d] = [0, 0];
    let on_line = |start: &Vec<i64>| points_on_line(&constraints, whole, d, start);
    let lines: f64 = across.iter().map(length).product();
    if lines <= steps {
        return PointCount::exactly(every(&across).map(|start| on_line(&start)).sum::<i128>() as f64);
    }
    let mut rng = Rng::with_seed(0);
    let found: i128 = (0..SAMPLES).map(|_| on_line(&any(&across, &mut rng))).sum();
    PointCount { points: lines * (found as f64 / f64::from(SAMPLES)), is_exact: false }
}

/// The number of points on a line along dimension `d`.
fn points_on_line(constraints: &[(&Affine, bool)], whole: [i128; 2], d: usize, start: &[i64]) -> i128 {
    let mut line = whole;
    for (e, is_equality) in constraints {
        let (a, rest) = (i128::from(e.coefficient(d)), e.value(start));
        for sign in if *is_equality { &[1, -1][..] } else { &[1] } {
            match (sign * a).signum() {
                0 if sign * rest < 0 => return 0,
                0 => {}
                1 => line[0] = line[0].max(-(sign * rest).div_euclid(sign * a)),
                _ => line[1] = line[1].min((sign * rest).div_euclid(-sign * a)),
            }
        }
    }
    (line[1] - line[0] + 1).max(0)
}

/// All points of a box.
fn every(ranges: &[[i64; 2]]) -> impl Iterator<Item = Vec<i64>> {
    let mut next: Option<Vec<i64>> = Some(ranges.iter().map(|[low, _]| *low).collect());
    std::iter::from_fn(move || {
        let point = next.clone()?;
        next = None;
        for d in (0..ranges.len()).rev() {
            if point[d] < ranges[d][1] {
                let mut after = point.clone();
                after[d] += 1;
                (d + 1..ranges.len()).for_each(|later| after[later] = ranges[later][0]);
                next = Some(after);
                break;
            }
        }
        Some(point)
    })
}

/// Bounds of every coordinate, if all are bounded.
fn ranges(piece: &BasicSet, rank: usize) -> Option<Vec<[i64; 2]>> {
    let mut ranges: Vec<[Option<i128>; 2]> = vec![[None; 2]; rank];
    for _ in 0..ROUNDS {
        for (e, is_equality) in piece.constraints() {
            tighten(&mut ranges, e, 1);
            if is_equality {
                tighten(&mut ranges, e, -1);
            }
        }
    }
    let narrow =
        |bound: Option<i128>| bound.filter(|b| b.abs() <= MAX_COORDINATE).and_then(|b| i64::try_from(b).ok());
    ranges.into_iter().map(|[low, high]| Some([narrow(low)?, narrow(high)?])).collect()
}

/// Tightens the bounds of each coordinate by `sign · e ≥ 0` and the bounds of the others.
fn tighten(ranges: &mut [[Option<i128>; 2]], e: &Affine, sign: i128) {
    let terms: Vec<(usize, i128)> = e.terms().map(|(at, a)| (at, sign * i128::from(a))).collect();
    for &(d, a) in &terms {
        let others = terms.iter().filter(|(at, _)| *at != d);
        let largest =
            others.map(|&(at, b)| Some(b * ranges.get(at)?[usize::from(b > 0)]?)).sum::<Option<i128>>();
        let (Some(largest), Some(range)) = (largest, ranges.get_mut(d)) else { continue };
        // a·x ≥ −rest
        let rest = sign * i128::from(e.constant) + largest;
        match a > 0 {
            true => {
                let low = (-rest).div_euclid(a) + i128::from((-rest).rem_euclid(a) != 0);
                range[0] = Some(range[0].map_or(low, |known| known.max(low)));
            }
            false => {
                let high = rest.div_euclid(-a);
                range[1] = Some(range[1].map_or(high, |known| known.min(high)));
            }
        }
    }
}
