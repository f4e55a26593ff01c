//! The operations of `polyhedra` without an engine, and its interner.

use crate::random::support::brute::{self, Points, points};
use crate::random::support::generator::{self, Universe, all_vectors};
use fastrand::Rng;
use polyhedra::{AffineMap, Engine, EngineError, IndexRelation, IndexSet, Interner, SetId};
use polyhedra_isl::Isl;
use std::collections::{BTreeMap, BTreeSet};

fn for_sets(cases: u64, mut property: impl FnMut(&mut Rng, &Universe, &IndexSet)) {
    for seed in generator::seeds(cases) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::random(&mut rng);
        let set = generator::set(&mut rng, &universe);
        property(&mut rng, &universe, &set);
    }
}

/// The points that `contains` accepts, up to `margin` outside the box.
fn contained(set: &IndexSet, universe: &Universe, margin: i64) -> Points {
    let parameters = set.space.parameters.len();
    let inside = |columns: &Vec<i64>| set.contains(&columns[..parameters], &columns[parameters..]).unwrap();
    let narrow = Universe { space: set.space.clone(), ..universe.clone() };
    narrow.columns(margin).into_iter().filter(inside).collect()
}

#[test]
fn contains_agrees_with_the_definition() {
    for_sets(500, |_, universe, set| {
        assert_eq!(contained(set, universe, 1), points(set, universe, 1), "{set}");
    });
}

#[test]
fn a_projection_contains_the_beginnings_of_points() {
    for_sets(300, |rng, universe, set| {
        let kept: Vec<bool> = (0..universe.space.rank()).map(|_| rng.bool()).collect();
        let parameters = universe.space.parameters.len();
        let stays = |at: usize| at < parameters || kept[at - parameters];
        let projected = |columns: Vec<i64>| -> Vec<i64> {
            columns.iter().enumerate().filter(|&(at, _)| stays(at)).map(|(_, &x)| x).collect()
        };
        let expected: Points = points(set, universe, 0).into_iter().map(projected).collect();
        let projection = set.project(|d| kept[d]);
        assert_eq!(contained(&projection, universe, 1), expected, "{projection}");
        let narrow = Universe { space: projection.space.clone(), ..universe.clone() };
        let explicit = Isl::new().eliminate_existentials(&projection).unwrap();
        assert_eq!(points(&explicit, &narrow, 1), expected, "{explicit}");
    });
}

#[test]
fn a_scan_lists_the_points_with_a_beginning() {
    for_sets(500, |rng, universe, set| {
        let columns: Vec<i64> =
            (0..universe.space.columns()).map(|_| rng.i64(universe.low..=universe.high)).collect();
        let (parameters, point) = columns.split_at(universe.space.parameters.len());
        let prefix = &point[..rng.usize(..=point.len())];
        let start = [parameters, prefix].concat();
        let all = points(set, universe, 0).into_iter().filter(|columns| columns.starts_with(&start));
        let expected: Vec<Vec<i64>> = all.map(|columns| columns[start.len()..].to_vec()).collect();
        let scan = set.scan(parameters).unwrap();
        assert_eq!(scan.points(prefix, expected.len()), Ok(expected.clone()), "{set} from {start:?}");
        let first = scan.first(prefix).unwrap();
        assert_eq!(first.is_some(), !expected.is_empty(), "{set} from {start:?}");
        if let Some(limit) = expected.len().checked_sub(1) {
            assert!(scan.points(prefix, limit).unwrap_err().is_out_of_budget());
            let first = first.unwrap();
            assert!(
                first.starts_with(prefix) && expected.contains(&first[prefix.len()..].to_vec()),
                "{first:?}"
            );
        }
    });
}

#[test]
fn parameters_can_be_fixed_or_become_dimensions() {
    for_sets(500, |rng, universe, set| {
        let all = points(set, universe, 0);
        let flat = set.parameters_as_dimensions();
        assert_eq!(
            points(&flat, &Universe { space: flat.space.clone(), ..universe.clone() }, 0),
            all,
            "{flat}"
        );
        let parameters: Vec<i64> =
            universe.space.parameters.iter().map(|_| rng.i64(universe.low..=universe.high)).collect();
        let fixed = set.at_parameters(&parameters).unwrap();
        let rest = |columns: Vec<i64>| columns[parameters.len()..].to_vec();
        let expected: Points =
            all.into_iter().filter(|columns| columns.starts_with(&parameters)).map(rest).collect();
        let narrow = Universe { space: fixed.space.clone(), ..universe.clone() };
        assert_eq!(points(&fixed, &narrow, 1), expected, "{fixed}");
    });
}

