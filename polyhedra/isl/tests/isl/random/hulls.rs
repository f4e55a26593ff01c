//! Checks hulls and shadows by linear programs over exact fractions.

use crate::random::support::brute::{self, Points, points};
use crate::random::support::generator::{self, Universe};
use crate::random::support::linear::{LinearProgram, rank};
use fastrand::Rng;
use polyhedra::{Affine, BasicSet, Engine, EngineError, IndexSet, Local};
use polyhedra_isl::Isl;

/// A random space small enough for a linear program at each point.
fn small(rng: &mut Rng) -> Universe {
    let (parameters, rank) = [(0, 1), (0, 2), (0, 2), (0, 3), (1, 1), (1, 2), (2, 1)][rng.usize(..7)];
    Universe::new(parameters, rank)
}

/// Asserts that the set has at most one piece, without local columns: the integer points of a polyhedron.
#[track_caller]
fn assert_convex(hull: &IndexSet) {
    assert!(hull.pieces.len() <= 1 && hull.pieces.iter().all(|piece| piece.locals.is_empty()), "{hull}");
}

/// The points that are not midpoints of two others; they include the vertices of the convex hull.
fn corners(points: &Points) -> Points {
    let steps = |point: &Vec<i64>| generator::all_vectors(point.len(), -1..=1);
    let shifted = |point: &[i64], step: &[i64], by: i64| -> Vec<i64> {
        point.iter().zip(step).map(|(x, d)| x + by * d).collect()
    };
    let halfway = |point: &Vec<i64>| {
        let between = |step: &Vec<i64>| [-1, 1].iter().all(|&by| points.contains(&shifted(point, step, by)));
        steps(point).iter().any(|step| step.iter().any(|&d| d != 0) && between(step))
    };
    points.iter().filter(|point| !halfway(point)).cloned().collect()
}

/// Whether a point is a convex combination of the points of a set.
fn is_combination(point: &[i64], of: &Points) -> bool {
    let unknowns = of.len();
    let coordinate = |k: usize| (of.iter().map(|other| other[k]).collect(), -point[k]);
    let mut equalities: Vec<(Vec<i64>, i64)> = (0..point.len()).map(coordinate).collect();
    equalities.push((vec![1; unknowns], -1));
    LinearProgram { unknowns, nonnegative: unknowns, equalities, inequalities: Vec::new() }.is_feasible()
}

/// The constraints of a piece, including those that define its floor terms.
fn constraints(piece: &BasicSet, outer: usize) -> (Vec<Affine>, Vec<Affine>) {
    let mut inequalities = piece.inequalities.clone();
    for (k, local) in piece.locals.iter().enumerate() {
        if let Local::Floor { numerator, denominator } = local {
            let remainder = numerator.plus(-denominator, &Affine::column(outer + k)).unwrap();
            inequalities.push(Affine::constant(denominator - 1).plus(-1, &remainder).unwrap());
            inequalities.push(remainder);
        }
    }
    (piece.equalities.clone(), inequalities)
}

/// Whether a piece has a point with these values of some columns, where the others may be fractions.
fn has_rational_point(piece: &BasicSet, outer: usize, fixed: &[(usize, i64)]) -> bool {
    let (equalities, inequalities) = constraints(piece, outer);
    let row = |e: &Affine| (e.coefficients().to_vec(), e.constant);
    let mut program = LinearProgram {
        unknowns: outer + piece.locals.len(),
        nonnegative: 0,
        equalities: equalities.iter().map(row).collect(),
        inequalities: inequalities.iter().map(row).collect(),
    };
    program.equalities.extend(fixed.iter().map(|&(at, value)| (row(&Affine::column(at)).0, -value)));
    program.is_feasible()
}

/// Asserts that every bounding hyperplane contains a point of the set, and that no point is on its wrong side.
fn assert_touching(hull: &IndexSet, inside: &Points) {
    for (e, equality) in hull.pieces.iter().flat_map(BasicSet::constraints) {
        let values = || inside.iter().map(|point| brute::value(e, point));
        assert_eq!(values().min(), Some(0), "{e:?} of {hull}");
        assert!(!equality || values().max() == Some(0), "{hull}");
    }
}

