//! That the systems of ALPHA in a certificate are well-formed, which every proof about them takes for granted: a reduction has a term
//! wherever it is evaluated, and no element depends on itself.
//!
//! Programs of the tensor model language need no such check: their extents are positive and their statements end, so what they are
//! lowered to is well-formed.

use crate::certificate::Subject;
use crate::rules::{Refusal, refuse};
use polyhedra::Engine;
use semantics::alpha::checking::{check, parameters_text};
use semantics::alpha::domains::Undecided;
use semantics::alpha::parsing::{Parsed, parse};
use semantics::alpha::syntax::System;
use semantics::alpha::typing::type_system;
use semantics::diagnostics::{Diagnostic, Fault};
use semantics::programs::{Language, Source};
use semantics::seeded::Seeded;
use std::collections::BTreeMap;

/// A program that is ill-formed, or of which that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// The program.
    pub program: Source,
    /// What is wrong with it, or could not be decided.
    pub faults: Vec<Diagnostic>,
}

/// Requires that all programs of a certificate are well-formed, those between the first and the last of a chain too.
///
/// # Errors
/// One is not, or the engine is out of budget.
pub fn well_formed(subject: &Subject, engine: &dyn Engine) -> Result<(), Refusal> {
    let (programs, fixed) = (subject.programs(), subject.parameters());
    if let Some(name) = programs.first().and_then(|first| undeclared(first, &fixed)) {
        return refuse(format!("the first program has no parameter `{name}`"));
    }
    programs.iter().try_for_each(|program| of_program(program, &fixed, engine))
}

fn of_program(program: &Source, fixed: &BTreeMap<String, i64>, engine: &dyn Engine) -> Result<(), Refusal> {
    if program.language != Language::Alpha || Seeded::WellFormedAny.is_in() {
        return Ok(());
    }
    let ill_formed = |faults: Vec<Diagnostic>| Err(refusal(program, faults));
    let Parsed { system, errors } = parse(&program.text);
    if !errors.is_empty() {
        return ill_formed(errors);
    }
    if let Err(errors) = type_system(&system) {
        return ill_formed(errors);
    }
    let values = values(&system, fixed);
    let checked = check(&system, engine, values.as_deref());
    let checked = match checked.map_err(|undecided: Undecided| undecided.diagnostic()) {
        Ok(checked) => checked,
        Err(undecided) => return ill_formed(vec![undecided]),
    };
    if let Some(values) = &values
        && engine.is_empty(checked.domains.context()) == Ok(true)
    {
        let given = parameters_text(&system.parameters, values);
        return refuse(format!("the system `{}` has no meaning{given}", program.name));
    }
    match checked.findings.iter().all(|finding| finding.code.fault() == Fault::Warning) {
        true => Ok(()),
        false => ill_formed(checked.findings),
    }
}

/// A parameter that has a value and is none of the system.
fn undeclared<'f>(program: &Source, fixed: &'f BTreeMap<String, i64>) -> Option<&'f String> {
    let Parsed { system, errors } = parse(&program.text);
    let is_readable = program.language == Language::Alpha && errors.is_empty();
    let declared = system.declared_parameters();
    fixed.keys().find(|name| is_readable && !declared.iter().any(|known| **known == ***name))
}

/// The values of all declared parameters, if the certificate fixes all of them; with fewer the system is looked at for all values.
fn values(system: &System, fixed: &BTreeMap<String, i64>) -> Option<Vec<i64>> {
    let declared = system.declared_parameters().iter();
    let values: Option<Vec<i64>> = declared.map(|name| fixed.get(&**name).copied()).collect();
    values.filter(|values| !values.is_empty())
}

fn refusal(program: &Source, faults: Vec<Diagnostic>) -> Refusal {
    let serious = faults.iter().find(|fault| fault.code.fault() != Fault::Warning);
    let what = serious.map_or_else(String::new, |fault| format!(": {}: {}", fault.code, fault.message));
    let is_limit = !faults.iter().any(|fault| fault.code.fault() == Fault::Input);
    let mut refusal = Refusal::new(format!("the program `{}` is ill-formed{what}", program.name), is_limit);
    refusal.ill_formed = Some(Box::new(IllFormed { program: program.clone(), faults }));
    refusal
}
