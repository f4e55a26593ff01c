//! SaC through the commands.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use crate::comprehensions::every_example;

#[test]
fn every_example_is_well_formed_has_a_core_and_runs() {
    let count = every_example("sac", "sac", &[]);
    assert!(count >= 20, "{count}");
}

/// Without comprehensions it is the same program; as the paper prints the rules, `...` is one axis.
#[test]
fn comprehensions_become_with_loops() {
    let folder = Folder::new("with_loops");
    for (name, ranks) in
        [("matmul", ""), ("transpose", ""), ("border", ""), ("increments-comprehension", "--rank a=2")]
    {
        let program = examples().join(format!("sac/{name}.sac"));
        let lowered = folder.run(&format!("lower {} {ranks} --to with-loops", program.display()));
        assert_eq!(lowered.code, Some(0), "{}", lowered.stderr);
        assert!(lowered.stdout.contains("genarray(") && !lowered.stdout.contains("->"), "{}", lowered.stdout);
        folder.write("loops.sac", &lowered.stdout);
        let equal = folder.run(&format!("equiv {} loops.sac {ranks}", program.display()));
        let allowed = "the programs cannot be compared: only the first program allows";
        assert!(
            equal.code == Some(0) || equal.stderr.contains(allowed),
            "{name}: {}{}",
            equal.stdout,
            equal.stderr
        );
    }
    let other = folder.run(&format!("lower {} --to with-loops", examples().join("chain.alpha").display()));
    assert_eq!(other.code, Some(3), "{}", other.stderr);
}

/// An error of evaluation is a fault with its place; ranks are stated where types leave them open.
#[test]
fn errors_and_ranks() {
    let folder = Folder::new("array_errors");
    folder.write("second.sac", "double f(double[*] v) {\n  return sum(v[[1]]);\n}\n");
    folder.write("v.json", r#"{"v": {"shape": [1], "data": [5]}}"#);
    folder.refused(2, "I0022", "run second.sac --rank v=1 --param v_0=1 --input v.json");
    folder.refused(3, "P0022", "lower second.sac");
    folder.refused(2, "U0001", "check second.sac --rank v=0..2");
    folder.refused(2, "U0001", "check second.sac --rank v=17");
    let equal = folder.run("equiv second.sac second.sac --rank v=1..3");
    assert_eq!(equal.code, Some(0), "{}", equal.stderr);
    assert_eq!(equal.stdout.matches("ranks v = ").count(), 3, "{}", equal.stdout);
}
