//! A language that is one folder and one row of the table (`semantics/languages/src/toy`): the commands work on it, and nothing in them
//! knows it.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::Folder;
use languages::Language;
use std::path::Path;

/// `y = x + w + x` and `z = s + s` in three languages, and in the toy language also another sum.
fn programs(name: &str) -> Folder {
    let folder = Folder::new(name);
    let toy = "size n\ninput x[n]\ninput w[n]\ninput s\noutput y = x + w + x\noutput z = s + s\n";
    let alpha =
        "system s (n : { n | n>=1 } parameter; x : { i | 1<=i<=n } of real; w : { i | 1<=i<=n } of real;
        s : real) returns (y : { i | 1<=i<=n } of real; z : real);
        let y[i] = 2.0[] * x[i] + w[i]; z[] = s[] + s[]; tel;";
    let rink = "var input x : [n]\nvar input w : [n]\nvar input s : []\nvar output y : [n]\nvar output z : []
        y = x + (x + w)\nz = s + s\n";
    folder.write("a.toy", toy).write("different.toy", toy.replace("x + w + x", "x + x + x"));
    folder.write("a.alpha", alpha).write("a.rink", rink);
    folder
}

#[test]
fn a_row_of_the_table_is_checked_lowered_and_run() {
    let folder = programs("toy");
    let types = folder.accepted("check a.toy");
    assert!(types.contains("y : { i | 1<=i<=n } of real output\nz : real output\n"), "{types}");
    folder.write("core.alpha", folder.accepted("lower a.toy --notation array"));
    folder.accepted("equiv a.toy core.alpha");
    let tensor = |shape: &str, data: &str| format!("{{\"shape\":{shape},\"data\":{data}}}");
    let (x, w, s) = (tensor("[3]", "[1,2,3]"), tensor("[3]", "[10,20,30]"), tensor("[]", "[5]"));
    folder.write("in.json", format!("{{\"x\":{x},\"w\":{w},\"s\":{s}}}"));
    let said = "y from [1] to [3]\n  12  24  36\nz\n  10\n";
    assert_eq!(folder.accepted("run a.toy --param n=3 --input in.json"), said);
    let fast = folder.run("run a.toy --param n=3 --input in.json --fast --values i64 --check");
    assert_eq!((fast.code, &*fast.stdout), (Some(0), said), "{}", fast.stderr);
    assert!(fast.stderr.contains("4 agree, 0 disagree"), "{}", fast.stderr);
    // An element that is not given, a size that is not given, and one that is not a parameter.
    for arguments in ["--param n=4 --input in.json", "--input in.json", "--param m=3 --input in.json"] {
        assert_eq!(folder.run(&format!("run a.toy {arguments}")).code, Some(2), "{arguments}");
    }
    folder.write("bad.toy", "size n\noutput y = q\n");
    let refused = folder.run("check bad.toy");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("bad.toy:2:1"), "{}", refused.stderr);
}

/// The table notices numbers that are too long; the language need not.
#[test]
fn numbers_that_are_too_long_are_said() {
    let folder = Folder::new("toy-long");
    folder.write("a.toy", format!("input x\noutput y = x{}\n", " + x".repeat(15)));
    // A number of 1,048,574 bits; 16 of them have 4 more.
    let long = format!("1{}", "0".repeat(315_652));
    folder.write("in.json", format!("{{\"x\":{{\"shape\":[],\"data\":[{long}]}}}}"));
    let refused = folder.refused(3, "L0008", "run a.toy --input in.json");
    assert!(refused.contains("a number has more than 1048576 bits"), "{refused}");
}

#[test]
fn a_row_of_the_table_is_compared_with_the_others() {
    let folder = programs("toy-equiv");
    for (left, right) in
        [("a.toy", "a.rink"), ("a.rink", "a.toy"), ("a.toy", "a.alpha"), ("a.alpha", "a.toy")]
    {
        folder.accepted(&format!("equiv {left} {right} --certificate c.json"));
        folder.accepted(&format!("certify c.json --of {left} {right}"));
    }
    for other in ["a.toy", "a.rink", "a.alpha"] {
        let refuted = folder.run(&format!("equiv {other} different.toy"));
        assert_eq!(refuted.code, Some(1), "{}", refuted.stdout);
        assert!(refuted.stdout.contains("counterexample in `rational`: n = 1"), "{}", refuted.stdout);
    }
}

/// Sizes that a program does not have or does not allow are at fault, in every language.
#[test]
fn sizes_must_be_those_of_a_program() {
    let folder = programs("toy-sizes");
    for (command, why) in [
        ("check a.toy --param n=0", "the program has no meaning for n = 0"),
        ("check a.toy --param m=1", "the program has no parameter `m`"),
        ("equiv a.toy a.rink --param m=1", "neither program has a parameter `m`"),
        ("equiv a.toy a.rink --param n=0", "the program has no meaning for n = 0"),
        ("equiv a.rink a.rink --param m=1", "neither program has a parameter `m`"),
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(2), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{command}: {}", ran.stderr);
    }
    folder.write("none.toy", "size n\ninput x[n]\n");
    let ran = folder.run("equiv none.toy none.toy");
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.contains("open: no program has an output"), "{}", ran.stdout);
}

#[test]
fn a_program_of_a_row_of_the_table_is_fuzzed() {
    let folder = programs("toy-fuzz");
    let said = folder.accepted("fuzz --program a.toy --param n=3 --cases 40 --seed 1");
    assert!(
        said.starts_with("40 cases") && said.contains("0 rejected") && said.contains("40 by evaluator"),
        "{said}"
    );
    for other in ["a.alpha", "a.rink"] {
        folder.accepted(&format!("fuzz --program {other} --param n=3 --cases 20"));
    }
    for (arguments, why) in [
        ("--program a.toy", "the parameter `n` has no value"),
        ("--program a.toy --param n=3 --param m=1", "no parameter `m`"),
        ("--program a.alpha --param n=0", "has no meaning for n = 0"),
        ("--param n=3", "`--param` gives the sizes of a `--program`"),
    ] {
        let ran = folder.run(&format!("fuzz {arguments}"));
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
    }
}

/// Commands that the row lacks say so; help and hints do not name the language.
#[test]
fn what_a_row_lacks_is_not_supported() {
    let folder = programs("toy-lacks");
    for command in ["derive", "optimize", "normalize", "simulate"] {
        let ran = folder.run(&format!("{command} a.toy"));
        assert_eq!(ran.code, Some(3), "{command}: {}", ran.stderr);
    }
    assert!(!folder.accepted("check --help").contains("toy"));
    assert!(Language::ALL.iter().filter(|language| language.is_for_tests()).count() == 1);
}

/// The row is as small as a row can be: at most 150 lines.
#[test]
fn a_row_is_small() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../semantics/languages/src/toy/mod.rs");
    assert!(std::fs::read_to_string(file).unwrap().lines().count() <= 150);
}

/// No source of the commands, the prover, the checker or the guard names the language.
#[test]
fn nothing_but_its_folder_and_its_row_names_the_toy_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in [
        "cli/src",
        "rewrites/src",
        "checker/src",
        "link/src",
        "selfsame/src",
        "guard/src",
        "evaluator/src",
        "fuzz/src",
        "semantics",
    ] {
        named(&root.join(folder), &mut found);
    }
    found.sort();
    assert_eq!(found, ["lib.rs", "mod.rs", "table.rs"], "the module, the folder and the row");
}

/// The Rust files of a folder in which a word is the name of the toy language.
fn named(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            if words.any(|word| word.eq_ignore_ascii_case("toy")) {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
}
