//! Verdicts, counterexamples, and their JSON (`spec/cli.md`, `equiv`).

use selfsame_core::Relation;
use serde_json::{Map, Value, json};
use values::Literal;

/// A tensor of written numbers; `None` is `•`.
#[derive(Clone, Debug)]
pub struct WrittenTensor {
    /// The variable.
    pub name: String,
    /// The extents.
    pub extents: Vec<usize>,
    /// The elements, row-major.
    pub elements: Vec<Option<Literal>>,
}

impl WrittenTensor {
    /// The JSON of `spec/cli.md`, "Tensors in JSON".
    pub fn to_json(&self) -> Value {
        let data: Vec<Value> = self.elements.iter().map(element_to_json).collect();
        json!({ "shape": self.extents, "data": data })
    }
}

/// An element as JSON; `null` for `•`.
pub fn element_to_json(element: &Option<Literal>) -> Value {
    element.as_ref().map_or(Value::Null, Literal::to_json)
}

/// An input on which the reference semantics shows the difference.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The number system in which it was evaluated.
    pub system: &'static str,
    /// Parameters such as the vector length `M`.
    pub parameters: Vec<(String, u64)>,
    /// The initial store.
    pub inputs: Vec<WrittenTensor>,
    /// The variable that differs at the end.
    pub variable: String,
    /// The index of an element that differs, from 1.
    pub index: Vec<u64>,
    /// Its value on the left.
    pub left: Option<Literal>,
    /// Its value on the right.
    pub right: Option<Literal>,
}

impl Counterexample {
    /// The JSON of the contract.
    pub fn to_json(&self) -> Value {
        let parameters: Map<String, Value> =
            self.parameters.iter().map(|(k, v)| (k.clone(), (*v).into())).collect();
        let inputs: Map<String, Value> = self.inputs.iter().map(|t| (t.name.clone(), t.to_json())).collect();
        json!({
            "values": self.system,
            "parameters": parameters,
            "inputs": inputs,
            "at": { "variable": self.variable, "index": self.index },
            "left": element_to_json(&self.left),
            "right": element_to_json(&self.right),
        })
    }
}

/// The answer in one number system.
#[derive(Clone, Debug)]
pub struct SystemVerdict {
    /// The number system's name.
    pub system: &'static str,
    /// The answer.
    pub relation: Relation,
    /// If the answer is no, or only a refinement: a counterexample to equality.
    pub counterexample: Option<Counterexample>,
    /// The open question: why the answer is unknown, or why it is unknown whether an unequal right-hand side
    /// refines the left (its counterexample has the left undefined).
    pub open: Option<String>,
}

/// The answer in every number system.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The sizes and inputs for which it holds.
    pub range: String,
    /// The laws that the proof needed; empty if it needed none, or there is no proof.
    pub laws: Vec<&'static str>,
    /// One answer for each number system.
    pub systems: Vec<SystemVerdict>,
}

impl Verdict {
    /// The same answer, for these values of parameters; the range and each counterexample report them.
    pub fn with_parameters(mut self, parameters: &[(String, u64)]) -> Verdict {
        self.range = within(parameters, &self.range);
        for counterexample in self.systems.iter_mut().filter_map(|verdict| verdict.counterexample.as_mut()) {
            counterexample.parameters.splice(..0, parameters.iter().cloned());
        }
        self
    }

    /// Retracts proofs, for a reason; counterexamples remain.
    pub fn retracted(mut self, reason: &str) -> Verdict {
        self.laws.clear();
        for verdict in self.systems.iter_mut().filter(|verdict| verdict.relation <= Relation::Refines) {
            (verdict.relation, verdict.counterexample) = (Relation::Unknown, None);
            verdict.open = Some(reason.to_owned());
        }
        self
    }

    /// The answer in the named system, or the weakest for `all`.
    pub fn headline(&self, values: &str) -> Option<&SystemVerdict> {
        match values {
            "all" => self.systems.iter().rev().max_by_key(|verdict| verdict.relation),
            name => self.systems.iter().find(|verdict| verdict.system == name),
        }
    }

    /// The JSON of the contract, without the seconds.
    pub fn to_json(&self, values: &str) -> Value {
        let headline = self.headline(values);
        let domains: Map<String, Value> =
            self.systems.iter().map(|v| (v.system.to_owned(), v.relation.word().into())).collect();
        let counterexample = headline.and_then(|v| v.counterexample.as_ref());
        json!({
            "verdict": headline.map_or("unknown", |v| v.relation.word()),
            "range": self.range,
            "laws": self.laws,
            "domains": domains,
            "counterexample": counterexample.map_or(Value::Null, Counterexample::to_json),
            "open": headline.and_then(|v| v.open.clone()),
        })
    }
}

/// A range, restricted to values of parameters: `n = 4, m = 3; …`.
pub fn within(parameters: &[(String, u64)], range: &str) -> String {
    let values: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { range.to_owned() } else { format!("{}; {range}", values.join(", ")) }
}
