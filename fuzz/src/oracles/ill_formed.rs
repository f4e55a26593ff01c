//! A fault in a well-formed program gives its error, and no other error.

use crate::case::Subject;
use crate::judgement::{Difference, Judgement, Kind, Tally};
use crate::oracles::Question;
use alpha::checking::check;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use alpha::typing::type_system;
use base::diagnostics::Code;
use generators::alpha::faults::{self, Fault};
use generators::choices::Random;
use generators::mutations::{FAULTS, mutate};
use polyhedra::Engine;
use rink::ill_formed::IllFormed;
use rink::syntax::Program;
use rink::typing::type_program;

/// The number of seeds; each determines the places of faults. A campaign takes one at each turn, so that after
/// 16 turns all of them were tried.
const SEEDS: u64 = 16;

/// Judges the diagnostics about mutants of a case.
pub fn judge(question: &Question<'_>) -> Judgement {
    let seeds = question.turn.map_or(0..SEEDS, |turn| turn % SEEDS..turn % SEEDS + 1);
    for seed in seeds {
        let wrong = match &question.case.subject {
            Subject::Program(program) => FAULTS.iter().find_map(|&fault| of_program(program, fault, seed)),
            Subject::System(system, _) => {
                let certain = Fault::ALL.into_iter().filter(|fault| fault.is_certain());
                certain.into_iter().find_map(|fault| of_system(system, fault, seed, question.engine))
            }
            Subject::Other(..) => return Judgement::refused("no faults are known in the language"),
        };
        if let Some(difference) = wrong {
            return Judgement::Wrong(difference);
        }
    }
    Judgement::Right(Tally { agree: 1, ..Tally::default() })
}

fn of_program(program: &Program, fault: Code, seed: u64) -> Option<Difference> {
    if program.statements.is_empty() {
        return None;
    }
    let mutant = mutate(&mut Random::seeded(seed), program, fault);
    let codes: Vec<Code> =
        type_program(&mutant).err().unwrap_or_default().iter().map(IllFormed::code).collect();
    let is_right = !codes.is_empty() && codes.iter().all(|&code| code == fault);
    (!is_right).then(|| difference(fault, &codes, &mutant.to_string()))
}

fn of_system(system: &System, fault: Fault, seed: u64, engine: &dyn Engine) -> Option<Difference> {
    let typing = type_system(system).ok()?;
    let mutant = faults::mutate(&mut Random::seeded(seed), system, &typing, fault)?;
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
    (!is_right).then(|| difference(fault.code(), &codes, &text))
}

fn difference(fault: Code, codes: &[Code], mutant: &str) -> Difference {
    let found = if codes.is_empty() { "no error".to_owned() } else { format!("{codes:?}") };
    Difference {
        kind: Kind::Diagnostic,
        at: String::new(),
        expected: format!("{fault}"),
        found: format!("{found} of\n{mutant}"),
    }
}
