//! ALPHA (Wilde 1994): systems of affine recurrence equations over polyhedral domains.
//!
//! Beyond the paper's language there is what other languages and rewrites need: indices as values, `abs`, `rem`,
//! casts, uninterpreted functions of scalars, reductions with a declared domain, and inputs on which index sets
//! depend. Each is marked as ours where it occurs, reserves no words ([`parsing`]), and has an entry
//! `alpha/decision-…` among the [`claims`].

pub mod accesses;
pub mod checking;
pub mod claims;
pub mod components;
pub mod derivation;
pub mod domains;
pub mod evaluation;
pub mod instance;
pub mod lexing;
pub mod likeness;
pub mod lowered;
pub mod origins;
pub mod parsing;
pub mod patterns;
pub mod printing;
pub mod program;
pub mod syntax;
pub mod theorems;
pub mod to_core;
pub mod typing;
pub mod uses;
