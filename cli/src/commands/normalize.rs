//! `selfsame normalize FILE`: a system in normal form, optionally after a change of basis, with its certificate.

use crate::exit::{Failure, Outcome};
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `normalize`.
#[derive(Debug, Args)]
pub struct NormalizeArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// First change the basis of a local variable by an invertible map, such as `u: t,i -> t,i+t` (repeatable)
    #[arg(long = "basis", value_name = "X: MAP", value_parser = basis)]
    pub bases: Vec<(String, String)>,
    /// Write a certificate that both programs are equivalent
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn basis(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once(':').ok_or("expected a variable and a map, such as `u: t,i -> t,i+t`")?;
    Ok((parts.0.trim().to_owned(), parts.1.trim().to_owned()))
}

/// Prints the system in normal form, proved equivalent to the original.
///
/// # Errors
/// The program is at fault or has no normal form within the limits, or equivalence could not be proved.
pub fn execute(args: &NormalizeArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    commands(args.source.language()?).normalize(args, seed, progress)
}
