//! `selfsame run FILE.alpha`: evaluation by the reference semantics or by a plan.

use super::fast;
use super::inputs::{InputArray, InputTensors};
use super::loading::LoadedSystem;
use super::tolerance::check;
use super::window::{Demand, demands};
use crate::commands::run::RunArgs;
use crate::diagnostics::{CommandCode, Report, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::{grid_text, json_text};
use crate::setup::EvaluationArgs;
use alpha::checking::{index_text, parameters_text};
use alpha::evaluation::{
    InputFunction, MAX_HELD, Point, Setting, Stuck, SystemEvaluator, VariableMethod, uninterpreted,
};
use alpha::instance::SystemInstance;
use alpha::syntax::{ExprId, Expression, VariableId, VariableRole};
use base::diagnostics::Span;
use checker::systems::{casts, compares};
use evaluator::MachineNumber;
use half::{bf16, f16};
use polyhedra::EngineError;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::{Binary, ElementType, Unary};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use values::digits::TooLong;
use values::{Division, Extended, Listed, NumberSystem, SystemName, ValueDomain, Visitor};

/// The maximum number of steps in one evaluation. It ends what would not end for hours; whoever has that much
/// to evaluate has `--fast`.
pub const MAX_STEPS: u64 = 1 << 32;

/// Evaluates the demanded elements of the outputs.
///
/// # Errors
/// The system or its input is at fault, or a limit is exceeded.
pub fn execute(loaded: &LoadedSystem, args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let ready = Ready::new(loaded, &args.evaluation, progress)?;
    let run = AlphaRun { args, ready, progress };
    let types = loaded.types().numbers();
    match args.evaluation.values {
        values if args.fast && types.iter().any(|of| values.of(of) != values.real()) => {
            let message = format!(
                "the fast evaluator computes with numbers of one type, and in `{values}` the integers of this system are exact"
            );
            let report = Report::new(CommandCode::L0012, message);
            Err(Failure::undecided(report.hint("`--values i64` or `i32`, if the system has integers only")))
        }
        values if !args.fast => {
            values.visit_types(run.ready.loaded.types(), args.system.read()?.machine, run)
        }
        SystemName::F32 => run.fast::<f32>(),
        SystemName::F64 => run.fast::<f64>(),
        SystemName::F16 => run.fast::<f16>(),
        SystemName::BF16 => run.fast::<bf16>(),
        SystemName::I8 => run.fast::<i8>(),
        SystemName::I16 => run.fast::<i16>(),
        SystemName::I32 => run.fast::<i32>(),
        SystemName::I64 => run.fast::<i64>(),
        SystemName::U8 => run.fast::<u8>(),
        SystemName::U16 => run.fast::<u16>(),
        SystemName::U32 => run.fast::<u32>(),
        SystemName::U64 => run.fast::<u64>(),
        other => {
            let message = format!("the fast evaluator computes with machine numbers, not in `{other}`");
            let report = Report::new(CommandCode::L0012, message);
            Err(Failure::undecided(report.hint("`--values f64`, `i32`, or another type of machine numbers")))
        }
    }
}

/// The elements of inputs, by variable and index.
pub type InputElements<D> = BTreeMap<(VariableId, Vec<i64>), Element<D>>;

/// A system with everything that its evaluation needs, except for the number system.
pub struct Ready<'a> {
    pub(crate) loaded: &'a LoadedSystem,
    pub(super) instance: SystemInstance<'a>,
    pub(crate) inputs: InputTensors<'a>,
    pub(crate) demands: Vec<Demand>,
    pub(crate) division: Division,
    warnings: Vec<Report>,
}

