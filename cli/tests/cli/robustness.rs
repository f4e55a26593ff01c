//! Inputs that once made the command panic, hang, or use all memory. Each represents a class.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{Folder, Ran, examples};
use std::path::Path;
use std::process::Command;

/// A folder with the cases, next to the rules that they import.
fn cases(name: &str) -> Folder {
    let folder = Folder::new(name);
    let copy = |from: &Path, to: &str| {
        std::fs::create_dir_all(folder.path(to)).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
            std::fs::copy(&entry, folder.path(to).join(entry.file_name().unwrap())).unwrap();
        }
    };
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/robustness"), "cases");
    copy(&examples().join("../rules/library"), "library");
    folder
}

/// A run that must exit by itself, without a panic on any thread.
#[track_caller]
fn ends(folder: &Folder, arguments: &str) -> Ran {
    let ran = folder.run(arguments);
    assert!(matches!(ran.code, Some(0..=3)), "{arguments}: {:?}: {}", ran.code, ran.stderr);
    assert!(!ran.stderr.contains("panicked at"), "{arguments}: {}", ran.stderr);
    ran
}

#[test]
fn costs_that_depend_on_run_time_indices_are_no_polynomials() {
    let folder = cases("costs");
    for file in ["cases/g1.alpha", &examples().join("additions.alpha").display().to_string()] {
        let ran = ends(&folder, &format!("optimize {file}"));
        // A cheaper system, or none.
        assert!(
            ran.code == Some(0) || (ran.code == Some(3) && ran.stdout.is_empty()),
            "{file}: {}",
            ran.stderr
        );
    }
}

#[test]
fn sizes_near_the_largest_machine_integer() {
    let folder = cases("sizes");
    for number in [1, 3, 4] {
        for value in ["9223372036854775806", "9223372036854775807"] {
            let file = format!("cases/panic_{number}.alpha");
            ends(&folder, &format!("equiv {file} {file} --param N={value}"));
        }
    }
    let stderr = folder.refused(3, "V0009", "verify cases/panic_2.rules");
    assert!(stderr.contains("-9223372036854775808 is too large: choices go up to 8"), "{stderr}");
}

#[test]
fn choices_are_counted_before_they_are_built() {
    let stderr = cases("choices").refused(3, "V0009", "verify cases/perm2.rules");
    assert!(stderr.contains("more than 1000 instances"), "{stderr}");
}

#[test]
fn only_regular_files_of_limited_size_are_imported() {
    let folder = cases("imports");
    let ran = folder.run("verify cases/import3.rules --certificates proofs");
    assert!(ran.code == Some(2) && ran.stderr.contains("V0010"), "{}", ran.stderr);
    assert!(!folder.path("proofs/cases/import3/r.json").exists(), "a certificate that nobody can check");
    let rule = "rule r \"\" tensors A[] left A right A*1\n";
    let large = "# A comment.\n".repeat(400_000);
    folder.write("large.rules", &large).write("a.rules", format!("import \"large.rules\"\n{rule}"));
    let Ran { code, stderr, .. } = folder.run("verify a.rules");
    assert!(code == Some(2) && stderr.contains("more than 4194304 bytes"), "{stderr}");
    folder.write("b.rules", format!("{large}{rule}"));
    folder.refused(3, "V0009", "verify b.rules");
}

#[test]
fn vectors_of_symbols_are_bounded() {
    let folder = cases("vectors");
    folder.write("a.rules", "rule r \"\" sizes n[1000000000] tensors x[n] left x right x+0\n");
    let ran = ends(&folder, "verify a.rules");
    assert!(ran.stderr.contains("V0009") && matches!(ran.code, Some(2 | 3)), "{:?} {}", ran.code, ran.stderr);
}

#[test]
fn many_small_imports_are_too_many() {
    let folder = cases("many-imports");
    let imports: String = (0..1001).map(|k| format!("import \"i{k}.rules\"\n")).collect();
    (0..1001).for_each(|k| {
        folder.write(&format!("i{k}.rules"), "");
    });
    folder.write("a.rules", format!("{imports}rule r \"\" tensors A[] left A right A*1\n"));
    let Ran { code, stderr, .. } = folder.run("verify a.rules");
    assert!(code == Some(2) && stderr.contains("more than 1000 files are imported"), "{stderr}");
}

