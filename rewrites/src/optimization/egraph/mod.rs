//! ALPHA's theorems as rewrites on an e-graph.

pub mod corpus;
pub mod cost;
pub mod counting;
pub mod explanation;
pub mod expressions;
pub mod extraction;
pub mod facts;
pub mod language;
mod liveness;
pub mod maps;
pub mod matching;
pub mod rewriting;
pub mod rules;
pub mod saturation;
pub mod scalars;
mod sizes;
mod terms;
pub mod theorems;
