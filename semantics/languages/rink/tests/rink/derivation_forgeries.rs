//! Forgeries: derivations of false judgements, consistent except for one step. A single change seldom tests one
//! side condition, because others notice it too; here only that one is violated, and the fault must name it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::derivation_cases::*;
use expect_test::{Expect, expect};
use rink::derivation::Derivation;
use rink::derivation::checker::check_json;
use rink::derivation::document::to_json;
use serde_json::{Value, json};
use values::Rationals;

/// Replaces the content of the given places, and checks the checker's findings.
fn forged(tree: &Derivation, edits: &[(&str, Value)], expected: Expect) {
    let mut json: Value = serde_json::from_str(&to_json(tree)).unwrap();
    assert_eq!(check_json(&json.to_string()), Ok(Vec::new()));
    for (place, value) in edits {
        *json.pointer_mut(place).unwrap() = value.clone();
    }
    let faults: Vec<String> =
        check_json(&json.to_string()).unwrap().iter().map(ToString::to_string).collect();
    expected.assert_eq(&faults.join("\n"));
}

fn forged_typing(source: &str, edits: &[(&str, Value)], expected: Expect) {
    forged(&typing_tree(source), edits, expected);
}

fn forged_evaluation(source: &str, inputs: &[(&str, &str)], edits: &[(&str, Value)], expected: Expect) {
    forged(&evaluation_tree(Rationals, source, inputs, PLAIN).unwrap(), edits, expected);
}

#[test]
fn contexts() {
    let more = json!([{"variable": "x", "type": []}]);
    forged_typing(
        "",
        &[
            ("/contexts", more),
            ("/nodes/0/conclusion/context/gamma", json!(1)),
            ("/nodes/1/conclusion/statements-ok/gamma", json!(1)),
        ],
        expect!["node 0 (root/0), s-empty: it does not hold that the context of no declarations is ⊥"],
    );
    forged_typing(
        "var x : [2]",
        &[("/program/declarations/0/extents", json!([0])), ("/contexts/0/type", json!([0]))],
        expect!["node 1 (root/0), s-var: it does not hold that every di ≥ 1"],
    );
    forged_typing(
        "var x : []  var y : []",
        &[("/program/declarations/1/name", json!("x")), ("/contexts/1/variable", json!("x"))],
        expect!["node 2 (root/0), s-var: it does not hold that x ∉ dom Γ"],
    );
}

#[test]
fn statements() {
    forged_typing(
        "var x : [2]  var y : [3]  x = x",
        &[("/program/statements/0/target", json!("y"))],
        expect!["node 5 (root/1/1), ok-stmt: it does not hold that t = Γ(x)"],
    );
    forged_typing(
        "var x : []  x = x",
        &[("/program/statements/0/target", json!("y"))],
        expect!["node 4 (root/1/1), ok-stmt: it does not hold that x ∈ dom Γ"],
    );
    // The second statement is not judged, the first one twice.
    forged_typing(
        "var x : []  x = x  x = x",
        &[
            ("/nodes/6/conclusion/typed/expression", json!(0)),
            ("/nodes/7/conclusion/statement-ok/statement", json!(0)),
        ],
        expect!["node 8 (root/1), ok-seq: premise 2 is not `Γ ⊢ stmt ok`"],
    );
    // The second declaration is not judged.
    let both = json!([{"name": "x", "extents": []}, {"name": "y", "extents": []}]);
    forged_typing(
        "var x : []  x = x",
        &[("/program/declarations", both)],
        expect!["node 6 (root), ok-prog: premise 1 is not `decl* ⊢s Γ`"],
    );
}

#[test]
fn expressions() {
    forged_typing(
        "var A : [2 2]  var s : []  s = A . [1 2]",
        &[
            ("/program/declarations/0/extents", json!([2, 3])),
            ("/contexts/0/type", json!([2, 3])),
            ("/nodes/4/conclusion/typed/type", json!([2, 3])),
        ],
        expect!["node 5 (root/1/1/0), t-contr: it does not hold that dm = dn"],
    );
    let transposition = "var A : [2 2]  A = A ^ [1 2]";
    for pair in [json!({"m": 1, "n": 1}), json!({"m": 0, "n": 2}), json!({"m": 1, "n": 3})] {
        forged_typing(
            transposition,
            &[("/program/expressions/1/transposition/1", pair)],
            expect![
                "node 4 (root/1/1/0), t-trans: it does not hold that m and n are two different positions from 1 to k"
            ],
        );
    }
    // Neither operand is scalar.
    forged_typing(
        "var x : [2]  var s : []  x = s * x",
        &[
            ("/program/declarations/1/extents", json!([3])),
            ("/contexts/1/type", json!([3])),
            ("/nodes/4/conclusion/typed/type", json!([3])),
        ],
        expect!["node 6 (root/1/1/0), t-smul: it does not hold that e0 has the type ()"],
    );
    forged_typing(
        "var x : [2]  var s : []  x = x / s",
        &[
            ("/program/declarations/1/extents", json!([3])),
            ("/contexts/1/type", json!([3])),
            ("/nodes/5/conclusion/typed/type", json!([3])),
        ],
        expect!["node 6 (root/1/1/0), t-sdiv: it does not hold that e1 has the type ()"],
    );
    // t-elem with operands of two types: the sum of a vector and a scalar.
    forged_typing(
        "var x : [2]  var s : [2]  x = x + s",
        &[
            ("/program/declarations/1/extents", json!([])),
            ("/contexts/1/type", json!([])),
            ("/nodes/5/conclusion/typed/type", json!([])),
        ],
        expect!["node 6 (root/1/1/0), t-elem: it does not hold that both operands have the type t"],
    );
    // The scalar on the right, and an operator other than `*`.
    forged_typing(
        "var x : [2]  var s : []  x = s * x",
        &[("/program/expressions/2", json!({"elementwise": ["sub", 0, 1]}))],
        expect!["node 6 (root/1/1/0), t-smul: the conclusion is not `Γ ⊢ e0 * e1 : t1`"],
    );
}

