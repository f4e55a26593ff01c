//! What a claim rests on beyond the shipped library of rules, on which it may rest without saying so.
//!
//! Its laws hold for the real functions of these names (`tests/checker/functions.rs`), and its operators behave as
//! named (`fuzz/operators`). About other definitions and laws nothing is known except what a certificate says.

use base::seeded::Seeded;
use rule_files::library::Library;
use rule_files::syntax::{Definition, Rule};
use rule_files::uses::of_rule;
use selfsame_core::syntax::Function;

/// An assumption of a claim beyond the shipped library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimAssumption {
    /// `define`, `law` or `function`
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Whether the library has something different under this name.
    pub differs: bool,
}

/// The definitions and laws that a rule uses and that are not shipped, and the functions that it declares
/// differently. A function of the file's own without a law is not an assumption: the claim holds for every function.
pub fn assumed(library: &Library, rule: &Rule) -> Vec<ClaimAssumption> {
    let uses = of_rule(library, rule);
    let shipped = Library::shipped();
    let definition = |definition: &&Definition| {
        let name = &definition.name.text;
        let known = shipped.definition(name);
        let differs = known.is_some() || shipped.function(name).is_some();
        let kind = if definition.is_law { "law" } else { "define" };
        let is_shipped = |known: &Definition| known.is_same(definition) || Seeded::ShippedNamed.is_in();
        (!known.is_some_and(is_shipped)).then(|| ClaimAssumption { kind, name: name.clone(), differs })
    };
    let function = |function: &&Function| {
        let name = function.name.to_string();
        let known = shipped.functions.iter().find(|known| known.name == function.name);
        let differs = known.is_some_and(|known| known != *function) || shipped.definition(&name).is_some();
        differs.then_some(ClaimAssumption { kind: "function", name, differs })
    };
    let definitions = uses.definitions.iter().filter_map(definition);
    let mut all: Vec<ClaimAssumption> =
        definitions.chain(uses.functions.iter().filter_map(function)).collect();
    // A law with the text of a shipped one still differs if it mentions a definition that differs.
    loop {
        let is_known = |name: &str| all.iter().any(|assumed| assumed.name == name);
        let speaks_of_others =
            |definition: &&&Definition| definition.calls().any(is_known) && !is_known(&definition.name.text);
        let Some(found) = uses.definitions.iter().find(speaks_of_others) else { return all };
        let kind = if found.is_law { "law" } else { "define" };
        all.push(ClaimAssumption { kind, name: found.name.text.clone(), differs: true });
    }
}
