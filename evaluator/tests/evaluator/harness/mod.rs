//! Runs plans on inputs that are functions of their indices, in buffers with adverse padding.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use alpha::evaluation::{Setting, Stuck, SystemEvaluator, VariableMethod, uninterpreted};
use alpha::instance::SystemInstance;
use alpha::syntax::{System, VariableId};
use alpha::typing::Typing;
use evaluator::{Buffer, Level, MachineNumber, Plan, PlanFault};
use generators::choices::Random;
use generators::programs::{ProgramShape, program};
use rink::to_alpha::lower;
use rink::typing::type_symbolic;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{Division, NumberSystem, ValueDomain};

/// An element of an output: variable, point and value.
pub type OutputElement<T> = (VariableId, Vec<i64>, T);

/// The elements of the outputs of a plan, which is run twice.
pub fn run<T: MachineNumber>(
    instance: &SystemInstance<'_>,
    plan: &Plan<T>,
    input: &dyn Fn(VariableId, &[i64]) -> T,
) -> Result<Vec<OutputElement<T>>, PlanFault> {
    let notable = T::System::default().notable();
    let worst = notable.iter().find(|value| value.partial_cmp(value).is_none()).or(notable.last()).copied();
    let filled = |length: usize| -> Buffer<T> {
        let mut buffer = Buffer::new(length).unwrap();
        buffer.all_mut().fill(worst.unwrap_or_default());
        buffer
    };
    let points = |x: VariableId| instance.declared(x).scan(&[]).unwrap().points(&[], 1 << 16).unwrap();
    let mut inputs: Vec<Buffer<T>> = Vec::new();
    for slot in &plan.inputs {
        let mut buffer = filled(slot.layout.length);
        for point in points(slot.variable) {
            buffer.all_mut()[slot.layout.offset(&point)] = input(slot.variable, &point);
        }
        inputs.push(buffer);
    }
    let mut outputs: Vec<Buffer<T>> = plan.outputs.iter().map(|slot| filled(slot.layout.length)).collect();
    let inputs: Vec<&[T]> = inputs.iter().map(Buffer::all).collect();
    // A workspace can be reused; results are the same to the bit with more threads and with other instructions.
    let mut before: Vec<OutputElement<T>> = Vec::new();
    let levels = Level::all().into_iter().map(|level| (1, level));
    for (threads, level) in [1, 2, 3].map(|threads| (threads, Level::best())).into_iter().chain(levels) {
        let mut workspace = plan.workspace_at(threads, level)?;
        for _ in 0..2 {
            let mut written: Vec<&mut [T]> = outputs.iter_mut().map(Buffer::all_mut).collect();
            plan.run(&mut workspace, &inputs, &mut written)?;
        }
        let found = elements(plan, &outputs, &points);
        let is_same = |((_, _, a), (_, point, b)): (&OutputElement<T>, &OutputElement<T>)| {
            assert!(
                T::System::default().same(a, b),
                "{a:?}, on {threads} threads by {} {b:?}, at {point:?}",
                level.name
            );
        };
        before.iter().zip(&found).for_each(is_same);
        before = found;
    }
    Ok(before)
}

fn elements<T: MachineNumber>(
    plan: &Plan<T>,
    outputs: &[Buffer<T>],
    points: &dyn Fn(VariableId) -> Vec<Vec<i64>>,
) -> Vec<OutputElement<T>> {
    let mut found = Vec::new();
    for (slot, output) in plan.outputs.iter().zip(outputs) {
        for point in points(slot.variable) {
            let value = output.all()[slot.layout.offset(&point)];
            found.push((slot.variable, point, value));
        }
    }
    found
}

/// These elements by the reference over a domain; `None` after too many steps.
pub fn reference<D: ValueDomain, T>(
    instance: &SystemInstance<'_>,
    typing: &Typing,
    domain: &D,
    found: &[OutputElement<T>],
    input: &dyn Fn(VariableId, &[i64]) -> Element<D>,
) -> Option<Vec<Element<D>>> {
    let given = |x: VariableId, z: &[i64]| Some(input(x, z));
    let setting = Setting {
        instance,
        typing,
        domain,
        division: Division::Extended,
        input: &given,
        functions: &uninterpreted::<D>,
        method: VariableMethod::Eval2,
        max_steps: 200_000,
    };
    let mut evaluator = SystemEvaluator::new(setting);
    let mut values = Vec::new();
    for (x, point, _) in found {
        match evaluator.element(*x, point) {
            Ok(value) => values.push(value),
            Err(Stuck::Steps(..)) => return None,
            Err(stuck) => panic!("{stuck:?}"),
        }
    }
    Some(values)
}

/// A random program of the model language, lowered to the core: chains of products, traces, transpositions and
/// element-wise operators.
pub fn lowered(seed: u64, division: bool) -> System {
    let shape = ProgramShape {
        extents: vec![1, 2, 3, 5],
        max_elements: 150,
        max_operators: 8,
        division,
        ..ProgramShape::default()
    };
    let program = program(&mut Random::seeded(seed), &shape);
    lower(&program, &type_symbolic(&program, &[]).unwrap()).unwrap().system
}

/// An element of an input in a domain.
pub fn element<D: ValueDomain>(
    domain: &D,
    data_type: ElementType,
    truth: bool,
    number: impl Fn() -> D::Value,
) -> Element<D> {
    match data_type {
        ElementType::Boolean => Datum::Truth(domain.truth(Some(truth))),
        _ => Datum::Number(number()),
    }
}

/// The seed for a random element.
pub fn seed_of(seed: u64, x: VariableId, z: &[i64]) -> u64 {
    z.iter().fold(seed ^ x.index() as u64, |mixed, &i| {
        mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(i.cast_unsigned()).rotate_left(17)
    })
}
