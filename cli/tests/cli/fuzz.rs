//! `selfsame fuzz`.

#![allow(clippy::unwrap_used, reason = "a test")]

use crate::common::{Folder, Ran, interrupt};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

const EXAMPLE: &str =
    concat!("exec python3 ", env!("CARGO_MANIFEST_DIR"), "/../fuzz/adapters/example_target.py");

/// The self-description of an implementation that is one line of shell.
const HELLO: &str =
    r#"{"protocol":1,"name":"slow","versions":"1","numbers":["f32","f64","i32","i64"],"floats":{}}"#;

fn with(folder: &Folder, arguments: &[&str]) -> Ran {
    folder.command().args(arguments).output().unwrap().into()
}

#[test]
fn this_program_is_right() {
    let folder = Folder::new("fuzz_self");
    let text = folder.accepted("fuzz --cases 300 --seed 4");
    assert!(
        text.starts_with("300 cases (") && text.contains("0 rejected") && text.contains("0 findings"),
        "{text}"
    );
    let json: Value =
        serde_json::from_str(&folder.accepted("fuzz --cases 100 --json --target evaluator")).unwrap();
    assert_eq!((&json["cases"], &json["rejected"]), (&100.into(), &0.into()));
    assert!(json["elements"]["agree"].as_u64() > Some(300) && json["cases_per_second"].as_f64() > Some(1.0));
    assert!(folder.accepted("fuzz --seconds 0.5").contains("0 findings"));
    assert!(folder.accepted("fuzz --cases 50 --sizes small --target evaluator").contains("0 findings"));
}

#[test]
fn a_fault_is_found_written_and_run_again() {
    let folder = Folder::new("fuzz_fault");
    let run = |arguments: &[&str]| {
        let ran = with(&folder, &[&["fuzz", "--exec", &format!("{EXAMPLE} fault")], arguments].concat());
        (ran.code, ran.stdout, ran.stderr)
    };
    let (code, text, stderr) = run(&["--cases", "60", "--json", "--out", "found"]);
    assert_eq!((code, stderr.as_str()), (Some(1), ""), "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    let findings = json["findings"].as_array().unwrap();
    let file = findings[0]["file"].as_str().unwrap();
    assert_eq!((&findings[0]["check"], &findings[0]["kind"]), (&"example".into(), &"disagrees".into()));
    let (code, text, _) = run(&["--replay", file]);
    assert!(code == Some(1) && text.starts_with("example: disagrees of "), "{text}");
    // A repeated run finds the same, and leaves the files as they are.
    let before = std::fs::read(folder.path(file)).unwrap();
    let (_, again, _) = run(&["--cases", "60", "--json", "--out", "found"]);
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["findings"], json["findings"]);
    assert_eq!(std::fs::read(folder.path(file)).unwrap(), before);
    let right = with(&folder, &["fuzz", "--exec", EXAMPLE, "--replay", file]);
    assert_eq!((right.code, right.stdout.lines().next()), (Some(0), Some("example: right")));
}

/// A replay finds the implementation by its name, or needs an argument: a command in a file is never run by
/// itself.
#[test]
fn a_finding_is_run_again_on_what_is_asked_for() {
    let folder = Folder::new("fuzz_replay");
    let exec = format!("{EXAMPLE} fault");
    let ran = with(&folder, &["fuzz", "--exec", &exec, "--cases", "60", "--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let found = &json["findings"][0];
    let file = found["file"].as_str().unwrap();
    assert_eq!((&found["command"], &found["repeats"]), (&exec.clone().into(), &true.into()));
    let stderr = folder.refused(2, "U0001", &format!("fuzz --replay {file}"));
    assert!(stderr.contains(&format!("it was `--exec '{exec}'`")), "{stderr}");
    // This program is right about it, by one oracle and by all.
    let right = folder.accepted(&format!("fuzz --replay {file} --target evaluator"));
    assert!(right.starts_with("evaluator: right\n(found: example: disagrees of "), "{right}");
    let right = folder.accepted(&format!("fuzz --replay {file} --target self"));
    assert!(right.contains("printed: right\n") && right.lines().count() == 10, "{right}");
    let ran = with(&folder, &["fuzz", "--exec", &exec, "--replay", file, "--json"]);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &json["versions"]), (Some(1), &"python 3".into()));
    for name in ["kind", "at", "expected", "found"] {
        assert!(json["recorded"][name] == found[name] && json["results"][0][name] == found[name], "{json}");
    }
    // A finding that has the name of an oracle still does not run on it.
    let text = std::fs::read_to_string(folder.path(file)).unwrap();
    folder.write("named.finding", text.replace("check: example", "check: evaluator"));
    folder.refused(2, "U0001", "fuzz --replay named.finding");
}

