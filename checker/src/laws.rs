//! The laws of arithmetic that a proof uses.

use crate::proof::{Arithmetic, Semiring, Strength};
use selfsame_core::operators::{Binary, ElementType};
use std::collections::BTreeSet;

/// A law of arithmetic that a proof assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AssumedLaw {
    /// `a op b = b op a`
    Commutative(Binary),
    /// `⊕` is commutative and associative; in `(+, ·)`, subtraction is addition of the negative.
    Sums(Semiring),
    /// `⊗` is commutative and associative, and distributes over `⊕`; in `(+, ·)`, index terms are numbers, with
    /// the same sums and products.
    Products(Semiring),
    /// `a ⊕ a = a`
    Idempotent(Semiring),
    /// `⊕` has an identity: a reduction, even an empty one, may be a term among others.
    Identity(Semiring),
    /// `−(a ⊕′ b) = −a ⊕ −b` for the dual `⊕′` of `⊕`, `−(−a) = a`, and, in `(max, +)`, that `−` is the inverse of
    /// addition; for truths, with `not` instead of `−`.
    Dual(Semiring),
    /// `x / y = x · (1/y)`
    Reciprocal,
    /// Cancelled terms of a side, 0 or 1, need not be read: `0 · x = 0` and `x − x = 0` for defined `x`.
    Forgets(usize),
    /// As [`AssumedLaw::Forgets`], for terms that may be undefined even if all inputs are defined, such as quotients.
    ForgetsPartial(usize),
    /// A nonzero index term is nonzero as a number.
    Characteristic,
    /// The arithmetic of one number system, decided by the solver: of all element types at once.
    Solved(Arithmetic, Strength),
}

impl AssumedLaw {
    /// The names of the laws, as in [`values::LAWS`] if listed there.
    pub fn names(self) -> Vec<String> {
        let of = |operator: Binary, laws: &[&str]| {
            laws.iter().map(|law| format!("{}-{law}", operator_name(operator))).collect::<Vec<_>>()
        };
        match self {
            AssumedLaw::Commutative(operator) => of(operator, &["commutative"]),
            AssumedLaw::Sums(semiring) => of(semiring.operations()[0], &["commutative", "associative"]),
            AssumedLaw::Products(semiring) => {
                let [plus, times] = semiring.operations();
                let mut names = of(times, &["commutative", "associative"]);
                names.push(match semiring {
                    Semiring::PlusTimes => "distributive".to_owned(),
                    _ => format!("{}-over-{}-distributive", operator_name(times), operator_name(plus)),
                });
                names
            }
            AssumedLaw::Idempotent(semiring) => of(semiring.operations()[0], &["idempotent"]),
            AssumedLaw::Identity(semiring) => of(semiring.operations()[0], &["identity"]),
            AssumedLaw::Dual(Semiring::OrAnd | Semiring::AndOr) => vec!["de-morgan".to_owned()],
            AssumedLaw::Dual(semiring) => of(semiring.operations()[0], &["negation-dual"]),
            AssumedLaw::Reciprocal => vec!["reciprocal".to_owned()],
            AssumedLaw::Solved(..) => vec!["arithmetic".to_owned()],
            AssumedLaw::Characteristic => vec!["characteristic-zero".to_owned()],
            AssumedLaw::Forgets(_) | AssumedLaw::ForgetsPartial(_) => {
                vec!["mul-zero".to_owned(), "sub-self".to_owned()]
            }
        }
    }
}

fn operator_name(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "add",
        Binary::Mul => "mul",
        Binary::Equal => "equal",
        Binary::NotEqual => "not-equal",
        other => other.text(),
    }
}

/// A set of laws, each with the element type of the operator that uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laws(BTreeSet<(AssumedLaw, ElementType)>);

impl Laws {
    /// Adds a law of an element type.
    pub fn add(&mut self, law: AssumedLaw, of: ElementType) {
        self.0.insert((law, of));
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (AssumedLaw, ElementType)> + '_ {
        self.0.iter().copied()
    }

    /// Adds all of `others`.
    pub fn extend(&mut self, others: Laws) {
        self.0.extend(others.0);
    }

    /// Whether some law makes the result weaker than equality for all inputs.
    pub fn weaken(&self) -> bool {
        self.0.iter().any(|(law, _)| match law {
            AssumedLaw::Forgets(_) | AssumedLaw::ForgetsPartial(_) => true,
            AssumedLaw::Solved(_, strength) => *strength != Strength::Undefined,
            _ => false,
        })
    }

    /// Whether no law is assumed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
