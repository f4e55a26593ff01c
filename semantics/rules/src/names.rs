//! Checks that declared names are new and not reserved.

use super::parsing::is_reduction;
use super::syntax::{Definition, Rule, Word};
use super::vectors::is_builtin;
use base::diagnostics::{Code, Diagnostic};

/// Errors in the names of a rule's choices, symbols and tensors.
pub fn of_rule(rule: &Rule) -> Vec<Diagnostic> {
    let choices = rule.choices.iter().map(|(name, _)| name);
    let symbols = rule.symbols.iter().map(|symbol| &symbol.name);
    faults(choices.chain(symbols).chain(rule.tensors.iter().map(|tensor| &tensor.name)))
}

/// Errors in the names of an operator's operands, extents and attributes. An extent name may recur: it stands for
/// equal extents.
pub fn of_definition(definition: &Definition) -> Vec<Diagnostic> {
    let mut extents: Vec<&Word> = Vec::new();
    for extent in definition.operands.iter().flat_map(|operand| &operand.extents) {
        if !extents.iter().any(|known| known.text == extent.name.text) {
            extents.push(&extent.name);
        }
    }
    let operands = definition.operands.iter().map(|operand| &operand.name);
    let mut faults = faults(operands.chain(&definition.attributes).chain(extents));
    faults.extend(of_applied(&definition.name));
    faults
}

/// An error if the name of an operator or function is reserved or built in.
pub fn of_applied(name: &Word) -> Option<Diagnostic> {
    let is_applied = is_builtin(&name.text);
    reserved(name).or_else(|| is_applied.then(|| word_of_the_language(name)))
}

fn faults<'a>(names: impl Iterator<Item = &'a Word>) -> Vec<Diagnostic> {
    let (mut known, mut faults): (Vec<&Word>, _) = (Vec::new(), Vec::new());
    for name in names {
        faults.extend(reserved(name));
        match known.iter().find(|other| other.text == name.text) {
            Some(first) => faults.push(declared_twice(name).with(first.span, "first declared here")),
            None => known.push(name),
        }
    }
    faults
}

fn reserved(name: &Word) -> Option<Diagnostic> {
    let is_word = name.text == "infinity" || is_reduction(&name.text);
    is_word.then(|| word_of_the_language(name))
}

fn word_of_the_language(name: &Word) -> Diagnostic {
    let message = format!("`{}` is a word of the language", name.text);
    Diagnostic::new(Code::V0003, name.span, message, "expected another name")
}

/// The error for a name that is declared twice.
pub fn declared_twice(name: &Word) -> Diagnostic {
    Diagnostic::new(
        Code::V0003,
        name.span,
        format!("`{}` is declared twice", name.text),
        "declared again here",
    )
}
