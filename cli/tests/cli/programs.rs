//! `equiv` for all sizes: systems of ALPHA, programs with size parameters, recurrences, certificates.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::Folder;
use serde_json::{Value, json as object};

const DOT: &str =
    "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
let c = reduce(+, (k->), a.(k->k) * b.(k->k)); tel;";
const SPLIT: &str = "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
let c = reduce(+, (k->), {k | 1<=k<=M} : b.(k->k) * a.(k->k)) + reduce(+, (k->), {k | M<k<=N} : a.(k->k) * b.(k->k)); tel;";
const PREFIX: &str = "system prefix (N : { N | N>=1 } parameter; a : { i | 1<=i<=N } of real) returns (s : { i | 0<=i<=N } of real);
var X : { i | 0<=i<=N } of real;
let X[i] = case {i=0} : 0.0[]; {i>0} : X[i-1] + a[i]; esac; s[i] = X[i]; tel;";
const SUMS: &str = "system prefix (N : { N | N>=1 } parameter; a : { i | 1<=i<=N } of real) returns (s : { i | 0<=i<=N } of real);
let s[i] = reduce(+, (i,k->i), {0<=i<=N}, {1<=k<=i} : a[k]); tel;";

/// Horner's scheme with explicit powers.
const POWERS: &str = "system prefix (N : { N | N>=1 } parameter; a : { i | 1<=i<=N } of real) returns (s : { i | 0<=i<=N } of real);
var P : { i | 0<=i<=N } of real;
let P[i] = case {i=0} : 1.0[]; {i>0} : 2.0[] * P[i-1]; esac;
s = case {i | i=0} : 0.0.(i->); {i | i>0} : reduce(+, (i,k->i), {i,k | 1<=k<=i} : a.(i,k->k) * P.(i,k->i-k)); esac; tel;";

fn json(folder: &Folder, command: &str) -> (Option<i32>, Value) {
    let ran = folder.run(&format!("{command} --json"));
    (ran.code, serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr)))
}

#[test]
fn systems_are_proved_for_all_parameters() {
    let folder = Folder::new("systems");
    folder.write("dot.alpha", DOT);
    folder.write("split.alpha", SPLIT);
    let (code, answer) = json(&folder, "equiv dot.alpha split.alpha --certificate c.json");
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    assert_eq!(answer["domains"]["i32"], "equivalent");
    assert_eq!(answer["domains"]["f32"], "different");
    let said = folder.accepted("certify c.json");
    assert!(said.starts_with("that split.alpha is dot.alpha holds:"), "{said}");
    let certificate = std::fs::read_to_string(folder.path("c.json")).unwrap();
    folder.write("other.json", certificate.replace("M<k<=N", "M<=k<=N"));
    assert_eq!(folder.run("certify other.json").code, Some(1));
    // Ill-formed: the second sum has no term for M = N.
    folder.write("ill.json", certificate.replace("1<=M<N", "1<=M<=N"));
    folder.refused(2, "P0011", "certify ill.json");
    folder.write("wrong.alpha", SPLIT.replace("M<k<=N", "M<=k<=N"));
    let (code, answer) = json(&folder, "equiv dot.alpha wrong.alpha");
    assert_eq!((code, &answer["verdict"]), (Some(1), &"different".into()));
    assert_eq!(answer["counterexample"]["inputs"]["a"]["origin"], serde_json::json!([1]));
    assert_eq!(answer["counterexample"]["parameters"], serde_json::json!({"M": 1, "N": 2}));
}

