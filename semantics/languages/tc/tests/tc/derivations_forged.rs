//! Documents of a stranger, each an honest one with a change: none of them derives anything.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::derivations::{document, faults, run};
use language::Program as _;
use serde_json::{Value, json};
use tc::derivation::checker::{DerivationFault, WrongStep};
use tc::derivation::document::from_json;
use tc::derivation::statics::derive_ranges;
use tc::program::Program;
use values::Rationals;

/// `constant + Σ a·x`, where each `x` is the size (`'s'`) or the loop index (`'l'`) with a number.
fn e(constant: i64, terms: &[(char, usize, i64)]) -> Value {
    let term =
        |(kind, k, a): &(char, usize, i64)| json!([{ if *kind == 's' { "size" } else { "loop" }: k }, a]);
    json!({ "terms": terms.iter().map(term).collect::<Vec<_>>(), "constant": constant })
}

fn least(of: &[Value]) -> Value {
    json!({ "terms": [[{ "least": of }, 1]], "constant": 0 })
}

/// Replaces what stands in a place of the program.
fn put(document: &mut Value, place: &str, value: Value) {
    let place = document["program"].pointer_mut(place);
    *place.unwrap() = value;
}

fn push(document: &mut Value, place: &str, value: Value) {
    document["program"].pointer_mut(place).unwrap().as_array_mut().unwrap().push(value);
}

/// The range of an index of the first statement.
fn range(document: &mut Value, index: usize, range: [Value; 2]) {
    put(document, &format!("/statements/0/loops/{index}/1"), json!(range));
}

/// The range of the first index of the first statement, and of its tensor.
fn extent(document: &mut Value, tensor: usize, of: [Value; 2]) {
    put(document, &format!("/tensors/{tensor}/ranges/0"), json!(of));
    range(document, 0, of);
}

/// Replaces the first node of a kind.
fn node(document: &mut Value, kind: &str, by: Value) {
    let values = document["program"]["values"].as_array_mut().unwrap();
    values.iter_mut().find(|value| value["node"].get(kind).is_some()).unwrap()["node"] = by;
}

/// Renames a tensor, a size or an index of the first statement.
fn rename(document: &mut Value, place: &str, name: &str) {
    put(document, place, json!(name));
}

/// A range that is found in a later round than the rules say.
fn later_round(document: &mut Value) {
    let end = || e(1, &[('s', 0, 1), ('s', 1, -1)]);
    put(document, "/statements/0/rounds", json!([2, 1]));
    extent(document, 2, [e(0, &[]), end()]);
    put(document, "/conditions", json!([e(0, &[('s', 0, 1), ('s', 1, -1)])]));
    let steps = document["steps"].as_array_mut().unwrap();
    let is_used = |step: &Value| ["0", "1"].contains(&&*step["conclusion"]["bounds"]["access"].to_string());
    let used: Vec<usize> = (0..steps.len()).filter(|&at| is_used(&steps[at])).collect();
    let is_round = |step: &&mut Value| step["conclusion"]["range"]["index"] == json!(0);
    steps.iter_mut().find(is_round).unwrap()["premises"] = json!(used);
}

/// A sum that leaves out the last of two elements.
fn shorter_sum(document: &mut Value) {
    range(document, 0, [e(0, &[]), e(-1, &[('s', 0, 1)])]);
    let first = document["stores"][0]["elements"][0].clone();
    document["stores"][1]["elements"] = json!([first]);
    document["steps"] = json!([
        { "rule": "tc-read", "conclusion": { "value": { "store": 1, "value": 0, "point": [0], "result": first } }, "premises": [] },
        { "rule": "tc-initialize", "conclusion": { "element": { "store": 1, "statement": 0, "at": [], "result": first } }, "premises": [0] },
        { "rule": "tc-statement", "conclusion": { "step": { "store": 1, "statement": 0 } }, "premises": [1] },
        { "rule": "tc-sequence", "conclusion": { "run": { "first": 1, "last": 2 } }, "premises": [2] }
    ]);
}

