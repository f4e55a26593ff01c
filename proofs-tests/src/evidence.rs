//! The findings of checks.

use base::diagnostics::counted;
use selfsame_core::counterexample::{Counterexample, WrittenElement, WrittenTensor};
use serde_json::{Value, json};
use values::SystemName;

/// How a claim was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceKind {
    /// Every instance up to a size.
    Exhaustive,
    /// Random larger instances.
    Random,
    /// All values at once, by proof.
    Symbolic,
    /// One operator over arbitrary operands that satisfy the induction hypothesis, all values at once.
    InductiveStep,
}

impl EvidenceKind {
    /// Whether it proves the claim within its range.
    pub fn is_proof(self) -> bool {
        matches!(self, EvidenceKind::Symbolic | EvidenceKind::InductiveStep)
    }

    /// The name of the kind.
    pub fn word(self) -> &'static str {
        match self {
            EvidenceKind::Exhaustive => "exhaustive",
            EvidenceKind::Random => "random",
            EvidenceKind::Symbolic => "symbolic",
            EvidenceKind::InductiveStep => "inductive step",
        }
    }
}

/// A program with a store that violates a claim.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The program, as text.
    pub program: String,
    /// The observation; `None` if the program alone violates the claim.
    pub counterexample: Option<Counterexample>,
    /// A description of the violated claim.
    pub says: String,
}

impl Violation {
    /// The order of violations: counterexamples over exact values first, then shorter programs, then stores with
    /// fewer nonzero elements.
    pub fn size(&self) -> (bool, usize, usize) {
        let Some(counterexample) = &self.counterexample else { return (false, self.program.len(), 0) };
        let zero = |element: &&WrittenElement| {
            element.as_ref().is_some_and(|l| matches!(l.to_string().as_str(), "0" | "0.0"))
        };
        let elements = counterexample.inputs.iter().flat_map(WrittenTensor::elements);
        let float = counterexample.system == SystemName::F32.name();
        (float, self.program.len(), elements.filter(|element| !zero(element)).count())
    }

    /// As JSON: the counterexample of `equiv`, with the program.
    pub fn to_json(&self) -> Value {
        let mut json = self.counterexample.as_ref().map_or_else(|| json!({}), Counterexample::to_json);
        json["program"] = self.program.clone().into();
        json["says"] = self.says.clone().into();
        json
    }
}

/// The outcome of one check of one claim.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The kind of check.
    pub kind: EvidenceKind,
    /// The range of instances.
    pub range: String,
    /// The number of instances.
    pub cases: u64,
    /// The number of violating instances, if all were counted; else 1 if one was found.
    pub violated: u64,
    /// The smallest instance that violates the claim, if one was kept.
    pub violation: Option<Violation>,
    /// The number of undecided instances.
    pub undecided: u64,
    /// Whether there are enough cases to draw a conclusion, unless one violates the claim.
    pub sufficient: bool,
}

impl Evidence {
    /// Evidence from instances that were tried one by one.
    pub fn tried(
        kind: EvidenceKind,
        range: impl Into<String>,
        cases: u64,
        violation: Option<Violation>,
    ) -> Evidence {
        let violated = u64::from(violation.is_some());
        Evidence {
            kind,
            range: range.into(),
            cases,
            violated,
            violation,
            undecided: 0,
            sufficient: cases > 0,
        }
    }

    /// A line with the kind, the range and the number of cases.
    pub fn describe(&self) -> String {
        let undecided =
            if self.undecided > 0 { format!(", {} undecided", self.undecided) } else { String::new() };
        let outcome = match self {
            _ if self.violated > 0 => ": violated",
            _ if !self.sufficient => ": too few to decide",
            _ => "",
        };
        let cases = counted(self.cases, "case");
        format!("{}: {} ({cases}{undecided}){outcome}", self.kind.word(), self.range)
    }

    /// The evidence as JSON.
    pub fn to_json(&self) -> Value {
        json!(self.describe())
    }
}
