//! Programs that are at fault: the code, and the place.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use language::Program as _;
use tc::program::Program;

/// A program, the code of its error, and the text that the error points at.
const CASES: &[(&str, &str, &str)] = &[
    ("def f(float(N) A) -> (B) { B(i) = A(i) + C(i) }", "P0004", "C(i)"),
    ("def f(float(N) A, float(N) A) -> (B) { B(i) = A(i) }", "P0003", "A"),
    ("def f(float(N) N) -> (B) { B(i) = 1 where i in 0:N }", "P0003", "N"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) A(i) = A(i) + 1 }", "T0004", "A"),
    ("def f(float(N) A) -> (A) { B(i) = A(i) }", "P0011", "A"),
    ("def f(float(N) A) -> (B) { N = A(0) B = A(0) }", "T0004", "N"),
    ("def f(float(N, K) A) -> (B) { B(i) = A(i, k) }", "P0013", "k"),
    ("def f(float(N) A) -> (B) { B(i, j) = A(i) }", "P0005", "j"),
    ("def f(float(N) A) -> (B) { B(i, i) = A(i) }", "P0003", "i"),
    ("def f(float(N) A) -> (B) { B(i) = A(i, i) }", "P0008", "A(i, i)"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) B(i, j) = A(i) + A(j) }", "P0008", "B"),
    ("def f(float(N) A, int32(N) B) -> (C) { C(i) = A(i) + B(i) }", "P0009", "A(i) + B(i)"),
    ("def f(float(N) A) -> (C) { C(i) = 0 where i in 0:N C(i) += A(i) }", "P0009", "A(i)"),
    ("def f(float(N) A) -> (C) { C(i) = A(i) && A(i) }", "P0009", "A(i) && A(i)"),
    ("def f(bool(N) A) -> (O) { O +=! A(i) }", "P0009", "A(i)"),
    ("def f(float(N) A) -> (O) { O max= A(i) < 0 }", "P0009", "A(i) < 0"),
    ("def f(float(N) A) -> (C) { C(i) = A(i) % A(i) }", "P0009", "A(i) % A(i)"),
    ("def f(float(N) A) -> (B, C) { B(i) = A(i) }", "P0011", "C"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) B(i) = B(i + 1) where i in 0:2 }", "T0005", "B(i + 1)"),
    ("def f(float(N) A) -> (B) { B(i) +=! A(i + j) }", "T0001", "i"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) where i in 3:3 }", "T0002", "i"),
    ("def f(float(4) A) -> (B) { B(i) = A(i) where i in 0:5 }", "T0003", "A(i)"),
    ("def f(float(4) A) -> (B) { B(i) = A(i) B(i) = 0 where i in 0:9 }", "T0003", "B"),
    ("def f(float(N) A) -> (B) { B(i) = A(i / 0) }", "P0006", "i / 0"),
    ("def f(float(N) A) -> (B) { B(i) = A(i % N) where i in 0:N }", "P0022", "i % N"),
    ("def f(float(N) A) -> (B) { B(i) = A(i / N) where i in 0:N }", "P0022", "i / N"),
    ("def f(float(4) A, float(2) B) -> (C) { C(i) = A(i) where i in 0:4, exists B(i) }", "T0003", "B(i)"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) where i in 0:i }", "P0006", "i"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) where i in 0:A(0) }", "P0006", "A(0)"),
    ("def f(float(N) A) -> (B) { B(i) = exp(A(i), 1) }", "P0024", "exp(A(i), 1)"),
    ("def f(float(N) A) -> (B) { B(i) = foo(A(i)) }", "P0004", "foo(A(i))"),
    ("def f(float(N) A) -> (B) { B(i) = A.1 + A(i) }", "P0008", "A.1"),
    ("def f(float(N) A) -> (B) { B = f(A) }", "P0014", "f"),
    ("def g(float(N) A) -> (B) { B, C = h(A) } def h(float(N) A) -> (B, C) { B, C = g(A) }", "P0014", "g"),
    ("def g(float(N) A) -> (B) { B(i) = A(i) } def f(float(N) A) -> (B) { B = g(A, A) }", "P0024", "g"),
    ("def g(float(N, N) A) -> (B) { B(i) = A(i, i) } def f(float(N) A) -> (B) { B = g(A) }", "P0009", "A"),
    ("def g(float(3) A) -> (B) { B(i) = A(i) } def f(float(4) A) -> (B) { B = g(A) }", "P0008", "A"),
    ("def f(float(N) A) -> (B) { B(i) = A(9999999999999999999) + A(i) }", "P0007", "9999999999999999999"),
    (
        "def f(float(N) A) -> (B) { B(i) = A(9223372036854775807 + i + 1) + A(i) }",
        "P0007",
        "9223372036854775807 + i + 1",
    ),
    ("def f(float(0) A) -> (B) { B(i) = A(i) }", "P0002", "0"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) ", "P0002", ""),
    ("def f(float(N) A) -> (B) { B(i) = (A(i) }", "P0002", "}"),
    ("def f(float(N) A) -> (B) { B(i) = A(i) where i of 0:N }", "P0002", "of"),
    ("def f(float(N) A) -> (B) { B(i) $ A(i) }", "P0001", "$"),
    ("def f(flaot(N) A) -> (B) { B(i) = A(i) }", "P0002", "flaot"),
    ("", "P0002", ""),
];

/// Each statement has its own errors, and what reads a tensor whose definition has one has none.
#[test]
fn all_statements_are_looked_at() {
    let text = "def g(float(N) A) -> (B) { B(i) = A(i) + X(i) }
        def f(float(N) A) -> (B) { C(i) = A(i, i) D(i) = C(i) + C.0 E(i) = foo(A(i)) F = g(A) B(i) = D(i) + F(i) + E(i) B(j) = A(i) }";
    let errors = Program::read(text).unwrap_err();
    let codes: Vec<String> = errors.iter().map(|error| error.code.to_string()).collect();
    assert_eq!(codes, ["P0004", "P0008", "P0004"]);
}

/// **tc-stuck**, and the grammar: **tc-syntax-lists**, **tc-syntax-type**
#[test]
fn every_fault_has_its_code_and_place() {
    for (text, code, place) in CASES {
        let errors = Program::read(text).map(|_| ()).unwrap_err();
        let found = (errors[0].code.to_string(), &text[errors[0].primary.span.range()]);
        assert_eq!((found.0.as_str(), found.1), (*code, *place), "{text}: {}", errors[0].message);
    }
}

/// Choices between literals take the type that they meet, and `exists` may name any element.
#[test]
fn what_has_no_type_takes_that_of_what_it_meets() {
    for body in [
        "C(i) = A(i) + (i < 1 ? 1 : 0)",
        "C(i) = (A(i) > 0 ? 1 : 0) + A(i)",
        "C(i) = A(i) + 2 * (i > 0 ? 1 : 0)",
        "C(i) = A(i) - (-(i > 0 ? i : N) + (i < 2 ? 1 : 0) * (A(i) > 0 ? 3 : i < 1 ? 2 : 1)) / 2 % 3",
        "C(i) = A(i) C(i) = A(i) where exists C(i + 1)",
    ] {
        assert!(Program::read(&format!("def f(float(N) A) -> (C) {{ {body} }}")).is_ok(), "{body}");
    }
}

#[test]
fn what_nobody_reads_is_a_warning() {
    let program = Program::read("def f(float(N) A) -> (B) { T(i) = A(i) B(i) = A(i) }").unwrap();
    let warnings: Vec<&str> = program.typed.warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(warnings, ["`T` is defined, and neither returned nor read"]);
}
