//! Loads a program from a file, and types it.

use crate::diagnostics::Source;
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, ill_formed, unsupported_command};
use crate::limits::Progress;
use language::Program as _;
use languages::Language;
use rink::extents::Extent;
use rink::program::Program as Symbolic;
use rink::syntax::Program;
use rink::typing::{Typing, type_program};

/// A well-formed program of the tensor model language. Its extents have type `E`: numeric or symbolic.
#[derive(Debug)]
pub struct Loaded<E = u64> {
    /// The program's text.
    pub source: Source,
    /// The syntax tree.
    pub program: Program,
    /// The types.
    pub typing: Typing<E>,
}

/// Reads, parses and types a program, and substitutes numbers for its size parameters.
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

/// Puts numbers for the size parameters that two programs share.
///
/// # Errors
/// As [`ParameterArgs::instances`], or a tensor has become too large.
pub fn instances(
    [left, right]: [Loaded<Extent>; 2],
    parameters: &ParameterArgs,
) -> Result<[Loaded; 2], Failure> {
    let [a, b] = parameters.instances([&left, &right])?;
    Ok([instance(left.source, a)?, instance(right.source, b)?])
}

/// Types an instance of a well-formed program. The instance is well-formed unless a tensor is too large.
fn instance(source: Source, program: Program) -> Result<Loaded, Failure> {
    match type_program(&program) {
        Ok(typing) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors.iter().map(|error| error.diagnostic()))),
    }
}

/// Reads, parses and types a program; its size parameters remain symbolic.
///
/// # Errors
/// The file cannot be read or is in another language, or the program is ill-formed; then all errors are reported.
pub fn load_symbolic(args: &SourceArgs, progress: &Progress) -> Result<Loaded<Extent>, Failure> {
    let language = args.language()?;
    if language != Language::Rink {
        return Err(unsupported_command(args, language));
    }
    let source = args.read(progress)?;
    match Symbolic::read(&source.text) {
        Ok(Symbolic { program, typing }) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors)),
    }
}
