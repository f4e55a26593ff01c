//! Every declared law holds on all notable values, and every law that is not declared has a counterexample there.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use values::*;

/// All assignments of the notable values (and `•` where the reading admits it) to the variables of a law.
fn assignments<S: NumberSystem<Number: Default>>(
    domain: &Extended<S>,
    law: &Law,
    reach: Reach,
) -> Vec<Vec<Option<S::Number>>> {
    let mut values: Vec<Option<S::Number>> = domain.0.notable().into_iter().map(Some).collect();
    if reach.undefined {
        values.push(None);
    }
    let mut all = vec![Vec::new()];
    for variable in 0..law.variables() {
        let allowed = |value: &&Option<S::Number>| {
            !law.nonzero.contains(&variable) || !value.as_ref().is_some_and(|number| domain.0.is_zero(number))
        };
        let extend = |prefix: Vec<_>| {
            let extended = |value: &Option<S::Number>| [prefix.clone(), vec![value.clone()]].concat();
            values.iter().filter(allowed).map(extended).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

fn check<S: NumberSystem<Number: Default>>(system: S) -> usize {
    let domain = Extended(system);
    let mut cases = 0;
    for law in LAWS {
        for (letter, reach) in Reach::ALL {
            let breaks = |values: &&Vec<Option<S::Number>>| {
                let side = |term: &LawTerm| term.evaluate(&domain, reach.division, values);
                domain.known(&domain.same(&side(&law.left), &side(&law.right))) != Some(true)
            };
            let all = assignments(&domain, law, reach);
            cases += all.len();
            let counterexample = all.iter().find(breaks);
            let declared = law.holds_in(&domain.0, reach);
            assert_eq!(
                declared,
                counterexample.is_none(),
                "{} in {} ({letter}): declared {declared}, counterexample {counterexample:?}",
                law.statement,
                domain.0.name()
            );
        }
    }
    cases
}

#[test]
fn declared_laws_hold_and_others_do_not() {
    let cases = check(Rationals)
        + check(Integers)
        + check(I32)
        + check(I64)
        + check(F32)
        + check(F64)
        + check(PrimeField);
    assert!(cases > 100_000, "{cases}");
}