/// An implementation that fails only at its second request.
#[test]
fn what_needs_the_cases_before_it_is_said_to() {
    let folder = Folder::new("fuzz_memory");
    let hello = r#"{"protocol":1,"name":"old","versions":"1","numbers":["i32"],"floats":{}}"#;
    let command = format!(
        "read request; echo '{hello}'; read request; echo '{{\"id\":1,\"unsupported\":\"no\"}}'; read request; exit 3"
    );
    let ran = with(&folder, &["fuzz", "--exec", &command, "--cases", "2"]);
    assert!(
        ran.code == Some(1) && ran.stdout.contains(", not reproduced in a fresh process: crash"),
        "{}",
        ran.stdout
    );
}

#[test]
fn two_runs_on_one_folder_lose_nothing() {
    let folder = Folder::new("fuzz_two");
    let exec = format!("{EXAMPLE} fault");
    let runs = ["4", "5"].map(|seed| {
        let arguments =
            ["fuzz", "--exec", &exec, "--seed", seed, "--cases", "30", "--json", "--out", "found"];
        folder.command().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    let mut files = BTreeSet::new();
    for run in runs {
        let ran = Ran::from(run.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        let found = json["findings"].as_array().unwrap();
        assert!(!found.is_empty());
        files.extend(found.iter().map(|finding| finding["file"].as_str().unwrap().to_owned()));
    }
    for file in &files {
        let ran = with(&folder, &["fuzz", "--exec", &exec, "--replay", file]);
        assert!(ran.code == Some(1) && ran.stdout.starts_with("example: disagrees of "), "{}", ran.stdout);
    }
    assert_eq!(std::fs::read_dir(folder.path("found")).unwrap().count(), files.len());
}

/// Findings of an earlier run are kept alongside findings of a later one with the same shape.
#[test]
fn what_was_found_before_is_kept() {
    let folder = Folder::new("fuzz_kept");
    let run = |code: u8| {
        let command = format!("read request; echo '{HELLO}'; read request; exit {code}");
        with(&folder, &["fuzz", "--cases", "2", "--exec", &command]).stdout
    };
    let (first, _, again) = (run(3), run(4), run(3));
    assert!(first.contains("crash: ended with exit code 3") && first.contains("`2> FILE`"), "{first}");
    let files = |text: &str| text.lines().filter(|line| line.starts_with("  ")).collect::<Vec<_>>().join("");
    assert_eq!(files(&first), files(&again));
    let texts: Vec<String> = std::fs::read_dir(folder.path("findings"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(
        ["exit code 3", "exit code 4"].iter().all(|code| texts.iter().any(|text| text.contains(code))),
        "{texts:?}"
    );
    assert_eq!(texts.len(), 2 * first.matches(".finding").count());
}

/// A path that cannot be written from the beginning is refused (`robustness_files.rs`); this one becomes
/// unwritable during the run.
#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::new("fuzz_unwritten");
    let exec = format!("echo > taken; {EXAMPLE} fault");
    let ran = with(&folder, &["fuzz", "--exec", &exec, "--cases", "60", "--out", "taken"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("I0017") && ran.stderr.contains("selfsame finding 1\n"), "{}", ran.stderr);
}

#[test]
fn bad_input() {
    let folder = Folder::new("fuzz_bad");
    folder.write("other.finding", "selfsame finding 9\ncheck: evaluator\n");
    folder.write("no.finding", "nothing");
    folder.refused(2, "I0026", "fuzz --replay other.finding");
    folder.refused(2, "I0026", "fuzz --replay no.finding");
    folder.refused(2, "I0001", "fuzz --replay missing.finding");
    folder.write("large.finding", "x".repeat(17 << 20));
    folder.refused(2, "I0002", "fuzz --replay large.finding");
    let reproducer = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../fuzz/reproducers/optimized-disagrees-62dece5d2d930f04.finding"
    );
    let text = std::fs::read_to_string(reproducer).unwrap();
    folder.write("input.finding", text.replace("  {}\n", "  {\"q\":{\"shape\":[1],\"data\":[1]}}\n"));
    folder.refused(2, "I0026", "fuzz --replay input.finding");
    folder.write("cut.finding", &text[..900]);
    folder.refused(2, "I0026", "fuzz --replay cut.finding");
    folder.refused(2, "I0027", "fuzz --exec false");
    assert!(folder.refused(2, "I0027", "fuzz --exec no-such-command").contains("does not find"));
    assert!(folder.refused(2, "I0027", "fuzz --target numpy").contains("`--adapters DIR`"));
    folder.write("numpy_target.py", "");
    assert!(folder.refused(2, "I0027", "fuzz --target numpy --adapters .").contains("`make adapters`"));
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    folder.refused(3, "L0003", "fuzz --replay pipe --timeout 0.5");
    folder.refused(2, "U0001", "fuzz --replay no.finding --sizes small");
    folder.refused(2, "U0001", "fuzz --target fortran");
    folder.refused(2, "U0001", "fuzz --seconds 1 --cases 1");
    folder.refused(2, "U0001", "fuzz --sizes huge");
}

/// In the shell: the first processes that come here fail. A finding is confirmed by a second process before it counts.
const AT_FIRST: &str = "for n in 1 2 3 4; do if mkdir failed$n; then exit 3; fi; done 2> errors;";

/// An implementation that fails at first, and then no longer answers: its finding is not shrunken in time, but is not
/// lost; no started process survives.
#[test]
fn what_is_found_when_time_is_over_is_written() {
    let folder = Folder::new("fuzz_slow");
    let slow = format!("read request; echo '{HELLO}'; read request; {AT_FIRST} echo $$ > pid; sleep 60");
    let ran = with(&folder, &["fuzz", "--timeout", "3", "--cases", "1000", "--exec", &slow]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{}", ran.stdout);
    let files: Vec<_> = std::fs::read_dir(folder.path("findings")).unwrap().collect();
    assert!(!files.is_empty() && ran.stdout.contains("crash: ended with exit code 3"), "{}", ran.stdout);
    let pid = std::fs::read_to_string(folder.path("pid")).unwrap();
    // A killed process stays listed until its parent waits for it.
    let lives = || {
        std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|text| !text.contains(") Z "))
    };
    let is_gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        !lives()
    });
    assert!(is_gone, "{pid} was left alone");
}

/// A run that the time limit cuts short does not claim that everything is right.
#[test]
fn a_run_that_is_cut_short_is_undecided() {
    let folder = Folder::new("fuzz_short");
    let ran = with(&folder, &["fuzz", "--timeout", "2", "--cases", "100000000", "--target", "evaluator"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("the time limit"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn an_interrupted_run_ends_with_its_summary() {
    let folder = Folder::new("fuzz_interrupted");
    let mut command = folder.command();
    let child = command.args(["fuzz", "--seconds", "600"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    let ran = interrupt(child, "INT", Duration::from_millis(1500));
    assert!(ran.code == Some(130) && ran.stderr.starts_with("interrupted after "), "{}", ran.stderr);
    assert!(ran.stdout.contains(" cases (") && ran.stdout.contains("0 findings"), "{}", ran.stdout);
}

/// An implementation that still computes when time is over is stopped, which is not a finding; the summary is still
/// printed.
#[test]
fn what_is_stopped_is_no_finding() {
    let folder = Folder::new("fuzz_stopped");
    let waits = format!("read request; echo '{HELLO}'; read request; sleep 60");
    for _ in 0..4 {
        let ran = with(&folder, &["fuzz", "--timeout", "1", "--json", "--exec", &waits]);
        assert!(ran.code == Some(3) && ran.stderr.contains("L0003"), "{}", ran.stderr);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["findings"], Value::Array(Vec::new()), "{json}");
        assert_eq!(json["complete"], false);
    }
    assert!(!folder.path("findings").exists());
}

/// A finding that is being made smaller when time is over, and can no longer be written.
#[test]
fn what_is_found_last_and_cannot_be_written_is_said() {
    let folder = Folder::new("fuzz_last");
    let slow = format!("read request; echo '{HELLO}'; read request; echo > taken; {AT_FIRST} sleep 60");
    let ran = with(&folder, &["fuzz", "--timeout", "3", "--out", "taken", "--exec", &slow]);
    assert!(ran.code == Some(1) && ran.stdout.contains("1 finding"), "{}", ran.stdout);
    assert!(ran.stderr.contains("I0017") && ran.stderr.contains("selfsame finding 1\n"), "{}", ran.stderr);
}

/// A check that does not judge a case does not call it right; and the name alone does not identify a finding's
/// implementation.
#[test]
fn what_is_not_judged_is_not_right() {
    let folder = Folder::new("fuzz_silent");
    let reproducers = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/reproducers/");
    let system = format!("{reproducers}optimized-disagrees-62dece5d2d930f04.finding");
    for oracle in ["equiv", "prover", "padded", "equations"] {
        let ran = with(&folder, &["fuzz", "--replay", &system, "--target", oracle]);
        assert!(ran.code == Some(3) && ran.stdout.contains(": not judged: "), "{}", ran.stdout);
    }
    let ran = with(&folder, &["fuzz", "--replay", &system]);
    assert!(ran.code == Some(0) && ran.stdout.starts_with("optimized: right\n"), "{}", ran.stdout);
    let of_target = format!("{reproducers}onnxruntime-disagrees-a9f02f64f41d1e81.finding");
    let text = std::fs::read_to_string(of_target).unwrap();
    let text = text.replace("onnxruntime_target.py'", "other_target.py'");
    folder.write("other.finding", text);
    folder.refused(2, "U0001", "fuzz --replay other.finding");
    let judged = with(&folder, &["fuzz", "--target", "prover", "--cases", "40", "--json"]);
    let json: Value = serde_json::from_str(&judged.stdout).unwrap();
    assert!(json["cases"] == 40 && json["judged"]["prover"].as_u64().is_none_or(|n| n < 2), "{json}");
}
