//! Reads the files of `--input` and passes their tensors to a [`Receiver`], for programs of any language.

use super::tensors::InputProblem;
use super::{input_too_large, json, npy, npz, read_file, utf8};
use crate::diagnostics::CommandCode;
use crate::exit::Failure;
use crate::limits::MAX_INPUT_BYTES;
use base::diagnostics::did_you_mean;
use rink::tensor_type::TensorType;
use std::path::Path;
use values::tensor_json::{TensorError, TensorLiterals};

/// Takes tensors for the variables of a program.
pub trait Receiver {
    /// A variable that may have input.
    type Variable: Copy;

    /// The variable with this name.
    ///
    /// # Errors
    /// No variable has this name.
    fn variable(&self, name: &str) -> Result<Self::Variable, InputProblem>;
    /// The name of the only variable that needs input, if there is one.
    fn only_input(&self) -> Option<String>;
    /// The maximum number of elements of a tensor for the variable.
    fn room(&self, x: Self::Variable) -> u64;
    /// The shape that a tensor for the variable must have, if it is fixed.
    fn shape(&self, x: Self::Variable) -> Option<&TensorType>;
    /// Takes a tensor for the variable.
    ///
    /// # Errors
    /// The variable already has a tensor, or the tensor does not fit.
    fn give(&mut self, x: Self::Variable, tensor: TensorLiterals, file: &Path) -> Result<(), InputProblem>;
    /// The problem for an error in a tensor, in terms of its elements' indices.
    fn tensor_problem(&self, x: Self::Variable, error: &TensorError) -> InputProblem;
}

/// Reads one argument of `--input`: `FILE` or, for a file with one tensor, `NAME=FILE`.
///
/// # Errors
/// The file cannot be read, or does not fit the program.
pub fn receive<R: Receiver>(receiver: &mut R, argument: &Path) -> Result<(), Failure> {
    let named = argument.to_str().filter(|_| !argument.exists()).and_then(|text| text.split_once('='));
    let (name, path) = match named {
        Some((name, path)) => (Some(name), Path::new(path)),
        None => (None, argument),
    };
    let ending = path.extension().and_then(|ending| ending.to_str());
    match (ending, name) {
        (Some("json"), None) => json::document(path, &read_text(path)?, receiver),
        (Some("json"), Some(name)) => json::tensor(path, &read_text(path)?, name, receiver),
        (Some("npy"), _) => one_npy(receiver, path, name),
        (Some("npz"), None) => npz::archive(path, read(path)?, receiver),
        (Some("npz"), Some(_)) => {
            let problem = InputProblem::new(CommandCode::I0004, "a .npz file names its variables itself");
            Err(problem.in_file(path, None))
        }
        _ => {
            let problem = InputProblem::new(CommandCode::I0004, "an input file is .json, .npy or .npz");
            Err(problem.in_file(path, None))
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_file(path, MAX_INPUT_BYTES, input_too_large)
}

fn read_text(path: &Path) -> Result<String, Failure> {
    utf8(path, read(path)?)
}

fn one_npy<R: Receiver>(receiver: &mut R, path: &Path, name: Option<&str>) -> Result<(), Failure> {
    let bytes = read(path)?;
    let take = |receiver: &mut R| {
        let x = receiver.variable(&npy_name(receiver, path, name)?)?;
        let tensor = npy::tensor(&bytes, receiver.shape(x))?;
        receiver.give(x, tensor, path)
    };
    take(receiver).map_err(|problem| problem.in_file(path, None))
}

/// The variable for a file with one tensor: the name in the argument, else the file's stem if a variable has that
/// name, else the only variable that needs input.
fn npy_name<R: Receiver>(receiver: &R, path: &Path, told: Option<&str>) -> Result<String, InputProblem> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match (told, receiver.variable(stem), receiver.only_input()) {
        (Some(name), ..) => Ok(name.to_owned()),
        (None, Ok(_), _) => Ok(stem.to_owned()),
        (None, Err(_), Some(only)) => Ok(only),
        (None, Err(_), None) => {
            let problem =
                InputProblem::new(CommandCode::I0009, "it is not clear which variable this tensor is for");
            Err(InputProblem { hint: Some("write `--input NAME=FILE`".to_owned()), ..problem })
        }
    }
}

/// The problem that no variable has a name; `known` are the names of the variables.
pub fn unknown_variable<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> InputProblem {
    let shown: String = name.chars().take(60).collect();
    let hint = did_you_mean(&shown, known);
    let message = format!("the program does not declare a variable {shown:?}");
    InputProblem { hint, ..InputProblem::new(CommandCode::I0009, message) }
}
