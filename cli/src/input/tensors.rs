//! Tensors for the variables of a program, from the files of `--input`.

use super::receiving::{Receiver, receive, unknown_variable};
use crate::diagnostics::{CommandCode, Position, Report};
use crate::exit::Failure;
use crate::limits::Progress;
use crate::rink::loading::Loaded;
use base::escaping::path as shown;
use rink::store::{MultiIndex, Store, extents, index_of};
use rink::syntax::{NameId, Qualifier};
use rink::tensor_type::TensorType;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use values::tensor_json::{TensorError, TensorLiterals, element_count};
use values::{Extended, Literal, NumberSystem};

/// A problem of an input, without its place in the file.
#[derive(Debug)]
pub struct InputProblem {
    /// The code.
    pub code: CommandCode,
    /// The message.
    pub message: String,
    /// The remedy, if one is known.
    pub hint: Option<String>,
}

impl InputProblem {
    /// A problem without a hint.
    pub fn new(code: CommandCode, message: impl Into<String>) -> InputProblem {
        InputProblem { code, message: message.into(), hint: None }
    }

    /// The failure for the problem, at a position of a file.
    pub fn in_file(self, path: &Path, position: Option<Position>) -> Failure {
        let report = Report::new(self.code, self.message).in_file(path, position);
        Failure::fault(match self.hint {
            Some(hint) => report.hint(hint),
            None => report,
        })
    }
}

/// A tensor that was given for a variable, and its file.
#[derive(Debug)]
pub struct GivenTensor {
    /// The elements, as many as the variable has.
    pub data: Vec<Option<Literal>>,
    /// The file that contains them.
    pub file: PathBuf,
}

/// The tensors that were given, by variable.
pub type TensorsByVariable = BTreeMap<NameId, GivenTensor>;

/// Collects the tensors for the variables of a program.
pub struct TensorReader<'a> {
    loaded: &'a Loaded,
    inputs: TensorsByVariable,
}

/// Reads the files of `--input`. Each argument is `FILE` or, for a file with one tensor, `NAME=FILE`.
///
/// # Errors
/// A file cannot be read or does not fit the program, or an `input` variable is not fully defined.
pub fn read_inputs(
    loaded: &Loaded,
    arguments: &[PathBuf],
    progress: &Progress,
) -> Result<TensorsByVariable, Failure> {
    let mut reader = TensorReader { loaded, inputs: TensorsByVariable::new() };
    for argument in arguments {
        receive(&mut reader, argument)?;
        progress.set(format!("reading {}", shown(argument)));
    }
    for declaration in &loaded.program.declarations {
        if declaration.qualifier == Qualifier::Input {
            reader.check_defined(declaration.name)?;
        }
    }
    Ok(reader.inputs)
}

impl TensorReader<'_> {
    /// The declared type of a variable of [`TensorReader::variable`].
    fn declared(&self, x: NameId) -> &TensorType {
        const SCALAR: &TensorType = &TensorType(Vec::new());
        self.loaded.typing.variable(x).unwrap_or(SCALAR)
    }

    /// The text of a variable's name.
    fn name(&self, x: NameId) -> &str {
        self.loaded.program.name(x)
    }

    /// **d-in-var** (Fig. 15): an `input` variable starts defined in every element.
    fn check_defined(&self, x: NameId) -> Result<(), Failure> {
        let (name, declared) = (self.name(x), self.declared(x));
        let undefined = |index: &str| {
            Report::new(
                CommandCode::I0012,
                format!("element {index} of the input variable `{name}` is undefined"),
            )
        };
        let Some(given) = self.inputs.get(&x) else {
            let span = self.loaded.program.declaration_of(x).map(|d| d.name_span).unwrap_or_default();
            let report = undefined(&index_text(declared, 0)).at(span, "no tensor is given for this variable");
            let report = report.hint("give one with `--input FILE`");
            return Err(Failure::fault(report).in_source(&self.loaded.source));
        };
        match given.data.iter().position(Option::is_none) {
            Some(at) => {
                Err(Failure::fault(undefined(&index_text(declared, at as u64)).in_file(&given.file, None)))
            }
            None => Ok(()),
        }
    }
}

