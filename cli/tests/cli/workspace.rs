//! What holds of the workspace as a whole.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use selfsame_cli::rules::files::collect;
use std::path::Path;

/// A library is compiled once, not a second time for tests inside it, and those would never run.
#[test]
fn tests_stand_outside_of_libraries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let workspace = read(&root.join("Cargo.toml"));
    let (_, members) = workspace.split_once("members = [").unwrap();
    let members = members.split(']').next().unwrap().split('"').skip(1).step_by(2);
    let mut tested = 0;
    for member in members {
        let manifest = read(&root.join(member).join("Cargo.toml"));
        let library = manifest.split_once("[lib]").map_or("", |(_, rest)| rest.split("\n[").next().unwrap());
        for line in ["test = false", "bench = false"] {
            assert!(library.lines().any(|found| found == line), "{member}: {line}");
        }
        let [sources, tests] = ["src", "tests"].map(|folder| root.join(member).join(folder));
        let mut found = Vec::new();
        if sources.exists() {
            assert!(collect(&sources, "rs", &mut found).is_ok());
        }
        for source in found {
            assert!(!read(&source).contains("#[test]"), "{}", source.display());
        }
        // One binary: a folder with a `main.rs`, and no file beside it.
        if tests.exists() {
            tested += 1;
            let files = std::fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path());
            let (folders, files): (Vec<_>, Vec<_>) = files.partition(|path| path.is_dir());
            assert_eq!(
                folders.iter().filter(|folder| folder.join("main.rs").exists()).count(),
                1,
                "{member}"
            );
            assert!(files.iter().all(|file| file.extension().is_none_or(|it| it != "rs")), "{member}");
        }
    }
    assert!(tested > 15, "{tested}");
}

/// Scripts of targets that no commit runs name files that exist: `ROOT / "semantics" / "base"`.
#[test]
fn scripts_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let scripts = std::fs::read_dir(root.join("readers")).unwrap().map(|entry| entry.unwrap().path());
    let mut named = 0;
    for script in scripts.filter(|path| path.extension().is_some_and(|ending| ending == "py")) {
        let text = std::fs::read_to_string(&script).unwrap();
        for rest in text.split("ROOT / \"").skip(1) {
            let (mut path, mut pieces) = (root.clone(), rest.split('"'));
            while let Some(part) = pieces.next() {
                path.push(part);
                if pieces.next() != Some(" / ") {
                    break;
                }
            }
            if path.starts_with(root.join("target")) {
                continue;
            }
            named += 1;
            assert!(path.exists(), "{} names {}", script.display(), path.display());
        }
    }
    assert!(named >= 4, "{named}");
}
