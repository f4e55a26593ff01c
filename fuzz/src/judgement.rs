//! What came of a check of a case.

use crate::machine::{Machine, judge, text};
use crate::meaning::{Place, Stopped};
use alpha::checking::index_text;
use selfsame_core::operations::{Datum, Element as Value};
use std::fmt;
use values::tolerance::Outcome;

/// How a finding differs from what is right. A smaller case is the same finding only if its kind is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An element is not what the reference says.
    Disagrees,
    /// Two ways that must give the same, to the bit, do not.
    Unstable,
    /// The implementation crashed.
    Crash,
    /// It did not answer in time.
    Hang,
    /// It answered what is no answer.
    Garbage,
    /// A tensor of another shape, or none.
    Shape,
    /// It refused what it must not.
    Refusal,
    /// A verdict, or a counterexample, does not hold.
    Verdict,
    /// A fault has not its error.
    Diagnostic,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 9] = [
        Kind::Disagrees,
        Kind::Unstable,
        Kind::Crash,
        Kind::Hang,
        Kind::Garbage,
        Kind::Shape,
        Kind::Refusal,
        Kind::Verdict,
        Kind::Diagnostic,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Disagrees => "disagrees",
            Kind::Unstable => "unstable",
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::Garbage => "garbage",
            Kind::Shape => "shape",
            Kind::Refusal => "refusal",
            Kind::Verdict => "verdict",
            Kind::Diagnostic => "diagnostic",
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How.
    pub kind: Kind,
    /// Where: an element of an output, or nothing.
    pub at: String,
    /// What should be there, with its bound.
    pub expected: String,
    /// What is.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { kind, at, expected, found } = self;
        let of = if at.is_empty() { "" } else { " of " };
        write!(f, "{}{of}{at}: {found}, not {expected}", kind.name())
    }
}

/// How many elements were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// These are right.
    pub agree: usize,
    /// Of these that is not known.
    pub abstain: usize,
    /// These are undefined in the reference: anything is right.
    pub undefined: usize,
}

impl Tally {
    /// Counts those of another one, too.
    pub fn add(&mut self, other: Tally) {
        self.agree += other.agree;
        self.abstain += other.abstain;
        self.undefined += other.undefined;
    }
}

/// What a check of a case says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Nothing is wrong.
    Right(Tally),
    /// The check says nothing about such a case, or what is checked does not take it: why.
    Refused(String),
    /// It took too many steps, or the case has no meaning.
    Stopped(Stopped),
    /// This is wrong.
    Wrong(Difference),
}

impl Judgement {
    /// That elements are right, if there are any; else why none was compared.
    pub fn of(tally: Tally, otherwise: impl FnOnce() -> Judgement) -> Judgement {
        if tally == Tally::default() { otherwise() } else { Judgement::Right(tally) }
    }

    /// That nothing is said about the case.
    pub fn refused(why: &str) -> Judgement {
        Judgement::Refused(why.to_owned())
    }
}

impl From<Stopped> for Judgement {
    fn from(stopped: Stopped) -> Judgement {
        Judgement::Stopped(stopped)
    }
}

/// Compares what an implementation returned with the reference over the domain of its bounds.
pub fn compare<T: Machine>(
    domain: &T::Bounds,
    places: &[Place],
    expected: &[Value<T::Bounds>],
    found: &[Datum<T, bool>],
    name: impl Fn(&Place) -> String,
) -> Judgement {
    let mut tally = Tally::default();
    for ((place, expected), found) in places.iter().zip(expected).zip(found) {
        match judge(domain, expected, found.clone()) {
            None => tally.undefined += 1,
            Some(Outcome::Agrees) => tally.agree += 1,
            Some(Outcome::Abstains(_)) => tally.abstain += 1,
            Some(Outcome::Disagrees) => {
                return Judgement::Wrong(Difference {
                    kind: Kind::Disagrees,
                    at: name(place),
                    expected: text::<T>(domain, expected),
                    found: shown(found),
                });
            }
        }
    }
    Judgement::Right(tally)
}

/// A number or a truth, as it is shown.
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
