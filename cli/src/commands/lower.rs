//! `selfsame lower FILE`: the core form of a program, as a system of ALPHA.

use crate::alpha::loading::{Conventions, LoadedSystem};
use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{Language, Loaded, SourceArgs, ill_formed, load_program, load_symbolic};
use crate::limits::Progress;
use alpha::lexing::KEYWORDS;
use alpha::printing::{self, print};
use alpha::syntax::{Expression, System};
use clap::{Args, ValueEnum};
use rink::syntax::{Program, Qualifier};
use rink::to_alpha::{self, Lowered};
use selfsame_core::operators::Binary;
use std::path::Path;
use values::Division;

/// Arguments of `lower`.
#[derive(Debug, Args)]
pub struct LowerArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes, where the core at these sizes is asked for.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// How the core is written
    #[arg(long, value_enum, default_value_t)]
    pub notation: Notation,
}

/// The two notations of ALPHA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// `Y = X.(i,j->i,j-1)`
    #[default]
    Functional,
    /// `Y[i,j] = X[i,j-1]`
    Array,
}

impl From<Notation> for printing::Notation {
    fn from(notation: Notation) -> printing::Notation {
        match notation {
            Notation::Functional => printing::Notation::Functional,
            Notation::Array => printing::Notation::Array,
        }
    }
}

/// Lowers a program; a system of ALPHA is its own core.
///
/// # Errors
/// The program is ill-formed or cannot be read, or the core cannot express it.
pub fn execute(args: &LowerArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let (header, system) = match args.source.language()? {
        Language::Alpha if !args.parameters.given.is_empty() => {
            let message = "the parameters of a system stay what they are: `lower` takes no `--param` for it";
            return Err(Failure::fault(Report::new(Code::U0001, message)));
        }
        Language::Alpha => {
            let loaded = LoadedSystem::load(&args.source, progress)?;
            loaded.checked(None, progress)?;
            (String::new(), loaded.system)
        }
        _ if args.parameters.given.is_empty() => core(&load_symbolic(&args.source, progress)?)?,
        _ => core(&load_program(&args.source, &args.parameters, progress)?)?,
    };
    Ok(Outcome::new(Exit::Yes, header + &print(&system, args.notation.into())))
}

/// What is different about running the core, as comments.
fn header(program: &Program, lowered: &Lowered) -> String {
    let system = &lowered.system;
    let divides = |e: &Expression| matches!(e, Expression::Binary(Binary::Div, _));
    let has_arrays = system.variable_ids().any(|x| system.variable_rank(x) > 0);
    let mut header = String::new();
    if has_arrays {
        header += "-- Indices start at 1: a matrix is given with \"origin\": [1, 1].\n";
    }
    if system.expressions().any(|(_, e)| divides(e)) {
        header += "-- Division as in the program is with --division controlled.\n";
    }
    for declaration in &program.declarations {
        let name = program.name(declaration.name);
        header += &match lowered.last(declaration.name).map(|x| &*system.variable(x).name) {
            None if declaration.qualifier == Qualifier::Output => {
                format!("-- `{name}` is never assigned, and left out.\n")
            }
            Some(last) if last != name => format!("-- `{name}` at the end is {last}.\n"),
            _ => String::new(),
        };
    }
    header
}

/// The core of a program at its sizes, whose indices start at 1 and whose division is that of the program.
///
/// # Errors
/// The program is ill-formed or cannot be read, or the core cannot express it.
pub fn core_at_sizes(
    source: &SourceArgs,
    parameters: &ParameterArgs,
    progress: &Progress,
) -> Result<LoadedSystem, Failure> {
    let loaded = load_program(source, parameters, progress)?;
    let (header, system) = core(&loaded)?;
    let text = header + &print(&system, printing::Notation::Array);
    let core = LoadedSystem::of(Source::new(&format!("the core of {}", loaded.source.name), text))?;
    let conventions = Conventions { first_index: 1, division: Division::Controlled };
    Ok(LoadedSystem { conventions, ..core })
}

/// The core of a program, and what to say above it.
fn core<E>(loaded: &Loaded<E>) -> Result<(String, System), Failure> {
    let Loaded { source, program, typing } = loaded;
    let lowered = to_alpha::lower(program, typing);
    let mut lowered = lowered.map_err(|refused| ill_formed(source, [refused.diagnostic(program)]))?;
    lowered.system.name = system_name(Path::new(&source.name));
    Ok((header(program, &lowered), lowered.system))
}

/// The name of a file without its ending, as an identifier.
fn system_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) || KEYWORDS.contains(&&*name) {
        true => format!("_{name}"),
        false => name,
    }
}
