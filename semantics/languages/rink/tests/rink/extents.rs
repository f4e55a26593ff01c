//! Size parameters: texts and JSON that are read back, types, and instances.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use expect_test::{Expect, expect};
use rink::derivation::checker::check_json;
use rink::derivation::typing::derive_typing;
use rink::derivation::{DEFAULT_BUDGET, document};
use rink::extents::{SizeParameter, SizeValues, Uninstantiable, instantiate};
use rink::parsing::parse;
use rink::syntax::Program;
use rink::typing::{type_program, type_symbolic};

/// The types of the variables, or the errors.
fn types(text: &str) -> String {
    let parsed = parse(text);
    let lines: Vec<String> = match type_symbolic(&parsed.program, &parsed.unreadable) {
        Ok(typing) if parsed.errors.is_empty() => {
            let types = parsed.program.declarations.iter().map(|d| typing.variable(d.name).unwrap());
            types.map(ToString::to_string).collect()
        }
        typing => {
            let errors = typing.err().unwrap_or_default().into_iter().map(|error| error.diagnostic());
            parsed.errors.into_iter().chain(errors).map(|d| format!("{}: {}", d.code, d.message)).collect()
        }
    };
    lines.join("\n")
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&types(text));
}

fn program(text: &str) -> Program {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    parsed.program
}

fn sizes(sizes: &[(&str, u64)]) -> SizeValues {
    sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
}

#[test]
fn well_typed() {
    check("var A : [n 3 n]", expect!["[n 3 n]"]);
    check("var A : [n k] var B : [k m] var C : [n m] C = (A # B) . [2 3]", expect!["[n k]\n[k m]\n[n m]"]);
    check("var A : [n 3 n] var v : [3] v = A . [3 1]", expect!["[n 3 n]\n[3]"]);
    check("var A : [n 3] var B : [3 n] B = A ^ [1 2]", expect!["[n 3]\n[3 n]"]);
    check("var A : [n 3] var s : [] A = s * A / s + A", expect!["[n 3]\n[]"]);
    check("var input x : [input] var output : [n] output = output", expect!["[input]\n[n]"]);
}

/// The five kinds, on symbols; a symbol equals no number and no other symbol.
#[test]
fn ill_typed() {
    check("var A : [n] var A : [m]", expect!["R0001: `A` is declared twice"]);
    check("var A : [n] B = A", expect!["R0002: assignment to `B`, which is not declared"]);
    check(
        "var A : [n 3] var B : [3 n] A = B",
        expect!["R0003: `A` has type [n 3], but the expression has type [3 n]"],
    );
    check(
        "var A : [n] var B : [m] A = B",
        expect!["R0003: `A` has type [n], but the expression has type [m]"],
    );
    check("var A : [n] A = A + B", expect!["R0004: `B` is not declared"]);
    check(
        "var A : [n 3] var s : [] s = A . [1 2]",
        expect!["R0005: dimensions 1 and 2 have different extents, n and 3"],
    );
    check("var A : [n] var B : [4] A = A + B", expect!["R0005: `+` cannot be applied to types [n] and [4]"]);
    check("var A : [n] A = A . [1 2]", expect!["R0005: there is no dimension 2 in a tensor of rank 1"]);
}

/// A size parameter is at least 1, so a type that is too large for 1 is always too large.
#[test]
fn extents_that_no_size_helps() {
    check("var A : [n 0]", expect!["R0006: extent 2 of `A` is 0"]);
    check("var A : [n 4294967296 4294967296]", expect!["R0008: `A` has more elements than can be addressed"]);
    check("var A : [n 4294967296 4294967295]", expect!["[n 4294967296 4294967295]"]);
}

/// A size parameter that has the name of a variable is reported once, wherever the variable is declared.
#[test]
fn names_of_variables() {
    check(
        "var n : [2] var A : [n n] var B : [n]",
        expect!["R0009: `n` is a variable, and cannot be an extent"],
    );
    check("var A : [n] var n : []", expect!["R0009: `n` is a variable, and cannot be an extent"]);
    check("var n : [n]", expect!["R0009: `n` is a variable, and cannot be an extent"]);
    check("var N : [n]", expect!["[n]"]);
    let errors = type_symbolic(&program("var A : [n] A = n * A  n = A"), &[]).unwrap_err();
    let hints: Vec<String> = errors.iter().filter_map(|error| error.diagnostic().hint).collect();
    assert_eq!(hints, ["`n` is a size parameter, not a variable"; 2]);
}

