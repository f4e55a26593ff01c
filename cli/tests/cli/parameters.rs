//! `--param`: programs with size parameters, through the real binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use expect_test::expect;
use serde_json::Value;

/// The declarations of both ways to write the trace of a product.
const TRACE: &str = "var input A : [n k] var input B : [k n] var output s : []\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder
        .write("p.rink", "var input A : [n 2]\nvar output x : [m]\nvar output y : [2 n]\ny = A ^ [1 2]\n")
        .write("ab.rink", format!("{TRACE} s = (A # B) . [2 3] . [1 2]"))
        .write("ba.rink", format!("{TRACE} s = (B # A) . [2 3] . [1 2]"))
        .write("square.rink", "var input A : [n n] var output s : [] s = A . [1 2]")
        .write("plain.rink", "var input A : [2] var output x : [2] x = A");
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn check_types_for_all_sizes() {
    let folder = folder("param_check");
    expect![[r#"
        A : [n 2] input
        x : [m] output
        y : [2 n] output
    "#]]
    .assert_eq(&folder.run("check p.rink").stdout);
    expect![[r#"
        {"ok":true,"types":{"A":["n",2],"x":["m"],"y":[2,"n"]},"warnings":[{"code":"A0001","line":2,"column":12,"message":"the output `x` is never assigned"}]}
    "#]]
    .assert_eq(&folder.accepted("check p.rink --json"));
    expect![[r#"
        {"ok":true,"types":{"A":[3,2],"x":[1],"y":[2,3]},"warnings":[{"code":"A0001","line":2,"column":12,"message":"the output `x` is never assigned"}]}
    "#]]
    .assert_eq(&folder.accepted("check p.rink --json --param n=3 --param m=1"));
    folder.refused(2, "R0013", "check p.rink --param n=3");
    folder.refused(2, "R0013", "check p.rink --analyze");
    assert_eq!(folder.run("check p.rink --analyze --param n=3 --param m=1").code, Some(0));
}

#[test]
fn errors_show_both_extents() {
    let folder = Folder::new("param_errors");
    folder.write("p.rink", "var A : [n 3]\nvar B : [3 n]\nvar n : []\nA = B\nA = k + A . [1 2]\n");
    let ran = folder.run("check p.rink --json");
    assert_eq!(ran.code, Some(2));
    expect![[r#"
        {"ok":false,"errors":[{"code":"R0009","line":1,"column":10,"message":"`n` is a variable, and cannot be an extent"},{"code":"R0003","line":4,"column":5,"message":"`A` has type [n 3], but the expression has type [3 n]"},{"code":"R0004","line":5,"column":5,"message":"`k` is not declared"}]}
    "#]]
    .assert_eq(&ran.stdout);
    let stderr = folder.refused(2, "R0009", "run p.rink --param n=3");
    assert!(
        stderr.contains("`n` is declared here") && stderr.contains("expected [n 3], found [3 n]"),
        "{stderr}"
    );
}

/// A program that is ill-formed for some sizes is ill-formed, whatever sizes are given.
#[test]
fn no_size_makes_a_program_well_formed() {
    let folder = Folder::new("param_ill");
    folder.write("p.rink", "var A : [n] var B : [m] A = B").write("q.rink", "var A : [n] var B : [3] A = B");
    folder.refused(2, "R0003", "run p.rink --param n=3 --param m=3");
    folder.refused(2, "R0003", "run q.rink --param n=3");
}

#[test]
fn run_and_derive_take_sizes() {
    let folder = folder("param_run");
    folder.write("a.json", r#"{"A": {"shape": [2, 2], "data": [1, 2, 3, 4]}}"#);
    assert_eq!(
        folder.accepted("run square.rink --input a.json --param n=2"),
        "A : [2 2]\n  1  2\n  3  4\ns : []\n  5\n"
    );
    folder.refused(2, "I0010", "run square.rink --input a.json --param n=3");
    let padded = json(&folder.accepted("run square.rink --input a.json --param n=2 --pad 3 --json"));
    assert_eq!(
        (&padded["store"]["A"]["shape"], &padded["store"]["s"]["data"]),
        (&json("[3, 3]"), &json("[5]"))
    );
    let tree = folder.accepted("derive square.rink --of evaluation --input a.json --param n=2 --format json");
    folder.write("t.json", tree);
    assert_eq!(folder.accepted("derive --check t.json"), "every step follows\n");
    assert!(folder.accepted("derive square.rink --param n=7").contains("Γ₂ ⊢ A : (7,7)"));
    folder.refused(2, "R0013", "derive square.rink");
    folder.refused(3, "L0001", "run square.rink --param n=5000");
    folder.refused(2, "R0008", "run square.rink --param n=4294967296");
}

#[test]
fn equiv_takes_the_same_sizes_for_both() {
    let folder = folder("param_equiv");
    let ran = folder.run("equiv ab.rink ba.rink --param n=2 --param k=3 --json");
    let verdict = json(&ran.stdout);
    assert_eq!((ran.code, verdict["verdict"].as_str()), (Some(0), Some("equivalent")));
    assert!(verdict["range"].as_str().unwrap().starts_with("n = 2, k = 3; "), "{verdict}");
    folder.write("left.rink", "var input A : [n n] var output C : [n n] C = A");
    folder.write("right.rink", "var input A : [n n] var output C : [n n] C = A ^ [1 2]");
    assert_eq!(folder.run("equiv left.rink right.rink --param n=1").code, Some(0));
    let ran = folder.run("equiv left.rink right.rink --param n=2 --json");
    let counterexample = &json(&ran.stdout)["counterexample"];
    assert_eq!((ran.code, &counterexample["parameters"]), (Some(1), &json(r#"{"n": 2}"#)));
    folder.write("inputs.json", counterexample["inputs"].to_string());
    folder.accepted("run left.rink --param n=2 --input inputs.json");
    assert!(folder.run("equiv left.rink right.rink --param n=2").stdout.contains("(n = 2; "), "the range");
}

/// A program with a number and a program with a size parameter have the same declarations at that number.
#[test]
fn equiv_compares_instances() {
    let folder = Folder::new("param_instances");
    folder
        .write("n.rink", "var input A : [n] var output x : [n] x = A")
        .write("two.rink", "var input A : [2] var output x : [2] x = A");
    assert_eq!(folder.run("equiv n.rink two.rink --param n=2").code, Some(0));
    let stderr = folder.refused(2, "I0018", "equiv n.rink two.rink --param n=3");
    assert!(stderr.contains("`A` has type [3] in the first program and [2] in the second"), "{stderr}");
    folder.write("m.rink", "var input A : [m] var output x : [m] x = A");
    assert_eq!(folder.run("equiv n.rink m.rink --param n=2 --param m=2").code, Some(0));
    let stderr = folder.refused(2, "I0018", "equiv two.rink m.rink");
    assert!(stderr.contains("`A` has type [2] in the first program and [m] in the second"), "{stderr}");
    let stderr = folder.refused(2, "I0018", "equiv n.rink m.rink");
    assert!(stderr.contains("`A` has type [n] in the first program and [m] in the second"), "{stderr}");
}

#[test]
fn simulate_takes_sizes() {
    let folder = Folder::new("param_simulate");
    folder.write("p.rink", "var s : [] var v : [n] v = s * v").write("M.rink", "var input v : [M] v = v");
    let ran = folder.run("simulate p.rink --param n=3 --pad 2 --json");
    let verdict = json(&ran.stdout);
    assert_eq!(ran.code, Some(1));
    assert!(verdict["range"].as_str().unwrap().starts_with("n = 3; M = 2; "), "{verdict}");
    assert_eq!(verdict["counterexample"]["parameters"], json(r#"{"n": 3, "M": 2}"#));
    assert_eq!(folder.run("simulate p.rink --param n=4 --pad 2").code, Some(0), "nothing is padded");
    assert!(
        folder.run("simulate p.rink --param n=3").stdout.contains("(n = 3; M = 1 to 4; "),
        "{}",
        ran.stdout
    );
    folder.refused(2, "R0013", "simulate p.rink");
    folder.refused(2, "U0001", "simulate M.rink --param M=2");
}

#[test]
fn values_that_are_missing_or_wrong() {
    let folder = folder("param_wrong");
    expect![[r#"
        error[R0013]: the size parameters `m`, `n` have no values
         --> p.rink:1:16
          |
        1 | var input A : [n 2]
          |                ^ `n` is an extent here
        2 | var output x : [m]
          |                 - `m` is an extent here
          |
          = help: give sizes, such as `--param m=4 --param n=4`

    "#]]
    .assert_eq(&folder.refused(2, "R0013", "run p.rink"));
    let stderr = folder.refused(2, "R0013", "run p.rink --param n=1");
    assert!(
        stderr.contains("the size parameter `m` has no value") && stderr.contains("p.rink:2:17"),
        "{stderr}"
    );
    let stderr = folder.refused(2, "R0006", "run p.rink --param n=0 --param m=-1");
    assert!(stderr.contains("`m` is -1, `n` is 0, but a size is at least 1"), "{stderr}");
    let stderr = folder.refused(2, "I0020", "run p.rink --param n=1 --param m=1 --param k=1");
    assert!(
        stderr.contains("there is no size parameter `k`") && stderr.contains("known: `m`, `n`"),
        "{stderr}"
    );
    assert!(folder.refused(2, "I0020", "run plain.rink --param n=1").contains("all extents are numbers"));
    folder.refused(2, "I0020", "run p.rink --param A=1 --param n=1 --param m=1");
    for wrong in ["n", "=1", "n=", "n=x", "n=1.5", "n=9223372036854775808", "n==1"] {
        folder.refused(2, "U0001", &format!("run p.rink --param {wrong}"));
    }
    let stderr = folder.refused(2, "U0001", "run p.rink --param n=1 --param n=1");
    assert!(stderr.contains("more than one value for `n`"), "{stderr}");
}

/// The example with size parameters equals the example with numbers, at these numbers.
#[test]
fn the_example() {
    let example = |name: &str| examples().join(name).display().to_string();
    let (symbolic, plain) = (example("matrix-product-symbolic.rink"), example("matrix-product-equal-a.rink"));
    let folder = Folder::new("param_example");
    assert_eq!(
        folder.run(&format!("equiv {symbolic} {plain} --param n=2 --param k=3 --param m=2")).code,
        Some(0)
    );
    let input = example("figure-4-small.json");
    let sizes = "--param n=2 --param k=3 --param m=2";
    assert_eq!(
        folder.accepted(&format!("run {symbolic} {sizes} --input {input}")),
        folder.accepted(&format!("run {plain} --input {input}"))
    );
}

/// A variable that only one of the programs reads must still be declared in both.
#[test]
fn what_only_one_program_reads_is_declared_in_both() {
    let folder = Folder::new("param_unread");
    let program = |sum: &str, n: &str| {
        format!("var input a : [{n}] var input b : [{n}] var output r : [{n}] r = {sum}")
    };
    folder.write("b.rink", program("b", "n")).write("more.rink", program("b + (a - a)", "n"));
    folder.write("b2.rink", program("b", "2")).write("more2.rink", program("b + (a - a)", "2"));
    let accepted = |command: &str| folder.run(command).code == Some(0);
    assert!(accepted("equiv b.rink more.rink") && accepted("equiv more.rink b.rink"));
    assert!(accepted("equiv b2.rink more2.rink --certificate c.json") && accepted("certify c.json"));
    folder.write("other.rink", program("b + a", "n"));
    assert_eq!(folder.run("equiv b.rink other.rink").code, Some(1));
    folder.write("types.rink", program("b", "n").replace("a : [n]", "a : [n n]"));
    let stderr = folder.refused(2, "I0018", "equiv types.rink more.rink");
    assert!(stderr.contains("`a` has type [n n] in the first program and [n] in the second"), "{stderr}");
}
