//! The file that reproduces a contradiction inside this program: what it holds, and how it is read again.

use crate::output::json_text;
use checker::certificate::read_rule;
use guard::{Claimed, Contradiction, Effort, Element, Elements, Run, Witness, programs, rules};
use polyhedra_isl::Isl;
use rustc_hash::FxHasher;
use semantics::decision::{self, Relation};
use semantics::indices::row_major;
use semantics::programs::{Pair, Source};
use semantics::tensor_json::{TensorLiterals, parse_tensor};
use semantics::values::{Division, Literal};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

const FORMAT: &str = "selfsame-contradiction";

/// A contradiction that was written: two sources, and an input on which they do not do what was said of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    format: String,
    version: u32,
    subject: Subject,
    values: String,
    claimed: String,
    parameters: BTreeMap<String, String>,
    inputs: BTreeMap<String, Box<RawValue>>,
    at: At,
    #[serde(rename = "left")]
    _left: Value,
    #[serde(rename = "right")]
    _right: Value,
}

/// What is run.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Subject {
    Rule {
        rule: String,
        files: BTreeMap<String, String>,
    },
    /// Of `simulate`.
    Problem {
        #[serde(rename = "program")]
        _program: String,
        #[serde(rename = "division")]
        _division: Division,
    },
    Programs {
        programs: [Source; 2],
        parameters: BTreeMap<String, i64>,
        division: Division,
        locals: bool,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    variable: String,
    index: Vec<i64>,
}

impl Reproducer {
    /// Reads one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Reproducer, String> {
        let read: Reproducer = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match (read.format.as_str(), read.version) {
            (FORMAT, 1) => Ok(read),
            _ => Err("it is no `selfsame-contradiction` of version 1".to_owned()),
        }
    }

    /// What was said, and of which element.
    pub fn said(&self) -> String {
        let At { variable, index } = &self.at;
        format!("that {variable}{index:?} is {} in `{}`", self.claimed, self.values)
    }

    /// Runs both sources on the input.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn run(&self) -> Result<Run, String> {
        let witness = Witness {
            refutes: Relation::Equivalent,
            parameters: self.parameters.clone(),
            inputs: self.inputs()?,
            at: (self.at.variable.clone(), self.at.index.clone()),
        };
        let claimed =
            Claimed { witnesses: vec![witness], ..Claimed::everywhere(&self.values, Relation::Different) };
        let effort = Effort::default();
        match &self.subject {
            Subject::Programs { programs: both, parameters, division, locals } => {
                let (parameters, division, locals) = (parameters.clone(), *division, *locals);
                let pair = Pair { parameters, division, locals, ..Pair::of(both.clone()) };
                Ok(programs::run(&pair, &[claimed], &Isl::new(), &effort))
            }
            Subject::Problem { .. } => Err("run `selfsame simulate` on its program again".to_owned()),
            Subject::Rule { rule, files } => {
                let read = files.keys().find_map(|file| read_rule(file, rule, files).ok());
                let (library, rule) = read.ok_or("its files have no such rule")?;
                Ok(rules::run(&library, &rule, &[claimed], &|_| Vec::new(), &effort))
            }
        }
    }

    fn inputs(&self) -> Result<Elements, String> {
        let of = |name: &String, written: &RawValue| {
            let tensor = parse_tensor(written.get(), MAX_ELEMENTS);
            let tensor = tensor.map_err(|(_, error)| format!("the input `{name}`: {error}"))?;
            Ok((name.clone(), elements(tensor)))
        };
        self.inputs.iter().map(|(name, written)| of(name, written)).collect()
    }
}

/// An input has at most this many elements.
const MAX_ELEMENTS: u64 = 1 << 20;

/// The elements of a tensor, by index.
fn elements(tensor: TensorLiterals) -> BTreeMap<Vec<i64>, Element> {
    let origin = tensor.origin.unwrap_or_else(|| vec![0; tensor.shape.len()]);
    let extents: Vec<i64> = tensor.shape.iter().map(|&extent| i64::try_from(extent).unwrap_or(0)).collect();
    let placed =
        |index: Vec<i64>| index.iter().zip(&origin).map(|(i, first)| first.saturating_add(*i)).collect();
    row_major(&extents).map(placed).zip(tensor.data).collect()
}

/// The file for a contradiction: its name, and what it holds.
pub fn reproducer(found: &Contradiction, subject: Value) -> (PathBuf, Vec<u8>) {
    let inputs: Map<String, Value> =
        found.inputs.iter().map(|(name, elements)| (name.clone(), tensor(elements))).collect();
    let (variable, index) = &found.at;
    let element = |element: &Option<Element>| match element {
        None => json!("not there"),
        Some(element) => decision::element_to_json(element),
    };
    let document = json!({
        "format": FORMAT,
        "version": 1,
        "subject": subject,
        "values": found.system,
        "claimed": found.claimed.word(),
        "parameters": found.parameters,
        "inputs": inputs,
        "at": { "variable": variable, "index": index },
        "left": element(&found.values[0]),
        "right": element(&found.values[1]),
    });
    let text = json_text(&document);
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    (PathBuf::from(format!("contradiction-{:016x}.json", hasher.finish())), text.into_bytes())
}

/// Elements as a tensor from the least index on; 0 where none was read.
fn tensor(elements: &BTreeMap<Vec<i64>, Element>) -> Value {
    let rank = elements.keys().next().map_or(0, Vec::len);
    let along = |d: usize| elements.keys().map(move |index| index[d]);
    let origin: Vec<i64> = (0..rank).map(|d| along(d).min().unwrap_or(0)).collect();
    let last: Vec<i64> = (0..rank).map(|d| along(d).max().unwrap_or(0)).collect();
    let shape: Vec<i64> = (0..rank).map(|d| last[d].saturating_sub(origin[d]).saturating_add(1)).collect();
    let zero = Some(Literal::Exact(0.into()));
    let element = |index: Vec<i64>| {
        let placed: Vec<i64> = index.iter().zip(&origin).map(|(i, first)| first + i).collect();
        decision::element_to_json(elements.get(&placed).unwrap_or(&zero))
    };
    let data: Vec<Value> = row_major(&shape).map(element).collect();
    json!({ "shape": shape, "origin": origin, "data": data })
}
