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
