//! What a run is asked, and what it says.

use base::seeded::{Seeded, seeded};
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use std::fmt;
use values::Literal;

/// What a verdict says in a number system.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The number system.
    pub system: String,
    /// How the right side relates to the left: for defined inputs, and for all.
    pub relations: [Relation; 2],
    /// What it shows for saying no more.
    pub witnesses: Vec<Witness>,
    /// Sizes that are at least 1, where it is said of these only.
    pub positive: Vec<String>,
}

/// A counterexample, as it is written.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What it refutes: that the sides are the same, or that the right side refines the left.
    pub refutes: Relation,
    /// The values of parameters, and what is chosen of a rule.
    pub parameters: BTreeMap<String, String>,
    /// The elements of inputs, by name and index, for a rule from 0 on; those that are not there are 0.
    pub inputs: Elements,
    /// The output, and the index at which the sides differ.
    pub at: (String, Vec<i64>),
}

/// Elements of inputs, by name and index.
pub type Elements = BTreeMap<String, BTreeMap<Vec<i64>, Element>>;

impl Claimed {
    /// The same for defined inputs and for all.
    pub fn everywhere(system: &str, relation: Relation) -> Claimed {
        Claimed {
            system: system.to_owned(),
            relations: [relation; 2],
            witnesses: Vec::new(),
            positive: Vec::new(),
        }
    }

    /// Whether it says something that a run can contradict.
    pub fn says_something(&self) -> bool {
        self.relations.iter().any(|relation| *relation <= Relation::Refines)
    }

    /// Whether there is anything to run.
    pub(crate) fn is_run(&self) -> bool {
        self.says_something() || !self.witnesses.is_empty()
    }
}

impl Witness {
    /// What is said because of it.
    pub(crate) fn said(&self) -> Relation {
        match self.refutes {
            Relation::Refines => Relation::Different,
            _ => Relation::Unequal,
        }
    }
}

/// How much is run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Instances in each number system.
    pub instances: usize,
    /// How many of them should count.
    pub wanted: usize,
    /// Steps of the evaluation of one side of an instance.
    pub steps: u64,
    /// Elements of an output that are compared in an instance.
    pub elements: usize,
    /// For sizes and values.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { instances: 28, wanted: 20, steps: 200_000, elements: 600, seed: 0 }
    }
}

/// What running both sources showed.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Instances that were run, in the number system in which the fewest count.
    pub instances: usize,
    /// How many of them count, there.
    pub counted: usize,
    /// In how many of these a compared element is defined.
    pub defined: usize,
    /// Why fewer count than should.
    pub why: Option<String>,
    /// What contradicts the verdict.
    pub contradiction: Option<Box<Contradiction>>,
    /// How many counterexamples show what they should.
    pub confirmed: usize,
    /// Why a counterexample was not run.
    pub unconfirmed: Option<String>,
}

impl Run {
    /// Whether nothing was run that could have contradicted the verdict.
    pub fn is_vain(&self) -> bool {
        self.counted == 0 && self.contradiction.is_none()
    }

    /// This run and another one of the same claim, as at another vector length.
    #[must_use]
    pub fn plus(self, other: Run) -> Run {
        Run {
            instances: self.instances + other.instances,
            counted: self.counted + other.counted,
            defined: self.defined + other.defined,
            why: self.why.or(other.why),
            contradiction: self.contradiction.or(other.contradiction),
            confirmed: self.confirmed + other.confirmed,
            unconfirmed: self.unconfirmed.or(other.unconfirmed),
        }
    }

    /// What is known without running anything, if there is nothing to run.
    pub(crate) fn without_running(claimed: &[Claimed], effort: &Effort) -> Option<Run> {
        if !claimed.iter().any(Claimed::is_run) {
            return Some(Run::default());
        }
        let all = effort.wanted;
        let pretended = || Some(Run { instances: all, counted: all, defined: all, ..Run::default() });
        seeded(Seeded::GuardOff, None, pretended)
    }

    /// Runs what is said in each number system, the weakest of which counts, and then every counterexample.
    pub(crate) fn of_all(
        claimed: &[Claimed],
        run: impl FnMut(&Claimed) -> Run,
        confirm: impl Fn(&Claimed, &Witness) -> Result<Confirmation, String>,
    ) -> Run {
        let said = claimed.iter().filter(|claimed| claimed.says_something());
        let said = said.take(seeded(Seeded::GuardSystem, usize::MAX, || 1));
        let ran = said.map(run).reduce(Run::and).unwrap_or_default();
        let witnesses = claimed.iter().flat_map(|of| of.witnesses.iter().map(move |witness| (of, witness)));
        witnesses.fold(ran, |ran, (claimed, witness)| ran.with(confirm(claimed, witness)))
    }

    /// This run, and what became of a counterexample.
    #[must_use]
    fn with(mut self, outcome: Result<Confirmation, String>) -> Run {
        match outcome {
            Ok(Confirmation::Confirmed) => self.confirmed += 1,
            Ok(Confirmation::Denied(_)) if Seeded::GuardWitness.is_in() => self.confirmed += 1,
            Ok(Confirmation::Denied(found)) => self.contradiction = self.contradiction.or(Some(found)),
            Err(why) => self.unconfirmed = self.unconfirmed.or(Some(why)),
        }
        self
    }

    /// What is known from this run and that of another number system: the weaker.
    #[must_use]
    pub fn and(self, other: Run) -> Run {
        let contradiction = self.contradiction.clone().or_else(|| other.contradiction.clone());
        let weaker = if other.counted < self.counted { other } else { self };
        Run { contradiction, ..weaker }
    }
}

/// What became of a counterexample.
pub(crate) enum Confirmation {
    /// Both sides differ there.
    Confirmed,
    /// They do not.
    Denied(Box<Contradiction>),
}

/// An element of an input, or of an output; `None` is `•`.
pub type Element = Option<Literal>;

/// An instance on which both sources do not do what a verdict says.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The number system.
    pub system: String,
    /// What was said.
    pub claimed: Relation,
    /// The values of parameters, and what is chosen of a rule.
    pub parameters: BTreeMap<String, String>,
    /// The elements of inputs that were read, by name and index.
    pub inputs: Elements,
    /// The output, and the index.
    pub at: (String, Vec<i64>),
    /// Both values; `None` where there is no such element.
    pub values: [Option<Element>; 2],
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<Element>| match value {
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
