//! The tensor model language (Rink), chapter by chapter.

pub mod analysis;
pub mod evaluation;
pub mod lexing;
pub mod parsing;
pub mod printing;
pub mod store;
pub mod syntax;
mod tabulation;
pub mod typing;
