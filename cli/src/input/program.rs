//! Reading programs.

use super::parameters::ParameterArgs;
use super::{read_file, utf8};
use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Exit, Failure};
use crate::limits::Progress;
use base::diagnostics::{self, Diagnostic, Fault};
use clap::{Args, ValueEnum};
use language::Program as _;
use rink::extents::Extent;
use rink::program::Program as Symbolic;
use rink::syntax::Program;
use rink::typing::{Typing, type_program};
use std::path::{Path, PathBuf};

/// A program on the command line.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// The program; its ending says its language
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The language, whatever the ending
    #[arg(long)]
    pub language: Option<Language>,
}

/// A language of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// The tensor model language, .rink
    Rink,
    /// ALPHA, .alpha
    Alpha,
    /// SaC tensor comprehensions, .sac (not yet)
    Sac,
    /// Tensor Comprehensions, .tc (not yet)
    Tc,
    /// HERO-ML, .hml (not yet)
    Hml,
}

impl Language {
    /// The language of a file, by its ending.
    pub fn of(path: &Path) -> Option<Language> {
        Language::from_str(path.extension()?.to_str()?, false).ok()
    }

    /// The name by which the command line knows it.
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A well-formed program of the tensor model language. Its extents are numbers, or `E`.
#[derive(Debug)]
pub struct Loaded<E = u64> {
    /// Its text.
    pub source: Source,
    /// Its tree.
    pub program: Program,
    /// Its types.
    pub typing: Typing<E>,
}

/// Reads, parses and types a program, and puts numbers for its size parameters.
///
/// # Errors
/// As [`load_symbolic`] and [`ParameterArgs::instances`].
pub fn load_program(
    args: &SourceArgs,
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<Loaded, Failure> {
    let symbolic = load_symbolic(args, progress)?;
    let [program] = parameters.instances([&symbolic])?;
    instance(symbolic.source, program)
}

/// As [`load_program`], for two programs that share their size parameters.
///
/// # Errors
/// As [`load_program`].
pub fn load_pair(
    args: [&SourceArgs; 2],
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<[Loaded; 2], Failure> {
    let [left, right] = args.map(|args| load_symbolic(args, progress));
    let (left, right) = (left?, right?);
    let [a, b] = parameters.instances([&left, &right])?;
    Ok([instance(left.source, a)?, instance(right.source, b)?])
}

/// An instance of a well-formed program is well-formed, unless a tensor has become too large.
fn instance(source: Source, program: Program) -> Result<Loaded, Failure> {
    match type_program(&program) {
        Ok(typing) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors.iter().map(|error| error.diagnostic()))),
    }
}

/// Reads, parses and types a program; its size parameters stay what they are.
///
/// # Errors
/// The file cannot be read, or the program is ill-formed; then all its errors are reported.
pub fn load_symbolic(args: &SourceArgs, progress: &Progress) -> Result<Loaded<Extent>, Failure> {
    known_language(args)?;
    let source = args.read(progress)?;
    match Symbolic::read(&source.text) {
        Ok(Symbolic { program, typing }) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors)),
    }
}

/// The failure that a program with these errors is: a fault, or only limits of ours.
pub fn ill_formed(source: &Source, errors: impl IntoIterator<Item = Diagnostic>) -> Failure {
    let mut errors: Vec<Diagnostic> = errors.into_iter().collect();
    errors.sort_by_key(|error| (error.code.fault() == Fault::Warning, error.primary.span.start, error.code));
    let at_fault = errors.iter().any(|error| error.code.fault() == Fault::Input);
    let exit = if at_fault { Exit::Fault } else { Exit::Undecided };
    let reports = errors.into_iter().map(Report::from).collect();
    Failure { exit, reports, source: None, files: Vec::new() }.in_source(source)
}

/// A program has at most this many bytes: what is read of it is a hundred times as large.
const MAX_PROGRAM_BYTES: u64 = 8 << 20;

fn program_too_large() -> Failure {
    let message = format!("the file is larger than {MAX_PROGRAM_BYTES} bytes");
    Failure::fault(Report::new(diagnostics::Code::R0021, message))
}

impl SourceArgs {
    /// The language of the program.
    ///
    /// # Errors
    /// It is not known, or not supported yet.
    pub fn language(&self) -> Result<Language, Failure> {
        let path = &self.file;
        match self.language.or_else(|| Language::of(path)) {
            Some(language @ (Language::Rink | Language::Alpha)) => Ok(language),
            Some(language) => Err(unsupported(path, &format!("the language `{}` is", language.name()))),
            None => {
                let report = Report::new(Code::I0004, "the ending of the file does not say its language")
                    .in_file(path, None)
                    .hint("known endings are .rink, .alpha, .sac, .tc and .hml; `--language` overrides");
                Err(Failure::fault(report))
            }
        }
    }

    /// Reads the program's text.
    ///
    /// # Errors
    /// The file cannot be read, or is not text.
    pub fn read(&self, progress: &Progress) -> Result<Source, Failure> {
        let path = &self.file;
        let bytes = read_file(path, MAX_PROGRAM_BYTES, program_too_large)?;
        let source = Source::of_file(path, utf8(path, bytes)?);
        progress.set(format!("reading {}", source.name));
        Ok(source)
    }
}

/// What is fine, and not supported yet.
fn unsupported(path: &Path, what: &str) -> Failure {
    let report = Report::new(Code::L0004, format!("{what} not supported yet"));
    Failure::undecided(report.in_file(path, None))
}

fn known_language(args: &SourceArgs) -> Result<(), Failure> {
    match args.language()? {
        Language::Rink => Ok(()),
        language => {
            Err(unsupported(&args.file, &format!("this command on programs in `{}` is", language.name())))
        }
    }
}
