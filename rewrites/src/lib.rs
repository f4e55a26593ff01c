//! Decides when two programs mean the same: the search for proofs and counterexamples.
//!
//! In the order of a verdict:
//!
//! - [`verification`]: a rule, instance by instance, in each number system; [`programs`]: two programs, with their
//!   recurrences by induction. Both give a [`verdict`].
//! - [`search`]: how a proof is sought; the checker accepts it, or it counts for nothing.
//! - [`refutation`]: how a counterexample is sought, and made small.
//! - [`optimization`]: cheaper programs by an e-graph; [`normalization`]: normal forms, other bases.

pub mod normalization;
pub mod optimization;
pub mod programs;
pub mod refutation;
pub mod search;
pub mod verdict;
pub mod verification;