impl<'a> Ready<'a> {
    /// Checks the system at the given parameters and reads its inputs.
    ///
    /// # Errors
    /// The system, its parameters, windows or inputs are at fault.
    pub fn new(
        loaded: &'a LoadedSystem,
        args: &EvaluationArgs,
        progress: &Progress,
    ) -> Result<Ready<'a>, Failure> {
        if args.pad.is_some() {
            return Err(LoadedSystem::only_rink("--pad"));
        }
        let mut parameters = loaded.all_parameters(&args.parameters)?;
        let inputs = InputTensors::read(loaded, &args.input, args.max_elements, progress)?;
        parameters.extend(inputs.indices()?);
        let checked = loaded.checked(Some(&parameters), progress)?;
        let instance = SystemInstance::new(&loaded.system, &checked.domains, &parameters)
            .map_err(|undecided| loaded.undecided(&undecided))?;
        let demands = demands(loaded, &instance, &args.window, args.max_elements)?;
        let division = args.division.map_or(loaded.conventions.division, Division::from);
        let warnings = checked.findings.into_iter().map(Report::from).collect();
        Ok(Ready { loaded, instance, inputs, demands, division, warnings })
    }

    /// All elements of the inputs, at most `limit` of each input; none of an input that is not given, if it is one of the `optional` ones.
    ///
    /// # Errors
    /// An element is not given or not a number of the system, or an input has more than `limit` elements.
    pub fn elements<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        limit: usize,
        optional: &[VariableId],
    ) -> Result<InputElements<Extended<S>>, Failure> {
        let (arrays, system) = (self.inputs.elements(domain)?, &self.loaded.system);
        let mut elements = BTreeMap::new();
        let is_input = |x: &VariableId| {
            system.variable(*x).kind == VariableRole::Input && system.parameter_of(*x).is_none()
        };
        let is_left_out = |x: &VariableId| optional.contains(x) && !arrays.contains_key(x);
        for x in system.variable_ids().filter(is_input).filter(|x| !is_left_out(x)) {
            let points = self.instance.declared(x).scan(&[]).and_then(|scan| scan.points(&[], limit));
            let points = points.map_err(|error| self.limit(CommandCode::L0009, error.to_string()))?;
            for z in points {
                let element = arrays.get(&x).and_then(|array| array.get(&z));
                let element = element.ok_or_else(|| self.failure(&Stuck::NoInput(x, (&*z).into())))?;
                elements.insert((x, z), element);
            }
        }
        Ok(elements)
    }

    fn limit(&self, code: CommandCode, message: String) -> Failure {
        Failure::undecided(Report::new(code, message).in_file(self.loaded.source.name.as_ref(), None))
    }

    /// An evaluator of elements in a value domain.
    pub fn evaluator<'b, D: ValueDomain>(
        &'b self,
        domain: &'b D,
        input: &'b InputFunction<'b, D>,
        method: VariableMethod,
    ) -> SystemEvaluator<'b, D> {
        let (instance, typing, division) = (&self.instance, &self.loaded.typing, self.division);
        let (functions, max_steps) = (&uninterpreted::<D>, MAX_STEPS);
        SystemEvaluator::new(Setting {
            instance,
            typing,
            domain,
            division,
            input,
            functions,
            method,
            max_steps,
        })
    }

    /// Refuses systems that compare numbers without an order, or cast them to a type to which they have no cast.
    ///
    /// # Errors
    /// The system has such an operation in the number system.
    pub fn require_order(&self, values: SystemName) -> Result<(), Failure> {
        let LoadedSystem { source, system: alpha, typing, .. } = self.loaded;
        let of = |e: ExprId| values.of(typing.shape(e).data_type);
        let is_open = |operator: Binary, of: ElementType| {
            of != ElementType::Boolean && compares(operator) && !of.is_ordered()
        };
        let needs = |expression: &Expression| match expression {
            Expression::Binary(operator, [a, _])
            | Expression::Reduce(operator, _, a)
            | Expression::ReduceOver(operator, _, _, a) => is_open(*operator, of(*a)),
            Expression::Unary(Unary::Absolute, a) => !of(*a).is_ordered(),
            Expression::Unary(Unary::Cast(to), a) => !casts(of(*a), values.of(*to)),
            _ => false,
        };
        match alpha.expressions().find(|(_, expression)| needs(expression)) {
            None => Ok(()),
            Some((e, _)) => {
                let message = format!("this operation has no meaning in `{values}`, which has no order");
                let report = Report::new(CommandCode::L0010, message)
                    .at(alpha.span(e), "needs integers or their order");
                Err(Failure::undecided(report).in_source(source))
            }
        }
    }

    /// The failure for a stuck evaluation.
    pub fn failure(&self, stuck: &Stuck) -> Failure {
        let system = &self.loaded.system;
        let element = |x: &VariableId, z: &[i64]| {
            let parameters = parameters_text(&system.parameters, &self.instance.parameters);
            format!("{}{}{parameters}", system.variable(*x).name, index_text(z))
        };
        let fault = |code: &dyn std::fmt::Display, message: String, span: Span, label: &str| {
            Failure::fault(Report::new(code, message).at(span, label)).in_source(&self.loaded.source)
        };
        let report = |code: CommandCode, message: String| {
            Report::new(code, message).in_file(self.loaded.source.name.as_ref(), None)
        };
        let limit = |code: CommandCode, message: String| self.limit(code, message);
        let long = |message: String, at: &Option<(VariableId, Point)>| match at {
            None => limit(CommandCode::L0009, message),
            Some((x, z)) => {
                let report = report(CommandCode::L0009, format!("{message}, at {}", element(x, z)));
                let report = report.at(system.variable(*x).span, "declared here");
                let hint = "its elements may depend on infinitely many others; if not, `--window` asks for fewer of them";
                let report = report.hint(hint);
                Failure::undecided(report).in_source(&self.loaded.source)
            }
        };
        match stuck {
            Stuck::Cycle(x, z) => {
                let message = format!("{} depends on itself", element(x, z));
                fault(&base::diagnostics::Code::P0014, message, system.variable(*x).span, "declared here")
            }
            Stuck::NoInput(x, z) => {
                let message = format!("{} is needed, but no input provides it", element(x, z));
                let report =
                    Report::new(CommandCode::I0024, message).at(system.variable(*x).span, "an input");
                Failure::fault(report.hint(self.inputs.held(*x))).in_source(&self.loaded.source)
            }
            Stuck::Fibre(e, z, EngineError::Unbounded(_)) => {
                let message = format!("the reduction has infinitely many terms at {}", index_text(z));
                fault(&base::diagnostics::Code::P0018, message, system.span(*e), "this reduction")
            }
            Stuck::Constant(e, error) => {
                fault(&CommandCode::I0011, error.to_string(), system.span(*e), "in this number system")
            }
            Stuck::Uninterpreted(e, f) => {
                let name = &system.function(*f).name;
                let report = Report::new(CommandCode::L0011, format!("the function `{name}` has no value"));
                let report = report.at(system.span(*e), "called here");
                let hint = "functions are uninterpreted: what they compute is not known";
                Failure::undecided(report.hint(hint)).in_source(&self.loaded.source)
            }
            Stuck::Fibre(_, z, error) => {
                limit(CommandCode::L0009, format!("a reduction at {}: {error}", index_text(z)))
            }
            Stuck::Index(_, error) => limit(CommandCode::L0009, error.to_string()),
            Stuck::Steps(steps, at) => long(format!("more than {steps} steps of evaluation"), at),
            Stuck::Memory(at) => long(
                format!(
                    "more than {MAX_HELD} elements, steps and parts of long numbers would have to be held"
                ),
                at,
            ),
            Stuck::TooLong => limit(CommandCode::L0008, TooLong.to_string()),
        }
    }
}

