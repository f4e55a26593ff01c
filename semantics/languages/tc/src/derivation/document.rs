//! Derivations as JSON: one flat document, linear in the number of steps.
//!
//! ```json
//! {"format": "selfsame-derivation", "version": 1, "language": "tc",
//!  "of": {"evaluation": {"values": "rational", "division": "system", "sizes": [2]}},
//!  "program": {"sizes": ["N"], "conditions": [], "tensors": […], "statements": […], "values": […]},
//!  "stores": [{"tensor": 0, "elements": [1, 2]}],
//!  "steps": [{"rule": "tc-read", "conclusion": {"value": {"store": 1, "value": 0, "point": [0], "result": 1}}, "premises": []}]}
//! ```
//!
//! - Everything is named by its position; `store: k` is the first `k` entries of `stores`, one after the other.
//! - An index expression is `{"terms": [[atom, a], …], "constant": c}`, with atoms `{"size": k}`, `{"loop": k}`, `{"floor": [e, d]}`,
//!   `{"least": [e, …]}` and `{"product": [e, e]}`, in the normal form of [`IndexExpr`]. A range is the pair of its first index and the index after its last.
//! - `calls`, if there are any, are the tensors that calls give inlined definitions, with the extents that these give their arguments.
//! - Steps are listed premises first; the last one is the root. Elements are written as in tensors, `null` for •.

use super::{Derivation, Judgement, LANGUAGE, WrittenProgram};
use crate::indices::{Atom, IndexExpr};
use base::stack::{nesting, on_large_stack};
use serde::Deserialize;
use std::fmt;

/// The name of the format.
pub const FORMAT: &str = "selfsame-derivation";

/// The version of the format.
pub const VERSION: u32 = 1;

/// The maximum depth of nested JSON. Each quotient in an index expression takes five levels, so that 200 of them may nest; what reads them
/// recurses, on the stack of the caller.
pub const MAX_NESTING: usize = 1_000;

/// Why a document is not a derivation, right or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MalformedDerivation {
    /// Not JSON, or not in the format, with the place.
    Json(String),
    /// It is nested too deeply, to this depth.
    TooDeep(usize),
    /// Another format, language, or version.
    Version,
    /// A position of something that does not exist, or comes later, or an index expression that is not in its normal form.
    Reference {
        /// What contains the position.
        within: &'static str,
        /// The position of that.
        at: usize,
    },
    /// A derivation without steps.
    Empty,
}

impl fmt::Display for MalformedDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MalformedDerivation::Json(message) => f.write_str(message),
            MalformedDerivation::TooDeep(depth) => {
                write!(f, "nested {depth} deep, which is too deep: the limit is {MAX_NESTING}")
            }
            MalformedDerivation::Version => {
                write!(f, "not a derivation of Tensor Comprehensions in version {VERSION} of `{FORMAT}`")
            }
            MalformedDerivation::Reference { within, at } => {
                write!(
                    f,
                    "{within} {at} refers to what does not exist, or comes after it, or has an index expression that is not in normal form"
                )
            }
            MalformedDerivation::Empty => f.write_str("a derivation has at least one step"),
        }
    }
}

/// Writes a derivation.
pub fn to_json(derivation: &Derivation) -> String {
    // Maps with string keys, and values without custom failures, cannot fail to serialize.
    serde_json::to_string(derivation).unwrap_or_default()
}

/// Reads a derivation. Its steps may be wrong, which the checker reports; its positions are in range, and every premise precedes its
/// conclusion.
///
/// # Errors
/// The text is not such a document.
pub fn from_json(text: &str) -> Result<Derivation, MalformedDerivation> {
    let depth = nesting(text);
    if depth > MAX_NESTING {
        return Err(MalformedDerivation::TooDeep(depth));
    }
    let derivation = on_large_stack(|| whole(text));
    let derivation = derivation.map_err(|error| MalformedDerivation::Json(error.to_string()))?;
    if (&*derivation.format, derivation.version, &*derivation.language) != (FORMAT, VERSION, LANGUAGE) {
        return Err(MalformedDerivation::Version);
    }
    program(&derivation.program)?;
    let all = |within, holds: &mut dyn FnMut(usize) -> bool, count: usize| match (0..count)
        .find(|&at| !holds(at))
    {
        Some(at) => Err(MalformedDerivation::Reference { within, at }),
        None => Ok(()),
    };
    let (tensors, steps) = (derivation.program.tensors.len(), &derivation.steps);
    all("store", &mut |at| derivation.stores[at].tensor < tensors, derivation.stores.len())?;
    let is_right = &mut |at: usize| {
        steps[at].premises.iter().all(|&premise| premise < at) && is_known(&derivation, &steps[at].conclusion)
    };
    all("step", is_right, steps.len())?;
    if steps.is_empty() { Err(MalformedDerivation::Empty) } else { Ok(derivation) }
}

