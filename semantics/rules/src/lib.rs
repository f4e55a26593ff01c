//! Rewrite rules: files of operator definitions in terms of the core, and of rules over these operators.

pub mod builtins;
pub mod closure;
mod conditions;
pub mod elaboration;
pub mod evaluation;
mod hints;
pub mod instances;
pub mod lexing;
pub mod library;
mod lifting;
mod names;
pub mod outline;
pub mod parsing;
pub mod shipped;
pub mod syntax;
pub mod uses;
pub mod values;
mod vectors;
