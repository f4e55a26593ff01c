//! Replays proofs that two expressions of the core are equal.
//!
//! The search that found a proof is not trusted, and shares no code with this crate. A proof is checked against
//! the two programs, rule by rule ([`rules`]); every obligation about indices is quantifier-free and goes to z3
//! ([`solver`]).

mod cases;
pub mod coefficients;
pub mod context;
pub mod counting;
pub mod degrees;
mod exhaustion;
pub mod expansion;
pub mod hypotheses;
pub mod instances;
pub mod laws;
pub mod length;
mod machines;
pub mod memory;
pub mod nesting;
mod obligations;
mod primitives;
mod products;
pub mod proof;
pub mod questions;
pub mod refusal;
mod residues;
pub mod rules;
mod scalars;
pub mod side;
pub mod smt;
pub mod solver;
pub mod systems;
pub mod theories;
mod totality;
pub mod typed;
