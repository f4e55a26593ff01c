//! The file that reproduces a contradiction inside this program: its format, its writer and its reader.

use guard::{Claimed, Contradiction, Effort, NamedElements, Run, WrittenWitness, programs, rules};
use languages::{Pair, Source};
use link::certificate::{CertifiedRule, read_rule};
use polyhedra_isl::Isl;
use rustc_hash::FxHasher;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::counterexample::to_json;
use selfsame_core::relation::Relation;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use values::tensor_json::parse_tensor;
use values::{Division, System, SystemName};

const FORMAT: &str = "selfsame-contradiction";
const VERSION: u32 = 2;

/// The first two entries of the file.
#[derive(Default, Deserialize)]
struct ContradictionHeader {
    format: String,
    version: u32,
}

/// A contradiction read from its file: two sources, and an input on which their results contradict the verdict.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u32,
    subject: ContradictedSources,
    values: String,
    claimed: String,
    parameters: BTreeMap<String, String>,
    inputs: BTreeMap<String, ReadElements>,
    at: ElementAt,
    #[serde(rename = "left")]
    _left: Value,
    #[serde(rename = "right")]
    _right: Value,
}

/// The elements of an input that evaluation read: the index of each, and a vector of their values.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadElements {
    at: Vec<Vec<i64>>,
    elements: Box<RawValue>,
}

/// The sources to run.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
enum ContradictedSources {
    Rule(ContradictedRule),
    Programs(Box<ContradictedPrograms>),
    /// A program of `simulate`.
    Problem,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContradictedRule {
    rule: String,
    files: BTreeMap<String, String>,
    #[serde(default)]
    system: System,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContradictedPrograms {
    programs: [Source; 2],
    parameters: BTreeMap<String, i64>,
    division: Division,
    locals: bool,
    #[serde(default)]
    system: System,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContradictedProblem {
    #[serde(rename = "program")]
    _program: String,
    #[serde(rename = "division")]
    _division: Division,
}

/// Untagged, they would be read from what serde makes of numbers of any precision, which is no number.
impl TryFrom<Value> for ContradictedSources {
    type Error = serde_json::Error;

    fn try_from(subject: Value) -> Result<ContradictedSources, serde_json::Error> {
        let has = |name: &str| subject.get(name).is_some();
        Ok(match () {
            () if has("rule") => ContradictedSources::Rule(serde_json::from_value(subject)?),
            () if has("programs") => ContradictedSources::Programs(serde_json::from_value(subject)?),
            () => {
                let _: ContradictedProblem = serde_json::from_value(subject)?;
                ContradictedSources::Problem
            }
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ElementAt {
    variable: String,
    index: Vec<i64>,
}

impl Reproducer {
    /// Parses the text of a reproducer.
    ///
    /// # Errors
    /// The text has another format or version, or is malformed.
    pub fn read(text: &str) -> Result<Reproducer, String> {
        let header: ContradictionHeader = serde_json::from_str(text).unwrap_or_default();
        if (header.format.as_str(), header.version) != (FORMAT, VERSION) {
            return Err(format!("this is not a `{FORMAT}` of version {VERSION}"));
        }
        serde_json::from_str(text).map_err(|error| format!("malformed `{FORMAT}`: {error}"))
    }

    /// The contradicted claim: an element, the claimed relation and the number system.
    pub fn said(&self) -> String {
        let ElementAt { variable, index } = &self.at;
        format!("that {variable}{index:?} is {} in `{}`", self.claimed, self.values)
    }

    /// Runs both sources on the input.
    ///
    /// # Errors
    /// A source or an input cannot be read, or the file is from `simulate`, which must run again.
    pub fn run(&self) -> Result<Run, String> {
        let witness = WrittenWitness {
            class: InputClass::Any,
            refutes: Relation::Equivalent,
            parameters: self.parameters.clone(),
            inputs: self.inputs()?,
            at: (self.at.variable.clone(), self.at.index.clone()),
        };
        let system = SystemName::named(&self.values).ok_or("no such number system")?;
        let claimed =
            Claimed { witnesses: vec![witness], ..Claimed::everywhere(system, Relation::Different) };
        let effort = Effort::default();
        match &self.subject {
            ContradictedSources::Programs(of) => {
                let pair = Pair {
                    parameters: of.parameters.clone(),
                    division: of.division,
                    system: of.system.clone(),
                    locals: of.locals,
                    ..Pair::read(of.programs.clone()).map_err(|refused| refused.reason)?
                };
                Ok(programs::run(&pair, &[claimed], &Isl::with_memory(), &effort))
            }
            ContradictedSources::Problem => Err("run `selfsame simulate` on its program again".to_owned()),
            ContradictedSources::Rule(ContradictedRule { rule, files, system }) => {
                let in_file = |file: &String| CertifiedRule {
                    file: file.clone(),
                    rule: rule.clone(),
                    files: files.clone(),
                    system: system.clone(),
                };
                let read = files.keys().find_map(|file| read_rule(&in_file(file)).ok());
                let (library, rule) = read.ok_or("its files have no such rule")?;
                Ok(rules::run(&library, &rule, &[claimed], &|_| Vec::new(), &effort))
            }
        }
    }

    /// The elements of inputs, by name and index.
    ///
    /// # Errors
    /// An input is not a vector of numbers, or does not have as many elements as indices.
    pub fn inputs(&self) -> Result<NamedElements, String> {
        let of = |(name, input): (&String, &ReadElements)| {
            let tensor = parse_tensor(input.elements.get(), input.at.len() as u64);
            let tensor = tensor.map_err(|(_, error)| format!("the input `{name}`: {error}"))?;
            if tensor.data.len() != input.at.len() {
                return Err(format!("the input `{name}` does not have as many elements as indices"));
            }
            Ok((name.clone(), input.at.iter().cloned().zip(tensor.data).collect()))
        };
        self.inputs.iter().map(of).collect()
    }
}

/// The name and the content of the file that reproduces a contradiction.
pub fn reproducer(found: &Contradiction, subject: Value) -> (PathBuf, Vec<u8>) {
    let inputs: Map<String, Value> =
        found.inputs.iter().map(|(name, elements)| (name.clone(), input(elements))).collect();
    let (variable, index) = &found.at;
    let element = |element: &Option<WrittenElement>| match element {
        None => json!("not there"),
        Some(element) => to_json(element),
    };
    let document = json!({
        "format": FORMAT,
        "version": VERSION,
        "subject": subject,
        "values": found.system.name(),
        "claimed": found.claimed.word(),
        "parameters": found.parameters,
        "inputs": inputs,
        "at": { "variable": variable, "index": index },
        "left": element(&found.values[0]),
        "right": element(&found.values[1]),
    });
    let text = format!("{document}\n");
    // The name is a hash of the content: equal contradictions share a file.
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    (PathBuf::from(format!("contradiction-{:016x}.json", hasher.finish())), text.into_bytes())
}

/// NamedElements with their indices, in the form that [`ReadElements`] reads.
fn input(elements: &BTreeMap<Vec<i64>, WrittenElement>) -> Value {
    let data: Vec<Value> = elements.values().map(to_json).collect();
    let at: Vec<&Vec<i64>> = elements.keys().collect();
    json!({ "at": at, "elements": { "shape": [data.len()], "data": data } })
}
