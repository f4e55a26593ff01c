//! Cores as text.

use crate::lowering::support::{lowered, program, typed};
use alpha::printing::{Notation, print};
use alpha::syntax::Expression as Core;
use base::diagnostics::{Code, Fault};
use expect_test::{Expect, expect};
use rink::syntax::{AxisPair, ElementwiseOperator, Expression, Program, Qualifier};
use rink::to_alpha::lower;

fn functional(text: &str, expected: Expect) {
    expected.assert_eq(&print(&lowered(&program(text)).system, Notation::Functional));
}

fn array(text: &str, expected: Expect) {
    expected.assert_eq(&print(&lowered(&program(text)).system, Notation::Array));
}

/// Compares the text of the equations only.
fn equations(text: &str, expected: Expect) {
    let text = print(&lowered(&program(text)).system, Notation::Functional);
    let lines = text.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| line.contains(" = ")));
    expected.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

const PRODUCT: &str = "var A : [n k] var B : [k m] var C : [n m] C = (A # B) . [2 3]";

#[test]
fn a_product_of_all_sizes() {
    functional(
        PRODUCT,
        expect![[r#"
            system program (n, k, m : { n,k,m | n>=1; k>=1; m>=1 } parameter;
                A : { i1,i2 | 1<=i1<=n; 1<=i2<=k } of real;
                B : { i1,i2 | 1<=i1<=k; 1<=i2<=m } of real)
              returns (C : { i1,i2 | 1<=i1<=n; 1<=i2<=m } of real);
            let
              C = reduce(+, (i1,i2,l->i1,i2), A.(i1,i2,l->i1,l) * B.(i1,i2,l->l,i2));
            tel;
        "#]],
    );
    array(
        PRODUCT,
        expect![[r#"
            system program (n, k, m : { n,k,m | n>=1; k>=1; m>=1 } parameter;
                A : { i1,i2 | 1<=i1<=n; 1<=i2<=k } of real;
                B : { i1,i2 | 1<=i1<=k; 1<=i2<=m } of real)
              returns (C : { i1,i2 | 1<=i1<=n; 1<=i2<=m } of real);
            let
              C[i1,i2] = reduce(+, (i1,i2,l->i1,i2), A[i1,l] * B[l,i2]);
            tel;
        "#]],
    );
}

#[test]
fn versions() {
    functional(
        "var a : [2] var x : [] a = a + a a = x * a",
        expect![[r#"
            system program (a : { i1 | 1<=i1<=2 } of real;
                x : real)
              returns (a_2 : { i1 | 1<=i1<=2 } of real);
            var
              a_1 : { i1 | 1<=i1<=2 } of real;
            let
              a_1 = a + a;
              a_2 = x.(i1->) * a_1;
            tel;
        "#]],
    );
    functional(
        "var a : [2] var b : [2] var c : [] b = a b = b b = b",
        expect![[r#"
            system program (a : { i1 | 1<=i1<=2 } of real)
              returns (b_3 : { i1 | 1<=i1<=2 } of real);
            var
              b_1 : { i1 | 1<=i1<=2 } of real;
              b_2 : { i1 | 1<=i1<=2 } of real;
            let
              b_1 = a;
              b_2 = b_1;
              b_3 = b_2;
            tel;
        "#]],
    );
}

#[test]
fn reserved_names() {
    functional(
        "var A : [l] var let : [i1 l] var min : [] let = min * let",
        expect![[r#"
            system program (l, i1 : { l,i1 | l>=1; i1>=1 } parameter;
                let_ : { i1_,i2 | 1<=i1_<=i1; 1<=i2<=l } of real;
                min_ : real)
              returns (let__1 : { i1_,i2 | 1<=i1_<=i1; 1<=i2<=l } of real);
            let
              let__1 = min_.(i1_,i2->) * let_;
            tel;
        "#]],
    );
}

#[test]
fn nothing_to_define() {
    functional(
        "var A : [2]",
        expect![[r#"
            system program ()
              returns ();
            let
            tel;
        "#]],
    );
}

#[test]
fn every_form() {
    let declared = "var s : [] var v : [2] var A : [2 3] var B : [3 2] var S : [2 2] var x : [] var y : [2] \
        var Y : [2 2] var Z : [3 2]";
    let case = |statement: &str, expected: Expect| equations(&format!("{declared} {statement}"), expected);
    case("x = s + s - s", expect!["x = s + s - s;"]);
    case("y = s * v / s", expect!["y = s.(i1->) * v / s.(i1->);"]);
    case("y = (s / s) * v", expect!["y = s.(i1->) / s.(i1->) * v;"]);
    case("Z = A ^ [2 1]", expect!["Z = A.(i1,i2->i2,i1);"]);
    case("Y = v # v", expect!["Y = v.(i1,i2->i1) * v.(i1,i2->i2);"]);
    case("Y = S ^ [1 2] + S", expect!["Y = S.(i1,i2->i2,i1) + S;"]);
    case("x = S . [1 2]", expect!["x = reduce(+, (l->), S.(l->l,l));"]);
    case("x = (S) . [2 1] + s", expect!["x = reduce(+, (l->), S.(l->l,l)) + s;"]);
    case(
        "Y = (A # B) . [2 3]",
        expect!["Y = reduce(+, (i1,i2,l->i1,i2), A.(i1,i2,l->i1,l) * B.(i1,i2,l->l,i2));"],
    );
    case(
        "Y = ((A # B) . [2 3]) ^ [1 2]",
        expect!["Y = reduce(+, (i1,i2,l->i1,i2), A.(i1,i2,l->i2,l) * B.(i1,i2,l->l,i1));"],
    );
    case(
        "x = A # B . [2 3] . [1 2]",
        expect!["x = reduce(+, (l->), reduce(+, (l,l2->l), A.(l,l2->l,l2) * B.(l,l2->l2,l)));"],
    );
    case(
        "x = A # B . [1 4] . [1 2]",
        expect!["x = reduce(+, (l->), reduce(+, (l,l2->l), A.(l,l2->l2,l) * B.(l,l2->l,l2)));"],
    );
    case(
        "Y = S # S . [2 3] # S . [2 3]",
        expect![
            "Y = reduce(+, (i1,i2,l->i1,i2), reduce(+, (i1,l,l2->i1,l), S.(i1,l,l2->i1,l2) * S.(i1,l,l2->l2,l)).(i1,i2,l->i1,l) * S.(i1,i2,l->l,i2));"
        ],
    );
    case("y = (S . [1 2]) * v", expect!["y = reduce(+, (l->), S.(l->l,l)).(i1->) * v;"]);
}

/// A chain of 100,000 operators, and sums nested 50,000 deep: no space has more dimensions than a matrix plus one.
#[test]
fn deep_programs() {
    let mut deep = Program::new();
    deep.declare(Qualifier::None, "A", &[2, 2]);
    let (mut chain, a) = (deep.variable("A"), deep.variable("A"));
    for _ in 0..100_000 {
        chain = deep.add(Expression::Elementwise(ElementwiseOperator::Add, chain, a));
    }
    deep.assign("A", chain);
    let mut nested = a;
    for _ in 0..50_000 {
        let product = deep.add(Expression::Product(a, nested));
        nested = deep.add(Expression::Contraction(product, AxisPair::new(2, 3)));
    }
    deep.assign("A", nested);
    let system = lowered(&deep).system;
    let operators = system.expressions().filter(|(_, e)| matches!(e, Core::Binary(..))).count();
    let spaces = system.expressions().filter_map(|(_, e)| match e {
        Core::Reduce(_, projection, _) => Some(projection.space.rank()),
        _ => None,
    });
    let spaces: Vec<usize> = spaces.collect();
    assert_eq!((operators, spaces), (150_000, vec![3; 50_000]));
    assert!(print(&system, Notation::Functional).len() > 1_000_000);
}

#[test]
fn extents_beyond_the_core() {
    let fits = program("var A : [9223372036854775807] A = A");
    assert!(lower(&fits, &typed(&fits)).is_ok());
    let large = program("var A : [9223372036854775808] A = A");
    let error = lower(&large, &typed(&large)).unwrap_err().diagnostic(&large);
    assert_eq!((error.code, error.code.fault()), (Code::R0022, Fault::Limit));
    let shown = error.primary.span.range();
    assert_eq!(&"var A : [9223372036854775808] A = A"[shown], "9223372036854775808");
}
