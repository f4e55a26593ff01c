//! The table of rules as one self-contained HTML page; a click opens a counterexample.

use super::rows::{Counts, Finding, Row, signs};
use super::table::{assumed_text, implied_text};
use base::escaping::html;
use rewrites::verdict::Verdict;
use rewrites::verification::judging::{Complaint, Judgement};
use rewrites::verification::meaning::Meaningless;
use selfsame::text::{counterexample_text, narrower_text};
use selfsame_core::relation::Relation;
use values::SystemName;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --quiet: #888; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } .summary, .statement { color: var(--quiet); margin-top: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; }
tr.file th { padding-top: 1.2rem; font-size: 1.05rem; }
td.rule { font-family: ui-monospace, monospace; } .statement { font-family: system-ui, sans-serif; font-size: .85rem; }
.yes { color: #1a7f37; } .refines { color: #9a6700; } .no { color: #cf222e; } .open { color: #6e7781; }
.wrong { background: #e5484d33; }
summary { cursor: pointer; white-space: nowrap; } pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
td:not(.rule) pre { position: absolute; z-index: 1; min-width: 18rem; max-width: 40rem; padding: .5rem .7rem; background: Canvas;
  color: CanvasText; border: 1px solid var(--line); border-radius: .3rem; box-shadow: 0 2px 8px var(--line); }
";

/// The rules as an HTML page.
pub fn page(rows: &[Row], asked: Option<SystemName>) -> String {
    let systems = asked.map_or(&SystemName::ALL[..], SystemName::alone);
    let heads: String = systems.iter().map(|system| format!("<th>{system}</th>")).collect();
    let (mut body, mut file) = (String::new(), "");
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            let span = systems.len() + 3;
            body.push_str(&format!("<tr class=\"file\"><th colspan=\"{span}\">{}</th></tr>\n", html(file)));
        }
        body.push_str(&line(row, systems));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Selfsame: rewrite rules</title>\n<style>{STYLE}</style>\n<h1>Rewrite rules, verified</h1>\n\
         <p class=\"summary\">{}. = the same for every size, and for the choices that the rule names, such as ranks from 0 to 3; ⊑ the same where the left side is \
         defined; ≠ a counterexample; ⊑? not the same, and not known whether ⊑; ? unknown; · not the stated meaning there. Two signs: for defined inputs, and for inputs that may be \
         undefined. A click on ≠, ⊑ or ⊑? shows the counterexample, one on the name of a rule its text.</p>\n\
         <table>\n<thead><tr><th>rule</th>{heads}<th>laws of the proof</th><th>notes</th></tr></thead>\n<tbody>\n{body}</tbody>\n\
         </table>\n</html>\n",
        Counts::of(rows).text(),
    )
}

fn line(row: &Row, systems: &[SystemName]) -> String {
    let class = if row.judgement() == Some(&Judgement::Expected) { "" } else { " class=\"wrong\"" };
    let rule = row.rule();
    let name = format!(
        "<td class=\"rule\"><details><summary>{}</summary><pre>{}</pre>{}</details><div class=\"statement\">{}</div></td>",
        html(&rule.name.text),
        html(row.text()),
        assumed(row),
        html(&rule.statement)
    );
    let wide = |text: &str| {
        let span = systems.len() + 2;
        format!("<tr{class}>{name}<td colspan=\"{span}\">{}</td></tr>\n", html(text))
    };
    match &row.finding {
        Finding::IllFormed(fault) => wide(&format!("ill-formed: {}: {}", fault.code, fault.message)),
        Finding::Unfinished(why) => wide(&format!("not reached: {why}")),
        Finding::Crashed(crash) => wide(&crash.to_string()),
        Finding::Verified(_, Judgement::Vacuous(reason)) => wide(&format!("vacuous: {reason}")),
        Finding::Verified(verdict, judgement) => {
            let cells: String = systems.iter().map(|&system| cell(verdict, system)).collect();
            let (laws, notes) = (html(&verdict.laws.join(", ")), notes(verdict, judgement));
            format!("<tr{class}>{name}{cells}<td>{laws}</td><td>{notes}</td></tr>\n")
        }
    }
}

fn assumed(row: &Row) -> String {
    let Finding::Verified(verdict, _) = &row.finding else { return String::new() };
    let assumed = assumed_text(verdict).map(|assumed| format!("<p>assumed: {}</p>", html(&assumed)));
    assumed.unwrap_or_default()
}

fn cell(verdict: &Verdict, system: SystemName) -> String {
    let Some(answer) = verdict.in_system(system) else { return "<td class=\"open\">·</td>".to_owned() };
    let class = match answer.relations.defined {
        Relation::Equivalent => "yes",
        Relation::Refines => "refines",
        Relation::Different => "no",
        Relation::Unknown | Relation::Unequal => "open",
    };
    let sign = signs(answer);
    // If the right side has no meaning, sizes show it, and there are no values.
    let sizes = verdict.meaningless.as_ref().filter(|_| answer.relations.defined == Relation::Different);
    let found = answer.counterexamples.iter().flatten().next();
    match found.map(counterexample_text).or(sizes.map(Meaningless::text)) {
        None => format!("<td class=\"{class}\">{sign}</td>"),
        Some(text) => format!(
            "<td class=\"{class}\"><details><summary>{sign}</summary><pre>{}</pre></details></td>",
            html(&text)
        ),
    }
}

fn notes(verdict: &Verdict, judgement: &Judgement) -> String {
    let open = |complaint: &Complaint| match &verdict.open {
        Some(open) => format!("unknown: {}; open: {open}", complaint.text),
        None => format!("unknown: {}", complaint.text),
    };
    let said = format!("{}{}", implied_text(verdict), narrower_text(verdict));
    let narrower = html(said.trim_end());
    let said = match judgement {
        Judgement::Expected | Judgement::Vacuous(_) => return narrower,
        Judgement::Unexpected(complaint) => format!("not as expected: {}", complaint.text),
        Judgement::Undecided(complaint) => open(complaint),
    };
    format!("<b>{}</b> {narrower}", html(&said))
}
