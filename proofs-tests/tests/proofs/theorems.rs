//! The repairs are the weakest known: none of their conditions can be dropped.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use alpha::theorems::{Repair, SideCondition, THEOREMS, Theorem, TheoremForm};
use polyhedra_isl::Isl;
use proofs_tests::alpha::comparison::{ComparedSides, ComparisonOutcome, Kinds};
use proofs_tests::alpha::conditions::holds;
use proofs_tests::alpha::instances::Maker;
use proofs_tests::alpha::theorems::{SurveyTally, TheoremStatement};
use proofs_tests::ledger::{ClaimVerdict, Entry};
use selfsame_core::operators::Binary;

fn theorem(id: &str) -> &'static Theorem {
    THEOREMS.iter().find(|theorem| theorem.claim.id == id).unwrap()
}

/// The maximum number of instances generated to find a violation.
const INSTANCES: u64 = 6_000;

/// The seed of the first instance that violates a repair without one of its conditions.
fn violation(theorem: &'static Theorem, repair: &'static Repair, dropped: SideCondition) -> Option<u64> {
    let engine = Isl::with_memory();
    let mut statement = TheoremStatement::repaired(theorem, repair);
    statement.conditions.retain(|condition| *condition != dropped);
    let violates = |seed: &u64| {
        let outcomes = statement.outcomes(*seed, &engine).ok().flatten().unwrap_or_default();
        outcomes.iter().any(|outcome| matches!(outcome, Ok(ComparisonOutcome::Differ(_))))
    };
    (0..INSTANCES).find(violates)
}

#[test]
fn every_condition_of_a_repair_is_needed() {
    let mut not_needed = Vec::new();
    for theorem in THEOREMS {
        for repair in theorem.repairs {
            for &condition in repair.conditions {
                match violation(theorem, repair, condition) {
                    Some(seed) => println!("{} without {condition:?}: seed {seed}", theorem.claim.id),
                    None => not_needed.push((theorem.claim.id, condition)),
                }
            }
        }
    }
    assert!(not_needed.is_empty(), "{not_needed:#?}");
}

/// For an idempotent operator it might seem that `g` need only be onto. But an affine function that is not one to
/// one on the preimage of a domain maps infinitely many points to one, and a reduction of infinitely many terms
/// has no value.
#[test]
fn idempotence_does_not_replace_one_to_one() {
    const IDEMPOTENT: [Binary; 4] = [Binary::Min, Binary::Max, Binary::And, Binary::Or];
    let engine = Isl::with_memory();
    for (id, needed) in [
        ("alpha/reduce-1", SideCondition::OneToOne("g", "dom(E)")),
        ("alpha/reduce-5", SideCondition::OneToOneOnFibres(["f'", "g'"], "dom(E)")),
    ] {
        let theorem = theorem(id);
        let others = theorem.repairs[0].conditions.iter().filter(|condition| **condition != needed);
        let mut infinite = 0;
        for mut maker in (0..INSTANCES).filter_map(|seed| Maker::make(theorem, seed, &engine).ok()) {
            let idempotent = maker.given.operator.is_some_and(|operator| IDEMPOTENT.contains(&operator));
            let mut holds = |condition: &SideCondition| holds(&mut maker, *condition, &engine) == Ok(true);
            if !idempotent || !others.clone().all(&mut holds) || holds(&needed) {
                continue;
            }
            let sides = ComparedSides::new(&maker, theorem.form, &engine).unwrap();
            if sides.have_valid_reductions() {
                let outcome = sides.outcomes(&theorem.repairs[0].readings[..1], &engine).remove(0);
                let infinitely = |outcome: &ComparisonOutcome| match outcome {
                    ComparisonOutcome::Differ(difference) => difference.kind == Kinds::Infinite,
                    other => matches!(other, ComparisonOutcome::Vacuous | ComparisonOutcome::Neither),
                };
                assert!(outcome.as_ref().is_ok_and(infinitely), "{id}");
                infinite += u64::from(matches!(outcome, Ok(ComparisonOutcome::Differ(_))));
            }
        }
        assert!(infinite > 5, "{id}: {infinite}");
    }
}

/// If both sides are the same reduction, they do not differ; if it is infinite, they are vacuous.
#[test]
fn infinite_reductions_on_both_sides_are_no_difference() {
    let (engine, reduction) = (Isl::with_memory(), "reduce(op, f, E)");
    let form = TheoremForm::Expressions(reduction, reduction);
    let statement = TheoremStatement { form, ..TheoremStatement::printed(theorem("alpha/reduce-1")) };
    let mut infinite = 0;
    for seed in 0..300 {
        let mut maker = Maker::make(statement.theorem, seed, &engine).unwrap();
        let finite = holds(&mut maker, SideCondition::FiniteFibres("dom(E)", "f"), &engine).unwrap();
        let outcome = statement.outcomes(seed, &engine).unwrap().unwrap().remove(0).unwrap();
        assert!(!matches!(outcome, ComparisonOutcome::Differ(_)), "{seed}");
        infinite += u64::from(!finite && matches!(outcome, ComparisonOutcome::Vacuous));
    }
    assert!(infinite > 5, "{infinite}");
}

#[test]
fn too_few_instances_decide_nothing() {
    let engine = Isl::with_memory();
    let theorem = theorem("alpha/case-1");
    let verdict = |conditions: &[SideCondition]| {
        let statement =
            TheoremStatement { conditions: conditions.to_vec(), ..TheoremStatement::printed(theorem) };
        let evidence = statement.survey(20, &engine);
        Entry { claim: &theorem.claim, evidence, repairs: Vec::new() }.verdict()
    };
    let few = |cases| {
        let mut tally = SurveyTally::default();
        tally.cases = cases;
        tally.evidence("", 20).sufficient
    };
    assert!(few(10) && !few(9));
    assert_eq!(verdict(&[]), ClaimVerdict::Tested);
    assert_eq!(verdict(&[SideCondition::Disjoint("dom(E)", "dom(E)")]), ClaimVerdict::Unknown);
    assert_eq!(verdict(&[SideCondition::Subset("dom(E) |", "dom(E)")]), ClaimVerdict::Unknown, "no pattern");
}
