//! Compares two readings of rules: directly from their text, and by elaboration and the core's evaluation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy exempts test functions, but not their helpers"
)]

mod comparison;
mod coverage;

use comparison::{ComparisonEffort, Tally, compare};
use rule_files::library::Library;
use std::path::Path;

fn load(path: &Path) -> Library {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let source = read(path).unwrap();
    Library::load(path, &source, &read).0
}

#[test]
fn shipped_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let mut tally = Tally::default();
    let mut random = fastrand::Rng::with_seed(1);
    let mut files: Vec<_> = ["pass", "broken"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    // For other files, conditions on values are not compared.
    let others = std::env::var("SELFSAME_RULE_FILES").unwrap_or_default();
    files.extend(others.split_whitespace().map(std::path::PathBuf::from));
    files.sort();
    for file in files {
        let library = load(&file);
        for rule in library.rules() {
            compare(
                &library,
                rule,
                &mut random,
                ComparisonEffort { instances: 7, tries: 300, met: 2 },
                &mut tally,
            );
        }
    }
    for different in tally.different.iter().take(60) {
        println!("{different}");
    }
    println!("{:?}", Tally { different: Vec::new(), ..tally.clone() });
    assert!(tally.different.is_empty(), "{} differences", tally.different.len());
}

#[test]
fn random_rules() {
    let mut tally = Tally::default();
    let mut first: Vec<(u64, String)> = Vec::new();
    let mut coverage = coverage::OccurrenceCounts::default();
    let from = std::env::var("SELFSAME_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in from..from + campaigns::size("rule-readings") {
        let text = generators::rules::rule_file(&mut generators::choices::Random::seeded(seed));
        let (library, errors) =
            Library::load(Path::new("random.rules"), &text, &|_| Err("no file".to_owned()));
        assert!(errors.is_empty(), "seed {seed}: {:?}\n{text}", errors[0]);
        let (items, _) = rule_files::parsing::parse(&text);
        items.iter().for_each(|item| coverage.item(item));
        let before = (tally.different.len(), tally.refused);
        let mut random = fastrand::Rng::with_seed(seed);
        for rule in library.rules() {
            compare(
                &library,
                rule,
                &mut random,
                ComparisonEffort { instances: 2, tries: 6, met: 1 },
                &mut tally,
            );
        }
        if tally.different.len() > before.0 {
            first.push((seed, format!("{text}{}\n", tally.different[before.0])));
        }
        if tally.refused > before.1 && std::env::var("SELFSAME_REFUSED").is_ok() {
            let fault = rule_files::instances::instances(&library, &library.rules()[0]).err();
            println!("refused: seed {seed}: {}", fault.map_or(String::new(), |fault| fault.message));
        }
    }
    for (seed, text) in first.iter().take(12) {
        println!("seed {seed}\n{text}");
    }
    println!("{:?}", coverage.0);
    println!("{} rules differ; {:?}", first.len(), Tally { different: Vec::new(), ..tally.clone() });
    assert!(tally.different.is_empty(), "{} differences", tally.different.len());
    let unseen: Vec<_> =
        coverage::EVERYTHING.iter().filter(|what| !coverage.0.contains_key(**what)).collect();
    assert!(unseen.is_empty(), "no random rule has {unseen:?}");
    assert!(
        tally.refused * 10 < tally.taken,
        "{} of {} rules are refused",
        tally.refused,
        tally.taken + tally.refused
    );
    assert!(tally.mostly_defined * 2 > tally.with_elements, "most of what is compared is undefined");
}
