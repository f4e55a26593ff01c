//! Answers about defined inputs that follow from answers about all inputs.

use selfsame_core::answer::Answer;
use selfsame_core::counterexample::{Counterexample, WrittenElement, WrittenTensor};
use selfsame_core::relation::Relation;
use values::{Literal, SystemName};

fn differs_at(element: WrittenElement) -> Counterexample {
    let inputs = vec![WrittenTensor::whole("a", &[1], vec![element])];
    Counterexample { inputs, ..Counterexample::default() }
}

#[test]
fn an_undefined_input_says_nothing_about_defined_ones() {
    let answer = |relation, found| Answer::of_all_inputs(SystemName::Rational, relation, found);
    let zero = Some(Literal::Exact(0.into()));
    let said = [
        answer(Relation::Refines, Some(differs_at(None))),
        answer(Relation::Different, Some(differs_at(None))),
        answer(Relation::Different, Some(differs_at(zero))),
    ];
    let defined = [Relation::Refines, Relation::Unknown, Relation::Different];
    assert_eq!(said.each_ref().map(|answer| answer.relations.defined), defined);
    let is_shown = said.map(|answer| answer.counterexamples.map(|found| found.is_some()).into_array());
    assert_eq!(is_shown, [[false, true], [false, true], [true, true]]);
}
