//! The default commands, for a language without commands of its own: they use only the table of languages.

use crate::alpha::check::well_formed;
use crate::alpha::loading::LoadedSystem;
use crate::alpha::run::{InputElements, MAX_STEPS, Output, Ready};
use crate::commands::check::{CheckArgs, CheckResults};
use crate::commands::lower::{LowerArgs, system_name};
use crate::commands::run::RunArgs;
use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Failure, Outcome};
use crate::input::parameters::known_sizes;
use crate::input::program::{ill_formed, well_formed_at};
use crate::limits::Progress;
use crate::setup::EvaluationArgs;
use alpha::lowered::Lowered;
use alpha::syntax::{System, VariableId, VariableRole};
use guard::faithful;
use language::{ComparedElements, GivenInputs, Runnable, Signature, Sizes, Stopped, Task};
use languages::ReadSource;
use polyhedra_isl::Isl;
use selfsame_core::operations::{Element, error};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use std::path::Path;
use values::{Extended, Listed, Visitor};

/// Checks a program and reports the types of the variables of its core.
pub fn check(args: &CheckArgs, progress: &Progress) -> Result<CheckResults, Failure> {
    if args.analyze {
        return Err(LoadedSystem::only_rink("--analyze"));
    }
    let (read, source) = args.source.program(progress)?;
    let sizes = known_sizes(&[&read], &args.parameters)?;
    let checked = well_formed_at(&read, &source, &sizes, &args.source.file)?;
    let core = named(interface(&read, &source)?);
    Ok(well_formed(source, &core.system, checked.faults.into_iter().map(Report::from).collect()))
}

/// Lowers a program to its core, for all sizes; the header is empty.
pub fn lower(args: &LowerArgs, progress: &Progress) -> Result<(String, System), Failure> {
    if !args.parameters.given.is_empty() {
        let message = "the parameters of this program stay what they are: `lower` takes no `--param` for it";
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let (read, source) = args.source.program(progress)?;
    let mut core = core(&read, &source)?;
    core.system.name = system_name(Path::new(&source.name));
    Ok((String::new(), core.system))
}

/// Evaluates a program by the reference semantics of its language, or its core by a plan (`--fast`).
pub fn run(args: &RunArgs, progress: &Progress) -> Result<Outcome, Failure> {
    let (read, source) = args.source.program(progress)?;
    if args.fast {
        let system = named(core(&read, &source)?).system;
        let core = LoadedSystem::of_core(source, system, read.source().language)?;
        return crate::alpha::run::execute(&core, args, progress);
    }
    let (core, names) = interface_of(&read, source)?;
    // What the core has besides is no fault of the program.
    let ready = Ready::new(&core, &args.evaluation, progress)?.without_warnings();
    let undecided = |why: String| {
        let report = Report::new(CommandCode::L0009, why);
        Failure::undecided(report.in_file(&args.source.file, None))
    };
    let runnable = read.program().runnable(&Isl::with_memory()).map_err(undecided)?;
    let optional = optional(&runnable, &names);
    let inputs =
        ProgramInputs { file: &args.source.file, evaluation: &args.evaluation, ready, names, optional };
    let sizes = args.evaluation.parameters.values()?;
    let types = read.program().types();
    args.evaluation.values.visit_types(
        types,
        args.system.read()?.machine,
        ReferenceRun { args, runnable, inputs, sizes },
    )
}

/// The inputs of a program that may have undefined elements.
pub fn optional(runnable: &impl Runnable, names: &CoreNames) -> Vec<VariableId> {
    let total = runnable.total();
    names.inputs.iter().filter(|(name, _)| !total.contains(name)).map(|(_, x)| *x).collect()
}

/// The interface of a program, with the program's own names.
pub fn interface_of(read: &ReadSource, source: NamedSource) -> Result<(LoadedSystem, CoreNames), Failure> {
    let lowered = named(interface(read, &source)?);
    let names = names(&lowered);
    Ok((LoadedSystem::of_core(source, lowered.system, read.source().language)?, names))
}

/// Lowers a program to its core; a fault is reported in the program's source.
fn core(read: &ReadSource, source: &NamedSource) -> Result<Lowered, Failure> {
    read.lowered().cloned().map_err(|fault| ill_formed(source, [fault]))
}

/// The core, or one with the same inputs and outputs where it cannot express the program.
fn interface(read: &ReadSource, source: &NamedSource) -> Result<Lowered, Failure> {
    read.interface().map_err(|fault| ill_formed(source, [fault]))
}

/// The core with the program's own names of inputs and outputs, for people: the core's may differ, as the name of an output that is an
/// input, too.
fn named(mut lowered: Lowered) -> Lowered {
    for x in lowered.system.variable_ids().collect::<Vec<VariableId>>() {
        let name = match lowered.system.variable(x).kind {
            VariableRole::Input => Some(lowered.inputs[x.index()].clone()),
            _ => lowered.output(x).map(str::to_owned),
        };
        if let Some(name) = name {
            lowered.system.variables[x.index()].name = name.as_str().into();
        }
    }
    lowered
}

/// Maps between the variables of the core and their names in the program.
pub struct CoreNames {
    inputs: BTreeMap<String, VariableId>,
    outputs: BTreeMap<VariableId, String>,
}

fn names(lowered: &Lowered) -> CoreNames {
    let is_input = |x: &VariableId| lowered.system.variable(*x).kind == VariableRole::Input;
    let inputs = lowered.system.variable_ids().zip(&lowered.inputs).filter(|(x, _)| is_input(x));
    CoreNames {
        inputs: inputs.map(|(x, name)| (name.clone(), x)).collect(),
        outputs: lowered.outputs.iter().map(|(name, x)| (*x, name.clone())).collect(),
    }
}

/// The inputs of a run, before its number system is chosen.
pub struct ProgramInputs<'a> {
    /// The file of the program.
    pub file: &'a Path,
    /// How the program is evaluated.
    pub evaluation: &'a EvaluationArgs,
    /// The interface of the program, with its inputs.
    pub ready: Ready<'a>,
    /// The names of inputs and outputs.
    pub names: CoreNames,
    /// The inputs that may be left out: what may be undefined is •.
    pub optional: Vec<VariableId>,
}

