//! The tests of this crate, in one binary: it is linked once, and the tests of all files run in parallel.

mod allocation;
mod faults;
mod fusion;
mod halves;
mod harness;
mod large;
mod level;
mod memory;
mod operators;
mod reference;
mod regions;
mod streaming;
mod tolerance;
