//! Files that describe a machine, and those that are shipped.

use super::{
    Accumulation, Casts, Floats, Functions, Integers, Machine, NanToInteger, Reductions, Rewrites, TooLarge,
};
use crate::{ElementClass, ElementType};
use base::diagnostics::{Code, Diagnostic, Span};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A number system: a machine with its name.
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
pub const SHIPPED: [(&str, &str); 5] = [
    ("ieee", include_str!("../../../../systems/ieee.toml")),
    ("xla-cpu", include_str!("../../../../systems/xla-cpu.toml")),
    ("onnx", include_str!("../../../../systems/onnx.toml")),
    ("llvm", include_str!("../../../../systems/llvm.toml")),
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
    functions: Functions,
    #[serde(default)]
    rewrites: Rewrites,
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
    if !is_name(&name) {
        let message = "a name has letters, digits, `-`, `_` and `.` only, and starts with a letter";
        return Err(Diagnostic::new(Code::N0001, spanned(&file.name.span()), message, "this name"));
    }
    let MachineFile { integers, floats, casts, reductions, functions, rewrites, .. } = file;
    let machine = Machine { integers, floats, casts, reductions, functions, rewrites };
    if traps_in_part(&machine) {
        let written = if casts.too_large == TooLarge::Trap { "too-large" } else { "nan-to-integer" };
        let at = text.find(written).unwrap_or(0);
        let span = Span::new(at, at + written.len());
        return Err(Diagnostic::new(Code::N0002, span, TRAPS_IN_PART, "a trap"));
    }
    if let Some((of, within)) = contradiction(&machine) {
        let written = format!("{of} = \"{within}\"");
        let at = text.find(&written).unwrap_or(0);
        let span = Span::new(at, at + written.len());
        let label = "a type with all of them is needed";
        return Err(Diagnostic::new(Code::N0002, span, lacks(of, within), label));
    }
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

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= MAX_NAME
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// The maximum length of a name, in bytes: it stands on one line of a verdict.
const MAX_NAME: usize = 60;

fn lacks(of: ElementType, within: ElementType) -> String {
    format!("`{within}` lacks numbers of `{of}`, whose sums are computed in it")
}

impl System {
    /// What is wrong with the system, if it was not read from a file.
    pub fn fault(&self) -> Option<String> {
        if !is_name(&self.name) {
            return Some("the number system has no valid name".to_owned());
        }
        if traps_in_part(&self.machine) {
            return Some(TRAPS_IN_PART.to_owned());
        }
        contradiction(&self.machine).map(|(of, within)| lacks(of, within))
    }
}

/// Of a cast that has no value it must be clear whether it traps.
fn traps_in_part(machine: &Machine) -> bool {
    let Casts { too_large, nan_to_integer, .. } = machine.casts;
    (too_large == TooLarge::Trap) != (nan_to_integer == NanToInteger::Trap)
}

const TRAPS_IN_PART: &str = "casts trap for nan and for what is too large, or for neither";

/// A type whose sums are computed in a type that lacks some of its numbers.
fn contradiction(machine: &Machine) -> Option<(ElementType, ElementType)> {
    let mut of_terms = Accumulation::TYPES.iter().map(|of| (*of, machine.accumulator(*of)));
    of_terms.find(|(of, within)| !contains(*within, *of))
}

/// Whether a type has all numbers of another one.
fn contains(within: ElementType, of: ElementType) -> bool {
    use ElementClass::{Floats, Wrapping};
    match (of.class(), within.class()) {
        (Wrapping { bits, signed }, Wrapping { bits: more, signed: other }) => {
            (signed == other && more >= bits) || (other && more > bits)
        }
        (Wrapping { bits, signed }, Floats { precision, .. }) => precision >= bits - u32::from(signed),
        (Floats { bits, precision }, Floats { bits: more, precision: finer }) => {
            finer >= precision && more - finer >= bits - precision
        }
        _ => false,
    }
}
