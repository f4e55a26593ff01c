//! The tests of this crate in one binary: it links once, and the tests of all files run in parallel.

mod support;

mod levels;
mod lowering;
mod paper;
mod translation;
