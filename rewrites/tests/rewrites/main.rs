//! The tests of this crate, in one binary: it links once, and tests of all files run side by side.

mod cases;
mod chains;
mod corpus;
mod corruptions;
mod counterexamples;
mod counting;
mod coverage;
mod derivations;
mod expansions;
mod growth;
mod maps;
mod meaning;
mod mutants;
mod raising;
mod recurrences;
mod reproducers;
mod support;
mod theorems;
mod used_rules;