#[test]
fn the_convex_cover_contains_the_set_and_touches_it() {
    let isl = Isl::new();
    let (mut spanned, mut others) = (0, 0);
    for seed in generator::seeds(400) {
        let mut rng = Rng::with_seed(seed);
        let universe = small(&mut rng);
        let set = generator::set(&mut rng, &universe);
        let hull = isl.convex_cover(&set).unwrap();
        assert_convex(&hull);
        let (inside, hull_points) = (points(&set, &universe, 0), points(&hull, &universe, 1));
        assert_eq!(inside.is_empty(), hull.pieces.is_empty(), "{hull}");
        assert_touching(&hull, &inside);
        let corners = corners(&inside);
        for columns in universe.columns(1) {
            let expected = inside.contains(&columns) || is_combination(&columns, &corners);
            assert!(hull_points.contains(&columns) || !expected, "{hull} lacks {columns:?} of {set}");
            spanned += usize::from(expected);
            others += usize::from(hull_points.contains(&columns) && !expected);
        }
    }
    // isl treats the pieces as rational polyhedra, so the hull need not be the smallest, but it should rarely be
    // larger.
    assert!(others * 20 < spanned, "{spanned} points of hulls are combinations, {others} are not");
}

/// The hull for each value of the parameters, compared with the convex combinations of the points for that value.
#[test]
fn the_convex_hull_is_that_of_the_points_for_each_value_of_the_parameters() {
    let (hulls, added) = hulls_are_right(400, small, |universe, _, _| universe.columns(1));
    assert!(
        hulls as u64 >= generator::scaled(300) && added as u64 >= generator::scaled(500),
        "{hulls} {added}"
    );
}

/// Up to 4 dimensions and 2 parameters, at some points in and around the box.
#[test]
fn the_convex_hull_in_more_dimensions_is_that_of_the_points() {
    const SPACES: [(usize, usize); 5] = [(0, 4), (1, 3), (2, 2), (1, 4), (2, 4)];
    let space = |rng: &mut Rng| {
        let (parameters, rank) = SPACES[rng.usize(..SPACES.len())];
        Universe::new(parameters, rank)
    };
    let some = |universe: &Universe, hull: &IndexSet, rng: &mut Rng| {
        let mut within: Vec<Vec<i64>> = points(hull, universe, 0).into_iter().collect();
        let mut columns = universe.columns(1);
        for columns in [&mut within, &mut columns] {
            rng.shuffle(columns);
            columns.truncate(25);
        }
        within.into_iter().chain(columns).collect()
    };
    let (hulls, added) = hulls_are_right(80, space, some);
    assert!(
        hulls as u64 >= generator::scaled(50) && added as u64 >= generator::scaled(40),
        "{hulls} {added}"
    );
}

/// The number of hulls found for random sets, and of points tried that are in the hull but not in the set.
fn hulls_are_right(
    cases: u64,
    space: impl Fn(&mut Rng) -> Universe,
    tried: impl Fn(&Universe, &IndexSet, &mut Rng) -> Vec<Vec<i64>>,
) -> (usize, usize) {
    let isl = Isl::new();
    let (mut hulls, mut unsupported, mut added) = (0, 0, 0);
    for seed in generator::seeds(cases) {
        let mut rng = Rng::with_seed(seed);
        let universe = space(&mut rng);
        let set = generator::set(&mut rng, &universe);
        let hull = isl.convex_hull(&set);
        if matches!(hull, Err(EngineError::Unsupported { .. } | EngineError::OutOfBudget { .. })) {
            unsupported += 1;
            continue;
        }
        let hull = hull.unwrap();
        hulls += 1;
        let inside = points(&set, &universe, 0);
        let parameters = set.space.parameters.len();
        for columns in tried(&universe, &hull, &mut rng) {
            let same = |point: &&Vec<i64>| point[..parameters] == columns[..parameters];
            let together: Points = inside.iter().filter(same).cloned().collect();
            let expected = inside.contains(&columns) || is_combination(&columns, &corners(&together));
            assert_eq!(brute::contains(&hull, &columns), expected, "{columns:?} of {hull}, for {set}");
            added += usize::from(expected && !inside.contains(&columns));
        }
    }
    println!("{hulls} hulls, which add {added} points, {unsupported} not found");
    (hulls, added)
}

