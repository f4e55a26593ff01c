//! The subcommands. Each module has an `Args` structure and `execute`, which maps the arguments to an outcome.

pub mod certify;
pub mod check;
pub mod derive;
pub mod equiv;
pub mod fuzz;
pub mod lower;
pub mod normalize;
pub mod optimize;
pub mod replay;
pub mod run;
pub mod simulate;
pub mod theorems;
pub mod verify;

use crate::exit::{Failure, Outcome};
use crate::files::Destinations;
use crate::limits::{Progress, parse_timeout};
use crate::output::json_text;
use clap::{Parser, Subcommand};
use rink::decision::Decision;
use selfsame::ReportedSystem;
use selfsame::decision::decision_json;
use std::path::PathBuf;
use std::time::Duration;

/// Is this still the same program? A verification tool for tensor programs.
#[derive(Debug, Parser)]
#[command(name = "selfsame", version, propagate_version = true, subcommand_required = true)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
    /// Give up after this many seconds (exit code 3)
    #[arg(long, global = true, value_name = "SECONDS", value_parser = parse_timeout)]
    pub timeout: Option<Duration>,
    /// Seed of the random numbers; the commands that draw none ignore it
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// A subcommand with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a certificate, independently of the search that found it
    Certify(certify::CertifyArgs),
    /// Parse and type a program
    Check(check::CheckArgs),
    /// Rerun the case of a "contradiction inside this program"
    Replay(replay::ReplayArgs),
    /// Evaluate a program by its reference semantics
    Run(run::RunArgs),
    /// Build the derivation of a program's typing or evaluation, or check one
    Derive(derive::DeriveArgs),
    /// Decide whether two programs are equivalent
    Equiv(equiv::EquivArgs),
    /// Test implementations on random programs, against the reference semantics
    Fuzz(fuzz::FuzzArgs),
    /// Print a program in its core form, a system of ALPHA
    Lower(lower::LowerArgs),
    /// Print a system of ALPHA in normal form, with its local variables in other bases if wanted
    Normalize(normalize::NormalizeArgs),
    /// Search for a cheaper equivalent program
    Optimize(optimize::OptimizeArgs),
    /// Decide whether padding is safe for a program
    Simulate(simulate::SimulateArgs),
    /// Check the published claims about the languages, on instances that do not depend on `--seed`
    Theorems(theorems::TheoremsArgs),
    /// Verify every rewrite rule in files and folders
    Verify(verify::VerifyArgs),
}

impl Command {
    /// The JSON of an undecided verdict after this many seconds; `None` unless a verdict was requested as JSON.
    pub fn undecided(&self, why: &str, seconds: f64) -> Option<String> {
        let json = match self {
            Command::Equiv(args) if args.verdict.json => equiv::undecided(args, why, seconds),
            Command::Simulate(args) if args.verdict.json => {
                let mut json =
                    decision_json(&Decision::nothing("none".to_owned()), ReportedSystem::default());
                (json["open"], json["seconds"]) = (why.into(), seconds.into());
                json
            }
            _ => return None,
        };
        Some(json_text(&json))
    }

    /// The files and folders that the command will write.
    fn destinations(&self) -> Destinations {
        let file = |option, path: &Option<PathBuf>| path.clone().map(|path| (option, path));
        let report =
            |path: &Option<PathBuf>| path.clone().map(|path| ("--report", path, &["index.html"][..]));
        let mut to = Destinations::default();
        match self {
            Command::Equiv(args) => to.files.extend(file("--certificate", &args.certificate)),
            Command::Normalize(args) => to.files.extend(file("--certificate", &args.certificate)),
            Command::Optimize(args) => {
                to.files.extend(file("--certificate", &args.certificate));
                to.files.extend(file("--derivation", &args.derivation));
            }
            Command::Theorems(args) => to.folders.extend(report(&args.report)),
            Command::Verify(args) => {
                to.folders.extend(args.certificates.clone().map(|path| ("--certificates", path, &[][..])));
                to.folders.extend(report(&args.report));
            }
            Command::Fuzz(args) if args.replay.is_none() => {
                to.folders.push(("--out", args.out.clone(), &[]));
            }
            Command::Fuzz(_) | Command::Certify(_) | Command::Check(_) | Command::Run(_) => {}
            Command::Derive(_) | Command::Lower(_) | Command::Replay(_) | Command::Simulate(_) => {}
        }
        to
    }

    /// Runs the subcommand.
    ///
    /// # Errors
    /// The input is at fault, a limit is exceeded, or a destination cannot be written.
    pub fn execute(&self, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
        self.destinations().require()?;
        match self {
            Command::Certify(args) => certify::execute(args, progress),
            Command::Check(args) => check::execute(args, progress),
            Command::Run(args) => run::execute(args, progress),
            Command::Derive(args) => derive::execute(args, progress),
            Command::Equiv(args) => equiv::execute(args, seed, progress),
            Command::Fuzz(args) => fuzz::execute(args, seed, progress),
            Command::Lower(args) => lower::execute(args, progress),
            Command::Normalize(args) => normalize::execute(args, seed, progress),
            Command::Optimize(args) => optimize::execute(args, seed, progress),
            Command::Replay(args) => replay::execute(args),
            Command::Simulate(args) => simulate::execute(args, seed, progress),
            Command::Theorems(args) => theorems::execute(args, progress),
            Command::Verify(args) => verify::execute(args, seed, progress),
        }
    }
}
