//! Pairs of programs and certificates that once got wrong verdicts (`cases/soundness`), with the right ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::Folder;
use serde_json::Value;

fn case(name: &str) -> String {
    format!("{}/tests/cases/soundness/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(folder: &Folder, command: &str) -> (Option<i32>, Value) {
    let ran = folder.run(&format!("{command} --json"));
    (ran.code, serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr)))
}

/// An output whose elements depend on a parameter is compared at all of its elements.
#[test]
fn elements_that_only_some_sizes_have_are_compared() {
    let folder = Folder::new("soundness");
    let pairs = [
        ("prefix-sums", "prefix-differences"),
        ("maximum", "minimum"),
        ("declared-anyway-a", "declared-anyway-b"),
    ];
    for (a, b) in pairs {
        let [a, b] = [a, b].map(|name| case(&format!("{name}.alpha")));
        for command in [format!("equiv {a} {b}"), format!("equiv {b} {a}")] {
            let (code, answer) = json(&folder, &command);
            assert_eq!((code, &answer["verdict"]), (Some(1), &"different".into()), "{command}");
            assert!(!answer["counterexample"].is_null(), "{command}");
        }
    }
    let (code, answer) = json(&folder, &format!("equiv {0} {0}", case("prefix-sums.alpha")));
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    assert!(answer["run"]["counted"].as_u64().unwrap() >= 20);
}

#[test]
fn forged_certificates_are_refused() {
    let folder = Folder::new("forged");
    for name in ["forge_by_element.json", "forge_law.json", "forge_given.json", "forge_locals.json"] {
        let ran = folder.run(&format!("certify {}", case(name)));
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stdout);
        assert!(ran.stdout.starts_with("refused: "), "{name}: {}", ran.stdout);
    }
}

const HALF: &str = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=N } of real)
  returns (y : { i | 0<=i<=N } of real);
let y[i] = x[i]; tel;";

