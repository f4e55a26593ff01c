//! Compares a verdict with what the author of a rule expects.

use crate::verdict::ProverVerdict;
use rule_files::syntax::{self, Rule};
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::relation::Relation;
use values::SystemName;
use values::machine::Target;

/// How a verdict compares with an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conformance {
    /// The verdict is as expected.
    Expected,
    /// The verdict contradicts the expectation.
    Unexpected(Complaint),
    /// The verdict leaves the expectation open.
    Undecided(Complaint),
    /// The rule is vacuous, for this reason.
    Vacuous(String),
}

/// A difference between a verdict and an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The complaint in words.
    pub text: String,
    /// The number system, if the complaint is about one in which the rule means something.
    pub system: Option<SystemName>,
    /// The inputs that it is about.
    pub inputs: InputClass,
}

impl Complaint {
    fn in_general(text: impl Into<String>) -> Complaint {
        Complaint { text: text.into(), system: None, inputs: InputClass::Defined }
    }

    fn about(answer: &Answer, inputs: InputClass, text: String) -> Complaint {
        Complaint { text, system: Some(answer.system), inputs }
    }
}

/// Compares a verdict with the expectation of a rule, in the number systems that were asked about.
pub fn judge(rule: &Rule, verdict: &ProverVerdict, asked: Option<&[SystemName]>) -> Conformance {
    if let Some(reason) = &verdict.vacuous {
        return Conformance::Vacuous(reason.clone());
    }
    let Some(main) = verdict.headline() else {
        let text = match asked {
            None => "there is no number system in which the rule has the stated meaning".to_owned(),
            Some(asked) => {
                let names: Vec<&str> = asked.iter().map(|system| system.name()).collect();
                format!("the rule does not have the stated meaning in `{}`", names.join("`, `"))
            }
        };
        return Conformance::Undecided(Complaint::in_general(text));
    };
    let (expected, target) = (&rule.expectation, verdict.machine.rewrites.target);
    let mut wrong: Option<Conformance> = None;
    let mut note = |conformance: Option<Conformance>| {
        let undecided = |j: &Conformance| matches!(j, Conformance::Undecided(_));
        if let Some(new) = conformance
            && wrong.as_ref().is_none_or(|old| undecided(old) && !undecided(&new))
        {
            wrong = Some(new);
        }
    };
    match &expected.systems {
        None => {
            promised(verdict, main).for_each(|answer| {
                note(compare(answer, InputClass::Defined, expected.defined, target));
            });
        }
        Some(systems) => {
            for answer in &verdict.answers {
                let named = systems.contains(&answer.system);
                note(if named {
                    compare(answer, InputClass::Defined, expected.defined, target)
                } else {
                    denied(answer)
                });
            }
            let is_asked = |name: &&SystemName| asked.is_none_or(|asked| asked.contains(name));
            for name in systems.iter().filter(is_asked).filter(|name| verdict.in_system(**name).is_none()) {
                let text = format!("the rule does not have the stated meaning in `{name}`");
                note(Some(Conformance::Undecided(Complaint::in_general(text))));
            }
        }
    }
    let holding = verdict.answers.iter().filter(|answer| match &expected.systems {
        None => promised(verdict, main).any(|promised| promised.system == answer.system),
        Some(systems) => systems.contains(&answer.system),
    });
    holding.for_each(|answer| note(compare(answer, InputClass::Any, expected.undefined, target)));
    wrong.unwrap_or(Conformance::Expected)
}

/// The answers about what a rule without `in` promises: its exact system, or the types that it states.
fn promised<'v>(verdict: &'v ProverVerdict, main: &'v Answer) -> impl Iterator<Item = &'v Answer> {
    let is_exact = main.system.real().is_abstract() && main.system != SystemName::Stated;
    verdict.answers.iter().filter(move |answer| !is_exact || answer.system == main.system)
}

/// A rule that names number systems claims that it does not hold in the others.
fn denied(answer: &Answer) -> Option<Conformance> {
    let holds = answer.relations.defined == Relation::Equivalent;
    holds.then(|| {
        let text = format!("equivalent in `{}`, which the rule does not name", answer.system);
        Conformance::Unexpected(Complaint::about(answer, InputClass::Defined, text))
    })
}

/// The complaint about an answer for these inputs, if there is one.
fn compare(
    answer: &Answer,
    inputs: InputClass,
    expected: syntax::StatedRelation,
    target: Target,
) -> Option<Conformance> {
    let found = answer.relations[inputs];
    let wanted = match expected {
        syntax::StatedRelation::Same => Relation::Equivalent,
        syntax::StatedRelation::Refines => Relation::Refines,
        syntax::StatedRelation::Broken => Relation::Different,
    };
    let about = if inputs == InputClass::Any { " where inputs may be undefined" } else { "" };
    let text = match found {
        Relation::Unknown => format!("expected {wanted} in `{}`{about}", answer.system),
        _ => format!("{found} in `{}`{about}, not {wanted}", answer.system),
    };
    match (found, wanted) {
        _ if found == wanted => None,
        // Where a target may be more defined than its source, that is all that a rewrite promises.
        (Relation::Refines, Relation::Equivalent) if target == Target::MoreDefined => None,
        (Relation::Unequal, Relation::Equivalent) if target == Target::MoreDefined => {
            Some(Conformance::Undecided(Complaint::about(answer, inputs, text)))
        }
        // The sides are not equal: that is the claim of `broken`.
        (Relation::Unequal, Relation::Different) => None,
        (Relation::Unequal, Relation::Refines) | (Relation::Unknown, _) => {
            Some(Conformance::Undecided(Complaint::about(answer, inputs, text)))
        }
        // A proof that the right side refines the left one does not show that they differ.
        (Relation::Refines, Relation::Equivalent) if answer.counterexamples[inputs].is_none() => {
            let text = format!("{found} in `{}`{about}; not known to be {wanted}", answer.system);
            Some(Conformance::Undecided(Complaint::about(answer, inputs, text)))
        }
        _ => Some(Conformance::Unexpected(Complaint::about(answer, inputs, text))),
    }
}
