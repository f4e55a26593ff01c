//! Programs in JSON (or any self-describing format of `serde`), flat: expressions are numbered, operands before
//! their uses.
#![allow(clippy::unwrap_used, reason = "tests")]

use expect_test::{Expect, expect};
use rink::parsing::parse;
use rink::syntax::Program;

fn check(text: &str, expected: Expect) {
    let found = serde_json::from_str::<Program>(text).map_or_else(|e| e.to_string(), |p| p.to_string());
    expected.assert_eq(&found);
}

#[test]
fn writes_flat() {
    let program = parse("var input A : [2 2] var C : [2 2] C = (A # A) . [2 3] ^ [1 2] + A").program;
    expect![[r#"{"declarations":[{"qualifier":"input","name":"A","extents":[2,2]},{"qualifier":"none","name":"C","extents":[2,2]}],"expressions":[{"variable":"A"},{"variable":"A"},{"product":[0,1]},{"parenthesized":2},{"contraction":[3,{"m":2,"n":3}]},{"transposition":[4,{"m":1,"n":2}]},{"variable":"A"},{"elementwise":["add",5,6]}],"statements":[{"target":"C","expression":7}]}"#]].assert_eq(&serde_json::to_string(&program).unwrap());
}

#[test]
fn reads_what_it_writes() {
    let open = "(".repeat(100_000);
    let deep = format!("var x : [] var y : [] x = {open}y{}", ")".repeat(100_000));
    let wide = format!("var x : [] x = x{}", " - x".repeat(100_000));
    let others = ["", "var output s : []", "var a : [3 4] a = a / a * (a - a)"];
    for source in others.into_iter().chain([deep.as_str(), &wide]) {
        let program = parse(source).program;
        let text = serde_json::to_string(&program).unwrap();
        assert!(serde_json::from_str::<Program>(&text).unwrap() == program);
    }
}

#[test]
fn refuses() {
    let statement = |expressions: &str, expression: u32| {
        format!(
            r#"{{"declarations":[],"expressions":[{expressions}],"statements":[{{"target":"x","expression":{expression}}}]}}"#
        )
    };
    check(
        &statement(r#"{"variable":"x"}"#, 0),
        expect![[r#"
        x = x
    "#]],
    );
    check(&statement(r#"{"variable":"x"}"#, 1), expect!["there is no expression 1"]);
    check(&statement(r#"{"variable":"var"}"#, 0), expect![[r#""var" is not an identifier"#]]);
    check(&statement(r#"{"variable":"x_1"}"#, 0), expect![[r#""x_1" is not an identifier"#]]);
    check(&statement(r#"{"variable":""}"#, 0), expect![[r#""" is not an identifier"#]]);
    check(
        &statement(r#"{"parenthesized":0}"#, 0),
        expect!["expression 0 uses expression 0, which does not precede it"],
    );
    check(
        &statement(r#"{"variable":"x"},{"product":[0,7]}"#, 0),
        expect!["expression 1 uses expression 7, which does not precede it"],
    );
    check(
        &statement(r#"{"variable":"x"},{"product":[0,-1]}"#, 0),
        expect!["invalid value: integer `-1`, expected u32 at line 1 column 67"],
    );
    check(
        r#"{"declarations":[{"name":"1","extents":[]}],"expressions":[],"statements":[]}"#,
        expect![[r#""1" is not an identifier"#]],
    );
    check(
        r#"{"declarations":[],"expressions":[],"statements":[],"more":1}"#,
        expect![
            "unknown field `more`, expected one of `declarations`, `expressions`, `statements` at line 1 column 58"
        ],
    );
}

#[test]
fn refuses_a_short_text_for_a_huge_tree() {
    let doubled: Vec<String> = (0..200).map(|at| format!(r#"{{"product":[{at},{at}]}}"#)).collect();
    let text = format!(
        r#"{{"declarations":[],"expressions":[{{"variable":"x"}},{}],"statements":[]}}"#,
        doubled.join(",")
    );
    let error = serde_json::from_str::<Program>(&text).unwrap_err();
    assert!(error.to_string().starts_with("the program is larger"), "{error}");
}
