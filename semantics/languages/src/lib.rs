//! The table of languages, and what is asked of programs in any of them.
//!
//! - [`Language`], [`Program`], [`Runnable`]: one row a language; each fulfils the trait [`language::Program`].
//! - [`Source`]: a text, and [`Read`]: with its program. Texts are read once.
//! - [`Pair`], [`Chain`]: programs that are compared, and [`Question`]: what a prover is asked.
//! - [`claims`]: what the documents of all languages claim.

pub mod claims;
mod interface;
mod pair;
mod source;
mod table;
#[cfg(debug_assertions)]
mod toy;

pub use interface::{Mismatch, Role};
pub use pair::{Chain, Pair, Question, indices_defined};
pub use source::{Read, Source};
pub use table::{Language, PLANNED, Planned, Program, Runnable};
