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

/// What was found is asked of all oracles: none says that something is wrong, and some that all is right. Of what a target got wrong this
/// says that the reference says nothing else than this program's other ways to compute it; the target itself is asked by
/// `selfsame fuzz --replay`.
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
        let mut oracles = Oracles(ORACLES.iter().collect());
        let mut judge = |oracle: &Oracle| oracles.judge_again(oracle.name, &finding.case, &Isl::new());
        let judgements: Vec<Judgement> = ORACLES.iter().map(&mut judge).collect();
        let is_wrong = |judgement: &Judgement| matches!(judgement, Judgement::Wrong(_));
        let is_right = |judgement: &Judgement| matches!(judgement, Judgement::Right(_));
        assert!(
            judgements.iter().any(is_right) && !judgements.iter().any(is_wrong),
            "{}: {judgements:?}",
            path.display()
        );
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
