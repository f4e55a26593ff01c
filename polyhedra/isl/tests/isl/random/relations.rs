//! Operations on relations and functions.

use crate::random::support::brute::{self, Points, points};
use crate::random::support::generator::{self, Universe, all_vectors};
use fastrand::Rng;
use polyhedra::{AffineMap, Engine, EngineError, IndexRelation, IndexSet, PiecewiseMap, Space};
use polyhedra_isl::Isl;
use std::collections::{BTreeMap, BTreeSet};

/// Runs a property on random relations whose spaces have at most four dimensions together.
fn for_relations(cases: u64, property: impl Fn(&Isl, &mut Rng, &Universe, &IndexRelation)) {
    let isl = Isl::new();
    for seed in generator::seeds(cases) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::new([0, 0, 1, 2][rng.usize(..4)], rng.usize(2..=4));
        let inputs = rng.usize(0..=universe.space.rank());
        let relation = generator::relation(&mut rng, &universe, inputs);
        property(&isl, &mut rng, &universe, &relation);
    }
}

/// The values at each argument; arguments include the parameters.
fn values(pairs: &Points, arguments: usize) -> BTreeMap<Vec<i64>, BTreeSet<Vec<i64>>> {
    let mut values: BTreeMap<Vec<i64>, BTreeSet<Vec<i64>>> = BTreeMap::new();
    for pair in pairs {
        let (argument, value) = pair.split_at(arguments);
        values.entry(argument.to_vec()).or_default().insert(value.to_vec());
    }
    values
}

fn is_function(pairs: &Points, arguments: usize) -> bool {
    values(pairs, arguments).values().all(|values| values.len() == 1)
}

/// The pairs of the inverse relation.
fn exchanged(pairs: &Points, parameters: usize, inputs: usize) -> Points {
    let exchange = |pair: &Vec<i64>| {
        let (first, second) = pair[parameters..].split_at(inputs);
        [&pair[..parameters], second, first].concat()
    };
    pairs.iter().map(exchange).collect()
}

#[test]
fn relations_are_single_valued_and_bijective_if_their_pairs_are() {
    let seen = std::cell::RefCell::new(BTreeMap::new());
    for_relations(1000, |isl, _, universe, relation| {
        let parameters = universe.space.parameters.len();
        let (pairs, inputs) = (points(&relation.graph, universe, 0), relation.inputs);
        let outputs = universe.space.rank() - inputs;
        let single_valued = is_function(&pairs, parameters + inputs);
        let injective = is_function(&exchanged(&pairs, parameters, inputs), parameters + outputs);
        assert_eq!(isl.is_single_valued(relation), Ok(single_valued), "{relation}");
        assert_eq!(isl.is_bijective(relation), Ok(single_valued && injective), "{relation}");
        *seen.borrow_mut().entry((single_valued, injective)).or_insert(0) += 1;
        let simple = isl.simplify(relation).unwrap();
        assert!(brute::is_explicit(&simple.graph) && simple.inputs == inputs, "{simple}");
        assert_eq!(points(&simple.graph, universe, 1), pairs, "{simple}");
    });
    assert!(
        seen.borrow().values().all(|&count| count > generator::scaled(50)) && seen.borrow().len() == 4,
        "{seen:?}"
    );
}

/// The transitive closure of the pairs, by iteration to a fixed point.
fn closure(pairs: &Points, parameters: usize, inputs: usize) -> Points {
    let mut closure = pairs.clone();
    loop {
        let next = values(&closure, parameters + inputs);
        let mut more = closure.clone();
        for pair in pairs {
            let (start, middle) = pair.split_at(parameters + inputs);
            let argument = [&pair[..parameters], middle].concat();
            let ends = next.get(&argument).into_iter().flatten();
            more.extend(ends.map(|end| [start, end].concat()));
        }
        if more.len() == closure.len() {
            return closure;
        }
        closure = more;
    }
}

