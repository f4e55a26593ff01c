//! A decision that is no verdict on two programs, such as that of `simulate`, as text and as JSON.

use crate::reasons::{further_text, open_text, reasons_json, reasons_of_decision};
use crate::text::{
    SideNames, answer_lines, counterexamples_json, domains_json, laws_text, sided_counterexample_text,
};
use crate::wanted::ReportedSystem;
use rink::decision::Decision;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
use serde_json::{Value, json};

/// A decision that is no verdict on two programs: the relation in each number system, the laws of the proof, the
/// counterexample in the number system that is wanted, and why something is open.
pub fn decision_text(decision: &Decision, wanted: ReportedSystem, sides: SideNames) -> String {
    let headline = wanted.headline(decision);
    let system = headline.map_or("", |answer| answer.system.name());
    let mut text = format!("{} in `{system}` ({})\n", wanted.relation(decision), decision.range);
    text += &answer_lines(&decision.answers, InputClass::Any, |answer, _| answer.relations.any);
    text += &laws_text(&decision.laws);
    let found = headline.and_then(|answer| answer.counterexamples.any.as_ref());
    text += &found.map_or(String::new(), |found| sided_counterexample_text(found, sides));
    text + &open_text(&reasons_of_decision(decision))
}

/// What [`decision_text`] leaves out: a counterexample in every other number system that has one.
pub fn decision_explanation(decision: &Decision, wanted: ReportedSystem, sides: SideNames) -> String {
    let shown = wanted.headline(decision).and_then(|answer| answer.counterexamples.any.as_ref());
    let all = decision.answers.iter().filter_map(|answer| answer.counterexamples.any.as_ref());
    let said = shown.map_or(String::new(), |found| sided_counterexample_text(found, sides));
    further_text(&said, shown.into_iter().chain(all), sides)
}

/// A decision that is no verdict on two programs, as the JSON of `docs/command-line.md`, without the seconds.
pub fn decision_json(decision: &Decision, wanted: ReportedSystem) -> Value {
    let headline = wanted.headline(decision);
    let counterexample = headline.and_then(|answer| answer.counterexamples.any.as_ref());
    json!({
        "verdict": wanted.relation(decision).word(),
        "range": decision.range,
        "laws": decision.laws,
        "domains": domains_json(&decision.answers, |answer| answer.relations.any),
        "counterexample": counterexample.map_or(Value::Null, Counterexample::to_json),
        "counterexamples": counterexamples_json(&decision.answers, |answer| answer.counterexamples.any.as_ref()),
        "reasons": reasons_json(reasons_of_decision(decision)),
        "open": headline.and_then(|answer| decision.open.get(&answer.system)),
    })
}