#[test]
fn recurrences_are_proved_by_induction_and_refuted_at_small_sizes() {
    let folder = Folder::new("recurrences");
    folder.write("prefix.alpha", PREFIX);
    folder.write("swapped.alpha", PREFIX.replace("X[i-1] + a[i]", "a[i] + X[i-1]"));
    folder.write("minus.alpha", PREFIX.replace("X[i-1] + a[i]", "a[i] - X[i-1]"));
    folder.write("sums.alpha", SUMS);
    let (code, answer) = json(&folder, "equiv prefix.alpha swapped.alpha --values all --certificate c.json");
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    folder.accepted("certify c.json");
    let (code, answer) = json(&folder, "equiv prefix.alpha minus.alpha");
    assert_eq!((code, &answer["verdict"]), (Some(1), &"different".into()));
    assert_eq!(answer["counterexample"]["at"], object!({ "variable": "s", "index": [2] }));
    assert_eq!(answer["run"]["counterexamples"], 14);
    // The chain of the certificate turns a recurrence into a reduction.
    let (code, answer) = json(&folder, "equiv prefix.alpha sums.alpha --certificate d.json");
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    folder.accepted("certify d.json");
    // The output for several certificates has everything that the output for one has.
    let said = folder.accepted("certify c.json d.json");
    assert_eq!(said.matches("; range: all sizes that the first program allows").count(), 2, "{said}");
    // At given sizes recurrences are unrolled; in general, a recurrence of one system is not a recurrence of the
    // other.
    folder.write("twice.alpha", PREFIX.replace("X[i-1] + a[i]", "2.0[] * X[i-1] + a[i]"));
    folder.write("powers.alpha", POWERS);
    let (code, answer) = json(&folder, "equiv twice.alpha powers.alpha");
    assert_eq!((code, &answer["verdict"]), (Some(3), &"unknown".into()));
    assert!(answer["open"].as_str().unwrap().contains("the recurrences of one system"));
    let (code, answer) = json(&folder, "equiv twice.alpha powers.alpha --param N=6 --certificate e.json");
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    folder.accepted("certify e.json");
    // The assumption of the induction must not be taken as proved.
    folder.write("one.alpha", PREFIX.replace("X[i-1] + a[i]", "X[i-1] * 1.0[]"));
    folder.write(
        "two.alpha",
        PREFIX.replace("X[i-1] + a[i]", "X[i-1] * 1.0[]").replace("{i=0} : 0.0[]", "{i=0} : 1.0[]"),
    );
    assert_eq!(json(&folder, "equiv one.alpha two.alpha").1["verdict"], "different");
}

#[test]
fn parameters_are_restricted_and_locals_compared() {
    let folder = Folder::new("where");
    let figures =
        [2, 3].map(|k| format!("{}/../examples/convolution-figure-{k}.alpha", env!("CARGO_MANIFEST_DIR")));
    let equiv = format!("equiv {}", figures.join(" "));
    // Figure 2 has no value for N = 0; for all other N it equals figure 3.
    let ran = folder.run(&equiv);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("where N=0"), "{}", ran.stderr);
    let (code, answer) = json(&folder, &format!("{equiv} --where N>=1 --certificate c.json"));
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    assert!(answer["range"].as_str().unwrap().contains("N>=1"));
    folder.accepted("certify c.json");
    assert_eq!(folder.run(&format!("{equiv} --where M>=1")).code, Some(2));
    // Programs with equal outputs may differ in between.
    folder.write("prefix.alpha", PREFIX);
    folder.write(
        "later.alpha",
        PREFIX.replace("{i=0} : 0.0[]", "{i=0} : 1.0[]").replace("s[i] = X[i]", "s[i] = X[i] - 1.0[]"),
    );
    assert_eq!(json(&folder, "equiv prefix.alpha later.alpha").1["verdict"], "equivalent");
    let (code, answer) = json(&folder, "equiv prefix.alpha later.alpha --locals");
    let at = object!({ "variable": "X", "index": [0] });
    assert_eq!((code, &answer["counterexample"]["at"]), (Some(1), &at));
}

#[test]
fn programs_with_size_parameters_are_proved_for_all_sizes() {
    let folder = Folder::new("sizes");
    let product = "var input A : [n k]  var input B : [k m]  var output C : [n m]  ";
    folder.write("a.rink", format!("{product} C = (A # B) . [2 3]"));
    folder.write("b.rink", format!("{product} C = (B # A) . [1 4] ^ [1 2]"));
    folder.write("c.rink", format!("{product} C = ((A # B) . [2 3]) + ((A # B) . [2 3])"));
    let (code, answer) = json(&folder, "equiv a.rink b.rink");
    assert_eq!((code, &answer["verdict"]), (Some(0), &"equivalent".into()));
    assert_eq!(answer["laws"], serde_json::json!(["mul-commutative"]));
    assert_eq!(answer["domains"]["f64"], "equivalent");
    let (code, answer) = json(&folder, "equiv a.rink c.rink");
    assert_eq!((code, &answer["verdict"]), (Some(1), &"different".into()));
    // A variable that is not declared as input may be undefined: x - x refines nothing but 0.
    folder.write("d.rink", "var x : [n]  var output y : [n]  y = x - x");
    folder.write("e.rink", "var x : [n]  var output y : [n]  y = (x - x) + (x - x)");
    assert_eq!(json(&folder, "equiv d.rink e.rink").1["verdict"], "equivalent");
    // Controlled division is not multiplication by a reciprocal.
    let quotients = "var input a : [n]  var input b : [n]  var input s : []  var output y : [n]";
    folder.write("f.rink", format!("{quotients} y = (a + b) / s"));
    folder.write("g.rink", format!("{quotients} y = (a / s) + (b / s)"));
    let (_, controlled) = json(&folder, "equiv f.rink g.rink");
    assert_ne!(controlled["verdict"], "equivalent");
    let (_, extended) = json(&folder, "equiv f.rink g.rink --division extended");
    assert_eq!(extended["verdict"], "equivalent");
}

