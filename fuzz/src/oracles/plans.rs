//! Compares the fast evaluator with the reference: with every level of vector instructions, on one thread and on
//! several, in a reused workspace, with the most disruptive values in the padding.

use crate::case::{Case, ElementBox, points};
use crate::judgement::{
    CaseJudgement, DifferenceKind, FoundDifference, JudgementTally, compare, place_text, shown,
};
use crate::machine::{TestedNumber, is_defined, number};
use crate::meaning::{CaseMeaning, OutputPlace, truth};
use crate::oracles::OracleQuestion;
use alpha::instance::SystemInstance;
use evaluator::{Buffer, Layout, Level, Plan, PlanFault, Tuning};
use polyhedra::Engine;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use values::NumberSystem;

/// Judges two plans of a case: one for speed, and one that takes every path with few elements; or only one of
/// them, in turn.
pub fn judge<T: TestedNumber>(question: &OracleQuestion<'_>) -> CaseJudgement {
    let OracleQuestion { case, meaning, instance, turn, engine } = *question;
    let places = match meaning.outputs(instance) {
        Ok(places) => places,
        Err(stopped) => return stopped.into(),
    };
    let mut tally = JudgementTally::default();
    let tunings = [Tuning::default(), Tuning::small()];
    let tunings = match turn {
        None => &tunings[..],
        Some(turn) => &tunings[(turn % 2) as usize..][..1],
    };
    for &tuning in tunings {
        let plan = match Plan::<T>::tuned(instance, meaning.typing(), case.division, tuning) {
            Ok(plan) => plan,
            Err(fault) => return CaseJudgement::Refused(fault.to_string()),
        };
        match (PlanRun { case, meaning, places: &places, plan, engine })
            .judge(instance, turn.map(|turn| turn / 2))
        {
            CaseJudgement::Right(more) => tally.add(more),
            other => return other,
        }
    }
    CaseJudgement::Right(tally)
}

/// A plan for a case.
struct PlanRun<'a, T> {
    case: &'a Case,
    meaning: &'a CaseMeaning,
    places: &'a [OutputPlace],
    plan: Plan<T>,
    engine: &'a dyn Engine,
}

/// The number of turns of which one runs on several threads: waking them takes longer than a small case, and
/// one in eight still meets every construct.
const THREADS_EVERY: u64 = 8;

/// The configurations, as threads and vector instructions: the best ones first, then all others or one of them.
fn configurations(turn: Option<u64>) -> Vec<(usize, Level)> {
    let mut levels = Level::all();
    levels.reverse();
    let alone = levels.iter().map(|&level| (1, level));
    let threads = (3, levels[0]);
    match turn {
        None => alone.chain([threads]).collect(),
        Some(turn) if turn.is_multiple_of(THREADS_EVERY) => vec![(1, levels[0]), threads],
        Some(turn) => {
            let others = (levels.len() - 1).max(1);
            alone.clone().take(1).chain(alone.skip(1 + turn as usize % others).take(1)).collect()
        }
    }
}

