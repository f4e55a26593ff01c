//! ALPHA's parser, printer and typing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use semantics::alpha::parsing::parse;
use semantics::alpha::printing::{Notation, print};
use semantics::alpha::syntax::System;
use semantics::alpha::typing::type_system;

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
        assert!(read(&printed).is_alike(&system), "{printed}");
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

/// In parentheses too, `~` may start the domain of a restriction.
#[test]
fn a_restriction_by_a_complement_may_stand_in_parentheses() {
    round_trips(
        "system s (a : { i | 1>=0 } of integer) returns (y : { i | i>=1 } of integer);
         let y[i] = 1[] + (~{i<=0} : a[i]) + (~({i=0} | {i<0}) : a[i]) + ((~{i<=0} & ~{i=0}) : a[i]); tel;",
    );
}

/// As many digits after the point as can be read are printed.
#[test]
fn long_decimals_are_printed_as_decimals() {
    let digits = format!("{}1", "0".repeat(5_000));
    round_trips(&format!("system s () returns (y : real); let y = 0.{digits} + 1.{digits}5 - 2.5; tel;"));
}
