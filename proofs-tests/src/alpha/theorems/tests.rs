//! The repairs are the weakest known: none of their conditions can be dropped.

use super::{Outcome, Statement, judged};
use polyhedra_isl::Isl;
use semantics::alpha::theorems::{Condition, Repair, THEOREMS, Theorem};

/// So many instances are made to find a violation.
const INSTANCES: u64 = 6_000;

/// The first instance that violates a repair without one of its conditions.
fn violation(theorem: &'static Theorem, repair: &'static Repair, dropped: Condition) -> Option<u64> {
    let engine = Isl::new();
    let mut statement = Statement::repaired(theorem, repair);
    statement.conditions.retain(|condition| *condition != dropped);
    let violates = |seed: &u64| {
        let outcomes = statement.outcomes(*seed, &engine).ok().flatten().unwrap_or_default();
        outcomes.iter().any(|outcome| matches!(outcome, Ok(Outcome::Differ(_))))
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

/// The verdicts on as many instances as `SELFSAME_INSTANCES` asks for, of the theorems whose name contains `SELFSAME_ONLY`.
#[test]
fn verdicts_at_length() {
    let Ok(instances) = std::env::var("SELFSAME_INSTANCES") else { return };
    let only = std::env::var("SELFSAME_ONLY").unwrap_or_default();
    for theorem in THEOREMS.iter().filter(|theorem| theorem.claim.id.contains(&only)) {
        let entry = judged(theorem, instances.parse().unwrap());
        println!("{}", crate::ledger::line(&entry));
        for evidence in entry.evidence.iter().chain(entry.repairs.iter().flat_map(|r| &r.evidence)) {
            println!("  {}", evidence.describe());
            if let Some(violation) = &evidence.violation {
                println!("    {}\n    {}", violation.program, violation.says);
            }
        }
    }
}
