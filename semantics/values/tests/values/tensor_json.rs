//! Tensors in JSON: `{"shape": [2, 3], "data": [ … row-major … ]}`, with an optional `"origin"`.
#![allow(clippy::unwrap_used, reason = "tests")]

use expect_test::{Expect, expect};
use values::tensor_json::{TensorDocument, TensorError, parse_tensor};
use values::{Array, Column, F32, F64, Literal, NumberSystem, Rationals};

fn check(text: &str, expected: Expect) {
    let found = match parse_tensor(text, 6) {
        Ok(tensor) => {
            let write =
                |literal: &Option<Literal>| literal.as_ref().map_or("•".to_owned(), Literal::to_string);
            let data: Vec<String> = tensor.data.iter().map(write).collect();
            format!("{:?} {}", tensor.shape, data.join(" "))
        }
        Err((Some(error), json)) => format!("{error} ({}:{})", json.line(), json.column()),
        Err((None, json)) => format!("JSON: {json}"),
    };
    expected.assert_eq(&found);
}

#[test]
fn reads() {
    check(r#"{"shape": [2], "data": [1, "-7/3"]}"#, expect!["[2] 1 -7/3"]);
    check(r#"{"data": [true, 0.1], "shape": [1, 2]}"#, expect!["[1, 2] true 1/10"]);
    check(
        r#"{"shape": [], "data": [123456789012345678901234567890]}"#,
        expect!["[] 123456789012345678901234567890"],
    );
    check(r#"{"shape": [3], "data": ["nan", null, "0x1.8p3"]}"#, expect!["[3] nan • 12"]);
    check(r#"{"shape": [0, 18446744073709551615, 2], "data": []}"#, expect!["[0, 18446744073709551615, 2] "]);
}

#[test]
fn refuses() {
    check(
        r#"{"shape": [2], "data": [1]}"#,
        expect!["the shape [2] needs 2 elements, but there are 1 (1:27)"],
    );
    check(
        r#"{"shape": [-1], "data": [1]}"#,
        expect!["the extent -1 is not a natural number below 2^64 (1:14)"],
    );
    check(
        r#"{"shape": [1.0], "data": [1]}"#,
        expect!["the extent 1.0 is not a natural number below 2^64 (1:15)"],
    );
    check(
        r#"{"shape": [18446744073709551616], "data": [1]}"#,
        expect!["the extent 18446744073709551616 is not a natural number below 2^64 (1:32)"],
    );
    check(
        r#"{"shape": [4294967296, 4294967296], "data": [1]}"#,
        expect!["the shape [4294967296, 4294967296] needs more than 2^64 elements, but there are 1 (1:48)"],
    );
    check(
        r#"{"shape": [7], "data": [1, 2, 3, 4, 5, 6, "no"]}"#,
        expect!["there are 7 elements, more than 6 (1:48)"],
    );
    check(r#"{"shape": [1], "data": [[1]]}"#, expect!["element number 1: `[1]` is not a number (1:28)"]);
    check(r#"{"shape": [1], "data": ["x"]}"#, expect!["element number 1: `x` is not a number (1:28)"]);
    check(
        r#"{"shape": [1], "shape": [1], "data": [1]}"#,
        expect![[r#"the key "shape" appears twice in one object (1:27)"#]],
    );
    check(r#"{"shape": [1], "dato": [1]}"#, expect![[r#"unknown key "dato" in a tensor (1:21)"#]]);
    check(r#"{"data": [1]}"#, expect![[r#"the tensor has no "shape" (1:13)"#]]);
    check(
        r#"{"shape": [1], "data": [1], "origin": ["a"]}"#,
        expect![[r#""a" in the origin is not an integer of 64 bits (1:43)"#]],
    );
    check(
        r#"[1]"#,
        expect![[
            r#"JSON: invalid type: sequence, expected a tensor, {"shape": […], "data": […]} at line 1 column 0"#
        ]],
    );
    check(r#"{"shape": [1], "data": [1]"#, expect!["JSON: EOF while parsing an object at line 1 column 26"]);
    check(r#"{"shape": [1], "data": [1]} x"#, expect!["JSON: trailing characters at line 1 column 29"]);
}

#[test]
fn deep_and_long_input_costs_no_stack() {
    let deep = format!(r#"{{"shape": [1], "data": [{}1{}]}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(parse_tensor(&deep, 6), Err((Some(TensorError::Element { offset: 0, .. }), _))));
    let long = format!(r#"{{"shape": [{}1], "data": [1]}}"#, "1,".repeat(100_000));
    assert!(matches!(parse_tensor(&long, 6), Err((Some(TensorError::Rank), _))));
}

#[test]
fn writing_and_reading_again_gives_the_same() {
    round_trip(&Rationals);
    round_trip(&F32);
    round_trip(&F64);
}

fn round_trip<S: NumberSystem<Number: Default>>(system: &S) {
    let numbers = system.notable();
    let mut elements = Column::filled(None, numbers.len() + 1);
    for (at, number) in numbers.iter().enumerate() {
        elements.set(at, Some(number.clone()));
    }
    let document = TensorDocument { system, extents: &[numbers.len() + 1], elements: &elements };
    let tensor = parse_tensor(&serde_json::to_string(&document).unwrap(), 100).unwrap();
    for (number, literal) in numbers.iter().zip(&tensor.data) {
        assert!(system.same(number, &system.read(literal.as_ref().unwrap()).unwrap()));
    }
    assert!(tensor.data.last().unwrap().is_none());
}
