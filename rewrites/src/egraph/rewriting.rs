//! A rewrite: two patterns that stand for the same, under conditions.

use semantics::alpha::patterns::Pattern;
use semantics::alpha::theorems::Condition;

/// What is found is what is made of it, under conditions.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The theorem or law, and ` backward` if it is used from right to left.
    pub name: String,
    /// What is found.
    pub from: Pattern,
    /// What it is.
    pub to: Pattern,
    /// When.
    pub conditions: Vec<Condition>,
}

impl Rewrite {
    /// A rewrite.
    pub fn new(name: String, from: &Pattern, to: &Pattern, conditions: &[Condition]) -> Rewrite {
        Rewrite { name, from: from.clone(), to: to.clone(), conditions: conditions.to_vec() }
    }

    /// Whether its functions are the sides of a square, of which what is found has two.
    pub fn is_square(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition, Condition::OntoFibres(..)))
    }
}
