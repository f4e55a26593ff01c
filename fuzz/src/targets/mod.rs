//! Implementations under test: their declarations, the requests to them, and their answers.

mod judge;
mod process;

pub use judge::TargetCheck;
pub use process::{Process, ProcessLimits, stop_all};

use crate::case::{Case, ElementBox};
use crate::finding::{array, tensor};
use crate::judgement::DifferenceKind;
use crate::numbers::Numbers;
use base::escaping::in_line;
use rink::equivalence::observed;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use values::tolerance::{FloatModel, Format};

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// The self-description of an implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// The versions of the implementation and of what it uses.
    pub versions: String,
    /// The number formats that it supports.
    pub numbers: Vec<Numbers>,
    /// Its float model, except for the format.
    pub floats: FloatModel,
    /// The command that starts it, if it is a process.
    pub command: String,
}

/// Access to a boolean property of a float model.
type Flag = fn(&mut FloatModel) -> &mut bool;

/// The names of the properties in descriptions.
const FLAGS: [(&str, Flag); 7] = [
    ("contracts", |floats| &mut floats.contracts),
    ("reassociates", |floats| &mut floats.reassociates),
    ("reciprocals", |floats| &mut floats.reciprocals),
    ("starts_from_zero", |floats| &mut floats.starts_from_zero),
    ("flushes", |floats| &mut floats.flushes),
    ("widens", |floats| &mut floats.widens),
    ("loose_extrema", |floats| &mut floats.loose_extrema),
];

impl Description {
    /// Reads the first answer.
    ///
    /// # Errors
    /// The value is not a description, or one of another version; says why.
    pub fn read(value: &Value) -> Result<Description, String> {
        if value["protocol"].is_null() {
            return Err("its answer to `hello` has no `protocol`".to_owned());
        }
        if value["protocol"].as_u64() != Some(PROTOCOL) {
            return Err(format!("it speaks protocol {}, this program {PROTOCOL}", value["protocol"]));
        }
        let text = |name: &str| value[name].as_str().map(in_a_line).ok_or(format!("`{name}` is not text"));
        let numbers = value["numbers"].as_array().map(Vec::as_slice).unwrap_or_default();
        let known =
            |name: &Value| name.as_str().and_then(Numbers::named).ok_or(format!("no numbers `{name}`"));
        if numbers.is_empty() {
            return Err("it computes with no `numbers`".to_owned());
        }
        if !(value["floats"].is_null() || value["floats"].is_object()) {
            return Err("`floats` is not an object".to_owned());
        }
        let mut floats = FloatModel::strict(Format::F64);
        for (name, setting) in value["floats"].as_object().into_iter().flatten() {
            if name == "function_ulps" {
                let ulps = setting.as_f64().filter(|ulps| *ulps >= 0.0);
                floats.function_ulps = ulps.ok_or("`function_ulps` is not a number from 0 on")?;
                continue;
            }
            let flag = FLAGS.iter().find(|(known, _)| known == name);
            let (_, flag) = flag.ok_or(format!("nothing is known of floats by the name `{name}`"))?;
            *flag(&mut floats) = setting.as_bool().ok_or(format!("`{name}` is neither true nor false"))?;
        }
        let name = text("name")?;
        if name.is_empty() {
            return Err("its `name` is empty".to_owned());
        }
        Ok(Description {
            name,
            versions: text("versions")?,
            numbers: numbers.iter().map(known).collect::<Result<BTreeSet<_>, _>>()?.into_iter().collect(),
            floats,
            command: String::new(),
        })
    }

    /// Its float model, in a line.
    pub fn floats_text(&self) -> String {
        let mut floats = self.floats;
        let set = FLAGS.iter().filter(|(_, flag)| *flag(&mut floats)).map(|(name, _)| *name);
        let ulps = format!("function_ulps {}", self.floats.function_ulps);
        set.chain([ulps.as_str()]).collect::<Vec<_>>().join(", ")
    }
}

