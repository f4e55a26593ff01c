//! Certificates with contradictory hypotheses, or of unknown satisfiability.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use checker::hypotheses::{HypothesesStanding, standings};
use checker::solver::in_own_context;
use link::certificate::{Certificate, instances_of_rule};
use link::replay::check;
use link::shipped::{ClaimAssumption, assumed};
use polyhedra_isl::Isl;
use rule_files::library::Library;
use serde_json::{Value, json};
use std::path::Path;
use values::SystemName;

/// A certificate that `A` is `B`, or of the given sides, under hypotheses that read these nodes (0 is `A`, 1 is
/// `B`).
fn certificate(text: &str, system: &str, sides: &[&[u32]]) -> Certificate {
    let mut seen = Vec::new();
    let mut leaves = Vec::new();
    for (side, nodes) in sides.iter().enumerate() {
        for node in *nodes {
            let proof = if seen.contains(node) { json!("same") } else { Value::Null };
            seen.push(*node);
            leaves.push(json!({ "side": side, "node": node, "unknown": node, "proof": proof }));
        }
    }
    let proof =
        json!({ "scalars": { "arithmetic": system, "strength": "defined", "taken": [], "leaves": leaves } });
    let value = json!({
        "format": "selfsame-certificate", "version": 10,
        "subject": { "rule": { "file": "r.rules", "rule": "r", "files": { "r.rules": text } } },
        "relations": { system: ["equivalent", "unknown"] },
        "instances": [{ "choices": [], "proofs": [proof] }],
    });
    serde_json::from_value(value).unwrap()
}

/// Whether the refusal of a certificate is only for lack of knowledge, and its reason.
fn said(certificate: &Certificate) -> (bool, String) {
    match in_own_context(|| check(certificate, &Isl::with_memory())) {
        Ok(_) => (false, "holds".to_owned()),
        Err(refusal) => (refusal.undecided, refusal.flaw.to_string()),
    }
}

fn same(system: &str, clauses: &str, hypotheses: &[&[u32]]) -> (bool, String) {
    let (declared, clauses) = clauses.split_once('|').unwrap_or(("", clauses));
    let text = format!("{declared} rule r \"\" tensors A[], B[] {clauses} left A right B");
    let sides: Vec<&[u32]> = [&[0][..], &[1]].into_iter().chain(hypotheses.iter().copied()).collect();
    said(&certificate(&text, system, &sides))
}

#[test]
fn contradictions_are_refused() {
    let laws = "function f(real) : real law f_id(x[]) is f(x) = x law f_next(x[]) is f(x) = x + 1
                law f_any(x[], y[]) is f(x) = y law f_positive(x[]) is f(x) > 0 law nonsense() is 1 = 2 | ";
    let cases: [(&str, &str, &[&[u32]]); 14] = [
        ("rational", "given A != A", &[&[0]]),
        ("rational", "given A < B, B < A", &[&[0, 1], &[0, 1]]),
        ("rational", "given A > 0, A < 0", &[&[0], &[0]]),
        ("rational", "given A * A < 0", &[&[0]]),
        ("rational", "given A / (B - B) = A", &[&[0, 1]]),
        ("rational", "given A + 1 = A", &[&[0]]),
        ("i32", "given A + A = 1", &[&[0]]),
        ("integer", "given 0 < A, A < 1", &[&[0], &[0]]),
        ("rational", "by nonsense()", &[&[]]),
        ("rational", "by f_id(A), f_next(A)", &[&[0], &[0]]),
        ("rational", "by f_any(A, A), f_any(A, B)", &[&[0], &[0, 1]]),
        ("rational", "given f(A) < 0 by f_positive(A)", &[&[0], &[0]]),
        ("rational", "given f(A) != f(A)", &[&[0]]),
        ("rational", "given A > B by f_id(A), f_id(B), f_next(A)", &[&[0, 1], &[0], &[1], &[0]]),
    ];
    for (system, clauses, hypotheses) in cases {
        let (undecided, reason) = same(system, &format!("{laws}{clauses}"), hypotheses);
        assert!(!undecided && reason.contains("contradict"), "{clauses}: {reason}");
    }
    // The instances that the proof uses are consistent, but those at other values are contradictory.
    let laws = laws.trim_end_matches("| ");
    let text = format!(
        "{laws} rule r \"\" tensors A[], B[] by f_id(A), f_next(B) left if A = B then 1 else 2 right 2"
    );
    let (undecided, reason) = said(&certificate(&text, "rational", &[&[0, 1], &[], &[0], &[1]]));
    assert!(!undecided && reason.contains("the laws contradict each other"), "{reason}");
}

