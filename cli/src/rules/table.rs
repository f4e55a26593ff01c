//! The table of rules as text.

use super::counts::RuleCounts;
use super::rows::{RuleFinding, RuleRow, columns, signs};
use base::escaping::in_line;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::judging::{Complaint, Conformance};
use selfsame::reasons::{further_text, open_text, reason_of, reasons};
use selfsame::text::{PROGRAMS, counterexample_text, narrower_text, reason_text};
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use values::{System, SystemName};

/// The table: one line per rule, an unexpected or undecided result below it, and a summary. If `explained`, also
/// the assumptions about each rule, the laws of its proof, and its counterexamples.
pub fn text(rows: &[RuleRow], (system, asked): (&System, Option<SystemName>), explained: bool) -> String {
    let systems = &columns(rows, asked)[..];
    let width = rows.iter().map(|row| row.rule().name.text.chars().count()).max().unwrap_or(0).max(4);
    let heading = format!(
        "{:width$}  {}",
        "rule",
        systems.iter().map(|s| format!("{s:8}")).collect::<Vec<_>>().join(" ")
    );
    let mut text = said_of(system).map_or_else(String::new, |said| format!("{said}\n"));
    text.push_str(&format!("{}\n", heading.trim_end()));
    let mut file = "";
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            text.push_str(&format!("{file}\n"));
        }
        text.push_str(&line(row, systems, width));
        if let (true, RuleFinding::Verified(verdict, conformance)) = (explained, &row.finding) {
            text.push_str(&indented(&explanation(verdict, conformance)));
        }
    }
    text.push_str(&legend());
    text.push_str(&format!("{}\n", RuleCounts::new(rows).text()));
    text
}

/// Which number system was named, if it is not the default.
pub fn said_of(system: &System) -> Option<String> {
    (!system.is_default()).then(|| format!("in the number system `{}`", system.name))
}

fn line(row: &RuleRow, systems: &[SystemName], width: usize) -> String {
    let name = &row.rule().name.text;
    let (verdict, conformance) = match &row.finding {
        RuleFinding::IllFormed(fault) => {
            return format!("{name:width$}  ill-formed: {}: {}\n", fault.code, in_line(&fault.message));
        }
        RuleFinding::Unfinished(why) => return format!("{name:width$}  not reached: {why}\n"),
        RuleFinding::Crashed(crash) => return format!("{name:width$}  {}\n", in_line(&crash.to_string())),
        RuleFinding::Verified(_, Conformance::Vacuous(reason)) => {
            return format!("{name:width$}  vacuous: {}\n", in_line(reason));
        }
        RuleFinding::Verified(verdict, conformance) => (verdict, conformance),
    };
    let sign = |system| verdict.in_system(system).map_or("·".to_owned(), signs);
    let cells: Vec<String> = systems.iter().map(|&system| format!("{:8}", sign(system))).collect();
    let mut line = format!("{}\n", format!("{name:width$}  {}", cells.join(" ")).trim_end());
    line.push_str(&indented(&implied_text(verdict)));
    match conformance {
        Conformance::Expected | Conformance::Vacuous(_) => {}
        Conformance::Unexpected(complaint) => {
            line.push_str(&format!("    not as expected: {}\n", complaint.text));
            let shown = match first_counterexample(verdict, complaint) {
                text if text.is_empty() => reason_text(verdict),
                text => text,
            };
            line.push_str(&indented(&shown));
            line.push_str(&indented(&narrower_text(verdict)));
        }
        Conformance::Undecided(complaint) => {
            let open = reason_of(verdict, complaint.system).map(|open| format!("; open: {open}"));
            line.push_str(&format!("    unknown: {}{}\n", complaint.text, open.unwrap_or_default()));
            let shown = complaint.system.map_or(String::new(), |_| first_counterexample(verdict, complaint));
            line.push_str(&indented(&shown));
        }
    }
    if let Some(note) = row.standing.note() {
        line.push_str(&format!("    note: {}\n", in_line(&note)));
    }
    line
}

/// The assumptions about sizes, the laws of the proof, and for each sign that is not `=` its counterexample or its
/// reason, except for the counterexample that an unexpected verdict already shows.
fn explanation(verdict: &ProverVerdict, conformance: &Conformance) -> String {
    let mut text = assumed_text(verdict).map_or(String::new(), |assumed| format!("assumed: {assumed}\n"));
    if !verdict.laws.is_empty() {
        text.push_str(&format!("laws that the proof uses: {}\n", verdict.laws.join(", ")));
    }
    let said = match conformance {
        Conformance::Expected | Conformance::Vacuous(_) => String::new(),
        Conformance::Unexpected(complaint) => first_counterexample(verdict, complaint),
        Conformance::Undecided(complaint) => {
            complaint.system.map_or(String::new(), |_| first_counterexample(verdict, complaint))
        }
    };
    let found = verdict.answers.iter().flat_map(|answer| answer.counterexamples.iter().flatten());
    let shown = further_text(&said, found, PROGRAMS);
    // An unexpected verdict already shows it.
    let is_said = matches!(conformance, Conformance::Unexpected(_)) || !shown.is_empty();
    if let Some(meaningless) = verdict.meaningless.as_ref().filter(|_| !is_said) {
        text.push_str(&format!("{}\n", meaningless.text()));
    }
    text.push_str(&shown);
    text.push_str(&open_text(&reasons(verdict, InputClass::Any)));
    if matches!(conformance, Conformance::Expected) {
        text.push_str(&narrower_text(verdict));
    }
    text
}

/// The assumptions about sizes, if any; for one of the rule's choices, if it has choices.
pub fn assumed_text(verdict: &ProverVerdict) -> Option<String> {
    let assumed = &verdict.assumed;
    let among = among(&assumed.choices);
    (!assumed.conditions.is_empty()).then(|| format!("{}{among}", assumed.conditions.join(", ")))
}

/// The equations between extents that the left side implies although the rule does not state them.
pub fn implied_text(verdict: &ProverVerdict) -> String {
    let assumed = &verdict.assumed;
    let mut text: String = verdict.illegal.iter().map(|choice| format!("left out: {choice}\n")).collect();
    if !assumed.equations.is_empty() {
        let (equations, among) = (assumed.equations.join(", "), among(&assumed.choices));
        text.push_str(&format!("the left side has a meaning only if {equations}{among}\n"));
    }
    text
}

fn among(choices: &[(String, String)]) -> String {
    let choices: Vec<String> = choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if choices.is_empty() { String::new() } else { format!(" (where {})", choices.join(", ")) }
}

/// The counterexample that a complaint is about, or else in the first number system that has one; empty if none has.
fn first_counterexample(verdict: &ProverVerdict, complaint: &Complaint) -> String {
    let of = |answer: &Answer| {
        let all = &answer.counterexamples;
        all[complaint.inputs].as_ref().or(all.iter().flatten().next()).map(counterexample_text)
    };
    let wanted = complaint.system.and_then(|system| verdict.in_system(system)).and_then(of);
    wanted.or_else(|| verdict.answers.iter().find_map(of)).unwrap_or_default()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn legend() -> String {
    "=  the same    ⊑  the same where the left side is defined    ≠  a counterexample    ⊑?  not the same; ⊑ is open\n\
     ?  unknown    ·  the rule has no meaning there\n\
     where a cell has two signs, the first is for defined inputs, the second for inputs that may be undefined; all are for the choices that a rule names (`for r in 0..3`)\n"
        .to_owned()
}
