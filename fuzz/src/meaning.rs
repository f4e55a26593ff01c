//! The meaning of a case: its core, and the elements of its outputs by the reference semantics, in any value
//! domain.

use crate::case::{Array, Case, Element, Subject};
use crate::other;
use alpha::domains::Domains;
use alpha::evaluation::{self as core_evaluation, Evaluator, Setting, Stuck};
use alpha::instance::Instance;
use alpha::lowered;
use alpha::syntax::{Kind, System, VariableId};
use alpha::typing::{self as core_typing, type_system};
use polyhedra::{Engine, IndexSet};
use rink::equivalence::{Typed, initial_store, input_variables};
use rink::evaluation::{Evaluation, Method};
use rink::syntax::Program;
use rink::to_alpha::{Lowered, lower};
use rink::typing::{Typing, type_program, type_symbolic};
use selfsame_core::operations::{Datum, Element as Value};
use selfsame_core::operators::DataType;
use std::fmt;
use values::{Literal, ValueDomain};

/// The maximum number of elements of a tensor of a case, operands included: 8 MB of f64, so that a file of a
/// finding can be read and sent.
pub const MAX_ELEMENTS: u64 = 1 << 20;
/// The maximum number of steps to evaluate a case.
pub(crate) const MAX_STEPS: u64 = 1 << 22;

/// Why no meaning of a case was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The program is ill-formed.
    IllFormed(String),
    /// Evaluation, or a question about index sets, took too many steps.
    OutOfBudget(String),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::IllFormed(why) => write!(f, "ill-formed: {why}"),
            Stopped::OutOfBudget(why) => write!(f, "too large: {why}"),
        }
    }
}

/// The core of a case, ready for evaluation.
#[derive(Debug)]
pub struct Meaning {
    own: Option<Own>,
    core: System,
    core_typing: core_typing::Typing,
    domains: Domains,
    parameters: Vec<i64>,
}

/// The part of a program's meaning that the core does not have; systems of ALPHA have none.
#[derive(Debug)]
enum Own {
    /// Of the tensor model language: it is evaluated as a whole.
    Model(Typing, Lowered),
    /// Of another language: the names of inputs and outputs in the program.
    Other(lowered::Lowered),
}

/// An element of an output: the variable of the core, and the index.
pub type Place = (VariableId, Vec<i64>);

impl Meaning {
    /// The meaning of a well-formed program.
    ///
    /// # Errors
    /// The program is ill-formed or too large.
    pub fn new(subject: &Subject, engine: &dyn Engine) -> Result<Meaning, Stopped> {
        match subject {
            Subject::Program(program) => Meaning::of_program(program, engine),
            Subject::System(system, parameters) => {
                Meaning::of_core(None, system.clone(), parameters.clone(), engine)
            }
            Subject::Other(read, sizes) => {
                let lowered = read.program().lower().map_err(|fault| Stopped::OutOfBudget(fault.message))?;
                let core = lowered.system.clone();
                let size = |name: &polyhedra::Name| sizes.get(&**name).copied();
                let parameters: Option<Vec<i64>> = core.parameters.iter().map(size).collect();
                let parameters =
                    parameters.ok_or_else(|| Stopped::IllFormed("a size is missing".to_owned()))?;
                Meaning::of_core(Some(Own::Other(lowered)), core, parameters, engine)
            }
        }
    }

    fn of_program(program: &Program, engine: &dyn Engine) -> Result<Meaning, Stopped> {
        let typing = type_program(program).map_err(|errors| {
            let messages: Vec<String> = errors
                .iter()
                .map(|error| error.diagnostic())
                .map(|d| format!("{}: {}", d.code, d.message))
                .collect();
            Stopped::IllFormed(messages.join("; "))
        })?;
        let symbolic = type_symbolic(program, &[]).map_err(|_| Stopped::IllFormed("sizes".to_owned()))?;
        let lowered = lower(program, &symbolic)
            .map_err(|refused| Stopped::OutOfBudget(refused.diagnostic(program).message))?;
        let core = lowered.system.clone();
        Meaning::of_core(Some(Own::Model(typing, lowered)), core, Vec::new(), engine)
    }

