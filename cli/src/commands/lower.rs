//! `selfsame lower FILE`: the core form of a program, as a system of ALPHA.

use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use alpha::lexing::KEYWORDS;
use alpha::printing::{self, print};
use clap::{Args, ValueEnum};
use std::path::Path;

/// Arguments of `lower`.
#[derive(Debug, Args)]
pub struct LowerArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes, where the core at these sizes is asked for.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The notation to print
    #[arg(long, value_enum, default_value_t)]
    pub notation: AlphaNotation,
    /// What to lower to
    #[arg(long = "to", value_name = "FORM", value_enum, default_value_t)]
    pub form: LoweredForm,
}

/// What a program is lowered to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LoweredForm {
    /// The core, a system of ALPHA
    #[default]
    Core,
    /// The program with with-loops instead of comprehensions (SaC)
    WithLoops,
    /// The same by the rules as the paper prints them
    WithLoopsAsPrinted,
}

/// The two notations of ALPHA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AlphaNotation {
    /// `Y = X.(i,j->i,j-1)`
    #[default]
    Functional,
    /// `Y[i,j] = X[i,j-1]`
    Array,
}

impl From<AlphaNotation> for printing::Notation {
    fn from(notation: AlphaNotation) -> printing::Notation {
        match notation {
            AlphaNotation::Functional => printing::Notation::Functional,
            AlphaNotation::Array => printing::Notation::Array,
        }
    }
}

/// Lowers a program; a system of ALPHA is its own core.
///
/// # Errors
/// The program is ill-formed or cannot be read, or the core cannot express it.
pub fn execute(args: &LowerArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let commands = commands(args.source.language()?);
    if args.form != LoweredForm::Core {
        return Ok(Outcome::new(Exit::Yes, commands.with_loops(args, progress)?));
    }
    let (header, system) = commands.lower(args, progress)?;
    Ok(Outcome::new(Exit::Yes, header + &print(&system, args.notation.into())))
}

/// An identifier made of a file's name without its extension; avoids keywords and leading digits.
pub fn system_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) || KEYWORDS.contains(&&*name) {
        true => format!("_{name}"),
        false => name,
    }
}
