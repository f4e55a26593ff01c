//! `equiv`, `simulate`, `derive` and `theorems` through the real binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use serde_json::Value;
use std::process::Command;
use values::SystemName;

const PAIRS: [&str; 5] = ["matrix-product", "trace", "transposition", "interpolation", "inverse-helmholtz"];

fn pair(name: &str, kind: &str) -> String {
    let side = |side: &str| examples().join(format!("{name}-{kind}-{side}.rink")).display().to_string();
    format!("{} {}", side("a"), side("b"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn pairs_are_what_their_names_say() {
    let folder = Folder::new("pairs");
    for name in PAIRS {
        let equal = folder.run(&format!("equiv {} --json", pair(name, "equal")));
        let (code, equal) = (equal.code, json(&equal.stdout));
        assert_eq!(
            (code, &equal["verdict"], &equal["counterexample"]),
            (Some(0), &"equivalent".into(), &Value::Null)
        );
        for system in SystemName::JUDGED.map(SystemName::name) {
            assert!(equal["domains"][system].is_string(), "{equal}");
        }
        assert!(equal["seconds"].is_number() && equal["laws"].is_array() && equal["range"].is_string());
        let unequal = folder.run(&format!("equiv {} --json", pair(name, "unequal")));
        assert_eq!((unequal.code, json(&unequal.stdout)["verdict"].as_str()), (Some(1), Some("different")));
    }
}

/// `run` on the counterexample of a verdict shows the difference.
#[test]
fn counterexamples_are_shown_by_run() {
    let folder = Folder::new("rerun");
    for name in PAIRS {
        for values in SystemName::JUDGED.map(SystemName::name) {
            let ran = folder.run(&format!("equiv {} --values {values} --json", pair(name, "unequal")));
            let counterexample = &json(&ran.stdout)["counterexample"];
            folder.write("inputs.json", counterexample["inputs"].to_string());
            let element = |side: &str| {
                let file = examples().join(format!("{name}-unequal-{side}.rink"));
                let ran = folder.accepted(&format!(
                    "run {} --input inputs.json --values {values} --json",
                    file.display()
                ));
                let variable = counterexample["at"]["variable"].as_str().unwrap();
                element_at(&json(&ran)["store"][variable], &counterexample["at"]["index"])
            };
            let (left, right) = (element("a"), element("b"));
            assert_eq!(
                (&left, &right),
                (&counterexample["left"], &counterexample["right"]),
                "{name} {values}"
            );
            assert_ne!(left, right);
        }
    }
}

fn element_at(tensor: &Value, index: &Value) -> Value {
    let numbers =
        |value: &Value| value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect::<Vec<_>>();
    let (shape, index) = (numbers(&tensor["shape"]), numbers(index));
    let offset = shape.iter().zip(&index).fold(0, |offset, (extent, i)| offset * extent + i - 1);
    tensor["data"][offset as usize].clone()
}

#[test]
fn refinement_counts_only_when_asked_for() {
    let folder = Folder::new("refines");
    folder
        .write("a.rink", "var a : [] var x : [] x = (a / a) * a")
        .write("b.rink", "var a : [] var x : [] x = a");
    let ran = folder.run("equiv a.rink b.rink --division extended --json");
    assert_eq!(
        (ran.code, json(&ran.stdout)["verdict"].as_str()),
        (Some(1), Some("refines")),
        "{}",
        ran.stdout
    );
    assert_eq!(folder.run("equiv a.rink b.rink --division extended --refines").code, Some(0));
    let ran = folder.run("equiv b.rink a.rink --division extended --refines --json");
    assert_eq!((ran.code, json(&ran.stdout)["verdict"].as_str()), (Some(1), Some("different")));
}

#[test]
fn all_is_the_weakest() {
    let folder = Folder::new("weakest");
    folder.write("a.rink", "var a : [] var b : [] var c : [] var x : [] x = a + b + c");
    folder.write("b.rink", "var a : [] var b : [] var c : [] var x : [] x = a + (b + c)");
    assert_eq!(folder.run("equiv a.rink b.rink").code, Some(0));
    let ran = folder.run("equiv a.rink b.rink --values all --json");
    assert_eq!((ran.code, json(&ran.stdout)["verdict"].as_str()), (Some(1), Some("different")));
    assert_eq!(json(&ran.stdout)["counterexample"]["values"], "f32");
    assert_eq!(folder.run("equiv a.rink a.rink --values all").code, Some(0));
}

#[test]
fn different_declarations_are_a_fault() {
    let folder = Folder::new("declarations");
    folder.write("a.rink", "var x : [2] var y : [2] x = y").write("b.rink", "var x : [2] var y : [3] x = x");
    let stderr = folder.refused(2, "I0018", "equiv a.rink b.rink --json");
    assert!(stderr.contains("`y` has type [2] in the first program and [3] in the second"), "{stderr}");
    folder.write("c.rink", "var x : [2]");
    assert!(
        folder
            .refused(2, "I0018", "equiv a.rink c.rink")
            .contains("`y` is declared in the first program only")
    );
    // An input that nothing reads is one all the same, in either language.
    let inputs = ["", "var input z : [2] "];
    for (name, input) in ["d", "e"].iter().zip(inputs) {
        let text = format!("{input}var input a : [2] var output x : [2] x = a");
        folder.write(&format!("{name}.rink"), &text);
        folder.write(&format!("{name}.alpha"), folder.accepted(&format!("lower {name}.rink")));
    }
    for (a, b) in [("d.rink", "e.rink"), ("d.rink", "e.alpha"), ("d.alpha", "e.rink")] {
        for (a, b) in [(a, b), (b, a)] {
            let stderr = folder.refused(2, "I0018", &format!("equiv {a} {b}"));
            assert!(stderr.contains("`z`"), "{a} {b}: {stderr}");
        }
        folder.accepted(&format!("equiv {a} {}", a.replace("rink", "alpha")));
        folder.accepted(&format!("equiv {} {b}", b.replace("alpha", "rink")));
    }
    folder.refused(2, "U0001", "equiv a.rink a.rink --values decimal");
    folder.refused(2, "I0001", "equiv a.rink missing.rink");
}

/// What is open is an element of an output, in the words of the first program.
#[test]
fn reasons_are_in_the_terms_of_the_program() {
    let folder = Folder::new("reasons");
    let program = |y: &str| format!("var input A : [n] var output y : [n] y = {y}");
    folder.write("a.rink", program("A / A")).write("b.rink", program("(A / A) * (A / A)"));
    let said = folder.accepted("equiv a.rink b.rink --explain");
    let reason = "no counterpart was found of this part of y[i1] in the first program: A[i1] / A[i1]";
    assert!(said.ends_with(&format!(": {reason}\n")), "{said}");
}

/// A counterexample leaves no input undefined that always has a value, even if others of the program may be.
#[test]
fn inputs_are_defined_where_they_are_declared() {
    let folder = Folder::new("declared-inputs");
    let program = |y: &str| format!("var input A : [2] var B : [2] var output y : [2] y = {y}");
    folder.write("a.rink", program("B")).write("b.rink", program("(A - A) + B"));
    folder.accepted("equiv a.rink b.rink");
    let ran = folder.run("equiv a.rink b.rink --certificate c.json");
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert!(ran.stdout.contains("`A` is an input that always has a value"), "{}", ran.stdout);
    // Nothing is said of inputs that cannot be, and the certificate holds all the same.
    let sum = |y: &str| format!("var input A : [n] var input B : [n] var output y : [n] y = {y}");
    folder.write("s.rink", sum("(A + B) - B")).write("t.rink", sum("A"));
    let said = folder.accepted("equiv s.rink t.rink --certificate s.json --explain");
    assert!(said.contains("\n  field      equivalent\nlaws that"), "{said}");
    assert!(!said.contains("open in") && !said.contains("withdrawn"), "{said}");
    folder.accepted("certify s.json --of s.rink t.rink");
    let json: Value = serde_json::from_str(&folder.accepted("equiv s.rink t.rink --json")).unwrap();
    let systems = json["counterexamples"].as_object().unwrap().keys();
    assert_eq!(systems.collect::<Vec<_>>(), ["f32", "f64"], "{json}");
    assert_eq!(json["reasons"], serde_json::json!({}), "{json}");
    // The other one may be undefined.
    folder.write("c.rink", program("A")).write("d.rink", program("A + (B - B)"));
    assert!(folder.run("equiv c.rink d.rink --certificate c.json").stdout.contains("  B from [1] = [•"));
}

#[test]
fn a_budget_that_runs_out_is_no_verdict() {
    let folder = Folder::new("budget");
    let sum = ["(a + b + c + d)"; 12].join(" * ");
    let declarations = "var a : [] var b : [] var c : [] var d : [] var x : []";
    folder.write("a.rink", format!("{declarations} x = {sum} + (a * b)"));
    folder.write("b.rink", format!("{declarations} x = (b * a) + ({sum})"));
    assert_eq!(folder.run("equiv a.rink b.rink").code, Some(0), "one commutation, nothing to expand");
    folder.write("c.rink", format!("{declarations} x = (b * a) + ({sum} * a)"));
    assert_eq!(folder.run("equiv a.rink c.rink").code, Some(1), "refuted without expanding anything");
    folder.write("big.rink", "var A : [5000 5000] var x : [] x = A . [1 2]");
    folder.refused(3, "L0001", "equiv big.rink big.rink");
}

#[test]
fn exponentially_many_terms_are_out_of_budget() {
    let folder = Folder::new("terms");
    let names: Vec<String> = (0..12).map(|at| format!("v{at}")).collect();
    let declarations: String = names.iter().map(|name| format!("var {name} : [] ")).collect();
    let power = vec![format!("({})", names.join(" + ")); 9].join(" * ");
    folder.write("a.rink", format!("{declarations} var x : [] x = ({power}) * (v0 + v1)"));
    folder.write("b.rink", format!("{declarations} var x : [] x = (({power}) * v0) + (({power}) * v1)"));
    let ran = folder.run("equiv a.rink b.rink --json");
    let verdict = json(&ran.stdout);
    assert_eq!((ran.code, verdict["verdict"].as_str()), (Some(3), Some("unknown")), "{}", ran.stdout);
    assert!(verdict["open"].as_str().unwrap().contains("a polynomial has more than"), "{verdict}");
}

/// A product of eight sums has thousands of terms that say what is read; their samples took 4 GB.
#[test]
fn squares_of_squares_of_sums() {
    let folder = Folder::new("squares");
    let system = |variables: &str, equations: &str| {
        format!(
            "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<N }} of real) returns (y : real);\n\
             var {variables} let s[] = reduce(+, (i->), x[i]); {equations} tel;"
        )
    };
    let squares = "t[] = s[] * s[]; u[] = t[] * t[]; y[] = u[] * u[];";
    folder.write("a.alpha", system("s : real; t : real; u : real;", squares));
    folder.write("b.alpha", system("s : real;", &format!("y[] = {};", ["s[]"; 8].join(" * "))));
    let limited = format!("ulimit -v 2000000; exec {} equiv a.alpha b.alpha", env!("CARGO_BIN_EXE_selfsame"));
    let ran = Command::new("sh").args(["-c", &limited]).current_dir(folder.path(".")).output().unwrap();
    assert!(ran.stdout.starts_with(b"equivalent"), "{ran:?}");
}

#[test]
fn padding_is_unsafe_where_an_undefined_factor_meets_it() {
    let folder = Folder::new("simulate");
    folder.write("p.rink", "var s : [] var v : [3] v = s * v");
    let ran = folder.run("simulate p.rink --pad 2 --json");
    let verdict = json(&ran.stdout);
    assert_eq!((ran.code, verdict["verdict"].as_str()), (Some(1), Some("different")));
    assert_eq!(verdict["in_range"]["rational"], "equivalent");
    assert_eq!(verdict["padding"]["rational"], "different");
    assert_eq!(verdict["counterexample"]["parameters"]["M"], 2);
    assert_eq!(verdict["counterexample"]["inputs"]["s"]["data"], json("[null]"));
    assert_eq!(verdict["counterexample"]["at"], json(r#"{"variable": "v", "index": [4]}"#));
    folder.write("q.rink", "var input s : [] var input v : [3] var output w : [3] w = s * v");
    let counterexamples = &verdict["counterexamples"];
    let systems = counterexamples.as_object().unwrap().keys();
    assert_eq!(systems.collect::<Vec<_>>(), ["rational", "integer", "i32", "i64", "f32", "f64", "field"]);
    let said = folder.run("simulate p.rink --pad 2 --explain").stdout;
    assert_eq!(
        said.matches("\nthe same counterexample in `integer`, `i32`, `i64`, `field`\n").count(),
        1,
        "{said}"
    );
    assert_eq!(said.matches("\ncounterexample in `f32`, `f64`: M = 2\n").count(), 1, "{said}");
    assert_eq!(folder.run("simulate q.rink").code, Some(0));
    assert_eq!(folder.run("simulate q.rink --values f32").code, Some(1), "0 · inf is nan");
    assert_eq!(folder.run("simulate p.rink --pad 1 --values all").code, Some(0));
    folder.refused(2, "U0001", "simulate p.rink --pad 0");
}

#[test]
fn derivations_are_built_and_checked() {
    let folder = Folder::new("derive");
    folder.write("p.rink", "var v : [2] var s : [] s = (v # v) . [1 2]");
    folder.write("v.json", r#"{"v": {"shape": [2], "data": [1, 2]}}"#);
    let text = folder.accepted("derive p.rink --of evaluation --input v.json");
    assert!(text.contains("eq-11") && text.contains("= 5"), "{text}");
    let tree = folder.accepted("derive p.rink --of evaluation --input v.json --format json --pad 4");
    folder.write("t.json", &tree).write("u.json", tree.replace("eq-11", "eq-12")).write("bad.json", "{}");
    assert_eq!(folder.accepted("derive --check t.json"), "every step follows\n");
    assert_eq!(folder.run("derive --check u.json").code, Some(1));
    folder.refused(2, "I0019", "derive --check bad.json");
    folder.write("w.json", tree.replace("\"rational\"", "\"decimal\""));
    folder.refused(3, "L0007", "derive --check w.json");
    assert!(folder.accepted("derive p.rink --format latex").contains("\\documentclass"));
    folder.refused(3, "L0006", "derive p.rink --budget 3");
    folder.refused(2, "U0001", "derive");
}

#[test]
fn theorems_are_the_ledger() {
    let folder = Folder::new("theorems");
    let ran = folder.run("theorems --only rink/decision-sum --json --report page");
    let entries = json(&ran.stdout);
    assert_eq!((ran.code, entries[0]["id"].as_str()), (Some(0), Some("rink/decision-sum")));
    assert_eq!(entries[0]["verdict"], "tested");
    assert!(std::fs::read_to_string(folder.path("page/index.html")).unwrap().contains("rink/decision-sum"));
    folder.refused(2, "U0001", "theorems --only rink/theorem-9");
}

/// With `--json`, a verdict that is undecided because a program is too large is still a document.
#[test]
fn a_verdict_about_too_much() {
    let folder = Folder::new("verdict_size");
    folder.write("a.rink", "var input A : [9 9] var output C : [9 9] C = A + A");
    for command in ["equiv a.rink a.rink", "simulate a.rink"] {
        let ran = folder.run(&format!("{command} --json --max-elements 80"));
        let verdict = json(&ran.stdout);
        assert_eq!((ran.code, verdict["verdict"].as_str()), (Some(3), Some("unknown")), "{}", ran.stdout);
        assert!(verdict["open"].as_str().unwrap().starts_with("L0001"), "{verdict}");
        assert!(verdict["seconds"].is_number(), "{verdict}");
    }
}

/// With `--json`, a verdict that was not reached in time is still a document.
#[test]
fn a_verdict_that_takes_too_long() {
    let folder = Folder::new("verdict_time");
    let declarations = "var input A : [96 96] var input B : [96 96] var output C : [96 96]";
    folder.write("a.rink", format!("{declarations} C = (A # B) . [2 3]"));
    folder.write("b.rink", format!("{declarations} C = (B # A) . [1 4] ^ [1 2]"));
    for command in ["equiv a.rink b.rink", "simulate a.rink"] {
        let ran = folder.run(&format!("{command} --json --timeout 0.1"));
        let verdict = json(&ran.stdout);
        assert_eq!((ran.code, verdict["verdict"].as_str()), (Some(3), Some("unknown")), "{}", ran.stdout);
        assert!(verdict["open"].as_str().unwrap().contains("time limit"), "{verdict}");
        assert_eq!(verdict["seconds"], 0.1, "{verdict}");
        assert!(ran.stderr.contains("L0003"), "{}", ran.stderr);
    }
}

/// `--explain` adds what the answer in one number system leaves out: where the sides differ in the others, and why.
#[test]
fn every_number_system_is_explained() {
    let folder = Folder::new("explain");
    let program = |right: &str| {
        format!(
            "var input A : [n] var input B : [n] var input C : [n] var output D : [n]
            D = {right}
"
        )
    };
    folder.write("a.rink", program("(A * B) + (A * C)")).write("b.rink", program("A * (B + C)"));
    for sizes in ["", " --param n=2"] {
        let plain = folder.accepted(&format!("equiv a.rink b.rink{sizes}"));
        let said = folder.accepted(&format!("equiv a.rink b.rink{sizes} --explain"));
        let more = said.strip_prefix(&plain).unwrap();
        assert!(!plain.contains("counterexample in") && more.contains("counterexample in `f32`"), "{said}");
    }
    let ran = folder.run("equiv a.rink b.rink --explain --values f32");
    assert_eq!(ran.stdout.matches("counterexample in `f32`").count(), 1, "{}", ran.stdout);
    assert_eq!(folder.run("equiv a.rink b.rink --explain --json").code, Some(2));
}

/// A decision about the elements and a proof for all sizes have the same form.
#[test]
fn both_ways_to_a_verdict_report_the_same() {
    let folder = Folder::new("one-verdict");
    let program = |right: &str| format!("var input A : [n] var output D : [n] D = {right}");
    folder.write("a.rink", program("A + A")).write("b.rink", program("A * A"));
    let [proof, elements] = ["", " --param n=2"].map(|sizes| {
        let equal = json(&folder.accepted(&format!("equiv a.rink a.rink{sizes} --json")));
        assert_eq!((&equal["vacuous"], &equal["defined"]), (&true.into(), &equal["domains"]), "{equal}");
        json(&folder.run(&format!("equiv a.rink b.rink{sizes} --json")).stdout)
    });
    let fields = |verdict: &Value| verdict.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(fields(&proof), fields(&elements));
    for (name, value) in [("verdict", "different"), ("domains", "different"), ("defined", "different")] {
        let said = |verdict: &Value| verdict[name].get("f32").unwrap_or(&verdict[name]).clone();
        assert_eq!([said(&proof), said(&elements)], [value, value], "{name}");
    }
}

/// A counterexample shows every term of a sum, or none: a sum of 961 terms was shown as `+ of nothing`.
#[test]
fn long_sums_are_not_shown_as_short_ones() {
    let folder = Folder::new("long-sums");
    let system = |more: &str| {
        format!(
            "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<=N }} of real) returns (y : real);
            let y[] = reduce(+, (i,j -> ), {{ i,j | 0<=i<=N; 0<=j<=N }} : x[i] * x[j]){more}; tel;"
        )
    };
    folder.write("a.alpha", system("")).write("b.alpha", system(" + 1.0"));
    let said = |size: u32| {
        let ran = folder.run(&format!("equiv a.alpha b.alpha --param N={size}"));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        ran.stdout
    };
    assert!(said(1).contains("y in the first program = 0 * 0 + 0 * 0 + 0 * 0 + 0 * 0 = 0"), "{}", said(1));
    let long = said(30);
    assert!(long.contains("y in the first program = ") && !long.contains("nothing"), "{long}");
}

/// What is left open is said in the names of the declarations, also of a second output whose indices have the same ones.
#[test]
fn what_is_open_is_said_in_the_names_of_the_program() {
    let folder = Folder::new("open-names");
    let system = |y: &str| {
        format!(
            "system s (N : {{ N | N>=1 }} parameter; x : {{ p | 0<=p<=2N-1 }} of real)
             returns (w, y : {{ p | 0<=p<=N-1 }} of real);
             var z : {{ p | 0<=p<=N-1 }} of real;
             let w[p] = x[p]; z[p] = max(x[2p], x[2p+1]); y[p] = {y}; tel;"
        )
    };
    folder.write("a.alpha", system("reduce(max, (p,k->p), { p,k | 0<=k<=2p+1 } : x.(p,k->k))")).write(
        "b.alpha",
        system("reduce(max, (p,k->p), { p,k | 0<=k<=p } : z.(p,k->k) + 0.0.(p,k->) * x.(p,k->k))"),
    );
    let open = json(&folder.run("equiv a.alpha b.alpha --values rational --json").stdout)["open"].to_string();
    assert!(open.contains("(max over k) x[k], where 0 <= k and k <= 2*p + 1"), "{open}");
}
