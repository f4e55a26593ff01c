//! The core in index notation, on which provers compare programs.
//!
//! ALPHA's expressions are composed functions of a point. Here the point has named indices, dependences are
//! substituted into reads, and domains are conditions. Ours beyond ALPHA: index terms that are polynomials over
//! sizes ([`index`]), an index term as a value, uninterpreted scalar functions, and a reduction whose value over
//! nothing is the identity of its operator ([`evaluation`] defines each).

pub mod answer;
pub mod by_inputs;
pub mod condition;
pub mod counterexample;
pub mod evaluation;
pub mod index;
pub mod instance;
pub mod operations;
pub mod operators;
pub mod printing;
pub mod relation;
pub mod syntax;
pub mod text;
pub mod traps;
pub mod unrolling;

pub use condition::Condition;
pub use counterexample::Counterexample;
pub use index::{Index, Variable};
pub use instance::{Instance, Requirement};
pub use relation::Relation;
pub use syntax::{
    About, Bounds, FunctionId, Input, InputId, Node, NodeId, Operator, PointwiseClaim, Program, Reduction,
};
