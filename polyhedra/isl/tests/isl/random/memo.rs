//! An engine with a memory, and an interner, which asks as little as it can.

use crate::random::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Engine, EngineError, IndexRelation, IndexSet, Interner, Memo};
use polyhedra_isl::Isl;
use std::collections::BTreeSet;

type EngineCall = fn(&dyn Engine, &IndexSet, &IndexSet) -> Result<String, EngineError>;

/// Each question whose answer is remembered, and one whose answer is not.
const QUESTIONS: [EngineCall; 15] = [
    |engine, a, _| Ok(engine.is_empty(a)?.to_string()),
    |engine, a, b| Ok(engine.is_subset(a, b)?.to_string()),
    |engine, a, b| Ok(engine.is_equal(a, b)?.to_string()),
    |engine, a, b| Ok(engine.is_disjoint(a, b)?.to_string()),
    |engine, a, _| Ok(engine.is_bounded(a)?.to_string()),
    |engine, a, _| Ok(format!("{:?}", engine.sample(a)?)),
    |engine, a, b| Ok(engine.intersection(a, b)?.to_string()),
    |engine, a, b| Ok(engine.union(a, b)?.to_string()),
    |engine, a, b| Ok(engine.difference(a, b)?.to_string()),
    |engine, a, _| Ok(engine.complement(a)?.to_string()),
    |engine, a, _| Ok(engine.eliminate_existentials(a)?.to_string()),
    |engine, a, _| Ok(engine.coalesce(a)?.to_string()),
    |engine, a, b| Ok(engine.gist(a, b)?.to_string()),
    |engine, a, _| {
        let relation = |inputs| IndexRelation { graph: a.clone(), inputs };
        Ok([0, a.space.rank()]
            .map(|inputs| engine.simplify(&relation(inputs)))
            .map(|r| format!("{r:?}"))
            .concat())
    },
    |engine, a, _| Ok(engine.affine_hull(a)?.to_string()),
];

/// Of 4,000 questions about 12 sets some are repeated at once, some after they were forgotten, and some never.
#[test]
fn an_engine_with_a_memory_answers_as_without() {
    let mut rng = Rng::with_seed(0);
    let universe = Universe::new(1, 2);
    let sets: Vec<IndexSet> = (0..12).map(|_| generator::set(&mut rng, &universe)).collect();
    let (isl, memo) = (Isl::new(), Isl::with_memory());
    let mut asked = BTreeSet::new();
    for _ in 0..4_000 {
        let [q, a, b] = [QUESTIONS.len(), sets.len(), sets.len()].map(|below| rng.usize(..below));
        asked.insert([q, a, b]);
        let answers = [&isl as &dyn Engine, &memo].map(|engine| QUESTIONS[q](engine, &sets[a], &sets[b]));
        assert_eq!(answers[0], answers[1], "{q}: {} and {}", sets[a], sets[b]);
    }
    assert!((1_000..3_000).contains(&asked.len()), "{}", asked.len());
}

/// Without a memory, the same questions exceed the budget. Errors are not remembered.
#[test]
fn what_is_remembered_costs_nothing() -> Result<(), EngineError> {
    let [a, b]: [IndexSet; 2] = ["{ [i] : 0 <= i and i < 9 }".parse()?, "{ [i] : 3 <= i }".parse()?];
    let asked = |engine: &dyn Engine| (0..1000).try_for_each(|_| engine.intersection(&a, &b).map(drop));
    asked(&Memo::new(Isl::with_total_budget(2_000)))?;
    assert!(asked(&Isl::with_total_budget(2_000)).is_err_and(|error| error.is_out_of_budget()));
    let poor = Memo::new(Isl::with_total_budget(1));
    assert!((0..2).all(|_| poor.intersection(&a, &b).is_err()));
    Ok(())
}

/// Boxes whose extents are any of six parameters, or none, are told apart by their points: to compare each with
/// the others takes more than the budget.
#[test]
fn boxes_are_interned_without_comparisons() -> Result<(), EngineError> {
    let names = ["", "A", "B", "C", "D", "E", "F"];
    let isl = Isl::with_total_budget(1_000_000);
    let (mut interner, mut known) = (Interner::default(), BTreeSet::new());
    for code in 0..7_usize.pow(4) {
        let bound = |k: u32| match code / 7_usize.pow(k) % 7 {
            0 => format!("i{k} = i{k}"),
            extent => format!("0 <= i{k} and i{k} < {}", names[extent]),
        };
        let bounds: Vec<String> = (0..4).map(bound).collect();
        let text = format!("[A, B, C, D, E, F] -> {{ [i0, i1, i2, i3] : {} }}", bounds.join(" and "));
        assert!(known.insert(interner.intern(&isl, &text.parse()?)?), "{text}");
    }
    Ok(())
}
