//! Printed systems parse back to the same system, and pass the static checks.

use crate::lowering::support::{lowered, program};
use alpha::checking::check;
use alpha::lexing::unreserved;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::{Expression, System, VariableRole};
use alpha::typing::type_system;
use base::diagnostics::Code;
use generators::choices::Random;
use generators::programs::{self, ProgramShape, symbolic};
use polyhedra::Engine;
use polyhedra_isl::Isl;
use rink::syntax::Program;

fn assert_same(read: &System, system: &System, text: &str) {
    assert_eq!(read.parameters, system.parameters, "{text}");
    assert_eq!(read.parameter_domain, system.parameter_domain, "{text}");
    assert!(read.expressions().eq(system.expressions()), "{text}");
    assert!(read.domains().eq(system.domains()), "{text}");
    let variables = |system: &System| -> Vec<_> {
        system.variables.iter().map(|v| (v.name.clone(), v.kind, v.domain, v.data_type)).collect()
    };
    assert_eq!(variables(read), variables(system), "{text}");
    let equations =
        |system: &System| -> Vec<_> { system.equations.iter().map(|e| (e.variable, e.expression)).collect() };
    assert_eq!(equations(read), equations(system), "{text}");
}

/// Asserts that the core of a program parses back and has no errors; warnings about unread versions and inputs are
/// allowed. Returns the number of warnings.
fn round_trips(program: &Program, engine: &dyn Engine) -> usize {
    let system = lowered(program).system;
    for notation in [Notation::Functional, Notation::Array] {
        let text = print(&system, notation);
        let read = parse(&text);
        assert!(read.errors.is_empty(), "{:?}\n{text}", read.errors);
        assert_same(&read.system, &system, &text);
    }
    type_system(&system).unwrap();
    let composed = |expression: &Expression| match expression {
        Expression::Dependence(e, _) => {
            matches!(system.expression(*e), Expression::Variable(_) | Expression::Reduce(..))
        }
        _ => true,
    };
    assert!(system.expressions().all(|(_, expression)| composed(expression)), "{program}");
    let findings = check(&system, engine, None).unwrap().findings;
    for finding in &findings {
        let is_unread = ["reads the local", "reads the input"].iter().any(|of| finding.message.contains(of));
        assert!(finding.code == Code::P0015 && is_unread, "{} {}\n{program}", finding.code, finding.message);
    }
    findings.len()
}

#[test]
fn cores_of_the_examples() {
    let folder = format!("{}/../../../examples", env!("CARGO_MANIFEST_DIR"));
    let mut examples = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rink") {
            let program = program(&std::fs::read_to_string(&path).unwrap());
            assert_eq!(round_trips(&program, &Isl::with_memory()), 0, "{}", path.display());
            examples += 1;
        }
    }
    assert!(examples > 20);
}

#[test]
fn cores_of_generated_programs() {
    let (mut random, engine) = (Random::seeded(5), Isl::with_memory());
    let (mut parameters, mut locals, mut warnings) = (0, 0, 0);
    for _ in 0..400 {
        let plain = programs::program(&mut random, &ProgramShape::default());
        let (program, sizes) = symbolic(&mut random, &plain);
        warnings += round_trips(&program, &engine);
        let system = lowered(&program).system;
        assert_eq!(system.parameters.len(), sizes.len());
        parameters += usize::from(!sizes.is_empty());
        locals += usize::from(system.variables.iter().any(|variable| variable.kind == VariableRole::Local));
    }
    assert!(parameters > 200 && locals > 20, "{parameters} with parameters, {locals} with locals");
    assert!(warnings > 0, "some programs have a dead statement");
}

/// Variables with names that ALPHA reserves, and sizes and variables that indices or versions could be named like.
#[test]
fn names() {
    for text in [
        "var let : [m] var tel : [m] var i1 : [] tel = let / i1 let = i1 * tel",
        "var l : [l2 l2] var l3 : [] l3 = l . [1 2] * (l . [1 2])",
        "var x : [i1 i2 l] var convex : [i2 i1 l] convex = x ^ [1 2] convex = convex + convex",
        "var reduce : [m] var x1 : [] x1 = (reduce # reduce) . [1 2] x1 = x1 / x1 x1 = x1",
        "var parameter : [m l] parameter = parameter",
        "var system : [] var program : [] program = system",
    ] {
        round_trips(&program(text), &Isl::with_memory());
    }
}

/// In a text of ALPHA a size with a reserved name has another one; all else is the same.
#[test]
fn reserved_sizes() {
    for text in [
        "var let : [min] var tel : [min i2] var i1 : [] let = let / i1 tel = tel",
        "var reduce : [real] var x1 : [] x1 = (reduce # reduce) . [1 2]",
        "var parameter : [integer of] parameter = parameter",
    ] {
        let system = lowered(&program(text)).system;
        for notation in [Notation::Functional, Notation::Array] {
            let printed = print(&system, notation);
            let read = parse(&printed);
            assert!(read.errors.is_empty(), "{:?}\n{printed}", read.errors);
            assert_eq!(print(&read.system, notation), printed);
            let written = system.parameters.iter().map(|name| unreserved(name));
            assert!(read.system.parameters.iter().map(|name| &**name).eq(written), "{printed}");
        }
    }
}
