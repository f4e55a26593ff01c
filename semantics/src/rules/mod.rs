//! Rewrite rules: files of operators, defined in terms of the core, and of rules over them.

pub mod builtins;
mod conditions;
pub mod elaboration;
pub mod instances;
pub mod lexing;
pub mod library;
mod lifting;
mod names;
pub mod outline;
pub mod parsing;
pub mod syntax;
pub mod values;
mod vectors;
