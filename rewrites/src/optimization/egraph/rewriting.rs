//! Rewrites: pairs of patterns that are equal under conditions.

use alpha::patterns::{Pattern, PatternOperator};
use alpha::theorems::SideCondition;
use checker::laws::{AssumedLaw, Laws};
use checker::systems::shown;
use link::statements::rules::OfRule;
use link::statements::theorems::SAME_WITHIN;
use link::statements::{REORDERED, Rests, StatedEquality};
use polyhedra::AffineMap;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::relation::Relation;
use std::rc::Rc;
use values::{Algebra, Listed, Machine, SystemName};

/// A rewrite: what matches `from` equals the same instance of `to`, under conditions.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The theorem or law.
    pub name: String,
    /// Whether the statement is used from right to left.
    pub backward: bool,
    /// The pattern that is matched.
    pub from: Pattern,
    /// The pattern that it equals.
    pub to: Pattern,
    /// The conditions under which they are equal.
    pub conditions: Vec<SideCondition>,
    /// The operators that `op` may stand for; `None` allows all.
    pub operators: Option<Vec<Binary>>,
    /// The verified rule that the rewrite comes from, if it comes from one.
    pub of_rule: Option<Rc<OfRule>>,
    /// The number system in which the rewrite holds.
    pub values: SystemName,
    /// Whether numbers are rounded in this system.
    pub rounds: bool,
}

/// The suffix of a label whose rewrite is used from right to left.
pub const BACKWARD: &str = " backward";

/// The separator between a rule's name and its sizes in a label.
pub const AT: &str = " at ";

impl Rewrite {
    /// The statement as a rewrite from left to right.
    pub fn forward(allowed: &Allowed) -> Rewrite {
        let [from, to] = allowed.statement.sides.clone();
        let conditions = allowed.statement.conditions.to_vec();
        let StatedEquality { name, of_rule, .. } = allowed.statement.clone();
        let (operators, values, rounds) = (allowed.operators.clone(), allowed.values, allowed.rounds);
        Rewrite { name, backward: false, from, to, conditions, operators, of_rule, values, rounds }
    }

    /// The statement as a rewrite from right to left.
    pub fn backward(allowed: &Allowed) -> Rewrite {
        let forward = Rewrite::forward(allowed);
        Rewrite { from: forward.to, to: forward.from, backward: true, ..forward }
    }

    /// Whether its functions form a square, of which a match binds two sides.
    pub fn is_square(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition, SideCondition::OntoFibres(..)))
    }

    /// Whether it simplifies a set within the domain of the restricted expression.
    pub fn is_simplification(&self) -> bool {
        self.conditions == SAME_WITHIN
    }

    /// Whether `op` may stand for an operator.
    pub fn is_for(&self, operator: Option<Binary>) -> bool {
        self.operators.as_ref().is_none_or(|operators| operator.is_some_and(|op| operators.contains(&op)))
    }

    /// Whether it holds of truth values only for an operator `op`: bit operations on rounded numbers have no laws.
    pub fn is_of_truths(&self, operator: Option<Binary>) -> bool {
        let is_of_bits = match &self.from {
            Pattern::Unary(operator, _) => *operator == Unary::Not,
            Pattern::Binary(PatternOperator::This(operator), _)
            | Pattern::Reduce(PatternOperator::This(operator), ..) => operator.is_of_bits(),
            _ => false,
        };
        self.rounds && (is_of_bits || operator.is_some_and(Binary::is_of_bits))
    }

    /// The name, the sizes of a rule, and the direction.
    pub fn label(&self, sizes: Option<&AffineMap>) -> String {
        let at = sizes.map_or(String::new(), |sizes| format!("{AT}{sizes}"));
        format!("{}{at}{}", self.name, if self.backward { BACKWARD } else { "" })
    }
}

/// A statement with the number system in which it holds.
pub struct Allowed {
    /// The statement.
    pub statement: StatedEquality,
    /// The operators that `op` may stand for; `None` allows all.
    pub operators: Option<Vec<Binary>>,
    /// The number system.
    pub values: SystemName,
    /// Whether numbers are rounded in this system.
    pub rounds: bool,
}

/// A statement for the operators for which it holds in a number system on a machine, for all inputs; `None` if it does not
/// hold.
pub fn allowed<S: Listed>(statement: StatedEquality, system: &S, machine: &Machine) -> Option<Allowed> {
    let holds = |law: AssumedLaw| {
        let mut laws = Laws::default();
        laws.add(law, ElementType::Real);
        shown(&laws, system.row(), machine) == ByInputs::both(Relation::Equivalent)
    };
    let all_hold = |laws: &[AssumedLaw]| laws.iter().copied().all(holds);
    let operators = match &statement.rests_on {
        Rests::On(laws) if all_hold(laws) => None,
        Rests::On(_) => return None,
        Rests::OnAnyOrder => {
            let is_free = |&operator: &Binary| {
                statement.rests_on.laws(Some(operator)).is_ok_and(|laws| all_hold(&laws))
            };
            Some(REORDERED.into_iter().filter(is_free).collect::<Vec<_>>())
        }
    };
    let rounds = system.algebra() == Algebra::Ieee;
    Some(Allowed { statement, operators, values: system.row(), rounds })
}
