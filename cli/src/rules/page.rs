//! The table of rules as one self-contained HTML page: two rows a rule, its signs and its details.

use super::counts::RuleCounts;
use super::rows::{RuleFinding, RuleRow, columns, signs};
use super::table::{assumed_text, implied_text, said_of};
use base::escaping::html;
use rewrites::verdict::ProverVerdict;
use rewrites::verification::judging::{Complaint, Conformance};
use selfsame::reasons::{reason_of, reasons};
use selfsame::text::{counterexample_text, narrower_text};
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::relation::Relation;
use values::{System, SystemName};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --quiet: #888; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { margin-bottom: 0; } .summary, .statement { color: var(--quiet); margin-top: 0; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; } th:first-child { width: 40%; }
th, td { padding: .25rem .5rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
tr.file th { padding-top: 1.2rem; font-size: 1.05rem; }
tr.details td { border-bottom: 1px solid var(--line); font-size: .85rem; padding-bottom: .5rem; }
td.rule { font-family: ui-monospace, monospace; } .statement { font-family: system-ui, sans-serif; font-size: .85rem; }
.yes { color: #1a7f37; } .refines { color: #9a6700; } .no { color: #cf222e; } .open { color: #6e7781; }
.wrong { background: #e5484d33; }
tr.details b { display: block; } tr.details details { display: inline-block; vertical-align: top; margin-right: 1rem; max-width: 100%; } summary { cursor: pointer; } pre { margin: .3rem 0; white-space: pre-wrap; font-size: .8rem; } p { margin: .2rem 0; }
@media (max-width: 45rem) {
  body { padding: 0 .5rem; } th, td { padding: .2rem .1rem; } table, thead, tbody { display: block; }
  tr { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); }
  td.rule, tr.details td, tr.file th { grid-column: 1 / -1; width: auto; } thead { font-size: .7rem; } thead th:first-child { display: none; }
  tr.details td { border-bottom-color: var(--line); }
}
";

/// The rules as an HTML page.
pub fn page(rows: &[RuleRow], (system, asked): (&System, Option<SystemName>)) -> String {
    let systems = &columns(rows, asked)[..];
    let width = systems.len() + 1;
    let heads: String = systems.iter().map(|system| format!("<th>{system}</th>")).collect();
    let (mut body, mut file) = (String::new(), "");
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            body.push_str(&format!("<tr class=\"file\"><th colspan=\"{width}\">{}</th></tr>\n", html(file)));
        }
        body.push_str(&line(row, systems));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Selfsame: rewrite rules</title>\n<style>{STYLE}</style>\n<h1>Rewrite rules, verified</h1>\n\
         <p class=\"summary\">{}{}. = the same for every size, and for the choices that the rule names, such as ranks from 0 to 3; ⊑ the same where the left side is \
         defined; ≠ a counterexample; ⊑? not the same; ⊑ is open; ? unknown; · the rule has no meaning there. Two signs: the first for defined inputs, the second for inputs that may be \
         undefined. Below each rule are its text, the laws of its proof, its counterexamples, and the reason of what is open.</p>\n\
         <table>\n<thead><tr><th>rule</th>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</html>\n",
        said_of(system).map_or_else(String::new, |said| format!("{}: ", html(&said))),
        RuleCounts::new(rows).text(),
    )
}

/// The two table rows of a rule: its signs, and below them its details.
fn line(row: &RuleRow, systems: &[SystemName]) -> String {
    let width = systems.len() + 1;
    let class = if row.conformance() == Some(&Conformance::Expected) { "" } else { " wrong" };
    let (cells, said) = match &row.finding {
        RuleFinding::IllFormed(fault) => {
            (String::new(), with_code(&format!("ill-formed: {}: {}", fault.code, fault.message)))
        }
        RuleFinding::Unfinished(why) => (String::new(), html(&format!("not reached: {why}"))),
        RuleFinding::Crashed(crash) => (String::new(), html(&crash.to_string())),
        RuleFinding::Verified(_, Conformance::Vacuous(reason)) => {
            (String::new(), html(&format!("vacuous: {reason}")))
        }
        RuleFinding::Verified(verdict, conformance) => {
            let cells = systems.iter().map(|&system| cell(verdict, system)).collect();
            (cells, format!("{}{}", notes(verdict, conformance), shown(verdict)))
        }
    };
    let span = if cells.is_empty() { width } else { 1 };
    format!(
        "<tr class=\"signs{class}\"><td class=\"rule\" colspan=\"{span}\">{}<div class=\"statement\">{}</div></td>{cells}</tr>\n\
         <tr class=\"details{class}\"><td colspan=\"{width}\">{said}{}</td></tr>\n",
        html(&row.rule().name.text),
        html(&row.rule().statement),
        details("rule", &format!("<pre>{}</pre>{}", html(row.text()), assumed(row))),
    )
}

