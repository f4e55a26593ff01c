//! The operators, laws and functions that a rule uses, directly or through other definitions.

use super::library::Library;
use super::syntax::{Definition, Rule};
use selfsame_core::syntax::Function;

/// The declarations that a rule depends on.
#[derive(Debug, Default)]
pub struct DeclarationUses<'l> {
    /// Operators and laws, sorted by name.
    pub definitions: Vec<&'l Definition>,
    /// Functions, sorted by name.
    pub functions: Vec<&'l Function>,
}

/// The definitions and functions that a rule uses, directly or indirectly.
pub fn of_rule<'l>(library: &'l Library, rule: &Rule) -> DeclarationUses<'l> {
    let mut uses = DeclarationUses::default();
    let mut pending: Vec<String> = rule.expressions().flat_map(|e| e.called()).map(str::to_owned).collect();
    while let Some(name) = pending.pop() {
        if let Some(definition) = library.definition(&name)
            && uses.definitions.iter().all(|known| known.name.text != name)
        {
            uses.definitions.push(definition);
            pending.extend(definition.expressions().flat_map(|e| e.called()).map(str::to_owned));
        }
        if let Some(function) = library.functions.iter().find(|function| *function.name == *name)
            && uses.functions.iter().all(|known| known.name != function.name)
        {
            uses.functions.push(function);
        }
    }
    uses.definitions.sort_by(|a, b| a.name.text.cmp(&b.name.text));
    uses.functions.sort_by(|a, b| a.name.cmp(&b.name));
    uses
}