/// A run at a size at which the program has no meaning.
fn forbidden_size(document: &mut Value) {
    put(document, "/conditions", json!([]));
    document["of"]["evaluation"]["sizes"] = json!([1]);
    document["stores"] = json!([{ "tensor": 0, "elements": [1] }, { "tensor": 1, "elements": [] }]);
    document["steps"] = json!([
        { "rule": "tc-statement", "conclusion": { "step": { "store": 1, "statement": 0 } }, "premises": [] },
        { "rule": "tc-sequence", "conclusion": { "run": { "first": 1, "last": 2 } }, "premises": [0] }
    ]);
}

const SUM: &str = "def f(float(N) A) -> (s) { s +=! A(i) }";
const CONVOLUTION: &str = "def f(float(N) A, float(K) w) -> (B) { B(i) +=! A(i + k) * w(k) }";
const TWICE: &str = "def f(float(N) A, float(K) w) -> (B) { B(i) +=! A(i) * A(i + k) * w(k) }";
const EMPTY: &str = "def f(float(N) A, float(K) w) -> (B) { B(i) +=! A(i + k) where k in K:0 }";
const EMPTY_SOMEWHERE: &str = "def f(float(N) A, float(K) w) -> (B) { B(i) +=! A(i + k) where k in 0:K-5 }";
const AGAIN: &str = "def f(float(N) A) -> (B) { B(i) = A(i)\n B(i) = B(i) + 1 }";
const GIVEN: &str = "def f(float(N) A, float(K) w) -> (B) { B(i) +=! A(i + k) where k in 0:2 }";
const REPEATED: &str = "def f(float(N) A) -> (s) { s +=! A(j) where k in 0:2 }";
const EXPONENT: &str = "def f(float(N) A) -> (B) { B(i) = A(i) + exp(A(i)) }";
const BYTES: &str = "def f(uint8(N) A) -> (B) { B(i) = A(i) + 3 }";
const CHOICE: &str = "def f(float(N) A) -> (B) { B(i) = i >= 1 ? A(i) : 7 }";
const SHIFTED: &str = "def f(float(N) A) -> (B) { B(i) = A(i+1) where i in 0:1 }";
const NAMES: &str = "def f(float(N) A, float(M) C) -> (B) { B(i) = A(i)*C(0) }";
const GATHER: &str = "def f(float(N) A, int32(N) t) -> (B) { B(i) = A(i) + A(t(i)+i) }";
const STENCIL: &str = "def f(float(N) A) -> (B) { B(i) = A(i-1)+A(i+1) }";
const QUOTIENT: &str = "def f(float(N) A) -> (B) { B(i) = A(i/2 + i) where i in 0:N }";
const EXISTS: &str = "def f(float(N) A) -> (B, C) { B(i) = A(i) where exists A(i+1)\n C(i) = A(i+2) }";

