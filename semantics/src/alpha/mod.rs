//! ALPHA (Wilde 1994): systems of affine recurrence equations over polyhedral domains.

pub mod accesses;
pub mod checking;
pub mod claims;
mod components;
pub mod derivation;
pub mod domains;
pub mod evaluation;
pub mod instance;
pub mod lexing;
pub mod likeness;
pub mod operations;
pub mod parsing;
pub mod patterns;
pub mod printing;
pub mod syntax;
pub mod theorems;
pub mod typing;
pub mod uses;
