//! Reads programs.

use super::parameters::require_allowed;
use super::{read_file, utf8};
use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Exit, Failure};
use crate::limits::Progress;
use base::diagnostics::{self, Diagnostic, Fault};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use language::Checked;
use languages::{Language, PLANNED, Planned, ReadSource, Source as Text};
use polyhedra_isl::Isl;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A program on the command line.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// The program; its extension determines the language
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The language; overrides the file extension
    #[arg(long)]
    pub language: Option<Named>,
    /// The ranks of inputs.
    #[command(flatten)]
    pub ranks: RankArgs,
}

/// The ranks of inputs whose types leave them open.
#[derive(Clone, Debug, Default, Args)]
pub struct RankArgs {
    /// The rank of an input whose type leaves it open, such as `A=2`; `equiv` takes several, as `A=0..3` (SaC)
    #[arg(id = "rank", long = "rank", value_name = "NAME=RANK", value_parser = rank)]
    pub given: Vec<InputRanks>,
}

/// The ranks of an input: from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRanks {
    /// The input.
    pub name: String,
    /// The first and the last rank.
    pub range: [usize; 2],
}

/// The maximum rank that is asked for.
const MAX_RANK: usize = 16;

fn rank(text: &str) -> Result<InputRanks, String> {
    let wrong = || format!("`NAME=RANK` or `NAME=FIRST..LAST`, of ranks from 0 to {MAX_RANK}");
    let (name, ranks) = text.split_once('=').ok_or_else(wrong)?;
    let (first, last) = ranks.split_once("..").unwrap_or((ranks, ranks));
    let number = |text: &str| text.parse::<usize>().ok().filter(|rank| *rank <= MAX_RANK).ok_or_else(wrong);
    let range = [number(first)?, number(last)?];
    if range[0] > range[1] { Err(wrong()) } else { Ok(InputRanks { name: name.to_owned(), range }) }
}

impl RankArgs {
    /// All choices of one rank for each input.
    pub fn choices(&self) -> Vec<Vec<(String, usize)>> {
        let mut choices = vec![Vec::new()];
        for InputRanks { name, range: [first, last] } in &self.given {
            let with = |choice: &Vec<(String, usize)>| {
                let choice = choice.clone();
                (*first..=*last).map(move |rank| [&choice[..], &[(name.clone(), rank)]].concat())
            };
            choices = choices.iter().flat_map(with).collect();
        }
        choices
    }

    /// A single choice.
    pub fn of(choice: &[(String, usize)]) -> RankArgs {
        let one = |(name, rank): &(String, usize)| InputRanks { name: name.clone(), range: [*rank, *rank] };
        RankArgs { given: choice.iter().map(one).collect() }
    }
}

/// A language that has a name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A language of the table.
    Known(Language),
    /// A language that the table will have.
    Planned(&'static Planned),
}

impl Named {
    fn ending(self) -> &'static str {
        match self {
            Named::Known(language) => language.ending(),
            Named::Planned(planned) => planned.ending,
        }
    }

    fn is_shown(&self) -> bool {
        self.to_possible_value().is_some_and(|value| !value.is_hide_set())
    }
}

/// The languages of the table, then those that it will have.
static ALL: LazyLock<Vec<Named>> = LazyLock::new(|| {
    Language::ALL.iter().copied().map(Named::Known).chain(PLANNED.iter().map(Named::Planned)).collect()
});

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Named] {
        &ALL
    }

    /// The value of `--language`. A language for tests is accepted but hidden.
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Named::Known(language) => {
                let help = format!("{}, .{}", capitalized(language.title()), language.ending());
                PossibleValue::new(language.name()).help(help).hide(language.is_for_tests())
            }
            Named::Planned(planned) => {
                let help = format!("{}, .{} (not yet)", planned.title, planned.ending);
                PossibleValue::new(planned.name).help(help)
            }
        })
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// The failure for a program with these errors: a fault of the input, or undecided if all errors are limits of
/// this program.
pub fn ill_formed(source: &NamedSource, errors: impl IntoIterator<Item = Diagnostic>) -> Failure {
    let mut errors: Vec<Diagnostic> = errors.into_iter().collect();
    errors.sort_by_key(|error| (error.code.fault() == Fault::Warning, error.primary.span.start, error.code));
    let at_fault = errors.iter().any(|error| error.code.fault() == Fault::Input);
    let exit = if at_fault { Exit::Fault } else { Exit::Undecided };
    let reports = errors.into_iter().map(Report::from).collect();
    Failure { exit, reports, source: None, files: Vec::new() }.in_source(source)
}

