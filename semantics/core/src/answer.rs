//! What is known of two sides in one number system: the answer of a prover, and of a decision procedure.

use crate::by_inputs::ByInputs;
use crate::counterexample::Counterexample;
use crate::relation::Relation;
use values::SystemName;

/// The answer in one number system.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The number system.
    pub system: SystemName,
    /// The relation with all inputs defined, and with inputs that may be undefined.
    pub relations: ByInputs<Relation>,
    /// For each relation, an input on which the sides differ.
    pub counterexamples: ByInputs<Option<Counterexample>>,
}

impl Answer {
    /// The answer that says nothing.
    pub fn unknown(system: SystemName) -> Answer {
        Answer { system, relations: ByInputs::both(Relation::Unknown), counterexamples: ByInputs::both(None) }
    }

    /// The answer for all inputs, and what follows for defined ones: a proof holds for them, too, and a
    /// counterexample without an undefined input is one of them.
    pub fn of_all_inputs(
        system: SystemName,
        relation: Relation,
        counterexample: Option<Counterexample>,
    ) -> Answer {
        let among_defined = counterexample.clone().filter(Counterexample::has_defined_inputs);
        let follows = relation <= Relation::Refines || among_defined.is_some();
        let defined = if follows { relation } else { Relation::Unknown };
        Answer {
            system,
            relations: ByInputs { defined, any: relation },
            counterexamples: ByInputs { defined: among_defined, any: counterexample },
        }
    }
}

/// The answer in a number system.
pub fn in_system(answers: &[Answer], system: SystemName) -> Option<&Answer> {
    answers.iter().find(|answer| answer.system == system)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counterexample::{Written, WrittenTensor};
    use values::Literal;

    fn differs_at(element: Written) -> Counterexample {
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
}
