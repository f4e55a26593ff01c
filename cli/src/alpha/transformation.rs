//! What a system is turned into, proved to be the same.

use super::loading::LoadedSystem;
use crate::diagnostics::Source as Text;
use crate::exit::Failure;
use crate::limits::Progress;
use crate::rules::on_large_stack;
use rewrites::programs::{Compared, compare_all};
use rewrites::verification::Options;
use semantics::core::from_alpha::Recurrences;
use semantics::programs::{Language, Pair, Source};
use semantics::values::Division;
use std::collections::BTreeMap;

/// What the prover says of a system and the texts that it is turned into, one after the other, which are checked first.
///
/// # Errors
/// A text is no well-formed system.
pub fn compared(
    system: &LoadedSystem,
    name: &str,
    texts: &[&str],
    seed: u64,
    progress: &Progress,
) -> Result<Option<Compared>, Failure> {
    progress.set(format!("proving that the result is the same as {}", system.source.name));
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        language: Language::Alpha,
        text: text.to_owned(),
    };
    let mut programs = vec![source(&system.source.name, &system.source.text)];
    for text in texts {
        LoadedSystem::of(Text { name: "the result".to_owned(), text: (*text).into() })?
            .checked(None, progress)?;
        programs.push(source(name, text));
    }
    let of = Pair {
        programs: [programs[0].clone(), programs[0].clone()],
        parameters: BTreeMap::new(),
        division: Division::Extended,
        locals: false,
        recurrences: Recurrences::Unrolled,
    };
    let options = Options { seed, ..Options::default() };
    Ok(on_large_stack(|| compare_all(&programs, &of, &options)).and_then(Result::ok))
}
