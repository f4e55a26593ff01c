//! Runs the checks of the libFuzzer targets for rules and certificates on the shipped rules, on certificates of
//! theorems, and on texts with some bytes changed.

#![allow(clippy::expect_used, reason = "clippy exempts test functions, but not their helpers")]

use fastrand::Rng;
use fuzz::proving;
use polyhedra_isl::Isl;
use std::path::{Path, PathBuf};

/// The number of changed texts of each.
const CHANGED: usize = 40;

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

/// The text with some bytes exchanged, removed or doubled.
fn changed(text: &str, rng: &mut Rng) -> String {
    let mut bytes: Vec<u8> = text.bytes().collect();
    for _ in 0..rng.usize(1..4) {
        let (at, other) = (rng.usize(..bytes.len()), rng.usize(..bytes.len()));
        match rng.u8(0..3) {
            0 => bytes.swap(at, other),
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[other]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a check on changed texts.
fn each_changed(text: &str, rng: &mut Rng, mut check: impl FnMut(&str)) {
    (0..CHANGED).for_each(|_| check(&changed(text, rng)));
}

#[test]
fn rules_are_read_whatever_they_say_and_what_is_proved_of_them_is_not_contradicted() {
    let mut rng = Rng::with_seed(1);
    let (mut read, mut rules) = (0, 0);
    for path in files("rules/pass", "rules").into_iter().chain(files("rules/broken", "rules")) {
        let text = std::fs::read_to_string(&path).expect("a text");
        each_changed(&text, &mut rng, |text| {
            proving::rules_parsing_alone(text);
            read += 1;
        });
        rules += proving::rules_parsing(&text.replace("../", "")).rules().len();
        proving::rules_verifying(&changed(&text.replace("../", ""), &mut rng));
    }
    assert!(read > 500 && rules > 200, "{read} texts, {rules} rules");
}

#[test]
fn certificates_are_read_and_checked_whatever_they_say() {
    let mut rng = Rng::with_seed(2);
    let paths = files("examples/theorems", "json");
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        proving::certificate_reading(&text);
        each_changed(&text, &mut rng, |forged| {
            proving::certificate_reading(forged);
            proving::certificate_checking(forged, || Isl::with_total_budget(200_000));
        });
    }
}

#[test]
fn derivations_and_findings_are_read_or_refused() {
    let mut rng = Rng::with_seed(5);
    let findings = files("fuzz/reproducers", "finding");
    assert!(!findings.is_empty());
    for path in findings {
        let text = std::fs::read_to_string(&path).expect("a finding");
        proving::finding_reading(&text);
        each_changed(&text, &mut rng, proving::finding_reading);
    }
    let empty = r#"{"format": "selfsame-derivation", "version": 1, "of": "typing", "nodes": []}"#;
    for text in ["", "{}", "[[", empty] {
        proving::derivation_reading(text, &Isl::new());
    }
    for path in files("fuzz/targets/seeds", "json") {
        let text = std::fs::read_to_string(&path).expect("a derivation");
        proving::derivation_reading(&text, &Isl::new());
        for _ in 0..10 {
            let engine = Isl::with_total_budget(200_000);
            each_changed(&text, &mut rng, |text| proving::derivation_reading(text, &engine));
        }
    }
}
