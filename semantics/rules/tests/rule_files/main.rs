//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod rule_evaluation;
mod rule_readings;
mod rules;