/// Why a request has no outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The implementation does not support such a program.
    Unsupported(String),
    /// The answer is a finding.
    Found(DifferenceKind, String),
    /// The implementation cannot be asked at all.
    Unusable(String),
}

/// The outputs, by name.
pub type NamedOutputs = BTreeMap<String, ElementBox>;

/// An implementation.
pub trait Target {
    /// Resets the implementation and returns its self-description.
    ///
    /// # Errors
    /// It gives no description, or one that cannot be read.
    fn describe(&mut self) -> Result<Description, Trouble>;

    /// Runs a request: see [`request`].
    ///
    /// # Errors
    /// There are no outputs; says why.
    fn run(&mut self, request: &Value) -> Result<NamedOutputs, Trouble>;
}

/// The request for a case: a program as a tree and as text, its inputs, and the names of the wanted outputs.
/// `None` for programs of other languages than the tensor model language.
pub fn request(case: &Case, id: u64) -> Option<Value> {
    let program = case.subject.tested().model()?;
    let inputs: Map<String, Value> =
        case.inputs.iter().map(|(name, array)| (name.clone(), tensor(array, case.numbers, 1))).collect();
    let outputs: Vec<&str> = observed(program).into_iter().map(|x| program.name(x)).collect();
    Some(json!({
        "id": id,
        "numbers": case.numbers.name(),
        "text": program.to_string(),
        "program": serde_json::to_value(program).ok()?,
        "inputs": inputs,
        "outputs": outputs,
    }))
}

/// Reads the answer to the request with a number.
///
/// # Errors
/// The answer is an error, or not of the form of the protocol.
pub fn answer(value: &Value, id: u64) -> Result<NamedOutputs, Trouble> {
    let garbage = |why: &str| Err(Trouble::Found(DifferenceKind::Garbage, why.to_owned()));
    if value["id"].as_u64() != Some(id) {
        return garbage(&format!(
            "the answer is for request {}, not {id}",
            in_a_line(&value["id"].to_string())
        ));
    }
    match (value["unsupported"].as_str(), value["error"].as_str(), value["outputs"].as_object()) {
        (Some(why), ..) => Err(Trouble::Unsupported(in_a_line(why))),
        (None, Some(why), _) => Err(Trouble::Found(DifferenceKind::Refusal, in_a_line(why))),
        (None, None, None) => garbage("there are neither `outputs` nor an `error`"),
        (None, None, Some(outputs)) => {
            let mut read = NamedOutputs::new();
            for (name, value) in outputs {
                match output(value) {
                    Some(array) => read.insert(name.clone(), array),
                    None => return garbage(&format!("the output `{}` is not a tensor", in_a_line(name))),
                };
            }
            Ok(read)
        }
    }
}

/// The maximum number of characters to show of an implementation's text, three lines: error messages of JAX
/// fill pages.
const SHOWN: usize = 300;

/// The beginning of a text, in one line, escaped for display.
fn in_a_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = in_line(&words.join(" ")).into_owned();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The limits of a literal: a number of the widest format has no more digits and no larger exponent.
const MAX_DIGITS: usize = 1_100;
const MAX_EXPONENT: u32 = 999;

/// Reads a tensor of an answer; it must start at 1, and no literal may be expensive to compute with.
fn output(value: &Value) -> Option<ElementBox> {
    let is_short = |element: &Value| match element {
        Value::Number(number) => is_short(number.as_str()),
        Value::String(text) => is_short(text),
        _ => true,
    };
    let is_fine = value.get("origin").is_none() && value["data"].as_array()?.iter().all(is_short);
    is_fine.then(|| array(value, 1)).flatten()
}

fn is_short(number: &str) -> bool {
    let exponent = number.split_once(['e', 'E']).map_or("0", |(_, exponent)| exponent);
    let exponent = exponent.trim_start_matches(['+', '-']);
    number.len() <= MAX_DIGITS && exponent.parse().map_or(true, |exponent: u32| exponent <= MAX_EXPONENT)
}
