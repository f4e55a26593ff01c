//! Verdicts: the options of the question, and the text of the answer.

use crate::input::parameters::ParameterArgs;
use crate::limits::DEFAULT_MAX_ELEMENTS;
use crate::setup::DivisionName;
use crate::systems::SystemName;
use clap::{Args, ValueEnum};
use rink::decision::{Counterexample, SystemVerdict, Verdict, WrittenTensor};
use selfsame_core::relation::Relation;
use std::fmt;
use std::str::FromStr;
use values::{Division, Literal};

/// What every command that gives a verdict is asked.
#[derive(Debug, Args)]
pub struct VerdictArgs {
    /// The sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system of the verdict; `all` takes the weakest verdict
    #[arg(long, value_name = "DOMAIN|all", default_value_t)]
    pub values: ValuesArg,
    /// The meaning of `/` [default: controlled, and extended in ALPHA]
    #[arg(long, value_enum)]
    pub division: Option<DivisionName>,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_ELEMENTS)]
    pub max_elements: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The argument of `--values` for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuesArg {
    /// One number system.
    One(SystemName),
    /// All number systems, of which the weakest verdict counts.
    All,
}

impl VerdictArgs {
    /// The division for the tensor model language; controlled by default.
    pub fn division(&self) -> Division {
        self.division.map_or(Division::Controlled, Division::from)
    }
}

impl Default for ValuesArg {
    fn default() -> ValuesArg {
        ValuesArg::One(SystemName::default())
    }
}

impl fmt::Display for ValuesArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValuesArg::One(name) => name.fmt(f),
            ValuesArg::All => f.write_str("all"),
        }
    }
}

impl FromStr for ValuesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ValuesArg, String> {
        if text == "all" {
            return Ok(ValuesArg::All);
        }
        let names =
            || SystemName::value_variants().iter().map(SystemName::to_string).collect::<Vec<_>>().join(", ");
        SystemName::from_str(text, false)
            .map(ValuesArg::One)
            .map_err(|_| format!("expected one of {}, all", names()))
    }
}

/// The names of the left and the right value of a counterexample.
pub type SideNames = [&'static str; 2];

/// A verdict as text: the answer, one line per number system, the laws of the proof, and the counterexample.
pub fn verdict_text(verdict: &Verdict, values: &str, relation: Relation, sides: SideNames) -> String {
    let headline = verdict.headline(values);
    let system = headline.map_or("", |headline| headline.system);
    let mut text = format!("{relation} in `{system}` ({})\n", verdict.range);
    for system in &verdict.systems {
        text.push_str(&format!("  {:10} {}\n", system.system, one_line(system, sides)));
    }
    if !verdict.laws.is_empty() {
        text.push_str(&format!("laws that the proof uses: {}\n", verdict.laws.join(", ")));
    }
    if let Some(counterexample) = headline.and_then(|headline| headline.counterexample.as_ref()) {
        text.push_str(&counterexample_text(counterexample, sides));
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
            element(&counterexample.left),
            element(&counterexample.right)
        ));
    }
    if let Some(open) = &verdict.open {
        line.push_str(&format!(" ({open})"));
    }
    line
}

fn element_name(counterexample: &Counterexample) -> String {
    let index: Vec<String> = counterexample.index.iter().map(u64::to_string).collect();
    match index.is_empty() {
        true => counterexample.variable.clone(),
        false => format!("{}[{}]", counterexample.variable, index.join(" ")),
    }
}

/// A counterexample as text: sizes, input tensors and both values.
pub fn counterexample_text(counterexample: &Counterexample, [left, right]: SideNames) -> String {
    let mut text = format!("counterexample in `{}`:\n", counterexample.system);
    for (parameter, value) in &counterexample.parameters {
        text.push_str(&format!("  {parameter} = {value}\n"));
    }
    for tensor in &counterexample.inputs {
        text.push_str(&format!("  {} = {}\n", tensor.name, tensor_line(tensor)));
    }
    let name = element_name(counterexample);
    let width = left.len().max(right.len()) + 1;
    for (side, value) in [(left, &counterexample.left), (right, &counterexample.right)] {
        text.push_str(&format!("  {:width$} {name} = {}\n", format!("{side}:"), element(value)));
    }
    text
}

fn element(literal: &Option<Literal>) -> String {
    literal.as_ref().map_or_else(|| "•".to_owned(), Literal::to_string)
}

/// A tensor by rows, such as `[[1 2] [3 4]]`.
fn tensor_line(tensor: &WrittenTensor) -> String {
    let mut parts: Vec<String> = tensor.elements.iter().map(element).collect();
    for &extent in tensor.extents.iter().rev() {
        parts = parts.chunks(extent.max(1)).map(|row| format!("[{}]", row.join(" "))).collect();
    }
    parts.join(" ")
}
