//! The table of languages, and the operations on programs of any of them.
//!
//! - [`Language`], [`Program`], [`Runnable`]: one row per language; each implements the trait
//!   [`language::Program`].
//! - [`Source`]: a text; [`ReadSource`]: a text with its program. Texts are read once.
//! - [`Pair`], [`Chain`]: programs to be compared; [`Question`]: the claims for a prover.
//! - [`claims`]: the claims of the documents of all languages.

pub mod claims;
mod interface;
mod origins;
mod pair;
mod source;
mod table;
#[cfg(debug_assertions)]
mod toy;

pub use interface::{Mismatch, Role};
pub use origins::Shifted;
pub use pair::{Chain, Pair, Question, indices_defined};
pub use source::{ReadSource, Source};
pub use table::{Language, PLANNED, Planned, Program, Runnable};
