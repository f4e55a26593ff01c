//! Input in JSON: an object from names of variables to tensors, or one tensor.

use super::receiving::Receiver;
use super::tensors::InputProblem;
use crate::diagnostics::{CommandCode, Position};
use crate::exit::Failure;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::error::Category;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use values::tensor_json::TensorSeed;

/// Reads `{"A": tensor, …}`.
///
/// # Errors
/// The text is not JSON, or does not fit the program.
pub fn document<R: Receiver>(path: &Path, text: &str, reader: &mut R) -> Result<(), Failure> {
    let mut problem = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = DocumentSeed { path, reader, problem: &mut problem };
    let read = seed.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    read.map_err(|error| failure(path, problem, &error))
}

/// Reads one tensor for a variable.
///
/// # Errors
/// The text is not JSON, or does not fit the program.
pub fn tensor<R: Receiver>(path: &Path, text: &str, name: &str, reader: &mut R) -> Result<(), Failure> {
    let mut problem = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = EntrySeed { path, reader, problem: &mut problem, name };
    let read = seed.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    read.map_err(|error| failure(path, problem, &error))
}

/// The failure for a problem, or else for the JSON reader's error, at the position of that error.
fn failure(path: &Path, problem: Option<InputProblem>, error: &serde_json::Error) -> Failure {
    let position = Position { line: error.line().max(1), column: error.column().max(1) };
    let problem = problem.unwrap_or_else(|| {
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text);
        let code = if error.classify() == Category::Data { CommandCode::I0007 } else { CommandCode::I0005 };
        InputProblem::new(code, message)
    });
    problem.in_file(path, Some(position))
}

/// Reads the object; stores a problem in `problem`, as [`TensorSeed`] stores its error.
struct DocumentSeed<'a, R> {
    path: &'a Path,
    reader: &'a mut R,
    problem: &'a mut Option<InputProblem>,
}

impl<'de, R: Receiver> DeserializeSeed<'de> for DocumentSeed<'_, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, R: Receiver> Visitor<'de> for DocumentSeed<'_, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from names of variables to tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let DocumentSeed { path, reader, problem } = self;
        let mut seen = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if seen.contains(&name) {
                *problem = Some(InputProblem::new(
                    CommandCode::I0006,
                    format!("the key {name:?} appears twice in one object"),
                ));
                return Err(A::Error::custom("duplicate key"));
            }
            map.next_value_seed(EntrySeed { path, reader, problem, name: &name })?;
            seen.insert(name);
        }
        Ok(())
    }
}

/// Reads the tensor of one variable; holds at most as many elements as the variable has.
struct EntrySeed<'a, R> {
    path: &'a Path,
    reader: &'a mut R,
    problem: &'a mut Option<InputProblem>,
    name: &'a str,
}

impl<'de, R: Receiver> DeserializeSeed<'de> for EntrySeed<'_, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let EntrySeed { path, reader, problem, name } = self;
        let mut error = None;
        let take = |reader: &mut R| {
            let x = reader.variable(name)?;
            let max_elements = reader.room(x);
            let tensor = TensorSeed { max_elements, error: &mut error }.deserialize(deserializer);
            match tensor {
                Ok(tensor) => reader.give(x, tensor, path).map_err(TensorRefusal::Problem),
                Err(json) => Err(TensorRefusal::Json(x, json)),
            }
        };
        match take(reader) {
            Ok(()) => Ok(()),
            Err(TensorRefusal::Problem(found)) => {
                *problem = Some(found);
                Err(D::Error::custom("does not fit the program"))
            }
            Err(TensorRefusal::Json(x, json)) => {
                *problem = error.map(|error| reader.tensor_problem(x, &error));
                Err(json)
            }
        }
    }
}

/// The reason why a tensor was not taken: it does not fit, or the JSON reader failed.
enum TensorRefusal<X, E> {
    Problem(InputProblem),
    Json(X, E),
}

impl<X, E> From<InputProblem> for TensorRefusal<X, E> {
    fn from(problem: InputProblem) -> TensorRefusal<X, E> {
        TensorRefusal::Problem(problem)
    }
}
