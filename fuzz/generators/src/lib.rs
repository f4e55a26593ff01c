//! Programs of the tensor model language, and systems of ALPHA, well-formed by construction.
//!
//! - [`choices`]: sources of decisions; a generator asks one and does not know about randomness.
//! - [`alpha`]: everything about ALPHA.
//! - [`comprehensions`]: random Tensor Comprehensions; `faults` in them.
//! - [`programs`]: random programs: types first, then expressions of those types; nothing is ever rejected;
//!   and the same with size parameters for numbers.
//! - [`enumeration`]: every expression over a context up to a number of operators.
//! - [`rules`]: files of rewrite rules.
//! - [`stores`]: elements of stores.
//! - [`edits`]: variants of a program, each by one step of a compiler.
//! - [`mutations`]: ill-formed programs, with the error that they must give.
//! - [`checks`]: the checks of the libFuzzer targets.
//!
//! ```
//! use generators::{choices::Random, programs::{ProgramShape, program}};
//! let program = program(&mut Random::seeded(7), &ProgramShape::default());
//! assert!(rink::typing::type_program(&program).is_ok());
//! ```

pub mod alpha;
pub mod checks;
pub mod choices;
pub mod comprehensions;
pub mod edits;
pub mod enumeration;
pub mod mutations;
pub mod programs;
pub mod rules;
pub mod sac;
pub mod stores;