impl<T: TestedNumber> PlanRun<'_, T> {
    fn judge(&self, instance: &SystemInstance<'_>, turn: Option<u64>) -> CaseJudgement {
        let PlanRun { case, meaning, places, plan, engine } = self;
        let domain = T::bounds(&|format| plan.model(format));
        let given = |element: &_| T::given(&domain, number::<T>(element));
        let expected = match meaning.reference(case, instance, *engine, &domain, &given, places) {
            Ok(expected) => expected,
            Err(stopped) => return stopped.into(),
        };
        let mut first: Option<Vec<Datum<T, bool>>> = None;
        let mut judgement = CaseJudgement::Refused("no vector instructions".to_owned());
        for (threads, level) in configurations(turn) {
            let found = match self.elements(threads, level) {
                Ok(found) => found,
                Err(fault) => return CaseJudgement::Refused(fault.to_string()),
            };
            let Some(first) = &first else {
                judgement = compare(&domain, places, &expected, &found, |place| self.name(place));
                if !matches!(judgement, CaseJudgement::Right(_)) {
                    return judgement;
                }
                first = Some(found);
                continue;
            };
            let differs =
                |at: &usize| is_defined::<T>(&domain, &expected[*at]) && !same(&first[*at], &found[*at]);
            if let Some(at) = (0..places.len()).find(differs) {
                return CaseJudgement::Wrong(FoundDifference {
                    kind: DifferenceKind::Unstable,
                    at: self.name(&places[at]),
                    expected: format!("{} on one thread by {}", shown(&first[at]), Level::best().name),
                    found: format!("{} on {threads} threads by {}", shown(&found[at]), level.name),
                });
            }
        }
        judgement
    }

    fn name(&self, (x, point): &OutputPlace) -> String {
        place_text(self.meaning.name(*x), point)
    }

    /// The elements of the outputs computed by the plan, which is run twice in one workspace.
    fn elements(&self, threads: usize, level: Level) -> Result<Vec<Datum<T, bool>>, PlanFault> {
        let PlanRun { case, meaning, places, plan, .. } = self;
        let arrays = meaning.inputs(case);
        let mut inputs = Vec::new();
        for slot in &plan.inputs {
            let mut buffer = worst::<T>(slot.layout.length)?;
            if let Some(array) = arrays[slot.variable.index()] {
                fill(buffer.all_mut(), array, meaning.core().variable(slot.variable).data_type, &slot.layout);
            }
            inputs.push(buffer);
        }
        let inputs: Vec<&[T]> = inputs.iter().map(Buffer::all).collect();
        let outputs = plan.outputs.iter().map(|slot| worst::<T>(slot.layout.length));
        let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let mut workspace = plan.workspace_at(threads, level)?;
        for _ in 0..2 {
            let mut written: Vec<&mut [T]> = outputs.iter_mut().map(Buffer::all_mut).collect();
            plan.run(&mut workspace, &inputs, &mut written)?;
        }
        let element = |(x, point): &OutputPlace| {
            let at = plan.outputs.iter().position(|slot| slot.variable == *x);
            let value = at.map_or(T::ZERO, |at| outputs[at].all()[plan.outputs[at].layout.offset(point)]);
            match meaning.core().variable(*x).data_type {
                ElementType::Boolean => Datum::Truth(value.is_true()),
                _ => Datum::Number(value),
            }
        };
        Ok(places.iter().map(element).collect())
    }
}

fn same<T: TestedNumber>(a: &Datum<T, bool>, b: &Datum<T, bool>) -> bool {
    match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => T::System::default().same(a, b),
        (Datum::Truth(a), Datum::Truth(b)) => a == b,
        _ => false,
    }
}

/// A buffer filled with values that must not matter.
fn worst<T: TestedNumber>(length: usize) -> Result<Buffer<T>, PlanFault> {
    let notable = T::System::default().notable();
    let worst = notable.iter().find(|value| value.partial_cmp(value).is_none()).or(notable.last());
    let mut buffer = Buffer::new(length)?;
    buffer.all_mut().fill(worst.copied().unwrap_or_default());
    Ok(buffer)
}

/// Copies the elements of an array to their places; `•` leaves the old value.
fn fill<T: TestedNumber>(buffer: &mut [T], array: &ElementBox, data_type: ElementType, layout: &Layout) {
    let is_inside = |point: &[i64]| {
        (0..point.len()).all(|d| {
            let (low, high) = layout.range(d);
            low <= point[d] && point[d] <= high
        })
    };
    for (point, element) in points(&array.origin, &array.shape).zip(&array.data) {
        let value = match data_type {
            ElementType::Boolean => truth(Some(element)).map(T::truth),
            _ => number::<T>(element),
        };
        if let Some(value) = value.filter(|_| is_inside(&point)) {
            buffer[layout.offset(&point)] = value;
        }
    }
}
