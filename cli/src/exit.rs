//! How a command ends: its exit code, and everything that it wants written.

use crate::diagnostics::{Code, Report, Source};
use std::path::PathBuf;

/// The exit codes of every subcommand (`spec/cli.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proved, all verified, ran fine, nothing found.
    Yes,
    /// Refuted, a counterexample, a finding.
    No,
    /// The input is at fault.
    Fault,
    /// Undecided: a budget is spent, or the question is outside what can be judged.
    Undecided,
    /// Ended by Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The code given to the operating system.
    pub fn code(self) -> u8 {
        match self {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Fault => 2,
            Exit::Undecided => 3,
            Exit::Interrupted => 130,
        }
    }
}

/// The end of a command. Nothing is written before it, so nothing is ever half-written.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code.
    pub exit: Exit,
    /// All of standard output.
    pub stdout: String,
    /// All of standard error.
    pub stderr: String,
    /// Files to write, each in one piece; nothing is replaced that should not be ([`crate::files`]).
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Files of an earlier run that would say what is not so any more.
    pub stale: Vec<PathBuf>,
}

impl Outcome {
    /// An end that says something on standard output.
    pub fn new(exit: Exit, stdout: impl Into<String>) -> Outcome {
        let (files, stale) = (Vec::new(), Vec::new());
        Outcome { exit, stdout: stdout.into(), stderr: String::new(), files, stale }
    }
}

/// Why a command could not do what it was asked: exit code 2, and nothing on standard output, or 3.
#[derive(Debug)]
pub struct Failure {
    /// [`Exit::Fault`] or [`Exit::Undecided`].
    pub exit: Exit,
    /// Everything that is wrong, in order.
    pub reports: Vec<Report>,
    /// The text that the reports' spans point into, if they have spans.
    pub source: Option<Box<Source>>,
    /// Files to write, such as one that reproduces what failed.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Failure {
    /// One thing is wrong, at no place in a source text.
    pub fn new(exit: Exit, report: Report) -> Failure {
        Failure { exit, reports: vec![report], source: None, files: Vec::new() }
    }

    /// The input is at fault.
    pub fn fault(report: Report) -> Failure {
        Failure::new(Exit::Fault, report)
    }

    /// A budget is spent, or the question is outside what can be judged.
    pub fn undecided(report: Report) -> Failure {
        Failure::new(Exit::Undecided, report)
    }

    /// Whether it is a bug of this program.
    pub fn is_internal(&self) -> bool {
        self.reports.iter().any(|report| report.code == Code::X0001.to_string())
    }

    /// States which text the spans of the reports point into.
    pub fn in_source(mut self, source: &Source) -> Failure {
        self.source = Some(Box::new(source.clone()));
        self
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Outcome {
        let stderr = crate::diagnostics::render(failure.source.as_deref(), &failure.reports);
        Outcome { stderr, files: failure.files, ..Outcome::new(failure.exit, "") }
    }
}
