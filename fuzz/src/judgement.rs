//! The result of checking a case.

use crate::machine::{TestedNumber, judge, text};
use crate::meaning::{NoMeaning, OutputPlace};
use alpha::checking::index_text;
use base::diagnostics::Code;
use selfsame_core::operations::{Datum, Element as Value};
use std::fmt;
use values::tolerance::ToleranceOutcome;

/// The kind of a difference. A smaller case is the same finding only if its kind is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// An element differs from the reference.
    Disagrees,
    /// Two computations that must agree to the bit do not.
    Unstable,
    /// The implementation crashed.
    Crash,
    /// The implementation did not answer in time.
    Hang,
    /// The answer does not follow the protocol.
    Garbage,
    /// A tensor has another shape, or is missing.
    Shape,
    /// The implementation refused a request that it must accept.
    Refusal,
    /// A verdict or a counterexample does not hold.
    Verdict,
    /// A fault in a program does not give its error.
    Diagnostic,
}

impl DifferenceKind {
    /// All kinds.
    pub const ALL: [DifferenceKind; 9] = [
        DifferenceKind::Disagrees,
        DifferenceKind::Unstable,
        DifferenceKind::Crash,
        DifferenceKind::Hang,
        DifferenceKind::Garbage,
        DifferenceKind::Shape,
        DifferenceKind::Refusal,
        DifferenceKind::Verdict,
        DifferenceKind::Diagnostic,
    ];

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::Disagrees => "disagrees",
            DifferenceKind::Unstable => "unstable",
            DifferenceKind::Crash => "crash",
            DifferenceKind::Hang => "hang",
            DifferenceKind::Garbage => "garbage",
            DifferenceKind::Shape => "shape",
            DifferenceKind::Refusal => "refusal",
            DifferenceKind::Verdict => "verdict",
            DifferenceKind::Diagnostic => "diagnostic",
        }
    }
}

/// The difference between an expected and a found result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDifference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The element of an output that differs; empty if it is not about an element.
    pub at: String,
    /// The expected value, with its bound.
    pub expected: String,
    /// The found value.
    pub found: String,
}

impl fmt::Display for FoundDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FoundDifference { kind, at, expected, found } = self;
        let of = if at.is_empty() { "" } else { " of " };
        write!(f, "{}{of}{at}: {found}, not {expected}", kind.name())
    }
}

/// The difference if a fault in a program gives these errors instead of its own.
pub(crate) fn missed_fault(fault: Code, codes: &[Code], mutant: &str) -> FoundDifference {
    let found = if codes.is_empty() { "no error".to_owned() } else { format!("{codes:?}") };
    FoundDifference {
        kind: DifferenceKind::Diagnostic,
        at: String::new(),
        expected: format!("{fault}"),
        found: format!("{found} of\n{mutant}"),
    }
}

/// The number of compared elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgementTally {
    /// Elements that are right.
    pub agree: usize,
    /// Elements of which it is not known whether they are right.
    pub abstain: usize,
    /// Elements that are undefined in the reference: any value is right.
    pub undefined: usize,
}

impl JudgementTally {
    /// Adds the numbers of another tally.
    pub fn add(&mut self, other: JudgementTally) {
        self.agree += other.agree;
        self.abstain += other.abstain;
        self.undefined += other.undefined;
    }
}

/// The judgement of a check about a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseJudgement {
    /// Nothing is wrong.
    Right(JudgementTally),
    /// The check does not apply to such a case, or the implementation does not support it; says why.
    Refused(String),
    /// The case took too many steps, or has no meaning.
    Stopped(NoMeaning),
    /// Something is wrong.
    Wrong(FoundDifference),
}

impl CaseJudgement {
    /// The judgement that elements are right, if there are any; else `otherwise`.
    pub fn right_or(tally: JudgementTally, otherwise: impl FnOnce() -> CaseJudgement) -> CaseJudgement {
        if tally == JudgementTally::default() { otherwise() } else { CaseJudgement::Right(tally) }
    }

    /// The judgement that the check does not apply.
    pub fn refused(why: &str) -> CaseJudgement {
        CaseJudgement::Refused(why.to_owned())
    }
}

impl From<NoMeaning> for CaseJudgement {
    fn from(stopped: NoMeaning) -> CaseJudgement {
        CaseJudgement::Stopped(stopped)
    }
}

/// Compares the elements that an implementation returned with those of the reference over the domain of bounds.
pub fn compare<T: TestedNumber>(
    domain: &T::Bounds,
    places: &[OutputPlace],
    expected: &[Value<T::Bounds>],
    found: &[Datum<T, bool>],
    name: impl Fn(&OutputPlace) -> String,
) -> CaseJudgement {
    let mut tally = JudgementTally::default();
    for ((place, expected), found) in places.iter().zip(expected).zip(found) {
        match judge(domain, expected, found.clone()) {
            None => tally.undefined += 1,
            Some(ToleranceOutcome::Agrees) => tally.agree += 1,
            Some(ToleranceOutcome::Abstains(_)) => tally.abstain += 1,
            Some(ToleranceOutcome::Disagrees) => {
                return CaseJudgement::Wrong(FoundDifference {
                    kind: DifferenceKind::Disagrees,
                    at: name(place),
                    expected: text::<T>(domain, expected),
                    found: shown(found),
                });
            }
        }
    }
    CaseJudgement::Right(tally)
}

/// A number or truth value as text.
pub fn shown<T: fmt::Debug>(found: &Datum<T, bool>) -> String {
    match found {
        Datum::Number(number) => format!("{number:?}"),
        Datum::Truth(truth) => truth.to_string(),
    }
}

/// `y[1,2]`
pub fn place_text(name: &str, point: &[i64]) -> String {
    format!("{name}{}", index_text(point))
}