/// A difference in the programs' interfaces is an error, in both orders.
#[test]
fn programs_with_other_interfaces_are_refused() {
    let folder = Folder::new("interfaces");
    folder.write("a.alpha", HALF);
    let others = [
        ("sizes", HALF.replace("N>=1", "N>=0"), "allows N = 0"),
        (
            "elements",
            HALF.replace("y : { i | 0<=i<=N }", "y : { i | 0<=i<=N-1 }"),
            "the element [1] of the output `y`",
        ),
        ("input", HALF.replace("of real)\n", "of real; z : real)\n"), "has the input `z`"),
        (
            "output",
            HALF.replace("returns (y", "returns (z : real; y").replace("let ", "let z = 1.0; "),
            "has the output `z`",
        ),
        (
            "type",
            HALF.replace("y : { i | 0<=i<=N } of real", "y : { i | 0<=i<=N } of integer")
                .replace("x[i];", "1[];"),
            "`y` is",
        ),
        (
            "parameter",
            HALF.replace("N : { N | N>=1 }", "N, M : { N,M | N>=1 }"),
            "the size parameters `N`, `M`",
        ),
    ];
    for (name, text, said) in others {
        let file = format!("{name}.alpha");
        folder.write(&file, &text);
        for command in [format!("equiv a.alpha {file}"), format!("equiv {file} a.alpha")] {
            let ran = folder.run(&command);
            assert_eq!(ran.code, Some(2), "{command}: {} {}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains("I0018") && ran.stderr.contains(said), "{command}: {}", ran.stderr);
        }
    }
    let ran = folder.run("equiv a.alpha sizes.alpha --where N>=1");
    assert_eq!(ran.code, Some(0), "{} {}", ran.stdout, ran.stderr);
}

/// The languages define `/` differently: no verdict takes one definition for the other.
#[test]
fn programs_of_two_languages_that_divide_need_one_division() {
    let folder = Folder::new("divisions");
    let rink = "var input a : [n]  var input b : [n]  var output y : [n]  y = a / b";
    let alpha = "system m (n : { n | n>=1 } parameter; a, b : { i | 1<=i<=n } of real) returns (y : { i | 1<=i<=n } of real);
let y[i] = a[i] / b[i]; tel;";
    folder.write("m.rink", rink).write("m.alpha", alpha);
    for command in ["equiv m.rink m.alpha", "equiv m.alpha m.rink"] {
        folder.refused(2, "U0001", command);
        let (code, answer) = json(&folder, &format!("{command} --division controlled"));
        assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
        assert!(answer["range"].as_str().unwrap().ends_with("with controlled division"), "{answer}");
    }
    // If only one program divides, it divides as its language does.
    folder.write("s.rink", "var input a : [n]  var input b : [n]  var output y : [n]  y = a / a * b");
    folder.write("s.alpha", alpha.replace("a[i] / b[i]", "b[i]"));
    let (_, answer) = json(&folder, "equiv s.rink s.alpha");
    assert_ne!(answer["verdict"], "equivalent", "{answer}");
    let (_, answer) = json(&folder, "equiv s.alpha s.rink");
    assert_ne!(answer["verdict"], "equivalent", "{answer}");
}

/// A function has its declared type when it is run, whatever its name.
#[test]
fn functions_of_truths_and_integers_are_run() {
    let folder = Folder::new("functions-of-truths");
    let (code, answer) = json(&folder, &format!("verify {}", case("functions-of-truths.rules")));
    assert_eq!(code, Some(3), "{answer:#}");
    let proved = ["any-reversed", "not-both", "any-joined"];
    for rule in answer.as_array().unwrap() {
        let name = rule["rule"].as_str().unwrap();
        let open = rule["open"].as_str().unwrap_or_default();
        assert!(rule["counterexample"].is_null() && !open.contains("contradiction"), "{rule:#}");
        assert_eq!(rule["verdict"] == "equivalent", proved.contains(&name), "{name}");
        assert!(
            rule["verdict"] != "equivalent" || rule["run"]["counted"].as_u64() >= Some(20),
            "{name}: {}",
            rule["run"]
        );
    }
}

/// A comparison with a function's value may be undefined, like the value itself.
#[test]
fn truths_about_functions_may_be_undefined() {
    let folder = Folder::new("truths-of-functions");
    let path = format!("{}/../rules/library/functions.rules", env!("CARGO_MANIFEST_DIR"));
    folder.write("functions.rules", std::fs::read_to_string(path).unwrap());
    folder.write(
        "r.rules",
        "import \"functions.rules\"
rule positive tensors a by exp_positive(a) left exp(a) > 0 right true undefined refines\n",
    );
    let (_, answer) = json(&folder, "verify r.rules");
    let rule = &answer[0];
    assert_eq!(
        (&rule["domains"]["rational"], &rule["undefined"]["rational"]),
        (&"equivalent".into(), &"refines".into()),
        "{rule:#}"
    );
}

/// A rule that is vacuous for one choice is refuted by another.
#[test]
fn what_is_vacuous_for_one_choice_is_refuted_for_another() {
    let folder = Folder::new("vacuous-choice");
    folder.write(
        "r.rules",
        "rule false-from-one for r in 0..2 sizes N[r] tensors A[N] where any(k < r : N.k >= 2) left A right A + 1
rule true-from-one for r in 0..2 sizes N[r] tensors A[N] where any(k < r : N.k >= 2) left A right A + 0\n",
    );
    let (code, answer) = json(&folder, "verify r.rules");
    assert_eq!(code, Some(1), "{answer:#}");
    assert_eq!((&answer[0]["verdict"], &answer[0]["vacuous"]), (&"different".into(), &false.into()));
    assert!(!answer[0]["counterexample"].is_null());
    assert_eq!(answer[1]["vacuous"], true);
    assert_eq!((&answer[1]["verdict"], &answer[1]["domains"]), (&"unknown".into(), &serde_json::json!({})));
    assert_eq!(answer[1]["open"], "no sizes satisfy the conditions, for r = 0");
}

/// An input that falsifies a law of the file is not a counterexample: the law is assumed to hold.
#[test]
fn counterexamples_obey_the_laws_of_the_file() {
    let folder = Folder::new("laws-obeyed");
    folder.write(
        "r.rules",
        "law swapped(x[N..], y[N..]) is x - y = y - x
law absurd(x[N..]) is x = x + 1
rule by-swapped tensors x, y by swapped(x, y) left x - y right y - x
rule by-absurd tensors x by absurd(x) left x * 2 right x * 3
function f(real) : real
law odd(x[N..]) is f(0 - x) = 0 - f(x)
law above(x[N..]) is f(x) > 0
rule of-no-function tensors a by odd(0), above(0) left a right a + 1\n",
    );
    let (code, answer) = json(&folder, "verify r.rules");
    assert_eq!(code, Some(3), "{answer:#}");
    for rule in answer.as_array().unwrap() {
        assert_eq!(rule["open"], "the laws contradict each other in `rational`", "{rule:#}");
    }
}

/// The work of elaboration is bounded, not only its result.
#[test]
fn operators_that_double_what_is_elaborated_are_refused() {
    let folder = Folder::new("doubling");
    let mut text = "define f0(x[N..]) is x\n".to_owned();
    for k in 1..40 {
        text += &format!("define f{k}(x[N..]) is f{0}(x) + f{0}(x + 1)\n", k - 1);
    }
    folder.write("r.rules", text + "rule doubling sizes n tensors x[n] left f39(x) right x\n");
    let ran = folder.run("verify r.rules");
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("operators are applied more than"), "{}", ran.stderr);
}

/// 19 squarings make a number that is too long for exact arithmetic, which goes on with 0: no verdict rests on that.
#[test]
fn numbers_that_are_too_long_refute_nothing() {
    let folder = Folder::new("too-long");
    for language in ["alpha", "rink"] {
        let [a, b] = ["a", "b"].map(|side| case(&format!("too-long-{side}.{language}")));
        let (code, answer) = json(&folder, &format!("equiv {a} {b} --values integer"));
        assert_eq!((code, &answer["verdict"]), (Some(3), &"unknown".into()), "{language}: {answer}");
        assert!(answer["counterexample"].is_null(), "{language}: {answer}");
    }
}

/// The condition that a value is defined names each input once, however often the value is added to itself.
#[test]
fn shared_values_are_asked_of_the_solver_once() {
    let folder = Folder::new("shared");
    let [a, b] = ["doublings", "doubled"].map(|name| case(&format!("{name}.alpha")));
    let (code, answer) = json(&folder, &format!("equiv {a} {b} --values rational"));
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()), "{answer}");
}