/// What is forged, the honest program, and the sizes of its run; none where its ranges are derived.
type Forgery = (&'static str, &'static str, &'static [i64], fn(&mut Value));

const FORGERIES: &[Forgery] = &[
    ("an empty range", SUM, &[], |d| range(d, 0, [e(0, &[]), e(-5, &[])])),
    ("a range that is empty at large sizes", SUM, &[], |d| {
        range(d, 0, [e(0, &[]), least(&[e(100, &[('s', 0, -26)]), e(0, &[('s', 0, 1)])])]);
    }),
    ("an empty range that starts elsewhere", SUM, &[], |d| range(d, 0, [e(7, &[]), e(7, &[])])),
    ("a run with a shorter range", SUM, &[2], shorter_sum),
    ("a run at a size that the accesses forbid", STENCIL, &[3], forbidden_size),
    ("a later round", TWICE, &[], later_round),
    ("any range beside an empty one", EMPTY, &[], |d| extent(d, 2, [e(-3, &[]), e(5, &[('s', 0, 1)])])),
    ("another range where one beside it is empty", EMPTY_SOMEWHERE, &[], |d| {
        let end = least(&[e(0, &[('s', 0, 1)]), e(6, &[('s', 0, 1), ('s', 1, -1)])]);
        extent(d, 2, [e(0, &[]), end]);
    }),
    ("a condition that never holds", CONVOLUTION, &[], |d| push(d, "/conditions", e(-1, &[]))),
    ("a condition that no access needs", CONVOLUTION, &[], |d| {
        push(d, "/conditions", e(-100, &[('s', 0, 1)]));
    }),
    ("that condition before the other one", CONVOLUTION, &[], |d| {
        let other = d["program"]["conditions"][0].clone();
        put(d, "/conditions", json!([e(-100, &[('s', 0, 1)]), other]));
    }),
    ("that condition in a run", CONVOLUTION, &[200, 1], |d| push(d, "/conditions", e(-100, &[('s', 0, 1)]))),
    ("a condition that no quotient needs", QUOTIENT, &[], |d| {
        push(d, "/conditions", e(-100, &[('s', 0, 1)]));
    }),
    ("extents that are equal", CONVOLUTION, &[], |d| {
        push(d, "/conditions", e(0, &[('s', 0, -1), ('s', 1, 1)]))
    }),
    ("a product of sizes that nothing needs, in a run", NAMES, &[2, 3], |d| {
        let product = json!([[{ "product": [e(0, &[('s', 0, 1)]), e(0, &[('s', 1, 1)])] }, 1]]);
        push(d, "/conditions", json!({ "terms": product, "constant": -5 }));
    }),
    ("a call that asks for no extent", NAMES, &[], |d| {
        d["program"]["calls"] = json!([{ "tensor": 0, "extents": [e(0, &[('s', 1, 2)])] }]);
        push(d, "/conditions", e(0, &[('s', 0, 1), ('s', 1, -2)]));
        push(d, "/conditions", e(0, &[('s', 0, -1), ('s', 1, 2)]));
    }),
    ("a reduction with `-`", SUM, &[], |d| put(d, "/statements/0/reduction", json!(["-", true]))),
    ("a reduction without a name", SUM, &[], |d| put(d, "/statements/0/reduction", json!(["", true]))),
    ("a reduction with `>=`", SUM, &[], |d| put(d, "/statements/0/reduction", json!([">=", true]))),
    ("another element of the target", AGAIN, &[], |d| {
        let other = e(-1, &[('s', 0, 1), ('l', 0, -1)]);
        let values = d["program"]["values"].as_array_mut().unwrap();
        values.iter_mut().find(|of| of["node"]["read"][0] == json!(1)).unwrap()["node"]["read"][1] =
            json!([other]);
        put(d, "/statements/1/accesses/0/indices", json!([other]));
    }),
    ("`where` from 5 to 3", GIVEN, &[], |d| range(d, 1, [e(5, &[]), e(3, &[])])),
    ("`where` from 5 to 3 beside it", REPEATED, &[], |d| range(d, 1, [e(5, &[]), e(3, &[])])),
    ("`where` from 5 to 3 + 0 * N", REPEATED, &[], |d| range(d, 1, [e(5, &[]), e(3, &[('s', 0, 0)])])),
    ("`where` from 5 to 3 + N - N", REPEATED, &[], |d| {
        range(d, 1, [e(5, &[]), e(3, &[('s', 0, 1), ('s', 0, -1)])]);
    }),
    ("a function that is none", EXPONENT, &[], |d| node(d, "call", json!({ "call": ["bogus", [0, 0, 0]] }))),
    ("a function without an argument", EXPONENT, &[], |d| node(d, "call", json!({ "call": ["exp", []] }))),
    ("a function with two arguments", EXPONENT, &[], |d| node(d, "call", json!({ "call": ["exp", [0, 0]] }))),
    ("a power of one argument", EXPONENT, &[], |d| node(d, "call", json!({ "call": ["pow", [0]] }))),
    ("a function that C has not", EXPONENT, &[], |d| node(d, "call", json!({ "primitive": ["sign", [0]] }))),
    ("an exponential of bytes", BYTES, &[], |d| node(d, "number", json!({ "call": ["exp", [0]] }))),
    ("bytes rounded down", BYTES, &[], |d| node(d, "number", json!({ "primitive": ["floor", [0]] }))),
    ("nan as a byte", BYTES, &[], |d| node(d, "number", json!({ "number": "nan" }))),
    ("an infinity as a byte", BYTES, &[], |d| node(d, "number", json!({ "number": "inf" }))),
    ("a third as a byte", BYTES, &[], |d| node(d, "number", json!({ "number": "1/3" }))),
    ("256 as a byte", BYTES, &[], |d| node(d, "number", json!({ "number": "256" }))),
    ("nan as a real number", CHOICE, &[], |d| node(d, "number", json!({ "number": "nan" }))),
    ("a condition at an index that does not exist", CHOICE, &[], |d| {
        let condition = json!({ "yes": [[e(-1, &[('l', 7, 1)])]], "no": [[e(0, &[('l', 7, -1)])]] });
        node(d, "choose", json!({ "choose": [condition, 0, 1] }));
    }),
    ("a condition that may hold and not hold", CHOICE, &[], |d| {
        let condition = json!({ "yes": [[e(-1, &[('l', 0, 1)])]], "no": [[e(1, &[('l', 0, -1)])]] });
        node(d, "choose", json!({ "choose": [condition, 0, 1] }));
    }),
    ("a condition that neither holds nor does not", CHOICE, &[], |d| {
        node(d, "choose", json!({ "choose": [{ "yes": [[e(-1, &[('l', 0, 1)])]], "no": [] }, 0, 1] }));
    }),
    ("an index of another statement", EXISTS, &[], |d| {
        put(d, "/values/0/node/read/1/0", e(0, &[('l', 1, 1)]))
    }),
    ("an argument from 1", SHIFTED, &[], |d| {
        put(d, "/tensors/0/ranges", json!([[e(1, &[]), e(2, &[])]]));
        put(d, "/conditions", json!([]));
    }),
    ("an argument without elements", SUM, &[], |d| {
        put(d, "/tensors/0/ranges", json!([[e(0, &[]), e(0, &[])]]));
        range(d, 0, [e(0, &[]), e(0, &[])]);
    }),
    ("an argument of a sum of sizes", NAMES, &[], |d| {
        put(d, "/tensors/0/ranges/0/1", e(1, &[('s', 0, 1)]));
        extent(d, 2, [e(0, &[]), e(1, &[('s', 0, 1)])]);
    }),
    ("a size that no argument has", SUM, &[], |d| push(d, "/sizes", json!("M"))),
    ("two sizes of one name", NAMES, &[], |d| rename(d, "/sizes/1", "N")),
    ("a tensor with the name of a size", NAMES, &[], |d| rename(d, "/tensors/0/name", "N")),
    ("an index with the name of a tensor", NAMES, &[], |d| rename(d, "/statements/0/loops/0/0", "B")),
    ("an index with the name of a size", NAMES, &[], |d| rename(d, "/statements/0/loops/0/0", "M")),
    ("an index without a name", NAMES, &[], |d| rename(d, "/statements/0/loops/0/0", "")),
    ("a size with a blank", NAMES, &[], |d| rename(d, "/sizes/0", "x y")),
    ("a tensor with a number for a name", NAMES, &[], |d| rename(d, "/tensors/0/name", "1e5")),
    ("a reserved name", NAMES, &[], |d| rename(d, "/tensors/0/name", "where")),
    ("the name of a type", NAMES, &[], |d| rename(d, "/sizes/0", "float")),
    ("a tensor that no statement defines", NAMES, &[], |d| {
        let tensor = json!({ "name": "Z", "type": "real", "ranges": [[e(0, &[]), e(-5, &[])]], "origin": "statement" });
        push(d, "/tensors", tensor);
    }),
    ("a tensor that no statement accumulates", NAMES, &[], |d| {
        put(d, "/tensors/0/origin", json!("accumulated"));
    }),
    ("a gather at an index expression", GATHER, &[], |d| {
        let values = d["program"]["values"].as_array_mut().unwrap();
        let gather = values.iter().position(|value| value["node"].get("gather").is_some()).unwrap();
        values[gather - 1]["node"] = json!({ "index": e(100, &[('l', 0, 1)]) });
    }),
    ("a gather at a sum of indices", GATHER, &[], |d| {
        let values = d["program"]["values"].as_array_mut().unwrap();
        let gather = values.iter().position(|value| value["node"].get("gather").is_some()).unwrap();
        assert_eq!(values[gather - 1]["node"]["binary"], json!(["+", gather - 3, gather - 2]));
        values[gather - 3]["node"] = json!({ "number": "100" });
    }),
    ("an access that is no read", NAMES, &[], |d| {
        push(d, "/statements/0/accesses", json!({ "tensor": 0, "indices": [e(0, &[])] }));
        let steps = d["steps"].as_array_mut().unwrap();
        let bounds = |upper| json!({ "statement": 0, "access": 2, "dimension": 0, "upper": upper });
        // Before the last two steps.
        let ranges = steps.len() - 2;
        let mut made = Vec::new();
        for upper in [false, true] {
            made.push(
                json!({ "rule": "tc-access", "conclusion": { "bounds": bounds(upper) }, "premises": [] }),
            );
            made.push(json!({ "rule": "tc-follows", "conclusion": { "within": bounds(upper) }, "premises": [ranges + made.len() - 1] }));
        }
        steps.splice(ranges..ranges, made);
        let premises = steps[ranges + 4]["premises"].as_array_mut().unwrap();
        premises.extend([json!(ranges + 1), json!(ranges + 3)]);
        steps[ranges + 5]["premises"] = json!([ranges + 4]);
    }),
    ("an access that another statement reads", EXISTS, &[], |d| {
        let access = d["program"]["statements"][1]["accesses"][0].clone();
        put(d, "/statements/0/accesses/1", access);
        put(d, "/conditions", json!([e(-3, &[('s', 0, 1)])]));
        extent(d, 1, [e(0, &[]), e(-2, &[('s', 0, 1)])]);
    }),
    ("a typing with stores", SUM, &[], |d| {
        d["stores"] = json!([{ "tensor": 0, "elements": [1, 2, 3] }, { "tensor": 1, "elements": [99] }]);
    }),
];

/// **tc-access**, **tc-where**, **tc-round**, **tc-follows**, **tc-extent**, **tc-ranges**, **tc-ok**
#[test]
fn what_a_stranger_forged_is_refused() {
    let (mut accepted, mut unread) = (Vec::new(), Vec::new());
    for (name, source, sizes, forge) in FORGERIES {
        let program = Program::read(source).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let honest = match sizes {
            [] => derive_ranges(&program.typed),
            sizes => run(Rationals, &program, sizes, 3).unwrap(),
        };
        assert_eq!(faults(Rationals, &honest), [], "{name}");
        let mut forged = document(&honest);
        forge(&mut forged);
        assert_ne!(forged, document(&honest), "{name}");
        let Ok(derivation) = from_json(&forged.to_string()) else {
            unread.push(*name);
            continue;
        };
        let is_open = |fault: &DerivationFault| matches!(fault.reason, WrongStep::Undecided(_));
        if faults(Rationals, &derivation).iter().all(is_open) {
            accepted.push(*name);
        }
    }
    assert_eq!(accepted, Vec::<&str>::new());
    // These are no index expressions; the rules refuse all others.
    assert_eq!(unread, ["`where` from 5 to 3 + 0 * N", "`where` from 5 to 3 + N - N"]);
}
