//! Answers of implementations in processes: right ones, wrong ones, and none. Tests that wait for one that hangs
//! start first.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use fuzz::campaign::{Check, Settings, Summary, run};
use fuzz::case::{Case, ElementBox};
use fuzz::finding::Finding;
use fuzz::generation::SizeChoice;
use fuzz::judgement::{CaseJudgement, DifferenceKind};
use fuzz::numbers::Numbers;
use fuzz::subjects::Subject;
use fuzz::targets::{Description, Process, ProcessLimits, Target, TargetCheck, Trouble, answer, request};
use polyhedra_isl::Isl;
use rink::parsing::parse;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use values::{Division, Literal};

const ADAPTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/adapters");

fn check(command: &str) -> Result<TargetCheck<Process>, Trouble> {
    let limits =
        ProcessLimits { start: Duration::from_secs(60), answer: Duration::from_millis(400), bytes: 1 << 20 };
    TargetCheck::new(Process::new(command, limits))
}

fn fuzz(command: &str, cases: u64) -> Summary {
    let mut check = check(command).unwrap();
    let settings =
        Settings { seed: 3, cases: Some(cases), profile: check.profile(SizeChoice::Small), program: None };
    run(settings, &Isl::with_memory(), &mut check, &mut |_, _| true)
}

#[test]
fn the_example_is_right() {
    let summary = fuzz(&format!("exec python3 {ADAPTERS}/example_target.py"), 400);
    assert!(summary.findings.is_empty() && summary.rejected == 0, "{:?}", summary.findings);
    assert!(summary.elements.agree > 300 && summary.refused.is_empty(), "{summary:?}");
}

/// The target has 32-bit integers only, and its own division.
#[test]
fn what_an_implementation_does_not_have_is_not_asked() {
    let mut check = check(&format!("exec python3 {ADAPTERS}/example_target.py")).unwrap();
    assert_eq!(check.profile(SizeChoice::Small).numbers, [Numbers::I32; 12]);
    for (right, numbers, division, why) in [
        ("A + A", Numbers::I32, Division::Extended, None),
        ("A + A", Numbers::I32, Division::Controlled, None),
        ("A / A", Numbers::I32, Division::Extended, None),
        ("A / A", Numbers::I32, Division::Controlled, Some("its division is not controlled")),
        ("A + A", Numbers::I64, Division::Extended, Some("it has no i64")),
    ] {
        let subject =
            Subject::Rink(parse(&format!("var input A : [1] var output x : [1] x = {right}")).program);
        let two =
            ElementBox { origin: vec![1], shape: vec![1], data: vec![Some(Literal::parse("2").unwrap())] };
        let inputs = BTreeMap::from([("A".to_owned(), two.clone()), ("x".to_owned(), two)]);
        let case = Case { subject, numbers, division, inputs };
        match (check.judge_again("example", &case, &Isl::with_memory()), why) {
            (CaseJudgement::Right(tally), None) => assert_eq!(tally.agree, 1, "{right}"),
            (CaseJudgement::Refused(found), Some(why)) => assert_eq!(found, why),
            (other, _) => panic!("{right}: {other:?}"),
        }
    }
}

