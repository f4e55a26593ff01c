//! Operations that find points: samples, least points, enumeration; and boundedness.

use crate::random::support::brute::{self, Points, points};
use crate::random::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Affine, BasicSet, Engine, EngineError, IndexSet};
use polyhedra_isl::Isl;
use std::collections::BTreeMap;

fn for_sets(cases: u64, mut property: impl FnMut(&Isl, &mut Rng, &Universe, &IndexSet)) {
    let isl = Isl::new();
    for seed in generator::seeds(cases) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::random(&mut rng);
        let set = generator::set(&mut rng, &universe);
        property(&isl, &mut rng, &universe, &set);
    }
}

#[test]
fn a_sample_is_a_point_and_there_is_one_unless_the_set_is_empty() {
    for_sets(1000, |isl, _, universe, set| {
        let points = points(set, universe, 0);
        match isl.sample(set).unwrap() {
            Some(sample) => {
                let columns = [&sample.parameters[..], &sample.point[..]].concat();
                assert!(points.contains(&columns), "{columns:?} of {set}");
            }
            None => assert!(points.is_empty(), "{set}"),
        }
    });
}

#[test]
fn the_lexicographic_minimum_is_the_least_point_for_each_choice_of_parameters() {
    for_sets(700, |isl, _, universe, set| {
        let parameters = universe.space.parameters.len();
        let mut least: BTreeMap<Vec<i64>, Vec<i64>> = BTreeMap::new();
        for columns in points(set, universe, 0).into_iter().rev() {
            least.insert(columns[..parameters].to_vec(), columns);
        }
        let minimum = isl.lexicographic_minimum(set).unwrap();
        assert!(brute::is_explicit(&minimum), "{minimum}");
        let expected: Points = least.into_values().collect();
        assert_eq!(points(&minimum, universe, 1), expected, "{minimum} of {set}");
    });
}

#[test]
fn points_are_listed_in_order_up_to_the_limit() {
    for_sets(1000, |isl, rng, universe, set| {
        let parameters: Vec<i64> =
            universe.space.parameters.iter().map(|_| rng.i64(universe.low..=universe.high)).collect();
        let fixed = set.at_parameters(&parameters).unwrap();
        let all = points(set, universe, 0).into_iter().filter(|columns| columns.starts_with(&parameters));
        let expected: Vec<Vec<i64>> = all.map(|columns| columns[parameters.len()..].to_vec()).collect();
        let count = expected.len();
        assert_eq!(isl.enumerate(&fixed, count), Ok(expected), "{fixed}");
        if let Some(limit) = count.checked_sub(1) {
            let beyond = isl.enumerate(&fixed, rng.usize(..=limit));
            assert!(
                matches!(beyond, Err(EngineError::OutOfBudget { operation: "enumeration", .. })),
                "{beyond:?}"
            );
        }
    });
}

/// `x ≥ distance` or `x ≤ −distance`, as two pieces.
fn far_away(universe: &Universe, dimension: usize, distance: i64) -> IndexSet {
    let column = Affine::column(universe.space.column(dimension));
    let away = |sign: i64| {
        let beyond = Affine::constant(-distance).plus(sign, &column).unwrap();
        BasicSet { inequalities: vec![beyond], ..BasicSet::default() }
    };
    IndexSet { space: universe.space.clone(), pieces: vec![away(1), away(-1)] }
}

#[test]
fn a_set_is_unbounded_if_and_only_if_it_has_points_far_away() {
    let mut counts = [0, 0];
    for_sets(1000, |isl, rng, universe, set| {
        let mut set = set.clone();
        for dimension in 0..universe.space.rank() {
            if rng.bool() {
                set = generator::unbounded(&set, dimension);
            }
        }
        let far = |dimension| {
            let far = set.intersect(&far_away(universe, dimension, 1_000_000)).unwrap();
            !isl.is_empty(&far).unwrap()
        };
        let bounded = !(0..universe.space.rank()).any(far);
        assert_eq!(isl.is_bounded(&set), Ok(bounded), "{set}");
        let mut inhabited = set.clone();
        inhabited.pieces.retain(|piece| !isl.is_empty(&set.of_piece(piece)).unwrap());
        let directions = inhabited.directions().unwrap();
        let leads_away = |dimension| {
            let away = directions.intersect(&far_away(universe, dimension, 1)).unwrap();
            !isl.is_empty(&away).unwrap()
        };
        assert_eq!((0..universe.space.rank()).any(leads_away), !bounded, "{directions} of {set}");
        counts[usize::from(bounded)] += 1;
        let least = isl.lexicographic_minimum(&set);
        assert!(
            least.is_ok() || !bounded && matches!(least, Err(EngineError::Unbounded(_))),
            "{least:?} of {set}"
        );
        let listed = set.space.parameters.is_empty().then(|| isl.enumerate(&set, usize::MAX));
        assert!(listed.is_none_or(|listed| listed.is_ok() == bounded), "{set}");
    });
    assert!(counts.into_iter().all(|count| count > generator::scaled(100)), "{counts:?}");
}
