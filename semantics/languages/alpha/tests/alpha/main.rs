//! The tests of this crate in one binary: it links once, and the tests of all files run in parallel.

mod additions;
mod bad_input;
mod labels;
mod random;
mod static_checks;
mod syntax;
mod types;
