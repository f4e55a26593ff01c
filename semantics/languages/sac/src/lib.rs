//! SaC with tensor comprehensions, by Scholz and Šinkarovs, *Tensor Comprehensions in SaC*, IFL 2019.
//!
//! - Text (§§2 to 4): [`lexing`], [`parsing`], [`syntax`] (the tree); [`names`] and [`functions`]: what names mean; [`modules`]: the prelude, in SaC.
//! - Meaning: [`evaluation`], the big-step semantics over [`values`] and [`errors`], with [`primitives`]; [`selections`] finds what bounds an index (§5.2).

pub mod errors;
pub mod evaluation;
pub mod functions;
pub mod lexing;
pub mod modules;
pub mod names;
pub mod parsing;
pub mod primitives;
pub mod selections;
pub mod syntax;
pub mod values;
