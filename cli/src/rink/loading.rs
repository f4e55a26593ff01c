//! Loads a program from a file, and types it.

use crate::commands::equiv::EquivArgs;
use crate::diagnostics::NamedSource;
use crate::exit::Failure;
use crate::input::parameters::ParameterArgs;
use crate::input::program::{SourceArgs, ill_formed};
use crate::limits::{Progress, check_declared};
use language::Program as _;
use languages::ReadSource;
use rink::equivalence::Typed;
use rink::extents::Extent;
use rink::program::Program as Symbolic;
use rink::syntax::Program;
use rink::typing::{Typing, type_program};

/// A well-formed program of the tensor model language. Its extents have type `E`: numeric or symbolic.
#[derive(Debug)]
pub struct Loaded<E = u64> {
    /// The program's text.
    pub source: NamedSource,
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

/// Requires that two programs whose sizes are all given have these sizes, and that their tensors are not too large
/// to be compared element by element.
///
/// # Errors
/// As [`ParameterArgs::instances`], or a tensor is too large.
pub fn require_sizes(
    programs: &[ReadSource; 2],
    texts: [&NamedSource; 2],
    args: &EquivArgs,
) -> Result<(), Failure> {
    let parameters = &args.verdict.parameters;
    let given = parameters.values()?;
    let [Some(left), Some(right)] = [0, 1].map(|side| symbolic(&programs[side], texts[side])) else {
        return Ok(());
    };
    let names = [&left, &right].map(|side| side.program.symbols());
    if !names.iter().flatten().all(|(symbol, _)| given.contains_key(symbol.name())) {
        return Ok(());
    }
    let [a, b] = parameters.instances([&left, &right])?;
    for side in [instance(left.source, a)?, instance(right.source, b)?] {
        let limit = args.verdict.max_elements;
        check_declared(&side.source, &side.program, &side.typing, limit, size_of::<u128>())?;
    }
    Ok(())
}

/// A program that was read, if it is in the tensor model language.
fn symbolic(read: &ReadSource, source: &NamedSource) -> Option<Loaded<Extent>> {
    let languages::Program::Rink(of) = read.program() else { return None };
    Some(Loaded { source: source.clone(), program: of.program.clone(), typing: of.typing.clone() })
}

/// Types an instance of a well-formed program. The instance is well-formed unless a tensor is too large.
fn instance(source: NamedSource, program: Program) -> Result<Loaded, Failure> {
    match type_program(&program) {
        Ok(typing) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors.iter().map(|error| error.diagnostic()))),
    }
}

/// Reads, parses and types a program; its size parameters remain symbolic.
///
/// # Errors
/// The file cannot be read, or the program is ill-formed; then all errors are reported.
pub fn load_symbolic(args: &SourceArgs, progress: &Progress) -> Result<Loaded<Extent>, Failure> {
    let source = args.read(progress)?;
    match Symbolic::read(&source.text) {
        Ok(Symbolic { program, typing }) => Ok(Loaded { source, program, typing }),
        Err(errors) => Err(ill_formed(&source, errors)),
    }
}

/// A loaded program in the form that the decision procedures take.
pub fn typed(loaded: &Loaded) -> Typed<'_> {
    Typed { program: &loaded.program, typing: &loaded.typing }
}
