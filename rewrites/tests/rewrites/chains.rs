//! Random chains of verified rewrites give equal programs, which must be proved equal; a mutation that makes one
//! different must be refuted.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::chains::{MatrixTerm, REWRITES, rule};
use crate::support::evaluation::differs;
use crate::support::rules::{from_text_with_operators, instances_of};
use fastrand::Rng;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::{Options, verify};
use rule_files::library::Library;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use values::SystemName;

/// The number of chains.
fn chains() -> u64 {
    campaigns::size("chains")
}

/// The maximum size of a program: larger ones take longer.
const MAX_SIZE: usize = 24;
/// The number of rewrites in a chain.
const REWRITES_OF_A_CHAIN: usize = 12;

fn library(left: &MatrixTerm, right: &MatrixTerm) -> Library {
    from_text_with_operators(&rule("pair", left, right))
}

fn verdict(library: &Library) -> ProverVerdict {
    verify(library, &library.rules()[0], &Options::default()).unwrap()
}

fn relations(verdict: &ProverVerdict) -> ByInputs<Relation> {
    verdict.in_system(SystemName::Rational).unwrap().relations
}

#[test]
fn the_rewrites_hold() {
    for [left, right] in REWRITES {
        let verdict = verdict(&library(&MatrixTerm::parse(left), &MatrixTerm::parse(right)));
        assert_eq!(relations(&verdict), ByInputs::both(Relation::Equivalent), "{left} = {right}");
    }
}

#[test]
fn chains_are_proved_and_mutants_are_refuted() {
    let (mut proved, mut refuted, mut same) = (0, 0, 0);
    for seed in 0..chains() {
        let mut rng = Rng::with_seed(seed);
        let start = MatrixTerm::random(rng.usize(2..6), &mut rng);
        let mut end = start.clone();
        for _ in 0..REWRITES_OF_A_CHAIN {
            let tries = std::iter::repeat_with(|| end.rewritten(&mut rng)).take(200).flatten();
            end = { tries }.find(|term| term.size() <= MAX_SIZE).unwrap_or_else(|| end.clone());
        }
        let pair = library(&start, &end);
        let chain = relations(&verdict(&pair));
        assert_eq!(chain, ByInputs::both(Relation::Equivalent), "{seed}: {} = {}", start.text(), end.text());
        proved += 1;
        let Some(mutant) = std::iter::repeat_with(|| end.mutated(&mut rng)).take(50).flatten().next() else {
            continue;
        };
        let pair = library(&start, &mutant);
        let found = relations(&verdict(&pair)).defined;
        let instance = &instances_of(&pair, &pair.rules()[0])[0];
        let difference = differs(instance, "rational", seed, found == Relation::Refines);
        let text = format!("{seed}: {} and {}: {difference:?}", start.text(), mutant.text());
        match difference {
            Some(_) => assert_eq!(found, Relation::Different, "{text}"),
            None => assert_eq!(found, Relation::Equivalent, "{text}"),
        }
        *(if found == Relation::Different { &mut refuted } else { &mut same }) += 1;
    }
    println!("{proved} chains proved, {refuted} mutants refuted, {same} proved to be the same");
    assert!(refuted > same, "the mutants are too weak");
}
