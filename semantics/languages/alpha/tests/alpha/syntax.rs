//! ALPHA's parser, printer and typing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use alpha::typing::type_system;

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
    std::fs::read_to_string(format!("{}/../../../examples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
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

/// `~` may start the domain of a restriction in parentheses too.
#[test]
fn a_restriction_by_a_complement_may_stand_in_parentheses() {
    round_trips(
        "system s (a : { i | 1>=0 } of integer) returns (y : { i | i>=1 } of integer);
         let y[i] = 1[] + (~{i<=0} : a[i]) + (~({i=0} | {i<0}) : a[i]) + ((~{i<=0} & ~{i=0}) : a[i]); tel;",
    );
}

/// Decimals are printed with as many digits after the point as can be read.
#[test]
fn long_decimals_are_printed_as_decimals() {
    let digits = format!("{}1", "0".repeat(5_000));
    round_trips(&format!("system s () returns (y : real); let y = 0.{digits} + 1.{digits}5 - 2.5; tel;"));
}

/// **semantics-7**: the table of §11, 7, level by level, written out with parentheses; operators of one level associate to the
/// left.
#[test]
fn expressions_bind_as_the_table_says() {
    let system = |expression: &str| {
        read(&format!(
            "system s (a, b, c, p : {{i|1>=0}} of integer; m : {{i,j|1>=0}} of integer) returns (y : {{i|1>=0}} of integer); let y = {expression}; tel;"
        ))
    };
    for (bare, written_out) in [
        ("reduce(+, (i,j->i), m).(i->i)", "(reduce(+, (i,j->i), m)).(i->i)"),
        ("+(a, b).(i->i)", "(+(a, b)).(i->i)"),
        ("- a.(i->i)", "-(a.(i->i))"),
        ("a * b.(i->i)", "a * (b.(i->i))"),
        ("- a * b", "(-a) * b"),
        ("a * - b", "a * (-b)"),
        ("a * b + c", "(a * b) + c"),
        ("a + b * c", "a + (b * c)"),
        ("a - b div c", "a - (b div c)"),
        ("a mod b - c", "(a mod b) - c"),
        ("a / b * c", "(a / b) * c"),
        ("a div b mod c", "(a div b) mod c"),
        ("a - b - c", "(a - b) - c"),
        ("a - b + c", "(a - b) + c"),
        ("a + b < c", "(a + b) < c"),
        ("a >= b - c", "a >= (b - c)"),
        ("a < b = c", "(a < b) = c"),
        ("a <> b <= c", "(a <> b) <= c"),
        ("not a = b", "not (a = b)"),
        ("not a + b", "not (a + b)"),
        ("not a and b", "(not a) and b"),
        ("a min not b", "a min (not b)"),
        ("a = b and c", "(a = b) and c"),
        ("a max b > c", "a max (b > c)"),
        ("a min b max c", "(a min b) max c"),
        ("a and b min c", "(a and b) min c"),
        ("a or b and c", "a or (b and c)"),
        ("a max b xor c", "(a max b) xor c"),
        ("a or b xor c", "(a or b) xor c"),
        ("{i|i=0} : a or b", "{i|i=0} : (a or b)"),
        ("{i|i=0} : a * b", "{i|i=0} : (a * b)"),
        ("{i|i=0} : {i|i=1} : a", "{i|i=0} : ({i|i=1} : a)"),
        ("if p then a else {i|i=0} : b", "if p then a else ({i|i=0} : b)"),
        ("if p then a else b or c", "if p then a else (b or c)"),
        ("if p or a then b xor c else a", "if (p or a) then (b xor c) else a"),
    ] {
        assert!(system(bare).is_alike(&system(written_out)), "{bare}");
    }
}

/// **semantics-10**: the table of §11, 10.
#[test]
fn domains_bind_as_the_table_says() {
    let system = |domain: &str| {
        let domain = ["A", "B", "C"]
            .iter()
            .zip(["{i|i=1}", "{i|i>=2}", "{i|i<=3}"])
            .fold(domain.to_owned(), |text, (name, set)| text.replace(name, set));
        read(&format!("system s () returns (y : {domain} of integer); let y = 1.(i->); tel;"))
    };
    for (bare, written_out) in [
        ("~A.(i->i+1)", "(~A).(i->i+1)"),
        ("~A.convex", "(~A).convex"),
        ("~A & B", "(~A) & B"),
        ("~A | B", "(~A) | B"),
        ("A & B.(i->i+1)", "A & (B.(i->i+1))"),
        ("A | B.convex", "A | (B.convex)"),
        ("A.convex.(i->i+1)", "(A.convex).(i->i+1)"),
        ("A & B | C", "(A & B) | C"),
        ("A | B & C", "A | (B & C)"),
        ("A &~ B | C", "(A & (~B)) | C"),
        ("A & B & C", "(A & B) & C"),
        ("A | B | C", "(A | B) | C"),
    ] {
        assert!(system(bare).is_alike(&system(written_out)), "{bare}");
    }
}
