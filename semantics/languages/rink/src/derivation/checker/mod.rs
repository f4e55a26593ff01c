//! Checks every step of a derivation again, from the derivation alone.
//!
//! # Claim
//! [`check`] finds no fault in a derivation exactly when
//! 1. each node's conclusion follows from the conclusions of its premises by the rule that it names, side
//!    conditions included (`statics`: Figs. 7 to 9; `dynamics`: Figs. 10 to 15);
//! 2. the root concludes what the derivation claims to derive, each other node is a premise, and every listed
//!    context and store is reached.
//!
//! Premises precede conclusions, so by induction the root is derivable. The rules are written here a second time:
//! this module shares only the syntax and the arithmetic of values with the builders (a test reads its imports).
//!
//! A fault is reported at the node whose step is wrong; the nodes below it use its conclusion as it is.

mod dynamics;
mod statics;

use super::document::{MalformedDerivation, from_json};
use super::{
    ContextNumber, Derivation, DerivationGoal, DerivationStep, Extents, InferenceRule, Judgement, StepId,
};
use crate::syntax::{ExprId, NameId};
use dynamics::Dynamics;
use std::fmt;
use std::num::NonZeroU64;
use values::{Extended, Listed, NumberSystem, Rationals, SystemName, Visitor};

/// Why a step is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongStep {
    /// The rule has another number of premises.
    PremiseCount {
        /// The number of premises of the rule.
        expected: u64,
        /// The number found.
        found: usize,
    },
    /// A premise does not have the form that the rule demands.
    Premise {
        /// Which premise, from 0.
        at: usize,
        /// The form.
        expected: &'static str,
    },
    /// The conclusion does not have the form that the rule demands.
    Conclusion(&'static str),
    /// A side condition does not hold.
    Condition(&'static str),
    /// The premises imply a different value, extents or index.
    Follows {
        /// The quantity in the conclusion.
        what: &'static str,
        /// The value that the premises imply.
        expected: String,
    },
    /// The rule does not belong in this derivation: evaluation in typing, or padded in unpadded, or the reverse.
    RuleOutOfPlace,
    /// The element is not a number of the number system.
    Element(String),
    /// The root's conclusion is not the judgement to be derived.
    Root,
    /// The node is neither a premise nor the root.
    Unused,
    /// Contexts or stores are listed that no conclusion reaches.
    Unreached(&'static str),
    /// The checker does not know the number system.
    UnknownValues(String),
}

impl fmt::Display for WrongStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongStep::PremiseCount { expected, found } => {
                write!(f, "the rule has {expected} premises, not {found}")
            }
            WrongStep::Premise { at, expected } => write!(f, "premise {} is not `{expected}`", at + 1),
            WrongStep::Conclusion(expected) => write!(f, "the conclusion is not `{expected}`"),
            WrongStep::Condition(condition) => write!(f, "it does not hold that {condition}"),
            WrongStep::Follows { what, expected } => write!(f, "{what} should be {expected}"),
            WrongStep::RuleOutOfPlace => write!(f, "the rule has no place in this derivation"),
            WrongStep::Element(message) => write!(f, "{message}"),
            WrongStep::Root => write!(f, "the root does not conclude what is to be derived"),
            WrongStep::Unused => write!(f, "the node is neither a premise nor the root"),
            WrongStep::Unreached(what) => write!(f, "a {what} is listed that no conclusion reaches"),
            WrongStep::UnknownValues(name) => write!(f, "the number system `{name}` is not known"),
        }
    }
}

/// A fault of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationFault {
    /// The node and its rule; `None` if the derivation as a whole is at fault.
    pub node: Option<(StepId, InferenceRule)>,
    /// The path from the root to the node: the premise taken at each node, from 0. A long path is cut to its end.
    pub path: String,
    /// The reason.
    pub reason: WrongStep,
}

impl fmt::Display for DerivationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some((id, rule)) => write!(f, "node {} ({}), {rule}: {}", id.0, self.path, self.reason),
            None => write!(f, "{}", self.reason),
        }
    }
}

/// The check of a derivation in a number system.
struct InValues<'a> {
    derivation: &'a Derivation,
}