#[test]
fn syntactic_unions_and_intersections_have_the_points_they_should() {
    for_sets(500, |rng, universe, a| {
        let b = generator::set(rng, universe);
        let (in_a, in_b) = (points(a, universe, 0), points(&b, universe, 0));
        assert_eq!(points(&a.intersect(&b).unwrap(), universe, 0), &in_a & &in_b, "{a} and {b}");
        assert_eq!(points(&a.union(&b).unwrap(), universe, 0), &in_a | &in_b, "{a} and {b}");
    });
}

/// A map to a space with `outputs` dimensions and the same parameters.
fn random_map(rng: &mut Rng, from: &Universe, outputs: usize) -> AffineMap {
    generator::map(rng, &from.space, outputs)
}

fn value(map: &AffineMap, columns: &[i64]) -> Vec<i64> {
    let (parameters, point) = columns.split_at(map.space.parameters.len());
    [parameters, &map.value(parameters, point).unwrap()].concat()
}

#[test]
fn a_preimage_has_the_points_with_values_in_the_set() {
    for_sets(500, |rng, universe, set| {
        let from = Universe::new(universe.space.parameters.len(), rng.usize(1..=2));
        let map = random_map(rng, &from, universe.space.rank());
        let preimage = set.preimage(&map).unwrap();
        let inside = |columns: &Vec<i64>| brute::contains(set, &value(&map, columns));
        let expected: Points = from.columns(1).into_iter().filter(inside).collect();
        assert_eq!(points(&preimage, &from, 1), expected, "{preimage} of {set} by {map}");
    });
}

#[test]
fn a_syntactic_image_has_the_values_of_points() {
    for_sets(200, |rng, universe, set| {
        let outputs = rng.usize(1..=2);
        let map = random_map(rng, universe, outputs);
        let image = set.image(&map).unwrap();
        let expected: Points = points(set, universe, 0).iter().map(|columns| value(&map, columns)).collect();
        let narrow = Universe { space: map.target(), ..universe.clone() };
        let inside = |point: &&Vec<i64>| point.iter().all(|x| (narrow.low..=narrow.high).contains(x));
        let expected: Points = expected.iter().filter(inside).cloned().collect();
        assert_eq!(contained(&image, universe, 0), expected, "{image} of {set} by {map}");
    });
}

#[test]
fn maps_compose() {
    for seed in generator::seeds(500) {
        let mut rng = Rng::with_seed(seed);
        let from = Universe::new(rng.usize(..=1), rng.usize(1..=2));
        let middle = rng.usize(1..=2);
        let inner = random_map(&mut rng, &from, middle);
        let outer = random_map(&mut rng, &Universe::new(from.space.parameters.len(), middle), 2);
        let both = outer.after(&inner).unwrap();
        let graph = both.graph().unwrap();
        for columns in from.columns(0) {
            let expected = value(&outer, &value(&inner, &columns));
            assert_eq!(value(&both, &columns), expected, "{outer} after {inner}");
            let pair = [&columns[..], &expected[from.space.parameters.len()..]].concat();
            assert!(brute::contains(&graph.graph, &pair), "{graph} lacks {pair:?}");
        }
        let identity = AffineMap::identity(from.space.clone());
        assert!(from.columns(0).iter().all(|columns| value(&identity, columns) == *columns));
    }
}

/// The pairs in the box.
fn pairs(relation: &IndexRelation, universe: &Universe) -> BTreeSet<(Vec<i64>, Vec<i64>)> {
    let narrow = Universe { space: relation.graph.space.clone(), ..universe.clone() };
    let split = relation.graph.space.parameters.len() + relation.inputs;
    contained(&relation.graph, &narrow, 0)
        .into_iter()
        .map(|mut pair| {
            let second = pair.split_off(split);
            (pair, second)
        })
        .collect()
}