/// A text as HTML; what stands between backticks is code.
fn with_code(text: &str) -> String {
    let escaped = html(text);
    let parts: Vec<&str> = escaped.split('`').collect();
    let part = |(at, part): (usize, &&str)| match at {
        0 => (*part).to_owned(),
        at if at % 2 == 0 => format!("</code>{part}"),
        // The last backtick closes nothing.
        at if at + 1 == parts.len() => format!("`{part}"),
        _ => format!("<code>{part}"),
    };
    parts.iter().enumerate().map(part).collect()
}

fn details(summary: &str, inside: &str) -> String {
    format!("<details><summary>{summary}</summary>{inside}</details>")
}

fn assumed(row: &RuleRow) -> String {
    let RuleFinding::Verified(verdict, _) = &row.finding else { return String::new() };
    let assumed = assumed_text(verdict).map(|assumed| format!("<p>assumed: {}</p>", html(&assumed)));
    let laws = match verdict.laws.is_empty() {
        true => String::new(),
        false => format!("<p>laws of the proof: {}</p>", html(&verdict.laws.join(", "))),
    };
    assumed.unwrap_or_default() + &laws
}

fn cell(verdict: &ProverVerdict, system: SystemName) -> String {
    let Some(answer) = verdict.in_system(system) else { return "<td class=\"open\">·</td>".to_owned() };
    // The weaker of both signs.
    let class = match answer.relations.defined.max(answer.relations.any) {
        Relation::Equivalent => "yes",
        Relation::Refines => "refines",
        Relation::Unequal | Relation::Different => "no",
        Relation::Unknown => "open",
    };
    format!("<td class=\"{class}\">{}</td>", signs(answer))
}

/// The counterexamples and reasons of the number systems, each of which opens.
fn shown(verdict: &ProverVerdict) -> String {
    let with = |answer: &&Answer| answer.counterexamples.iter().flatten().next().is_some();
    let found = verdict.answers.iter().filter(with).map(|answer| {
        let texts = answer.counterexamples.iter().flatten().next().map(counterexample_text);
        let summary = format!("{} in <code>{}</code>", signs(answer), answer.system);
        details(&summary, &format!("<pre>{}</pre>", html(&texts.unwrap_or_default())))
    });
    let open = reasons(verdict, InputClass::Any).into_iter().map(|(systems, reason)| {
        let summary = format!("open in <code>{}</code>", systems.join(", "));
        details(&summary, &format!("<pre>{}</pre>", html(&reason)))
    });
    let sizes = verdict
        .meaningless
        .iter()
        .map(|sizes| details("no meaning of the right side", &format!("<pre>{}</pre>", html(&sizes.text()))));
    found.chain(open).chain(sizes).collect()
}

fn notes(verdict: &ProverVerdict, conformance: &Conformance) -> String {
    let open = |complaint: &Complaint| match reason_of(verdict, complaint.system) {
        Some(open) => format!("unknown: {}; open: {open}", complaint.text),
        None => format!("unknown: {}", complaint.text),
    };
    let said = format!("{}{}", implied_text(verdict), narrower_text(verdict));
    let narrower = match said.trim_end() {
        "" => String::new(),
        said => format!("<p>{}</p>", with_code(said)),
    };
    let said = match conformance {
        Conformance::Expected | Conformance::Vacuous(_) => return narrower,
        Conformance::Unexpected(complaint) => format!("not as expected: {}", complaint.text),
        Conformance::Undecided(complaint) => open(complaint),
    };
    format!("<b>{}</b>{narrower}", with_code(&said))
}