impl Receiver for TensorReader<'_> {
    type Variable = NameId;

    fn variable(&self, name: &str) -> Result<NameId, InputProblem> {
        let Loaded { program, typing, .. } = self.loaded;
        let declared = program.find_name(name).filter(|&x| typing.variable(x).is_some());
        let known = || program.declarations.iter().map(|d| program.name(d.name));
        declared.ok_or_else(|| unknown_variable(name, known()))
    }

    fn only_input(&self) -> Option<String> {
        let program = &self.loaded.program;
        let mut inputs = program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input);
        let only = inputs.next()?;
        inputs.next().is_none().then(|| program.name(only.name).to_owned())
    }

    fn room(&self, x: NameId) -> u64 {
        self.declared(x).elements().unwrap_or(0)
    }

    fn shape(&self, x: NameId) -> Option<&TensorType> {
        Some(self.declared(x))
    }

    fn give(&mut self, x: NameId, tensor: TensorLiterals, file: &Path) -> Result<(), InputProblem> {
        let (name, declared) = (self.name(x), self.declared(x));
        if tensor.shape != declared.0 {
            let shape = TensorType(tensor.shape);
            let message = format!("`{name}` has type {declared}, but the tensor has shape {shape}");
            return Err(InputProblem::new(CommandCode::I0010, message));
        }
        if tensor.origin.is_some_and(|origin| origin != vec![1; declared.rank()]) {
            let message =
                format!("`{name}` starts at index 1 in every dimension, but the tensor has another origin");
            return Err(InputProblem::new(CommandCode::I0015, message));
        }
        if self.inputs.contains_key(&x) {
            return Err(InputProblem::new(
                CommandCode::I0016,
                format!("there is more than one tensor for `{name}`"),
            ));
        }
        self.inputs.insert(x, GivenTensor { data: tensor.data, file: file.to_owned() });
        Ok(())
    }

    fn tensor_problem(&self, x: NameId, error: &TensorError) -> InputProblem {
        let (name, declared) = (self.name(x), self.declared(x));
        match error {
            TensorError::Element { offset, error } => {
                let place = index_text(declared, *offset);
                InputProblem::new(CommandCode::I0011, format!("element {place} of `{name}`: {error}"))
            }
            TensorError::DuplicateKey(_) => {
                InputProblem::new(CommandCode::I0006, format!("`{name}`: {error}"))
            }
            TensorError::Count { .. } => InputProblem::new(CommandCode::I0008, format!("`{name}`: {error}")),
            TensorError::TooLarge { found, .. } => {
                let message = format!("`{name}` has type {declared}, but the tensor has {found} elements");
                InputProblem::new(CommandCode::I0010, message)
            }
            _ => InputProblem::new(CommandCode::I0007, format!("`{name}`: {error}")),
        }
    }
}

/// The multi-index of a row-major offset, such as `[1 2]`, or text such as `number 7` if it is outside the type.
fn index_text(declared: &TensorType, offset: u64) -> String {
    match usize::try_from(offset) {
        Ok(at) if element_count(&declared.0).is_some_and(|n| offset < n) => {
            TensorType(index(declared, at)).to_string()
        }
        _ => format!("number {}", offset.saturating_add(1)),
    }
}

fn index(declared: &TensorType, at: usize) -> MultiIndex {
    index_of(&extents(declared), at)
}

/// Puts the inputs into a store.
///
/// # Errors
/// An element is not a number of the system.
pub fn fill_store<S: NumberSystem<Number: Default>>(
    system: &S,
    loaded: &Loaded,
    inputs: TensorsByVariable,
    store: &mut Store<Extended<S>>,
) -> Result<(), Failure> {
    for (x, given) in inputs {
        for (at, literal) in given.data.iter().enumerate() {
            let Some(literal) = literal else { continue };
            let number = system.read(literal).map_err(|error| {
                let name = loaded.program.name(x);
                let place = loaded.typing.variable(x).map(|t| index_text(t, at as u64)).unwrap_or_default();
                let message = format!("element {place} of `{name}` is {literal}: {error}");
                InputProblem::new(CommandCode::I0011, message).in_file(&given.file, None)
            })?;
            store.set_element(x, at, Some(number));
        }
    }
    Ok(())
}
