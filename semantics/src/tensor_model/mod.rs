//! The tensor model language (Rink), chapter by chapter.

pub mod analysis;
pub mod claims;
pub mod cost;
pub mod derivation;
pub mod equivalence;
pub mod evaluation;
pub mod ill_formed;
pub mod lexing;
pub mod parsing;
pub mod printing;
pub mod serialization;
pub mod simulation;
pub mod store;
pub mod syntax;
mod tabulation;
pub mod typing;
