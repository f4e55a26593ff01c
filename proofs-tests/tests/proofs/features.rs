//! The generator reaches every feature: each one occurs among the instances of every theorem that can have it.

use alpha::syntax::{Expression, VariableId, VariableRole};
use alpha::theorems::THEOREMS;
use polyhedra::Engine;
use polyhedra_isl::Isl;
use proofs_tests::alpha::instances::Maker;
use proofs_tests::alpha::values::numbered;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;

type Feature = (&'static str, fn(&Maker<'_>) -> bool);

const FEATURES: &[Feature] = &[
    ("a parameter", |maker| !maker.instances.system.parameters.is_empty()),
    ("a parameter in a domain", |maker| {
        has_parameter(maker)
            && maker.given.expressions.values().any(|&e| {
                let pieces = &maker.instances.domains.domain(e).pieces;
                pieces.iter().flat_map(|piece| piece.inequalities.iter()).any(|e| e.coefficient(0) < 0)
            })
    }),
    ("a parameter in a function", |maker| {
        has_parameter(maker)
            && maker.given.functions.values().any(|f| f.outputs.iter().any(|e| e.coefficient(0) != 0))
    }),
    ("reals", |maker| maker.data_type == ElementType::Real),
    ("booleans", |maker| maker.data_type == ElementType::Boolean),
    ("an expression without dimensions", |maker| rank_of(maker, 0)),
    ("an expression over three dimensions", |maker| rank_of(maker, 3)),
    ("a reduction to no dimensions", |maker| {
        maker.given.functions.get("f").is_some_and(|f| f.outputs.is_empty() && f.space.rank() > 0)
    }),
    ("an unbounded domain", |maker| {
        let mut domains = maker.given.expressions.values().map(|&e| maker.instances.domains.domain(e));
        domains.any(|domain| Isl::new().is_bounded(domain) == Ok(false))
    }),
    ("a projection that is not along the last coordinates", |maker| {
        let outer = maker.instances.system.parameters.len();
        maker.given.functions.get("f").is_some_and(|f| {
            let elsewhere = |(row, e): (usize, &polyhedra::Affine)| e.coefficient(outer + row) == 0;
            f.outputs.len() < f.space.rank() && f.outputs.iter().enumerate().any(elsewhere)
        })
    }),
    ("if", |maker| contains(maker, |e| matches!(e, Expression::If(_)))),
    ("a unary operator", |maker| contains(maker, |e| matches!(e, Expression::Unary(..)))),
    ("recursion", |maker| reads_own(maker)),
    ("an output that another variable reads", |maker| {
        let kind = |x: &VariableId| maker.instances.system.variable(*x).kind;
        maker.given.variables.values().any(|x| kind(x) == VariableRole::Output)
    }),
    ("a missing equation", |maker| !maker.missing.is_empty()),
];

fn has_parameter(maker: &Maker<'_>) -> bool {
    !maker.instances.system.parameters.is_empty()
}

fn rank_of(maker: &Maker<'_>, rank: usize) -> bool {
    maker.given.expressions.values().any(|&e| maker.instances.domains.domain(e).space.rank() == rank)
}

fn contains(maker: &Maker<'_>, wanted: fn(&Expression) -> bool) -> bool {
    maker.instances.system.expressions().any(|(_, expression)| wanted(expression))
}

fn reads_own(maker: &Maker<'_>) -> bool {
    let pair = (maker.given.expressions.get("E1"), maker.given.variables.get("V1"));
    matches!(pair, (Some(&e), Some(&x)) if maker.reads(e, x))
}

#[test]
fn every_feature_appears() {
    let engine = Isl::with_memory();
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for theorem in THEOREMS {
        for maker in (0..60).filter_map(|seed| Maker::make(theorem, seed, &engine).ok()) {
            for (name, _) in FEATURES.iter().filter(|(_, has)| has(&maker)) {
                *found.entry(name).or_default() += 1;
            }
        }
    }
    println!("{found:#?}");
    for (name, _) in FEATURES {
        assert!(found.get(name).is_some_and(|&count| count >= 10), "{name}: {found:#?}");
    }
}

#[test]
fn inputs_are_sometimes_error() {
    let points: Vec<Vec<i64>> = (0..100).map(|k| vec![k / 10, k % 10]).collect();
    let errors = |seed| {
        let value = |z: &&Vec<i64>| numbered(ElementType::Integer, VariableId::at(2), z, seed);
        points.iter().filter(|z| matches!(value(z), Datum::Number(None))).count()
    };
    assert_eq!(errors(0), 0);
    assert!((3..20).contains(&errors(1)), "{}", errors(1));
}
