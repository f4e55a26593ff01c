//! What a system is turned into, proved to be the same.

use super::loading::LoadedSystem;
use crate::diagnostics::Source as Text;
use crate::exit::Failure;
use crate::limits::Progress;
use crate::rules::on_large_stack;
use rewrites::programs::{Compared, compare};
use rewrites::verification::Options;
use semantics::core::from_alpha::Recurrences;
use semantics::programs::{Language, Pair, Source};
use semantics::values::Division;
use std::collections::BTreeMap;

/// What the prover says of a system and a text that it is turned into, which is checked first.
///
/// # Errors
/// The text is no well-formed system.
pub fn compared(
    system: &LoadedSystem,
    name: &str,
    text: &str,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Compared>, Failure> {
    progress.set(format!("proving that the result is the same as {}", system.source.name));
    LoadedSystem::of(Text { name: "the result".to_owned(), text: text.into() })?.checked(None, progress)?;
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        language: Language::Alpha,
        text: text.to_owned(),
    };
    let pair = Pair {
        programs: [source(&system.source.name, &system.source.text), source(name, text)],
        parameters: BTreeMap::new(),
        division: Division::Extended,
        locals: false,
        recurrences: Recurrences::Unrolled,
    };
    let options = Options { seed, ..Options::default() };
    Ok(on_large_stack(|| compare(&pair, &options)).and_then(Result::ok))
}