#[test]
fn the_convex_cover_of_boxes_is_that_of_their_points() {
    let isl = Isl::new();
    for seed in generator::seeds(100) {
        let mut rng = Rng::with_seed(seed);
        let universe = small(&mut rng);
        let mut set = generator::set(&mut rng, &universe);
        for piece in &mut set.pieces {
            (piece.locals, piece.equalities) = (Vec::new(), Vec::new());
            piece.inequalities.truncate(2 * universe.space.columns());
        }
        let hull = isl.convex_cover(&set).unwrap();
        assert_convex(&hull);
        let inside = corners(&points(&set, &universe, 0));
        let all = universe.columns(1).into_iter();
        let spanned: Points = all.filter(|columns| is_combination(columns, &inside)).collect();
        assert_eq!(points(&hull, &universe, 1), spanned, "{hull} of {set}");
    }
}

#[test]
fn the_affine_hull_is_that_of_the_points() {
    let isl = Isl::new();
    let mut dimensions = [0; 7];
    for seed in generator::seeds(1000) {
        let mut rng = Rng::with_seed(seed);
        let universe = small(&mut rng);
        let set = generator::set(&mut rng, &universe);
        let hull = isl.affine_hull(&set).unwrap();
        assert_convex(&hull);
        assert!(hull.pieces.iter().all(|piece| piece.inequalities.is_empty()), "{hull}");
        let inside: Vec<Vec<i64>> = points(&set, &universe, 0).into_iter().collect();
        let with_one = |point: &Vec<i64>| [&point[..], &[1]].concat();
        let inside: Vec<Vec<i64>> = inside.iter().map(with_one).collect();
        let dimension = rank(&inside);
        let basis = independent(inside);
        let spanned = |columns: &Vec<i64>| rank(&[&basis[..], &[with_one(columns)]].concat()) == dimension;
        let expected: Points = universe.columns(2).into_iter().filter(spanned).collect();
        assert_eq!(points(&hull, &universe, 2), expected, "{hull} of {set}");
        dimensions[dimension] += 1;
    }
    println!("ranks: {dimensions:?}");
}

/// A maximal linearly independent subset of the rows.
fn independent(rows: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
    let mut basis: Vec<Vec<i64>> = Vec::new();
    for row in rows {
        basis.push(row);
        if rank(&basis) < basis.len() {
            basis.pop();
        }
    }
    basis
}

#[test]
fn the_shadow_is_the_rational_projection() {
    let isl = Isl::new();
    let (mut integer, mut fractions) = (0, 0);
    for seed in generator::seeds(1000) {
        let mut rng = Rng::with_seed(seed);
        let universe = small(&mut rng);
        let set = generator::set(&mut rng, &universe);
        let kept: Vec<bool> = (0..universe.space.rank()).map(|_| rng.bool()).collect();
        let shadow = isl.shadow(&set, &|d| kept[d]).unwrap();
        assert!(brute::is_explicit(&shadow), "{shadow}");
        let (parameters, outer) = (universe.space.parameters.len(), universe.space.columns());
        let columns: Vec<usize> = (0..outer).filter(|&at| at < parameters || kept[at - parameters]).collect();
        let projection: Points = points(&set, &universe, 0)
            .iter()
            .map(|point| columns.iter().map(|&at| point[at]).collect())
            .collect();
        for point in generator::all_vectors(columns.len(), universe.low - 1..=universe.high + 1) {
            let fixed: Vec<(usize, i64)> = columns.iter().copied().zip(point.iter().copied()).collect();
            let expected = set.pieces.iter().any(|piece| has_rational_point(piece, outer, &fixed));
            assert_eq!(
                brute::contains(&shadow, &point),
                expected,
                "{point:?} in {shadow}, shadow of {set} on {columns:?}"
            );
            integer += usize::from(projection.contains(&point));
            fractions += usize::from(expected && !projection.contains(&point));
        }
    }
    println!("{integer} points of shadows are projections of points, {fractions} are not");
}
