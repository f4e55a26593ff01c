//! The tests of this crate, in one binary: it is linked once, and the tests of all files run in parallel.

mod examples;
#[cfg(target_os = "linux")]
mod memory;
mod random;
mod silence;
