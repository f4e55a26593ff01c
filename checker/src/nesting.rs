//! Runs recursive code on data that nests as deeply as programs, on a large stack.
//!
//! Proofs and their JSON are read, written (by serde) and checked recursively. This happens on a stack of our own,
//! independent of the caller's; documents too deep for it are neither written nor read.

pub use base::stack::nesting;
use base::stack::on_large_stack;
use base::unambiguous::Unambiguous;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// The maximum depth of nested JSON. Half of a stack of [`base::stack::STACK_BYTES`] has 6.7 KB for each level;
/// a test reads and writes a document of this depth.
pub const MAX_NESTING: usize = 20_000;

/// The maximum height ([`selfsame_core::Program::height`]) of programs in proofs, because search, solver and
/// checker recurse. Expressions of systems are inlined to 20,000 levels at most: what is deeper is refused
/// there, where the message names the place.
pub const MAX_HEIGHT: usize = 20_100;

/// Why a document is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MalformedDocument {
    /// It is nested too deeply, to this depth.
    TooDeep(usize),
    /// It is not a document of this format.
    Json(String),
}

impl fmt::Display for MalformedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MalformedDocument::TooDeep(depth) => {
                write!(f, "nested {depth} deep, which is too deep: the limit is {MAX_NESTING}")
            }
            MalformedDocument::Json(reason) => f.write_str(reason),
        }
    }
}

/// Reads a document and passes it to `act` before it is dropped, because dropping recurses, too.
///
/// # Errors
/// The text is not such a document, an object in it has a duplicate key, or it is nested too deeply.
pub fn read<D: DeserializeOwned, T>(text: &str, act: impl FnOnce(D) -> T) -> Result<T, MalformedDocument> {
    let depth = nesting(text);
    if depth > MAX_NESTING {
        return Err(MalformedDocument::TooDeep(depth));
    }
    let read = || {
        let _: Unambiguous = whole(text)?;
        Ok(act(whole(text)?))
    };
    on_large_stack(read).map_err(|error: serde_json::Error| MalformedDocument::Json(error.to_string()))
}

fn whole<D: DeserializeOwned>(text: &str) -> serde_json::Result<D> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let document = D::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(document)
}

/// Writes a document as text, on one line.
///
/// # Errors
/// The document is nested too deeply to be read again.
pub fn write(document: &impl Serialize) -> Result<String, MalformedDocument> {
    let text = on_large_stack(|| serde_json::to_string(document));
    let mut text = text.map_err(|error| MalformedDocument::Json(error.to_string()))?;
    let depth = nesting(&text);
    text.push('\n');
    if depth > MAX_NESTING { Err(MalformedDocument::TooDeep(depth)) } else { Ok(text) }
}
