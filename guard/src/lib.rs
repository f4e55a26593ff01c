//! Tests every verdict by execution before it is reported.
//!
//! A proof is about the core that elaboration and lowering made of two texts. The guard does not use the core: it
//! runs both *sources* by the reference semantics of their own languages, at small sizes and on values that
//! matter, in every number system that a verdict names. It compares the outputs with the claimed relation:
//! ```text
//! =    the same support, and the same values (bits of floats, any nan for any nan)
//! ⊑    the same wherever the left side is defined
//! ≠    the counterexample shows a difference
//! ```
//! A counterexample is run on both sources, too. An instance is a size with inputs. It *counts* if an output has
//! elements there, and evaluation ends within its budget.
//!
//! ```
//! use guard::{Claimed, Effort, programs};
//! use polyhedra_isl::Isl;
//! use selfsame_core::relation::Relation;
//! use languages::{Language, Pair, Source};
//! use values::SystemName;
//!
//! let text = |right: &str| format!("system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<=N }} of real)
//!     returns (y : {{ i | 0<=i<=N }} of real); let y[i] = {right}; tel;");
//! let source = |right: &str| Source { name: right.to_owned(), language: Language::Alpha, text: text(right) };
//! let pair = Pair::read([source("x[i] + x[N-i]"), source("x[N-i] - x[i]")]).expect("both can be read");
//! let claimed = Claimed::everywhere(SystemName::Rational, Relation::Equivalent);
//! let run = programs::run(&pair, &[claimed], &Isl::with_memory(), &Effort::default());
//! assert!(run.contradiction.is_some());
//! ```

mod comparison;
mod inputs;
pub mod problems;
pub mod programs;
mod report;
pub mod rules;
mod sizes;

pub use inputs::faithful;
pub use report::{Claimed, Contradiction, Effort, NamedElements, Run, Unconfirmed, WrittenWitness};
