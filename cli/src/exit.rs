//! The end of a command: its exit code, and everything that it writes.

use crate::diagnostics::{CommandCode, NamedSource, Report};
use std::path::PathBuf;

/// The exit codes of every subcommand (`docs/command-line.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proved, all verified, ran without an error, or nothing found.
    Yes,
    /// Refuted, a counterexample, or a finding.
    No,
    /// The input is at fault.
    Fault,
    /// Undecided: a budget is exhausted, or this program cannot judge the question.
    Undecided,
    /// Ended by Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The answer to two questions: yes to both, no to one, or that one is open.
    #[must_use]
    pub fn worse(self, other: Exit) -> Exit {
        let rank = |exit: Exit| match exit {
            Exit::Yes => 0,
            Exit::Undecided => 1,
            Exit::No => 2,
            Exit::Fault => 3,
            Exit::Interrupted => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The exit code of the process.
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

/// The result of a command. Nothing is written earlier, so nothing is ever half-written.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code.
    pub exit: Exit,
    /// All of standard output.
    pub stdout: String,
    /// All of standard error.
    pub stderr: String,
    /// Files to write, each in one piece; [`crate::files`] decides what may be replaced.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Files of an earlier run to remove, because their content is no longer true.
    pub stale: Vec<PathBuf>,
}

impl Outcome {
    /// An outcome with text on standard output only.
    pub fn new(exit: Exit, stdout: impl Into<String>) -> Outcome {
        let (files, stale) = (Vec::new(), Vec::new());
        Outcome { exit, stdout: stdout.into(), stderr: String::new(), files, stale }
    }
}

/// The reason why a command could not complete its task: exit code 2, with nothing on standard output, or 3.
#[derive(Debug)]
pub struct Failure {
    /// [`Exit::Fault`] or [`Exit::Undecided`].
    pub exit: Exit,
    /// All reports, in order.
    pub reports: Vec<Report>,
    /// The text that the reports' spans point into, if they have spans.
    pub source: Option<Box<NamedSource>>,
    /// Files to write, such as one that reproduces what failed.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Failure {
    /// A failure with one report, whose place is not in a source text.
    pub fn new(exit: Exit, report: Report) -> Failure {
        Failure { exit, reports: vec![report], source: None, files: Vec::new() }
    }

    /// A failure because the input is at fault.
    pub fn fault(report: Report) -> Failure {
        Failure::new(Exit::Fault, report)
    }

    /// A failure because a budget is exhausted, or this program cannot judge the question.
    pub fn undecided(report: Report) -> Failure {
        Failure::new(Exit::Undecided, report)
    }

    /// Whether the failure is a bug of this program.
    pub fn is_internal(&self) -> bool {
        self.reports.iter().any(|report| report.code == CommandCode::X0001.to_string())
    }

    /// Sets the text that the spans of the reports point into.
    pub fn in_source(mut self, source: &NamedSource) -> Failure {
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