impl Visitor for InValues<'_> {
    type Output = Vec<DerivationFault>;

    fn visit<S: Listed>(self, system: S) -> Vec<DerivationFault> {
        check_in(self.derivation, &Extended(system))
    }
}

/// The faults of a derivation; empty if it is correct. A node has at most one fault, its first.
pub fn check(derivation: &Derivation) -> Vec<DerivationFault> {
    let DerivationGoal::Evaluation { values, .. } = derivation.subject() else {
        return check_in(derivation, &Extended(Rationals));
    };
    match SystemName::named(values) {
        Some(system) => system.visit(InValues { derivation }),
        None => {
            let reason = WrongStep::UnknownValues(values.clone());
            vec![DerivationFault { node: None, path: String::new(), reason }]
        }
    }
}

/// Like [`check`], in a number system of the caller's, whatever its name.
pub fn check_in<S: NumberSystem<Number: Default>>(
    derivation: &Derivation,
    domain: &Extended<S>,
) -> Vec<DerivationFault> {
    let steps = Steps::new(derivation);
    let dynamics = Dynamics::new(&steps, domain);
    let judge =
        |node: &DerivationStep| statics::follows(&steps, node).unwrap_or_else(|| dynamics.follows(node));
    let wrong = derivation.nodes().iter().filter_map(|node| Some((node, judge(node).err()?)));
    let faults = wrong.map(|(node, reason)| steps.fault(node, reason));
    faults.chain(steps.unused()).chain(steps.root()).chain(steps.unreached()).collect()
}

/// Reads a document and checks it.
///
/// # Errors
/// The text is not a document of the format.
pub fn check_json(text: &str) -> Result<Vec<DerivationFault>, MalformedDerivation> {
    from_json(text).map(|derivation| check(&derivation))
}

type CheckResult = Result<(), WrongStep>;

/// A derivation with lookup tables.
struct Steps<'a> {
    derivation: &'a Derivation,
    /// For each name, the contexts Γk whose update binds it.
    contexts: Vec<Vec<usize>>,
    /// For each name, the stores μk whose update binds it.
    stores: Vec<Vec<usize>>,
    /// For each node, one node that has it as a premise, and the position of the premise.
    parents: Vec<Option<(usize, usize)>>,
}

impl<'a> Steps<'a> {
    fn new(derivation: &'a Derivation) -> Steps<'a> {
        let names = derivation.program().name_count();
        let contexts = history(names, derivation.contexts().iter().map(|update| update.x));
        let stores = history(names, derivation.stores().iter().map(|update| update.x));
        let mut parents = vec![None; derivation.nodes().len()];
        for node in derivation.nodes() {
            for (at, premise) in node.premises.iter().enumerate() {
                parents[premise.0].get_or_insert((node.id.0, at));
            }
        }
        Steps { derivation, contexts, stores, parents }
    }

    fn pad(&self) -> Option<NonZeroU64> {
        self.derivation.pad()
    }

    /// `Γ(x)`
    fn declared(&self, gamma: usize, x: NameId) -> Option<&'a Extents> {
        let last = latest(&self.contexts, gamma, x)?;
        self.derivation.contexts().get(last - 1).map(|update| &update.t)
    }

    /// `Γ(x)`, or `⌈Γ⌉(x)` in a padded derivation.
    fn bound(&self, gamma: usize, x: NameId) -> Option<Extents> {
        self.rounded(self.declared(gamma, x)?)
    }

    /// `t`, or `⌈t⌉` in a padded derivation; `None` on overflow.
    fn rounded(&self, t: &[u64]) -> Option<Extents> {
        let m = self.pad().map_or(1, NonZeroU64::get);
        t.iter().map(|&d| d.checked_next_multiple_of(m)).collect()
    }

    /// The conclusions of exactly `N` premises.
    fn premises<const N: usize>(&self, node: &DerivationStep) -> Result<[&'a Judgement; N], WrongStep> {
        let ids: [StepId; N] = node.premises[..]
            .try_into()
            .map_err(|_| WrongStep::PremiseCount { expected: N as u64, found: node.premises.len() })?;
        Ok(ids.map(|id| self.conclusion(id)))
    }

