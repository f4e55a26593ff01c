//! A term of a sum, and the part of it that is not matched yet.

use crate::search::expansion::SumTerm;
use crate::search::samples::SamplePoint;
use crate::search::solving::SolvedUnknowns;
use selfsame_core::{Condition, InputId, Operator};

/// The maximum number of parts of a term. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_PARTS: usize = 24;
/// The maximum number of index terms in the condition of a part. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_SIZE: usize = 400;

/// The kind of a factor; only factors of the same kind are matched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FactorKind {
    Read(InputId),
    Apply(Operator),
    Reduce(&'static str),
    Other,
}

/// A term and the part of it that is not matched yet.
pub(crate) struct Open {
    pub term: SumTerm,
    /// Samples of its points.
    pub all: Vec<SamplePoint>,
    /// Samples of its unmatched points.
    pub points: Vec<SamplePoint>,
    /// Conditions whose union contains the matched points.
    pub parts: Vec<Condition>,
    /// The kinds of its factors, in order.
    pub heads: Vec<(bool, FactorKind)>,
    /// If there are no bound indices, so that nothing has to be solved for: a hash of each factor, as written and
    /// by its values at the samples.
    pub keys: Option<[Vec<u64>; 2]>,
}

impl Open {
    /// The condition that a point, with its indices replaced, is not matched yet.
    pub fn rest(&self, map: &SolvedUnknowns) -> Condition {
        Condition::all(self.parts.iter().map(|part| !part.substitute(&|v| map.find(v))))
    }

    /// The condition that the replaced indices are an unmatched point of the term.
    pub fn image(&self, map: &SolvedUnknowns) -> Condition {
        Condition::all([self.term.domain.substitute(&|v| map.find(v)), self.rest(map)])
    }

    /// Whether the term has too many parts, or this part is too large.
    pub fn is_full(&self, part: &Condition) -> bool {
        let mut size = 0;
        part.visit_terms(&mut |_| size += 1);
        self.parts.len() >= MAX_PARTS || size > MAX_SIZE
    }

    /// Marks a part as matched; returns the part without what was matched before.
    pub fn take(&mut self, part: &Condition) -> Condition {
        let new = needed(part, &self.term, &self.points);
        let before = self.rest(&SolvedUnknowns::default());
        self.points.retain(|point| part.holds(point) != Ok(true));
        self.parts.push(new.clone());
        Condition::all([new, before])
    }
}

/// The conjuncts of a condition that do not already hold at all points of the term.
pub(crate) fn needed(condition: &Condition, term: &SumTerm, points: &[SamplePoint]) -> Condition {
    let known = term.domain.conjuncts();
    let matters = |part: &&Condition| {
        !known.contains(part) && !points.iter().all(|point| part.holds(point) == Ok(true))
    };
    Condition::all(condition.conjuncts().iter().filter(matters).cloned().collect::<Vec<_>>())
}
