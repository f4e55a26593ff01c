//! Rules by two readings: directly from their text, and by elaboration and the core's evaluation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy exempts test functions, but not their helpers"
)]

mod comparison;

use comparison::{Tally, compare};
use semantics::rules::library::Library;
use std::path::Path;

fn load(path: &Path) -> Library {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let source = read(path).unwrap();
    Library::load(path, &source, &read).0
}

#[test]
fn shipped_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules");
    let mut tally = Tally::default();
    let mut random = fastrand::Rng::with_seed(1);
    let mut files: Vec<_> = ["pass", "broken"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let library = load(&file);
        for rule in library.rules() {
            compare(&library, rule, &mut random, 300, &mut tally);
        }
    }
    for different in tally.different.iter().take(60) {
        println!("{different}");
    }
    println!("{:?}", Tally { different: Vec::new(), ..tally.clone() });
    assert!(tally.different.is_empty(), "{} differences", tally.different.len());
}
