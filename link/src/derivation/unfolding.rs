//! The second system of a derivation, with its locals replaced by their definitions.

use super::conditions::{Inlined, Requirements};
use super::sheet::Sheet;
use crate::refusal::refuse;
use alpha::syntax::{DomainId, ExprId, Expression, System, Variable, VariableId, VariableRole};
use alpha::uses::Uses;
use checker::refusal::{Refusal, RefusedPlace};
use rustc_hash::{FxHashMap, FxHashSet};
use selfsame_core::operators::Constant;
use std::cell::Cell;

/// The second system, unfolded.
pub struct Unfolded {
    /// The remaining variables, as variables of the first system, with their domains and definitions in the
    /// second.
    pub results: Vec<(VariableId, Option<DomainId>, ExprId)>,
    /// Whether a variable in it depends on itself.
    pub is_recurrent: bool,
    /// The definitions `D : e` of inlined locals.
    locals: Vec<ExprId>,
    inputs: Vec<(VariableId, Option<DomainId>)>,
    parameters: Option<DomainId>,
}

impl Unfolded {
    /// Unfolds the second system, and adds its definitions to the sheet.
    pub fn new(sheet: &mut Sheet, system: &System) -> Result<Unfolded, Refusal> {
        same_declarations(&sheet.system, system)?;
        let uses = Uses::new(system);
        let recurrent: FxHashSet<VariableId> = uses.cycles().into_iter().flatten().collect();
        let is_left =
            |x: VariableId| system.variable(x).kind != VariableRole::Local || recurrent.contains(&x);
        let mut left: FxHashMap<VariableId, VariableId> = FxHashMap::default();
        for x in system.variable_ids().filter(|&x| is_left(x)) {
            left.insert(x, counterpart(&sheet.system, system.variable(x))?);
        }
        let mut copy = sheet.copy(system);
        let mut unfolded = Unfolded {
            results: Vec::new(),
            is_recurrent: !recurrent.is_empty(),
            locals: Vec::new(),
            inputs: Vec::new(),
            parameters: system.parameter_domain.map(|d| copy.domains[d.index()]),
        };
        let mut locals: FxHashMap<VariableId, Expression> = FxHashMap::default();
        // A variable precedes those that read it.
        for x in uses.components().into_iter().rev().flatten() {
            let domain = system.variable(x).domain.map(|d| copy.domains[d.index()]);
            if system.variable(x).kind == VariableRole::Input {
                unfolded.inputs.push((left[&x], domain));
                continue;
            }
            // A read variable remains, or is an earlier local; without a definition it has no value.
            let undefined = Cell::new(false);
            let read = |y: VariableId| match left.get(&y) {
                Some(&same) => Expression::Variable(same),
                None => locals.get(&y).cloned().unwrap_or_else(|| {
                    undefined.set(true);
                    Expression::Constant(Constant::Boolean(false))
                }),
            };
            let all = system.definitions(x).map(|of| sheet.expression(&mut copy, of.expression, &read));
            let all = all.collect();
            let definition = match (sheet.definition(domain, all), left.get(&x)) {
                (Some(definition), _) if !undefined.get() => definition,
                (None, None) => continue,
                _ => return refuse(format!("`{}` has no definition", system.variable(x).name)),
            };
            match left.get(&x) {
                Some(&same) => unfolded.results.push((same, domain, definition)),
                None => {
                    unfolded.locals.push(definition);
                    locals.insert(x, sheet.system.expression(definition).clone());
                }
            }
        }
        Ok(unfolded)
    }

    /// The reads of locals of the first system that this one inlines.
    pub fn inlined(&self, sheet: &mut Sheet) -> Inlined {
        let mut inlined = Inlined::default();
        let is_left = |x: VariableId| self.results.iter().any(|&(y, ..)| y == x);
        for x in sheet.system.variable_ids() {
            let is_local = sheet.system.variable(x).kind == VariableRole::Local;
            let is_inlined = is_local && !is_left(x) && !sheet.recurrent.contains(&x);
            if let Some(definition) = sheet.definitions[x.index()].filter(|_| is_inlined) {
                inlined.insert(sheet.push(Expression::Variable(x)), definition);
            }
        }
        inlined
    }

    /// Requires equal domains of variables with the same name in both systems, and that inlined locals are total.
    pub fn same_interface(&self, requirements: &mut Requirements<'_>) -> Result<(), Refusal> {
        requirements.allows(self.parameters)?;
        let all = self.inputs.iter().copied().chain(self.results.iter().map(|&(x, domain, _)| (x, domain)));
        for (x, domain) in all {
            let name = requirements.system.variable(x).name.clone();
            let declared = requirements.system.variable(x).domain;
            let same = match (declared, domain) {
                (None, None) => Ok(()),
                (Some(a), Some(b)) => requirements.same_domains(a, b),
                _ => refuse("one has a domain and the other has none"),
            };
            same.map_err(|refusal| refusal.at(|| Some(RefusedPlace::Domain(Some(name.to_string())))))?;
        }
        self.locals.iter().try_for_each(|&definition| requirements.total(definition))
    }
}

/// Requires equal parameters and functions, and that all outputs of the first system exist in the second.
fn same_declarations(first: &System, second: &System) -> Result<(), Refusal> {
    if first.parameters != second.parameters || first.index_inputs.len() != second.index_inputs.len() {
        return refuse("the parameters are not the same");
    }
    let functions = |system: &System| -> Vec<_> {
        system.functions.iter().map(|f| (f.name.clone(), f.arguments.clone(), f.result)).collect()
    };
    if functions(first) != functions(second) {
        return refuse("the functions are not the same");
    }
    let outputs = first.variables.iter().filter(|variable| variable.kind == VariableRole::Output);
    for output in outputs {
        if counterpart(second, output).is_err() {
            return refuse(format!("only the first one has the output `{}`", output.name));
        }
    }
    Ok(())
}

/// The variable of a system with the same name, kind and type.
fn counterpart(system: &System, variable: &Variable) -> Result<VariableId, Refusal> {
    let found = system.find(&variable.name).filter(|&x| {
        let other = system.variable(x);
        other.data_type == variable.data_type
            && other.kind == variable.kind
            && other.domain.is_some() == variable.domain.is_some()
    });
    found.map_or_else(|| refuse(format!("`{}` is not the same in both", variable.name)), Ok)
}
