//! The table of rules as text.

use super::rows::{Counts, Finding, Row, signs};
use base::escaping::in_line;
use rewrites::judging::Judgement;
use rewrites::meaning::Meaningless;
use rewrites::verdict::{Answer, Verdict};
use selfsame_core::counterexample::{
    Counterexample, Written, WrittenCall, WrittenElements, WrittenTensor, text as written,
};
use values::{Literal, NUMBER_SYSTEMS};

/// The table: one line per rule, an unexpected or undecided result below it, and a summary. If `explained`, also
/// the assumptions about each rule, the laws of its proof, and its counterexamples.
pub fn text(rows: &[Row], explained: bool) -> String {
    let width = rows.iter().map(|row| row.rule().name.text.chars().count()).max().unwrap_or(0).max(4);
    let heading = format!("{:width$}  {}", "rule", NUMBER_SYSTEMS.map(|s| format!("{s:8}")).join(" "));
    let mut text = format!("{}\n", heading.trim_end());
    let mut file = "";
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            text.push_str(&format!("{file}\n"));
        }
        text.push_str(&line(row, width));
        if let (true, Finding::Verified(verdict, judgement)) = (explained, &row.finding) {
            text.push_str(&indented(&explanation(verdict, judgement)));
        }
    }
    text.push_str(&legend());
    text.push_str(&format!("{}\n", Counts::of(rows).text()));
    text
}

fn line(row: &Row, width: usize) -> String {
    let name = &row.rule().name.text;
    let (verdict, judgement) = match &row.finding {
        Finding::IllFormed(fault) => {
            return format!("{name:width$}  ill-formed: {}: {}\n", fault.code, in_line(&fault.message));
        }
        Finding::Unfinished(why) => return format!("{name:width$}  not reached: {why}\n"),
        Finding::Crashed(crash) => return format!("{name:width$}  {}\n", in_line(&crash.to_string())),
        Finding::Verified(_, Judgement::Vacuous(reason)) => {
            return format!("{name:width$}  vacuous: {}\n", in_line(reason));
        }
        Finding::Verified(verdict, judgement) => (verdict, judgement),
    };
    let sign = |system| verdict.in_system(system).map_or("·".to_owned(), signs);
    let cells = NUMBER_SYSTEMS.map(|system| format!("{:8}", sign(system)));
    let mut line = format!("{}\n", format!("{name:width$}  {}", cells.join(" ")).trim_end());
    line.push_str(&indented(&implied_text(verdict)));
    match judgement {
        Judgement::Expected | Judgement::Vacuous(_) => {}
        Judgement::Unexpected(complaint) => {
            line.push_str(&format!("    not as expected: {}\n", complaint.text));
            let shown = match first_counterexample(verdict, complaint.system) {
                text if text.is_empty() => reason_text(verdict),
                text => text,
            };
            line.push_str(&indented(&shown));
            line.push_str(&indented(&narrower_text(verdict)));
        }
        Judgement::Undecided(complaint) => {
            let open = verdict.open.as_deref().map(|open| format!("; open: {open}")).unwrap_or_default();
            line.push_str(&format!("    unknown: {}{}\n", complaint.text, in_one_line(&open)));
            let shown =
                complaint.system.map_or(String::new(), |system| first_counterexample(verdict, Some(system)));
            line.push_str(&indented(&shown));
        }
    }
    if let Some(note) = row.standing.note() {
        line.push_str(&format!("    note: {}\n", in_line(&note)));
    }
    line
}

/// The assumptions about sizes, the laws of the proof, and, if the verdict is expected, its distinct
/// counterexamples.
fn explanation(verdict: &Verdict, judgement: &Judgement) -> String {
    let mut text = assumed_text(verdict).map_or(String::new(), |assumed| format!("assumed: {assumed}\n"));
    if !verdict.laws.is_empty() {
        text.push_str(&format!("laws that the proof uses: {}\n", verdict.laws.join(", ")));
    }
    if matches!(judgement, Judgement::Expected) {
        let refuted = verdict.answers.iter().flat_map(|answer| answer.counterexamples.iter().flatten());
        match first_of_its_kind(refuted).map(counterexample_text).collect::<String>() {
            none if none.is_empty() && verdict.meaningless.is_some() => text.push_str(&reason_text(verdict)),
            shown => text.push_str(&shown),
        }
        text.push_str(&narrower_text(verdict));
    }
    text
}

/// The sizes that must be positive for the rule to hold, as a line; empty if this is not known.
pub fn narrower_text(verdict: &Verdict) -> String {
    verdict.narrower.as_ref().map_or(String::new(), |narrower| format!("{narrower}\n"))
}

/// The counterexamples without repetitions in other number systems.
fn first_of_its_kind<'a>(
    all: impl Iterator<Item = &'a Counterexample>,
) -> impl Iterator<Item = &'a Counterexample> {
    let mut known = Vec::new();
    all.filter(move |found| {
        let what = counterexample_text(found).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        let what = (found.parameters.clone(), what);
        let new = !known.contains(&what);
        known.push(what);
        new
    })
}

/// The assumptions about sizes, if any; for one of the rule's choices, if it has choices.
pub fn assumed_text(verdict: &Verdict) -> Option<String> {
    let assumed = &verdict.assumed;
    let among = among(&assumed.choices);
    (!assumed.conditions.is_empty()).then(|| format!("{}{among}", assumed.conditions.join(", ")))
}

/// The equations between extents that the left side implies although the rule does not state them.
pub fn implied_text(verdict: &Verdict) -> String {
    let assumed = &verdict.assumed;
    match assumed.equations.is_empty() {
        true => String::new(),
        false => {
            let among = among(&assumed.choices);
            format!("the left side has a meaning only if {}{among}\n", assumed.equations.join(", "))
        }
    }
}

fn among(choices: &[(String, String)]) -> String {
    let choices: Vec<String> = choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if choices.is_empty() { String::new() } else { format!(" (where {})", choices.join(", ")) }
}

/// The reason why the right side has no meaning, or the open question.
pub fn reason_text(verdict: &Verdict) -> String {
    let meaningless = verdict.meaningless.as_ref().map(Meaningless::text);
    meaningless.or_else(|| verdict.open.clone()).unwrap_or_default()
}

/// The counterexample in the number system, or else in the first system that has one; empty if none has.
fn first_counterexample(verdict: &Verdict, system: Option<&str>) -> String {
    let of = |answer: &Answer| answer.counterexamples.iter().flatten().next().map(counterexample_text);
    let wanted = system.and_then(|system| verdict.in_system(system)).and_then(of);
    wanted.or_else(|| verdict.answers.iter().find_map(of)).unwrap_or_default()
}

/// A reason in one line, although its expressions may span several.
pub fn in_one_line(reason: &str) -> String {
    in_line(&reason.lines().collect::<Vec<_>>().join("; ")).into_owned()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn legend() -> String {
    "=  the same    ⊑  the same where the left side is defined    ≠  a counterexample    ⊑?  not the same, and not known whether ⊑\n\
     ?  unknown    ·  not the stated meaning there\n\
     two signs: for defined inputs, and for inputs that may be undefined; all for the choices (`for r in 0..3`) that a rule names\n"
        .to_owned()
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
