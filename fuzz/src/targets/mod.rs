//! Implementations under test: what they declare of themselves, what they are asked, and what they answer.

mod judge;
mod process;

pub use judge::TargetCheck;
pub use process::{Limits, Process};

use crate::case::{Array, Case, Numbers, Subject};
use crate::finding::{array, tensor};
use crate::judgement::Kind;
use semantics::tensor_model::equivalence::observed;
use semantics::values::tolerance::{FloatModel, Format};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version of what is said between both sides.
pub const PROTOCOL: u64 = 1;

/// What an implementation says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// Of which version it and what it uses are.
    pub versions: String,
    /// What it computes with.
    pub numbers: Vec<Numbers>,
    /// What it does to floats, but for their format.
    pub floats: FloatModel,
}

impl Description {
    /// Reads the first answer.
    ///
    /// # Errors
    /// It is none, or one of another version: why.
    pub fn read(value: &Value) -> Result<Description, String> {
        if value["protocol"].as_u64() != Some(PROTOCOL) {
            return Err(format!("it speaks protocol {}, this program {PROTOCOL}", value["protocol"]));
        }
        let text = |name: &str| value[name].as_str().map(str::to_owned).ok_or(format!("`{name}` is no text"));
        let numbers = value["numbers"].as_array().map(Vec::as_slice).unwrap_or_default();
        let known =
            |name: &Value| name.as_str().and_then(Numbers::named).ok_or(format!("no numbers `{name}`"));
        let mut floats = FloatModel::strict(Format::F64);
        for (name, setting) in value["floats"].as_object().into_iter().flatten() {
            let flag = match name.as_str() {
                "contracts" => &mut floats.contracts,
                "reassociates" => &mut floats.reassociates,
                "reciprocals" => &mut floats.reciprocals,
                "starts_from_zero" => &mut floats.starts_from_zero,
                "flushes" => &mut floats.flushes,
                "loose_extrema" => &mut floats.loose_extrema,
                "function_ulps" => {
                    floats.function_ulps = setting.as_f64().ok_or("`function_ulps` is no number")?;
                    continue;
                }
                other => return Err(format!("nothing is known of floats by the name `{other}`")),
            };
            *flag = setting.as_bool().ok_or(format!("`{name}` is neither true nor false"))?;
        }
        Ok(Description {
            name: text("name")?,
            versions: text("versions")?,
            numbers: numbers.iter().map(known).collect::<Result<_, _>>()?,
            floats,
        })
    }
}

/// Why there are no outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The implementation says that it does not take such a program.
    Unsupported(String),
    /// A finding.
    Found(Kind, String),
    /// It cannot be asked at all.
    Unusable(String),
}

/// The outputs, by name.
pub type Outputs = BTreeMap<String, Array>;

/// An implementation.
pub trait Target {
    /// What it says about itself.
    ///
    /// # Errors
    /// It says nothing, or what is not understood.
    fn describe(&mut self) -> Result<Description, Trouble>;

    /// Runs a request: see [`request`].
    ///
    /// # Errors
    /// There are no outputs: why.
    fn run(&mut self, request: &Value) -> Result<Outputs, Trouble>;
}

/// What an implementation is asked: a program as a tree and as text, its inputs, and the outputs that it is to give. Nothing for systems of
/// ALPHA.
pub fn request(case: &Case, id: u64) -> Option<Value> {
    let Subject::Program(program) = &case.subject else { return None };
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

/// Reads the answer to the request of a number.
///
/// # Errors
/// It is an error kind, or no answer.
pub fn answer(value: &Value, id: u64) -> Result<Outputs, Trouble> {
    let garbage = |why: &str| Err(Trouble::Found(Kind::Garbage, why.to_owned()));
    if value["id"].as_u64() != Some(id) {
        return garbage(&format!("the answer is to request {}, not {id}", value["id"]));
    }
    match (value["unsupported"].as_str(), value["error"].as_str(), value["outputs"].as_object()) {
        (Some(why), ..) => Err(Trouble::Unsupported(why.to_owned())),
        (None, Some(why), _) => Err(Trouble::Found(Kind::Refusal, why.to_owned())),
        (None, None, None) => garbage("there are neither `outputs` nor an `error`"),
        (None, None, Some(outputs)) => {
            let read = outputs.iter().map(|(name, value)| Some((name.clone(), array(value, 1)?)));
            read.collect::<Option<Outputs>>().map_or_else(|| garbage("an output is no tensor"), Ok)
        }
    }
}