#[test]
fn operators_that_share_are_elaborated_once() {
    let folder = cases("sharing");
    let ran = ends(&folder, "verify cases/fact2.rules");
    // 2^51 times A does not equal A.
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let double = |k: usize| format!("define d{}(x[]) is d{k}(x) + d{k}(x)\n", k + 1);
    let definitions: String = (0..50).map(double).collect();
    let rule = "rule r \"\" tensors A[] left d50(A) right d49(A) * 2\n";
    folder.write("a.rules", format!("define d0(x[]) is x\n{definitions}{rule}"));
    // The solver may spend a long time on floats without a result.
    ends(&folder, "verify a.rules --timeout 5");
}

#[test]
fn certificates_of_deep_proofs_are_read_again() {
    let folder = cases("certificates");
    let ran = ends(&folder, "verify cases/deep40.rules --certificates proofs");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let text = std::fs::read_to_string(folder.path("proofs/cases/deep40/r.json")).unwrap();
    assert!(text.contains("fold"), "the proof is not nested: {text}");
    folder.accepted("certify proofs");
}

/// A proof of 9,990 levels is close to the limit for nesting in a file, 20,000. It is read, and refused for what
/// it says.
#[test]
fn a_certificate_that_is_nested_as_deep_as_it_may_be_is_read() {
    let folder = cases("nested");
    folder
        .write("a.rules", "rule r \"commutes\"\n  sizes n tensors x[n], y[n]\n  left x + y\n  right y + x\n");
    folder.accepted("verify a.rules --certificates proofs");
    let text = std::fs::read_to_string(folder.path("proofs/a/r.json")).unwrap();
    let (before, _) = text.split_once("\"proofs\"").unwrap();
    let levels = 9_990;
    let (opening, closing) = ("{\"congruence\": [\"same\", ".repeat(levels), "]}".repeat(levels));
    folder.write("deep.json", format!("{before}\"proofs\": [{opening}\"same\"{closing}]}}]}}"));
    let ran = folder.run("certify deep.json");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("two nodes, not one"), "{}", ran.stdout);
}

#[test]
fn documents_that_are_nested_too_deep_are_a_limit() {
    let folder = cases("documents");
    folder.write("deep.json", "[".repeat(10_000_000));
    folder.refused(3, "L0006", "certify deep.json");
    folder.write("p.rink", "var input x : [2]");
    folder.refused(2, "I0007", "run p.rink --input deep.json");
}

#[test]
fn a_law_with_a_sum_is_not_looked_at_without_end() {
    let folder = cases("law-of-sums");
    let command =
        format!("ulimit -v 2000000; exec {} verify cases/law-of-sums.rules", env!("CARGO_BIN_EXE_selfsame"));
    let output = Command::new("sh").args(["-c", &command]).current_dir(folder.path(".")).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert!(stdout.contains("1 unknown"), "{stdout}");
}

/// The steps of this map in a direction do not fit in 64 bits.
#[test]
fn coefficients_near_the_largest_machine_integer() {
    let folder = cases("coefficients");
    let tiled = include_str!("../../../examples/product-tiled.alpha");
    for extreme in ["9223372036854775807", "-9223372036854775807"] {
        let text = tiled.replacen("B[4t+r,j]", &format!("B[{extreme}t+r,j]"), 1);
        assert_ne!(text, tiled);
        folder.write("tiled.alpha", text);
        ends(&folder, "optimize tiled.alpha");
    }
}

/// Regression: 10,000 terms gave no answer, and 4,000 no proof, because the proof contained the path to each term.
/// The time is measured in `benches/benches/chains.rs`.
#[test]
fn long_sums_in_another_order() {
    let folder = Folder::new("long-sums");
    let (count, stride) = (4_001, 1_237);
    let sum = |order: &dyn Fn(usize) -> usize| {
        let reads: Vec<String> = (0..count).map(|k| format!("x[{}]", order(k))).collect();
        let sum = reads.join(" + ");
        format!("system s (x : {{ i | 0<=i<{count} }} of real) returns (y : real); let y[] = {sum}; tel;")
    };
    folder.write("a.alpha", sum(&|k| k));
    folder.write("b.alpha", sum(&|k| k * stride % count));
    folder.accepted("equiv a.alpha b.alpha --values rational");
}
