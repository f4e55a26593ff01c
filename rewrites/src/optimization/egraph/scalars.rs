//! The algebra of scalars as rewrites ([`link::statements::scalars`]); an e-graph uses the laws of one number
//! system only.

use super::rewriting::{Rewrite, allowed};
use alpha::patterns::parse_pattern;
use link::statements::scalars::statements;
use selfsame_core::operators::{Binary, ElementType};
use values::{Listed, Machine};

/// The laws that are used from right to left too, by the ends of their names.
const BACKWARD: &[&str] =
    &["-associative", "-distributive", "-quotient", "-split", "-negative", "-dual", "choice"];

/// The rewrites that hold in a number system on a machine, for inputs that may be undefined.
pub fn rewrites<S: Listed>(system: &S, machine: &Machine) -> Vec<Rewrite> {
    let mut rewrites: Vec<Rewrite> = Vec::new();
    for allowed in statements().into_iter().filter_map(|statement| allowed(statement, system, machine)) {
        let is_both_ways = BACKWARD.iter().any(|end| allowed.statement.name.ends_with(end));
        let backward = is_both_ways.then(|| Rewrite::backward(&allowed));
        for rewrite in [Rewrite::forward(&allowed)].into_iter().chain(backward) {
            let known = |other: &Rewrite| [&other.from, &other.to] == [&rewrite.from, &rewrite.to];
            if !rewrites.iter().any(known) {
                rewrites.push(rewrite);
            }
        }
    }
    rewrites
}

/// Whether the rewrites contain the associativity of an operator of a type.
pub fn are_associative(rewrites: &[Rewrite], operator: Binary, data_type: ElementType) -> bool {
    let law = parse_pattern(&"(E1 P E2) P E3".replace('P', operator.text()));
    let is_for = |rewrite: &Rewrite| data_type == ElementType::Boolean || !rewrite.is_of_truths(None);
    rewrites.iter().any(|rewrite| Some(&rewrite.from) == law.as_ref() && is_for(rewrite))
}
