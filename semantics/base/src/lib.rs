//! What every floor of the semantics stands on.
//!
//! - [`diagnostics`]: spans, codes, and what is said to a person.
//! - [`escaping`]: text from outside, as it may be shown.
//! - [`stack`]: stacks of our own, for what recurses.
//! - [`unambiguous`]: JSON in which no object has a key twice.
//! - [`mod@claims`]: what the documents claim, as data.
//! - [`seeded`]: faults that are put in on purpose, to see which check finds them.

pub mod claims;
pub mod diagnostics;
pub mod escaping;
pub mod seeded;
pub mod stack;
pub mod unambiguous;
