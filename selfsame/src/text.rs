//! Verdicts and counterexamples as text, and as JSON.

use base::escaping::in_line;
use rewrites::verdict::{Narrower, ProverVerdict};
use rewrites::verification::meaning::Meaningless;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::{
    Counterexample, WrittenCall, WrittenElement, WrittenElements, WrittenTensor, text as written,
};
use selfsame_core::relation::Relation;
use selfsame_core::traps::EVALUATION;
use serde_json::{Value, json};
use values::Literal;

/// The sizes that must be positive for the rule to hold, as a line; empty if this is not known.
pub fn narrower_text(verdict: &ProverVerdict) -> String {
    verdict.narrower.as_ref().map_or(String::new(), |narrower| format!("{narrower}\n"))
}

/// The sizes that must be positive for the sides to be equivalent, as JSON.
pub fn narrower_json(narrower: &Narrower) -> Value {
    let inputs = if narrower.all_inputs { "all" } else { "defined" };
    json!({ "positive": narrower.sizes, "values": narrower.system.name(), "inputs": inputs })
}

/// The reason why the right side has no meaning, or the open question.
pub fn reason_text(verdict: &ProverVerdict) -> String {
    let meaningless = verdict.meaningless.as_ref().map(Meaningless::text);
    meaningless.or_else(|| verdict.open.clone()).unwrap_or_default()
}

/// A reason in one line, although its expressions may span several.
pub fn in_one_line(reason: &str) -> String {
    in_line(&reason.lines().collect::<Vec<_>>().join("; ")).into_owned()
}

/// What distinguishes both values of an output in a counterexample: where each was computed.
pub type SideNames = [&'static str; 2];

/// The sides of a counterexample about two programs, or a rule.
pub const PROGRAMS: SideNames = ["in the first program", "in the second program"];

/// A counterexample about two programs, or a rule, as text.
pub fn counterexample_text(counterexample: &Counterexample) -> String {
    sided_counterexample_text(counterexample, PROGRAMS)
}

/// A counterexample as text: sizes, tensors, the element, and both values.
pub fn sided_counterexample_text(counterexample: &Counterexample, sides: SideNames) -> String {
    counterexample_lines(&[counterexample.system], counterexample, sides)
}

/// A counterexample as text that says that it is the same in these number systems.
pub(crate) fn counterexample_lines(
    systems: &[&str],
    counterexample: &Counterexample,
    sides: SideNames,
) -> String {
    let parameters: Vec<String> =
        counterexample.parameters.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!(" {}", parameters.join(", ")) };
    let mut text = format!("counterexample in `{}`:{parameters}\n", systems.join("`, `"));
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
    if counterexample.variable == EVALUATION {
        for (side, traps) in ["left", "right"].iter().zip(counterexample.traps) {
            let traps = if traps { "traps" } else { "does not trap" };
            text.push_str(&format!("  evaluating {side}{at} {traps}\n"));
        }
        return text;
    }
    let names = match &*counterexample.variable {
        "result" => ["left", "right"].map(|side| format!("{side}{at}")),
        output => sides.map(|side| format!("{output}{at} {side}")),
    };
    for (side, name) in names.iter().enumerate() {
        let value = written(&counterexample.values[side]);
        let computed = counterexample.computations[side]
            .iter()
            .filter(|text| **text != value)
            .map(|text| format!("{text} = "));
        let traps = if counterexample.traps[side] { " (traps)" } else { "" };
        text.push_str(&format!("  {name} = {}{value}{traps}\n", computed.collect::<String>()));
    }
    text
}

/// A call, such as `exp(2) = 7.389056, or 7.3890557 in another implementation`, or
/// `sqrt(-1) = 7, for example: the real function has no value there`.
fn call_line(call: &WrittenCall) -> String {
    let texts = |literals: &[Literal]| literals.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (arguments, values) = (texts(&call.arguments).join(", "), texts(&call.values));
    let others = match &values[1..] {
        _ if call.is_arbitrary() => ", for example: the real function has no value there".to_owned(),
        [] => String::new(),
        others => format!(", or {} in another implementation", others.join(" or ")),
    };
    format!("  {}({arguments}) = {}{others}\n", call.function, values[0])
}

/// The elements that were read, in the order of their indices, such as `; the elements read: [0] = 0, [7] = 1`.
fn read_elements(input: &WrittenTensor, read: &[(Vec<i64>, WrittenElement)]) -> String {
    let element = |(place, value): &(Vec<i64>, WrittenElement)| {
        let at: Vec<String> = input.index(place).iter().map(i64::to_string).collect();
        format!("[{}] = {}", at.join(", "), written(value))
    };
    let elements: Vec<String> = read.iter().map(element).collect();
    if elements.is_empty() {
        "; nothing of it is read".to_owned()
    } else {
        format!("; the elements read: {}", elements.join(", "))
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

/// A line for each number system, with the relation for a class of inputs, and that for defined ones if it differs.
pub fn answer_lines(
    answers: &[Answer],
    inputs: InputClass,
    said: impl Fn(&Answer, InputClass) -> Relation,
) -> String {
    let line = |answer: &Answer| {
        let [defined, any] = InputClass::BOTH.map(|inputs| said(answer, inputs));
        let also = if defined == any || inputs == InputClass::Defined {
            String::new()
        } else {
            format!("; for defined inputs: {defined}")
        };
        format!("  {:10} {}{also}\n", answer.system, said(answer, inputs))
    };
    answers.iter().map(line).collect()
}

/// The relation in each number system, as JSON.
pub fn domains_json(answers: &[Answer], said: impl Fn(&Answer) -> Relation) -> Value {
    let entry = |answer: &Answer| (answer.system.to_string(), said(answer).word().into());
    Value::Object(answers.iter().map(entry).collect())
}

/// The counterexample of each number system that has one, as JSON.
pub fn counterexamples_json<'a>(
    answers: &'a [Answer],
    shown: impl Fn(&'a Answer) -> Option<&'a Counterexample>,
) -> Value {
    let entry = |answer: &'a Answer| Some((answer.system.to_string(), shown(answer)?.to_json()));
    Value::Object(answers.iter().filter_map(entry).collect())
}

/// The laws that a proof uses, as a line; nothing if it uses none.
pub fn laws_text(laws: &[&str]) -> String {
    if laws.is_empty() { String::new() } else { format!("laws that the proof uses: {}\n", laws.join(", ")) }
}
