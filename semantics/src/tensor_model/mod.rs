//! The tensor model language (Rink), chapter by chapter.
//!
//! - Text (§3.1): [`lexing`], [`parsing`], [`syntax`] (the tree), [`extents`], [`printing`], [`serialization`].
//! - Types (Figs. 7 to 9): [`typing`]; [`ill_formed`] is why a program has none.
//! - Evaluation (Figs. 10 to 14): [`store`], [`evaluation`] as printed, `tabulation` faster, [`cost`] from types alone.
//! - Questions: [`equivalence`] of two programs, [`simulation`] (is padding safe?).
//! - [`to_core`]: the same program in the core language; [`from_core`]: and back.
//! - [`derivation`]: whole derivations, and a checker; [`analysis`]: §5; [`claims`]: what the paper claims.

pub mod analysis;
pub mod claims;
pub mod cost;
pub mod derivation;
pub mod equivalence;
pub mod evaluation;
pub mod extents;
pub mod from_core;
pub mod ill_formed;
pub mod lexing;
pub mod parsing;
pub mod printing;
pub mod serialization;
pub mod simulation;
pub mod store;
pub mod syntax;
mod tabulation;
pub mod to_core;
pub mod typing;
