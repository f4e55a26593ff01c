//! What tensor programs mean, and whether two of them mean the same.
//!
//! - [`values`]: the value domains: number systems with `•`, their laws, and symbolic terms.
//! - [`alpha`]: ALPHA, the core language: systems of affine recurrence equations over polyhedral domains.
//! - [`core`]: the core in index notation, with what rewrite rules need beyond ALPHA; what the prover compares.
//! - [`rules`]: files of rewrite rules, and each rule's two sides in the core.
//! - [`claims`]: what the documents claim, as data.
//! - [`tensor_model`]: the tensor model language, from its text to its evaluation, padding, derivations and analyses.
//! - [`programs`]: two programs, in any of the languages, as what the prover compares.
//! - [`decision`]: whether two sides agree for all inputs: proof, counterexample, verdict for each number system.
//! - [`tensor_json`]: tensors as JSON, read in one pass within limits.
//! - [`indices`]: the indices of a tensor, in order.
//! - [`stack`]: stacks of our own, for what recurses.
//! - [`diagnostics`]: spans, codes, and what is said to a person.
//! - [`escaping`]: text from outside, as it may be shown.
//!
//! Two programs are parsed, typed and compared:
//! ```
//! use semantics::decision::{Options, Relation, decide};
//! use semantics::tensor_model::equivalence::{Equivalence, Typed};
//! use semantics::tensor_model::{parsing::parse, typing::type_program};
//! use semantics::values::Division;
//! let texts = ["var a : [2]  var b : [2]  a = a + b", "var a : [2]  var b : [2]  a = b + a"];
//! let programs = texts.map(|text| parse(text).program);
//! let [left, right] = [0, 1].map(|at| type_program(&programs[at]).expect("well-formed"));
//! let typed = [(&programs[0], &left), (&programs[1], &right)].map(|(program, typing)| Typed { program, typing });
//! let problem = Equivalence::new(typed[0], typed[1], Division::Controlled, 1000).expect("the same declarations");
//! let verdict = decide(&problem, &Options::default());
//! assert!(verdict.systems.iter().all(|answer| answer.relation == Relation::Equivalent));
//! assert_eq!(verdict.laws, ["add-commutative"]);
//! ```
pub mod alpha;
pub mod claims;
pub mod core;
pub mod decision;
pub mod diagnostics;
pub mod escaping;
pub mod indices;
pub mod programs;
pub mod rules;
pub mod seeded;
pub mod stack;
pub mod tensor_json;
pub mod tensor_model;
pub mod unambiguous;
pub mod values;