impl ProgramInputs<'_> {
    /// The maximum number of elements of a tensor.
    pub fn limit(&self) -> usize {
        usize::try_from(self.evaluation.max_elements).unwrap_or(usize::MAX)
    }

    /// The inputs in a number system.
    ///
    /// # Errors
    /// An element is not given or not a number of the system, or an input has too many elements.
    pub fn given<S: Listed>(&self, system: S) -> Result<Tensors<'_, S>, Failure> {
        let elements = self.ready.elements(&Extended(system), self.limit(), &self.optional)?;
        let indices = self.ready.loaded.system.index_inputs.iter().copied();
        let indices = indices.zip(self.ready.inputs.indices()?).collect();
        Ok(Tensors { system, elements, indices, inputs: &self.names.inputs })
    }

    /// Why a run has no end.
    pub fn stopped(&self, stopped: &Stopped, sizes: &Sizes) -> Failure {
        let in_file = |report: Report| report.in_file(self.file, None);
        match stopped {
            Stopped::Fault(diagnostic) => ill_formed(&self.ready.loaded.source, [(**diagnostic).clone()]),
            Stopped::TooLong => Failure::undecided(in_file(Report::too_long())),
            Stopped::NotAllowed => {
                let sizes: Vec<String> = sizes.iter().map(|(name, n)| format!("{name} = {n}")).collect();
                let message = format!("the program has no meaning for {}", sizes.join(", "));
                Failure::fault(in_file(Report::new(CommandCode::I0022, message)))
            }
            other => Failure::undecided(in_file(Report::new(CommandCode::L0009, other.to_string()))),
        }
    }
}

/// An evaluation by the reference semantics, before its number system is chosen.
struct ReferenceRun<'a> {
    args: &'a RunArgs,
    runnable: languages::Runnable<'a>,
    inputs: ProgramInputs<'a>,
    sizes: Sizes,
}

impl Visitor for ReferenceRun<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: Listed>(self, system: S) -> Result<Outcome, Failure> {
        let domain = Extended(system);
        let ready = &self.inputs.ready;
        let given = self.inputs.given(system)?;
        let outputs: Vec<String> = self.inputs.names.outputs.values().cloned().collect();
        let task = Task {
            division: ready.division,
            outputs: &outputs,
            compared: ComparedElements::All,
            steps: MAX_STEPS,
            elements: self.inputs.limit(),
        };
        let computed = self.runnable.outputs(&domain, &self.sizes, &given, task);
        let mut computed = computed.map_err(|stopped| self.inputs.stopped(&stopped, &self.sizes))?;
        let demands = ready.demands.iter();
        let outputs: Vec<Output<'_, S>> = demands
            .map(|demand| {
                let name = self.inputs.names.outputs.get(&demand.variable).cloned().unwrap_or_default();
                Output::collect(demand, |point| computed.remove(&(name.clone(), point.to_vec())))
            })
            .collect();
        Ok(ready.outcome(&system, &outputs, self.args.json))
    }
}

/// The elements of the inputs; every element is given.
pub struct Tensors<'a, S: Listed> {
    system: S,
    elements: InputElements<Extended<S>>,
    indices: BTreeMap<VariableId, i64>,
    inputs: &'a BTreeMap<String, VariableId>,
}

impl<S: Listed> GivenInputs<Extended<S>> for Tensors<'_, S> {
    fn element(&self, name: &str, at: &[i64], data_type: ElementType) -> Element<Extended<S>> {
        let element = self.inputs.get(name).and_then(|x| self.elements.get(&(*x, at.to_vec())));
        element.cloned().unwrap_or_else(|| error(&Extended(self.system), data_type))
    }

    fn index(&self, name: &str) -> i64 {
        self.inputs.get(name).and_then(|x| self.indices.get(x)).copied().unwrap_or_default()
    }

    fn call(
        &self,
        function: Signature<'_>,
        arguments: &[Element<Extended<S>>],
    ) -> Option<Element<Extended<S>>> {
        faithful(self.system, function, arguments)
    }
}
