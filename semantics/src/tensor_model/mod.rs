//! The tensor model language (Rink), chapter by chapter.

pub mod lexing;
pub mod parsing;
pub mod printing;
pub mod syntax;
pub mod typing;
