//! The tensors for the inputs of a system. Unless a tensor states its `origin`, its indices start where the
//! conventions of the language say.

use super::loading::LoadedSystem;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use crate::input::receiving::{Receiver, receive, unknown_variable};
use crate::input::tensors::InputProblem;
use crate::limits::Progress;
use alpha::checking::index_text;
use alpha::syntax::{VariableId, VariableRole};
use base::diagnostics::counted;
use base::escaping::path as shown;
use rink::tensor_type::TensorType;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use values::tensor_json::{TensorError, TensorLiterals};
use values::{Extended, Literal, NumberSystem, ValueDomain};

/// The tensors given for the inputs of a system.
pub struct InputTensors<'a> {
    loaded: &'a LoadedSystem,
    max_elements: u64,
    given: BTreeMap<VariableId, (TensorLiterals, PathBuf)>,
}

impl<'a> InputTensors<'a> {
    /// Reads the files of `--input`.
    ///
    /// # Errors
    /// A file cannot be read or does not fit the system.
    pub fn read(
        loaded: &'a LoadedSystem,
        arguments: &[PathBuf],
        max_elements: u64,
        progress: &Progress,
    ) -> Result<InputTensors<'a>, Failure> {
        let mut inputs = InputTensors { loaded, max_elements, given: BTreeMap::new() };
        for argument in arguments {
            receive(&mut inputs, argument)?;
            progress.set(format!("reading {}", shown(argument)));
        }
        Ok(inputs)
    }

    fn origin(&self, tensor: &TensorLiterals) -> Vec<i64> {
        let first = self.loaded.conventions.first_index;
        tensor.origin.clone().unwrap_or_else(|| vec![first; tensor.shape.len()])
    }

    /// A hint on the tensor given for an input: its range, or how to give one.
    pub fn held(&self, x: VariableId) -> String {
        let name = &self.loaded.system.variable(x).name;
        let Some((tensor, _)) = self.given.get(&x) else {
            return format!("`--input FILE.json` with `{{\"{name}\": …}}` gives a tensor");
        };
        let first = self.origin(tensor);
        let last =
            first.iter().zip(&tensor.shape).map(|(&low, &extent)| i128::from(low) + i128::from(extent) - 1);
        let last: Vec<String> = last.map(|index| index.to_string()).collect();
        match tensor.data.is_empty() {
            true => format!("the tensor that is given for `{name}` is empty"),
            false => format!(
                "the tensor that is given for `{name}` holds {} to [{}]; its \"origin\" says where it starts",
                index_text(&first),
                last.join(",")
            ),
        }
    }

    /// The values of the inputs that are parameters. They are exact, whatever the number system.
    ///
    /// # Errors
    /// A value is not given, is undefined, or does not fit a 64-bit integer.
    pub fn indices(&self) -> Result<Vec<i64>, Failure> {
        self.loaded.system.index_inputs.iter().map(|&x| self.index(x)).collect()
    }

    fn index(&self, x: VariableId) -> Result<i64, Failure> {
        let variable = self.loaded.system.variable(x);
        let name = &variable.name;
        let Some((tensor, file)) = self.given.get(&x) else {
            let message = format!("index sets depend on `{name}`, and no input holds it");
            let report = Report::new(CommandCode::I0024, message).at(variable.span, "an input");
            return Err(Failure::fault(report.hint(self.held(x))).in_source(&self.loaded.source));
        };
        let literal = tensor.data.first().and_then(Option::as_ref);
        let exact = literal.and_then(|literal| literal.exact().ok());
        exact.and_then(|number| i64::try_from(number).ok()).ok_or_else(|| {
            let found = literal.map_or("undefined".to_owned(), ToString::to_string);
            let message =
                format!("index sets depend on `{name}`, which is {found}: an integer of 64 bits is expected");
            InputProblem::new(CommandCode::I0025, message).in_file(file, None)
        })
    }

    /// The elements of all given inputs in a number system, except for inputs that are parameters.
    ///
    /// # Errors
    /// An element is not a number of the system, or does not have the variable's type.
    pub fn elements<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
    ) -> Result<BTreeMap<VariableId, InputArray<Extended<S>>>, Failure> {
        let mut arrays = BTreeMap::new();
        let is_value = |x: &VariableId| self.loaded.system.parameter_of(*x).is_none();
        for (&x, (tensor, file)) in self.given.iter().filter(|(x, _)| is_value(x)) {
            let element = |(at, literal): (usize, &Option<Literal>)| {
                self.element(domain, x, at, literal.as_ref()).map_err(|problem| problem.in_file(file, None))
            };
            let elements = tensor.data.iter().enumerate().map(element).collect::<Result<_, _>>()?;
            let origin = self.origin(tensor);
            arrays.insert(x, InputArray { origin, shape: tensor.shape.clone(), elements });
        }
        Ok(arrays)
    }

    fn element<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        x: VariableId,
        at: usize,
        literal: Option<&Literal>,
    ) -> Result<Element<Extended<S>>, InputProblem> {
        let data_type = self.loaded.system.variable(x).data_type;
        let wrong = |literal: &Literal, why: String| {
            let name = &self.loaded.system.variable(x).name;
            InputProblem::new(
                CommandCode::I0011,
                format!("element number {} of `{name}` is {literal}: {why}", at + 1),
            )
        };
        match (data_type, literal) {
            (_, None) => Ok(selfsame_core::operations::error(domain, data_type)),
            (ElementType::Boolean, Some(Literal::Boolean(truth))) => {
                Ok(Datum::Truth(domain.truth(Some(*truth))))
            }
            (ElementType::Boolean, Some(literal)) => {
                Err(wrong(literal, "`true` or `false` is expected".to_owned()))
            }
            (ElementType::Integer, Some(literal)) if !is_integer(literal) => {
                Err(wrong(literal, "an integer is expected".to_owned()))
            }
            (of, Some(literal)) => match domain.literal_as(of, literal) {
                Ok(number) => Ok(Datum::Number(number)),
                Err(error) => Err(wrong(literal, error.to_string())),
            },
        }
    }
}