/// **rink-syntax**
#[test]
fn not_even_extents() {
    check("var A : [2n]", expect!["R0011: expected a blank between two extents, found the name `n`"]);
    check("var A : [n+1]", expect!["R0011: expected another extent or `]`, found `+`"]);
    check("var A : [-1]", expect!["R0011: expected another extent or `]`, found `-`"]);
    check(
        "var A : [n var B : [n]",
        expect!["R0011: expected another extent or `]`, found the keyword `var`"],
    );
    check("var A : [n\nA = A", expect!["R0011: expected another extent or `]`, found the name `A`"]);
    check("var A : [n_1]", expect!["R0010: unexpected character '_' in an identifier"]);
    check("var A : [n] A = A . [n 1]", expect!["R0011: expected a number, found the name `n`"]);
}

/// **rink-syntax-tuple**, **rink-syntax-int**, **rink-syntax-id**
#[test]
fn texts_and_json_read_back() {
    for text in
        ["var A : [n 3 n]\n", "var input A : [n2 2]\nvar s : []\n", "var A : [Ab 18446744073709551615]\n"]
    {
        let parsed = program(text);
        assert_eq!(parsed.to_string(), text);
        let json = serde_json::to_string(&parsed).unwrap();
        assert_eq!(serde_json::from_str::<Program>(&json).unwrap(), parsed);
    }
    let json = serde_json::to_value(program("var A : [n 3]")).unwrap();
    assert_eq!(json["declarations"][0]["extents"], serde_json::json!(["n", 3]));
    assert_ne!(program("var A : [n 3]"), program("var A : [m 3]"));
    assert_ne!(program("var A : [n 3]"), program("var A : [3 3]"));
}

#[test]
fn json_that_is_no_extent() {
    let read = |extent: &str| {
        let text = format!(
            r#"{{"declarations":[{{"name":"A","extents":[{extent}]}}],"expressions":[],"statements":[]}}"#
        );
        serde_json::from_str::<Program>(&text)
    };
    assert!(read("3, \"n\", 18446744073709551615").is_ok());
    for wrong in
        ["-1", "1.5", "18446744073709551616", "\"\"", "\"3\"", "\"n m\"", "\"var\"", "null", "[1]", "true"]
    {
        let error = read(wrong).unwrap_err().to_string();
        assert!(error.contains("is not an extent"), "{error}");
    }
    assert_eq!(
        (SizeParameter::new("n").map(|n| n.to_string()), SizeParameter::new("n m")),
        (Some("n".to_owned()), None)
    );
}

#[test]
fn instances() {
    let matrices = program("var A : [n 3 m] var B : [n] B = B");
    let instance = matrices.instantiate(&sizes(&[("n", 2), ("m", 3)])).unwrap();
    assert_eq!(instance, program("var A : [2 3 3] var B : [2] B = B"));
    assert!(instance.symbols().is_empty());
    let numbers = program("var A : [2]");
    assert_eq!(numbers.instantiate(&SizeValues::new()).unwrap(), numbers);
    let both = instantiate([&matrices, &program("var C : [k]")], &sizes(&[("n", 2), ("m", 3), ("k", 1)]));
    assert_eq!(both.unwrap()[1], program("var C : [1]"));
}

#[test]
fn sizes_that_are_none() {
    let matrices = program("var A : [n 3 m]");
    let refused = |given| matrices.instantiate(&sizes(given)).unwrap_err();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(refused(&[]), Uninstantiable::Missing(names(&["m", "n"])));
    assert_eq!(refused(&[("n", 1)]), Uninstantiable::Missing(names(&["m"])));
    assert_eq!(refused(&[("n", 1), ("m", 0)]), Uninstantiable::NotPositive(names(&["m"])));
    assert_eq!(refused(&[("n", 1), ("m", 1), ("A", 1)]), Uninstantiable::Unknown(names(&["A"])));
    let second = instantiate([&matrices, &program("var C : [k]")], &sizes(&[("n", 2), ("m", 3)]));
    assert_eq!(second, Err(Uninstantiable::Missing(names(&["k"]))));
}

/// Functions that need numbers report it, and derivations have no size parameters.
#[test]
fn numbers_are_needed() {
    let errors = type_program(&program("var A : [n n] var B : [m] A = A")).unwrap_err();
    let found: Vec<String> =
        errors.iter().map(|e| format!("{} {}", e.code(), e.diagnostic().message)).collect();
    assert_eq!(found, ["n", "m"].map(|n| format!("R0013 the size parameter `{n}` has no value")));
    let instance = program("var A : [2] A = A");
    let tree = derive_typing(&instance, &type_program(&instance).unwrap(), DEFAULT_BUDGET).unwrap();
    let json = document::to_json(&tree);
    assert_eq!(check_json(&json), Ok(Vec::new()));
    let symbolic = json.replace(r#""extents":[2]"#, r#""extents":["n"]"#);
    assert_ne!(symbolic, json);
    let faults: Vec<String> = check_json(&symbolic).unwrap().iter().map(ToString::to_string).collect();
    assert!(faults.len() == 1 && faults[0].contains("every di is a number"), "{faults:?}");
}
