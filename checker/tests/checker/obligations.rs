//! What is asked of z3, and how often.

use checker::memory::{Memory, SolverAnswer};
use checker::solver::ProductEncoding::{Full, Linear};
use checker::solver::{ObligationAnswer, Obligations};
use selfsame_core::{Condition, Index, Variable};

fn variable(number: u32) -> Index {
    Index::from(Variable(number))
}

/// `1 ≤ i < n`
fn context() -> [Condition; 2] {
    [
        Condition::at_most(&Index::constant(1.into()), &variable(1)),
        Condition::less(&variable(1), &variable(0)),
    ]
}

#[test]
fn a_question_is_asked_of_the_solver_once() {
    let obligations = Obligations::default();
    let ask = |least: i64| {
        obligations.decide(&context(), &Condition::at_most(&Index::constant(least.into()), &variable(0)))
    };
    let answers = [ask(2), ask(3)];
    assert_eq!(answers[0], ObligationAnswer::Holds);
    let ObligationAnswer::Fails(model) = &answers[1] else { panic!("{answers:?}") };
    assert_eq!(model.iter().find(|(v, _)| *v == Variable(0)).map(|(_, value)| *value), Some(2), "{model:?}");
    let spent = obligations.spent();
    assert_eq!([ask(2), ask(3)], answers, "a remembered answer has its model");
    assert_eq!(obligations.spent(), spent);
    ask(4);
    assert!(obligations.spent() > spent, "another question is asked");
}

#[test]
fn old_answers_are_forgotten() {
    let mut memory = Memory::default();
    let long = (0..1_000).fold(Index::default(), |sum, v| &sum + &variable(v));
    let question = |number: i64| [Condition::at_most(&Index::constant(number.into()), &long)];
    let answered = SolverAnswer { answer: ObligationAnswer::Fails(Vec::new()), abstracted: false };
    let is_known = |memory: &Memory, number| memory.answer(&question(number), Linear).is_some();
    (0..249).for_each(|number| memory.remember(&question(number), Linear, answered.clone()));
    assert!(is_known(&memory, 0) && is_known(&memory, 248));
    assert!(memory.answer(&question(0), Full).is_none(), "another encoding is another question");
    memory.remember(&question(249), Linear, answered);
    assert!(!is_known(&memory, 0) && is_known(&memory, 249), "250 questions of 1,001 terms are too many");
}