fn whole(text: &str) -> serde_json::Result<Derivation> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let derivation = Derivation::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(derivation)
}

/// Whether the positions in a program exist.
fn program(program: &WrittenProgram) -> Result<(), MalformedDerivation> {
    use super::WrittenNode::{Choose, Gather, Index, Read};
    let (tensors, sizes) = (program.tensors.len(), program.sizes.len());
    let of_sizes = |e: &IndexExpr| is_readable(e, [sizes, 0]);
    // Of which statement a value is, is not known here: a loop index that it has not has no value.
    let of_values = |e: &IndexExpr| is_readable(e, [sizes, usize::MAX]);
    let reference = |within, at| Err(MalformedDerivation::Reference { within, at });
    for (at, tensor) in program.tensors.iter().enumerate() {
        if !tensor.ranges.iter().flatten().all(of_sizes) {
            return reference("tensor", at);
        }
    }
    for (at, statement) in program.statements.iter().enumerate() {
        let (loops, accesses) = (statement.loops.len(), &statement.accesses);
        let is_right = statement.target < tensors
            && statement.rank <= loops
            && statement.rounds.len() == loops
            && statement.value < program.values.len()
            && program.tensors[statement.target].ranges.len() == statement.rank
            && statement.loops.iter().flat_map(|(_, range)| range).all(of_sizes)
            && accesses.iter().all(|access| access.tensor < tensors)
            && accesses
                .iter()
                .flat_map(|access| &access.indices)
                .flatten()
                .all(|e| is_readable(e, [sizes, loops]));
        if !is_right {
            return reference("statement", at);
        }
    }
    for (at, value) in program.values.iter().enumerate() {
        let is_right = match &value.node {
            Index(p) => of_values(p),
            Read(tensor, indices) => *tensor < tensors && indices.iter().all(of_values),
            Gather(tensor, indices, _) => *tensor < tensors && indices.iter().flatten().all(of_values),
            Choose(condition, ..) => condition.yes.iter().chain(&condition.no).flatten().all(of_values),
            _ => true,
        };
        if !is_right || value.node.operands().iter().any(|&operand| operand >= at) {
            return reference("value", at);
        }
    }
    for (at, argument) in program.calls.iter().enumerate() {
        let tensor = program.tensors.get(argument.tensor);
        let is_right = tensor.is_some_and(|tensor| tensor.ranges.len() == argument.extents.len())
            && argument.extents.iter().all(of_sizes);
        if !is_right {
            return reference("call", at);
        }
    }
    if program.conditions.iter().all(of_sizes) { Ok(()) } else { reference("condition", 0) }
}

/// Whether an index expression is one: in its normal form, of sizes and that many loop indices that exist.
pub(super) fn is_readable(e: &IndexExpr, counts: [usize; 2]) -> bool {
    is_of(e, counts) && e.replaced(&|atom| IndexExpr::atom(atom.clone())).as_ref() == Ok(e)
}

/// Whether all divisors are at least 2, and the sizes and that many loop indices exist. Documents nest at most [`MAX_NESTING`] deep.
fn is_of(e: &IndexExpr, [sizes, loops]: [usize; 2]) -> bool {
    let all = |of: &[IndexExpr]| of.iter().all(|e| is_of(e, [sizes, loops]));
    e.terms().iter().all(|(atom, _)| match atom {
        Atom::Size(k) => *k < sizes,
        Atom::Loop(k) => *k < loops,
        Atom::Floor(e, d) => *d >= 2 && is_of(e, [sizes, loops]),
        Atom::Least(of) => of.len() >= 2 && all(of),
        Atom::Product(of) => all(&of[..]),
    })
}

fn is_known(derivation: &Derivation, judgement: &Judgement) -> bool {
    let (program, stores) = (&derivation.program, derivation.stores.len());
    let statement = |at: &usize| program.statements.get(*at);
    match judgement {
        Judgement::Bounds { statement: s, access, dimension, .. }
        | Judgement::Within { statement: s, access, dimension, .. } => {
            let access = statement(s).and_then(|of| of.accesses.get(*access));
            access.is_some_and(|of| *dimension < of.indices.len())
        }
        Judgement::Range { statement: s, index } | Judgement::Nonempty { statement: s, index } => {
            statement(s).is_some_and(|of| *index < of.loops.len())
        }
        Judgement::Ranges { statement: s } => statement(s).is_some(),
        Judgement::Ok => true,
        Judgement::Value { store, value, .. } => *store <= stores && *value < program.values.len(),
        Judgement::Element { store, statement: s, .. } | Judgement::Step { store, statement: s } => {
            *store < stores && statement(s).is_some()
        }
        Judgement::Run { first, last } => first <= last && *last <= stores,
    }
}
