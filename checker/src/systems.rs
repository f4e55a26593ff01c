//! Decides in which number systems a proof holds.

use crate::laws::{AssumedLaw, Laws};
use crate::proof::Arithmetic;
use base::seeded::Seeded;
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::operators::{Binary, ElementType, Unary};
use selfsame_core::relation::Relation;
use selfsame_core::traps::{reduces_with_traps, traps_of_division, traps_without_value};
use selfsame_core::{Instance, Node, NodeId, Operator, Program, Reduction};
use values::machine::{Order, laws};
use values::{ElementClass, ElementTypes, FIELD_MODULUS, Machine, Scalar, SystemName};

/// Whether the law holds for all defined numbers of the element type that a number system takes for `of`, on a machine.
fn holds(law: AssumedLaw, of: ElementType, system: SystemName, machine: &Machine) -> bool {
    let of = system.of(of);
    match law {
        AssumedLaw::Solved(Arithmetic::Booleans, _) => true,
        AssumedLaw::Solved(arithmetic, _) => arithmetic == Arithmetic::Of(system),
        AssumedLaw::Characteristic => of.is_ordered() && of.characteristic().is_none() && !of.is_float(),
        AssumedLaw::Nonzero(integer) => match of.class() {
            ElementClass::Field => integer % FIELD_MODULUS != 0,
            ElementClass::Reals | ElementClass::Integers => integer != 0,
            _ => false,
        },
        AssumedLaw::Folds(operator) => {
            accumulator(operator, of, machine) == of && has_one_value(operator, of, system, machine)
        }
        // Comparisons of two numbers commute, and truths are a lattice with a complement.
        AssumedLaw::Commutative(Binary::Equal | Binary::NotEqual) => true,
        // Without least and greatest numbers, a reduction over nothing is undefined on both sides.
        AssumedLaw::DualIdentity(_) if !of.has_extremes() => true,
        // A type without an operator has no numbers for which a law of it fails.
        _ if of == ElementType::Boolean || law.is_of_bits() && !of.is_integer() => true,
        _ if of.is_float() && Seeded::FloatsAdd.is_in() || Seeded::MachineLaw.is_in() => true,
        equation => equation.names().iter().all(|name| laws::holds(name, of, machine)),
    }
}

/// The type in which a reduction over numbers of a type is computed.
fn accumulator(operator: Binary, of: ElementType, machine: &Machine) -> ElementType {
    if matches!(operator, Binary::Add | Binary::Mul) { machine.accumulator(of) } else { of }
}

/// Whether a reduction has the same value in every order in which the machine may compute it.
fn has_one_value(operator: Binary, of: ElementType, system: SystemName, machine: &Machine) -> bool {
    let within = accumulator(operator, of, machine);
    let is_free = |law: AssumedLaw| law.is_of_bits() || holds(law, within, system, machine);
    machine.reductions.order == Order::FirstToLast
        || Seeded::OrderAny.is_in()
        || AssumedLaw::any_order(operator).into_iter().all(is_free)
}

/// Whether a reduction of the nodes reachable from these has several values in a number system, because the machine may compute
/// it in any order.
pub fn has_several_values(program: &Program, roots: &[NodeId], system: SystemName) -> bool {
    let machine = &program.machine;
    let has_several = |reduction: &Reduction, of: ElementType| {
        !has_one_value(reduction.operator, system.of(of), system, machine)
    };
    machine.reductions.order == Order::Unspecified
        && reached(program, roots).iter().any(|&node| {
            matches!(program.node(node), Node::Reduce(reduction) if has_several(reduction, program.data_type(node)))
        })
}

/// Whether a law of a proof about reals, by its name, does not hold in a number system on a machine.
pub fn lacks(name: &str, system: SystemName, machine: &Machine) -> bool {
    match name {
        "nonzero-constants" => !holds(AssumedLaw::Nonzero(1), ElementType::Real, system, machine),
        "characteristic-zero" => !holds(AssumedLaw::Characteristic, ElementType::Real, system, machine),
        "add-reductions" => !holds(AssumedLaw::Folds(Binary::Add), ElementType::Real, system, machine),
        "mul-reductions" => !holds(AssumedLaw::Folds(Binary::Mul), ElementType::Real, system, machine),
        equation => {
            laws::equations().any(|known| known.id == equation)
                && !laws::holds(equation, system.real(), machine)
        }
    }
}

/// The relations that a proof with these laws shows in a number system on a machine: for defined inputs, and for all.
pub fn shown(laws: &Laws, system: SystemName, machine: &Machine) -> ByInputs<Relation> {
    if !laws.iter().all(|(law, of)| holds(law, of, system, machine)) {
        return ByInputs::both(Relation::Unknown);
    }
    let relation = |inputs: InputClass| {
        laws.iter().map(|(law, _)| remains(law, inputs)).max().unwrap_or(Relation::Equivalent)
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
        AssumedLaw::Solved(_, strength) if strict && !strength.has_undefined() => Relation::Unknown,
        AssumedLaw::Solved(_, strength) if strength.refines() => Relation::Refines,
        _ => Relation::Equivalent,
    }
}

