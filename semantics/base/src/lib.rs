//! The foundation of all crates of the semantics.
//!
//! - [`diagnostics`]: spans, codes, and messages for people.
//! - [`escaping`]: makes text from outside safe to show.
//! - [`identifiers`]: positions in tables as numbers, checked where they are made.
//! - [`parallel`]: jobs on all processors.
//! - [`stack`]: large stacks for recursive work.
//! - [`unambiguous`]: JSON in which no object has a duplicate key.
//! - [`mod@claims`]: the claims of the documents, as data.
//! - [`seeded`]: faults seeded on purpose, to see which check finds them.

pub mod claims;
pub mod diagnostics;
pub mod escaping;
pub mod identifiers;
pub mod parallel;
pub mod seeded;
pub mod stack;
pub mod unambiguous;