struct AlphaRun<'a> {
    args: &'a RunArgs,
    ready: Ready<'a>,
    progress: &'a Progress,
}

impl Visitor for AlphaRun<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Outcome, Failure> {
        let domain = Extended(system);
        self.ready.require_order(system.row())?;
        let arrays = self.ready.inputs.elements(&domain)?;
        let input = |x: VariableId, z: &[i64]| arrays.get(&x).and_then(|array: &InputArray<_>| array.get(z));
        let mut evaluator = self.ready.evaluator(&domain, &input, self.args.evaluator.into());
        let mut outputs = Vec::new();
        for demand in &self.ready.demands {
            outputs.push(Output::evaluate(&mut evaluator, demand, &self.ready, self.progress)?);
        }
        Ok(self.ready.outcome(&system, &outputs, self.args.json))
    }
}

/// The elements of an output in row-major order of its box; `None` outside the output's domain.
pub struct Output<'a, S: NumberSystem<Number: Default>> {
    demand: &'a Demand,
    cells: Vec<Option<Element<Extended<S>>>>,
}

impl<'a, S: NumberSystem<Number: Default>> Output<'a, S> {
    fn evaluate(
        evaluator: &mut SystemEvaluator<'_, Extended<S>>,
        demand: &'a Demand,
        ready: &Ready<'_>,
        progress: &Progress,
    ) -> Result<Output<'a, S>, Failure> {
        let mut values = BTreeMap::new();
        let name = &ready.loaded.system.variable(demand.variable).name;
        for (at, point) in demand.points.iter().enumerate() {
            if at % 1024 == 0 {
                progress.set(format!("{at} of {} elements of {name}", demand.points.len()));
            }
            let value = evaluator.element(demand.variable, point).map_err(|stuck| ready.failure(&stuck))?;
            values.insert(offset(demand, point), value);
        }
        Ok(Output::collect(demand, |point| values.remove(&offset(demand, point))))
    }

    /// Collects the demanded elements; `element` returns the one at given indices.
    pub fn collect(
        demand: &'a Demand,
        mut element: impl FnMut(&[i64]) -> Option<Element<Extended<S>>>,
    ) -> Output<'a, S> {
        let size = demand.extents.iter().product();
        let mut cells: Vec<_> = (0..size).map(|_| None).collect();
        for point in &demand.points {
            cells[offset(demand, point)] = element(point);
        }
        Output { demand, cells }
    }

    /// The output variable.
    pub fn variable(&self) -> VariableId {
        self.demand.variable
    }

    /// The elements with their indices.
    pub fn elements(&self) -> impl Iterator<Item = (&[i64], &Element<Extended<S>>)> {
        let element =
            |point: &'a Vec<i64>| Some((&point[..], self.cells[offset(self.demand, point)].as_ref()?));
        self.demand.points.iter().filter_map(element)
    }
}

