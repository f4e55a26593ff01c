//! Sets of integer points bounded by affine constraints, with parameters, in pure Rust.
//!
//! Operations without decisions are here: sets, maps and relations as data, combined syntactically, and evaluated
//! at a point. An [`Engine`] answers questions that need a decision.
//!
//! ```
//! use polyhedra::{AffineMap, IndexSet};
//! let triangle: IndexSet = "[N] -> { [i, j] : 0 <= i <= j and j < N }".parse()?;
//! let transposed: AffineMap = "[N] -> { [i, j] -> [j, i] }".parse()?;
//! assert_eq!(triangle.preimage(&transposed)?.to_string(), "[N] -> { [i, j] : j >= 0 and i >= j and N >= i + 1 }");
//! assert!(triangle.contains(&[5], &[1, 4])?);
//! # Ok::<(), polyhedra::EngineError>(())
//! ```
//!
//! Coefficients and coordinates have 64 bits; overflow is an error, never a wrong set.

mod affine;
mod basic;
mod elimination;
mod engine;
mod error;
mod hull;
mod interning;
mod map;
mod memo;
mod plain;
mod relation;
mod scanning;
mod set;
mod space;
mod text;
mod voids;

pub use affine::Affine;
pub use basic::{BasicSet, Local};
pub use engine::{Closure, Engine, PiecewiseMap, Sample};
pub use error::EngineError;
pub use interning::{Interner, SetId};
pub use map::AffineMap;
pub use memo::Memo;
pub use relation::IndexRelation;
pub use scanning::Scan;
pub use set::{IndexSet, MAX_PIECES};
pub use space::{Name, Space, names};
