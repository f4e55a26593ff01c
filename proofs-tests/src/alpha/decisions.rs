//! Checks of our decisions that need more than a few texts.

use super::remarks::tried;
use super::running::{declared, violation};
use crate::evidence::{Evidence, EvidenceKind};
use crate::ledger::RepairEvidence;
use polyhedra::{Engine, EngineError};
use polyhedra_isl::Isl;
use values::{
    Extended, Extremum, F32, F64, I32, I64, Integers, NumberSystem, PrimeField, Rationals, ValueDomain,
};

/// Checks the laws of `min` and `max` at all notable numbers and *error*.
pub(super) fn extrema() -> (Vec<Evidence>, Vec<RepairEvidence>) {
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
    Evidence::tried(EvidenceKind::Exhaustive, range, cases, violated)
}

/// Domains with `.convex` and a parameter `N`, with whether the hull is known for all `N`.
const HULLS: [(&str, bool); 5] = [
    ("({ i,j | i=0; 0<=j<=N } | { i,j | j=0; 0<=i<=N }).convex", true),
    ("({ i,j | i=j; 0<=i<=N } | { i,j | i=0; j=N }).convex", true),
    ("({ i,j | N=1; i=0; j=0 } | { i,j | N=3; i=j; 0<=j<=2 }).convex", true),
    ("({ i,j | 0<=2i<=N; j=0 } | { i,j | i=N+N+N; j=0 }).convex", true),
    ("({ i,j | i=0; j=0 } | { i,j | i=2; j=N }).convex", false),
];

/// Compares `.convex` for all values of the parameter, evaluated at one, with the text in which that value is
/// substituted.
pub(super) fn convex() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let engine = Isl::with_memory();
    let case = |text: &str, known: bool, n: i64| match (
        declared("(N : { N | N>=1 } parameter)", text, &engine),
        known,
    ) {
        (Ok(all), true) => {
            let there = declared("()", &text.replace('N', &n.to_string()), &engine)
                .map_err(|error| error.to_string())?;
            let all = all.at_parameters(&[n]).map_err(|error| error.to_string())?;
            let all = all.renamed(&there.space.dimensions).map_err(|error| error.to_string())?;
            engine.is_equal(&all, &there).map_err(|error| error.to_string())
        }
        (Err(EngineError::Unsupported { .. }), known) => Ok(!known),
        (result, _) => Err(format!("{text}: {result:?}")),
    };
    let cases = HULLS.iter().flat_map(|&(text, known)| (1..=5).map(move |n| (text, known, n)));
    let cases = cases.map(|(text, known, n)| case(text, known, n));
    (vec![tried("five texts, N from 1 to 5", cases)], Vec::new())
}
