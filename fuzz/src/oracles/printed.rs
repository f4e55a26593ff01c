//! A printed program reads back as the same program.

use crate::judgement::{Difference, Judgement, Kind, Tally};
use crate::oracles::Question;

/// Judges the program of a case.
pub fn judge(question: &Question<'_>) -> Judgement {
    match question.case.subject.tested().misprint() {
        Err(why) => Judgement::Refused(why),
        Ok(None) => Judgement::Right(Tally { agree: 1, ..Tally::default() }),
        Ok(Some(found)) => Judgement::Wrong(Difference {
            kind: Kind::Unstable,
            at: String::new(),
            expected: "the same program".to_owned(),
            found,
        }),
    }
}
