//! Our decisions, where the check is more than a few texts.

use crate::evidence::{Evidence, Kind};
use crate::ledger::Repair;
use semantics::values::{
    Extended, Extremum, F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals, ValueDomain,
};

use super::running::violation;

/// The laws of `min` and `max` at all notable numbers and *error*.
pub(super) fn extrema() -> (Vec<Evidence>, Vec<Repair>) {
    let evidence =
        [laws(Rationals), laws(Integers), laws(PrimeField), laws(I32), laws(I64), laws(F32), laws(F64)];
    (evidence.into(), Vec::new())
}

fn laws<S: NumberSystem<Number: Default>>(system: S) -> Evidence {
    let domain = Extended(system);
    let mut values: Vec<Option<S::Number>> = domain.0.notable().into_iter().map(Some).collect();
    values.push(None);
    let (mut cases, mut violated) = (0, None);
    for extremum in [Extremum::Min, Extremum::Max] {
        let of = |a: &Option<S::Number>, b: &Option<S::Number>| domain.extremum(extremum, a, b);
        let same =
            |a: &Option<S::Number>, b: &Option<S::Number>| domain.known(&domain.same(a, b)) == Some(true);
        for a in &values {
            for b in &values {
                for c in &values {
                    cases += 1;
                    let associates = same(&of(&of(a, b), c), &of(a, &of(b, c)));
                    if !(associates && same(&of(a, b), &of(b, a)) && same(&of(a, a), a)) {
                        violated = Some(violation("", &format!("{extremum:?} of {a:?}, {b:?} and {c:?}")));
                    }
                }
            }
        }
    }
    let range = format!("three notable numbers of {}, and error", domain.0.name());
    Evidence::tried(Kind::Exhaustive, range, cases, violated)
}
