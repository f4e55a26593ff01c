//! Forged certificates, and the answers of `certify`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::{Folder, Ran};
use serde_json::{Value, json};

/// A certificate of the rule `r` without choices.
fn certificate(text: &str, systems: &[&str], proof: &Value) -> Value {
    let equivalent = ["equivalent", "unknown"];
    let relations: serde_json::Map<String, Value> =
        systems.iter().map(|system| ((*system).to_owned(), json!(equivalent))).collect();
    json!({
        "format": "selfsame-certificate", "version": 10,
        "subject": { "rule": { "file": "r.rules", "rule": "r", "files": { "r.rules": text } } },
        "relations": relations,
        "instances": [{ "choices": [], "proofs": [proof] }],
    })
}

/// A proof by the solver. Each element of `sides` lists the nodes that a side reads; the sides after the first two
/// are hypotheses, of which the first `given` are given.
fn solved(arithmetic: &str, given: usize, sides: &[&[u32]]) -> Value {
    let mut seen = Vec::new();
    let mut leaves = Vec::new();
    for (side, nodes) in sides.iter().enumerate() {
        for node in *nodes {
            let proof = if seen.contains(node) { json!("same") } else { Value::Null };
            seen.push(*node);
            leaves.push(json!({ "side": side, "node": node, "unknown": node, "proof": proof }));
        }
    }
    let given: Vec<Value> = (0..given).map(|k| json!({ "given": k, "at": [] })).collect();
    let strength = "defined";
    json!({ "scalars": { "arithmetic": arithmetic, "strength": strength, "given": given, "taken": [], "leaves": leaves } })
}

fn certify(folder: &Folder, certificate: &Value, options: &str) -> Ran {
    folder.write("c.json", certificate.to_string());
    folder.run(&format!("certify c.json {options}"))
}

#[track_caller]
fn says(certificate: &Value, code: i32, words: &str) {
    let ran = certify(&Folder::new("forged"), certificate, "");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(code), "{said}");
    assert!(said.contains(words), "{said}");
}

/// A certificate that `A` is `B` for scalars, by hypotheses that read these nodes (0 is `A`, 1 is `B`).
fn same(clauses: &str, hypotheses: &[&[u32]]) -> Value {
    same_in("rational", clauses, hypotheses)
}

fn same_in(system: &str, clauses: &str, hypotheses: &[&[u32]]) -> Value {
    let (declared, clauses) = clauses.split_once('|').unwrap_or(("", clauses));
    let text = format!("{declared} rule r \"\" tensors A[], B[] {clauses} left A right B");
    let sides: Vec<&[u32]> = [&[0][..], &[1]].into_iter().chain(hypotheses.iter().copied()).collect();
    let given = clauses.split_once("given ").map_or(0, |(_, given)| {
        given.split_once(" by ").map_or(given, |(given, _)| given).split(',').count()
    });
    certificate(&text, &[system], &solved(system, given, &sides))
}

