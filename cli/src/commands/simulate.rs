//! `selfsame simulate FILE`: is padding safe for this program?

use crate::exit::{Failure, Outcome};
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use crate::setup::vector_length;
use crate::verdicts::VerdictArgs;
use clap::Args;
use rink::tensor_type::VectorLength;

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The vector length; `all` is 1 to one more than the largest extent, at most 16, and one that divides no extent
    #[arg(long, value_name = "M|all", default_value = "all", value_parser = lengths)]
    pub pad: Lengths,
    /// Give a counterexample for each ≠, in every number system
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// What is asked.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}

/// The vector lengths to examine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// A single vector length.
    One(VectorLength),
    /// The lengths that [`rink::simulation::all_lengths`] returns.
    All,
}

fn lengths(text: &str) -> Result<Lengths, String> {
    if text == "all" { Ok(Lengths::All) } else { vector_length(text).map(Lengths::One) }
}

/// Decides, in every number system, whether padded evaluation agrees in range and keeps the padding 0.
///
/// # Errors
/// The language of the program has no padding, the program is at fault, or a tensor is too large.
pub fn execute(args: &SimulateArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    commands(args.source.language()?).simulate(args, seed, progress)
}
