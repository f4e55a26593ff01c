//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod bounds;
mod comprehensions;
mod generators;
