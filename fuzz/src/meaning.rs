//! The meaning of a case: its core, and the elements of its outputs by the reference semantics, in any value
//! domain.

use crate::case::{Case, ElementBox};
use crate::subjects::{OutputsQuestion, Reference, Semantics as _, Subject};
use alpha::domains::Domains;
use alpha::evaluation::{self as core_evaluation, Setting, Stuck, SystemEvaluator};
use alpha::instance::SystemInstance;
use alpha::syntax::{System, VariableId, VariableRole};
use alpha::typing::{self as core_typing, type_system};
use language::Stopped;
use polyhedra::{Engine, IndexSet};
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::operations::{Datum, Element as Value};
use selfsame_core::operators::ElementType;
use std::fmt;
use values::{Literal, ValueDomain};

/// The maximum number of elements of a tensor of a case, operands included: 8 MB of f64, so that a file of a
/// finding can be read and sent.
pub const MAX_ELEMENTS: u64 = 1 << 20;
/// The maximum number of steps to evaluate a case: with it 5 of 2,500 cases that `core` was asked about were out
/// of budget, and none of the 10,000 of `evaluator` (2026-11-27).
pub(crate) const MAX_STEPS: u64 = 1 << 22;

/// Why no meaning of a case was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMeaning {
    /// The program is ill-formed.
    IllFormed(String),
    /// Evaluation, or a question about index sets, took too many steps.
    OutOfBudget(String),
    /// The core cannot express the program, or its language has no generator.
    Unsupported(String),
}

impl fmt::Display for NoMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMeaning::IllFormed(why) => write!(f, "ill-formed: {why}"),
            NoMeaning::OutOfBudget(why) => write!(f, "too large: {why}"),
            NoMeaning::Unsupported(why) => write!(f, "unsupported: {why}"),
        }
    }
}

impl From<Stopped> for NoMeaning {
    fn from(stopped: Stopped) -> NoMeaning {
        match stopped {
            Stopped::NotAllowed | Stopped::Fault(_) | Stopped::Stuck(_) => {
                NoMeaning::IllFormed(stopped.to_string())
            }
            Stopped::Budget | Stopped::TooLong => NoMeaning::OutOfBudget(stopped.to_string()),
        }
    }
}

/// The core of a case, ready for evaluation, and the semantics of its language.
#[derive(Debug)]
pub struct CaseMeaning {
    own: Reference,
    core: System,
    core_typing: core_typing::Typing,
    domains: Domains,
    parameters: Vec<i64>,
}

impl<D: ValueDomain> OutputsQuestion<'_, D> {
    /// The values of elements by the core's semantics.
    pub(crate) fn by_core(
        &self,
        method: core_evaluation::VariableMethod,
        places: &[OutputPlace],
    ) -> Result<Vec<Value<D>>, NoMeaning> {
        self.meaning.by_core(self.case, self.instance, method, self.domain, self.given, places)
    }
}

/// An element of an output: the variable of the core, and the index.
pub type OutputPlace = (VariableId, Vec<i64>);

impl CaseMeaning {
    /// The meaning of a well-formed program.
    ///
    /// # Errors
    /// The program is ill-formed or too large.
    pub fn new(subject: &Subject, engine: &dyn Engine) -> Result<CaseMeaning, NoMeaning> {
        subject.tested().meaning(engine)
    }

    /// The meaning of a program with this core.
    pub(crate) fn of_core(
        own: Reference,
        core: System,
        parameters: Vec<i64>,
        engine: &dyn Engine,
    ) -> Result<CaseMeaning, NoMeaning> {
        let core_typing = type_system(&core).map_err(|errors| {
            NoMeaning::IllFormed(errors.first().map_or(String::new(), |error| error.message.clone()))
        })?;
        let domains = Domains::new(&core, engine, None)
            .map_err(|undecided| NoMeaning::OutOfBudget(undecided.diagnostic().message))?;
        Ok(CaseMeaning { own, core, core_typing, domains, parameters })
    }

    /// The core at its sizes.
    ///
    /// # Errors
    /// Its domains are too large.
    pub fn instance(&self) -> Result<SystemInstance<'_>, NoMeaning> {
        SystemInstance::new(&self.core, &self.domains, &self.parameters)
            .map_err(|undecided| NoMeaning::OutOfBudget(undecided.diagnostic().message))
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
    pub fn name(&self, x: VariableId) -> &str {
        self.own.name(x).unwrap_or(&self.core.variable(x).name)
    }

