//! The command as a process: usage, time limits, interruption, closed pipes.

use crate::common::{Folder, Ran, interrupt};
use std::process::Stdio;
use std::time::Duration;

/// A program that runs for hours.
const LONG: &str = "var x : [] var A : [60] A = A
    x = (A # A # A # A # A # A # A # A # A # A # A # A) . [1 2] . [1 2] . [1 2] . [1 2] . [1 2] . [1 2]";

fn long(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("long.rink", LONG);
    folder
}

#[test]
fn usage() {
    let folder = Folder::new("usage");
    folder.write("p.rink", "var x : [2]");
    for arguments in [
        "",
        "nonsense",
        "check",
        "check p.rink q.rink",
        "check p.rink --nonsense",
        "run p.rink --pad 0",
        "run p.rink --pad -1",
        "run p.rink --pad 18446744073709551616",
        "run p.rink --pad x",
        "run p.rink --values complex",
        "run p.rink --division none",
        "run p.rink --evaluator fast",
        "run p.rink --max-elements -1",
        "run p.rink --timeout 0",
        "run p.rink --timeout -1",
        "run p.rink --timeout nan",
        "run p.rink --timeout inf",
        "check p.rink --language cobol",
        "run p.rink --seed x",
        "run p.rink --json --json",
    ] {
        folder.refused(2, "U0001", arguments);
    }
    for arguments in ["--help", "--version", "check --help", "run --help", "help run"] {
        assert!(!folder.accepted(arguments).is_empty());
    }
    folder.accepted("run p.rink --seed 7 --timeout 1e9");
    folder.accepted("--timeout 100 --seed 18446744073709551615 check p.rink");
}

#[test]
fn time_limit() {
    let folder = long("time_limit");
    let stderr = folder.refused(3, "L0003", "run long.rink --timeout 0.3");
    assert!(
        stderr.contains("after 1 of 2 statements") || stderr.contains("after 0 of 2 statements"),
        "{stderr}"
    );
}

#[test]
fn interruption() {
    let folder = long("interruption");
    for signal in ["INT", "TERM"] {
        let mut command = folder.command();
        command.args(["run", "long.rink"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let ran = interrupt(child, signal, Duration::from_millis(500));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""));
        assert!(
            ran.stderr.starts_with("interrupted after ") && ran.stderr.contains("of 2 statements"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::new("pipe");
    folder.write("p.rink", "var x : [1000 1000]");
    let mut child = folder
        .command()
        .args(["run", "p.rink", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_reader_that_does_not_read() {
    let folder = Folder::new("stuck_pipe");
    folder.write("p.rink", "var x : [1000 1000]");
    let mut command = folder.command();
    let mut child =
        command.args(["run", "p.rink", "--json", "--timeout", "3"]).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn output_that_cannot_be_written() {
    if let Ok(full) = std::fs::File::create("/dev/full") {
        let folder = Folder::new("full");
        folder.write("p.rink", "var x : [2]");
        let ran = Ran::from(folder.command().args(["check", "p.rink"]).stdout(full).output().unwrap());
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with("error[I0017]: "), "{}", ran.stderr);
    }
}
