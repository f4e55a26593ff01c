//! The statements that a derivation may use: equalities of two ALPHA expressions, each with side conditions and
//! the law of arithmetic that it rests on. The theorems are those of the ledger ([`theorems`]); the algebra of
//! scalars is a table ([`scalars`]); statements of user rules must be proved ([`rules`]).

mod branches;
pub mod rules;
pub mod scalars;
pub mod theorems;

use alpha::patterns::Pattern;
use alpha::theorems::SideCondition;
use checker::laws::AssumedLaw;
use rules::OfRule;
use selfsame_core::operators::Binary;
use std::rc::Rc;

/// An equality of two patterns, under conditions.
#[derive(Clone, Debug)]
pub struct StatedEquality {
    /// The name of the theorem or law.
    pub name: String,
    /// Its sides.
    pub sides: [Pattern; 2],
    /// The side conditions.
    pub conditions: &'static [SideCondition],
    /// The laws of arithmetic that it assumes.
    pub rests_on: Rests,
    /// The details of an instance of a rule, if it is one.
    pub of_rule: Option<Rc<OfRule>>,
}

/// The laws of arithmetic that a statement assumes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rests {
    /// That the operator bound to `op` may be applied in any order.
    OnAnyOrder,
    /// These laws.
    On(Vec<AssumedLaw>),
}

impl Rests {
    /// No law.
    pub const ON_NOTHING: Rests = Rests::On(Vec::new());

    /// The laws, given the operator bound to `op`.
    ///
    /// # Errors
    /// There is no such law for the operator.
    pub fn laws(&self, operator: Option<Binary>) -> Result<Vec<AssumedLaw>, NoLaw> {
        match self {
            Rests::On(laws) => Ok(laws.clone()),
            Rests::OnAnyOrder => any_order(operator.ok_or(NoLaw)?).ok_or(NoLaw),
        }
    }
}

/// The error that an operator has no such law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLaw;

/// The operators that may be applied in any order, where their law holds.
pub const REORDERED: [Binary; 6] =
    [Binary::Add, Binary::Mul, Binary::Min, Binary::Max, Binary::And, Binary::Or];

/// The laws by which an operator may be applied in any order, in reductions too.
pub fn any_order(operator: Binary) -> Option<Vec<AssumedLaw>> {
    let is_known = REORDERED.contains(&operator);
    is_known.then(|| [&AssumedLaw::any_order(operator)[..], &[AssumedLaw::Folds(operator)]].concat())
}

/// The statements with this name; those about a `case` are instantiated for these numbers of branches.
pub fn named(name: &str, branches: &[usize]) -> Vec<StatedEquality> {
    let mut all = theorems::statements(branches);
    all.extend(scalars::statements());
    all.retain(|statement| statement.name == name);
    all
}
