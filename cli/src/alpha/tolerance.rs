//! `selfsame run --fast --check FILE.alpha`: compares the results of a plan with the bounds of the reference.

use super::inputs::InputArray;
use super::run::{Output, Ready, element_text};
use crate::exit::{Exit, Failure};
use crate::limits::Progress;
use alpha::checking::index_text;
use alpha::evaluation::VariableMethod;
use alpha::syntax::VariableId;
use evaluator::{MachineNumber, Transformation};
use selfsame_core::operations::{Datum, Element};
use std::collections::BTreeMap;
use std::fmt::Write;
use values::tolerance::{
    Doubt, FloatModel, Format, PossibleTruths, PossibleValues, Tolerance, ToleranceOutcome,
};
use values::{Extended, Listed, NumberSystem, SystemName, ValueDomain};

/// The maximum number of disagreeing elements to show: they fit on a screen, and the text says how many more
/// there are.
const SHOWN: usize = 10;

/// The result of comparing a plan with the reference.
#[derive(Default)]
pub struct PlanComparison {
    /// The number of elements that agree.
    pub agree: usize,
    /// Elements that the reference leaves undefined.
    pub undefined: Vec<(VariableId, Vec<i64>)>,
    /// The numbers of elements that have no bound, by reason.
    pub abstain: BTreeMap<Doubt, usize>,
    /// The elements that disagree, a line each.
    pub disagree: Vec<String>,
}

/// Compares the elements of outputs with the reference. Integers must be equal; floats must lie within the bound
/// for the plan's arithmetic.
///
/// # Errors
/// An input is not given, or evaluation by the reference is stuck or exceeds a limit.
pub fn check<T: MachineNumber<System: NumberSystem<Number: Default>>>(
    ready: &Ready<'_>,
    outputs: &[Output<'_, T::System>],
    model: Option<FloatModel>,
    progress: &Progress,
) -> Result<PlanComparison, Failure> {
    let system = T::System::default();
    match model {
        None => compare(ready, outputs, &Extended(system), progress, &|x| x, &|expected, found| {
            Ok(match (expected, found) {
                (Datum::Number(None) | Datum::Truth(None), _) => None,
                (Datum::Number(Some(a)), Datum::Number(Some(b))) => Some(outcome(system.same(a, b))),
                (Datum::Truth(a), Datum::Truth(b)) => Some(outcome(a == b)),
                _ => Some(ToleranceOutcome::Disagrees),
            })
        }),
        Some(model) => {
            let domain = Tolerance { model };
            let given = |element: Element<Extended<T::System>>| match element {
                Datum::Number(Some(number)) => {
                    Datum::Number(domain.literal(&system.write(&number)).unwrap_or(PossibleValues::Undefined))
                }
                Datum::Number(None) => Datum::Number(PossibleValues::Undefined),
                Datum::Truth(truth) => Datum::Truth(domain.truth(truth)),
            };
            compare(ready, outputs, &domain, progress, &given, &|expected, found| match (expected, found) {
                (Datum::Number(PossibleValues::Undefined) | Datum::Truth(PossibleTruths::Undefined), _) => {
                    Ok(None)
                }
                (Datum::Number(expected), Datum::Number(Some(found))) => {
                    let found = system.write(found).to_f64().unwrap_or(f64::NAN);
                    match domain.outcome(expected, found) {
                        ToleranceOutcome::Disagrees => Err(domain.text(expected)),
                        outcome => Ok(Some(outcome)),
                    }
                }
                (Datum::Truth(expected), Datum::Truth(Some(found))) => {
                    Ok(Some(domain.outcome_of_truth(*expected, *found)))
                }
                _ => Ok(Some(ToleranceOutcome::Disagrees)),
            })
        }
    }
}

fn outcome(agrees: bool) -> ToleranceOutcome {
    if agrees { ToleranceOutcome::Agrees } else { ToleranceOutcome::Disagrees }
}

/// Compares an expected element with the one found: `Ok(None)` if the expected one is undefined, and `Err` with
/// the expected value as text if a float is wrong.
type Compare<'c, S, D> =
    dyn Fn(&Element<D>, &Element<Extended<S>>) -> Result<Option<ToleranceOutcome>, String> + 'c;

fn compare<S: Listed + Default, D: ValueDomain>(
    ready: &Ready<'_>,
    outputs: &[Output<'_, S>],
    domain: &D,
    progress: &Progress,
    given: &dyn Fn(Element<Extended<S>>) -> Element<D>,
    compare: &Compare<'_, S, D>,
) -> Result<PlanComparison, Failure> {
    let system = S::default();
    let arrays = ready.inputs.elements(&Extended(system))?;
    let input =
        |x: VariableId, z: &[i64]| arrays.get(&x).and_then(|array: &InputArray<_>| array.get(z)).map(given);
    let mut evaluator = ready.evaluator(domain, &input, VariableMethod::Eval2);
    let mut checked = PlanComparison::default();
    for output in outputs {
        let name = &ready.loaded.system.variable(output.variable()).name;
        for (at, (point, found)) in output.elements().enumerate() {
            if at % 1024 == 0 {
                progress.set(format!("the reference: {at} elements of {name}"));
            }
            let expected =
                evaluator.element(output.variable(), point).map_err(|stuck| ready.failure(&stuck))?;
            let wrong = |what: String| {
                format!("{name}{} is {}, not {what}", index_text(point), element_text(&system, found))
            };
            match compare(&expected, found) {
                Ok(None) => checked.undefined.push((output.variable(), point.to_vec())),
                Ok(Some(ToleranceOutcome::Agrees)) => checked.agree += 1,
                Ok(Some(ToleranceOutcome::Abstains(doubt))) => {
                    *checked.abstain.entry(doubt).or_default() += 1
                }
                Ok(Some(ToleranceOutcome::Disagrees)) => {
                    checked.disagree.push(wrong("what the reference says".to_owned()))
                }
                Err(what) => checked.disagree.push(wrong(what)),
            }
        }
    }
    Ok(checked)
}

impl PlanComparison {
    /// `No` if an element is wrong; `Undecided` if some elements are defined, but none could be compared.
    pub fn exit(&self) -> Exit {
        match (self.disagree.is_empty(), self.agree, self.abstain.is_empty()) {
            (false, ..) => Exit::No,
            (true, 0, false) => Exit::Undecided,
            (true, ..) => Exit::Yes,
        }
    }

    /// The counts, the transformations that the bounds allow for, and the wrong elements.
    pub fn text(&self, transformations: &[Transformation]) -> String {
        let abstained: usize = self.abstain.values().sum();
        let compared = self.agree + abstained + self.disagree.len();
        let share = 100.0 * abstained as f64 / compared.max(1) as f64;
        let mut text = format!(
            "checked: {} agree, {} disagree, {abstained} abstain ({share:.1} %), {} undefined in the reference\n",
            self.agree,
            self.disagree.len(),
            self.undefined.len()
        );
        let mut line = |line: String| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {line}");
        };
        for transformation in transformations {
            line(format!("{}: {}", transformation.name(), transformation.bound()));
        }
        for (doubt, count) in &self.abstain {
            line(format!("{count} abstain: {}", doubt.reason()));
        }
        self.disagree.iter().take(SHOWN).for_each(|wrong| line(wrong.clone()));
        if self.disagree.len() > SHOWN {
            line(format!("and {} more", self.disagree.len() - SHOWN));
        }
        text
    }
}

/// The float format of a number system, if it has one.
pub fn format_of(system: SystemName) -> Option<Format> {
    Format::ALL.into_iter().find(|format| format.element_type() == system.real())
}
