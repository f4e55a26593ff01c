//! Ctrl-C at any place in the program, and time limits at any moment. No verdict depends on the clock.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::{Folder, Ran, examples, interrupt};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Starts a command, interrupts it after a while, and returns its result.
fn interrupted(folder: &Folder, arguments: &[&str], after: Duration) -> Ran {
    let mut command = folder.command();
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    interrupt(child, "INT", after)
}

/// The number of copies of the two rules of `bits.rules`.
const COPIES: usize = 1_000;

/// As `interrupt.py` of the cases: z3 would consume the interrupt, and the search would continue to another
/// answer.
#[test]
fn ctrl_c_inside_of_z3() {
    let folder = Folder::new("ctrl_c_z3");
    // Enough copies that no machine finishes before the interrupt, however many rules it verifies at once.
    let bits = include_str!("../cases/bits.rules");
    let renamed = |copy| bits.replace(" \"\"\n", &format!("-{copy} \"\"\n"));
    folder.write("bits.rules", (0..COPIES).map(renamed).collect::<String>());
    for step in 0..6 {
        let ran = interrupted(
            &folder,
            &["verify", "bits.rules", "--json"],
            Duration::from_millis(100 + 130 * step),
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""), "{}", ran.stderr);
        // The message says how many rules were finished.
        assert!(ran.stderr.starts_with("interrupted"), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(&format!("of {} rules", 2 * COPIES)) || !ran.stderr.contains("after"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.ends_with("; nothing was written\n"), "{}", ran.stderr);
    }
}

/// The findings so far are printed; they are not an answer, and no started process remains.
#[test]
fn ctrl_c_while_fuzzing() {
    let folder = Folder::new("ctrl_c_fuzz");
    let hello = r#"{"protocol":1,"name":"slow","versions":"1","numbers":["i32"],"floats":{}}"#;
    let command = format!("echo $$ > pid; read request; echo '{hello}'; read request; sleep 1000");
    let itself = ["fuzz", "--cases", "1000000000", "--json"];
    let target = ["fuzz", "--cases", "1000000000", "--answer", "900", "--json", "--exec", &command];
    for arguments in [&itself[..], &target[..]] {
        let ran = interrupted(&folder, arguments, Duration::from_millis(400));
        assert_eq!(ran.code, Some(130), "{}", ran.stderr);
        assert!(ran.stderr.starts_with("interrupted"), "{}", ran.stderr);
        if !ran.stdout.is_empty() {
            let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(json["complete"], false);
        }
    }
    // The target may have been stopped before it wrote its process id. A killed process may take a moment to end.
    if let Ok(pid) = std::fs::read_to_string(folder.path("pid")) {
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        // A process that has ended stays listed until its parent waits for it.
        let runs = || !state().is_empty() && !state().contains(") Z ");
        let still = (0..1_000).all(|_| {
            std::thread::sleep(Duration::from_millis(10));
            runs()
        });
        assert!(!still, "the target still runs: {}", state());
    }
}

/// Commands over the corpus, each as a list of words.
fn corpus() -> Vec<Vec<String>> {
    let shipped = |name: &str| examples().join("..").join(name).display().to_string();
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut push = |words: &[&str], files: &[String]| {
        all.push(words.iter().map(|word| (*word).to_owned()).chain(files.iter().cloned()).collect());
    };
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path().display().to_string();
        if path.ends_with(".alpha") {
            for words in [
                &["equiv", "--json", "--certificate", "/dev/null"][..],
                &["optimize", "--json"],
                &["normalize"],
                &["check"],
            ] {
                let files = if words[0] == "equiv" { vec![path.clone(); 2] } else { vec![path.clone()] };
                push(words, &files);
            }
        }
        if let Some(name) = path.strip_suffix("-a.rink") {
            push(&["equiv", "--json"], &[path.clone(), format!("{name}-b.rink")]);
            push(&["simulate", "--json"], std::slice::from_ref(&path));
        }
    }
    for (one, other) in
        [("product.alpha", "product-tiled.alpha"), ("product.alpha", "product-tiled-wrong.alpha")]
    {
        push(&["equiv", "--json"], &[one, other].map(|name| shipped(&format!("examples/{name}"))));
    }
    for folder in ["rules/pass", "rules/broken"] {
        for entry in std::fs::read_dir(shipped(folder)).unwrap() {
            push(&["verify", "--json"], &[entry.unwrap().path().display().to_string()]);
        }
    }
    push(&["verify", "--json"], &[shipped("rules")]);
    push(&["theorems", "--json"], &[]);
    push(&["fuzz", "--json", "--cases", "1000"], &[]);
    push(
        &["certify", "--json"],
        &[Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/esc_name.json").display().to_string()],
    );
    all.sort();
    all
}

