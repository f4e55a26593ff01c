//! `replay` repeats the check in which this program contradicted itself.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::Folder;
use serde_json::{Value, json};

fn system(right: &str) -> Value {
    let text = format!(
        "system s (N : {{ N | N>=1 }} parameter; x : {{ i | 0<=i<=N }} of real)
         returns (y : {{ i | 0<=i<=N }} of real); let y[i] = {right}; tel;"
    );
    json!({ "name": "s.alpha", "language": "alpha", "text": text })
}

fn programs(right: &str) -> Value {
    let both = [system("x[i] + x[N-i]"), system(right)];
    json!({ "programs": both, "parameters": {}, "division": "extended", "locals": false })
}

fn rule(right: &str) -> Value {
    let text = format!("rule r for D subset 1 sizes n tensors x[n] left reverse(x; D) right {right}");
    json!({ "rule": "r", "files": { "r.rules": format!("import \"tensors.rules\"\n{text}\n"), "tensors.rules":
        "define reverse(x[N..]; D) is [i < N] -> x[choose(D, N - 1 - i, i)]\n" } })
}

fn contradiction(subject: Value, parameters: Value, claimed: &str, at: &str) -> String {
    json!({
        "format": "selfsame-contradiction", "version": 2, "subject": subject, "values": "f32", "claimed": claimed,
        "parameters": parameters, "inputs": { "x": { "at": [[0], [1]], "elements": { "shape": [2], "data": ["-0.0", "inf"] } } },
        "at": { "variable": at, "index": [0] }, "left": "inf", "right": "nan",
    })
    .to_string()
}

#[test]
fn the_sides_of_a_contradiction_are_run_on_its_input() {
    let folder = Folder::new("replay");
    let one = json!({ "N": "1" });
    folder.write("c.json", contradiction(programs("x[i] * x[N-i]"), one.clone(), "equivalent", "y"));
    let ran = folder.run("replay c.json");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "said that y[0] is equivalent in `f32`: the sides differ there\n");
    folder.write("c.json", contradiction(programs("x[N-i] + x[i]"), one, "different", "y"));
    let ran = folder.run("replay c.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.ends_with("the sides are the same there\n"), "{}", ran.stdout);
}

#[test]
fn the_choice_of_a_rule_counts() {
    let folder = Folder::new("replay-rule");
    for (chosen, code) in [("{}", 0), ("{0}", 1)] {
        let parameters = json!({ "D": chosen, "n": "2" });
        folder.write("c.json", contradiction(rule("x"), parameters, "refines", ""));
        let ran = folder.run("replay c.json");
        assert_eq!(ran.code, Some(code), "{chosen}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn what_is_no_contradiction_is_refused() {
    let folder = Folder::new("replay-refused");
    let good = contradiction(programs("x[i]"), json!({ "N": "1" }), "equivalent", "y");
    for (old, new) in [
        ("selfsame-c", "other-c"),
        ("\"version\":2", "\"version\":1"),
        ("\"inf\"]", "\"inf\", 1]"),
        ("[[0],[1]]", "[[0]]"),
        ("\"variable\"", "\"in\""),
    ] {
        folder.write("c.json", good.replace(old, new));
        assert_eq!(folder.run("replay c.json").code, Some(2), "{new}");
    }
    folder.write("certificate.json", r#"{"format": "selfsame-certificate", "version": 1, "subject": {}}"#);
    let stderr = folder.refused(2, "I0019", "replay certificate.json");
    assert!(stderr.contains("this is not a `selfsame-contradiction` of version 2"), "{stderr}");
}
