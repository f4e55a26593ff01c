//! The laws of arithmetic that a proof uses.

use crate::proof::{Arithmetic, Semiring, Strength};
use selfsame_core::operators::{Binary, ElementType};
use std::collections::BTreeSet;
use values::Machine;
use values::machine::Reductions;

/// A law of arithmetic that a proof assumes. All but the last four are equations ([`values::machine::laws`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AssumedLaw {
    /// `a op b = b op a`
    Commutative(Binary),
    /// `(a op b) op c = a op (b op c)`
    Associative(Binary),
    /// `(a ⊕ b) ⊗ c = (a ⊗ c) ⊕ (b ⊗ c)`
    Distributive(Semiring),
    /// `a ⊕ a = a`
    Idempotent(Semiring),
    /// `a ⊕ i = a` for the identity `i` of `⊕`: a reduction, even an empty one, may be a term among others.
    Identity(Semiring),
    /// `−(a ⊕′ b) = −a ⊕ −b` for the dual `⊕′` of `⊕`; for truths, with `not` instead of `−`.
    Dual(Semiring),
    /// `−i = j` for the identities `i` of the dual of `⊕` and `j` of `⊕`: a reduction over nothing keeps its value.
    DualIdentity(Semiring),
    /// `−(−a) = a`
    Involution,
    /// `−(a + b) = −a + −b`
    NegatedSum,
    /// `a − b = a + −b`
    Difference,
    /// `a − b = a + (0 − 1) · b`
    Subtraction,
    /// `0 · a = 0` and `a − a = 0`: coefficients that add up to 0 leave nothing.
    Cancellation,
    /// `a · 1 = a`: a number is a coefficient.
    Unit,
    /// `a / b = a · (1/b)`
    Reciprocal,
    /// Cancelled terms of a side, 0 or 1, need not be read: `0 · x = 0` and `x − x = 0` for defined `x`.
    Forgets(usize),
    /// As [`AssumedLaw::Forgets`], for terms that may be undefined even if all inputs are defined, such as quotients.
    ForgetsPartial(usize),
    /// A reduction applies its operator in the type of its terms, and in an order that does not matter or is known.
    Folds(Binary),
    /// A nonzero index term is nonzero as a number.
    Characteristic,
    /// A written integer other than 0 is nonzero as a number.
    Nonzero(u64),
    /// The arithmetic of one number system, decided by the solver: of all element types at once.
    Solved(Arithmetic, Strength),
}

impl AssumedLaw {
    /// That an operator may be applied in any order.
    pub fn any_order(operator: Binary) -> [AssumedLaw; 2] {
        [AssumedLaw::Commutative(operator), AssumedLaw::Associative(operator)]
    }

    /// What products of sums use: those of the semiring; in `(+, ·)` also that index terms are numbers, with the same sums and
    /// products, which follows in a ring because they are sums of 1.
    pub fn products(semiring: Semiring) -> Vec<AssumedLaw> {
        let mut all = AssumedLaw::any_order(semiring.operations()[1]).to_vec();
        all.push(AssumedLaw::Distributive(semiring));
        if semiring == Semiring::PlusTimes {
            all.extend(AssumedLaw::any_order(Binary::Add));
            all.push(AssumedLaw::Unit);
        }
        all
    }

    /// Whether it is about operations on bits.
    pub fn is_of_bits(self) -> bool {
        match self {
            AssumedLaw::Commutative(operator) | AssumedLaw::Associative(operator) => operator.is_of_bits(),
            AssumedLaw::Distributive(semiring)
            | AssumedLaw::Idempotent(semiring)
            | AssumedLaw::Identity(semiring)
            | AssumedLaw::DualIdentity(semiring)
            | AssumedLaw::Dual(semiring) => semiring.operations()[0].is_of_bits(),
            _ => false,
        }
    }

    /// The names of the laws, as in [`values::machine::laws`] if they are equations.
    pub fn names(self) -> Vec<String> {
        let of = |operator: Binary, law: &str| vec![format!("{}-{law}", operator_name(operator))];
        let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        match self {
            AssumedLaw::Commutative(operator) => of(operator, "commutative"),
            AssumedLaw::Associative(operator) => of(operator, "associative"),
            AssumedLaw::Distributive(Semiring::PlusTimes) => named(&["distributive"]),
            AssumedLaw::Distributive(semiring) => {
                let [plus, times] = semiring.operations();
                vec![format!("{}-over-{}-distributive", operator_name(times), operator_name(plus))]
            }
            AssumedLaw::Idempotent(semiring) => of(semiring.operations()[0], "idempotent"),
            AssumedLaw::Identity(Semiring::PlusTimes) => named(&["add-zero"]),
            AssumedLaw::Identity(semiring) => of(semiring.operations()[0], "identity"),
            AssumedLaw::Dual(semiring @ (Semiring::OrAnd | Semiring::AndOr)) => {
                of(semiring.operations()[0], "de-morgan")
            }
            AssumedLaw::Dual(semiring) => of(semiring.operations()[0], "negation-dual"),
            AssumedLaw::DualIdentity(semiring) => of(semiring.operations()[0], "negated-identity"),
            AssumedLaw::Involution => named(&["double-negation"]),
            AssumedLaw::NegatedSum => named(&["negated-sum"]),
            AssumedLaw::Difference => named(&["sub-is-add-negative"]),
            AssumedLaw::Subtraction => named(&["sub-is-add"]),
            AssumedLaw::Unit => named(&["mul-one"]),
            AssumedLaw::Reciprocal => named(&["reciprocal"]),
            AssumedLaw::Cancellation | AssumedLaw::Forgets(_) | AssumedLaw::ForgetsPartial(_) => {
                named(&["mul-zero", "sub-self"])
            }
            AssumedLaw::Folds(operator) => of(operator, "reductions"),
            AssumedLaw::Solved(..) => named(&["arithmetic"]),
            AssumedLaw::Characteristic => named(&["characteristic-zero"]),
            AssumedLaw::Nonzero(_) => named(&["nonzero-constants"]),
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

    /// The names of all, sorted and without repetition; of reductions only on a machine that computes some in other ways.
    pub fn names(&self, machine: &Machine) -> Vec<String> {
        let folds = machine.reductions == Reductions::default();
        let laws = self.0.iter().filter(|(law, _)| !folds || !matches!(law, AssumedLaw::Folds(_)));
        let names: BTreeSet<String> = laws.flat_map(|(law, _)| law.names()).collect();
        names.into_iter().collect()
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
