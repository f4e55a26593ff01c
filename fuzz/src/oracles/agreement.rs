//! Compares two ways to evaluate by the reference semantics: equal to the bit, `•` included.

use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally, place_text};
use crate::machine::{TestedNumber, is_same, number};
use crate::meaning::{NoMeaning, OutputPlace};
use crate::oracles::OracleQuestion;
use alpha::evaluation::VariableMethod;
use selfsame_core::operations::{Datum, Element as Value};
use values::Extended;

/// The values of some elements.
pub(super) type ElementValues<T> =
    Result<Vec<Value<Extended<<T as evaluator::MachineNumber>::System>>>, NoMeaning>;

/// Compares the language's own evaluation with that of the core; for systems of ALPHA, `Eval2` with `Eval`.
pub fn core<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let OracleQuestion { case, meaning, instance, .. } = *question;
    let domain = Extended(T::System::default());
    let other = |places: &[OutputPlace]| {
        meaning.by_core(case, instance, VariableMethod::Eval, &domain, &number::<T>, places)
    };
    agree::<T>(question, other)
}

/// Compares tabulated evaluation with the equations of the paper.
pub fn equations<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let OracleQuestion { case, meaning, instance, engine, .. } = *question;
    let domain = Extended(T::System::default());
    let pointwise =
        |places: &[OutputPlace]| meaning.pointwise(case, instance, engine, &domain, &number::<T>, places);
    if pointwise(&[]).is_none() {
        return CaseJudgement::refused("systems have no other equations");
    }
    let other = |places: &[OutputPlace]| pointwise(places).unwrap_or(Ok(Vec::new()));
    agree::<T>(question, other)
}

/// The maximum number of elements to compare: evaluating them one by one takes long. A fifth of the cases have
/// more: 486 of 2,500 that `core` was asked about (2026-11-27).
const MAX_PLACES: usize = 100;

fn agree<T: TestedNumber>(
    question: &OracleQuestion<'_>,
    other: impl Fn(&[OutputPlace]) -> ElementValues<T>,
) -> CaseJudgement {
    let OracleQuestion { case, meaning, instance, engine, .. } = *question;
    let domain = Extended(T::System::default());
    let places = match meaning.outputs(instance) {
        Ok(places) => places,
        Err(stopped) => return stopped.into(),
    };
    if places.len() > MAX_PLACES || case.inputs.values().any(|array| array.data.len() > MAX_PLACES) {
        return CaseJudgement::refused("too many elements to compute one by one");
    }
    let one = meaning.reference(case, instance, engine, &domain, &number::<T>, &places);
    let (one, two) = match (one, other(&places)) {
        (Ok(one), Ok(two)) => (one, two),
        (Err(stopped), _) | (_, Err(stopped)) => return stopped.into(),
    };
    let mut tally = JudgementTally::default();
    for ((x, point), (one, two)) in places.iter().zip(one.iter().zip(&two)) {
        if !is_same::<T>(one, two) {
            return CaseJudgement::Wrong(FoundDifference {
                kind: DifferenceKind::Unstable,
                at: place_text(meaning.name(*x), point),
                expected: format!("{one:?}"),
                found: format!("{two:?}"),
            });
        }
        let is_undefined = matches!(one, Datum::Number(None) | Datum::Truth(None));
        tally.undefined += usize::from(is_undefined);
        tally.agree += usize::from(!is_undefined);
    }
    CaseJudgement::Right(tally)
}
