//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod additions;
mod bad_input;
mod random;
mod static_checks;
mod syntax;
