//! Checks every step of a derivation again, from the derivation alone.
//!
//! [`check`] finds no fault in a derivation exactly when
//! 1. each step's conclusion follows from the conclusions of its premises by the rule that it names, side conditions included (`statics`: ranges;
//!    `dynamics`: runs);
//! 2. the root concludes what the derivation claims to derive, and each other step is a premise;
//! 3. the program is well-formed (`program`, `names`, `nodes`): names, types, and where tensors are defined;
//! 4. in a derivation of a run, the ranges and conditions of the program are right, as if they were derived (`ranges`, `conditions`): at all sizes, or
//!    at those of the run where the engine does not decide that.
//!
//! Premises precede conclusions, so by induction the root is derivable. The rules are written here a second time: this module shares with the
//! builders only index expressions, their sets, which words are names, and the arithmetic of values.

mod conditions;
mod dynamics;
mod names;
mod nodes;
mod program;
mod ranges;
mod statics;

use super::{Derivation, DerivationGoal, DerivationStep, Judgement, Rule};
use language::Signature;
use polyhedra::Engine;
use ranges::{Ranges, at_sizes};
use selfsame_core::operations::Element;
use std::fmt;
use values::ValueDomain;

/// Why a step is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongStep {
    /// A premise does not have the form that the rule demands.
    Premise(usize),
    /// The rule has another number of premises.
    PremiseCount(usize),
    /// The conclusion does not have the form that the rule demands.
    Conclusion,
    /// A side condition does not hold.
    Condition(&'static str),
    /// It fails at these sizes.
    Fails(String),
    /// The engine did not decide it.
    Undecided(String),
    /// The premises imply another value.
    Follows(String),
    /// The rule does not belong in this derivation.
    RuleOutOfPlace,
    /// An element is not a number of the number system.
    Element(String),
    /// The root's conclusion is not the judgement to be derived.
    Root,
    /// The step is neither a premise nor the root.
    Unused,
}

impl fmt::Display for WrongStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongStep::Premise(at) => write!(f, "premise {} is not what the rule demands", at + 1),
            WrongStep::PremiseCount(expected) => write!(f, "the rule has {expected} premises here"),
            WrongStep::Conclusion => write!(f, "the conclusion is not one of this rule"),
            WrongStep::Condition(condition) => write!(f, "it does not hold that {condition}"),
            WrongStep::Undecided(message) => write!(f, "this is not decided: {message}"),
            WrongStep::Fails(message) | WrongStep::Element(message) => f.write_str(message),
            WrongStep::Follows(expected) => write!(f, "the result should be {expected}"),
            WrongStep::RuleOutOfPlace => write!(f, "the rule has no place in this derivation"),
            WrongStep::Root => write!(f, "the root does not conclude what is to be derived"),
            WrongStep::Unused => write!(f, "the step is neither a premise nor the root"),
        }
    }
}

/// A fault of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationFault {
    /// The position of the step.
    pub step: usize,
    /// Its rule.
    pub rule: Rule,
    /// The reason.
    pub reason: WrongStep,
}

impl fmt::Display for DerivationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, {}: {}", self.step, self.rule, self.reason)
    }
}

type CheckResult = Result<(), WrongStep>;

/// The functions of real numbers, in a value domain.
pub type Functions<'a, D> = &'a dyn Fn(Signature<'_>, &[Element<D>]) -> Option<Element<D>>;

/// The faults of a derivation in its number system, which the caller looks up; empty if it is correct. A step has at most one fault.
pub fn check<D: ValueDomain>(
    derivation: &Derivation,
    domain: &D,
    functions: Functions<'_, D>,
    engine: &dyn Engine,
) -> Vec<DerivationFault> {
    let follows = |step: &DerivationStep| match &derivation.of {
        DerivationGoal::Typing => statics::Statics::new(derivation, engine).follows(step),
        DerivationGoal::Evaluation { division, sizes, .. } => {
            dynamics::Dynamics { derivation, sizes, division: *division, domain, functions }.follows(step)
        }
    };
    let wrong = |(step, of): (usize, &DerivationStep)| {
        Some(DerivationFault { step, rule: of.rule, reason: follows(of).err()? })
    };
    let mut faults: Vec<DerivationFault> = derivation.steps.iter().enumerate().filter_map(wrong).collect();
    faults.extend(unused(derivation));
    faults.extend(root(derivation));
    let of_root = |reason| {
        let (step, root) = derivation.steps.iter().enumerate().next_back()?;
        Some(DerivationFault { step, rule: root.rule, reason })
    };
    faults.extend(ill_formed(derivation).err().and_then(of_root));
    // All of it costs more than the steps.
    if faults.is_empty() {
        faults.extend(of_run(derivation, engine).err().and_then(of_root));
    }
    faults
}

/// That the program is well-formed, and that a derivation of ranges has no stores.
fn ill_formed(derivation: &Derivation) -> CheckResult {
    let has_stores = derivation.of == DerivationGoal::Typing && !derivation.stores.is_empty();
    condition(!has_stores, "a derivation of ranges has no stores")?;
    program::well_formed(&derivation.program).map_err(WrongStep::Condition)
}

/// That a run is of a program whose ranges and conditions are right.
fn of_run(derivation: &Derivation, engine: &dyn Engine) -> CheckResult {
    let DerivationGoal::Evaluation { sizes, .. } = &derivation.of else { return Ok(()) };
    let for_all = Ranges { program: &derivation.program, engine };
    let at_sizes = at_sizes(&derivation.program, sizes)?;
    let at_sizes = Ranges { program: &at_sizes, engine };
    let judged = |judgement: &Judgement| match for_all.judged(judgement) {
        Err(WrongStep::Undecided(_)) => at_sizes.judged(judgement),
        decided => decided,
    };
    for_all.all().iter().try_for_each(judged)
}

/// The steps other than the root that are not premises.
fn unused(derivation: &Derivation) -> Vec<DerivationFault> {
    let mut used = vec![false; derivation.steps.len()];
    derivation.steps.iter().flat_map(|step| &step.premises).for_each(|&premise| used[premise] = true);
    used.pop();
    let unused = used.iter().enumerate().filter(|(_, used)| !**used);
    unused
        .map(|(at, _)| DerivationFault {
            step: at,
            rule: derivation.steps[at].rule,
            reason: WrongStep::Unused,
        })
        .collect()
}

/// That the root concludes the judgement to be derived.
fn root(derivation: &Derivation) -> Option<DerivationFault> {
    let (at, root) = derivation.steps.iter().enumerate().next_back()?;
    let is_right = matches!(
        (&derivation.of, &root.conclusion),
        (DerivationGoal::Typing, Judgement::Ok) | (DerivationGoal::Evaluation { .. }, Judgement::Run { .. })
    );
    (!is_right).then_some(DerivationFault { step: at, rule: root.rule, reason: WrongStep::Root })
}

fn condition(holds: bool, condition: &'static str) -> CheckResult {
    if holds { Ok(()) } else { Err(WrongStep::Condition(condition)) }
}
