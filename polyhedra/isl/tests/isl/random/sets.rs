//! Verdicts on sets, and operations from sets to sets.

use crate::random::support::brute::{self, Points, points};
use crate::random::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Affine, Engine, EngineError, IndexSet};
use polyhedra_isl::Isl;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The number of random cases for each property, before it is scaled.
const CASES: u64 = 500;

/// The number of random cases for verdicts, before it is scaled: some verdicts are rare.
const CASES_OF_VERDICTS: u64 = 1_000;

/// Runs a property on pairs of random sets of one space; the second is often derived from the first.
fn for_pairs(cases: u64, property: impl Fn(&Isl, &Universe, &IndexSet, &IndexSet)) {
    let isl = Isl::with_budget(100_000_000);
    for seed in generator::seeds(cases) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::random(&mut rng);
        let a = generator::set(&mut rng, &universe);
        let mut b = generator::set(&mut rng, &universe);
        match rng.u8(..4) {
            0 => b.pieces.extend(a.pieces.iter().cloned()),
            1 => b = isl.complement(&isl.complement(&a).unwrap()).unwrap(),
            2 => b = without_a_point(&mut rng, &universe, &a),
            _ => {}
        }
        property(&isl, &universe, &a, &b);
    }
}

/// The set minus one of its points.
fn without_a_point(rng: &mut Rng, universe: &Universe, set: &IndexSet) -> IndexSet {
    let points: Vec<Vec<i64>> = points(set, universe, 0).into_iter().collect();
    let Some(point) = rng.choice(&points) else { return set.clone() };
    let equation = |(at, &x): (usize, &i64)| Affine::column(at).plus(-x, &Affine::constant(1)).unwrap();
    let equations = point.iter().enumerate().map(equation).collect();
    let single = IndexSet::constrained(universe.space.clone(), equations, Vec::new());
    set.intersect(&Isl::new().complement(&single).unwrap()).unwrap()
}

/// Asserts that the result has floor terms only, and exactly these points.
#[track_caller]
fn check(result: Result<IndexSet, EngineError>, universe: &Universe, expected: &Points) {
    let result = result.unwrap();
    assert!(brute::is_explicit(&result), "{result}");
    assert_eq!(points(&result, universe, 1), *expected, "{result}");
}

#[test]
fn verdicts_are_those_of_the_points() {
    let seen = RefCell::new(BTreeMap::new());
    for_pairs(CASES_OF_VERDICTS, |isl, universe, a, b| {
        let (in_a, in_b) = (points(a, universe, 0), points(b, universe, 0));
        let verdicts = [
            ("empty", isl.is_empty(a), in_a.is_empty()),
            ("subset", isl.is_subset(a, b), in_a.is_subset(&in_b)),
            ("equal", isl.is_equal(a, b), in_a == in_b),
            ("disjoint", isl.is_disjoint(a, b), in_a.is_disjoint(&in_b)),
            ("bounded", isl.is_bounded(a), true),
        ];
        for (name, verdict, expected) in verdicts {
            assert_eq!(verdict, Ok(expected), "{name} of {a} and {b}");
            *seen.borrow_mut().entry((name, expected)).or_insert(0) += 1;
        }
    });
    assert!(
        seen.borrow().len() == 9 && seen.borrow().values().all(|&count| count > generator::scaled(100)),
        "{seen:?}"
    );
}

#[test]
fn combinations_have_the_points_they_should() {
    for_pairs(CASES, |isl, universe, a, b| {
        let (in_a, in_b) = (points(a, universe, 1), points(b, universe, 1));
        let all: Points = universe.columns(1).into_iter().collect();
        check(isl.eliminate_existentials(a), universe, &in_a);
        check(isl.coalesce(a), universe, &in_a);
        check(isl.intersection(a, b), universe, &(&in_a & &in_b));
        check(isl.union(a, b), universe, &(&in_a | &in_b));
        check(isl.difference(a, b), universe, &(&in_a - &in_b));
        check(isl.complement(a), universe, &(&all - &in_a));
        let gist = isl.gist(a, b).unwrap();
        assert_eq!(&points(&gist, universe, 1) & &in_b, &in_a & &in_b, "{gist}");
    });
}