/// A pseudo-random number in [0, 1), from a linear congruential generator.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn a_limit_of_time_at_any_moment() {
    let folder = Folder::new("limits");
    let runs = campaigns::size("limits");
    let (corpus, mut state) = (corpus(), 1);
    assert!(corpus.len() > 60, "{}", corpus.len());
    let mut codes = std::collections::BTreeMap::<i32, u64>::new();
    for run in 0..runs {
        let arguments = &corpus[(random(&mut state) * corpus.len() as f64) as usize];
        // Uniform on a logarithmic scale: from 10 ms to 3 s.
        let limit = format!("{:.3}", 0.01 * 300_f64.powf(random(&mut state)));
        let output = folder.command().args(arguments).args(["--timeout", &limit]).output().unwrap();
        let what = format!("run {run}: {arguments:?} --timeout {limit}: {:?}", output.status);
        let ran = Ran::from(output);
        let code = ran.code.unwrap_or_else(|| panic!("{what}: {}", ran.stderr));
        assert!((0..=3).contains(&code), "{what}: {}", ran.stderr);
        for word in ["malloc", "free()", "corrupt", "double free", "panicked", "terminate called"] {
            assert!(!ran.stderr.contains(word), "{what}: {}", ran.stderr);
        }
        let is_json = arguments.iter().any(|word| word == "--json");
        let is_whole = match is_json {
            true => serde_json::from_str::<serde_json::Value>(&ran.stdout).is_ok(),
            false => ran.stdout.ends_with('\n'),
        };
        assert!(ran.stdout.is_empty() || is_whole, "{what}: {}", ran.stdout);
        *codes.entry(code).or_default() += 1;
    }
    println!("{runs} runs, by exit code: {codes:?}");
    assert_eq!(codes.values().sum::<u64>(), runs);
}

/// At a time limit `certify --json` lists every certificate: the checked ones, and the others as not reached.
#[test]
fn certificates_that_are_not_reached_are_listed() {
    let folder = Folder::new("limit_certify");
    let system = "system s (x : integer) returns (y : integer); let y[] = x[] + 1[]; tel;";
    folder.write("a.alpha", system).write("b.alpha", system.replace("x[] + 1[]", "1[] + x[]"));
    folder.accepted("equiv a.alpha b.alpha --certificate c.json");
    let certificate = std::fs::read_to_string(folder.path("c.json")).unwrap();
    std::fs::create_dir(folder.path("many")).unwrap();
    (0..100).for_each(|k| {
        folder.write(&format!("many/{k:03}.json"), &certificate);
    });
    for limit in ["0.1", "0.5", "1000"] {
        let ran = folder.run(&format!("certify many --json --timeout {limit}"));
        // On a slow machine nothing may have begun.
        if (ran.code, &*ran.stdout, limit == "1000") == (Some(3), "", false) {
            continue;
        }
        let rows: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
        let reached = rows.iter().filter(|row| row["holds"] == true).count();
        let open =
            rows.iter().filter(|row| row["refusal"] == "not reached" && row["undecided"] == true).count();
        assert_eq!((rows.len(), reached + open), (100, 100), "{}", ran.stdout);
        assert_eq!(ran.code, Some(if open == 0 { 0 } else { 3 }), "{}", ran.stderr);
        assert!(limit != "1000" || open == 0, "{}", ran.stdout);
    }
}

/// Every command takes a limit and a seed, before its name and after it.
#[test]
fn every_command_takes_a_limit_and_a_seed() {
    let folder = Folder::new("limits_everywhere");
    let help = folder.accepted("--help");
    let names =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> =
        names.filter_map(|line| line.split_whitespace().next()).filter(|n| *n != "help").collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        for arguments in
            [format!("{name} --timeout 9 --seed 7 --help"), format!("--timeout 9 --seed 7 {name} --help")]
        {
            let help = folder.accepted(&arguments);
            assert!(help.contains("--timeout") && help.contains("--seed"), "{help}");
        }
    }
}
