//! Programs of the tensor model language with fewer or shorter dimensions.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use fuzz::subjects::rink::dimensions::{lower, shorter};
use rink::parsing::parse;
use rink::typing::type_program;

fn check(text: &str, expected: &[&str]) {
    let program = parse(text).program;
    type_program(&program).unwrap();
    let lower: Vec<_> = lower(&program).collect();
    assert!(lower.iter().all(|program| type_program(program).is_ok()));
    let lower: Vec<String> = lower.iter().map(ToString::to_string).collect();
    assert_eq!(lower, expected);
}

#[test]
fn a_dimension_is_left_out_wherever_it_goes() {
    check(
        "var input A : [2 3]\nvar input B : [3 4]\nvar output C : [2 4]\nC = (A # B) . [2 3]\n",
        &[
            "var input A : [2 3]\nvar input B : [3]\nvar output C : [2]\nC = (A # B) . [2 3]\n",
            "var input A : [2]\nvar input B : [4]\nvar output C : [2 4]\nC = (A # B)\n",
            "var input A : [3]\nvar input B : [3 4]\nvar output C : [4]\nC = (A # B) . [1 2]\n",
        ],
    );
    // A sum and its operands; scalars stay unchanged.
    check(
        "var input s : []\nvar x : [2]\nx = s * x / s + x\n",
        &["var input s : []\nvar x : []\nx = s * x / s + x\n"],
    );
    // The dimensions of a square matrix that is transposed into itself are one dimension.
    check("var x : [2 2]\nx = x ^ [1 2]\n", &["var x : []\nx = x\n"]);
    // Dropping one of the other two would move three positions.
    check(
        "var input x : [2 3 4]\nvar output y : [4 3 2]\ny = x ^ [1 3]\n",
        &["var input x : [2 4]\nvar output y : [4 2]\ny = x ^ [1 2]\n"],
    );
}

#[test]
fn a_dimension_is_shorter_wherever_it_goes() {
    let text = |a: &str, b: &str, v: &str| {
        format!("var input A : {a}\nvar input b : {b}\nvar output v : {v}\nv = (A # b) . [2 3]\n")
    };
    let program = parse(&text("[3 3]", "[3]", "[3]")).program;
    let shorter: Vec<String> = shorter(&program).map(|program| program.to_string()).collect();
    let all = [text("[1 1]", "[1]", "[1]"), text("[2 2]", "[2]", "[2]")];
    let rows = [text("[1 3]", "[3]", "[1]"), text("[2 3]", "[3]", "[2]")];
    let columns = [text("[3 1]", "[1]", "[3]"), text("[3 2]", "[2]", "[3]")];
    assert_eq!(shorter, [all, rows, columns].concat());
}
