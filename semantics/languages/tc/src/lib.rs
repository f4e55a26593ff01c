//! Tensor Comprehensions, by the page on their semantics.
//!
//! - Text (Grammar): [`lexing`], [`parsing`], [`syntax`] (the tree), [`printing`]; [`likeness`] compares trees.
//! - Types, scoping, ranges: [`typing`] makes a [`typed`] program; [`indices`] and [`conditions`] are its index expressions, [`inference`] their ranges; [`checking`]
//!   decides the conditions on sizes that remain.
//! - [`evaluation`]: the big-step semantics. [`derivation`]: the tree behind ranges or a run, and its checker. [`to_alpha`] lowers a program to a system of ALPHA; [`program`] has the traits of a language.

pub mod checking;
pub mod claims;
pub mod derivation;
pub mod evaluation;
pub mod inference;
pub mod lexing;
pub mod likeness;
pub mod parsing;
mod prepared;
pub mod printing;
pub mod program;
pub mod syntax;
pub mod to_alpha;
pub mod typed;
pub mod typing;

pub use ::indices::{condition as conditions, expression as indices, sets};
