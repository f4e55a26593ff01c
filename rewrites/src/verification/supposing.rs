//! Withdraws what is proved under hypotheses that no input meets.

use crate::verdict::ProverVerdict;
use checker::hypotheses::{HypothesesStanding, contradiction, standings};
use checker::refusal::Flaw;
use selfsame_core::Instance;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::relation::Relation;
use values::SystemName;

/// Withdraws proofs in number systems in which the hypotheses of an instance contradict each other (in the main
/// one the rule is vacuous), or are not known to be met. `closed`: the instances with further instances of their
/// laws.
pub fn supposed(instances: &[Instance], closed: Option<&[Instance]>, verdict: &mut ProverVerdict) {
    let Some(main) = verdict.headline().map(|answer| answer.system) else { return };
    for (at, instance) in instances.iter().enumerate() {
        let closed = closed.and_then(|closed| closed.get(at));
        // An input refutes nothing if no functions obey the laws of the file; if there are several choices,
        // another may be refuted.
        let is_lawless = |answer: &Answer| {
            answer.system == main
                && closed.is_some_and(|closed| !closed.laws.is_empty())
                && instances.len() == 1
        };
        let is_judged = |answer: &&Answer| {
            is_lawless(answer) || answer.relations.iter().any(|relation| *relation <= Relation::Refines)
        };
        let systems: Vec<SystemName> =
            verdict.answers.iter().filter(is_judged).map(|answer| answer.system).collect();
        if systems.is_empty() {
            return;
        }
        for (system, standing) in standings(instance, closed, &systems) {
            match standing {
                HypothesesStanding::Met => {}
                HypothesesStanding::Contradictory if system == main => {
                    if instances.len() == 1 {
                        verdict.unrefuted(system);
                    }
                    verdict.vacuous =
                        verdict.vacuous.take().or(Some(contradiction(instance, system).to_string()));
                }
                HypothesesStanding::Contradictory => verdict.answers.retain(|answer| answer.system != system),
                HypothesesStanding::Unknown => verdict.unmet(system),
            }
        }
    }
}

impl ProverVerdict {
    /// Withdraws refutations by an input: no input meets the hypotheses.
    fn unrefuted(&mut self, system: SystemName) {
        for answer in self.answers.iter_mut().filter(|answer| answer.system == system) {
            for inputs in InputClass::BOTH {
                if answer.relations[inputs] >= Relation::Unequal {
                    (answer.relations[inputs], answer.counterexamples[inputs]) = (Relation::Unknown, None);
                }
            }
        }
    }

    /// Withdraws proofs in a number system: no input is known that meets the hypotheses.
    fn unmet(&mut self, system: SystemName) {
        for answer in self.answers.iter_mut().filter(|answer| answer.system == system) {
            let proved = |relation: &&mut Relation| **relation <= Relation::Refines;
            answer.relations.iter_mut().filter(proved).for_each(|relation| *relation = Relation::Unknown);
        }
        self.open = Some(Flaw::Unmet(Some(system)).to_string());
    }
}
