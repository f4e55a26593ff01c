//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod answers;
mod comprehensions;
mod dimensions;
mod findings;
mod json;
mod numbers;
mod proving;
mod reach;
mod reproducers;
mod slices;
mod toy;
mod transcription;