#[test]
fn the_transitive_closure_contains_all_paths_and_only_those_where_it_is_exact() {
    let isl = Isl::new();
    let (mut exact, mut inexact, mut wrong) = (0, 0, 0);
    for seed in generator::seeds(1000) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::new([0, 0, 1, 2][rng.usize(..4)], [2, 2, 4][rng.usize(..3)]);
        let mut relation = generator::relation(&mut rng, &universe, universe.space.rank() / 2);
        if rng.bool() {
            relation = steps(&mut rng, &universe);
        }
        let pairs = points(&relation.graph, &universe, 0);
        let expected = closure(&pairs, universe.space.parameters.len(), relation.inputs);
        let closure = match isl.transitive_closure(&relation) {
            Ok(closure) => closure,
            // isl 0.25 sometimes gives a wrong closure, which the engine detects.
            Err(EngineError::Failed { message, .. }) => {
                assert_eq!(message, "isl gave a closure without some path");
                wrong += 1;
                continue;
            }
            Err(error) => {
                assert!(error.is_out_of_budget(), "{error}");
                continue;
            }
        };
        let found = points(&closure.relation.graph, &universe, 1);
        assert!(brute::is_explicit(&closure.relation.graph), "{}", closure.relation);
        match closure.exact {
            true => assert_eq!(found, expected, "{} of {relation}", closure.relation),
            false => assert!(found.is_superset(&expected), "{} of {relation}", closure.relation),
        }
        *(if closure.exact { &mut exact } else { &mut inexact }) += 1;
    }
    println!("closures: {exact} exact, {inexact} not, {wrong} refused");
    assert!(exact > generator::scaled(500) && wrong < 10, "{exact} exact, {inexact} not, {wrong} refused");
}

/// A relation of steps by constant distances within a box.
fn steps(rng: &mut Rng, universe: &Universe) -> IndexRelation {
    let half = universe.space.rank() / 2;
    let mut pieces = Vec::new();
    for _ in 0..rng.usize(1..=2) {
        let mut piece = generator::piece(rng, universe);
        piece.locals.clear();
        piece.equalities.clear();
        piece.inequalities.truncate(2 * universe.space.columns());
        for d in 0..half {
            let step = polyhedra::Affine::constant(rng.i64(-2..=2));
            let from = polyhedra::Affine::column(universe.space.column(d));
            let to = polyhedra::Affine::column(universe.space.column(half + d));
            piece.equalities.push(step.plus(1, &from).unwrap().plus(-1, &to).unwrap());
        }
        pieces.push(piece);
    }
    IndexRelation { graph: IndexSet { space: universe.space.clone(), pieces }, inputs: half }
}

/// Asserts that the pieces give exactly these pairs, over arguments up to 1 outside the box, and agree where they
/// overlap.
#[track_caller]
fn assert_gives(pieces: &PiecewiseMap, arguments: &Space, universe: &Universe, expected: &Points) {
    let parameters = arguments.parameters.len();
    let mut found = Points::new();
    for (domain, map) in pieces {
        assert!(
            brute::is_explicit(domain) && domain.space == *arguments && map.space == *arguments,
            "{domain}"
        );
        for argument in all_vectors(arguments.columns(), universe.low - 1..=universe.high + 1) {
            if brute::contains(domain, &argument) {
                let (parameters, point) = argument.split_at(parameters);
                found.insert([&argument[..], &map.value(parameters, point).unwrap()].concat());
            }
        }
    }
    assert_eq!(found, *expected, "{pieces:?}");
}

