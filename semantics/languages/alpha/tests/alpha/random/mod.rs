//! ALPHA on random systems: printing and parsing, checks, evaluation, and a naive oracle.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod demand;
mod evaluation;
mod faults;
mod index_notation;
mod naive;
mod reach;
mod setup;
mod syntax;
