//! ALPHA's parser, printer and typing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use semantics::alpha::parsing::parse;
use semantics::alpha::printing::{Notation, print};
use semantics::alpha::syntax::{Domain, Expression, System};
use semantics::alpha::typing::type_system;

/// A system without spans and without the names of indices.
fn skeleton(system: &System) -> String {
    let expression = |expression: &Expression| match expression {
        Expression::Dependence(e, f) => format!("{e:?}.{:?}/{}", f.outputs, f.space.rank()),
        Expression::Reduce(op, f, e) => format!("{op:?} {:?}/{} {e:?}", f.outputs, f.space.rank()),
        other => format!("{other:?}"),
    };
    let domain = |domain: &Domain| match domain {
        Domain::Polyhedron(set) => format!("{:?}/{}", set.pieces, set.space.rank()),
        Domain::Preimage(d, f) => format!("{d:?}.{:?}/{}", f.outputs, f.space.rank()),
        other => format!("{other:?}"),
    };
    let expressions: Vec<String> = system.expressions().map(|(_, e)| expression(e)).collect();
    let mut domains: Vec<String> = system.domains().map(|(_, d)| domain(d)).collect();
    domains.sort();
    let equations: Vec<String> =
        system.equations.iter().map(|e| format!("{:?} = {:?}", e.variable, e.expression)).collect();
    let variables: Vec<String> =
        system.variables.iter().map(|v| format!("{} {:?} {:?}", v.name, v.kind, v.data_type)).collect();
    format!("{:?} {variables:?} {expressions:#?} {domains:?} {equations:?}", system.parameters)
}

fn read(text: &str) -> System {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:#?}\n{text}", parsed.errors);
    parsed.system
}

fn round_trips(text: &str) {
    let system = read(text);
    type_system(&system).unwrap_or_else(|errors| panic!("{errors:#?}"));
    for notation in [Notation::Functional, Notation::Array] {
        let printed = print(&system, notation);
        assert_eq!(skeleton(&read(&printed)), skeleton(&system), "{printed}");
    }
}

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn the_figures_of_the_paper_are_read_and_printed() {
    for figure in 2..=5 {
        let text = example(&format!("convolution-figure-{figure}.alpha"));
        round_trips(&text);
        println!("{}", print(&read(&text), Notation::Functional));
        println!("{}", print(&read(&text), Notation::Array));
    }
}
