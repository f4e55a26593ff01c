//! Why a column of the table is `?`, `⊑?`, or `⊑` without a counterexample.

use crate::text::{SideNames, counterexample_lines, in_one_line};
use rewrites::verdict::ProverVerdict;
use rink::decision::Decision;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::Relation;
use serde_json::{Map, Value};
use values::SystemName;

/// Reasons, each with the names of the number systems that it is about.
pub type Reasons = Vec<(Vec<&'static str>, String)>;

/// Why nothing more is known in some number systems, each reason once: laws of the proof that a system lacks, or the
/// open question; and where the right side only refines the left one, that no input shows a difference.
pub fn reasons(verdict: &ProverVerdict, inputs: InputClass) -> Reasons {
    let of = |answer: &Answer| Some((answer.system, reason(verdict, answer, inputs)?));
    each_once(verdict.answers.iter().filter_map(of))
}

/// Why something is open in some number systems, each reason once.
pub fn reasons_of_decision(decision: &Decision) -> Reasons {
    each_once(decision.open.iter().map(|(system, why)| (*system, why.clone())))
}

fn each_once(all: impl Iterator<Item = (SystemName, String)>) -> Reasons {
    let mut reasons = Reasons::new();
    for (system, reason) in all {
        match reasons.iter_mut().find(|(_, known)| *known == reason) {
            Some((systems, _)) => systems.push(system.name()),
            None => reasons.push((vec![system.name()], reason)),
        }
    }
    reasons
}

/// Why a complaint about a verdict is not decided: in its number system, or, if it is about none, in all.
pub fn reason_of(verdict: &ProverVerdict, system: Option<SystemName>) -> Option<String> {
    let Some(system) = system else { return verdict.open.as_deref().map(in_one_line) };
    reason(verdict, verdict.in_system(system)?, InputClass::Any)
}

/// Why nothing more is known in a number system; `None` if a proof or a counterexample says all.
fn reason(verdict: &ProverVerdict, answer: &Answer, inputs: InputClass) -> Option<String> {
    let asked =
        InputClass::BOTH.into_iter().filter(|class| *class == InputClass::Defined || *class == inputs);
    let relations: Vec<Relation> = asked.map(|class| answer.relations[class]).collect();
    let has = |wanted: &[Relation]| relations.iter().any(|relation| wanted.contains(relation));
    if has(&[Relation::Unknown, Relation::Unequal]) {
        let lacks = |law: &&String| checker::systems::lacks(law, answer.system, &verdict.machine);
        let lacking: Vec<String> = verdict.laws.iter().filter(lacks).cloned().collect();
        return Some(match (&verdict.open, lacking.is_empty()) {
            (Some(open), _) => in_one_line(open),
            (None, false) => format!("the proof uses laws that do not hold there: {}", lacking.join(", ")),
            (None, true) => "neither a proof nor a counterexample was found".to_owned(),
        });
    }
    let is_shown = answer.counterexamples.iter().any(Option::is_some);
    let only_refines = has(&[Relation::Refines]) && !is_shown;
    only_refines.then(|| "⊑ is proved, and no input is known on which the sides differ".to_owned())
}

/// Reasons as JSON, by number system.
pub fn reasons_json(reasons: Reasons) -> Map<String, Value> {
    let each = |(systems, reason): (Vec<&'static str>, String)| {
        systems.into_iter().map(move |system| (system.to_owned(), reason.clone().into()))
    };
    reasons.into_iter().flat_map(each).collect()
}

/// Reasons as text, a line each.
pub fn open_text(reasons: &[(Vec<&'static str>, String)]) -> String {
    let line =
        |(systems, reason): &(Vec<&str>, String)| format!("open in `{}`: {reason}\n", systems.join("`, `"));
    reasons.iter().map(line).collect()
}

/// A counterexample, and the number systems in which it is the same, in order.
struct SharedCounterexample<'a> {
    found: &'a Counterexample,
    systems: Vec<&'a str>,
    sides: SideNames,
}

impl SharedCounterexample<'_> {
    /// The counterexample as text.
    fn text(&self) -> String {
        counterexample_lines(&self.systems, self.found, self.sides)
    }

    /// What remains to be said where this text has been shown: all of it, if the text is not that of the
    /// counterexample in one of its systems.
    fn rest(&self, shown: &str) -> String {
        let is_shown = |system: &&str| counterexample_lines(&[*system], self.found, self.sides) == shown;
        let Some(at) = self.systems.iter().position(is_shown) else { return self.text() };
        match [&self.systems[..at], &self.systems[at + 1..]].concat() {
            none if none.is_empty() => String::new(),
            others => format!("the same counterexample in `{}`\n", others.join("`, `")),
        }
    }
}

/// What remains to be said of counterexamples where a text has been shown; each is said once, with the number systems in
/// which it is the same.
pub fn further_text<'a>(
    shown: &str,
    all: impl Iterator<Item = &'a Counterexample>,
    sides: SideNames,
) -> String {
    shared(all, sides).iter().map(|kind| kind.rest(shown)).collect()
}

/// The counterexamples, each once, with the number systems in which it is the same.
fn shared<'a>(
    all: impl Iterator<Item = &'a Counterexample>,
    sides: SideNames,
) -> Vec<SharedCounterexample<'a>> {
    let mut kinds: Vec<(String, SharedCounterexample<'a>)> = Vec::new();
    for found in all {
        let nowhere = counterexample_lines(&[], found, sides);
        match kinds.iter_mut().find(|(known, _)| *known == nowhere) {
            Some((_, kind)) if kind.systems.contains(&found.system) => {}
            Some((_, kind)) => kind.systems.push(found.system),
            None => kinds.push((nowhere, SharedCounterexample { found, systems: vec![found.system], sides })),
        }
    }
    kinds.into_iter().map(|(_, kind)| kind).collect()
}
