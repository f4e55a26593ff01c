//! Values of `arbitrary` and `proptest` are well-formed, whatever the bytes, and shrink to minimal ones.
#![allow(clippy::unwrap_used, reason = "tests")]

use alpha::checking::check;
use alpha::syntax::{Expression as Node, System};
use alpha::typing::type_system;
use arbitrary::{Arbitrary, Unstructured};
use base::diagnostics::Fault;
use generators::programs as tensor_programs;
use polyhedra_isl::Isl;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use rink::syntax::{Expression, Program};
use rink::typing::type_program;
use strategies::{WellFormed, WellTyped, programs, systems};

/// A deterministic runner.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 10_000, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(seed as usize % 400).collect()
}

fn is_well_formed(system: &System) -> bool {
    let is_error = |code: base::diagnostics::Code| code.fault() != Fault::Warning;
    type_system(system).is_ok()
        && check(system, &Isl::with_memory(), None)
            .is_ok_and(|of| !of.findings.iter().any(|f| is_error(f.code)))
}

#[test]
fn any_bytes_are_a_program_and_a_system() {
    let (mut statements, mut equations) = (0, 0);
    for seed in 0..300 {
        let bytes = bytes(seed);
        let WellTyped(program) = WellTyped::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        assert!(type_program(&program).is_ok(), "{program}");
        statements += program.statements.len();
        let WellFormed(system) = WellFormed::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        assert!(is_well_formed(&system), "{system:?}");
        equations += system.equations.len();
    }
    assert!(statements > 300 && equations > 300, "{statements} {equations}");
}

#[test]
fn generated_programs_are_well_formed() {
    let is_program = |program: Program| {
        proptest::prop_assert!(type_program(&program).is_ok());
        Ok(())
    };
    runner(300).run(&programs(tensor_programs::ProgramShape::default()), is_program).unwrap();
    let is_system = |system: System| {
        proptest::prop_assert!(is_well_formed(&system));
        Ok(())
    };
    runner(60).run(&systems(generators::alpha::SystemShape::default()), is_system).unwrap();
}

/// A property that fails for every program with a contraction shrinks to a program that is only a contraction.
#[test]
fn failures_of_programs_are_minimal() {
    let contracts = |program: &Program| {
        program.expressions().any(|(_, node)| matches!(node, Expression::Contraction(..)))
    };
    let has_none = |program: Program| {
        proptest::prop_assert!(!contracts(&program));
        Ok(())
    };
    let found = runner(300).run(&programs(tensor_programs::ProgramShape::default()), has_none);
    let Err(TestError::Fail(_, program)) = found else { unreachable!("{found:?}") };
    let operators = program
        .expressions()
        .filter(|(_, node)| !matches!(node, Expression::Variable(_) | Expression::Parenthesized(_)));
    assert!(contracts(&program) && operators.count() == 1 && program.statements.len() == 1, "{program}");
}

/// A property that fails for every system with a reduction shrinks to a system that is only a reduction.
#[test]
fn failures_of_systems_are_minimal() {
    let reduces = |system: &System| system.expressions().any(|(_, node)| matches!(node, Node::Reduce(..)));
    let has_none = |system: System| {
        proptest::prop_assert!(!reduces(&system));
        Ok(())
    };
    let shape = generators::alpha::SystemShape {
        max_parameters: 1,
        max_rank: 2,
        depth: 2,
        max_variables: 3,
        functions: false,
        bounded: Some(3),
    };
    let found = runner(60).run(&systems(shape), has_none);
    let Err(TestError::Fail(_, system)) = found else { unreachable!("{found:?}") };
    let operators = system.expressions().filter(|(_, node)| {
        !matches!(
            node,
            Node::Variable(_) | Node::Constant(_) | Node::Dependence(..) | Node::Restrict(..) | Node::Case(_)
        )
    });
    assert!(reduces(&system) && operators.count() == 1, "{system:?}");
}
