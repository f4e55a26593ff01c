//! Single assignment: the versions of variables, and their names.

use crate::analysis::reaching::{ReachingDefinition, ReachingDefinitions};
use crate::syntax::{Declaration, NameId, Program, Qualifier};
use alpha::lexing::unreserved;

/// The versions of the variables of a program.
pub(super) struct Versions<'a> {
    program: &'a Program,
    /// By [`NameId`], like the following fields.
    pub(super) declarations: Vec<Option<&'a Declaration>>,
    /// Whether the initial version is an input: it is declared as one, or something reads it.
    pub(super) is_input: Vec<bool>,
    /// The number of statements that assign the variable.
    assignments: Vec<usize>,
    /// The version that each statement defines.
    pub(super) assigned: Vec<Version>,
}

/// The version of a variable after a number of assignments to it.
pub(super) struct Version {
    pub(super) variable: NameId,
    assignments: usize,
}

impl<'a> Versions<'a> {
    pub(super) fn new(program: &'a Program) -> Versions<'a> {
        let mut declarations = vec![None; program.name_count()];
        for declaration in &program.declarations {
            declarations[declaration.name.index()] = Some(declaration);
        }
        let mut is_input: Vec<bool> =
            declarations.iter().map(|of| of.is_some_and(|of| of.qualifier == Qualifier::Input)).collect();
        let reaching = ReachingDefinitions::new(program);
        for read in reaching.uses().iter().filter(|read| read.definition == ReachingDefinition::Initial) {
            is_input[read.variable.index()] = true;
        }
        let mut assignments = vec![0; program.name_count()];
        let targets = program.statements.iter().map(|statement| statement.target);
        let version = |variable: NameId| {
            assignments[variable.index()] += 1;
            Version { variable, assignments: assignments[variable.index()] }
        };
        let assigned = targets.map(version).collect();
        Versions { program, declarations, is_input, assignments, assigned }
    }

    pub(super) fn is_last(&self, version: &Version) -> bool {
        version.assignments == self.assignments[version.variable.index()]
    }

    pub(super) fn initial_name(&self, x: NameId) -> String {
        unreserved(self.program.name(x)).to_owned()
    }

    pub(super) fn name(&self, version: &Version) -> String {
        let (x, name) = (version.variable.index(), self.initial_name(version.variable));
        match self.is_input[x] || self.assignments[x] > 1 {
            true => format!("{name}_{}", version.assignments),
            false => name,
        }
    }
}
