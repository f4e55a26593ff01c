//! The decision about a problem, in every number system.

use selfsame_core::answer::{Answer, in_system};
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use values::SystemName;

/// The answer in every number system.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The sizes and inputs for which it holds.
    pub range: String,
    /// The laws that the proof needed; empty if it needed none, or there is no proof.
    pub laws: Vec<&'static str>,
    /// One answer for each number system.
    pub answers: Vec<Answer>,
    /// Where something is open, why: why nothing is known, or why it is unknown whether an unequal right side refines
    /// the left.
    pub open: BTreeMap<SystemName, String>,
}

impl Decision {
    /// The decision without an answer.
    pub fn nothing(range: String) -> Decision {
        Decision { range, laws: Vec::new(), answers: Vec::new(), open: BTreeMap::new() }
    }

    /// The same answer, for these values of parameters; the range and each counterexample report them.
    pub fn with_parameters(mut self, parameters: &[(String, u64)]) -> Decision {
        self.range = within(parameters, &self.range);
        let shown = self.answers.iter_mut().flat_map(|answer| answer.counterexamples.iter_mut());
        for counterexample in shown.flatten() {
            counterexample.parameters.splice(..0, written(parameters));
        }
        self
    }

    /// Retracts proofs, for a reason; counterexamples remain.
    pub fn retracted(mut self, reason: &str) -> Decision {
        self.laws.clear();
        for answer in self.answers.iter_mut().filter(|answer| is_proved(answer)) {
            *answer = Answer::unknown(answer.system);
            self.open.insert(answer.system, reason.to_owned());
        }
        self
    }

    /// The answer in a number system.
    pub fn in_system(&self, system: SystemName) -> Option<&Answer> {
        in_system(&self.answers, system)
    }

    /// The first answer that says least.
    pub fn weakest(&self) -> Option<&Answer> {
        self.answers.iter().rev().max_by_key(|answer| answer.relations.any)
    }

    /// The worse of two decisions in each number system, with the laws of both.
    #[must_use]
    pub fn and(mut self, other: Decision) -> Decision {
        let Decision { answers, laws, mut open, .. } = other;
        for (mine, theirs) in self.answers.iter_mut().zip(answers) {
            if theirs.relations.any > mine.relations.any {
                self.open.remove(&mine.system);
                self.open.extend(open.remove_entry(&theirs.system));
                *mine = theirs;
            }
        }
        self.laws.extend(laws);
        self
    }

    /// Whether something is proved in some number system.
    pub fn proves_something(&self) -> bool {
        self.answers.iter().any(is_proved)
    }
}

fn is_proved(answer: &Answer) -> bool {
    answer.relations.any <= Relation::Refines
}

/// Parameters with their values as text.
pub(super) fn written(parameters: &[(String, u64)]) -> Vec<(String, String)> {
    parameters.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
}

/// A range, restricted to values of parameters: `n = 4, m = 3; …`.
pub fn within(parameters: &[(String, u64)], range: &str) -> String {
    let values: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { range.to_owned() } else { format!("{}; {range}", values.join(", ")) }
}
