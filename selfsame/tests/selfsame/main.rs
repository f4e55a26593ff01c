//! The library as others use it: texts in, verdicts out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod certificates;
mod programs;
mod rules;
