//! A printed program reads back as the same program.

use crate::judgement::{FoundDifference, Judgement, JudgementTally, Kind};
use crate::oracles::OracleQuestion;

/// Judges the program of a case.
pub fn judge(question: &OracleQuestion<'_>) -> Judgement {
    match question.case.subject.tested().misprint() {
        Err(why) => Judgement::Refused(why),
        Ok(None) => Judgement::Right(JudgementTally { agree: 1, ..JudgementTally::default() }),
        Ok(Some(found)) => Judgement::Wrong(FoundDifference {
            kind: Kind::Unstable,
            at: String::new(),
            expected: "the same program".to_owned(),
            found,
        }),
    }
}
