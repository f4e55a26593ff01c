//! What a program is turned into, proved to be the same.

use crate::crash::caught;
use crate::diagnostics::Source as Text;
use crate::exit::Failure;
use crate::input::program::ill_formed;
use crate::limits::Progress;
use crate::running::{self, claimed};
use base::diagnostics::Fault;
use base::stack::on_large_stack;
use language::Sizes;
use languages::{Language, Pair, Read, Source};
use polyhedra_isl::Isl;
use rewrites::programs::{Compared, compare_all};
use rewrites::verification::Options;
use values::Division;

/// A system, under a name.
pub fn system(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), language: Language::Alpha, text: text.to_owned() }
}

/// A well-formed program.
fn read(source: Source, name: Option<&str>) -> Result<Read, Failure> {
    let name = name.unwrap_or(&source.name).to_owned();
    let text = Text { name, text: source.text.as_str().into() };
    let read = source.read().map_err(|errors| ill_formed(&text, errors))?;
    let faults = read.program().faults(&Sizes::new(), &Isl::new());
    let faults = faults.map_err(|undecided| ill_formed(&text, [undecided]))?;
    match faults.iter().all(|fault| fault.code.fault() == Fault::Warning) {
        true => Ok(read),
        false => Err(ill_formed(&text, faults)),
    }
}

/// What the prover says of a program and those that it is turned into, one after the other, which are checked first.
///
/// # Errors
/// A text is no well-formed program, or running the first and the last one objects to what is proved.
pub fn compared(
    source: Source,
    results: &[Source],
    division: Division,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Compared>, Failure> {
    progress.set(format!("proving that the result is the same as {}", source.name));
    let mut programs = vec![read(source, None)?];
    for result in results {
        programs.push(read(result.clone(), Some("the result"))?);
    }
    let ends = [&programs[0], &programs[programs.len() - 1]].map(Read::clone);
    let of = Pair { division, ..Pair::of(ends) };
    let options = Options { seed, ..Options::default() };
    let Some(compared) = caught(|| on_large_stack(|| compare_all(&programs, &of, &options)))?.ok() else {
        return Ok(None);
    };
    let standing = running::run(&of, &claimed(&compared.verdict), seed);
    standing.failure().map_or(Ok(Some(compared)), Err)
}
