//! The tensor model language (Rink), chapter by chapter.
//!
//! - Text (§3.1): [`lexing`], [`parsing`], [`syntax`] (the tree), [`extents`], [`printing`], [`serialization`].
//! - Types (Figs. 7 to 9): [`typing`]; [`ill_formed`] gives the reason if a program has none.
//! - Evaluation (Figs. 10 to 14): [`store`], [`evaluation`] as printed, `tabulation` faster, [`cost`] from types
//!   alone.
//! - Questions: [`equivalence`] of two programs, [`simulation`] (is padding safe?).
//! - [`to_alpha`] lowers a program to a system of ALPHA, and [`from_alpha`] raises it again.
//! - [`derivation`]: whole derivations, and a checker; [`analysis`]: §5; [`claims`]: the claims of the paper.
//!
//! Two programs are parsed, typed and compared:
//! ```
//! use rink::decision::{DecisionOptions, decide};
//! use selfsame_core::Relation;
//! use rink::equivalence::{Equivalence, Typed};
//! use rink::{parsing::parse, typing::type_program};
//! use values::Division;
//! let texts = ["var a : [2]  var b : [2]  a = a + b", "var a : [2]  var b : [2]  a = b + a"];
//! let programs = texts.map(|text| parse(text).program);
//! let [left, right] = [0, 1].map(|at| type_program(&programs[at]).expect("well-formed"));
//! let typed = [(&programs[0], &left), (&programs[1], &right)].map(|(program, typing)| Typed { program, typing });
//! let problem = Equivalence::new(typed[0], typed[1], Division::Controlled, 1000).expect("the same declarations");
//! let verdict = decide(&problem, &DecisionOptions::default());
//! assert!(verdict.answers.iter().all(|answer| answer.relations.any == Relation::Equivalent));
//! assert_eq!(verdict.laws, ["add-commutative"]);
//! ```

pub mod analysis;
pub mod claims;
pub mod cost;
pub mod decision;
pub mod derivation;
pub mod equivalence;
pub mod evaluation;
pub mod extents;
pub mod from_alpha;
pub mod ill_formed;
pub mod lexing;
pub mod parsing;
pub mod printing;
pub mod program;
pub mod serialization;
pub mod simulation;
pub mod store;
pub mod syntax;
mod tabulation;
pub mod tensor_type;
pub mod to_alpha;
pub mod typing;
