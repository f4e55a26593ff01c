//! SaC with tensor comprehensions, by Scholz and Šinkarovs, *Tensor Comprehensions in SaC*, IFL 2019.
//!
//! - Text (§§2 to 4): [`lexing`], [`parsing`], [`syntax`] (the tree); [`names`] and [`functions`]: what names mean; [`modules`]: the prelude, in SaC.
//! - Meaning: [`evaluation`], the big-step semantics over [`values`] and [`errors`], with [`primitives`]; [`selections`] finds what bounds an index (§5.2).
//! - [`translation`] of comprehensions to with-loops (§5); [`levels`]: the binding scope analysis (§6.1); [`printing`].
//! - `to_alpha` lowers a program at the ranks of its inputs to a system of ALPHA; [`program`] has the traits of a language.

pub mod claims;
pub mod errors;
pub mod evaluation;
pub mod functions;
pub mod levels;
pub mod lexing;
pub mod modules;
pub mod names;
pub mod parsing;
pub mod primitives;
pub mod printing;
pub mod program;
pub mod selections;
mod substitution;
pub mod syntax;
mod to_alpha;
pub mod translation;
pub mod unknown;
pub mod values;
