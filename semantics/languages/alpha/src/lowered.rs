//! The result of lowering a program of any language: a system, with the names by which it is compared.

use crate::syntax::{System, VariableId};
use crate::to_core::Part;

/// A program as a system.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system.
    pub system: System,
    /// The compared variables, with their names.
    pub outputs: Vec<(String, VariableId)>,
    /// The names of inputs, by [`VariableId`].
    pub inputs: Vec<String>,
    /// Whether all inputs are known to be defined.
    pub is_initialized: bool,
    /// Whether every output of the system is an output of the program: a lowering may add outputs that nobody
    /// observes.
    pub observes_all: bool,
}

impl Lowered {
    /// The name of an output in the program; `None` if `x` is not an output that is compared.
    pub fn output(&self, x: VariableId) -> Option<&str> {
        self.outputs.iter().find(|(_, y)| *y == x).map(|(name, _)| name.as_str())
    }

    /// The system as one side of a comparison.
    pub fn part(&self) -> Part<'_> {
        Part { system: &self.system, outputs: self.outputs.clone(), inputs: self.inputs.clone() }
    }
}
