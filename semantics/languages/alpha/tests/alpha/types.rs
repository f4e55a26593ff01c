//! The types of every construct (§§7 and 8).
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use alpha::parsing::parse;
use alpha::typing::type_system;

const TYPES: [&str; 3] = ["integer", "real", "boolean"];

/// The types that an expression may have as the definition of an output over `{ i | 1<=i<=3 }`.
fn types(expression: &str) -> String {
    let is_accepted = |result: &&str| {
        let inputs = TYPES.map(|t| format!("{0}1, {0}2 : {{ i | 1<=i<=3 }} of {t}", &t[..1])).join("; ");
        let text = format!(
            "system s ({inputs}; m : {{ i,j | 1<=i,j<=3 }} of real) returns (y : {{ i | 1<=i<=3 }} of {result}); \
             let y = {expression}; tel;"
        );
        let parsed = parse(&text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        type_system(&parsed.system).is_ok()
    };
    TYPES.into_iter().filter(is_accepted).collect::<Vec<_>>().join(" ")
}

/// **type-table**, **type-unop**, **type-binop**, **type-if**: Table 1, row by row, for operands of one type.
#[test]
fn operators_have_the_types_of_table_1() {
    for (operators, [integer, real, boolean]) in [
        ("+ - * min max", ["integer", "real", ""]),
        ("div mod", ["integer", "", ""]),
        ("/", ["", "real", ""]),
        ("< <= > >=", ["boolean", "boolean", ""]),
        ("= <>", ["boolean", "boolean", "boolean"]),
        ("and or xor", ["integer", "", "boolean"]),
    ] {
        for operator in operators.split(' ') {
            let found = ["i", "r", "b"].map(|t| types(&format!("{t}1 {operator} {t}2")));
            assert_eq!(found, [integer, real, boolean], "{operator}");
        }
    }
    assert_eq!(["i", "r", "b"].map(|t| types(&format!("- {t}1"))), ["integer", "real", ""]);
    assert_eq!(["i", "r", "b"].map(|t| types(&format!("not {t}1"))), ["integer", "", "boolean"]);
    let conditional = |test: &str| ["i", "r", "b"].map(|t| types(&format!("if {test}1 then {t}1 else {t}2")));
    assert_eq!(conditional("b"), TYPES);
    assert_eq!([conditional("i"), conditional("r")], [[""; 3]; 2]);
    assert_eq!(types("if b1 then i1 else r1"), "");
}

/// **type-constant**, **type-variable**, **type-case**, **type-restrict**, **type-dep**, **type-reduce**
#[test]
fn other_constructs_have_the_types_of_their_parts() {
    assert_eq!(["1.(i->)", "1.5.(i->)", "true.(i->)"].map(types), TYPES);
    assert_eq!(["i1", "r1", "b1"].map(types), TYPES);
    assert_eq!(["i", "r", "b"].map(|t| types(&format!("{{i|i=1}} : {t}1"))), TYPES);
    assert_eq!(
        ["i", "r", "b"].map(|t| types(&format!("case {{i|i=1}} : {t}1; {{i|i>1}} : {t}2; esac"))),
        TYPES
    );
    assert_eq!(["i", "r", "b"].map(|t| types(&format!("{t}1.(i->4-i)"))), TYPES);
    assert_eq!(types("reduce(+, (i,j->i), m)"), "real");
    assert_eq!(types("reduce(or, (i,j->i), m)"), "");
    // **check-case-types**
    assert_eq!(types("case {i|i=1} : i1; {i|i>1} : r1; esac"), "");
}