fn standing(text: &str, system: &str) -> HypothesesStanding {
    let certificate = certificate(text, "rational", &[&[0], &[0]]);
    let (_, instances) = instances_of_rule(&certificate).unwrap();
    let system = SystemName::named(system).unwrap();
    standings(&instances[0], None, &[system])[0].1
}

#[test]
fn what_is_met_is_found() {
    let rule = |clauses: &str| {
        format!("rule r \"\" sizes n, m tensors A[], B[], C[], v[n] {clauses} left A right B")
    };
    let functions = "function exp(real) : real function sqrt(real) : real
        law exp_sum(x[N..], y[N..]) is exp(x + y) = exp(x) * exp(y)
        law exp_positive(x[N..]) is exp(x) > 0
        law sqrt_square(x[N..]) is x < 0 or sqrt(x) * sqrt(x) = x and sqrt(x) >= 0 ";
    for (clauses, systems) in [
        ("where 3 <= n, n < m", &["rational", "integer", "i32", "f32", "field"][..]),
        ("where n*n = 49", &["rational"]),
        ("given A != 0, B > A", &["rational", "integer", "i32", "i64", "f32", "f64"]),
        ("given A = 12345", &["rational", "integer", "i32", "f64"]),
        ("given A * A = 4 / 9", &["rational"]),
        ("given A + B = 1000, A - B = 30, C = A * B", &["integer"]),
        ("by exp_sum(A, B), exp_positive(B)", &["rational"]),
        ("given A > 5 by sqrt_square(A), exp_sum(A, -B)", &["rational"]),
        ("given exp(A) > 2", &["rational", "f32"]),
        ("where 1 <= n given sum(i < n : v[i]) > 3", &["rational"]),
    ] {
        for system in systems {
            let text = format!("{functions} {}", rule(clauses));
            assert_eq!(standing(&text, system), HypothesesStanding::Met, "{clauses} in {system}");
        }
    }
    for (clauses, system) in
        [("given A * A = 2", "rational"), ("given A*A*A + B*B*B + C*C*C = 33", "integer")]
    {
        assert_eq!(standing(&rule(clauses), system), HypothesesStanding::Unknown, "{clauses}");
    }
    assert_eq!(standing(&rule("given A * A = 2"), "integer"), HypothesesStanding::Contradictory);
}

#[test]
fn what_is_not_shipped_is_assumed() {
    let of = |text: &str| {
        let none = |_: &Path| Err("no other files".to_owned());
        let (library, errors) = Library::load(Path::new("r.rules"), text, &none);
        assert!(errors.is_empty(), "{errors:?}");
        let all = assumed(&library, &library.rules()[0]).into_iter();
        all.map(|ClaimAssumption { kind, name, differs }| format!("{kind} {name} {differs}"))
            .collect::<Vec<_>>()
    };
    let exp = "function exp(real) : real law exp_sum(x[N..], y[N..]) # two\n is exp( x + y )=exp(x) * exp(y)";
    let rule = "rule r tensors A[], B[] by exp_sum(A, B) left exp(A) * exp(B) right exp(A + B)";
    assert_eq!(of(&format!("{exp} {rule}")), [""; 0]);
    assert_eq!(of(&format!("{} {rule}", exp.replace("exp(x) *", "exp(x) +"))), ["law exp_sum true"]);
    let activate =
        "define activate(x[N..]; activation) is [i < N] -> if activation = 0 then x[i] else max(x[i], 0)";
    let rule = "rule r sizes n tensors A[n] left activate(A; 0) right A";
    assert_eq!(of(&format!("define unused(x[]) is x {activate} {rule}")), [""; 0]);
    assert_eq!(of(&format!("{} {rule}", activate.replace("0)", "1)"))), ["define activate true"]);
    let nested = "define inner(x[N..]) is x define outer(x[N..]) is inner(x)";
    let nested = format!("{nested} rule r sizes n tensors A[n] left outer(A) right A");
    assert_eq!(of(&nested), ["define inner false", "define outer false"]);
    let function = "function f(real) : real function exp(real, real) : real";
    let function = format!("{function} rule r tensors A[] left f(A) + exp(A, A) right A");
    assert_eq!(of(&function), ["function exp true"]);
}
