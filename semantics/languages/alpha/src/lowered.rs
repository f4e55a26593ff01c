//! What programs of every language are lowered to: a system, with the names by which it is compared.

use crate::syntax::{System, VariableId};
use crate::to_core::Part;

/// A program as a system.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system.
    pub system: System,
    /// What is compared, by its name.
    pub outputs: Vec<(String, VariableId)>,
    /// The names of what is read, by [`VariableId`].
    pub inputs: Vec<String>,
    /// Whether all that is read is known to be defined.
    pub is_initialized: bool,
    /// Whether every output of the system is one of the program: a lowering may have others, which nobody observes.
    pub observes_all: bool,
}

impl Lowered {
    /// The system as one of two that are compared.
    pub fn part(&self) -> Part<'_> {
        Part { system: &self.system, outputs: self.outputs.clone(), inputs: self.inputs.clone() }
    }
}