#[test]
fn stores() {
    let more = json!([{"variable": "x", "shape": [], "data": [1]}]);
    forged_evaluation(
        "",
        &[],
        &[
            ("/stores", more),
            ("/nodes/1/conclusion/store/mu", json!(1)),
            ("/nodes/2/conclusion/evaluates/mu", json!(1)),
        ],
        expect!["node 1 (root/1), d-empty: it does not hold that the store of no declarations is ⊥"],
    );
    forged_evaluation(
        "var x : [2]",
        &[],
        &[
            ("/program/declarations/0/extents", json!([0])),
            ("/contexts/0/type", json!([0])),
            ("/stores/0/shape", json!([0])),
            ("/stores/0/data", json!([])),
        ],
        expect![[r#"
            node 1 (root/0), s-var: it does not hold that every di ≥ 1
            node 3 (root/1), d-var: it does not hold that every di ≥ 1"#]],
    );
    forged_evaluation(
        "var x : []  var y : []",
        &[],
        &[
            ("/program/declarations/1/name", json!("x")),
            ("/contexts/1/variable", json!("x")),
            ("/stores/1/variable", json!("x")),
        ],
        expect![[r#"
            node 2 (root/0), s-var: it does not hold that x ∉ dom Γ
            node 5 (root/1), d-var: it does not hold that x is not in the store before"#]],
    );
    forged_evaluation(
        "var input x : [2]",
        &[("x", "1 2")],
        &[("/stores/0/data/1", json!(null))],
        expect!["node 3 (root/1), d-in-var: it does not hold that xi ∈ V"],
    );
    let padded = EvaluationSettings { pad: 2, ..PLAIN };
    let tree = evaluation_tree(Rationals, "var input x : [1]", &[("x", "1")], padded).unwrap();
    forged(
        &tree,
        &[("/stores/0/data/1", json!(7))],
        expect!["node 3 (root/1), d-pad-var: it does not hold that xi = 0 for i ∈ (t,⌈t⌉)"],
    );
    forged(
        &tree,
        &[("/stores/0/data/1", json!(null))],
        expect!["node 3 (root/1), d-pad-var: it does not hold that xi ∈ V"],
    );
    forged(
        &tree,
        &[("/stores/0/data/0", json!(null))],
        expect!["node 3 (root/1), d-pad-var: it does not hold that xi ∈ V"],
    );
    let both = json!([{"name": "x", "extents": []}, {"name": "y", "extents": []}]);
    forged_evaluation(
        "var x : []  x = x",
        &[("x", "1")],
        &[("/program/declarations", both)],
        expect!["node 6 (root), ev-prog: it does not hold that Γ and μ are those of all declarations"],
    );
}

const TWO: &str = "var s : []  s = s  s = s";

/// A store without an assignment slips in before the first statement, or between two.
#[test]
fn stores_that_slip_in() {
    let mu = |node: usize| format!("/nodes/{node}/conclusion/value/mu");
    let value = |node: usize| format!("/nodes/{node}/conclusion/value/value");
    let step = |node: usize, field: &str| format!("/nodes/{node}/conclusion/step/{field}");
    let store = |v: u64| json!({"variable": "s", "shape": [], "data": [v]});
    let after_second = [
        (mu(6), json!(3)),
        (value(6), json!(9)),
        (step(7, "mu"), json!(3)),
        (step(7, "result"), json!(4)),
        (step(8, "result"), json!(4)),
        ("/nodes/9/conclusion/evaluates/mu".to_owned(), json!(4)),
    ];
    let first = [
        ("/stores".to_owned(), json!([store(5), store(9), store(9), store(9)])),
        (mu(4), json!(2)),
        (value(4), json!(9)),
        (step(5, "mu"), json!(2)),
        (step(5, "result"), json!(3)),
    ];
    let between = [("/stores".to_owned(), json!([store(5), store(5), store(9), store(9)]))];
    let edits = |parts: [&[(String, Value)]; 2], expected: Expect| {
        let edits: Vec<(&str, Value)> =
            parts.into_iter().flatten().map(|(place, value)| (place.as_str(), value.clone())).collect();
        forged_evaluation(TWO, &[("s", "5")], &edits, expected);
    };
    edits(
        [&first, &after_second],
        expect!["node 8 (root/2), ev-seq: it does not hold that the first premise starts from μ"],
    );
    edits(
        [&between, &after_second],
        expect!["node 8 (root/2), ev-seq: it does not hold that the second premise starts from μ′"],
    );
}

#[test]
fn sequences() {
    let inputs = [("s", "5")];
    // The last store does not come from the last statement.
    let edits =
        [("/nodes/8/conclusion/step/result", json!(2)), ("/nodes/9/conclusion/evaluates/mu", json!(2))];
    forged_evaluation(
        TWO,
        &inputs,
        &edits,
        expect!["node 8 (root/2), ev-seq: it does not hold that the second premise ends in μ″"],
    );
    // The first statement is evaluated twice, the second not at all.
    let edits = [
        ("/nodes/6/conclusion/value/expression", json!(0)),
        ("/nodes/7/conclusion/step/from", json!(0)),
        ("/nodes/7/conclusion/step/to", json!(1)),
    ];
    forged_evaluation(
        TWO,
        &inputs,
        &edits,
        expect!["node 8 (root/2), ev-seq: it does not hold that the statements are those of the premises"],
    );
    // The second statement is evaluated in another context.
    let edits = [("/nodes/8/conclusion/value/gamma", json!(1)), ("/nodes/9/conclusion/step/gamma", json!(1))];
    forged_evaluation(
        "var s : []  var r : []  s = s  s = s",
        &inputs,
        &edits,
        expect!["node 10 (root/2), ev-seq: it does not hold that all three are over the same Γ"],
    );
}

/// Statements grouped to the right: the same stores, but ev-seq adds one statement at the end.
#[test]
fn sequences_associate_to_the_left() {
    let tree = evaluation_tree(Rationals, "var s : []  s = s  s = s  s = s", &[("s", "5")], PLAIN).unwrap();
    let json: Value = serde_json::from_str(&to_json(&tree)).unwrap();
    let moved = |from: usize, to: usize, premises: Value| {
        let mut node = json["nodes"][from].clone();
        (node["id"], node["premises"]) = (json!(to), premises);
        node
    };
    let mut inner = moved(11, 10, json!([7, 9]));
    inner["conclusion"]["step"]["from"] = json!(1);
    inner["conclusion"]["step"]["mu"] = json!(2);
    let edits = [
        ("/nodes/8", moved(9, 8, json!([]))),
        ("/nodes/9", moved(10, 9, json!([8]))),
        ("/nodes/10", inner),
        ("/nodes/11/premises", json!([5, 10])),
    ];
    forged(
        &tree,
        &edits,
        expect!["node 11 (root/2), ev-seq: it does not hold that the second premise is about one statement"],
    );
}

/// The tree without one node, which is no longer a premise of any other.
fn without(tree: &Derivation, at: usize) -> Value {
    let mut json: Value = serde_json::from_str(&to_json(tree)).unwrap();
    let nodes = json["nodes"].as_array_mut().unwrap();
    nodes.remove(at);
    for (id, node) in nodes.iter_mut().enumerate() {
        node["id"] = json!(id);
        let premises = node["premises"].as_array_mut().unwrap();
        premises.retain(|premise| *premise != json!(at));
        for premise in premises {
            let old = premise.as_u64().unwrap() as usize;
            *premise = json!(old - usize::from(old > at));
        }
    }
    json
}

/// Steps with the right values, but with too few or too many premises.
#[test]
fn bounds() {
    // A sum without one of its terms, which is 0.
    let inputs = [("A", "7 1 1 0")];
    let sum = "var A : [2 2]  var s : []  s = A . [1 2]";
    let tree = evaluation_tree(Rationals, sum, &inputs, PLAIN).unwrap();
    let faults = check_json(&without(&tree, 7).to_string()).unwrap();
    expect!["node 8 (root/2/0), eq-11: the rule has 3 premises, not 2"]
        .assert_eq(&faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    // A statement that assigns an element too many.
    forged_evaluation(
        "var x : [2]  x = x",
        &[("x", "1 2")],
        &[("/nodes/6/premises", json!([4, 5, 5])), ("/stores/1/data", json!([1, 2, 2]))],
        expect!["node 6 (root/2), ev-stmt: the rule has 2 premises, not 3"],
    );
}
