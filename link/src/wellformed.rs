//! Checks that the programs of a certificate are well-formed, which every proof about them assumes: in ALPHA, a
//! reduction has a term wherever it is evaluated, and no element depends on itself.
//!
//! Programs of the tensor model language need only be well-typed: their extents are positive and their statements
//! terminate, so their lowering is well-formed.

use crate::certificate::CertificateSubject;
use crate::refusal::{refusal, refuse};
use base::diagnostics::{Diagnostic, Fault};
use base::seeded::Seeded;
use checker::refusal::{IllFormedProgram, Refusal};
use languages::{Program, Source};
use polyhedra::Engine;
use std::collections::BTreeMap;

/// Requires that all programs of a certificate are well-formed, including those between the ends of a chain.
///
/// # Errors
/// A program is ill-formed, or the engine is out of budget.
pub fn well_formed(subject: &CertificateSubject, engine: &dyn Engine) -> Result<(), Refusal> {
    let fixed = subject.parameters();
    let is_checked = |(_, source): &(usize, &Source)| source.language.has_static_checks();
    for (at, source) in subject.programs().iter().enumerate().filter(is_checked) {
        let read = source.clone().read().map_err(|faults| ill_formed(source, faults))?;
        let program = read.program();
        if let (0, Some(name)) = (at, undeclared(program, &fixed)) {
            return refuse(format!("the first program has no parameter `{name}`"));
        }
        of_program(source, program, &fixed, engine)?;
    }
    Ok(())
}

fn of_program(
    source: &Source,
    program: &Program,
    fixed: &BTreeMap<String, i64>,
    engine: &dyn Engine,
) -> Result<(), Refusal> {
    if Seeded::WellFormedAny.is_in() {
        return Ok(());
    }
    let checked = program.check(fixed, engine).map_err(|undecided| ill_formed(source, vec![undecided]))?;
    if !checked.is_allowed {
        let given = parameters_text(program, fixed);
        return refuse(format!("the system `{}` has no meaning{given}", source.name));
    }
    if checked.is_well_formed() { Ok(()) } else { Err(ill_formed(source, checked.faults)) }
}

/// A name with a fixed value that is not a parameter of the program.
fn undeclared<'f>(program: &Program, fixed: &'f BTreeMap<String, i64>) -> Option<&'f String> {
    let declared = program.parameters();
    fixed.keys().find(|name| !declared.contains(name))
}

/// The fixed values of parameters, in the program's order.
fn parameters_text(program: &Program, fixed: &BTreeMap<String, i64>) -> String {
    let known = program.parameters().into_iter().filter_map(|name| Some((fixed.get(&name).copied()?, name)));
    let (values, names): (Vec<i64>, Vec<polyhedra::Name>) =
        known.map(|(value, name)| (value, name.as_str().into())).unzip();
    alpha::checking::parameters_text(&names, &values)
}

fn ill_formed(program: &Source, faults: Vec<Diagnostic>) -> Refusal {
    let serious = faults.iter().find(|fault| fault.code.fault() != Fault::Warning);
    let what = serious.map_or_else(String::new, |fault| format!(": {}: {}", fault.code, fault.message));
    let is_limit = !faults.iter().any(|fault| fault.code.fault() == Fault::Input);
    let mut refusal = refusal(format!("the program `{}` is ill-formed{what}", program.name), is_limit);
    refusal.ill_formed =
        Some(Box::new(IllFormedProgram { name: program.name.clone(), text: program.text.clone(), faults }));
    refusal
}
