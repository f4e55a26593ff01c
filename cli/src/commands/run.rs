//! `selfsame run FILE`: evaluation by the reference semantics, or by a plan (`--fast`).

use crate::exit::{Failure, Outcome};
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use crate::setup::EvaluationArgs;
use crate::systems::SystemArgs;
use clap::{Args, ValueEnum};
use rink::evaluation::StatementMethod;

/// Arguments of `run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// How it is evaluated.
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    /// The back end.
    #[command(flatten)]
    pub system: SystemArgs,
    /// How to compute elements; both methods give the same values
    #[arg(long, value_enum, default_value_t)]
    pub evaluator: EvaluatorChoice,
    /// Compute with a plan of the fast evaluator, in machine numbers, such as `--values f32` or `u8`. What the reference leaves
    /// undefined may be anything. Programs of the tensor model language are computed by their core forms
    #[arg(long, conflicts_with_all = ["evaluator", "system"])]
    pub fast: bool,
    /// The maximum number of threads of a plan; its results do not depend on it
    #[arg(long, requires = "fast", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Compare the results of a plan with the reference: integers must be equal, floats within a proved bound (exit code 1: something is
    /// wrong, 3: nothing could be compared)
    #[arg(long, requires = "fast")]
    pub check: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// How elements are computed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum EvaluatorChoice {
    /// Each element by the equations, as printed
    Pointwise,
    /// Each sub-expression once
    #[default]
    Tabulated,
}

impl From<EvaluatorChoice> for StatementMethod {
    fn from(evaluator: EvaluatorChoice) -> StatementMethod {
        match evaluator {
            EvaluatorChoice::Pointwise => StatementMethod::PointWise,
            EvaluatorChoice::Tabulated => StatementMethod::Tabulated,
        }
    }
}

impl From<EvaluatorChoice> for ::alpha::evaluation::VariableMethod {
    fn from(evaluator: EvaluatorChoice) -> ::alpha::evaluation::VariableMethod {
        match evaluator {
            EvaluatorChoice::Pointwise => ::alpha::evaluation::VariableMethod::Eval,
            EvaluatorChoice::Tabulated => ::alpha::evaluation::VariableMethod::Eval2,
        }
    }
}

/// Evaluates a program.
///
/// # Errors
/// The program or its input is at fault, or a tensor is too large.
pub fn execute(args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    commands(args.source.language()?).run(args, progress)
}