    /// All elements of all outputs.
    ///
    /// # Errors
    /// There are infinitely many elements, or too many.
    pub fn outputs(&self, instance: &SystemInstance<'_>) -> Result<Vec<OutputPlace>, NoMeaning> {
        let mut places = Vec::new();
        for x in self.core.variable_ids().filter(|x| self.core.variable(*x).kind == VariableRole::Output) {
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
        instance: &SystemInstance<'_>,
        engine: &dyn Engine,
        domain: &D,
        given: &LiteralMeaning<'_, D>,
        places: &[OutputPlace],
    ) -> Result<Vec<Value<D>>, NoMeaning> {
        self.own.values(&OutputsQuestion { meaning: self, case, instance, engine, domain, given }, places)
    }

    /// The values of elements by the equations of the paper, as printed; `None` if these are the reference.
    ///
    /// # Errors
    /// The evaluation takes too many steps.
    pub fn pointwise<D: ValueDomain>(
        &self,
        case: &Case,
        instance: &SystemInstance<'_>,
        engine: &dyn Engine,
        domain: &D,
        given: &LiteralMeaning<'_, D>,
        places: &[OutputPlace],
    ) -> Option<Result<Vec<Value<D>>, NoMeaning>> {
        self.own.pointwise(&OutputsQuestion { meaning: self, case, instance, engine, domain, given }, places)
    }

    /// The values of elements by the core's semantics.
    ///
    /// # Errors
    /// The evaluation takes too many steps.
    pub fn by_core<D: ValueDomain>(
        &self,
        case: &Case,
        instance: &SystemInstance<'_>,
        method: core_evaluation::VariableMethod,
        domain: &D,
        given: &LiteralMeaning<'_, D>,
        places: &[OutputPlace],
    ) -> Result<Vec<Value<D>>, NoMeaning> {
        let inputs = self.inputs(case);
        let input = |x: VariableId, z: &[i64]| {
            let element = inputs[x.index()].and_then(|array| array.get(z));
            Some(value(domain, self.core.variable(x).data_type, element, given))
        };
        let mut evaluator = SystemEvaluator::new(Setting {
            instance,
            typing: &self.core_typing,
            domain,
            division: case.division,
            input: &input,
            functions: &core_evaluation::uninterpreted::<D>,
            method,
            max_steps: MAX_STEPS,
        });
        let element = |(x, z): &OutputPlace| {
            evaluator.element(*x, z).map_err(|stuck| NoMeaning::OutOfBudget(reason(&stuck)))
        };
        places.iter().map(element).collect()
    }

    /// The array of each variable of the core; `None` for variables that are not inputs.
    pub fn inputs<'c>(&self, case: &'c Case) -> Vec<Option<&'c ElementBox>> {
        let array = |x: VariableId| case.inputs.get(self.name(x));
        self.core.variable_ids().map(array).collect()
    }

    /// The boxes around the domains of the inputs.
    ///
    /// # Errors
    /// A domain is not bounded, or too large.
    pub fn boxes(&self) -> Result<Vec<InputBox>, NoMeaning> {
        if let Some(boxes) = self.own.boxes() {
            return Ok(boxes);
        }
        let inputs = self.core.variable_ids().filter(|&x| {
            self.core.variable(x).kind == VariableRole::Input && self.core.parameter_of(x).is_none()
        });
        let instance = self.instance()?;
        let named = |x| {
            let (name, may_be_undefined) = (self.name(x), self.own.may_be_undefined(self.name(x)));
            Ok(InputBox { name: name.to_owned(), may_be_undefined, ..self.bounds(&instance, x)? })
        };
        inputs.map(named).collect()
    }

    /// Why the inputs of a case do not fit its program, if they do not.
    ///
    /// # Errors
    /// A domain is not bounded, or too large.
    pub fn misfit(&self, case: &Case) -> Result<Option<String>, NoMeaning> {
        let boxes = self.boxes()?;
        let unknown = case.inputs.keys().find(|name| boxes.iter().all(|bounds| bounds.name != **name));
        let wrong = boxes.iter().find_map(|InputBox { name, origin, shape, data_type, .. }| {
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
                    .find(|element| {
                        *data_type == ElementType::Real && case.numbers.rounded(element).is_none()
                    })
                    .map(|element| format!("`{name}` has {element}, which is no {}", case.numbers.name())),
            }
        });
        Ok(unknown.map(|name| format!("the program has no input `{name}`")).or(wrong))
    }

    /// The box around the domain of a variable of the core.
    ///
    /// # Errors
    /// The domain is not bounded, or too large.
    pub fn bounds(&self, instance: &SystemInstance<'_>, x: VariableId) -> Result<InputBox, NoMeaning> {
        let points = elements_of(instance.declared(x))?;
        let variable = self.core.variable(x);
        let along = |d: usize| points.iter().map(move |point| point[d]);
        let rank = self.core.variable_rank(x);
        let origin: Vec<i64> = (0..rank).map(|d| along(d).min().unwrap_or(0)).collect();
        let extent = |d: usize| along(d).max().map_or(0, |last| (last - origin[d] + 1) as usize);
        let shape: Vec<usize> = (0..rank).map(extent).collect();
        Ok(InputBox {
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
pub struct InputBox {
    /// The name of the input.
    pub name: String,
    /// The first index.
    pub origin: Vec<i64>,
    /// The extents.
    pub shape: Vec<usize>,
    /// The type of the elements.
    pub data_type: ElementType,
    /// Whether elements may be `•`.
    pub may_be_undefined: bool,
}

/// Converts an element of an input, a number or `•`, to a value of a domain.
pub type LiteralMeaning<'a, D> = dyn Fn(&WrittenElement) -> <D as ValueDomain>::Value + 'a;

/// An element of an input as a value; 1 or true outside the given array.
pub(crate) fn value<D: ValueDomain>(
    domain: &D,
    data_type: ElementType,
    element: Option<&WrittenElement>,
    given: &LiteralMeaning<'_, D>,
) -> Value<D> {
    match (data_type, element) {
        (ElementType::Boolean, element) => Datum::Truth(domain.truth(truth(element))),
        (_, Some(element)) => Datum::Number(given(element)),
        (_, None) => Datum::Number(domain.index(1)),
    }
}

/// An element as a truth value: numbers other than 0 are true.
pub fn truth(element: Option<&WrittenElement>) -> Option<bool> {
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

fn elements_of(set: &IndexSet) -> Result<Vec<Vec<i64>>, NoMeaning> {
    let limit = usize::try_from(MAX_ELEMENTS).unwrap_or(usize::MAX);
    let points = set.scan(&[]).and_then(|scan| scan.points(&[], limit));
    points.map_err(|error| NoMeaning::OutOfBudget(error.to_string()))
}