/// Regression tests for faults found in review: each pair was once wrongly called equivalent or different.
#[test]
fn what_was_once_wrong() {
    let folder = Folder::new("wrong");
    let sums = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<=9 } of integer) returns (y : { i | 0<=i<=N } of integer);
let y[i] = case {i=0} : x[0]; {i>=1} : y[i-1] + x[0]; esac; tel;";
    folder.write("a.alpha", sums);
    folder.write("b.alpha", sums.replace("0<=i<=N }", "0<=i<=N+2 }"));
    folder.refused(2, "I0018", "equiv a.alpha b.alpha --param N=3");
    folder.refused(2, "I0018", "equiv b.alpha a.alpha --param N=3");
    folder.refused(2, "I0020", "equiv a.alpha a.alpha --param Q=3");

    // A verdict over the integers says nothing about reals.
    let casts = "system s (x, z : real) returns (r : real); let r[] = real(integer(x) + integer(z)); tel;";
    folder.write("c.alpha", casts);
    folder.write("d.alpha", casts.replace("integer(x) + integer(z)", "integer(x + z)"));
    assert_ne!(json(&folder, "equiv c.alpha d.alpha").1["verdict"], "equivalent");
    assert_ne!(json(&folder, "equiv c.alpha d.alpha --values all").1["verdict"], "equivalent");

    // An input that is an index in one system only is a single input.
    let index = "system s (n : integer) returns (y, z : integer); let y[] = n[]; z[] = n[]; tel;";
    folder.write("e.alpha", index);
    folder.write("f.alpha", index.replace("z[] = n[]", "z[] = val[n]"));
    let (_, answer) = json(&folder, "equiv e.alpha f.alpha");
    assert_eq!(answer["verdict"], "unknown");
    assert!(answer["open"].as_str().unwrap().contains("an index in one system"), "{answer}");
}

#[test]
fn inputs_that_are_indices_are_inputs_of_counterexamples() {
    let folder = Folder::new("indices");
    let system = "system s (N : { N | N>=0 } parameter; n : integer; x : { i | 0<=i<=N } of integer)
      returns (y : { i | 0<=i<=N } of integer);
    let y[i] = case {0<=i+n<=N} : x[i+n]; ~ {0<=i+n<=N} : ELSE; esac; tel;";
    folder.write("zero.alpha", system.replace("ELSE", "0[]"));
    folder.write("first.alpha", system.replace("ELSE", "x[0]"));
    let (code, answer) = json(&folder, "equiv zero.alpha first.alpha");
    let found = &answer["counterexample"];
    assert_eq!((code, &answer["verdict"]), (Some(1), &"different".into()), "{answer}");
    assert!(found["parameters"]["N"].is_i64() && found["parameters"]["n"].is_null(), "{found}");
    assert!(
        found["inputs"]["n"]["shape"] == object!([]) && found["inputs"]["n"]["data"][0].is_i64(),
        "{found}"
    );
    assert_eq!(answer["run"]["counterexamples"], 6, "{answer}");
    // They differ for n = 0 and for n < 0; "where 1 <= n" would be a condition on an input.
    let signed = "system s (n : integer; x : integer) returns (y : integer);
    let y[] = case {n>=1} : x[]; {n<=0} : ELSE; esac; tel;";
    folder.write("same.alpha", signed.replace("ELSE", "x[]"));
    folder.write("twice.alpha", signed.replace("ELSE", "x[] + x[]"));
    let (code, answer) = json(&folder, "equiv same.alpha twice.alpha");
    assert_eq!((code, &answer["holds_where"]), (Some(1), &Value::Null), "{answer}");
}

