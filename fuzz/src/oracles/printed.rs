//! A printed program reads back as the same program.

use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally};
use crate::oracles::OracleQuestion;

/// Judges the program of a case.
pub fn judge(question: &OracleQuestion<'_>) -> CaseJudgement {
    match question.case.subject.tested().misprint() {
        Err(why) => CaseJudgement::Refused(why),
        Ok(None) => CaseJudgement::Right(JudgementTally { agree: 1, ..JudgementTally::default() }),
        Ok(Some(found)) => CaseJudgement::Wrong(FoundDifference {
            kind: DifferenceKind::Unstable,
            at: String::new(),
            expected: "the same program".to_owned(),
            found,
        }),
    }
}
