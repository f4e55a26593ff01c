//! What a program is turned into, proved to be the same.

use super::loading::LoadedSystem;
use crate::crash::caught;
use crate::diagnostics::Source as Text;
use crate::exit::Failure;
use crate::input::program::judge;
use crate::limits::Progress;
use crate::running::{self, claimed};
use rewrites::programs::{Compared, compare_all};
use rewrites::verification::Options;
use semantics::core::from_alpha::Recurrences;
use semantics::programs::{Language, Pair, Source};
use semantics::stack::on_large_stack;
use semantics::values::Division;
use std::collections::BTreeMap;

/// A system, under a name.
pub fn system(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), language: Language::Alpha, text: text.to_owned() }
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
    for result in results {
        let text = Text { name: "the result".to_owned(), text: result.text.as_str().into() };
        match result.language {
            Language::Alpha => drop(LoadedSystem::of(text)?.checked(None, progress)?),
            Language::Rink => drop(judge(text)?),
        }
    }
    let of = Pair {
        programs: [source.clone(), source.clone()],
        parameters: BTreeMap::new(),
        division,
        locals: false,
        recurrences: Recurrences::Unrolled,
    };
    let programs: Vec<Source> = [source.clone()].into_iter().chain(results.iter().cloned()).collect();
    let options = Options { seed, ..Options::default() };
    let Some(compared) = caught(|| on_large_stack(|| compare_all(&programs, &of, &options)))?.ok() else {
        return Ok(None);
    };
    let ends = [programs.first(), programs.last()].map(|end| end.cloned().unwrap_or_else(|| source.clone()));
    let standing = running::run(&Pair { programs: ends, ..of }, &claimed(&compared.verdict), seed);
    standing.failure().map_or(Ok(Some(compared)), Err)
}