#[test]
fn relations_compose_restrict_and_invert() {
    for seed in generator::seeds(300) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::new(0, rng.usize(2..=3));
        let (a, b) = (rng.usize(0..=universe.space.rank()), 0);
        let inner = generator::relation(&mut rng, &universe, a);
        let middle = universe.space.rank() - inner.inputs;
        let to = Universe { space: Universe::new(0, middle + rng.usize(..=1)).space, ..universe.clone() };
        let outer = generator::relation(&mut rng, &to, middle + b);
        let (first, second) = (pairs(&inner, &universe), pairs(&outer, &universe));
        let through = |(x, y): &(Vec<i64>, Vec<i64>)| {
            second
                .iter()
                .filter(|(start, _)| start == y)
                .map(|(_, z)| (x.clone(), z.clone()))
                .collect::<Vec<_>>()
        };
        let expected: BTreeSet<_> = first.iter().flat_map(through).collect();
        assert_eq!(pairs(&outer.after(&inner).unwrap(), &universe), expected, "{outer} after {inner}");
        let exchanged: BTreeSet<_> = first.iter().map(|(x, y)| (y.clone(), x.clone())).collect();
        assert_eq!(pairs(&inner.inverse(), &universe), exchanged, "{inner}");
        let (domain, range) =
            (contained(&inner.domain(), &universe, 0), contained(&inner.range(), &universe, 0));
        assert_eq!(domain, first.iter().map(|(x, _)| x.clone()).collect(), "{inner}");
        assert_eq!(range, first.iter().map(|(_, y)| y.clone()).collect(), "{inner}");
        let source = Universe { space: inner.domain_space(), ..universe.clone() };
        let set = generator::set(&mut rng, &source);
        let within = points(&set, &source, 0);
        let restricted: BTreeSet<_> = first.iter().filter(|(x, _)| within.contains(x)).cloned().collect();
        assert_eq!(pairs(&inner.restrict_domain(&set).unwrap(), &universe), restricted, "{inner} on {set}");
        let target = inner.inverse().restrict_range(&set).unwrap();
        assert_eq!(pairs(&target.inverse(), &universe), restricted, "{inner} on {set}");
        let other = generator::relation(&mut rng, &universe, inner.inputs);
        let both = pairs(&other, &universe);
        assert_eq!(pairs(&inner.union(&other).unwrap(), &universe), &first | &both);
        assert_eq!(pairs(&inner.intersect(&other).unwrap(), &universe), &first & &both);
    }
}

#[test]
fn what_is_printed_reads_back() {
    for_sets(1000, |rng, universe, set| {
        assert_eq!(set.to_string().parse(), Ok(set.clone()), "{set}");
        let relation = IndexRelation { graph: set.clone(), inputs: rng.usize(..=universe.space.rank()) };
        assert_eq!(relation.to_string().parse(), Ok(relation.clone()), "{relation}");
        let outputs = rng.usize(..=2);
        let map = random_map(rng, universe, outputs);
        assert_eq!(map.to_string().parse(), Ok(map.clone()), "{map}");
    });
}

#[test]
fn sets_are_interned_by_what_they_contain() {
    let isl = Isl::new();
    for seed in generator::seeds(40) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::new(rng.usize(..=1), 1);
        let mut interner = Interner::default();
        let mut known: BTreeMap<Points, SetId> = BTreeMap::new();
        for _ in 0..40 {
            let mut set = generator::set(&mut rng, &universe);
            if rng.bool() {
                set = isl.complement(&isl.complement(&set).unwrap()).unwrap();
            }
            let id = interner.intern(&isl, &set).unwrap();
            let points = points(&set, &universe, 0);
            assert_eq!(*known.entry(points.clone()).or_insert(id), id, "{set}");
            assert!(known.iter().all(|(other, &known)| (known == id) == (*other == points)), "{set}");
            assert!(isl.is_equal(interner.set(id), &set).unwrap());
        }
        assert!(known.len() > 1);
    }
}

#[test]
fn operands_of_different_spaces_are_an_error() {
    let (one, two) = (Universe::new(0, 1), Universe::new(0, 2));
    let mut rng = Rng::with_seed(0);
    let (a, b) = (generator::set(&mut rng, &one), generator::set(&mut rng, &two));
    let spaces = |result: Result<IndexSet, EngineError>| {
        assert!(matches!(result, Err(EngineError::Spaces(..))), "{result:?}")
    };
    spaces(a.intersect(&b));
    spaces(a.union(&b));
    spaces(a.preimage(&AffineMap::identity(two.space.clone())));
    spaces(a.image(&AffineMap::identity(two.space)));
    spaces(a.renamed(&[]));
    assert_eq!(all_vectors(2, 0..=1).len(), 4);
}
#[test]
fn names_that_are_taken_get_primes_and_are_not_read() {
    let identity = IndexRelation::identity(&Universe::new(0, 1).space);
    assert_eq!(identity.to_string(), "{ [i] -> [i'] : i = i' }");
    assert_eq!(identity.graph.to_string(), "{ [i, i'] : i = i' }");
    let read: Result<IndexSet, EngineError> = "[i] -> { [i] : i = 0 }".parse();
    assert_eq!(read, Err(EngineError::Syntax { at: 12, expected: "names that differ" }));
    assert!("{ [i] -> [i] : i = 0 }".parse::<IndexRelation>().is_err());
    assert!("{ [i] : exists i : i = 0 }".parse::<IndexSet>().is_err());
    assert!("{ [i, i] -> [i] }".parse::<AffineMap>().is_err());
}
