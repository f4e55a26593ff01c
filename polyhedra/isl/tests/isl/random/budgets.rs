//! Whatever the budget, an answer is either right or missing.

use crate::random::support::generator::{self, Universe};
use fastrand::Rng;
use polyhedra::{Engine, EngineError, IndexRelation, IndexSet};
use polyhedra_isl::Isl;

/// Every operation, with its answer as text.
const OPERATIONS: [(&str, BudgetedOperation); 22] = [
    ("is_empty", |isl, a, _, _| text(isl.is_empty(a))),
    ("is_subset", |isl, a, b, _| text(isl.is_subset(a, b))),
    ("is_equal", |isl, a, b, _| text(isl.is_equal(a, b))),
    ("is_disjoint", |isl, a, b, _| text(isl.is_disjoint(a, b))),
    ("is_bounded", |isl, a, _, _| text(isl.is_bounded(a))),
    ("sample", |isl, a, _, _| text(isl.sample(a))),
    ("intersection", |isl, a, b, _| text(isl.intersection(a, b))),
    ("union", |isl, a, b, _| text(isl.union(a, b))),
    ("difference", |isl, a, b, _| text(isl.difference(a, b))),
    ("complement", |isl, a, _, _| text(isl.complement(a))),
    ("convex_cover", |isl, a, _, _| text(isl.convex_cover(a))),
    ("affine_hull", |isl, a, _, _| text(isl.affine_hull(a))),
    ("shadow", |isl, a, _, _| text(isl.shadow(a, &|d| d == 0))),
    ("eliminate_existentials", |isl, a, _, _| text(isl.eliminate_existentials(a))),
    ("coalesce", |isl, a, _, _| text(isl.coalesce(a))),
    ("gist", |isl, a, b, _| text(isl.gist(a, b))),
    ("lexicographic_minimum", |isl, a, _, _| text(isl.lexicographic_minimum(a))),
    ("enumerate", |isl, a, _, _| text(isl.enumerate(&a.parameters_as_dimensions(), 1000))),
    ("simplify", |isl, _, _, r| text(isl.simplify(r))),
    ("is_bijective", |isl, _, _, r| text(isl.is_bijective(r))),
    ("transitive_closure", |isl, _, _, r| text(isl.transitive_closure(r))),
    ("piecewise", |isl, _, _, r| text(isl.piecewise(r))),
];

type BudgetedOperation = fn(&Isl, &IndexSet, &IndexSet, &IndexRelation) -> Result<String, EngineError>;

fn text<T: std::fmt::Debug>(answer: Result<T, EngineError>) -> Result<String, EngineError> {
    answer.map(|answer| format!("{answer:?}"))
}

#[test]
fn an_answer_within_a_budget_is_the_answer_without() {
    let unlimited = Isl::with_budget(100_000_000);
    let (mut answers, mut failures) = (0, 0);
    for seed in generator::seeds(25) {
        let mut rng = Rng::with_seed(seed);
        let universe = Universe::new(rng.usize(..=2), 2);
        let (a, b) = (generator::set(&mut rng, &universe), generator::set(&mut rng, &universe));
        let relation = IndexRelation { graph: b.clone(), inputs: 1 };
        for (name, operation) in OPERATIONS {
            let expected = operation(&unlimited, &a, &b, &relation);
            let mut budget = rng.u64(1..4);
            while budget < 20_000 {
                match operation(&Isl::with_budget(budget), &a, &b, &relation) {
                    Err(error) if error.is_out_of_budget() => failures += 1,
                    answer => {
                        assert_eq!(answer, expected, "{name} of {a}, {b} within {budget}");
                        answers += 1;
                        break;
                    }
                }
                budget += 1 + budget * rng.u64(1..20) / 20;
            }
        }
    }
    println!("{answers} answers, {failures} times out of budget");
    assert!(
        answers > generator::scaled(500) && failures > generator::scaled(5_000),
        "{answers} answers, {failures} times out of budget"
    );
}
