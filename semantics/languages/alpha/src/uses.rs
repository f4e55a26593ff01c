//! The equations that define each variable, and the variables that it reads, computed in one pass over the system
//! rather than one pass per variable.

use super::components::components;
use super::syntax::{Equation, Expression, System, VariableId, VariableRole};
use rustc_hash::FxHashSet;

/// The definitions of every variable, and the variables that they read.
#[derive(Clone, Debug)]
pub struct Uses {
    definitions: Vec<Vec<usize>>,
    reads: Vec<Vec<VariableId>>,
}

impl Uses {
    /// Analyses a system.
    pub fn new(system: &System) -> Uses {
        let none = vec![Vec::new(); system.variables.len()];
        let mut uses = Uses { definitions: none, reads: vec![Vec::new(); system.variables.len()] };
        for (at, equation) in system.equations.iter().enumerate() {
            uses.definitions[equation.variable.index()].push(at);
            uses.reads[equation.variable.index()].extend(variables_of(system, equation));
        }
        for reads in &mut uses.reads {
            reads.sort_unstable();
            reads.dedup();
        }
        uses
    }

    /// The positions of the equations of a variable, in order.
    pub fn definitions(&self, x: VariableId) -> &[usize] {
        &self.definitions[x.index()]
    }

    /// The variables that a definition of `x` mentions, in order, each once.
    pub fn reads(&self, x: VariableId) -> &[VariableId] {
        &self.reads[x.index()]
    }

    /// Whether the definition of another variable mentions each variable.
    pub fn read_by_others(&self) -> Vec<bool> {
        let mut read = vec![false; self.reads.len()];
        for (x, reads) in self.reads.iter().enumerate() {
            reads.iter().filter(|y| y.index() != x).for_each(|y| read[y.index()] = true);
        }
        read
    }

    /// Whether the value of an output depends on each variable.
    pub fn needed(&self, system: &System) -> Vec<bool> {
        let mut needed = vec![false; self.reads.len()];
        let is_output = |x: &VariableId| system.variable(*x).kind == VariableRole::Output;
        let mut pending: Vec<VariableId> = system.variable_ids().filter(is_output).collect();
        while let Some(x) = pending.pop() {
            if !std::mem::replace(&mut needed[x.index()], true) {
                pending.extend(self.reads(x));
            }
        }
        needed
    }

    /// The sets of mutually recursive variables, each in order, and each before what it reads.
    pub fn components(&self) -> Vec<Vec<VariableId>> {
        let reads: Vec<Vec<usize>> =
            self.reads.iter().map(|reads| reads.iter().map(|y| y.index()).collect()).collect();
        let variables = |component: Vec<usize>| component.into_iter().map(VariableId::at).collect();
        components(&reads).into_iter().map(variables).collect()
    }

    /// Whether the variables of a component depend on themselves.
    pub fn is_cycle(&self, component: &[VariableId]) -> bool {
        component.len() > 1 || self.reads(component[0]).contains(&component[0])
    }

    /// The components that are cycles, ordered by their first variables.
    pub fn cycles(&self) -> Vec<Vec<VariableId>> {
        let mut cycles = self.components();
        cycles.retain(|component| self.is_cycle(component));
        cycles.sort_unstable();
        cycles
    }
}

fn variables_of(system: &System, equation: &Equation) -> FxHashSet<VariableId> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![equation.expression];
    while let Some(e) = pending.pop() {
        match system.expression(e) {
            Expression::Variable(x) => drop(found.insert(*x)),
            expression => pending.extend(expression.operands().iter().filter(|&&e| seen.insert(e))),
        }
    }
    found
}