/// An extra line is not taken for the answer to the next request, and duplicate keys are refused.
#[test]
fn what_could_be_taken_for_an_answer_is_garbage() {
    let hello = r#"{"protocol":1,"name":"odd","versions":"1","numbers":["f64"],"floats":{}}"#;
    let right = r#"{"id":1,"unsupported":"x"}"#;
    for (lines, requests, why) in [
        (vec![right, right], 2, "for request 1, not 2"),
        (vec!["more", right], 1, "`more\\n`"),
        (vec![r#"{"id":1,"unsupported":"x","unsupported":"y"}"#], 1, "appears twice"),
    ] {
        let command = format!(
            "read request; echo '{hello}'; read request; printf '%s\\n' '{}'; cat",
            lines.join("' '")
        );
        let mut process = Process::new(&command, ProcessLimits::default());
        let last = (1..=requests).map(|id| process.run(&json!({ "id": id }))).last();
        match last {
            Some(Err(Trouble::Found(DifferenceKind::Garbage, what))) => assert!(what.contains(why), "{what}"),
            other => panic!("{lines:?}: {other:?}"),
        }
    }
}

/// The document's exchanges are those of the implementation.
#[test]
fn the_document_is_right() {
    let document = include_str!("../../PROTOCOL.md");
    let lines: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let said: Vec<&str> = document.split("    → ").skip(1).collect();
    let exchange = |text: &str| {
        let (request, answer) = text.split_once("    ← ").unwrap();
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        (parse(request), parse(answer.lines().next().unwrap()))
    };
    let (hello, program) = (exchange(said[0]), exchange(said[1]));
    let command = format!("exec python3 {ADAPTERS}/example_target.py");
    let mut process = Process::new(&command, ProcessLimits::default());
    let description = Description { command: command.clone(), ..Description::read(&hello.1).unwrap() };
    assert_eq!((hello.0, process.describe()), (json!({ "hello": 1 }), Ok(description)));
    assert_eq!(format!("{:?}", process.run(&program.0)), format!("{:?}", answer(&program.1, 1)));
    let at = lines.iter().position(|line| line.starts_with("selfsame finding")).unwrap();
    let finding = Finding::parse(&lines[at..].join("\n")).unwrap();
    assert_eq!(request(&finding.case, 1), Some(program.0));
    let judgement = check(&format!("{command} fault")).unwrap().judge_again(
        "example",
        &finding.case,
        &Isl::with_memory(),
    );
    assert_eq!(judgement, CaseJudgement::Wrong(finding.difference));
}

#[test]
fn the_example_with_a_fault_is_found() {
    let summary = fuzz(&format!("exec python3 {ADAPTERS}/example_target.py fault"), 60);
    assert!(!summary.findings.is_empty());
    for (finding, _) in summary.findings.values() {
        assert_eq!(
            (finding.difference.kind, finding.implementation.versions.as_str()),
            (DifferenceKind::Disagrees, "python 3")
        );
        assert!(fuzz::shrinking::operators(&finding.case) <= 2, "{finding}");
    }
}

/// A shell target that says hello, and then runs this at the first request; it is restarted for the next one.
fn misbehaving(then: &str) -> Summary {
    let hello =
        r#"{"protocol":1,"name":"odd","versions":"1","numbers":["f32","f64","i32","i64"],"floats":{}}"#;
    fuzz(&format!("read request; echo '{hello}'; read request; {then}"), 2)
}

/// The others run while the one that hangs is waited for.
#[test]
fn what_does_not_behave_is_a_finding_of_its_kind() {
    let misbehaviors = [
        ("exit 3", DifferenceKind::Crash),
        ("kill -SEGV $$", DifferenceKind::Crash),
        ("exec >&-; sleep 60", DifferenceKind::Crash),
        ("sleep 60 & exit 3", DifferenceKind::Crash),
        ("echo nonsense", DifferenceKind::Garbage),
        ("yes", DifferenceKind::Garbage),
        ("cat /dev/zero", DifferenceKind::Garbage),
        ("echo '{\"id\": 77, \"outputs\": {}}'", DifferenceKind::Garbage),
        ("head -c 10000 /dev/zero", DifferenceKind::Garbage),
    ];
    let is_judged = |(then, kind): (&str, DifferenceKind)| {
        let summary = misbehaving(then);
        let kinds: BTreeSet<DifferenceKind> =
            summary.findings.values().map(|(finding, _)| finding.difference.kind).collect();
        assert_eq!(kinds, BTreeSet::from([kind]), "{then}: {summary:?}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| is_judged(("sleep 60", DifferenceKind::Hang)));
        misbehaviors.into_iter().for_each(is_judged);
    });
}

/// Known findings are not made smaller each time.
#[test]
fn known_findings_take_little_time() {
    let hello = r#"{"protocol":1,"name":"odd","versions":"1","numbers":["f64"],"floats":{}}"#;
    let summary = fuzz(&format!("read request; echo '{hello}'; read request; exit 3"), 60);
    let found: u64 = summary.findings.values().map(|(_, count)| count).sum();
    let left = summary.kinds["odd: crash"].left;
    assert!(summary.findings.len() < 5 && left > 30, "{summary:?}");
    assert_eq!(found + left, 60);
}

/// An implementation's texts are kept short: each reason, the number of reasons, and its name, which is a line of
/// a file.
#[test]
fn what_is_said_is_kept_short() {
    let script = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    hello = {"protocol": 1, "name": "a\nb", "versions": "1", "numbers": ["i32", "i32", "f64"]}
    answer = {"id": request["id"], "unsupported": str(request["id"]) + "x" * 5000} if "id" in request else hello
    print(json.dumps(answer), flush=True)
"#;
    let path = std::env::temp_dir().join(format!("selfsame_long_{}.py", std::process::id()));
    std::fs::write(&path, script).unwrap();
    let mut check = check(&format!("exec python3 {}", path.display())).unwrap();
    assert_eq!(check.name(), "a b");
    assert_eq!(check.description().numbers, [Numbers::F64, Numbers::I32]);
    let settings =
        Settings { seed: 3, cases: Some(150), profile: check.profile(SizeChoice::Small), program: None };
    let summary = run(settings, &Isl::with_memory(), &mut check, &mut |_, _| true);
    std::fs::remove_file(path).unwrap();
    assert!(summary.refused.keys().all(|why| why.chars().count() < 320), "{:?}", summary.refused);
    assert_eq!((summary.refused.values().sum::<u64>(), summary.refused.len()), (150, 101));
    assert!(summary.judged.is_empty());
}

/// Programs that the target does not answer in time are made small too; the limit on unanswered trials does not
/// count answered ones.
#[test]
fn what_does_not_answer_is_made_small() {
    let script = r#"
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    hello = {"protocol": 1, "name": "slow", "versions": "1", "numbers": ["f64"]}
    time.sleep(60 if "^" in request.get("text", "") else 0)
    print(json.dumps({"id": request["id"], "unsupported": ""} if "id" in request else hello), flush=True)
"#;
    let path = std::env::temp_dir().join(format!("selfsame_slow_{}.py", std::process::id()));
    std::fs::write(&path, script).unwrap();
    let summary = fuzz(&format!("exec python3 {}", path.display()), 8);
    std::fs::remove_file(path).unwrap();
    let found: Vec<_> = summary.findings.values().map(|(finding, _)| finding).collect();
    assert!(!found.is_empty(), "{summary:?}");
    for finding in found {
        assert_eq!(finding.difference.kind, DifferenceKind::Hang);
        assert!(fuzz::shrinking::operators(&finding.case) == 1, "{finding}");
    }
}

/// Answers that do not have the form of the protocol: tensors with an origin, and numbers that are expensive to
/// compute with.
#[test]
fn what_is_no_tensor_is_garbage() {
    for (is_fine, tensor) in [
        (true, json!({ "shape": [1], "data": [1.5] })),
        (true, json!({ "shape": [1], "data": ["1e400"] })),
        (true, json!({ "shape": [1], "data": [null] })),
        (false, json!({ "shape": [1], "origin": [100], "data": [1] })),
        (false, json!({ "shape": [2], "data": [1] })),
        (false, json!({ "shape": [1], "data": ["1e20000"] })),
        (false, json!({ "shape": [1], "data": ["1E-99999999999"] })),
        (false, json!({ "shape": [1], "data": ["7".repeat(2000)] })),
        (false, serde_json::from_str("{\"shape\": [1], \"data\": [1e20000]}").unwrap()),
    ] {
        let read = answer(&json!({ "id": 1, "outputs": { "x": tensor } }), 1);
        let is_garbage = matches!(read, Err(Trouble::Found(DifferenceKind::Garbage, _)));
        assert_eq!((read.is_ok(), is_garbage), (is_fine, !is_fine), "{tensor}");
    }
}

/// A restarted implementation that declares something else.
#[test]
fn another_hello_later_is_garbage() {
    let file = std::env::temp_dir().join(format!("selfsame_other_{}", std::process::id()));
    let hello = |flushes| {
        format!(
            r#"{{"protocol":1,"name":"odd","versions":"1","numbers":["f64"],"floats":{{"flushes":{flushes}}}}}"#
        )
    };
    let command = format!(
        "read request; if test -e {0}; then echo '{1}'; else : > {0}; echo '{2}'; fi; read request",
        file.display(),
        hello(true),
        hello(false)
    );
    let mut process = Process::new(&command, ProcessLimits::default());
    assert!(process.describe().is_ok());
    assert!(matches!(process.run(&json!({ "id": 1 })), Err(Trouble::Found(DifferenceKind::Crash, _))));
    match process.run(&json!({ "id": 2 })) {
        Err(Trouble::Found(DifferenceKind::Garbage, why)) => assert!(why.contains("something else"), "{why}"),
        other => panic!("{other:?}"),
    }
    std::fs::remove_file(file).unwrap();
}

/// A restarted implementation must say hello.
#[test]
fn a_bad_hello_later_is_garbage() {
    let folder = std::env::temp_dir().join(format!("selfsame_hello_{}", std::process::id()));
    let hello = r#"{"protocol":1,"name":"odd","versions":"1","numbers":["f64"],"floats":{}}"#;
    let command = format!(
        "read request; if test -e {0}; then echo '{{\"protocol\": 2}}'; else : > {0}; echo '{hello}'; fi; read request",
        folder.display()
    );
    let mut process = Process::new(&command, ProcessLimits::default());
    assert!(process.describe().is_ok());
    let request = json!({ "id": 1 });
    assert!(matches!(process.run(&request), Err(Trouble::Found(DifferenceKind::Crash, _))));
    for _ in 0..2 {
        match process.run(&request) {
            Err(Trouble::Found(DifferenceKind::Garbage, why)) => assert!(why.contains("protocol 2"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    std::fs::remove_file(folder).unwrap();
}

#[test]
fn what_does_not_say_hello_cannot_be_used() {
    for (command, why) in [
        ("exit 1", "exit code 1"),
        ("/no/such/command", "exit code 127"),
        ("read request; echo '{\"protocol\": 2}'", "protocol 2"),
        ("read request; echo hello", "garbage"),
        (
            "read request; echo '{\"protocol\": 1, \"name\": \"x\", \"versions\": \"\", \"numbers\": [\"f80\"]}'",
            "f80",
        ),
        (
            "read request; echo '{\"protocol\": 1, \"name\": \"x\", \"versions\": \"\", \"numbers\": [\"f64\"], \"floats\": {\"odd\": true}}'",
            "odd",
        ),
        ("read request; echo '{\"protocol\": 1, \"numbers\": []}'", "no `numbers`"),
        (
            "read request; echo '{\"protocol\": 1, \"numbers\": [\"f64\"], \"floats\": \"strict\"}'",
            "not an object",
        ),
        ("cat", "has no `protocol`"),
        (
            "read request; echo '{\"protocol\": 1, \"name\": \"\", \"versions\": \"\", \"numbers\": [\"f64\"]}'",
            "`name` is empty",
        ),
        (
            "read request; echo '{\"protocol\": 1, \"numbers\": [\"f64\"], \"floats\": {\"function_ulps\": -1}}'",
            "not a number from 0 on",
        ),
    ] {
        match check(command).map(|_| ()) {
            Err(Trouble::Unusable(what)) => assert!(what.contains(why), "{what}"),
            other => panic!("{command}: {other:?}"),
        }
    }
}
