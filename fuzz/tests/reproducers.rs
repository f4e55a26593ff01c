//! Every finding in `fuzz/reproducers/` stays repaired, and bytes of libFuzzer are right.
#![allow(clippy::unwrap_used, reason = "tests")]

use fuzz::campaign::Check;
use fuzz::checks;
use fuzz::finding::Finding;
use fuzz::judgement::Judgement;
use fuzz::oracles::{ORACLES, Oracle, Oracles};
use generators::choices::{Choices, Random};
use polyhedra_isl::Isl;
use std::path::Path;

/// Findings of targets are replayed with these (`selfsame fuzz --replay`); what is kept here is about this program.
#[test]
fn findings_stay_repaired() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reproducers");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "finding") {
            continue;
        }
        let finding = Finding::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(Oracle::named(&finding.check).is_some(), "{}: no oracle `{}`", path.display(), finding.check);
        let judgement =
            Oracles(ORACLES.iter().collect()).judge_again(&finding.check, &finding.case, &Isl::new());
        assert!(matches!(judgement, Judgement::Right(_)), "{}: {judgement:?}", path.display());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn bytes_are_right() {
    let (mut random, engine) = (Random::seeded(3), Isl::new());
    for _ in 0..300 {
        let length = random.below(600);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        checks::oracles(&bytes, &engine);
    }
}