    /// The conclusion of a node, which exists by the construction of derivations.
    fn conclusion(&self, id: StepId) -> &'a Judgement {
        &self.derivation.nodes()[id.0].conclusion
    }

    fn fault(&self, node: &DerivationStep, reason: WrongStep) -> DerivationFault {
        DerivationFault { node: Some((node.id, node.rule)), path: self.path(node.id), reason }
    }

    /// The path from the root; a long path is cut to its last steps.
    fn path(&self, id: StepId) -> String {
        // At two characters or three a step, half a line of a terminal of 80 columns.
        const LONGEST: usize = 16;
        let (mut at, mut way) = (id.0, Vec::new());
        while let Some((parent, premise)) = self.parents[at].filter(|_| way.len() < LONGEST) {
            way.push(premise.to_string());
            at = parent;
        }
        let start = if self.parents[at].is_some() { "…" } else { "root" };
        way.push(start.to_owned());
        way.reverse();
        way.join("/")
    }

    /// The nodes other than the root that are not premises.
    fn unused(&self) -> impl Iterator<Item = DerivationFault> {
        let (_, others) = self.derivation.nodes().split_last().unzip();
        let others = others.map(<[DerivationStep]>::iter).unwrap_or_default();
        others
            .filter(|node| self.parents[node.id.0].is_none())
            .map(|node| self.fault(node, WrongStep::Unused))
    }

    /// Checks that the root concludes the judgement to be derived.
    fn root(&self) -> Option<DerivationFault> {
        let root = self.derivation.nodes().last()?;
        let right = matches!(
            (self.derivation.subject(), &root.conclusion),
            (DerivationGoal::Typing, Judgement::ProgramOk)
                | (DerivationGoal::Evaluation { .. }, Judgement::Evaluates(_))
        );
        (!right).then(|| self.fault(root, WrongStep::Root))
    }

    /// Checks that the last listed context and the last listed store occur in a conclusion; formation and
    /// statements proceed one step at a time, so the others do too.
    fn unreached(&self) -> impl Iterator<Item = DerivationFault> {
        let nodes = self.derivation.nodes();
        let gamma = nodes.iter().filter_map(|node| gamma_of(&node.conclusion)).max().unwrap_or(0);
        let mu = nodes.iter().filter_map(|node| mu_of(&node.conclusion)).max().unwrap_or(0);
        let fault =
            |what| DerivationFault { node: None, path: String::new(), reason: WrongStep::Unreached(what) };
        let context = (gamma < self.derivation.contexts().len()).then(|| fault("context"));
        let store = (mu < self.derivation.stores().len()).then(|| fault("store"));
        context.into_iter().chain(store)
    }
}

fn gamma_of(judgement: &Judgement) -> Option<usize> {
    match judgement {
        Judgement::Context(formed) => Some(formed.gamma.0),
        _ => None,
    }
}

fn mu_of(judgement: &Judgement) -> Option<usize> {
    match judgement {
        Judgement::Store(formed) => Some(formed.mu.0),
        Judgement::Step(step) => Some(step.result.0),
        _ => None,
    }
}

/// For each name, the numbers from 1 of the updates that bind it.
fn history(names: usize, updates: impl Iterator<Item = NameId>) -> Vec<Vec<usize>> {
    let mut history = vec![Vec::new(); names];
    for (at, x) in updates.enumerate() {
        history[x.index()].push(at + 1);
    }
    history
}

/// The last update among the first `number` that binds `x`.
fn latest(history: &[Vec<usize>], number: usize, x: NameId) -> Option<usize> {
    let updates = history.get(x.index())?;
    updates[..updates.partition_point(|&k| k <= number)].last().copied()
}

fn condition(holds: bool, condition: &'static str) -> CheckResult {
    if holds { Ok(()) } else { Err(WrongStep::Condition(condition)) }
}

/// The `t` of a premise `Γ ⊢ e : t` for given Γ and `e`.
fn type_in(premise: &Judgement, at: usize, gamma: ContextNumber, e: ExprId) -> Result<&Extents, WrongStep> {
    match premise {
        Judgement::Typed(typed) if typed.gamma == gamma && typed.e == e => Ok(&typed.t),
        _ => Err(WrongStep::Premise { at, expected: "Γ ⊢ e : t" }),
    }
}
