//! The table that a person reads.

use super::rows::{Row, signs};
use rewrites::judging::Judgement;
use rewrites::meaning::Meaningless;
use rewrites::refutation::{Counterexample, WrittenCall, WrittenInput, text as written};
use rewrites::verdict::Verdict;
use semantics::diagnostics::counted;
use semantics::values::Literal;

/// The number systems, in the order of the columns.
pub const SYSTEMS: [&str; 7] = ["rational", "integer", "i32", "i64", "f32", "f64", "field"];

/// A line a rule, what is not as expected below it, and a summary.
pub fn text(rows: &[Row<'_>]) -> String {
    let width = rows.iter().map(|row| row.rule.name.text.chars().count()).max().unwrap_or(0).max(4);
    let heading = format!("{:width$}  {}", "rule", SYSTEMS.map(|s| format!("{s:8}")).join(" "));
    let mut text = format!("{}\n", heading.trim_end());
    let mut file = "";
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            text.push_str(&format!("{file}\n"));
        }
        text.push_str(&line(row, width));
    }
    text.push_str(&legend());
    text.push_str(&summary(rows));
    text
}

fn line(row: &Row<'_>, width: usize) -> String {
    let name = &row.rule.name.text;
    let Ok((verdict, judgement)) = &row.result else { return format!("{name:width$}  ill-formed\n") };
    let cells =
        SYSTEMS.map(|system| format!("{:8}", verdict.in_system(system).map_or("·".to_owned(), signs)));
    let mut line = format!("{}\n", format!("{name:width$}  {}", cells.join(" ")).trim_end());
    match judgement {
        Judgement::Expected => {}
        Judgement::Unexpected(reason) => {
            line.push_str(&format!("    not as expected: {reason}\n"));
            match first_counterexample(verdict) {
                text if text.is_empty() => line.push_str(&indented(&reason_text(verdict))),
                text => line.push_str(&indented(&text)),
            }
        }
        Judgement::Undecided(reason) => {
            let open = verdict.open.as_deref().map(|open| format!("; open: {open}")).unwrap_or_default();
            line.push_str(&format!("    unknown: {reason}{open}\n"));
        }
        Judgement::Vacuous(reason) => line.push_str(&format!("    vacuous: {reason}\n")),
    }
    line
}

/// Why the right side has no meaning, or what is open.
pub fn reason_text(verdict: &Verdict) -> String {
    let meaningless = verdict.meaningless.as_ref().map(Meaningless::text);
    meaningless.or_else(|| verdict.open.clone()).unwrap_or_default()
}

fn first_counterexample(verdict: &Verdict) -> String {
    let all = verdict.answers.iter().flat_map(|answer| answer.counterexamples.iter().flatten());
    all.into_iter().next().map(counterexample_text).unwrap_or_default()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn legend() -> String {
    "=  the same    ⊑  the same where the left side is defined    ≠  a counterexample    ?  unknown    ·  no meaning there\n\
     two signs: for defined inputs, and for inputs that may be undefined\n"
        .to_owned()
}

fn summary(rows: &[Row<'_>]) -> String {
    let count = |test: fn(&Judgement) -> bool| {
        rows.iter().filter(|row| row.result.as_ref().is_ok_and(|(_, judgement)| test(judgement))).count()
    };
    let counts = [
        (count(|j| *j == Judgement::Expected), "as expected"),
        (count(|j| matches!(j, Judgement::Unexpected(_))), "not as expected"),
        (count(|j| matches!(j, Judgement::Undecided(_))), "unknown"),
        (count(|j| matches!(j, Judgement::Vacuous(_))), "vacuous"),
        (rows.iter().filter(|row| row.result.is_err()).count(), "ill-formed"),
    ];
    let said = counts.iter().filter(|(count, what)| *count > 0 || *what == "as expected");
    let said: Vec<String> = said.map(|(count, what)| format!("{count} {what}")).collect();
    format!("{}: {}\n", counted(rows.len(), "rule"), said.join(", "))
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

/// `exp(2) = 7.389056, or 7.3890557 in another faithful implementation`
fn call_line(call: &WrittenCall) -> String {
    let texts = |literals: &[Literal]| literals.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (arguments, values) = (texts(&call.arguments).join(", "), texts(&call.values));
    let others = match &values[1..] {
        [] => String::new(),
        others => format!(", or {} in another faithful implementation", others.join(" or ")),
    };
    format!("  {}({arguments}) = {}{others}\n", call.function, values[0])
}

/// `[[1 2] [3 4]]`, by rows; what has no elements says its extents.
fn tensor_line(input: &WrittenInput) -> String {
    if input.elements.is_empty() {
        let extents: Vec<String> = input.extents.iter().map(i64::to_string).collect();
        return format!("no elements, extents [{}]", extents.join(" "));
    }
    let mut parts: Vec<String> = input.elements.iter().map(written).collect();
    for &extent in input.extents.iter().rev() {
        let size = usize::try_from(extent).unwrap_or(1).max(1);
        parts = parts.chunks(size).map(|row| format!("[{}]", row.join(" "))).collect();
    }
    parts.join(" ")
}