#[test]
fn shipped_cases() {
    let forged = |name: &str| {
        let path = format!("{}/tests/forged/{name}.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str::<Value>(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    says(&forged("forge_law"), 1, "refused: the laws contradict each other in `rational`");
    says(&forged("forge_given"), 1, "refused: what is given contradicts itself in `rational`");
}

/// Contradictory hypotheses, alone or with laws.
#[test]
fn values_that_cannot_be() {
    let contradictory: [(&str, &[&[u32]]); 7] = [
        ("given A < B, B < A", &[&[0, 1], &[0, 1]]),
        ("given A > 0, A < 0", &[&[0], &[0]]),
        ("given A * A < 0", &[&[0]]),
        ("given A / (B - B) = A", &[&[0, 1]]),
        ("given A + 1 = A", &[&[0]]),
        ("given (A = B) xor (A = B)", &[&[0, 1]]),
        (
            "function f(real) : real law f_positive(x[]) is f(x) > 0 | given f(A) < 0 by f_positive(A)",
            &[&[0], &[0]],
        ),
    ];
    for (clauses, hypotheses) in contradictory {
        says(&same(clauses, hypotheses), 1, "refused: what is given ");
    }
    // The solution 1/2 is a rational number, but not an integer.
    says(
        &same_in("i32", "given A + A = 1", &[&[0]]),
        1,
        "refused: what is given contradicts itself in `i32`",
    );
    says(&same_in("integer", "given 0 < A, A < 1", &[&[0], &[0]]), 1, "contradicts itself in `integer`");
    // The hypothesis has a solution, but the proof does not prove the claim.
    says(&same("given A + A = 1", &[&[0]]), 1, "refused: the solver does not show it");
}

#[test]
fn sizes_that_cannot_be() {
    let conditions = [
        "sizes n where n < 0",
        "sizes n, m where n < m, m < n",
        "sizes n where n*n < n - 1",
        "integers k where 2*k = 1",
        "sizes n where n mod 2 = 0, n mod 4 = 1",
        "sizes n where 1 <= n, n div 2 > n",
    ];
    for condition in conditions {
        let text = format!("rule r \"\" {condition} tensors A[], B[] left A right B");
        says(&certificate(&text, &["rational"], &json!("absurd")), 1, "refused: vacuous");
    }
    let text = "rule r \"\" sizes n tensors A[n], B[n] where n = 0 left A right B";
    says(&certificate(text, &["rational"], &json!("absurd")), 1, "refused: vacuous");
}

#[test]
fn laws_that_contradict_each_other() {
    let f = "function f(real) : real law f_id(x[]) is f(x) = x law f_next(x[]) is f(x) = x + 1
             law f_any(x[], y[]) is f(x) = y law f_odd(x[]) is f(x) = f(x) + 1";
    let at_one = format!("{f} | by f_id(A), f_next(A)");
    says(&same(&at_one, &[&[0], &[0]]), 1, "refused: the laws contradict each other");
    says(&same(&format!("{f} | by f_odd(A)"), &[&[0]]), 1, "refused: the laws contradict each other");
    // The instances that the proof uses do not contradict each other, but those at other values do.
    says(
        &same(&format!("{f} | by f_any(A, A), f_any(A, B)"), &[&[0], &[0, 1]]),
        1,
        "the laws contradict each other",
    );
    let text =
        format!("{f} rule r \"\" tensors A[], B[] by f_id(A), f_next(B) left if A = B then 1 else 2 right 2");
    let hidden = certificate(&text, &["rational"], &solved("rational", 0, &[&[0, 1], &[], &[0], &[1]]));
    says(&hidden, 1, "refused: the laws contradict each other");
}

/// Three cubes with the sum 33 have 16 digits each: the search does not find them, and nothing shows that there
/// are none.
#[test]
fn hypotheses_that_nobody_meets() {
    let text = "rule r \"\" tensors A[], B[], C[] given A*A*A + B*B*B + C*C*C = 33 left A + B right B + A";
    let unmet = certificate(text, &["integer"], &json!({ "crosswise": ["same", "same"] }));
    says(&unmet, 3, "not decided: no input is known that meets the hypotheses in `integer`");
    let met = certificate(&text.replace("33", "36"), &["integer"], &json!({ "crosswise": ["same", "same"] }));
    says(&met, 0, "given: A*A*A + B*B*B + C*C*C = 36");
}

const EXP: &str = "function exp(real) : real
    law exp_sum(x[N..], y[N..]) # of two
      is exp( x + y )=exp(x) * exp(y) ";

#[test]
fn what_is_not_shipped_is_assumed() {
    let folder = Folder::new("assumed");
    let by = |law: &str, instance: &str, sides: &str| {
        let text = format!("{law} rule r \"\" tensors A[], B[] by {instance} {sides}");
        // Node 1 is `exp(A)`.
        let hypotheses: &[u32] = if instance.contains('B') { &[0, 2] } else { &[0] };
        let right: &[u32] = if sides.contains("right A") { &[0] } else { hypotheses };
        certificate(&text, &["rational"], &solved("rational", 0, &[hypotheses, right, hypotheses]))
    };
    // The shipped law, formatted differently.
    let shipped = by(EXP, "exp_sum(A, B)", "left exp(A) * exp(B) right exp(A + B)");
    let ran = certify(&folder, &shipped, "");
    assert_eq!((ran.code, ran.stdout.contains("assumed")), (Some(0), false), "{}", ran.stdout);
    assert!(ran.stdout.contains("laws of functions: exp_sum(A, B)"), "{}", ran.stdout);
    // Other laws of a function with that name, one under the name of a shipped law.
    let wrong = "function exp(real) : real law exp_id(x[]) is exp(x) = x";
    let wrong = by(wrong, "exp_id(A)", "left exp(A) right A");
    let linear = EXP.replace("exp(x) *", "exp(x) +");
    let linear = by(&linear, "exp_sum(A, B)", "left exp(A) + exp(B) right exp(A + B)");
    for (certificate, says) in [
        (wrong, "assumed: the law `exp_id` (not shipped)\n"),
        (linear, "assumed: the law `exp_sum` (not what is shipped under this name)\n"),
    ] {
        let ran = certify(&folder, &certificate, "");
        assert_eq!(ran.code, Some(3), "{} {}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with(says), "{}", ran.stdout);
        assert_eq!(certify(&folder, &certificate, "--assuming").code, Some(0));
        let entry: Value = serde_json::from_str(&certify(&folder, &certificate, "--json").stdout).unwrap();
        assert_eq!((&entry[0]["holds"], &entry[0]["undecided"]), (&json!(false), &json!(true)));
        assert_eq!(entry[0]["assumed"][0]["kind"], "law");
    }
}

#[test]
fn definitions_that_are_not_shipped_are_assumed() {
    let folder = Folder::new("defined");
    let rule = |name: &str| {
        format!("rule r \"\" sizes n tensors A[n], B[n] left {name}(A; 0) + B right B + {name}(A; 0)")
    };
    let activate = "define activate(x[N..]; activation) is [i < N] -> ";
    for (definition, name, word) in [
        ("define mine(x[N..]; a) is [i < N] -> x[i] + x[i]".to_owned(), "mine", "not shipped"),
        (format!("{activate}x[i]"), "activate", "not what is shipped under this name"),
    ] {
        folder.write("d.rules", format!("{definition} {}", rule(name)));
        assert_eq!(folder.run("verify d.rules --certificates out").code, Some(0));
        let ran = folder.run("certify out/d/r.json");
        let expected = format!("assumed: the definition `{name}` ({word})\n");
        assert_eq!(ran.code, Some(3), "{} {}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with(&expected), "{}", ran.stdout);
        assert_eq!(folder.run("certify out/d/r.json --assuming").code, Some(0));
    }
    // The shipped definition, and one that is not used.
    let same = format!("{activate} if activation = 0 then x[i] else max(x[i], 0)");
    folder.write("d.rules", format!("define unused(x[]) is x + 1 {same} {}", rule("activate")));
    assert_eq!(folder.run("verify d.rules --certificates out").code, Some(0));
    folder.accepted("certify out/d/r.json");
}

const DOT: &str =
    "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
let c = reduce(+, (k->), a.(k->k) * b.(k->k)); tel;";
const SPLIT: &str = "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
let c = reduce(+, (k->), {k | 1<=k<=M} : b.(k->k) * a.(k->k)) + reduce(+, (k->), {k | M<k<=N} : a.(k->k) * b.(k->k)); tel;";

/// A certificate of two programs, and a folder with both.
fn of_programs() -> (Folder, Value) {
    let folder = Folder::new("programs");
    folder.write("a.alpha", DOT).write("b.alpha", SPLIT);
    assert_eq!(folder.run("equiv a.alpha b.alpha --certificate c.json").code, Some(0));
    let text = std::fs::read_to_string(folder.path("c.json")).unwrap();
    (folder, serde_json::from_str(&text).unwrap())
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).unwrap()
}

#[test]
fn certificates_of_other_programs() {
    let (folder, certificate) = of_programs();
    folder.write("other.alpha", format!("{SPLIT}\n"));
    let said = folder.accepted("certify c.json --of a.alpha b.alpha");
    assert!(said.contains("range: all sizes that the first program allows"), "{said}");
    assert!(said.contains("laws of arithmetic: add-associative"), "{said}");
    // `optimize` prints comments before the program that it certifies; elsewhere a comment is another text.
    folder.write("headed.alpha", format!("-- 3 operations\n--\n{}", read(&folder, "b.alpha")));
    folder.accepted("certify c.json --of a.alpha headed.alpha");
    folder.write("commented.alpha", read(&folder, "b.alpha").replacen(' ', " -- 3 operations\n", 1));
    for (of, which) in [
        ("b.alpha a.alpha", "first program"),
        ("a.alpha other.alpha", "last program"),
        ("a.alpha commented.alpha", "last program"),
        ("a.alpha a.alpha", "last program"),
    ] {
        let ran = folder.run(&format!("certify c.json --of {of}"));
        assert_eq!(ran.code, Some(1), "{} {}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.starts_with(&format!("refused: the {which} of the certificate, ")),
            "{}",
            ran.stdout
        );
    }
    folder.refused(2, "I0001", "certify c.json --of a.alpha missing.alpha");
    // One of the two `--of` would be ignored.
    assert_eq!(folder.run("certify c.json --of a.alpha a.alpha --of a.alpha b.alpha").code, Some(2));
    // The certificate of a rule has no programs.
    let shipped = certify(&folder, &same("given A < B, B < A", &[&[0, 1], &[0, 1]]), "--of a.alpha b.alpha");
    assert_eq!(shipped.code, Some(1));
    // Programs that were exchanged, or have another language.
    let mut swapped = certificate.clone();
    let programs = swapped["subject"]["programs"]["programs"].as_array_mut().unwrap();
    programs.swap(0, 1);
    says(&swapped, 1, "refused: ");
    let mut rink = certificate;
    rink["subject"]["programs"]["programs"][0]["language"] = json!("rink");
    says(&rink, 1, "refused: ");
}

#[test]
fn programs_that_are_ill_formed() {
    let (_, certificate) = of_programs();
    // A middle program of a chain, whose second sum has no term for M = 1.
    let text = DOT.replace("; tel", " + reduce(+, (k->), {k | 1<=k<M} : 0.0.(k->)); tel");
    let mut chain = certificate.clone();
    let programs = &mut chain["subject"]["programs"]["programs"];
    let middle = json!({ "name": "middle", "language": "alpha", "text": text });
    programs.as_array_mut().unwrap().insert(1, middle);
    chain["subject"]["programs"]["recurrences"] = json!(["unrolled", "unrolled"]);
    chain["instances"].as_array_mut().unwrap().insert(0, json!({ "choices": [], "proofs": ["same"] }));
    says(&chain, 2, "error[P0011]");
    // An ill-typed program, and a text that is not a program.
    for text in [DOT.replace("of real", "of boolean"), "nonsense".to_owned()] {
        let mut last = certificate.clone();
        last["subject"]["programs"]["programs"][1]["text"] = text.into();
        says(&last, 2, "error[P00");
    }
    // An element that depends on itself.
    let mut endless = certificate.clone();
    let text = DOT.replace("let c =", "var X : { k | 1<=k<=N } of real; let X[k] = X[k]; c = X.(->1) +");
    endless["subject"]["programs"]["programs"][1]["text"] = text.into();
    says(&endless, 2, "error[P0014]");
}

#[test]
fn parameters_that_are_not_allowed() {
    let (_, certificate) = of_programs();
    for (parameters, words) in [
        (json!({ "N": 1, "M": 5 }), "has no meaning for N = 1, M = 5"),
        (json!({ "N": 1 }), "refused: vacuous"),
        (json!({ "Q": 3 }), "no parameter `Q`"),
    ] {
        let mut forged = certificate.clone();
        forged["subject"]["programs"]["parameters"] = parameters;
        says(&forged, 1, words);
    }
}

/// Claims of more than is proved, missing instances, and repeated ones.
#[test]
fn claims_that_are_not_shown() {
    let folder = Folder::new("claims");
    folder.write(
        "a.rules",
        "rule r \"\" for r in 0..2 sizes N[r] tensors A[N], B[N], C[N] left A + B + C right A + (B + C)",
    );
    assert_eq!(folder.run("verify a.rules --certificates out").code, Some(0));
    let text = std::fs::read_to_string(folder.path("out/a/r.json")).unwrap();
    let original: Value = serde_json::from_str(&text).unwrap();
    let said = folder.accepted("certify out/a/r.json");
    assert!(said.contains("range: all sizes that the rule allows; r in 0, 1, 2 only\n"), "{said}");
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut forged = original.clone();
        change(&mut forged);
        forged
    };
    let both = json!(["equivalent", "equivalent"]);
    let relation = |system: &str, value: Value| forged(&|c| c["relations"][system] = value.clone());
    says(&relation("f32", both.clone()), 1, "what is claimed in `f32` is not shown");
    says(&relation("f16", both.clone()), 1, "what is claimed in `f16` is not shown");
    says(&relation("f24", both), 1, "`f24` is not a number system");
    says(&relation("f32", json!(["same", "same"])), 1, "`same` is not what a proof shows");
    says(&forged(&|c| c["relations"] = json!({})), 1, "nothing is claimed");
    says(
        &forged(&|c| c["relations"] = json!({ "rational": ["unknown", "unknown"] })),
        1,
        "nothing is claimed",
    );
    says(&forged(&|c| c["instances"] = json!([])), 1, "the number of instances is not");
    says(
        &forged(&|c| drop(c["instances"].as_array_mut().unwrap().pop())),
        1,
        "the number of instances is not",
    );
    says(&forged(&|c| c["instances"][1] = c["instances"][0].clone()), 1, "an instance with other choices");
    says(
        &forged(&|c| c["instances"].as_array_mut().unwrap().swap(0, 2)),
        1,
        "an instance with other choices",
    );
    let twice = forged(&|c| {
        let first = c["instances"][0].clone();
        c["instances"].as_array_mut().unwrap().push(first);
    });
    says(&twice, 1, "the number of instances is not");
    says(&forged(&|c| c["instances"][1]["proofs"] = json!([])), 1, "is not shown");
    let same_text = json!(text.replace("right A + (B + C)", "right A + B + C"));
    let same_text: Value = serde_json::from_str(same_text.as_str().unwrap()).unwrap();
    says(&same_text, 1, "vacuous: both sides are the same text");
    // Laws are not hypotheses in floats.
    let text =
        format!("{EXP} rule r \"\" tensors A[], B[] by exp_sum(A, B) left exp(A) * exp(B) right exp(A + B)");
    let floats = certificate(&text, &["f32"], &solved("f32", 1, &[&[0, 1], &[0, 1], &[0, 1]]));
    says(&floats, 1, "refused: ");
    // A rule with a stated type says nothing about others.
    folder.write("e.rules", "rule e \"\" tensors A[] : f32, B[] : f32 left A / B + A right A + A / B");
    assert_eq!(folder.run("verify e.rules --certificates stated").code, Some(0));
    let written = std::fs::read_to_string(folder.path("stated/e/e.json")).unwrap();
    let mut forged: Value = serde_json::from_str(&written).unwrap();
    forged["relations"]["f64"] = json!(["equivalent", "equivalent"]);
    says(&forged, 1, "nothing is shown in `f64`");
}

/// A law with the text of a shipped one counts as assumed if its function is not the shipped one.
#[test]
fn laws_of_other_functions_are_assumed() {
    let folder = Folder::new("others");
    folder.write(
        "a.rules",
        "define exp(x[N..]) is [i < N] -> 1000003 - x[i]
         law exp_positive(x[N..]) is exp(x) > 0
         rule r \"\" sizes n tensors x[n] by exp_positive(x) left max(x, 1000003) right 1000003 + 0*x",
    );
    folder.run("verify a.rules --certificates out");
    if folder.path("out/a/r.json").exists() {
        let ran = folder.run("certify out/a/r.json");
        assert_eq!(ran.code, Some(3), "{}", ran.stdout);
        assert!(ran.stdout.contains("the law `exp_positive`"), "{}", ran.stdout);
    }
}

/// The division is part of the claim: it may differ from that of the language.
#[test]
fn the_division_is_said() {
    let folder = Folder::new("division");
    let text = "system s (A : { i | 0<=i<=3 } of real) returns (B : { i | 0<=i<=3 } of real); let B = A / A * A; tel;";
    folder.write("a.alpha", text).write("b.alpha", text.replace("A / A * A", "A * (A / A)"));
    folder.run("equiv a.alpha b.alpha --certificate c.json");
    assert!(folder.accepted("certify c.json").contains("division: that of the number system"));
    let forged =
        std::fs::read_to_string(folder.path("c.json")).unwrap().replace("\"system\"", "\"controlled\"");
    folder.write("d.json", forged);
    let ran = folder.run("certify d.json");
    assert!(ran.code != Some(0) || ran.stdout.contains("division: controlled"), "{}", ran.stdout);
}

/// The checker must compare the programs' declarations: a forger declares what suits the claim.
#[test]
fn programs_with_other_inputs() {
    let folder = Folder::new("forged_inputs");
    let system = "system s (N : { N | N>=0 } parameter; a : { i | 0<=i<=N } of integer; b : { i | 0<=i<=N } of integer)
      returns (y : { i | 0<=i<=N } of integer);
    let y[i] = WHAT; tel;";
    folder.write("a.alpha", system.replace("WHAT", "a[i]"));
    folder.write("b.alpha", system.replace("WHAT", "a[i] + b[i] - b[i]"));
    // The programs are equal for defined inputs.
    assert_eq!(folder.run("equiv a.alpha b.alpha --values integer --certificate good.json").code, Some(1));
    folder.accepted("certify good.json");
    let good = std::fs::read_to_string(folder.path("good.json")).unwrap();
    let b = "; b : { i | 0<=i<=N } of integer";
    for (new, words) in [
        ("", "only the second program has the input `b`"),
        ("; b : integer", "the input `b` has rank 0 in the first program and 1 in the second"),
        (
            "; b : { i | 0<=i<=N } of boolean",
            "the input `b` is boolean in the first program and integer in the second",
        ),
        ("; b : { i | 1<=i<=N } of integer", "only the second program has the element [0] of the input `b`"),
        (
            "; b : { i | 0<=i<=N+1 } of integer",
            "only the first program has the element [1] of the input `b`, for N = 0",
        ),
    ] {
        let mut forged: Value = serde_json::from_str(&good).unwrap();
        let text = &mut forged["subject"]["programs"]["programs"][0]["text"];
        *text = text.as_str().unwrap().replace(b, new).into();
        says(&forged, 1, &format!("the programs cannot be compared: {words}"));
    }
}

/// An input that only one of two programs uses, as an index; and an output that one program lacks and the other
/// declares but never assigns.
#[test]
fn inputs_that_are_indices_and_outputs_that_are_not_assigned() {
    let folder = Folder::new("forged_indices");
    let system = "system s (k : integer; x : integer) returns (y : integer); let y[] = WHAT; tel;";
    folder.write("a.alpha", system.replace("WHAT", "x[]"));
    folder.write("b.alpha", system.replace("WHAT", "case {k>=0} : x[]; {k<0} : x[]; esac"));
    for files in ["a.alpha b.alpha", "b.alpha a.alpha"] {
        let defined = "with `k` defined (index sets depend on it)";
        for command in [&format!("equiv {files} --certificate c.json"), "certify c.json"] {
            let said = folder.accepted(command);
            assert!(said.contains(defined), "{said}");
        }
    }
    let forged = serde_json::from_str(include_str!("../forged/unassigned_output.json")).unwrap();
    says(&forged, 1, "only the first program has the output `x`");
}

/// A chain from an array `b` through a program without `b` to a scalar `b`: neighbours are equal, but the first
/// and the last are not comparable.
#[test]
fn a_chain_of_programs_with_other_inputs() {
    let forged = serde_json::from_str(include_str!("../forged/chain_other_inputs.json")).unwrap();
    says(&forged, 1, "the input `b` has rank 1 in the first program and 0 in the second");
}

/// The claim lists what a step by a rule rests on: definitions that are not shipped, the laws of its proof, and
/// conditions on sizes.
#[test]
fn what_the_rules_of_a_derivation_rest_on() {
    let certificate = serde_json::from_str(include_str!("../forged/derivation_own_definition.json")).unwrap();
    says(&certificate, 3, "assumed: the definition `dbl` (not shipped)");
    says(&certificate, 3, "conditions: 1 <= N");
    says(
        &certificate,
        3,
        "laws of arithmetic: add-associative, add-commutative, add-zero, distributive, mul-associative",
    );
}

/// `f(x) > x` and `f(f(x)) = x` contradict each other at `f(x)`.
#[test]
fn laws_that_contradict_each_other_at_values_of_functions() {
    let certificate = serde_json::from_str(include_str!("../forged/laws_of_values.json")).unwrap();
    says(&certificate, 1, "refused: the laws contradict each other in `rational`");
}

#[test]
fn how_few_instances_were_run_is_said() {
    let certificate = serde_json::from_str(include_str!("../forged/few_instances.json")).unwrap();
    says(&certificate, 0, "run on 4 instances that count: no inputs were found that meet what is given");
}

/// The conditions are labelled with their choice, because other choices have other conditions.
#[test]
fn the_choice_of_which_conditions_are_said_is_named() {
    let folder = Folder::new("conditions");
    folder.write(
        "r.rules",
        "rule q \"\" for k in 0..2 sizes n tensors x[n] where k = 1 or n <= 1 left x right [i < n] -> x[if k = 1 then i else n - 1 - i]",
    );
    folder.accepted("verify r.rules --certificates proofs");
    assert!(folder.accepted("certify proofs").contains("conditions for k = 1: 0 <= n"));
    let json: Value = serde_json::from_str(&folder.accepted("certify proofs --json")).unwrap();
    assert_eq!(
        (&json[0]["conditions"], &json[0]["conditions_for"]),
        (&json!(["0 <= n"]), &json!({ "k": "1" }))
    );
}