fn offset(demand: &Demand, point: &[i64]) -> usize {
    let coordinates = point.iter().zip(&demand.origin).zip(&demand.extents);
    coordinates.fold(0, |offset, ((z, low), extent)| offset * extent + usize::try_from(z - low).unwrap_or(0))
}

impl AlphaRun<'_> {
    fn fast<T: MachineNumber<System: NumberSystem<Number: Default>>>(self) -> Result<Outcome, Failure> {
        let mut computed = fast::compute::<T>(&self.ready, self.args.threads.into(), self.progress)?;
        let system = T::System::default();
        if !self.args.check {
            return Ok(self.ready.outcome(&system, &computed.outputs, self.args.json));
        }
        let checked = check::<T>(&self.ready, &computed.outputs, computed.model, self.progress)?;
        for (x, point) in &checked.undefined {
            computed.outputs.iter_mut().filter(|output| output.demand.variable == *x).for_each(|output| {
                output.cells[offset(output.demand, point)] = Some(Datum::Number(None));
            });
        }
        let outcome = self.ready.outcome(&system, &computed.outputs, self.args.json);
        // Only floats depend on the transformations: integers are the same in any order.
        let rounded = if computed.model.is_some() { &computed.transformations[..] } else { &[] };
        let stderr = outcome.stderr + &checked.text(rounded);
        Ok(Outcome { exit: checked.exit(), stderr, ..outcome })
    }
}

impl Ready<'_> {
    /// The same without warnings: those of an interface are not about the program.
    #[must_use]
    pub fn without_warnings(self) -> Self {
        Ready { warnings: Vec::new(), ..self }
    }

    /// The outcome that prints the outputs and renders the warnings.
    pub fn outcome<S: NumberSystem<Number: Default>>(
        &self,
        system: &S,
        outputs: &[Output<'_, S>],
        is_json: bool,
    ) -> Outcome {
        let stdout = if is_json { self.json(system, outputs) } else { self.text(system, outputs) };
        let stderr = render(Some(&self.loaded.source), &self.warnings);
        Outcome { stderr, ..Outcome::new(Exit::Yes, stdout) }
    }

    fn json<S: NumberSystem<Number: Default>>(&self, system: &S, outputs: &[Output<'_, S>]) -> String {
        let cell = |cell: &Option<Element<Extended<S>>>| {
            cell.as_ref().map_or(Value::Null, |element| element_json(system, element))
        };
        let mut store = Map::new();
        for Output { demand, cells } in outputs {
            let data: Vec<Value> = cells.iter().map(cell).collect();
            let tensor = json!({"shape": demand.extents, "origin": demand.origin, "data": data});
            store.insert(self.loaded.system.variable(demand.variable).name.to_string(), tensor);
        }
        json_text(&json!({"store": store}))
    }

    fn text<S: NumberSystem<Number: Default>>(&self, system: &S, outputs: &[Output<'_, S>]) -> String {
        let cell = |cell: &Option<Element<Extended<S>>>| match cell {
            None => "·".to_owned(),
            Some(element) => element_text(system, element),
        };
        let mut text = String::new();
        for Output { demand, cells } in outputs {
            let name = &self.loaded.system.variable(demand.variable).name;
            let last: Vec<i64> = demand
                .origin
                .iter()
                .zip(&demand.extents)
                .map(|(low, &extent)| low.saturating_add(i64::try_from(extent).unwrap_or(0) - 1))
                .collect();
            let range = match demand.origin.is_empty() {
                true => String::new(),
                false => format!(" from {} to {}", index_text(&demand.origin), index_text(&last)),
            };
            let outside = if cells.iter().any(Option::is_none) { ", · outside its domain" } else { "" };
            text.push_str(&format!("{name}{range}{outside}\n"));
            text.push_str(&grid_text(&demand.extents, &demand.origin, |at| cell(&cells[at])));
        }
        text
    }
}

/// An element as JSON; `null` if it is undefined.
pub fn element_json<S: NumberSystem<Number: Default>>(system: &S, element: &Element<Extended<S>>) -> Value {
    match element {
        Datum::Number(Some(number)) => system.write(number).to_json(),
        Datum::Truth(Some(truth)) => Value::Bool(*truth),
        Datum::Number(None) | Datum::Truth(None) => Value::Null,
    }
}

/// A value as text for people; `•` stands for *error*.
pub(super) fn element_text<S: NumberSystem<Number: Default>>(
    system: &S,
    element: &Element<Extended<S>>,
) -> String {
    match element {
        Datum::Number(Some(number)) => system.write(number).to_string(),
        Datum::Truth(Some(truth)) => truth.to_string(),
        _ => "•".to_owned(),
    }
}
