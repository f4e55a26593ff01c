//! Compares the results of rewriting, and the claims of the prover, with evaluation.

use crate::case::Case;
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally, place_text};
use crate::machine::{TestedNumber, is_same, number};
use crate::meaning::{CaseMeaning, NoMeaning, OutputPlace};
use crate::oracles::OracleQuestion;
use crate::oracles::agreement::ElementValues;
use crate::subjects::alpha::AtParameters;
use alpha::evaluation::VariableMethod;
use alpha::syntax::System;
use rewrites::optimization::egraph::cost::CostModel;
use rewrites::optimization::egraph::saturation::SaturationLimits;
use rewrites::optimization::egraph::{scalars, theorems};
use rewrites::optimization::optimize;
use selfsame_core::operations::Element as Value;
use std::collections::BTreeMap;
use values::{Extended, Machine};

/// The limits of the e-graph for a case, a twentieth of the terms of `optimize`: with them a case takes some 60
/// ms, and 63 of 64 cases with elements to compare have a cheaper system (2026-11-27, a debug build).
const LIMITS: SaturationLimits = SaturationLimits { terms: 400, rounds: 8 };
/// The maximum number of output elements to compare, for the system and for each cheaper one: 12 of 157 cases
/// have more (2026-11-27).
const MAX_PLACES: usize = 200;

/// Compares the core of a program with the systems that `optimize` makes of it by the laws of the case's numbers.
pub fn optimized<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let OracleQuestion { case, meaning, instance, engine, .. } = *question;
    let places = match meaning.outputs(instance) {
        Ok(places) if places.len() <= MAX_PLACES => places,
        Ok(_) => return CaseJudgement::refused("too many elements"),
        Err(stopped) => return stopped.into(),
    };
    let (numbers, machine) = (T::System::default(), Machine::default());
    let laws = [theorems::rewrites(&numbers, &machine), scalars::rewrites(&numbers, &machine)].concat();
    let parameters = instance.parameters.clone();
    let model = CostModel { parameters: parameters.clone(), moving: 0.25 };
    let found = match optimize(meaning.core(), meaning.domains(), &model, &laws, LIMITS, engine) {
        Ok(Some(found)) => found,
        Ok(None) => return CaseJudgement::refused("nothing cheaper is found"),
        Err(error) => return NoMeaning::OutOfBudget(error.to_string()).into(),
    };
    let domain = Extended(numbers);
    let before = meaning.by_core(case, instance, VariableMethod::Eval2, &domain, &number::<T>, &places);
    let before = match before {
        Ok(before) => before,
        Err(stopped) => return stopped.into(),
    };
    let (mut tally, mut undecided) =
        (JudgementTally::default(), CaseJudgement::refused("there are no elements"));
    for system in found.systems {
        let after = values::<T>(question, &system, &places);
        match after.map(|after| differs::<T>(&before, &after)) {
            // A well-formed system counts as one agreement even without elements.
            Ok(None) => tally.agree += places.len().max(1),
            Ok(Some((at, expected, found))) => {
                let (x, point) = &places[at];
                return CaseJudgement::Wrong(FoundDifference {
                    kind: DifferenceKind::Disagrees,
                    at: place_text(meaning.name(*x), point),
                    expected,
                    found: format!("{found} in\n{}", AtParameters { system, parameters }),
                });
            }
            Err(stopped @ (NoMeaning::OutOfBudget(_) | NoMeaning::Unsupported(_))) => {
                undecided = stopped.into()
            }
            Err(stopped @ NoMeaning::IllFormed(_)) => {
                return CaseJudgement::Wrong(FoundDifference {
                    kind: DifferenceKind::Refusal,
                    at: String::new(),
                    expected: "a well-formed system".to_owned(),
                    found: format!("{stopped}: of\n{}", AtParameters { system, parameters }),
                });
            }
        }
    }
    CaseJudgement::right_or(tally, || undecided)
}

/// The elements by another system with outputs of the same names, for the same inputs.
fn values<T: TestedNumber>(
    question: &OracleQuestion<'_>,
    system: &System,
    places: &[OutputPlace],
) -> ElementValues<T> {
    let OracleQuestion { case, meaning, instance, engine, .. } = *question;
    let core = meaning.core();
    let given = core.variable_ids().zip(meaning.inputs(case));
    let inputs: BTreeMap<_, _> =
        given.filter_map(|(x, array)| Some((core.variable(x).name.to_string(), array?.clone()))).collect();
    let subject = AtParameters { system: system.clone(), parameters: instance.parameters.clone() };
    let case = Case { subject: subject.into(), inputs, ..case.clone() };
    let meaning = CaseMeaning::new(&case.subject, engine)?;
    let name = |(x, point): &OutputPlace| {
        let name = &core.variable(*x).name;
        let there = system.variable_ids().find(|&y| system.variable(y).name == *name);
        there.map(|y| (y, point.clone())).ok_or_else(|| NoMeaning::IllFormed(format!("there is no {name}")))
    };
    let places = places.iter().map(name).collect::<Result<Vec<_>, _>>()?;
    let domain = Extended(T::System::default());
    meaning.by_core(&case, &meaning.instance()?, VariableMethod::Eval2, &domain, &number::<T>, &places)
}

/// The first element that differs.
fn differs<T: TestedNumber>(
    before: &[Value<Extended<T::System>>],
    after: &[Value<Extended<T::System>>],
) -> Option<(usize, String, String)> {
    let at = before.iter().zip(after).position(|(one, two)| !is_same::<T>(one, two))?;
    Some((at, format!("{:?}", before[at]), format!("{:?}", after[at])))
}
