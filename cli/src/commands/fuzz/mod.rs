//! `selfsame fuzz`: tests implementations on random programs against the reference semantics.

mod campaign;
mod replay;
mod target;

use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::limits::Progress;
use ::fuzz::finding::Finding;
use ::fuzz::generation::SizeChoice;
use ::fuzz::judgement::FoundDifference;
use ::fuzz::oracles::ORACLES;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `fuzz`.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub struct FuzzArgs {
    /// What to test: `self` for this program, by all its oracles; one oracle; or an adapter of fuzz/adapters [default: self]
    #[arg(long, value_name = "NAME", conflicts_with = "exec")]
    pub target: Option<String>,
    /// Test a shell command that speaks the protocol of fuzz/PROTOCOL.md
    #[arg(long, value_name = "COMMAND")]
    pub exec: Option<String>,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = crate::limits::parse_timeout, conflicts_with = "cases")]
    pub seconds: Option<Duration>,
    /// Stop after this many cases [default: 10000]
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// The sizes of programs: `mixed`, from single elements to some hundreds along a dimension; `small`, at most 3 along each
    #[arg(long, value_name = "SIZES", value_parser = sizes, default_value = "mixed")]
    pub sizes: SizeChoice,
    /// Use this program for all cases, at the sizes of `--param`, with random inputs; it may be in any language
    #[arg(long, value_name = "FILE", conflicts_with = "sizes")]
    pub program: Option<PathBuf>,
    /// The sizes of `--program`
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The folder for findings, one file each
    #[arg(long, value_name = "DIR", default_value = "findings")]
    pub out: PathBuf,
    /// Rerun the case of a finding, on the target that it was found in, or on that of `--target` or `--exec`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seconds", "cases", "sizes", "out", "program"])]
    pub replay: Option<PathBuf>,
    /// The folder of the adapters
    #[arg(long, value_name = "DIR", default_value = "fuzz/adapters")]
    pub adapters: PathBuf,
    /// Stop a target that takes more than this many seconds to answer [default: 20; the first answer may always take 120]
    #[arg(long, value_name = "S", value_parser = crate::limits::parse_timeout)]
    pub answer: Option<Duration>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn sizes(text: &str) -> Result<SizeChoice, String> {
    match text {
        "mixed" => Ok(SizeChoice::Mixed),
        "small" => Ok(SizeChoice::Small),
        _ => Err("expected `mixed` or `small`".to_owned()),
    }
}

/// The end of the help text: the oracles, the adapters, and the words of a summary.
fn after_help() -> String {
    let oracles: Vec<String> =
        ORACLES.iter().map(|oracle| format!("  {:<13} {}", oracle.name, oracle.what)).collect();
    let adapters: Vec<&str> = target::ADAPTERS.iter().map(|(name, ..)| *name).collect();
    format!(
        "Oracles:\n{}\n\nAdapters: {} (`make adapters` installs them; -plain is without its optimizations)\n\n{WORDS}",
        oracles.join("\n"),
        adapters.join(", ")
    )
}

/// Explains the words of a summary and the exit codes.
const WORDS: &str = "\
Summary:
  judged     cases that each check has said something about
  rejected   programs that are ill-formed: the generator makes none
  abstained  cases with an element whose bounds tell nothing, as where something may overflow
  undefined  elements that the reference leaves open: anything is right
  not judged the check says nothing about such a case, or what is tested does not take it

Exit codes: 0 nothing found, 1 findings, 2 bad input, 3 undecided (nothing could be compared, or `--timeout` came first), 130 Ctrl-C;
the summary has what was found by then";

/// Runs random cases, or replays a finding.
///
/// # Errors
/// The target does not exist or does not start, or the finding cannot be read.
pub fn execute(args: &FuzzArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    if args.program.is_none() && !args.parameters.given.is_empty() {
        return Err(Failure::fault(Report::new(
            CommandCode::U0001,
            "`--param` gives the sizes of a `--program`",
        )));
    }
    match &args.replay {
        Some(path) => replay::run(args, path),
        None => campaign::run(args, seed, progress),
    }
}

/// The JSON of a finding: the difference, and the implementation that shows it.
fn finding_json(finding: &Finding) -> Value {
    let Finding { check, difference, origin: (seed, case), implementation, repeats, .. } = finding;
    let mut json = json!({
        "check": check,
        "seed": seed,
        "case": case,
        "versions": implementation.versions,
        "command": implementation.command,
        "floats": implementation.floats,
        "repeats": repeats,
    });
    add(&mut json, difference_json(difference));
    json
}

fn difference_json(difference: &FoundDifference) -> Value {
    let FoundDifference { kind, at, expected, found } = difference;
    json!({ "kind": kind.name(), "at": at, "expected": expected, "found": found })
}

/// Appends the entries of one JSON object to another.
fn add(json: &mut Value, more: Value) {
    if let (Value::Object(json), Value::Object(more)) = (json, more) {
        json.extend(more);
    }
}
