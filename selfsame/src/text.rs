//! Verdicts and counterexamples as text, and as JSON.

use base::escaping::in_line;
use rewrites::verdict::{Narrower, Verdict};
use rewrites::verification::meaning::Meaningless;
use rink::decision::{self, SystemVerdict};
use selfsame_core::counterexample::{
    Counterexample, Written, WrittenCall, WrittenElements, WrittenTensor, text as written,
};
use selfsame_core::relation::Relation;
use serde_json::{Value, json};
use values::{Literal, SystemName};

/// The sizes that must be positive for the rule to hold, as a line; empty if this is not known.
pub fn narrower_text(verdict: &Verdict) -> String {
    verdict.narrower.as_ref().map_or(String::new(), |narrower| format!("{narrower}\n"))
}

/// The sizes that must be positive for the sides to be equivalent, as JSON.
pub fn narrower_json(narrower: &Narrower) -> Value {
    let inputs = if narrower.all_inputs { "all" } else { "defined" };
    json!({ "positive": narrower.sizes, "values": narrower.system.name(), "inputs": inputs })
}

/// The reason why the right side has no meaning, or the open question.
pub fn reason_text(verdict: &Verdict) -> String {
    let meaningless = verdict.meaningless.as_ref().map(Meaningless::text);
    meaningless.or_else(|| verdict.open.clone()).unwrap_or_default()
}

/// A reason in one line, although its expressions may span several.
pub fn in_one_line(reason: &str) -> String {
    in_line(&reason.lines().collect::<Vec<_>>().join("; ")).into_owned()
}

/// A counterexample as text: sizes, tensors, the element, and both values.
pub fn counterexample_text(counterexample: &Counterexample) -> String {
    let parameters: Vec<String> =
        counterexample.parameters.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!(" {}", parameters.join(", ")) };
    let mut text = format!("counterexample in `{}`:{parameters}\n", counterexample.system);
    for input in &counterexample.inputs {
        let from: Vec<String> = input.origin.iter().map(i64::to_string).collect();
        let from = match input.origin.iter().any(|&first| first != 0) {
            true => format!(" from [{}]", from.join(", ")),
            false => String::new(),
        };
        text.push_str(&format!("  {}{from} = {}\n", input.name, tensor_line(input)));
    }
    counterexample.calls.iter().for_each(|call| text.push_str(&call_line(call)));
    let index: Vec<String> = counterexample.index.iter().map(i64::to_string).collect();
    let at = if index.is_empty() { String::new() } else { format!(" at [{}]", index.join(", ")) };
    let names = match &*counterexample.variable {
        "result" => ["left", "right"].map(|side| format!("{side}{at}")),
        output => ["first", "second"].map(|program| format!("{output}{at} in the {program} program")),
    };
    for (side, name) in names.iter().enumerate() {
        let value = written(&counterexample.values[side]);
        let computed = counterexample.computations[side]
            .iter()
            .filter(|text| **text != value)
            .map(|text| format!("{text} = "));
        text.push_str(&format!("  {name} = {}{value}\n", computed.collect::<String>()));
    }
    text
}

/// A call, such as `exp(2) = 7.389056, or 7.3890557 in another faithful implementation`.
fn call_line(call: &WrittenCall) -> String {
    let texts = |literals: &[Literal]| literals.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (arguments, values) = (texts(&call.arguments).join(", "), texts(&call.values));
    let others = match &values[1..] {
        [] => String::new(),
        others => format!(", or {} in another faithful implementation", others.join(" or ")),
    };
    format!("  {}({arguments}) = {}{others}\n", call.function, values[0])
}

/// The elements that were read, in the order of their indices, such as `; read are: [0] = 0, [7] = 1`.
fn read_elements(input: &WrittenTensor, read: &[(Vec<i64>, Written)]) -> String {
    let element = |(place, value): &(Vec<i64>, Written)| {
        let at: Vec<String> = input.index(place).iter().map(i64::to_string).collect();
        format!("[{}] = {}", at.join(", "), written(value))
    };
    let elements: Vec<String> = read.iter().map(element).collect();
    if elements.is_empty() {
        "; nothing of it is read".to_owned()
    } else {
        format!("; read are: {}", elements.join(", "))
    }
}

