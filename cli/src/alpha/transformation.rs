//! Proves that a transformed program is equivalent to the original.

use super::loading::perhaps_at_sizes;
use crate::diagnostics::NamedSource as Text;
use crate::exit::Failure;
use crate::input::program::ill_formed;
use crate::limits::Progress;
use crate::standing::failure;
use base::stack::on_large_stack;
use language::Sizes;
use languages::{Language, Pair, ReadSource, Source};
use polyhedra_isl::Isl;
use rewrites::programs::{ComparedPrograms, compare_all};
use rewrites::verification::Options;
use selfsame::crash::caught;
use selfsame::running::{self, claimed};
use values::{Division, System as NumberSystem};

/// An ALPHA source with this name and text.
pub fn system(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), language: Language::Alpha, text: text.to_owned() }
}

/// Reads a program and requires that it is well-formed for all sizes.
fn well_formed(result: Source, progress: &Progress) -> Result<ReadSource, Failure> {
    let text = Text { name: "the result".to_owned(), text: result.text.as_str().into() };
    let read = result.read().map_err(|errors| ill_formed(&text, errors))?;
    progress.set(format!("checking {}", text.name));
    let checked = read.program().check(&Sizes::new(), &Isl::with_memory());
    let checked = checked.map_err(|undecided| {
        ill_formed(&text, [perhaps_at_sizes(undecided, &read.program().parameters())])
    })?;
    if checked.is_well_formed() { Ok(read) } else { Err(ill_formed(&text, checked.faults)) }
}

/// Proves a chain of programs: the source, then each result after the one before it. Checks the results first.
/// Returns `None` if the prover cannot compare them.
///
/// # Errors
/// A program is ill-formed, the search crashes, or running the first and the last program objects to the proof.
pub fn compared(
    source: Source,
    results: &[Source],
    (division, system): (Division, NumberSystem),
    seed: u64,
    progress: &Progress,
) -> Result<Option<ComparedPrograms>, Failure> {
    progress.set(format!("proving that the result is the same as {}", source.name));
    let text = Text { name: source.name.clone(), text: source.text.as_str().into() };
    let mut programs = vec![source.read().map_err(|errors| ill_formed(&text, errors))?];
    for result in results {
        programs.push(well_formed(result.clone(), progress)?);
    }
    let ends = [&programs[0], &programs[programs.len() - 1]].map(ReadSource::clone);
    let of = Pair { division, system, ..Pair::new(ends) };
    let options = Options { seed, ..Options::default() };
    let Some(compared) = caught(|| on_large_stack(|| compare_all(&programs, &of, &options)))?.ok() else {
        return Ok(None);
    };
    let standing = running::run(&of, &claimed(&compared.verdict), seed);
    failure(&standing).map_or(Ok(Some(compared)), Err)
}
