//! Verdicts on sets, and sets from sets.

use crate::support::brute::{self, Points, points};
use crate::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Engine, Error, IndexSet};
use polyhedra_isl::Isl;
use std::collections::BTreeMap;

/// So many random cases for each property.
const CASES: u64 = 500;

/// Runs a property on pairs of random sets of one space.
fn for_pairs(property: impl Fn(&Isl, &Universe, &IndexSet, &IndexSet)) {
    let isl = Isl::new();
    for seed in 0..CASES {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::random(&mut rng);
        let (a, mut b) = (generator::set(&mut rng, &universe), generator::set(&mut rng, &universe));
        if rng.u8(..3) == 0 {
            b.pieces.extend(a.pieces.iter().cloned());
        }
        property(&isl, &universe, &a, &b);
    }
}

/// The result has floor terms only, and these points.
#[track_caller]
fn check(result: Result<IndexSet, Error>, universe: &Universe, expected: &Points) {
    let result = result.unwrap();
    assert!(brute::is_explicit(&result), "{result}");
    assert_eq!(points(&result, universe, 1), *expected, "{result}");
}

#[test]
fn verdicts_are_those_of_the_points() {
    let mut seen = BTreeMap::new();
    let seen = std::cell::RefCell::new(&mut seen);
    for_pairs(|isl, universe, a, b| {
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
    println!("{:?}", seen.borrow());
}

#[test]
fn combinations_have_the_points_they_should() {
    for_pairs(|isl, universe, a, b| {
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
