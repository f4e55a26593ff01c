//! Every finding in `fuzz/reproducers/` stays fixed, and inputs of libFuzzer stay right.
#![allow(clippy::unwrap_used, reason = "tests")]

use fuzz::campaign::Check;
use fuzz::checks;
use fuzz::finding::Finding;
use fuzz::judgement::CaseJudgement;
use fuzz::oracles::{ORACLES, Oracle, Oracles};
use generators::choices::{DecisionSource, Random};
use polyhedra_isl::Isl;
use std::path::Path;

/// All oracles are asked about each finding: none may report a difference, and some must judge it right. For a
/// finding in a target this shows that the reference agrees with this program's other ways to compute it; the
/// target itself is asked by `selfsame fuzz --replay`.
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
        let mut judge =
            |oracle: &Oracle| oracles.judge_again(oracle.name, &finding.case, &Isl::with_memory());
        let judgements: Vec<CaseJudgement> = ORACLES.iter().map(&mut judge).collect();
        let is_wrong = |judgement: &CaseJudgement| matches!(judgement, CaseJudgement::Wrong(_));
        let is_right = |judgement: &CaseJudgement| matches!(judgement, CaseJudgement::Right(_));
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
    let (mut random, engine) = (Random::seeded(3), Isl::with_memory());
    for _ in 0..300 {
        let length = random.below(600);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        checks::oracles(&bytes, &engine);
    }
}
