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

/// What an oracle found is asked of it again. What a target got wrong is asked of all oracles: that the reference says nothing else than this
/// program's other ways to compute it, so that it was not the reference that was wrong. The target itself is asked by `selfsame fuzz --replay`.
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
        let is_target = !finding.implementation.command.is_empty();
        let asked: Vec<&Oracle> = match Oracle::named(&finding.check) {
            Some(oracle) if !is_target => vec![oracle],
            _ => ORACLES.iter().collect(),
        };
        let mut oracles = Oracles(asked.clone());
        let mut judge = |oracle: &Oracle| oracles.judge_again(oracle.name, &finding.case, &Isl::new());
        let judgements: Vec<Judgement> = asked.into_iter().map(&mut judge).collect();
        // Not every oracle judges every case.
        let is_fine = |judgement: &Judgement| is_target && matches!(judgement, Judgement::Refused(_));
        let is_right = |judgement: &Judgement| matches!(judgement, Judgement::Right(_));
        assert!(
            judgements.iter().any(is_right) && judgements.iter().all(|j| is_right(j) || is_fine(j)),
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
