//! Decides in which number systems a proof holds.

use crate::laws::{AssumedLaw, Laws};
use crate::proof::{Arithmetic, Semiring, Strength};
use base::seeded::Seeded;
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::operators::{Binary, DataType, Unary};
use selfsame_core::relation::Relation;
use selfsame_core::{Node, NodeId, Operator, Program};
use values::{Algebra, Extremum, Listed, Literal, NumberSystem};

pub use values::{Visitor, in_each};

/// Whether the numbers are ordered.
pub fn is_ordered<S: NumberSystem>(system: &S) -> bool {
    system.order(&system.index(0), &system.index(1)).is_some()
}

/// Whether the law holds for all defined numbers.
fn holds<S: Listed>(law: AssumedLaw, system: &S) -> bool {
    let exact = system.algebra() != Algebra::Ieee || Seeded::FloatsAdd.is_in();
    let unbounded = exact && system.algebra() != Algebra::Wrapping && is_ordered(system);
    match law {
        AssumedLaw::Commutative(operator) => operator.commutes(),
        AssumedLaw::Sums(Semiring::PlusTimes) | AssumedLaw::Products(Semiring::PlusTimes) => exact,
        AssumedLaw::Products(Semiring::MaxPlus | Semiring::MinPlus) => unbounded,
        AssumedLaw::Dual(semiring) => unbounded || matches!(semiring, Semiring::OrAnd | Semiring::AndOr),
        AssumedLaw::Identity(semiring) => {
            let exists = matches!(semiring, Semiring::PlusTimes | Semiring::OrAnd | Semiring::AndOr);
            exists || system.extremum_identity(Extremum::Max).is_some()
        }
        AssumedLaw::Sums(_) | AssumedLaw::Products(_) | AssumedLaw::Idempotent(_) => true,
        AssumedLaw::Reciprocal => system.algebra() == Algebra::Field,
        AssumedLaw::Forgets(_) | AssumedLaw::ForgetsPartial(_) => exact,
        AssumedLaw::Characteristic => system.characteristic().is_none() && exact,
        AssumedLaw::Solved(Arithmetic::Booleans, _) => true,
        AssumedLaw::Solved(arithmetic, _) => Arithmetic::for_system(S::NAME) == Some(arithmetic),
    }
}

/// Whether a law of a proof, by its name, does not hold in a number system; for names that [`values::LAWS`] lacks.
pub fn lacks<S: Listed>(name: &str, system: &S) -> bool {
    let of_semiring = |semiring: Semiring| {
        [AssumedLaw::Products, AssumedLaw::Identity, AssumedLaw::Dual].map(|law| law(semiring))
    };
    let laws = Semiring::ALL.into_iter().flat_map(of_semiring).chain([AssumedLaw::Characteristic]);
    laws.filter(|law| law.names().iter().any(|known| known == name)).any(|law| !holds(law, system))
}

/// The relations that a proof with these laws shows in a number system: for defined inputs, and for all.
pub fn shown<S: Listed>(laws: &Laws, system: &S) -> ByInputs<Relation> {
    if !laws.iter().all(|law| holds(law, system)) {
        return ByInputs::both(Relation::Unknown);
    }
    let relation = |inputs: InputClass| {
        laws.iter().map(|law| remains(law, inputs)).max().unwrap_or(Relation::Equivalent)
    };
    ByInputs { defined: relation(InputClass::Defined), any: relation(InputClass::Any) }
}

/// The relation that remains of a proof of equality if it uses a law.
fn remains(law: AssumedLaw, inputs: InputClass) -> Relation {
    let strict = inputs == InputClass::Any && !Seeded::UndefinedAny.is_in();
    match law {
        AssumedLaw::Forgets(0) if strict => Relation::Refines,
        AssumedLaw::Forgets(_) if strict => Relation::Unknown,
        AssumedLaw::ForgetsPartial(0) => Relation::Refines,
        AssumedLaw::ForgetsPartial(_) => Relation::Unknown,
        AssumedLaw::Solved(_, Strength::Refines) => Relation::Refines,
        AssumedLaw::Solved(_, Strength::Defined) if strict => Relation::Unknown,
        _ => Relation::Equivalent,
    }
}

/// Whether nodes have a meaning in a number system: constants exist in it, compared numbers are ordered, integers
/// are integers of the system, and reals are not treated as integers alongside others.
pub fn applies<S: NumberSystem>(program: &Program, roots: &[NodeId], system: &S) -> bool {
    let reached = reached(program, roots);
    let has = |data_type| reached.iter().any(|&node| program.data_type(node) == data_type);
    let is_of_integers = matches!(system.algebra(), Algebra::Integers | Algebra::Wrapping);
    let is_mixed = has(DataType::Integer) && has(DataType::Real);
    !(is_of_integers && is_mixed) && reached.iter().all(|&node| has_meaning(program, node, system))
}

/// The nodes reachable from these, including themselves.
pub fn reached(program: &Program, roots: &[NodeId]) -> Vec<NodeId> {
    let (mut seen, mut reached) = (vec![false; program.len()], Vec::new());
    let mut pending = roots.to_vec();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut seen[node.index()], true) {
            reached.push(node);
            pending.extend(program.node(node).operands());
        }
    }
    reached
}

/// Whether a node has a meaning in a number system if its operands have.
pub fn has_meaning<S: NumberSystem>(program: &Program, node: NodeId, system: &S) -> bool {
    let integer = program.data_type(node) == DataType::Integer;
    if integer && !matches!(system.algebra(), Algebra::Integers | Algebra::Wrapping) {
        return false;
    }
    match program.node(node) {
        Node::Infinite { .. } => system.algebra() == Algebra::Ieee,
        Node::Number(number, _) => system.read(&Literal::Exact(number.clone())).is_ok(),
        Node::Apply(Operator::Unary(Unary::Absolute | Unary::Cast(_)), _) => is_ordered(system),
        Node::Apply(Operator::Binary(operator), of) if program.data_type(of[0]) != DataType::Boolean => {
            !compares(*operator) || is_ordered(system)
        }
        Node::Reduce(reduction) if program.data_type(node) != DataType::Boolean => {
            !compares(reduction.operator) || is_ordered(system)
        }
        _ => true,
    }
}

/// Whether numbers are reals or rounded reals, so that functions of reals and their laws apply.
pub fn is_real<S: NumberSystem>(system: &S) -> bool {
    match system.algebra() {
        Algebra::Field => system.characteristic().is_none(),
        algebra => algebra == Algebra::Ieee,
    }
}

/// Whether an operator compares its operands, so that their order must be known.
pub fn compares(operator: Binary) -> bool {
    use Binary::*;
    matches!(operator, Min | Max | Less | LessOrEqual | Greater | GreaterOrEqual)
}
