//! The checks of the libFuzzer targets, as functions that `cargo test` runs too. Each panics on a finding.
#![allow(clippy::panic, reason = "a finding is a panic")]

use crate::campaign::Check;
use crate::finding::Finding;
use crate::generation::{Profile, case};
use crate::judgement::CaseJudgement;
use crate::oracles::{ORACLES, Oracles};
use generators::choices::{Bytes, DecisionSource};
use polyhedra::Engine;

/// The oracles that the bytes select accept the case that the bytes make.
pub fn oracles(bytes: &[u8], engine: &dyn Engine) {
    let mut choices = Bytes(bytes);
    let number = choices.below(256) as u64;
    let Ok((case, meaning)) = case(&mut choices, Profile::default(), engine) else { return };
    let mut check = Oracles(ORACLES.iter().collect());
    for (check_name, judgement) in check.judge(&case, &meaning, number, engine) {
        if let CaseJudgement::Wrong(difference) = judgement {
            let (origin, implementation) = ((0, number), check.implementation());
            panic!(
                "{}",
                Finding { check: check_name, case, difference, origin, implementation, repeats: None }
            );
        }
    }
}
