//! What a derivation may use: statements that two expressions of ALPHA are the same, each with its side conditions and with the law
//! of arithmetic that it rests on. The theorems are those of the ledger ([`theorems`]); the algebra of scalars is a table ([`scalars`]); what a user's
//! rules say is for them to prove ([`rules`]).

mod branches;
pub mod rules;
pub mod scalars;
pub mod theorems;

use crate::laws::Use;
use crate::proof::Semiring;
use alpha::patterns::Pattern;
use alpha::theorems::Condition;
use rules::OfRule;
use selfsame_core::operators::Binary;
use std::rc::Rc;

/// Two patterns that stand for the same, under conditions.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The theorem or law.
    pub name: String,
    /// Its sides.
    pub sides: [Pattern; 2],
    /// When it holds.
    pub conditions: &'static [Condition],
    /// What it takes for granted of the arithmetic.
    pub rests_on: Rests,
    /// What it says if it is an instance of a rule.
    pub of_rule: Option<Rc<OfRule>>,
}

/// What a statement takes for granted of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rests {
    /// Nothing.
    OnNothing,
    /// The operator that `op` stands for gives the same in any order.
    OnAnyOrder,
    /// A law.
    On(Use),
}

impl Rests {
    /// The law, where `op` stands for an operator.
    ///
    /// # Errors
    /// No law says this of the operator.
    pub fn law(self, operator: Option<Binary>) -> Result<Option<Use>, NoLaw> {
        match self {
            Rests::OnNothing => Ok(None),
            Rests::On(law) => Ok(Some(law)),
            Rests::OnAnyOrder => any_order(operator.ok_or(NoLaw)?).map(Some).ok_or(NoLaw),
        }
    }
}

/// There is no such law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLaw;

/// The operators that give the same in any order, where their law holds.
pub const REORDERED: [Binary; 6] =
    [Binary::Add, Binary::Mul, Binary::Min, Binary::Max, Binary::And, Binary::Or];

/// That an operator gives the same in any order.
pub fn any_order(operator: Binary) -> Option<Use> {
    match operator {
        Binary::Mul => Some(Use::Products(Semiring::PlusTimes)),
        _ => Semiring::ALL.into_iter().find(|s| s.operations()[0] == operator).map(Use::Sums),
    }
}

/// The statements with a name; those about a `case` for these numbers of branches.
pub fn named(name: &str, branches: &[usize]) -> Vec<Statement> {
    let mut all = theorems::statements(branches);
    all.extend(scalars::statements());
    all.retain(|statement| statement.name == name);
    all
}
