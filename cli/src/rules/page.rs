//! The table of rules as one self-contained page; counterexamples open on a click.

use super::rows::{Row, signs};
use super::table::{SYSTEMS, counterexample_text, reason_text};
use rewrites::judging::Judgement;
use rewrites::verdict::{Answer, Verdict};
use semantics::decision::Relation;

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
summary { cursor: pointer; } pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
";

/// The page.
pub fn page(rows: &[Row<'_>]) -> String {
    let heads: String = SYSTEMS.iter().map(|system| format!("<th>{system}</th>")).collect();
    let (mut body, mut file) = (String::new(), "");
    for row in rows {
        if row.file.source.name != file {
            file = &row.file.source.name;
            let span = SYSTEMS.len() + 2;
            body.push_str(&format!("<tr class=\"file\"><th colspan=\"{span}\">{}</th></tr>\n", escape(file)));
        }
        body.push_str(&line(row));
    }
    let expected = rows.iter().filter(|row| is_expected(row)).count();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Selfsame: rewrite rules</title>\n<style>{STYLE}</style>\n<h1>Rewrite rules, verified</h1>\n\
         <p class=\"summary\">{} rules, {expected} as expected. = the same for every size; ⊑ the same where the left side is \
         defined; ≠ a counterexample; ? unknown; · no meaning there. Two signs: for defined inputs, and for inputs that may be \
         undefined. A click on ≠ or ⊑ shows the counterexample.</p>\n\
         <table>\n<thead><tr><th>rule</th>{heads}<th>laws</th></tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</html>\n",
        rows.len(),
    )
}

fn is_expected(row: &Row<'_>) -> bool {
    matches!(&row.result, Ok((_, Judgement::Expected)))
}

fn line(row: &Row<'_>) -> String {
    let class = if is_expected(row) { "" } else { " class=\"wrong\"" };
    let name = format!(
        "<td class=\"rule\">{}<div class=\"statement\">{}</div></td>",
        escape(&row.rule.name.text),
        escape(&row.rule.statement)
    );
    match &row.result {
        Err(fault) => {
            let span = SYSTEMS.len() + 1;
            format!("<tr{class}>{name}<td colspan=\"{span}\">{}</td></tr>\n", escape(&fault.message))
        }
        Ok((verdict, judgement)) => {
            let cells: String = SYSTEMS.iter().map(|system| cell(verdict.in_system(system))).collect();
            format!("<tr{class}>{name}{cells}<td>{}</td></tr>\n", notes(verdict, judgement))
        }
    }
}

fn cell(answer: Option<&Answer>) -> String {
    let Some(answer) = answer else { return "<td class=\"open\">·</td>".to_owned() };
    let class = match answer.relations[0] {
        Relation::Equivalent => "yes",
        Relation::Refines => "refines",
        Relation::Different => "no",
        Relation::Unknown => "open",
    };
    let sign = signs(answer);
    match answer.counterexamples.iter().flatten().next() {
        None => format!("<td class=\"{class}\">{sign}</td>"),
        Some(found) => {
            let text = escape(&counterexample_text(found));
            format!(
                "<td class=\"{class}\"><details><summary>{sign}</summary><pre>{text}</pre></details></td>"
            )
        }
    }
}

fn notes(verdict: &Verdict, judgement: &Judgement) -> String {
    let said = match judgement {
        Judgement::Expected => None,
        Judgement::Unexpected(reason) => Some(format!("not as expected: {reason}")),
        Judgement::Undecided(reason) => Some(format!("unknown: {reason}")),
        Judgement::Vacuous(reason) => Some(format!("vacuous: {reason}")),
    };
    // A right side without meaning is shown by no values.
    let shown =
        |answer: &Answer| answer.relations[0] != Relation::Different || answer.counterexamples[0].is_some();
    let open = (!verdict.answers.iter().all(shown)).then(|| reason_text(verdict));
    let laws = Some(verdict.laws.join(", "));
    let parts = said.map(|said| format!("<b>{}</b>", escape(&said))).into_iter();
    let quiet = [open, laws].into_iter().flatten().filter(|text| !text.is_empty()).map(|text| escape(&text));
    parts.chain(quiet).collect::<Vec<_>>().join("<br>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
