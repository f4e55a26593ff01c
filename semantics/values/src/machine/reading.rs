//! Files that describe a machine, and those that are shipped.

use super::{Casts, Floats, Integers, Machine, Reductions, TYPES_OF_TERMS};
use crate::ElementClass;
use base::diagnostics::{Code, Diagnostic, Span};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A number system that ships: a machine with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// The name.
    pub name: String,
    /// What its operations do.
    pub machine: Machine,
}

impl System {
    /// Whether it is the one of all commands where none is named.
    pub fn is_default(&self) -> bool {
        *self == System::default()
    }
}

impl Default for System {
    fn default() -> System {
        System { name: "ieee".to_owned(), machine: Machine::default() }
    }
}

/// The shipped files, by name.
pub const SHIPPED: [(&str, &str); 4] = [
    ("ieee", include_str!("../../../../systems/ieee.toml")),
    ("xla-cpu", include_str!("../../../../systems/xla-cpu.toml")),
    ("onnx", include_str!("../../../../systems/onnx.toml")),
    ("papers", include_str!("../../../../systems/papers.toml")),
];

/// The text of the shipped file with this name.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The fields of a file: those of a machine, and the name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    name: toml::Spanned<String>,
    integers: Integers,
    floats: Floats,
    casts: Casts,
    reductions: Reductions,
}

/// Reads a file. Every operation must be described.
///
/// # Errors
/// The text is not TOML, an operation is missing, unknown or described by another word, or two entries contradict each other.
pub fn read(text: &str) -> Result<System, Diagnostic> {
    let file: MachineFile = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        Diagnostic::new(Code::N0001, spanned(&span), in_words(error.message()), "here")
    })?;
    let name = file.name.get_ref().clone();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        let message = "a name has letters, digits, `-`, `_` and `.` only";
        return Err(Diagnostic::new(Code::N0001, spanned(&file.name.span()), message, "this name"));
    }
    let MachineFile { integers, floats, casts, reductions, .. } = file;
    let machine = Machine { integers, floats, casts, reductions };
    contradiction(text, &machine)?;
    Ok(System { name, machine })
}

/// What a fault is for a number system, from what it is for TOML.
fn in_words(message: &str) -> String {
    message
        .replace("missing field", "this leaves open what to do: there is no")
        .replace("unknown field", "there is no operation")
        .replace("unknown variant", "there is no behaviour")
}

fn spanned(range: &Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// Requires that the types in which reductions are computed have all numbers of the terms.
fn contradiction(text: &str, machine: &Machine) -> Result<(), Diagnostic> {
    for of in TYPES_OF_TERMS {
        let within = machine.accumulator(of);
        let fits = match (of.class(), within.class()) {
            (
                ElementClass::Wrapping { bits, signed },
                ElementClass::Wrapping { bits: more, signed: other },
            ) => more >= bits && signed == other,
            (
                ElementClass::Floats { bits, precision },
                ElementClass::Floats { bits: more, precision: finer },
            ) => finer >= precision && more - finer >= bits - precision,
            _ => false,
        };
        if !fits {
            let written = format!("{of} = \"{within}\"");
            let at = text.find(&written).unwrap_or(0);
            let message = format!("`{within}` lacks numbers of `{of}`, whose sums are computed in it");
            let span = Span::new(at, at + written.len());
            return Err(Diagnostic::new(Code::N0002, span, message, "a type with all of them is needed"));
        }
    }
    Ok(())
}
