//! The request for a run, and its report.

use base::seeded::{Seeded, seeded};
use selfsame_core::by_inputs::{ByInputs, InputClass};
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use std::fmt;
use values::SystemName;

/// A verdict's claim in one number system.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The number system.
    pub system: SystemName,
    /// The relation between the sides: for defined inputs, and for all inputs.
    pub relations: ByInputs<Relation>,
    /// The counterexamples that justify not claiming more.
    pub witnesses: Vec<WrittenWitness>,
    /// Sizes that are at least 1, if the claim is restricted to these.
    pub positive: Vec<String>,
}

/// A counterexample, as text.
#[derive(Clone, Debug)]
pub struct WrittenWitness {
    /// The class of inputs whose relation it justifies.
    pub class: InputClass,
    /// The relation that it refutes: equality, or that the right side refines the left.
    pub refutes: Relation,
    /// The values of parameters and, for a rule, of its choices.
    pub parameters: BTreeMap<String, String>,
    /// The elements of inputs, by name and index; indices of a rule's tensors start at 0. Missing elements are 0.
    pub inputs: NamedElements,
    /// The output and the index at which the sides differ.
    pub at: (String, Vec<i64>),
}

/// Elements of inputs, by name and index.
pub type NamedElements = BTreeMap<String, BTreeMap<Vec<i64>, WrittenElement>>;

impl Claimed {
    /// A claim of the same relation for defined inputs and for all.
    pub fn everywhere(system: SystemName, relation: Relation) -> Claimed {
        Claimed { system, relations: ByInputs::both(relation), witnesses: Vec::new(), positive: Vec::new() }
    }

    /// Whether a run can contradict the claim.
    pub fn says_something(&self) -> bool {
        self.relations.iter().any(|relation| *relation <= Relation::Refines)
    }

    /// Whether there is anything to run.
    pub(crate) fn is_run(&self) -> bool {
        self.says_something() || !self.witnesses.is_empty()
    }
}

impl WrittenWitness {
    /// The relation that the counterexample establishes.
    pub(crate) fn said(&self) -> Relation {
        match self.refutes {
            Relation::Refines => Relation::Different,
            _ => Relation::Unequal,
        }
    }

    /// The report that the sources could not be run on this counterexample to a claim.
    fn unconfirmed(&self, claimed: &Claimed, why: &str) -> Unconfirmed {
        Unconfirmed { system: claimed.system, class: self.class, why: why.to_owned() }
    }
}

/// The effort of a run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The maximum number of instances in each number system.
    pub instances: usize,
    /// The number of instances that should count.
    pub wanted: usize,
    /// The maximum number of steps to evaluate one side of an instance.
    pub steps: u64,
    /// The maximum number of elements of an output to compare in an instance.
    pub elements: usize,
    /// The seed for sizes and values.
    pub seed: u64,
}

impl Default for Effort {
    /// Some sizes leave an output without elements, so 28 instances are planned for the 20 that should count. The
    /// steps are six for each of 32,768 points, five nested loops at size 8; an output of three dimensions has
    /// 512 elements at that size.
    fn default() -> Effort {
        Effort { instances: 28, wanted: 20, steps: 200_000, elements: 600, seed: 0 }
    }
}

/// The result of running both sources.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The number of instances run, in the number system in which the fewest count.
    pub instances: usize,
    /// The number of these instances that count.
    pub counted: usize,
    /// The number of counting instances in which a compared element is defined.
    pub defined: usize,
    /// Why fewer instances count than wanted.
    pub why: Option<String>,
    /// The contradiction to the verdict, if one was found.
    pub contradiction: Option<Box<Contradiction>>,
    /// The number of confirmed counterexamples.
    pub confirmed: usize,
    /// The counterexamples on which the sources could not be run.
    pub unconfirmed: Vec<Unconfirmed>,
}

/// A counterexample on which the sources could not be run, so that it justifies no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The number system.
    pub system: SystemName,
    /// The class of inputs whose relation it was to justify.
    pub class: InputClass,
    /// The reason.
    pub why: String,
}

impl Run {
    /// Whether no instance could have contradicted the verdict.
    pub fn is_vain(&self) -> bool {
        self.counted == 0 && self.contradiction.is_none()
    }

