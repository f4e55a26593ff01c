//! `selfsame verify PATH…`: does every rule say what is so?

use crate::diagnostics::{Code, Report, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::files::{RuleFile, load};
use crate::rules::page::page;
use crate::rules::rows::{Row, outcome, rows};
use crate::rules::table::text;
use clap::Args;
use rewrites::verification::Options;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Rule files, and folders of them
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write a certificate DIR/RULE.json of what is proved of each rule
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// Write the table as a page DIR/index.html, with the counterexamples
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// Verifies every rule.
///
/// # Errors
/// A file cannot be read, or no rule can be verified.
pub fn execute(args: &VerifyArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let files = load(&args.paths)?;
    progress.set(format!("reading {} files", files.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let rows = rows(&files, &Options { seed, ..Options::default() }, workers);
    let faults: String = files.iter().map(|file| faults(file, &rows)).collect();
    let verified = rows.iter().any(|row| row.result.is_ok());
    let (ill_formed, refuted, open) = outcome(&rows);
    let exit = match () {
        () if ill_formed || !faults.is_empty() || !verified => Exit::Fault,
        () if refuted => Exit::No,
        () if open => Exit::Undecided,
        () => Exit::Yes,
    };
    let stdout = match args.json {
        true => json_text(&rows.iter().map(Row::to_json).collect::<Vec<Value>>()),
        false if verified => text(&rows),
        false => String::new(),
    };
    let mut files = match &args.certificates {
        None => Vec::new(),
        Some(folder) => certificates(folder, &rows)?,
    };
    if let Some(folder) = &args.report {
        make_folder(folder)?;
        files.push((folder.join("index.html"), page(&rows).into_bytes()));
    }
    Ok(Outcome { stderr: faults, files, ..Outcome::new(exit, stdout) })
}

/// A file for each rule of which something was proved.
fn certificates(folder: &Path, rows: &[Row<'_>]) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    make_folder(folder)?;
    let written = rows.iter().filter_map(|row| {
        let certificate = row.certificate()?;
        Some((folder.join(format!("{}.json", row.rule.name.text)), json_text(&certificate).into_bytes()))
    });
    Ok(written.collect())
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::fault(Report::new(Code::I0017, format!("cannot write: {error}")).in_file(folder, None))
    })
}

/// Everything that is wrong with a file and its rules.
fn faults(file: &RuleFile, rows: &[Row<'_>]) -> String {
    let of_rules = rows.iter().filter(|row| std::ptr::eq(row.file, file));
    let of_rules = of_rules.filter_map(|row| row.result.as_ref().err().map(|fault| (**fault).clone()));
    let reports: Vec<Report> = file.errors.iter().cloned().chain(of_rules).map(Report::from).collect();
    if reports.is_empty() { String::new() } else { render(Some(&file.source), &reports) }
}