#[test]
fn a_single_valued_relation_is_a_function_in_pieces() {
    for_relations(1000, |isl, rng, universe, relation| {
        let parameters = universe.space.parameters.len();
        let mut relation = relation.clone();
        if rng.bool() {
            let map = generator::map(rng, &relation.domain_space(), universe.space.rank() - relation.inputs);
            let graph = IndexRelation { graph: relation.graph.clone(), ..map.graph().unwrap() };
            relation = graph.intersect(&map.graph().unwrap()).unwrap();
        }
        let pairs = points(&relation.graph, universe, 0);
        match isl.piecewise(&relation) {
            Ok(pieces) => {
                let domain = relation.domain_space();
                assert_gives(&pieces, &domain, universe, &pairs);
                assert!(is_function(&pairs, parameters + relation.inputs), "{relation}");
            }
            Err(error) => {
                assert!(matches!(error, EngineError::NotSingleValued(_)), "{error}");
                assert!(!is_function(&pairs, parameters + relation.inputs), "{relation}");
            }
        }
    });
}

/// A random map and a random set in its domain, with the pairs of argument and value on the set.
fn random_map(rng: &mut Rng) -> (Universe, IndexSet, AffineMap, Points) {
    let universe = Universe::new([0, 1, 1][rng.usize(..3)], rng.usize(1..=3));
    let set = generator::set(rng, &universe);
    let outputs = [1, 1, 2, 3][rng.usize(..4)];
    let map = generator::map(rng, &universe.space, outputs);
    let parameters = universe.space.parameters.len();
    let value = |columns: Vec<i64>| {
        let value = map.value(&columns[..parameters], &columns[parameters..]).unwrap();
        [columns, value].concat()
    };
    let pairs = points(&set, &universe, 0).into_iter().map(value).collect();
    (universe, set, map, pairs)
}

#[test]
fn an_inverse_gives_back_the_argument() {
    let isl = Isl::new();
    let mut counts = [0, 0];
    for seed in generator::seeds(1000) {
        let (universe, set, map, pairs) = random_map(&mut Rng::with_seed(seed));
        let (parameters, rank) = (universe.space.parameters.len(), universe.space.rank());
        let back = exchanged(&pairs, parameters, rank);
        let injective = is_function(&back, parameters + map.outputs.len());
        counts[usize::from(injective)] += 1;
        match isl.inverse(&map, &set) {
            Err(error) => assert!(!injective && matches!(error, EngineError::NotSingleValued(_)), "{error}"),
            Ok(pieces) => {
                assert!(injective, "{map} on {set}");
                for pair in &back {
                    let (argument, expected) = pair.split_at(parameters + map.outputs.len());
                    assert_eq!(value(&pieces, argument, parameters), vec![expected.to_vec()], "{pieces:?}");
                }
            }
        }
    }
    assert!(counts.into_iter().all(|count| count > generator::scaled(100)), "{counts:?}");
}

/// The distinct values at an argument, over all pieces that contain it.
fn value(pieces: &PiecewiseMap, argument: &[i64], parameters: usize) -> Vec<Vec<i64>> {
    let defined = pieces.iter().filter(|(domain, _)| brute::contains(domain, argument));
    let (parameters, point) = argument.split_at(parameters);
    let values: BTreeSet<Vec<i64>> = defined.map(|(_, map)| map.value(parameters, point).unwrap()).collect();
    values.into_iter().collect()
}

#[test]
fn an_image_has_the_values_of_the_points() {
    let isl = Isl::new();
    for seed in generator::seeds(1000) {
        let (universe, set, map, pairs) = random_map(&mut Rng::with_seed(seed));
        let (parameters, columns) = (universe.space.parameters.len(), universe.space.columns());
        let value = |pair: &Vec<i64>| [&pair[..parameters], &pair[columns..]].concat();
        let expected: Points = pairs.iter().map(value).collect();
        let image = isl.image(&set, &map).unwrap();
        assert!(brute::is_explicit(&image), "{image}");
        assert!(expected.iter().all(|point| brute::contains(&image, point)), "{image} of {set} by {map}");
        let narrow = Universe { space: map.target(), ..universe };
        let inside = |point: &&Vec<i64>| point.iter().all(|x| (narrow.low..=narrow.high).contains(x));
        let expected: Points = expected.iter().filter(inside).cloned().collect();
        assert_eq!(points(&image, &narrow, 0), expected, "{image} of {set} by {map}");
    }
}
