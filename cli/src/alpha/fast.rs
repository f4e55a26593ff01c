//! `selfsame run --fast FILE.alpha`: evaluation by a plan of the fast evaluator.

use super::inputs::InputArray;
use super::run::{Output, Ready};
use super::tolerance::format_of;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use crate::limits::Progress;
use alpha::checking::index_text;
use alpha::syntax::VariableId;
use evaluator::{Buffer, MachineNumber, Plan, PlanFault, Transformation};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use values::tolerance::FloatModel;
use values::{Extended, Listed, NumberSystem};

/// The maximum number of elements read from one input: the default of `--max-elements`.
const MAX_POINTS: usize = 1 << 24;

/// The elements of inputs, by variable.
type Arrays<T> = BTreeMap<VariableId, InputArray<Extended<<T as MachineNumber>::System>>>;

/// The results of a plan, and how it computed them.
pub struct Computed<'a, S: NumberSystem<Number: Default>> {
    /// The demanded elements of the outputs.
    pub outputs: Vec<Output<'a, S>>,
    /// The plan's departures from the arithmetic of the text.
    pub transformations: Vec<Transformation>,
    /// The floating-point arithmetic of the plan; `None` if the plan computes with integers.
    pub model: Option<FloatModel>,
}

/// Compiles a plan and computes the outputs with it.
///
/// # Errors
/// No plan exists, or an element of an input is missing or undefined.
pub fn compute<'a, T: MachineNumber<System: Listed>>(
    ready: &'a Ready<'a>,
    threads: usize,
    progress: &Progress,
) -> Result<Computed<'a, T::System>, Failure> {
    let refused = |fault: PlanFault| refused(ready, &fault);
    let arrays = ready.inputs.elements(&Extended(T::System::default()))?;
    progress.set("making a plan");
    let plan = Plan::<T>::compile(&ready.instance, &ready.loaded.typing, ready.division).map_err(refused)?;
    let mut workspace = plan.parallel_workspace(threads).map_err(refused)?;
    let mut inputs = Vec::new();
    for slot in &plan.inputs {
        let mut buffer = Buffer::<T>::new(slot.layout.length).map_err(refused)?;
        let scan = ready.instance.declared(slot.variable).scan(&[]);
        let points = scan.and_then(|scan| scan.points(&[], MAX_POINTS));
        for point in points.map_err(|error| refused(PlanFault::from(error)))? {
            buffer.all_mut()[slot.layout.offset(&point)] =
                element::<T>(ready, &arrays, slot.variable, &point)?;
        }
        inputs.push(buffer);
    }
    let outputs = plan.outputs.iter().map(|slot| Buffer::<T>::new(slot.layout.length));
    let mut outputs = outputs.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let inputs: Vec<&[T]> = inputs.iter().map(Buffer::all).collect();
    let mut written: Vec<&mut [T]> = outputs.iter_mut().map(Buffer::all_mut).collect();
    progress.set("running the plan");
    plan.run(&mut workspace, &inputs, &mut written).map_err(refused)?;
    let mut all = Vec::new();
    for demand in &ready.demands {
        let found = plan.outputs.iter().zip(&outputs).find(|(slot, _)| slot.variable == demand.variable);
        let data_type = ready.loaded.system.variable(demand.variable).data_type;
        let value = |point: &[i64]| -> Option<Element<Extended<T::System>>> {
            let (slot, output) = found?;
            let value = output.all()[slot.layout.offset(point)];
            Some(match data_type {
                ElementType::Boolean => Datum::Truth(Some(value.is_true())),
                _ => Datum::Number(Some(value)),
            })
        };
        all.push(Output::collect(demand, value));
    }
    let model = format_of(T::System::default().row()).map(|format| plan.model(format));
    Ok(Computed { outputs: all, transformations: plan.transformations, model })
}

/// Reads an element of an input as a machine number; fails if it is missing or undefined.
fn element<T: MachineNumber<System: Listed>>(
    ready: &Ready<'_>,
    arrays: &Arrays<T>,
    x: VariableId,
    point: &[i64],
) -> Result<T, Failure> {
    let variable = ready.loaded.system.variable(x);
    let fault = |code: CommandCode, what: &str, hint: String| {
        let message = format!("{}{} {what}", variable.name, index_text(point));
        let report = Report::new(code, message).at(variable.span, "an input");
        (report.hint(hint), ready.loaded.source.clone())
    };
    match arrays.get(&x).and_then(|array| array.get(point)) {
        Some(Datum::Number(Some(number))) => Ok(number),
        Some(Datum::Truth(Some(truth))) => Ok(T::truth(truth)),
        Some(_) => {
            let hint = "without `--fast` inputs may be undefined".to_owned();
            let (report, source) = fault(CommandCode::L0012, "is undefined", hint);
            Err(Failure::undecided(report).in_source(&source))
        }
        None => {
            let (report, source) = fault(
                CommandCode::I0024,
                "is not given, and a plan reads whole inputs",
                ready.inputs.held(x),
            );
            Err(Failure::fault(report).in_source(&source))
        }
    }
}

/// The failure for a system without a plan.
fn refused(ready: &Ready<'_>, fault: &PlanFault) -> Failure {
    let report = Report::new(CommandCode::L0012, format!("there is no plan for this system: {fault}"));
    let report = report.in_file(ready.loaded.source.name.as_ref(), None);
    let report = match fault {
        PlanFault::Unbounded(..) | PlanFault::Empty(..) => report.hint(
            "a plan computes whole variables, which must be bounded and not empty; without `--fast` they need not be",
        ),
        _ => report,
    };
    match fault.span() {
        None => Failure::undecided(report),
        Some(span) => Failure::undecided(report.at(span, "here")).in_source(&ready.loaded.source),
    }
}
