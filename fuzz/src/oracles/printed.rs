//! A printed program reads back as the same program.

use crate::case::Subject;
use crate::judgement::{Difference, Judgement, Kind, Tally};
use crate::oracles::Question;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use rink::syntax::Program;

/// Judges the program or the system of a case.
pub fn judge(question: &Question<'_>) -> Judgement {
    let wrong = match &question.case.subject {
        Subject::Program(program) => of_program(program),
        Subject::System(system, _) => of_system(system),
        Subject::Other(..) => return Judgement::refused("the language has no printer"),
    };
    match wrong {
        None => Judgement::Right(Tally { agree: 1, ..Tally::default() }),
        Some(found) => Judgement::Wrong(Difference {
            kind: Kind::Unstable,
            at: String::new(),
            expected: "the same program".to_owned(),
            found,
        }),
    }
}

/// The program that reads back, if it is a different one.
fn of_program(program: &Program) -> Option<String> {
    let parsed = rink::parsing::parse(&program.to_string());
    match parsed.errors.first() {
        Some(error) => Some(error.message.clone()),
        None => (parsed.program != *program).then(|| parsed.program.to_string()),
    }
}

fn of_system(system: &System) -> Option<String> {
    [Notation::Functional, Notation::Array].into_iter().find_map(|notation| {
        let parsed = alpha::parsing::parse(&print(system, notation));
        match parsed.errors.first() {
            Some(error) => Some(error.message.clone()),
            None => (!parsed.system.is_alike(system)).then(|| print(&parsed.system, notation)),
        }
    })
}