/// A tensor by rows, such as `[[1 2] [3 4]]`. If it is empty, its extents; if it is too large, also the elements
/// that were read.
fn tensor_line(input: &WrittenTensor) -> String {
    let extents = || input.extents.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let elements = match &input.elements {
        WrittenElements::All(elements) if elements.is_empty() => {
            return format!("no elements, extents [{}]", extents());
        }
        WrittenElements::All(elements) => elements,
        WrittenElements::Read(read) => {
            return format!("extents [{}]{}", extents(), read_elements(input, read));
        }
    };
    let mut parts: Vec<String> = elements.iter().map(written).collect();
    for &extent in input.extents.iter().rev() {
        let size = usize::try_from(extent).unwrap_or(1).max(1);
        parts = parts.chunks(size).map(|row| format!("[{}]", row.join(" "))).collect();
    }
    parts.join(" ")
}

/// The names of the left and the right value of a counterexample.
pub type SideNames = [&'static str; 2];

/// A verdict as text: the answer, one line per number system, the laws of the proof, and the counterexample.
pub fn elements_text(
    verdict: &decision::Decision,
    wanted: Option<SystemName>,
    relation: Relation,
    sides: SideNames,
) -> String {
    let headline = verdict.headline(wanted);
    let system = headline.map_or("", |headline| headline.system.name());
    let mut text = format!("{relation} in `{system}` ({})\n", verdict.range);
    for system in &verdict.systems {
        text.push_str(&format!("  {:10} {}\n", system.system, one_line(system, sides)));
    }
    if !verdict.laws.is_empty() {
        text.push_str(&format!("laws that the proof uses: {}\n", verdict.laws.join(", ")));
    }
    if let Some(counterexample) = headline.and_then(|headline| headline.counterexample.as_ref()) {
        text.push_str(&sided_counterexample_text(counterexample, sides));
    }
    text
}

fn one_line(verdict: &SystemVerdict, [left, right]: SideNames) -> String {
    let mut line = verdict.relation.to_string();
    if let Some(counterexample) = &verdict.counterexample {
        let parameters: String =
            counterexample.parameters.iter().map(|(k, v)| format!(", {k} = {v}")).collect();
        line.push_str(&format!(
            ": {} is {} ({left}), {} ({right}){parameters}",
            element_name(counterexample),
            written(&counterexample.values[0]),
            written(&counterexample.values[1])
        ));
    }
    if let Some(open) = &verdict.open {
        line.push_str(&format!(" ({open})"));
    }
    line
}

fn element_name(counterexample: &Counterexample) -> String {
    let index: Vec<String> = counterexample.index.iter().map(i64::to_string).collect();
    match index.is_empty() {
        true => counterexample.variable.clone(),
        false => format!("{}[{}]", counterexample.variable, index.join(" ")),
    }
}

/// A counterexample in each number system besides `wanted`, or the reason why nothing is known there.
pub fn elements_explained(
    verdict: &decision::Decision,
    wanted: Option<SystemName>,
    sides: SideNames,
) -> String {
    let shown = verdict.headline(wanted).map(|headline| headline.system);
    let others = verdict.systems.iter().filter(|of| Some(of.system) != shown);
    let text = |of: &SystemVerdict| match (&of.counterexample, &of.open) {
        (Some(found), _) => sided_counterexample_text(found, sides),
        (None, Some(open)) => format!("open in `{}`: {open}\n", of.system),
        (None, None) => String::new(),
    };
    others.map(text).collect()
}

/// A counterexample as text: sizes, input tensors and both values.
pub fn sided_counterexample_text(counterexample: &Counterexample, [left, right]: SideNames) -> String {
    let mut text = format!("counterexample in `{}`:\n", counterexample.system);
    for (parameter, value) in &counterexample.parameters {
        text.push_str(&format!("  {parameter} = {value}\n"));
    }
    for tensor in &counterexample.inputs {
        text.push_str(&format!("  {} = {}\n", tensor.name, tensor_line(tensor)));
    }
    let name = element_name(counterexample);
    let width = left.len().max(right.len()) + 1;
    for (side, value) in [left, right].into_iter().zip(&counterexample.values) {
        text.push_str(&format!("  {:width$} {name} = {}\n", format!("{side}:"), written(value)));
    }
    text
}
