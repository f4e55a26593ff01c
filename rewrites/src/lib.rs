//! When two programs mean the same: the search for proofs and counterexamples.

pub mod basis;
mod computation;
mod concrete;
mod correspondence;
pub mod egraph;
pub mod expansion;
pub mod growth;
pub mod judging;
mod leftover;
mod matching;
pub mod meaning;
mod model;
pub mod narrowing;
pub mod normalization;
pub mod optimization;
pub mod programs;
mod recurrences;
pub mod refutation;
pub mod reuse;
pub mod samples;
pub mod search;
mod simplification;
mod solving;
mod supposing;
pub mod verdict;
pub mod verification;
mod witnesses;
