//! Checks every claim of `rink::analysis` against evaluation, or an enumeration of all element accesses.
#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy exempts test functions, but not their helpers")]

mod common_subexpressions;
mod dead_code;
mod domains;
mod enumerator;
mod generator;
mod in_place;
mod limits;
mod padded;
mod reaching;
mod simulator;
mod support;
mod uninitialized;
