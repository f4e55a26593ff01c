//! Evidence for the displayed equivalences, on random instances.

use super::comparison::{Difference, Kinds, Outcome, compare};
use super::conditions::holds;
use super::instances::Maker;
use super::running::violation;
use crate::evidence::{Evidence, Kind, Violation};
use crate::ledger::{Depth, Entry, Repair};
use polyhedra::{Engine, Error};
use polyhedra_isl::Isl;
use semantics::alpha::theorems::{Condition, Form, THEOREMS, Theorem};
use semantics::claims::Claim;

/// The entry of a displayed equivalence; `None` for another claim.
pub(super) fn entry(claim: &'static Claim, depth: Depth) -> Option<Entry> {
    let theorem = THEOREMS.iter().find(|theorem| theorem.claim.id == claim.id)?;
    let instances = if depth == Depth::Full { 10_000 } else { 100 };
    let engine = Isl::new();
    let evidence = survey(theorem, theorem.form, theorem.conditions, instances, &engine);
    let mut evidence = vec![evidence];
    if CONVERSE.contains(&claim.id) {
        evidence.push(converse(theorem, instances, &engine));
    }
    let violated = evidence.iter().any(|evidence| evidence.violated > 0);
    let repairs = match &theorem.repair {
        Some(repair) if violated => {
            let form = repair.form.unwrap_or(theorem.form);
            let evidence = survey(theorem, form, repair.conditions, instances, &engine);
            vec![Repair { statement: repair.statement, evidence: vec![evidence] }]
        }
        _ => Vec::new(),
    };
    Some(Entry { claim, evidence, repairs })
}

/// Tries instances until so many satisfy the conditions, or too many do not.
fn survey(
    theorem: &Theorem,
    form: Form,
    conditions: &[Condition],
    instances: u64,
    engine: &dyn Engine,
) -> Evidence {
    let (mut cases, mut symbolic, mut violated) = (0, 0, 0);
    let mut smallest: Option<((Kinds, usize), Difference)> = None;
    for seed in 0..instances * MAX_TRIES {
        if cases == instances {
            break;
        }
        match instance(theorem, form, conditions, seed, engine) {
            Ok(Some(Outcome::Agree(all))) => {
                cases += 1;
                symbolic += u64::from(all);
            }
            Ok(Some(Outcome::Differ(difference))) => {
                cases += 1;
                violated += 1;
                let size = (difference.kind.clone(), difference.instance.len());
                if smallest.as_ref().is_none_or(|(least, _)| size < *least) {
                    smallest = Some((size, difference));
                }
            }
            Ok(Some(Outcome::Neither) | None) | Err(_) => {}
        }
    }
    let range = format!("random instances, of which {symbolic} for all values of the inputs");
    let violation = smallest.map(|(_, Difference { says, instance, .. })| Violation {
        program: instance,
        counterexample: None,
        says,
    });
    Evidence { violated, ..Evidence::tried(Kind::Random, range, cases, violation) }
}

/// Theorems that say "iff": where a condition fails, the sides differ.
const CONVERSE: [&str; 1] = ["alpha/restrict-2"];

fn converse(theorem: &Theorem, instances: u64, engine: &dyn Engine) -> Evidence {
    let (mut cases, mut violated) = (0, None);
    for seed in 0..instances {
        let Ok(mut maker) = Maker::make(theorem, seed, engine) else { continue };
        let fails = |condition: &Condition| holds(&mut maker, *condition, engine) == Ok(false);
        if theorem.conditions.iter().any(fails) {
            cases += 1;
            if let Ok(Outcome::Agree(_)) = compare(&mut maker, theorem.form, engine) {
                violated = Some(violation("", "the condition fails, and the sides are equivalent"));
            }
        }
    }
    Evidence::tried(Kind::Random, "the converse: instances where the condition fails differ", cases, violated)
}

/// So many instances are made for each that satisfies the conditions.
const MAX_TRIES: u64 = 40;

/// What one instance shows; nothing if it does not satisfy the conditions.
fn instance(
    theorem: &Theorem,
    form: Form,
    conditions: &[Condition],
    seed: u64,
    engine: &dyn Engine,
) -> Result<Option<Outcome>, Error> {
    let mut maker = Maker::make(theorem, seed, engine)?;
    for &condition in conditions {
        if !holds(&mut maker, condition, engine)? {
            return Ok(None);
        }
    }
    let outcome = compare(&mut maker, form, engine)?;
    let well_formed = conditions.contains(&Condition::WellFormed);
    Ok(match outcome {
        Outcome::Differ(Difference { kind: Kinds::WellFormed, .. }) if well_formed => None,
        outcome => Some(outcome),
    })
}
