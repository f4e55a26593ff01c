//! One fault in a well-formed system gives its error.

use crate::judgement::{FoundDifference, missed_fault};
use alpha::checking::check;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use alpha::typing::type_system;
use base::diagnostics::Code;
use generators::alpha::faults::{SystemFault, mutate};
use generators::choices::Random;
use polyhedra::Engine;

/// The first fault that gives another error than its own, or none.
pub(super) fn missed(system: &System, seed: u64, engine: &dyn Engine) -> Option<FoundDifference> {
    let mut certain = SystemFault::ALL.into_iter().filter(|fault| fault.is_certain());
    certain.find_map(|fault| one(system, fault, seed, engine))
}

fn one(system: &System, fault: SystemFault, seed: u64, engine: &dyn Engine) -> Option<FoundDifference> {
    let typing = type_system(system).ok()?;
    let mutant = mutate(&mut Random::seeded(seed), system, &typing, fault)?;
    // Diagnostics need places in a text.
    let text = print(&mutant, Notation::Functional);
    let mutant = parse(&text).system;
    let findings = match type_system(&mutant) {
        Err(findings) => findings,
        Ok(_) => check(&mutant, engine, None).ok()?.findings,
    };
    let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    // Faults in parts that nothing reads give only a warning.
    let is_right = codes.contains(&fault.code()) || codes.contains(&Code::P0016);
    (!is_right).then(|| missed_fault(fault.code(), &codes, &text))
}
