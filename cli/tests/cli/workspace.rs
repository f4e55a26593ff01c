//! What holds of the workspace as a whole.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use selfsame_cli::rules::files::collect;
use std::path::Path;

/// A library that is not built for tests has none in its sources: they would never run.
#[test]
fn every_unit_test_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let workspace = read(&root.join("Cargo.toml"));
    let (_, members) = workspace.split_once("members = [").unwrap();
    let members = members.split(']').next().unwrap().split('"').skip(1).step_by(2);
    let mut untested = 0;
    for member in members {
        let manifest = read(&root.join(member).join("Cargo.toml"));
        let library = manifest.split_once("[lib]").map_or("", |(_, rest)| rest.split("\n[").next().unwrap());
        let folder = root.join(member).join("src");
        if library.lines().any(|line| line == "test = false") && folder.exists() {
            untested += 1;
            let mut sources = Vec::new();
            assert!(collect(&folder, "rs", &mut sources).is_ok());
            for source in sources {
                assert!(!read(&source).contains("#[test]"), "{}", source.display());
            }
        }
    }
    assert!(untested > 10, "{untested}");
}