/// The element types of an instance: for a rule, those of its tensors, its sides and of what is given; for programs, those of all
/// that is claimed of them, so that every claim is judged in the same number systems.
pub fn types(instance: &Instance) -> ElementTypes {
    let program = &instance.program;
    let nodes = match instance.is_rule {
        true => reached(program, &roots(instance)),
        false => (0..program.len()).map(NodeId::at).collect(),
    };
    let declared = program.inputs.iter().filter(|_| instance.is_rule).map(|input| input.data_type);
    nodes.into_iter().map(|node| program.data_type(node)).chain(declared).collect()
}

/// The number systems in which an instance has a meaning, of those that are wanted, or of those in which it is judged where
/// none are named.
pub fn meant(instance: &Instance, wanted: Option<&[SystemName]>) -> Vec<SystemName> {
    let mut systems = judged(instance, wanted);
    let roots = roots(instance);
    systems.retain(|system| {
        applies(&instance.program, &roots, *system)
            && (!instance.is_rule || traps_alike(&instance.program, &roots, *system))
    });
    systems
}

/// The number systems in which an instance is judged, whether or not it has a meaning there.
pub fn judged(instance: &Instance, wanted: Option<&[SystemName]>) -> Vec<SystemName> {
    match wanted {
        None => SystemName::judging(types(instance)),
        Some(wanted) => possible(instance).into_iter().filter(|system| wanted.contains(system)).collect(),
    }
}

/// The number systems in which an instance can be judged.
pub fn possible(instance: &Instance) -> Vec<SystemName> {
    SystemName::possible(types(instance))
}

/// The nodes that decide in which number systems a claim is judged.
fn roots(instance: &Instance) -> Vec<NodeId> {
    instance.claim.sides.iter().chain(&instance.given).chain(&instance.beside).copied().collect()
}

/// Whether nodes have a meaning in a number system: constants exist in it, compared numbers are ordered, and casts have
/// a rule.
pub fn applies(program: &Program, roots: &[NodeId], system: SystemName) -> bool {
    reached(program, roots).iter().all(|&node| has_meaning(program, node, system))
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
pub fn has_meaning(program: &Program, node: NodeId, system: SystemName) -> bool {
    let of = |node: NodeId| system.of(program.data_type(node));
    let is_compared = |operator: Binary, of: ElementType| {
        of == ElementType::Boolean || !compares(operator) || of.is_ordered()
    };
    match program.node(node) {
        Node::Infinite { of, .. } => system.of(*of).is_float(),
        Node::Number(number, of) => Scalar::has(system.of(*of), number),
        Node::Apply(Operator::Unary(Unary::Absolute), operands) => of(operands[0]).is_ordered(),
        Node::Apply(Operator::Unary(Unary::Cast(to)), operands) => casts(of(operands[0]), system.of(*to)),
        Node::Apply(Operator::Primitive(primitive), operands) => {
            let types: Vec<ElementType> = operands.iter().map(|operand| of(*operand)).collect();
            primitive.typed(|to| system.of(to)).result(&types).is_some()
        }
        Node::Apply(Operator::Binary(operator), operands) => is_compared(*operator, of(operands[0])),
        Node::Reduce(reduction) => is_compared(reduction.operator, of(node)),
        _ => true,
    }
}

/// Whether the operators of nodes trap for the element types of a rule where they do for what a number system takes for these:
/// traps are explicit in the nodes of a rule, which are the same for all systems.
fn traps_alike(program: &Program, roots: &[NodeId], system: SystemName) -> bool {
    let machine = &program.machine;
    reached(program, roots).iter().all(|&node| match program.node(node) {
        Node::Apply(operator, operands) => {
            let Some(of) = operands.first().map(|first| program.data_type(*first)) else { return true };
            let taken = match operator {
                Operator::Unary(Unary::Cast(to)) => Operator::Unary(Unary::Cast(system.of(*to))),
                other => *other,
            };
            let without_value = |operator, of| traps_without_value(machine, operator, of);
            let divides = traps_of_division(machine, *operator, of)
                == traps_of_division(machine, *operator, system.of(of));
            divides && without_value(*operator, of) == without_value(taken, system.of(of))
        }
        Node::Reduce(reduction) => {
            let of = program.data_type(node);
            let traps = |of| reduces_with_traps(machine, reduction.operator, of);
            traps(of) == traps(system.of(of))
        }
        _ => true,
    })
}

/// Whether there is a cast from one element type to another: to and from all but the field, which has one to itself
/// and to truth values only.
pub fn casts(from: ElementType, to: ElementType) -> bool {
    from != ElementType::Field || matches!(to, ElementType::Field | ElementType::Boolean)
}

/// Whether `real` numbers are reals or rounded reals, so that functions of reals and their laws apply.
pub fn is_real(system: SystemName) -> bool {
    matches!(system.real().class(), ElementClass::Reals | ElementClass::Floats { .. })
}

/// Whether an operator compares its operands, so that their order must be known.
pub fn compares(operator: Binary) -> bool {
    use Binary::*;
    matches!(operator, Min | Max | Less | LessOrEqual | Greater | GreaterOrEqual)
}
