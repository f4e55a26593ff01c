//! The checker depends on the core's syntax and on z3, and on nothing that searches.

use std::process::Command;

/// The allowed dependencies: the checker also reads the subjects of certificates, so it needs the languages and
/// the rules.
const ALLOWED: [&str; 10] = [
    "checker",
    "base",
    "values",
    "core",
    "language",
    "languages",
    "alpha",
    "rink",
    "rule-files",
    "polyhedra",
];

#[test]
fn the_checker_depends_on_core_syntax_and_z3_only() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments =
        ["tree", "--offline", "--locked", "-p", "selfsame-checker", "-e", "normal", "--prefix", "none"];
    let tree = Command::new(cargo).args(arguments).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let ours: Vec<&str> = tree.split_whitespace().filter(|word| word.starts_with("selfsame-")).collect();
    assert!(ours.contains(&"selfsame-checker") && ours.contains(&"selfsame-core"), "{tree}");
    let allowed = ALLOWED.map(|name| format!("selfsame-{name}"));
    assert!(ours.iter().all(|name| allowed.iter().any(|allowed| allowed == name)), "{ours:?}");
    assert!(tree.contains("z3 v"), "{tree}");
}
