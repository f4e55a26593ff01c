//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod findings;
mod proving;
mod reach;
mod reproducers;
mod targets;
mod toy;
mod transcription;
