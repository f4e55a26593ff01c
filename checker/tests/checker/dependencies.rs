//! The checker depends on the core and on z3: it knows no language, and nothing that searches. What relates texts to
//! the core (`link`) knows the languages, and nothing that searches either.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::process::Command;

/// The crates of this workspace that a crate depends on, directly or not, itself included; and the whole tree.
fn ours(package: &str) -> (BTreeSet<String>, String) {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["tree", "--offline", "--locked", "-p", package, "-e", "normal", "--prefix", "none"];
    let tree = Command::new(cargo).args(arguments).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let ours = tree.split_whitespace().filter_map(|word| word.strip_prefix("selfsame-"));
    (ours.map(str::to_owned).collect(), tree)
}

#[test]
fn the_checker_depends_on_the_core_and_z3_only() {
    let (found, tree) = ours("selfsame-checker");
    assert_eq!(found, ["base", "checker", "core", "values"].map(str::to_owned).into());
    assert!(tree.contains("z3 v"), "{tree}");
}

#[test]
fn what_reads_the_texts_of_certificates_depends_on_nothing_that_searches() {
    let (found, _) = ours("selfsame-link");
    let allowed = [
        "alpha",
        "base",
        "checker",
        "core",
        "indices",
        "language",
        "languages",
        "link",
        "polyhedra",
        "rink",
        "rule-files",
        "sac",
        "tc",
        "values",
    ];
    assert_eq!(found, allowed.map(str::to_owned).into());
}
