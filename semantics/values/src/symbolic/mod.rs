//! Symbolic values: one evaluation over terms decides for all stores at once.
//!
//! [`terms`] is the value domain. Tiers decide whether two terms are always equal, each with more laws than the
//! last: the same term ([`Terms`]: none), [`canonical`] (commutativity, then associativity), [`normal`] (a
//! commutative ring: polynomials with supports), [`cases`] (a field: fractions, by cases of vanishing divisors).

pub mod canonical;
pub mod cases;
pub mod normal;
pub mod polynomial;
pub mod terms;

pub use terms::{TermId, Terms, Unknown};
