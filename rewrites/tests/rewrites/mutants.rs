//! Mutants of true rules: no verdict may be wrong. Mutants that are said to be equal are evaluated at many small
//! sizes.

use crate::support::evaluation::differs;
use crate::support::mutation::mutant;
use crate::support::rules::{instances_of, shipped};
use rewrites::verification::Options;
use rewrites::verification::instances::verify_instances;
use selfsame_core::relation::Relation;

/// The number of mutants of the rule with this number: those of the rules before it and of all rules up to it add up to
/// the size of the campaign, evenly.
fn mutants_of(rule: u64) -> u64 {
    let up_to = |rules| campaigns::scaled("rule-mutants", rules);
    up_to(rule + 1) - up_to(rule)
}

#[derive(Default)]
struct MutantCounts {
    same: usize,
    different: usize,
    unknown_same: usize,
    unknown_different: usize,
}

#[test]
fn no_mutant_is_judged_wrongly() {
    let (mut counts, mut numbers) = (MutantCounts::default(), 0..);
    for file in ["taso", "xla-tensors", "xla-scalars", "xla-convolutions", "model", "sums", "extrema"] {
        let library = shipped(&format!("pass/{file}.rules"));
        for (at, rule) in library.rules().iter().enumerate() {
            let wanted = numbers.next().map_or(0, mutants_of);
            let instances = instances_of(&library, rule);
            let (mut seed, mut made) = (0, 0);
            // Some places of a rule cannot be changed.
            while made < wanted && seed < 30 * wanted {
                seed += 1;
                let mut rng = fastrand::Rng::with_seed(seed * 1000 + at as u64);
                let instance = &instances[rng.usize(..instances.len())];
                let Some(mutant) = mutant(instance, &mut rng) else { continue };
                let Ok(verdict) = verify_instances(std::slice::from_ref(&mutant), &Options::default()) else {
                    continue;
                };
                let Some(answer) = verdict.answers.first() else { continue };
                made += 1;
                let refines = answer.relations.defined == Relation::Refines;
                let difference = differs(&mutant, answer.system.name(), seed, refines);
                let what = || {
                    format!(
                        "{} mutant {seed}: {difference:?}\n{}",
                        rule.name.text,
                        crate::support::rules::text(&mutant)
                    )
                };
                match answer.relations.defined {
                    Relation::Equivalent | Relation::Refines => {
                        assert!(difference.is_none(), "said to be the same: {}", what());
                        counts.same += 1;
                    }
                    Relation::Different | Relation::Unequal => counts.different += 1,
                    Relation::Unknown if difference.is_some() => counts.unknown_different += 1,
                    Relation::Unknown => counts.unknown_same += 1,
                }
            }
        }
    }
    let MutantCounts { same, different, unknown_same, unknown_different } = counts;
    println!(
        "{same} the same, {different} different, unknown: {unknown_same} (no difference found), {unknown_different}"
    );
    assert!(different > same, "the mutants are too weak");
    assert!(same > 0 && unknown_different * 10 <= different, "too much is unknown");
}
