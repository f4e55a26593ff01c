//! How many points a set has, for given parameters: exactly for boxes, for sets of few lines and for small sets, else by a sample.

use fastrand::Rng;
use polyhedra::{Affine, BasicSet, IndexSet};

/// Sets within so many points are counted one by one.
const MAX_COUNTED: f64 = 20_000.0;
/// So many points of a larger one are looked at.
const SAMPLES: u32 = 4_000;
/// Bounds are tightened so often.
const ROUNDS: usize = 8;
/// No coordinate is larger.
const MAX_COORDINATE: i128 = 1 << 40;

/// The number of points; infinity if a coordinate is not seen to be bounded. Pieces are taken to be disjoint.
pub fn points(set: &IndexSet, parameters: &[i64]) -> f64 {
    let Ok(fixed) = set.at_parameters(parameters) else { return f64::INFINITY };
    fixed.pieces.iter().map(|piece| of_piece(&fixed.of_piece(piece), piece)).sum()
}

fn of_piece(set: &IndexSet, piece: &BasicSet) -> f64 {
    let Some(ranges) = ranges(piece, set.space.rank()) else { return f64::INFINITY };
    if ranges.iter().any(|[low, high]| low > high) {
        return 0.0;
    }
    let volume: f64 = ranges.iter().map(|[low, high]| (high - low + 1) as f64).product();
    if piece.locals.is_empty() && piece.constraints().all(|(e, _)| e.terms().count() <= 1) {
        return volume;
    }
    let longest = (0..ranges.len()).max_by_key(|&d| ranges[d][1] - ranges[d][0]);
    if let Some(d) = longest.filter(|_| piece.locals.is_empty()) {
        let length = (ranges[d][1] - ranges[d][0] + 1) as f64;
        if volume / length <= MAX_COUNTED {
            return by_lines(piece, ranges, d);
        }
    }
    if volume <= MAX_COUNTED {
        return every(&ranges).filter(|point| set.contains(&[], point) == Ok(true)).count() as f64;
    }
    let mut rng = Rng::with_seed(0);
    let mut one = || ranges.iter().map(|[low, high]| rng.i64(*low..=*high)).collect::<Vec<i64>>();
    let inside = (0..SAMPLES).filter(|_| set.contains(&[], &one()) == Ok(true)).count();
    volume * inside as f64 / f64::from(SAMPLES)
}

/// The points of a piece without quantified terms, line by line along a dimension.
fn by_lines(piece: &BasicSet, mut ranges: Vec<[i64; 2]>, d: usize) -> f64 {
    let whole = [i128::from(ranges[d][0]), i128::from(ranges[d][1])];
    ranges[d] = [0, 0];
    let on_line = |start: &Vec<i64>| -> i128 {
        let mut line = whole;
        for (e, is_equality) in piece.constraints() {
            let (a, rest) = (i128::from(e.coefficient(d)), e.value(start));
            for sign in if is_equality { &[1, -1][..] } else { &[1] } {
                match (sign * a).signum() {
                    0 if sign * rest < 0 => return 0,
                    0 => {}
                    1 => line[0] = line[0].max(-(sign * rest).div_euclid(sign * a)),
                    _ => line[1] = line[1].min((sign * rest).div_euclid(-sign * a)),
                }
            }
        }
        (line[1] - line[0] + 1).max(0)
    };
    every(&ranges).map(|start| on_line(&start)).sum::<i128>() as f64
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

/// Bounds of every coordinate.
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

/// What `sign · e ≥ 0` says of each coordinate, by the bounds of the others.
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

#[cfg(test)]
mod tests {
    use super::points;
    use polyhedra::IndexSet;

    #[test]
    fn points_are_counted() {
        let sets = [
            ("[N] -> { [i, j] : 0 <= i < N and 0 <= j < 3 }", 30.0),
            ("[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }", 55.0),
            ("[N] -> { [i] : exists e : i = 2e and 0 <= i < N }", 5.0),
            ("[N] -> { [i] : i >= N }", f64::INFINITY),
            ("[N] -> { [i] : N < i < N }", 0.0),
            ("[N] -> { [] : N >= 3 }", 1.0),
            ("[N] -> { [i, j] : 0 <= 3i < N and i = 2j }", 2.0),
            ("[N] -> { [i, j] : 0 <= i < 1000 and 3j <= i and 2j >= i - N }", 91.0),
        ];
        for (text, count) in sets {
            assert_eq!(points(&text.parse::<IndexSet>().unwrap(), &[10]), count, "{text}");
        }
        let triangle: IndexSet = "[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }".parse().unwrap();
        assert_eq!(points(&triangle, &[1000]), 500_500.0);
        let estimate = points(&triangle, &[100_000]);
        assert!((estimate / 5_000_050_000.0 - 1.0).abs() < 0.1, "{estimate}");
    }
}