/// A counterexample shows all of an input, even if only other indices bound an index: both programs can run on it.
#[test]
fn counterexamples_have_every_element_of_a_band() {
    let folder = Folder::new("band");
    let system = "system s (N : { N | N>=1 } parameter; x : { i,j | 0<=i<N; i<=j<=i+1 } of real)
      returns (y : { i | 0<=i<N } of real);
    let y[i] = case {i=0} : x[i,i] + x[i,i+1]; {i>=1} : WHAT; esac; tel;";
    folder.write("a.alpha", system.replace("WHAT", "x[i,i] + x[i,i+1]"));
    folder.write("b.alpha", system.replace("WHAT", "x[i,i+1]"));
    let (code, answer) = json(&folder, "equiv a.alpha b.alpha");
    let found = &answer["counterexample"];
    assert_eq!((code, &found["parameters"]), (Some(1), &object!({ "N": 2 })), "{answer}");
    folder.write("inputs.json", found["inputs"].to_string());
    for (file, side) in [("a.alpha", "left"), ("b.alpha", "right")] {
        let (_, ran) = json(&folder, &format!("run {file} --param N=2 --input inputs.json"));
        assert_eq!(ran["store"]["y"]["data"][1], found[side], "{ran}");
    }
}

/// For an input too large to write, the counterexample contains the elements that are read, and both programs run
/// on it.
#[test]
fn counterexamples_far_from_the_first_element_are_shown() {
    let folder = Folder::new("far");
    let system = "system s (N : { N | N>=0 } parameter; x : { i | 0<=i } of integer)
      returns (y : { i | 0<=i<=N } of integer);
    let y[i] = x[i+FAR]; tel;";
    folder.write("far.alpha", system.replace("FAR", "2147483648"));
    folder.write("near.alpha", system.replace("FAR", "0"));
    let (code, answer) = json(&folder, "equiv far.alpha near.alpha");
    let found = &answer["counterexample"];
    let [zero, one] = [(0, &found["right"]), (2_147_483_648_i64, &found["left"])]
        .map(|(at, value)| object!({ "at": [at], "value": value }));
    let shown = object!({ "shape": [2_147_483_649_i64], "elements": [zero, one] });
    assert_eq!((code, &found["inputs"]["x"]), (Some(1), &shown), "{answer}");
    assert_ne!(found["left"], found["right"]);
    assert!(answer["run"]["counterexamples"].as_u64() >= Some(3), "{answer}");
    let text = folder.run("equiv far.alpha near.alpha").stdout;
    assert!(text.contains("x = extents [2147483649]; the elements read: [0] = "), "{text}");
}

/// The reason for "unknown" is about the requested number systems, and nothing is called equal if nothing is
/// compared.
#[test]
fn the_reason_is_about_what_was_asked() {
    let folder = Folder::new("reasons");
    let system = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<N } of real) returns (y : { i | 0<=i<N } of real);
    let y[i] = WHAT; tel;";
    folder.write("twice.alpha", system.replace("WHAT", "x[i] + x[i]"));
    folder.write("double.alpha", system.replace("WHAT", "x[i] * 2.0[]"));
    folder.write("large.alpha", system.replace("WHAT", "x[i] max x[i]"));
    let open = |files: &str| json(&folder, &format!("equiv {files}")).1["open"].as_str().map(str::to_owned);
    let found = open("twice.alpha double.alpha --values f64").unwrap();
    assert!(found.starts_with("neither a proof nor a counterexample is found in `f"), "{found}");
    let missing = open("large.alpha large.alpha --values field");
    assert_eq!(missing.as_deref(), Some("the programs have no meaning in `field`"));
    let (code, answer) = json(&folder, "equiv twice.alpha double.alpha --where N>=2;N<=1");
    assert_eq!((code, &answer["open"]), (Some(3), &"no sizes satisfy the conditions".into()), "{answer}");
    assert_eq!((&answer["domains"]["rational"], &answer["vacuous"]), (&"unknown".into(), &true.into()));
}

#[test]
fn a_number_system_without_a_meaning_is_named() {
    let folder = Folder::new("no-meaning");
    let largest = "system s (N : { N | N>=0 } parameter; x : { i | 0<=i<=N } of real) returns (y : real);
    let y = reduce(max, (i->), x.(i->i)); tel;";
    folder.write("a.alpha", largest);
    folder.write("b.alpha", largest.replace("x.(i->i)", "x.(i->N-i)"));
    let (code, answer) = json(&folder, "equiv a.alpha b.alpha --values all");
    assert_eq!((code, &answer["domains"]["rational"]), (Some(3), &"equivalent".into()), "{answer}");
    assert_eq!(answer["open"], "the programs have no meaning in `field`");
}
