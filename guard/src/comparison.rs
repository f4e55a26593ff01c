//! Compares the outputs of both sides with the claimed relation.

use crate::report::Contradiction;
use base::seeded::{Seeded, seeded};
use language::Outputs;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::relation::Relation;
use std::collections::BTreeSet;
use values::{Extended, Listed, Literal, NumberSystem, ValueDomain};

/// The result of an instance.
pub(crate) enum InstanceOutcome {
    Contradicts(Box<Contradiction>),
    Agrees { counts: bool, defined: bool },
}

/// An element at which the sides violate the claim.
pub(crate) struct ClaimViolation {
    pub at: (String, Vec<i64>),
    pub values: [Option<Option<Literal>>; 2],
}

/// The first element at which the sides violate the claim.
pub(crate) fn difference<S: Listed>(
    system: S,
    claimed: Relation,
    [left, right]: [&Outputs<Extended<S>>; 2],
) -> Option<ClaimViolation> {
    let places: BTreeSet<_> = left.keys().chain(right.keys()).collect();
    let is_wrong = |place: &&&(String, Vec<i64>)| match (left.get(**place), right.get(**place)) {
        (Some(left), _) if claimed == Relation::Refines && !left.is_defined() => false,
        (_, Some(right)) if seeded(Seeded::GuardRefines, false, || !right.is_defined()) => false,
        (Some(left), Some(right)) => !is_same(system, left, right),
        _ => !Seeded::GuardSupport.is_in(),
    };
    let &place = places.iter().find(is_wrong)?;
    let values = [left, right].map(|side| side.get(place).map(|element| written(system, element)));
    Some(ClaimViolation { at: place.clone(), values })
}

fn is_same<S: Listed>(system: S, left: &Element<Extended<S>>, right: &Element<Extended<S>>) -> bool {
    if Seeded::GuardSame.is_in() {
        return left.is_defined() == right.is_defined();
    }
    match (left, right) {
        (Datum::Number(left), Datum::Number(right)) => Extended(system).same(left, right) == Some(true),
        (Datum::Truth(left), Datum::Truth(right)) => left == right,
        _ => false,
    }
}

/// An element as a literal.
pub(crate) fn written<S: NumberSystem<Number: Default>>(
    system: S,
    element: &Element<Extended<S>>,
) -> Option<Literal> {
    match element {
        Datum::Number(number) => number.as_ref().map(|number| system.write(number)),
        Datum::Truth(truth) => truth.map(Literal::Boolean),
    }
}
