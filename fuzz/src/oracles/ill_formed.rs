//! A fault in a well-formed program gives its error, and no other error.

use crate::judgement::{CaseJudgement, JudgementTally};
use crate::oracles::OracleQuestion;

/// The number of seeds; each determines the places of faults. A campaign takes one at each turn, so that after
/// 16 turns all of them were tried.
const SEEDS: u64 = 16;

/// Judges the diagnostics about mutants of a case.
pub fn judge(question: &OracleQuestion<'_>) -> CaseJudgement {
    let seeds = question.turn.map_or(0..SEEDS, |turn| turn % SEEDS..turn % SEEDS + 1);
    for seed in seeds {
        match question.case.subject.tested().missed_fault(seed, question.engine) {
            Err(why) => return CaseJudgement::Refused(why),
            Ok(Some(difference)) => return CaseJudgement::Wrong(difference),
            Ok(None) => {}
        }
    }
    CaseJudgement::Right(JudgementTally { agree: 1, ..JudgementTally::default() })
}
