//! Renders the ledger as one self-contained page.

use crate::evidence::{Evidence, Violation};
use crate::finite::FiniteF32;
use crate::ledger::{ClaimVerdict, Entry, RepairEvidence};
use crate::survey::LIMIT;
use base::escaping::html;
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, StatementMethod};
use rink::parsing::parse;
use rink::store::{Store, StoredTensor, index_of};
use rink::tensor_type::VectorLength;
use rink::typing::{type_padded, type_program};
use selfsame_core::counterexample::{Counterexample, WrittenTensor, text};
use values::{Division, Extended, Listed, NumberSystem, SystemName, Visitor};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --pad: #8883; --hit: #e5484d55; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } .summary { color: #888; margin-top: 0; }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
h2 { font-size: 1rem; margin: 0; font-family: ui-monospace, monospace; }
h2 small { font-family: system-ui, sans-serif; font-weight: normal; color: #888; margin-left: .5rem; }
.badge { display: inline-block; border-radius: .3rem; padding: 0 .5rem; margin-right: .6rem; color: #fff; font-size: .85rem; }
.proved { background: #1a7f37; } .tested { background: #0969da; } .repaired { background: #9a6700; }
.refuted { background: #cf222e; } .unknown { background: #6e7781; }
blockquote { margin: .5rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
ul { margin: .3rem 0; font-size: .9rem; color: #888; } summary { cursor: pointer; }
pre { background: var(--pad); padding: .6rem; border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere; }
table.tensor { border-collapse: collapse; display: inline-table; margin: .2rem .8rem .6rem 0; vertical-align: top; }
table.tensor td { border: 1px solid var(--line); padding: .1rem .5rem; text-align: right; font-family: ui-monospace, monospace; font-size: .9rem; }
table.tensor caption { text-align: left; font-size: .85rem; color: #888; }
td.pad { background: var(--pad); } td.hit { background: var(--hit); outline: 2px solid #e5484d; }
";

/// The page.
pub fn page(entries: &[Entry]) -> String {
    let verdicts = [
        ClaimVerdict::Proved,
        ClaimVerdict::Tested,
        ClaimVerdict::Repaired,
        ClaimVerdict::Refuted,
        ClaimVerdict::Unknown,
    ];
    let count = |verdict| entries.iter().filter(|entry| entry.verdict() == verdict).count();
    let counts: Vec<String> =
        verdicts.iter().map(|&verdict| format!("{} {}", count(verdict), verdict.word())).collect();
    let articles: String = entries.iter().map(article).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Selfsame: the ledger</title>\n<style>{STYLE}</style>\n<h1>The ledger: published claims, checked</h1>\n\
         <p class=\"summary\">{} claims: {}. Proved: for all values, programs and sizes in the stated range; tested: \
         exhaustively or at random within it; repaired: false as printed, with a repair that has verdicts of its own. \
         Shaded elements are padding; the outlined one shows the violation.</p>\n\
         {articles}</html>\n",
        entries.len(),
        counts.join(", ")
    )
}

fn article(entry: &Entry) -> String {
    let verdict = entry.verdict().word();
    let repair = |repair: &RepairEvidence| {
        let badge = badge(repair.verdict().word());
        format!("<p>{badge}<b>Repair.</b> {}</p>\n{}", html(repair.statement), means(&repair.evidence))
    };
    let repairs: String = entry.repairs.iter().map(repair).collect();
    format!(
        "<article id=\"{id}\">\n<h2>{}{id}<small>{}</small></h2>\n<blockquote>{}</blockquote>\n{}{}{repairs}</article>\n",
        badge(verdict),
        html(entry.claim.source),
        html(entry.claim.statement),
        means(&entry.evidence),
        entry.violation().map_or(String::new(), counterexample),
        id = entry.claim.id,
    )
}

fn badge(word: &str) -> String {
    format!("<span class=\"badge {word}\">{word}</span>")
}

fn means(evidence: &[Evidence]) -> String {
    let cases: u64 = evidence.iter().map(|evidence| evidence.cases).sum();
    let lines: String = evidence.iter().map(|e| format!("<li>{}</li>", html(&e.describe()))).collect();
    format!(
        "<details><summary>{} {}, {cases} cases</summary><ul>{lines}</ul></details>\n",
        evidence.len(),
        if evidence.len() == 1 { "check" } else { "checks" }
    )
}

fn counterexample(violation: &Violation) -> String {
    let program = format!(
        "<p><b>Counterexample.</b> {}</p>\n<pre>{}</pre>\n",
        html(&violation.says),
        html(&violation.program)
    );
    let tensors = violation.counterexample.as_ref().map_or(String::new(), |counterexample| {
        rendered(&violation.program, counterexample).unwrap_or_else(|| inputs(counterexample))
    });
    program + &tensors
}

/// The inputs alone, if the program cannot be run again.
fn inputs(counterexample: &Counterexample) -> String {
    let table = |tensor: &WrittenTensor| {
        let cells = tensor.elements().map(|element| Cell { text: text(element), class: "" }).collect();
        table(&tensor.name, tensor.extents.last().map_or(1, |extent| extent.unsigned_abs() as usize), cells)
    };
    counterexample.inputs.iter().map(table).collect()
}

fn rendered(program: &str, counterexample: &Counterexample) -> Option<String> {
    match SystemName::named(counterexample.system) {
        Some(system) => system.visit(Rerun { program, counterexample }),
        None if counterexample.system == FiniteF32.name() => run(FiniteF32, program, counterexample),
        None => None,
    }
}

struct Rerun<'a> {
    program: &'a str,
    counterexample: &'a Counterexample,
}

impl Visitor for Rerun<'_> {
    type Output = Option<String>;

    fn visit<S: Listed>(self, system: S) -> Option<String> {
        run(system, self.program, self.counterexample)
    }
}

/// Runs the counterexample again, plain and padded, and shows the padded store before, and the violating variable
/// after.
fn run<S: NumberSystem<Number: Default>>(
    system: S,
    text: &str,
    counterexample: &Counterexample,
) -> Option<String> {
    let domain = &Extended(system);
    let program = &parse(text).program;
    let typing = &type_program(program).ok()?;
    let m = counterexample
        .parameters
        .iter()
        .find(|(name, _)| name == "M")
        .and_then(|(_, m)| VectorLength::new(m.parse().ok()?))?;
    let rounded = &type_padded(program, m).ok()?;
    let typed = Typed { program, typing };
    let variables = input_variables(typed);
    let given = |name: &str| counterexample.inputs.iter().find(|tensor| tensor.name == name);
    let mut elements = Vec::new();
    for variable in &variables {
        match given(&variable.name) {
            Some(tensor) => {
                elements.extend(tensor.elements().map(|e| e.as_ref().and_then(|l| domain.0.read(l).ok())))
            }
            None => elements.extend(vec![None; variable.elements()]),
        }
    }
    let plain = initial_store(domain, typed, &variables, &elements, LIMIT).ok()?;
    let padded = plain.padded(domain, program, rounded, LIMIT).ok()?;
    let finish = |typing, store: Store<Extended<S>>| {
        let (division, method) = (Division::Controlled, StatementMethod::PointWise);
        Evaluation { domain, program, typing, division, method, max_elements: LIMIT }.run(store).ok()
    };
    let (plain_end, padded_end) = (finish(typing, plain)?, finish(rounded, padded.clone())?);
    let x = program.find_name(&counterexample.variable)?;
    let tensor = |store: &Store<Extended<S>>, caption: &str, name: &str, hit: bool| {
        let x = program.find_name(name)?;
        let in_range = &variables.iter().find(|variable| variable.name == name)?.extents;
        let hit = hit.then_some(counterexample.index.as_slice());
        Some(shaded(&domain.0, caption, store.tensor(x)?, in_range, hit))
    };
    let before = variables.iter().filter(|variable| given(&variable.name).is_some());
    let before: String = before.filter_map(|v| tensor(&padded, &v.name, &v.name, false)).collect();
    let name = program.name(x);
    let after = tensor(&plain_end, &format!("{name}, plain"), name, true)?
        + &tensor(&padded_end, &format!("{name}, padded"), name, true)?;
    Some(format!(
        "<p>In <code>{}</code> with M = {}, before:</p>\n{before}\n<p>After:</p>\n{after}\n",
        domain.0.name(),
        m.get()
    ))
}

struct Cell {
    text: String,
    class: &'static str,
}

fn shaded<S: NumberSystem<Number: Default>>(
    system: &S,
    caption: &str,
    tensor: &StoredTensor<Extended<S>>,
    in_range: &[usize],
    hit: Option<&[i64]>,
) -> String {
    let cell = |at: usize| {
        let index = index_of(&tensor.extents, at);
        let inside = index.iter().zip(in_range).all(|(&i, &extent)| i <= extent as u64);
        let is_hit = hit.is_some_and(|hit| hit.iter().map(|i| i.cast_unsigned()).eq(index.iter().copied()));
        let class = match (is_hit, inside) {
            (true, _) => "hit",
            (false, true) => "",
            (false, false) => "pad",
        };
        Cell { text: text(&tensor.get(at).map(|number| system.write(&number))), class }
    };
    table(caption, tensor.extents.last().copied().unwrap_or(1), (0..tensor.len()).map(cell).collect())
}

/// A table of rows of `width` cells; further dimensions are stacked.
fn table(caption: &str, width: usize, cells: Vec<Cell>) -> String {
    let cell = |cell: &Cell| format!("<td class=\"{}\">{}</td>", cell.class, html(&cell.text));
    let rows: String = cells
        .chunks(width.max(1))
        .map(|row| format!("<tr>{}</tr>", row.iter().map(cell).collect::<String>()))
        .collect();
    format!("<table class=\"tensor\"><caption>{}</caption>{rows}</table>\n", html(caption))
}
