//! Is this still the same tensor program? The library of *selfsame*: from two texts, or from rewrite rules, to a
//! verdict in every number system, with a proof or a counterexample.
//!
//! ```
//! use selfsame::{Comparison, Language, Relation, Source, SystemName};
//!
//! let declared = "var input A : [n] var input B : [n] var input C : [n] var output D : [n]";
//! let before = Source::new("before", Language::Rink, format!("{declared} D = (A * B) + (A * C)"));
//! let after = Source::new("after", Language::Rink, format!("{declared} D = A * (B + C)"));
//!
//! let verdict = Comparison::new([before, after]).compare()?;
//! assert_eq!(verdict.relation(SystemName::Rational), Relation::Equivalent);
//! assert_eq!(verdict.relation(SystemName::F32), Relation::Different);
//! println!("{verdict}");
//! let certificate = verdict.certificate()?.expect("it is proved");
//! assert!(selfsame::certified(&certificate).is_ok());
//! # Ok::<(), selfsame::Error>(())
//! ```
//!
//! Rules of rewriting are verified for all sizes:
//!
//! ```
//! use selfsame::{Relation, Rules, SystemName};
//!
//! let rules = Rules::read("mine.rules", "rule double sizes n tensors x[n] left x + x right x * 2")?;
//! for rule in rules.verify()? {
//!     assert_eq!(rule.relation(SystemName::Rational), Relation::Equivalent);
//! }
//! # Ok::<(), selfsame::Error>(())
//! ```
//!
//! Nothing here prints, exits, or needs a large stack. A verdict was run before it is returned ([`running`]): both
//! sources, by their reference semantics, at small sizes.

mod asked;
pub mod certificates;
mod comparison;
pub mod contradiction;
pub mod crash;
pub mod decision;
mod elements;
mod error;
mod found;
pub mod number_systems;
pub mod reasons;
mod rules;
pub mod running;
pub mod text;
mod verdict;
mod wanted;

pub use asked::{Asked, MAX_ELEMENTS};
pub use certificates::certified;
pub use comparison::Comparison;
pub use error::Error;
pub use languages::{Language, Source};
pub use rules::{RuleVerdict, Rules, Verified, verified};
pub use selfsame_core::by_inputs::{ByInputs, InputClass};
pub use selfsame_core::counterexample::Counterexample;
pub use selfsame_core::relation::Relation;
pub use values::{Division, System, SystemName};
pub use verdict::Verdict;
pub use wanted::ReportedSystem;