fn is_integer(literal: &Literal) -> bool {
    let boolean = matches!(literal, Literal::Boolean(_));
    !boolean && literal.exact().is_ok_and(|number| number.is_int())
}

/// The elements of an input within a box, in row-major order.
pub struct InputArray<D: ValueDomain> {
    origin: Vec<i64>,
    shape: Vec<u64>,
    elements: Vec<Element<D>>,
}

impl<D: ValueDomain> InputArray<D> {
    /// The element at a point, if the box contains it.
    pub fn get(&self, z: &[i64]) -> Option<Element<D>> {
        let mut offset = 0_usize;
        for ((&z, &low), &extent) in z.iter().zip(&self.origin).zip(&self.shape) {
            let at = u64::try_from(i128::from(z) - i128::from(low)).ok().filter(|&at| at < extent)?;
            offset = offset * usize::try_from(extent).ok()? + usize::try_from(at).ok()?;
        }
        self.elements.get(offset).cloned()
    }
}

impl Receiver for InputTensors<'_> {
    type Variable = VariableId;

    fn variable(&self, name: &str) -> Result<VariableId, InputProblem> {
        let system = &self.loaded.system;
        let is_input = |x: VariableId| system.variable(x).kind == VariableRole::Input;
        let inputs = || system.variables.iter().filter(|v| v.kind == VariableRole::Input).map(|v| &*v.name);
        match system.find(name) {
            Some(x) if is_input(x) => Ok(x),
            Some(x) => {
                let message =
                    format!("`{name}` is a {}: only inputs are given", system.variable(x).kind.word());
                Err(InputProblem::new(CommandCode::I0009, message))
            }
            None => Err(unknown_variable(name, inputs())),
        }
    }

    fn only_input(&self) -> Option<String> {
        let mut inputs = self.loaded.system.variables.iter().filter(|v| v.kind == VariableRole::Input);
        let only = inputs.next()?;
        inputs.next().is_none().then(|| only.name.to_string())
    }

    fn room(&self, _: VariableId) -> u64 {
        self.max_elements
    }

    fn shape(&self, _: VariableId) -> Option<&TensorType> {
        None
    }

    fn give(&mut self, x: VariableId, tensor: TensorLiterals, file: &Path) -> Result<(), InputProblem> {
        let (name, rank) = (&self.loaded.system.variable(x).name, self.loaded.system.variable_rank(x));
        if tensor.shape.len() != rank {
            let message = format!(
                "`{name}` has {}, but the tensor has {}",
                counted(rank, "dimension"),
                tensor.shape.len()
            );
            return Err(InputProblem::new(CommandCode::I0010, message));
        }
        if let Some(origin) = tensor.origin.as_ref().filter(|origin| origin.len() != rank) {
            let message =
                format!("`{name}` has {}, but the origin has {}", counted(rank, "dimension"), origin.len());
            return Err(InputProblem::new(CommandCode::I0015, message));
        }
        if self.given.contains_key(&x) {
            return Err(InputProblem::new(
                CommandCode::I0016,
                format!("there is more than one tensor for `{name}`"),
            ));
        }
        self.given.insert(x, (tensor, file.to_owned()));
        Ok(())
    }

    fn tensor_problem(&self, x: VariableId, error: &TensorError) -> InputProblem {
        let code = match error {
            TensorError::Element { .. } => CommandCode::I0011,
            TensorError::DuplicateKey(_) => CommandCode::I0006,
            TensorError::Count { .. } => CommandCode::I0008,
            TensorError::TooLarge { .. } => CommandCode::I0010,
            _ => CommandCode::I0007,
        };
        InputProblem::new(code, format!("`{}`: {error}", self.loaded.system.variable(x).name))
    }
}
