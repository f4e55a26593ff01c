//! Implementations in processes: one that is right, one that is wrong, and those that do not behave.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use fuzz::campaign::{Settings, Summary, run};
use fuzz::generation::{Profile, Sizes};
use fuzz::judgement::Kind;
use fuzz::targets::{Limits, Process, TargetCheck, Trouble};
use polyhedra_isl::Isl;
use std::collections::BTreeSet;
use std::time::Duration;

const PROFILE: Profile = Profile { systems: 0, undefined: false, sizes: Sizes::Small, controlled: false };
const ADAPTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/adapters");

fn check(command: &str) -> Result<TargetCheck<Process>, Trouble> {
    let limits =
        Limits { start: Duration::from_secs(60), answer: Duration::from_millis(400), bytes: 1 << 20 };
    TargetCheck::new(Process::new(command, limits))
}

fn fuzz(command: &str, cases: u64) -> Summary {
    let settings = Settings { seed: 3, cases: Some(cases), profile: PROFILE };
    run(settings, &Isl::new(), &mut check(command).unwrap(), &mut |_, _| true)
}

#[test]
fn the_example_is_right() {
    let summary = fuzz(&format!("exec python3 {ADAPTERS}/example_target.py"), 400);
    assert!(summary.findings.is_empty() && summary.rejected == 0, "{:?}", summary.findings);
    assert!(summary.elements.agree > 300, "{summary:?}");
}

#[test]
fn the_example_with_a_fault_is_found() {
    let summary = fuzz(&format!("exec python3 {ADAPTERS}/example_target.py fault"), 60);
    assert!(!summary.findings.is_empty());
    for (finding, _) in summary.findings.values() {
        assert_eq!((finding.difference.kind, finding.versions.as_str()), (Kind::Disagrees, "python 3"));
        assert!(fuzz::shrinking::operators(&finding.case) <= 2, "{finding}");
    }
}

/// The shell says hello, and then this to the first request; it is started again for the next one.
fn misbehaving(then: &str) -> Summary {
    let hello =
        r#"{"protocol":1,"name":"odd","versions":"1","numbers":["f32","f64","i32","i64"],"floats":{}}"#;
    fuzz(&format!("read request; echo '{hello}'; read request; {then}"), 2)
}

#[test]
fn what_does_not_behave_is_a_finding_of_its_kind() {
    for (then, kind) in [
        ("exit 3", Kind::Crash),
        ("kill -SEGV $$", Kind::Crash),
        ("sleep 60", Kind::Hang),
        ("exec >&-; sleep 60", Kind::Crash),
        ("echo nonsense", Kind::Garbage),
        ("yes", Kind::Garbage),
        ("cat /dev/zero", Kind::Garbage),
        ("echo '{\"id\": 77, \"outputs\": {}}'", Kind::Garbage),
        ("head -c 10000 /dev/zero", Kind::Garbage),
    ] {
        let kinds: BTreeSet<Kind> =
            misbehaving(then).findings.values().map(|(finding, _)| finding.difference.kind).collect();
        assert_eq!(kinds, BTreeSet::from([kind]), "{then}");
    }
}

#[test]
fn what_does_not_say_hello_cannot_be_used() {
    for (command, why) in [
        ("exit 1", "exit code 1"),
        ("/no/such/command", "exit code 127"),
        ("echo '{\"protocol\": 2}'", "protocol 2"),
        ("echo hello", "garbage"),
        ("echo '{\"protocol\": 1, \"name\": \"x\", \"versions\": \"\", \"numbers\": [\"f16\"]}'", "f16"),
        (
            "echo '{\"protocol\": 1, \"name\": \"x\", \"versions\": \"\", \"numbers\": [], \"floats\": {\"odd\": true}}'",
            "odd",
        ),
    ] {
        match check(command).map(|_| ()) {
            Err(Trouble::Unusable(what)) => assert!(what.contains(why), "{what}"),
            other => panic!("{command}: {other:?}"),
        }
    }
}
