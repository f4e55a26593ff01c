//! Verdicts, counterexamples, and their JSON (`spec/cli.md`, `equiv`).

use selfsame_core::{Counterexample, Relation};
use serde_json::{Map, Value, json};
use values::SystemName;

/// The answer in one number system.
#[derive(Clone, Debug)]
pub struct SystemVerdict {
    /// The number system's name.
    pub system: SystemName,
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
pub struct Decision {
    /// The sizes and inputs for which it holds.
    pub range: String,
    /// The laws that the proof needed; empty if it needed none, or there is no proof.
    pub laws: Vec<&'static str>,
    /// One answer for each number system.
    pub systems: Vec<SystemVerdict>,
}

impl Decision {
    /// The same answer, for these values of parameters; the range and each counterexample report them.
    pub fn with_parameters(mut self, parameters: &[(String, u64)]) -> Decision {
        self.range = within(parameters, &self.range);
        for counterexample in self.systems.iter_mut().filter_map(|verdict| verdict.counterexample.as_mut()) {
            counterexample.parameters.splice(..0, written(parameters));
        }
        self
    }

    /// Retracts proofs, for a reason; counterexamples remain.
    pub fn retracted(mut self, reason: &str) -> Decision {
        self.laws.clear();
        for verdict in self.systems.iter_mut().filter(|verdict| verdict.relation <= Relation::Refines) {
            (verdict.relation, verdict.counterexample) = (Relation::Unknown, None);
            verdict.open = Some(reason.to_owned());
        }
        self
    }

    /// The answer in a number system, or the weakest if none is wanted.
    pub fn headline(&self, wanted: Option<SystemName>) -> Option<&SystemVerdict> {
        match wanted {
            None => self.systems.iter().rev().max_by_key(|verdict| verdict.relation),
            Some(name) => self.systems.iter().find(|verdict| verdict.system == name),
        }
    }

    /// The JSON of the contract, without the seconds.
    pub fn to_json(&self, wanted: Option<SystemName>) -> Value {
        let headline = self.headline(wanted);
        let domains: Map<String, Value> =
            self.systems.iter().map(|v| (v.system.to_string(), v.relation.word().into())).collect();
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

/// Parameters with their values as text.
pub(super) fn written(parameters: &[(String, u64)]) -> Vec<(String, String)> {
    parameters.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
}

/// A range, restricted to values of parameters: `n = 4, m = 3; …`.
pub fn within(parameters: &[(String, u64)], range: &str) -> String {
    let values: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { range.to_owned() } else { format!("{}; {range}", values.join(", ")) }
}