    fn of_core(
        own: Option<Own>,
        core: System,
        parameters: Vec<i64>,
        engine: &dyn Engine,
    ) -> Result<Meaning, Stopped> {
        let core_typing = type_system(&core).map_err(|errors| {
            Stopped::IllFormed(errors.first().map_or(String::new(), |error| error.message.clone()))
        })?;
        let domains = Domains::new(&core, engine, None)
            .map_err(|undecided| Stopped::OutOfBudget(undecided.diagnostic().message))?;
        Ok(Meaning { own, core, core_typing, domains, parameters })
    }

    /// The core at its sizes.
    ///
    /// # Errors
    /// Its domains are too large.
    pub fn instance(&self) -> Result<Instance<'_>, Stopped> {
        Instance::new(&self.core, &self.domains, &self.parameters)
            .map_err(|undecided| Stopped::OutOfBudget(undecided.diagnostic().message))
    }

    /// The core.
    pub fn core(&self) -> &System {
        &self.core
    }

    /// The domains of the core.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// The types of the core.
    pub fn typing(&self) -> &core_typing::Typing {
        &self.core_typing
    }

    /// The name of an input or an output in the program.
    pub fn name<'a>(&'a self, subject: &'a Subject, x: VariableId) -> &'a str {
        match (subject, &self.own) {
            (Subject::Program(program), Some(Own::Model(_, lowered))) => program.name(lowered.origin(x)),
            (_, Some(Own::Other(lowered))) => lowered.output(x).unwrap_or(&lowered.inputs[x.index()]),
            _ => &self.core.variable(x).name,
        }
    }

    /// All elements of all outputs.
    ///
    /// # Errors
    /// There are infinitely many elements, or too many.
    pub fn outputs(&self, instance: &Instance<'_>) -> Result<Vec<Place>, Stopped> {
        let mut places = Vec::new();
        for x in self.core.variable_ids().filter(|x| self.core.variable(*x).kind == Kind::Output) {
            let points = elements_of(instance.declared(x))?;
            places.extend(points.into_iter().map(|point| (x, point)));
        }
        Ok(places)
    }

    /// The values of elements by the language's own semantics; for the tensor model language this is not that of
    /// the core.
    ///
    /// # Errors
    /// The evaluation takes too many steps.
    pub fn reference<D: ValueDomain>(
        &self,
        case: &Case,
        instance: &Instance<'_>,
        engine: &dyn Engine,
        domain: &D,
        given: &Given<'_, D>,
        places: &[Place],
    ) -> Result<Vec<Value<D>>, Stopped> {
        match (&case.subject, &self.own) {
            (Subject::Program(program), Some(Own::Model(typing, lowered))) => {
                let typed = Typed { program, typing };
                own_values(case, typed, Method::Tabulated, domain, given, |x| lowered.origin(x), places)
            }
            (Subject::Other(read, sizes), Some(Own::Other(lowered))) => {
                let of = other::Program { read, sizes, lowered };
                of.values(case, engine, domain, given, places)
            }
            _ => self.by_core(case, instance, core_evaluation::Method::Eval2, domain, given, places),
        }
    }

    /// The values of elements by the equations of the paper, as printed; `None` for systems of ALPHA.
    ///
    /// # Errors
    /// The evaluation takes too many steps.
    pub fn pointwise<D: ValueDomain>(
        &self,
        case: &Case,
        domain: &D,
        given: &Given<'_, D>,
        places: &[Place],
    ) -> Option<Result<Vec<Value<D>>, Stopped>> {
        let (Subject::Program(program), Some(Own::Model(typing, lowered))) = (&case.subject, &self.own)
        else {
            return None;
        };
        let typed = Typed { program, typing };
        Some(own_values(case, typed, Method::PointWise, domain, given, |x| lowered.origin(x), places))
    }

    /// The values of elements by the core's semantics.
    ///
    /// # Errors
    /// The evaluation takes too many steps.
    pub fn by_core<D: ValueDomain>(
        &self,
        case: &Case,
        instance: &Instance<'_>,
        method: core_evaluation::Method,
        domain: &D,
        given: &Given<'_, D>,
        places: &[Place],
    ) -> Result<Vec<Value<D>>, Stopped> {
        let inputs = self.inputs(case);
        let input = |x: VariableId, z: &[i64]| {
            let element = inputs[x.index()].and_then(|array| array.get(z));
            Some(value(domain, self.core.variable(x).data_type, element, given))
        };
        let mut evaluator = Evaluator::new(Setting {
            instance,
            typing: &self.core_typing,
            domain,
            division: case.division,
            input: &input,
            functions: &core_evaluation::uninterpreted::<D>,
            method,
            max_steps: MAX_STEPS,
        });
        let element =
            |(x, z): &Place| evaluator.element(*x, z).map_err(|stuck| Stopped::OutOfBudget(reason(&stuck)));
        places.iter().map(element).collect()
    }

    /// The array of each variable of the core; `None` for variables that are not inputs.
    pub fn inputs<'c>(&self, case: &'c Case) -> Vec<Option<&'c Array>> {
        let array = |x: VariableId| case.inputs.get(self.name(&case.subject, x));
        self.core.variable_ids().map(array).collect()
    }

    /// The boxes around the domains of the inputs.
    ///
    /// # Errors
    /// A domain is not bounded, or too large.
    pub fn boxes(&self, subject: &Subject) -> Result<Vec<Bounds>, Stopped> {
        if let (Subject::Program(program), Some(Own::Model(typing, _))) = (subject, &self.own) {
            let variables = input_variables(Typed { program, typing });
            let bounds = variables.into_iter().map(|v| Bounds {
                origin: vec![1; v.extents.len()],
                shape: v.extents,
                data_type: DataType::Real,
                may_be_undefined: !v.initialized,
                name: v.name,
            });
            return Ok(bounds.collect());
        }
        let inputs = self
            .core
            .variable_ids()
            .filter(|&x| self.core.variable(x).kind == Kind::Input && self.core.parameter_of(x).is_none());
        let instance = self.instance()?;
        let named = |x| Ok(Bounds { name: self.name(subject, x).to_owned(), ..self.bounds(&instance, x)? });
        inputs.map(named).collect()
    }

    /// Why the inputs of a case do not fit its program, if they do not.
    ///
    /// # Errors
    /// A domain is not bounded, or too large.
    pub fn misfit(&self, case: &Case) -> Result<Option<String>, Stopped> {
        let boxes = self.boxes(&case.subject)?;
        let unknown = case.inputs.keys().find(|name| boxes.iter().all(|bounds| bounds.name != **name));
        let wrong = boxes.iter().find_map(|Bounds { name, origin, shape, data_type, .. }| {
            match case.inputs.get(name) {
                None => Some(format!("there is no `{name}`")),
                Some(array) if array.shape != *shape || array.origin != *origin => Some(format!(
                    "`{name}` has the shape {:?} from {:?}, not {shape:?} from {origin:?}",
                    array.shape, array.origin
                )),
                Some(array) => array
                    .data
                    .iter()
                    .flatten()
                    .find(|element| *data_type == DataType::Real && !case.numbers.has(element))
                    .map(|element| format!("`{name}` has {element}, which is no {}", case.numbers.name())),
            }
        });
        Ok(unknown.map(|name| format!("the program has no input `{name}`")).or(wrong))
    }

    /// The box around the domain of a variable of the core.
    ///
    /// # Errors
    /// The domain is not bounded, or too large.
    pub fn bounds(&self, instance: &Instance<'_>, x: VariableId) -> Result<Bounds, Stopped> {
        let points = elements_of(instance.declared(x))?;
        let variable = self.core.variable(x);
        let along = |d: usize| points.iter().map(move |point| point[d]);
        let rank = self.core.variable_rank(x);
        let origin: Vec<i64> = (0..rank).map(|d| along(d).min().unwrap_or(0)).collect();
        let extent = |d: usize| along(d).max().map_or(0, |last| (last - origin[d] + 1) as usize);
        let shape: Vec<usize> = (0..rank).map(extent).collect();
        Ok(Bounds {
            name: variable.name.to_string(),
            shape,
            origin: origin.clone(),
            data_type: variable.data_type,
            may_be_undefined: false,
        })
    }
}