    /// The report if the sources cannot be run at all, for a reason.
    pub(crate) fn impossible(claimed: &[Claimed], why: &str) -> Run {
        let of = |claimed: &Claimed| {
            claimed.witnesses.iter().map(|it| it.unconfirmed(claimed, why)).collect::<Vec<_>>()
        };
        Run {
            why: Some(why.to_owned()),
            unconfirmed: claimed.iter().flat_map(of).collect(),
            ..Run::default()
        }
    }

    /// The sum of this run and another one of the same claim, for example at another vector length.
    #[must_use]
    pub fn plus(mut self, other: Run) -> Run {
        self.unconfirmed.extend(other.unconfirmed);
        Run {
            instances: self.instances + other.instances,
            counted: self.counted + other.counted,
            defined: self.defined + other.defined,
            why: self.why.or(other.why),
            contradiction: self.contradiction.or(other.contradiction),
            confirmed: self.confirmed + other.confirmed,
            unconfirmed: self.unconfirmed,
        }
    }

    /// The report without running anything, if there is nothing to run.
    pub(crate) fn without_running(claimed: &[Claimed], effort: &Effort) -> Option<Run> {
        if !claimed.iter().any(Claimed::is_run) {
            return Some(Run::default());
        }
        let all = effort.wanted;
        let pretended = || Some(Run { instances: all, counted: all, defined: all, ..Run::default() });
        seeded(Seeded::GuardOff, None, pretended)
    }

    /// Runs every claim, of which the weakest run is reported, and then every counterexample.
    pub(crate) fn of_all(
        claimed: &[Claimed],
        run: impl FnMut(&Claimed) -> Run,
        confirm: impl Fn(&Claimed, &WrittenWitness) -> Result<Confirmation, String>,
    ) -> Run {
        let said = claimed.iter().filter(|claimed| claimed.says_something());
        let said = said.take(seeded(Seeded::GuardSystem, usize::MAX, || 1));
        let ran = said.map(run).reduce(Run::and).unwrap_or_default();
        let witnesses = claimed.iter().flat_map(|of| of.witnesses.iter().map(move |witness| (of, witness)));
        witnesses.fold(ran, |ran, (claimed, witness)| {
            ran.with(confirm(claimed, witness).map_err(|why| witness.unconfirmed(claimed, &why)))
        })
    }

    /// Adds the outcome of a counterexample.
    #[must_use]
    fn with(mut self, outcome: Result<Confirmation, Unconfirmed>) -> Run {
        match outcome {
            Ok(Confirmation::Confirmed) => self.confirmed += 1,
            Ok(Confirmation::Denied(_)) if Seeded::GuardWitness.is_in() => self.confirmed += 1,
            Ok(Confirmation::Denied(found)) => self.contradiction = self.contradiction.or(Some(found)),
            Err(unconfirmed) => self.unconfirmed.push(unconfirmed),
        }
        self
    }

    /// The weaker of this run and one in another number system.
    #[must_use]
    pub fn and(self, other: Run) -> Run {
        let contradiction = self.contradiction.clone().or_else(|| other.contradiction.clone());
        let weaker = if other.counted < self.counted { other } else { self };
        Run { contradiction, ..weaker }
    }
}

/// The outcome of a counterexample.
pub(crate) enum Confirmation {
    /// Both sides differ, as claimed.
    Confirmed,
    /// Both sides agree.
    Denied(Box<Contradiction>),
}

/// An instance on which the sources violate a verdict.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The number system.
    pub system: SystemName,
    /// The violated claim.
    pub claimed: Relation,
    /// The values of parameters and, for a rule, of its choices.
    pub parameters: BTreeMap<String, String>,
    /// The elements of inputs that were read, by name and index.
    pub inputs: NamedElements,
    /// The output and the index.
    pub at: (String, Vec<i64>),
    /// Both values; `None` if the element does not exist.
    pub values: [Option<WrittenElement>; 2],
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<WrittenElement>| match value {
            None => "not there".to_owned(),
            Some(None) => "•".to_owned(),
            Some(Some(literal)) => literal.to_string(),
        };
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let (name, index) = &self.at;
        let [left, right] = self.values.each_ref().map(value);
        write!(f, "said to be {} in `{}`", self.claimed, self.system)?;
        write!(f, ", but {name}{index:?} is {left} (first), {right} (second)")?;
        if parameters.is_empty() { Ok(()) } else { write!(f, " for {}", parameters.join(", ")) }
    }
}