/// The maximum size of a program, in bytes: in memory, a parsed program is a hundred times as large as its text,
/// 800 MiB at most.
const MAX_PROGRAM_BYTES: u64 = 8 << 20;

fn program_too_large() -> Failure {
    let message = format!("the file is larger than {MAX_PROGRAM_BYTES} bytes");
    Failure::fault(Report::new(diagnostics::Code::R0021, message))
}

/// Requires that a program allows the given sizes, if they are all that it has, and is well-formed there; returns what
/// else the checks say.
///
/// # Errors
/// It does not, or is not, or that is not known.
pub fn well_formed_at(
    read: &ReadSource,
    source: &NamedSource,
    sizes: &BTreeMap<String, i64>,
    path: &Path,
) -> Result<Checked, Failure> {
    require_allowed(read, sizes, path)?;
    let checked =
        read.program().check(sizes, &Isl::with_memory()).map_err(|open| ill_formed(source, [open]))?;
    if checked.is_well_formed() { Ok(checked) } else { Err(ill_formed(source, checked.faults)) }
}

impl SourceArgs {
    /// The language of the program.
    ///
    /// # Errors
    /// The language is unknown, or not supported yet.
    pub fn language(&self) -> Result<Language, Failure> {
        let path = &self.file;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let of_ending = || ALL.iter().copied().find(|one| Some(one.ending()) == ending);
        match self.language.or_else(of_ending) {
            Some(Named::Known(language)) => Ok(language),
            Some(Named::Planned(planned)) => {
                Err(unsupported(path, &format!("the language `{}` is", planned.name)))
            }
            None => {
                let report =
                    Report::new(CommandCode::I0004, "the ending of the file does not say its language");
                Err(Failure::fault(report.in_file(path, None).hint(endings())))
            }
        }
    }

    /// Reads a program of any language; returns it with its text, for diagnostics.
    ///
    /// # Errors
    /// The file cannot be read, or the program is ill-formed; then all its errors are reported.
    pub fn program(&self, progress: &Progress) -> Result<(ReadSource, NamedSource), Failure> {
        let language = self.language()?;
        let source = self.read(progress)?;
        Ok((parsed(language, &source)?, source))
    }

    /// The text with the ranks that are given.
    fn at_ranks(&self, text: String) -> Result<String, Failure> {
        match &self.ranks.choices()[..] {
            [choice] if choice.is_empty() => Ok(text),
            [choice] => Ok(self.language()?.at_ranks(&text, choice).unwrap_or(text)),
            _ => {
                let message = "`--rank` gives one rank for each input; only `equiv` takes several";
                Err(Failure::fault(Report::new(CommandCode::U0001, message)))
            }
        }
    }

    /// Reads the program's text.
    ///
    /// # Errors
    /// The file cannot be read, or is not text.
    pub fn read(&self, progress: &Progress) -> Result<NamedSource, Failure> {
        let path = &self.file;
        let bytes = read_file(path, MAX_PROGRAM_BYTES, program_too_large)?;
        let text = self.at_ranks(utf8(path, bytes)?)?;
        let source = NamedSource::of_file(path, text);
        progress.set(format!("reading {}", source.name));
        Ok(source)
    }
}

/// Parses a text in a language.
///
/// # Errors
/// The program is ill-formed.
pub fn parsed(language: Language, source: &NamedSource) -> Result<ReadSource, Failure> {
    let text = Text { name: source.name.clone(), language, text: source.text.to_string() };
    text.read().map_err(|errors| ill_formed(source, errors))
}

/// The hint about file endings: `known endings are .rink and .alpha; …`
fn endings() -> String {
    let is_read = |one: &&Named| matches!(one, Named::Known(_)) && one.is_shown();
    let endings: Vec<String> = ALL.iter().filter(is_read).map(|one| format!(".{}", one.ending())).collect();
    let (last, others) = endings.split_last().map_or(("", &[][..]), |(last, others)| (&**last, others));
    format!("known endings are {} and {last}; `--language` overrides", others.join(", "))
}

/// The failure for a command that does not support programs of a language.
pub fn unsupported_command(args: &SourceArgs, language: Language) -> Failure {
    unsupported(&args.file, &format!("this command on programs in `{}` is", language.name()))
}

/// The failure for a valid request that is not supported yet.
fn unsupported(path: &Path, what: &str) -> Failure {
    let report = Report::new(CommandCode::L0004, format!("{what} not supported yet"));
    Failure::undecided(report.in_file(path, None))
}