/// The box around an input, or another variable.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The name of the input.
    pub name: String,
    /// The first index.
    pub origin: Vec<i64>,
    /// The extents.
    pub shape: Vec<usize>,
    /// The type of the elements.
    pub data_type: DataType,
    /// Whether elements may be `•`.
    pub may_be_undefined: bool,
}

/// Converts an element of an input, a number or `•`, to a value of a domain.
pub type Given<'a, D> = dyn Fn(&Element) -> <D as ValueDomain>::Value + 'a;

/// An element of an input as a value; 1 or true outside the given array.
pub(crate) fn value<D: ValueDomain>(
    domain: &D,
    data_type: DataType,
    element: Option<&Element>,
    given: &Given<'_, D>,
) -> Value<D> {
    match (data_type, element) {
        (DataType::Boolean, element) => Datum::Truth(domain.truth(truth(element))),
        (_, Some(element)) => Datum::Number(given(element)),
        (_, None) => Datum::Number(domain.index(1)),
    }
}

/// An element as a truth value: numbers other than 0 are true.
pub fn truth(element: Option<&Element>) -> Option<bool> {
    match element {
        None => Some(true),
        Some(None) => None,
        Some(Some(Literal::Boolean(truth))) => Some(*truth),
        Some(Some(literal)) => Some(literal.to_f64() != Ok(0.0)),
    }
}

