//! `selfsame simulate FILE`: is padding safe for this program?

use super::equiv::{exit, typed};
use crate::exit::{Failure, Outcome};
use crate::input::program::{SourceArgs, load_program};
use crate::limits::{DEFAULT_MAX_ELEMENTS, Progress, check_declared};
use crate::output::json_text;
use crate::setup::{DivisionName, padding_failure, vector_length};
use crate::verdicts::{ValuesArg, verdict_text};
use clap::Args;
use semantics::decision::{Budget, Options, Relation, Verdict};
use semantics::tensor_model::simulation::{Safety, all_lengths, simulate};
use semantics::tensor_model::typing::VectorLength;
use serde_json::{Map, Value};
use std::time::Instant;

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The vector length, or `all`: 1 to one more than the largest extent
    #[arg(long, value_name = "M|all", default_value = "all", value_parser = lengths)]
    pub pad: Lengths,
    /// The number system that the verdict is for, or `all` for the weakest
    #[arg(long, value_name = "DOMAIN|all", default_value_t)]
    pub values: ValuesArg,
    /// Which division `/` is
    #[arg(long, value_enum, default_value_t)]
    pub division: DivisionName,
    /// Refuse tensors with more elements (exit code 3)
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_ELEMENTS)]
    pub max_elements: u64,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// Which vector lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// One.
    One(VectorLength),
    /// As many as make a difference to the declared extents.
    All,
}

fn lengths(text: &str) -> Result<Lengths, String> {
    if text == "all" { Ok(Lengths::All) } else { vector_length(text).map(Lengths::One) }
}

/// Decides in every number system whether padded evaluation agrees in range and leaves the padding 0.
///
/// # Errors
/// The program is at fault, or a tensor is too large.
pub fn execute(args: &SimulateArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let loaded = load_program(&args.source, progress)?;
    check_declared(&loaded.source, &loaded.program, &loaded.typing, args.max_elements, size_of::<u128>())?;
    let lengths = match args.pad {
        Lengths::One(m) => vec![m],
        Lengths::All => all_lengths(typed(&loaded)),
    };
    progress.set(format!("starting to pad {}", loaded.source.name));
    let options = Options { budget: Budget::default(), seed };
    let safety = simulate(typed(&loaded), &lengths, args.division.into(), args.max_elements, &options)
        .map_err(|errors| padding_failure(&loaded, lengths[0], &errors))?;
    let values = args.values.to_string();
    let relation = safety.both.headline(&values).map_or(Relation::Unknown, |headline| headline.relation);
    if !args.json {
        return Ok(Outcome::new(exit(relation, false), text(&safety, &values, relation)));
    }
    let mut json = safety.both.to_json(&values);
    json["in_range"] = domains(&safety.in_range);
    json["padding"] = domains(&safety.padding);
    json["seconds"] = start.elapsed().as_secs_f64().into();
    Ok(Outcome::new(exit(relation, false), json_text(&json)))
}

fn domains(verdict: &Verdict) -> Value {
    let entry = |system: &semantics::decision::SystemVerdict| {
        (system.system.to_owned(), Value::from(system.relation.word()))
    };
    Value::Object(verdict.systems.iter().map(entry).collect::<Map<_, _>>())
}

fn text(safety: &Safety, values: &str, relation: Relation) -> String {
    let answer = match relation {
        Relation::Equivalent => "padding is safe",
        Relation::Unknown => "it is not known whether padding is safe",
        Relation::Refines | Relation::Different => "padding is not safe",
    };
    let mut text = format!("{answer}\n\nin range, padded against plain evaluation:\n");
    let part = |verdict: &Verdict| {
        let relation = verdict.headline(values).map_or(Relation::Unknown, |headline| headline.relation);
        verdict_text(verdict, values, relation)
    };
    text.push_str(&part(&safety.in_range));
    text.push_str("\nin the padding, 0 against padded evaluation:\n");
    text.push_str(&part(&safety.padding));
    text
}