/// Why there is no value, as a text that is equal for systems that differ only in their parts.
fn reason(stuck: &Stuck) -> String {
    match stuck {
        Stuck::Constant(_, error) => error.to_string(),
        Stuck::Fibre(.., error) | Stuck::Index(_, error) => error.to_string(),
        _ => format!("{stuck:?}"),
    }
}

fn elements_of(set: &IndexSet) -> Result<Vec<Vec<i64>>, Stopped> {
    let limit = usize::try_from(MAX_ELEMENTS).unwrap_or(usize::MAX);
    let points = set.scan(&[]).and_then(|scan| scan.points(&[], limit));
    points.map_err(|error| Stopped::OutOfBudget(error.to_string()))
}

/// Runs a program of the tensor model language and reads elements of its final store.
fn own_values<D: ValueDomain>(
    case: &Case,
    typed: Typed<'_>,
    method: Method,
    domain: &D,
    given: &Given<'_, D>,
    origin: impl Fn(VariableId) -> rink::syntax::NameId,
    places: &[Place],
) -> Result<Vec<Value<D>>, Stopped> {
    let stopped = |what: &dyn fmt::Debug| Stopped::OutOfBudget(format!("{what:?}"));
    let variables = input_variables(typed);
    let mut elements = Vec::new();
    for variable in &variables {
        match case.inputs.get(&variable.name) {
            Some(array) => elements.extend(array.data.iter().map(given)),
            None => elements.extend(std::iter::repeat_n(domain.undefined(), variable.elements())),
        }
    }
    let store =
        initial_store(domain, typed, &variables, &elements, MAX_ELEMENTS).map_err(|error| stopped(&error))?;
    let Typed { program, typing } = typed;
    let (division, max_elements) = (case.division, MAX_ELEMENTS);
    let evaluation = Evaluation { domain, program, typing, division, method, max_elements };
    let store = evaluation.run(store).map_err(|stuck| stopped(&stuck))?;
    let element = |(x, z): &Place| {
        let index: Vec<u64> = z.iter().map(|i| i.cast_unsigned()).collect();
        let value = store.get(origin(*x), &index);
        value.map(Datum::Number).ok_or_else(|| stopped(&(x, z)))
    };
    places.iter().map(element).collect()
}
