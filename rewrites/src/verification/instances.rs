//! The verdict on instances of a rule, or on the outputs of two programs.

use super::options::Options;
use super::proofs::{Attempt, Proofs};
use super::systems::{InSystems, SystemOutcome};
use crate::refutation::concrete::Resources;
use crate::verdict::{InstanceAssumptions, ProverVerdict, choices};
use crate::verification::meaning::{Meaning, for_choices, meaning, vacuous};
use base::diagnostics::{Code, Diagnostic, Span};
use checker::hypotheses::contradiction;
use checker::instances::{Proved, best};
use checker::laws::Laws;
use checker::solver::{Obligations, in_own_context};
use checker::systems::judged;
use rule_files::elaboration::RuleError;
use selfsame_core::Instance;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use selfsame_core::unrolling::unrolled;
use values::SystemName;

/// Verifies all instances of a rule, or all outputs of two programs.
///
/// # Errors
/// The left side of an instance has no meaning.
pub fn verify_instances(instances: &[Instance], options: &Options) -> Result<ProverVerdict, RuleError> {
    in_own_context(|| verify_all(instances, options))
}

/// The maximum height of a program given to the search, the solver and the checker, which all recurse: that of
/// the checker, so that what is found can be checked.
pub const MAX_HEIGHT: usize = checker::nesting::MAX_HEIGHT;

fn verify_all(instances: &[Instance], options: &Options) -> Result<ProverVerdict, RuleError> {
    if let Some(height) = instances.iter().map(|of| of.program.height()).find(|height| *height > MAX_HEIGHT) {
        let message = format!("operators are nested {height} deep: too deep for the solver");
        let label = format!("the limit is {MAX_HEIGHT}");
        return Err(Box::new(Diagnostic::new(Code::V0009, Span::default(), message, label)));
    }
    let obligations = Obligations::default();
    let machine = instances.first().map(|instance| instance.program.machine);
    let mut verdict = ProverVerdict {
        machine: machine.unwrap_or_default(),
        instances: instances.len(),
        choices: choices(instances),
        assumed: InstanceAssumptions::new(instances, &obligations),
        ..ProverVerdict::default()
    };
    let resources = Resources::new(&obligations);
    for (at, instance) in instances.iter().enumerate() {
        let settled = verdict.different();
        let verdict_of = |instance: &Instance| {
            of_instance(&Attempt::new(instance, options, &obligations, &resources), &settled)
        };
        let mut found = verdict_of(instance)?;
        if found.is_open()
            && let Some(unrolled) = unrolled(instance)
        {
            found.join(verdict_of(&unrolled)?);
        }
        verdict.weaken(found, at == 0);
    }
    verdict.obligations = obligations.asked.get();
    if obligations.is_spent() {
        verdict.open = Some("out of budget".to_owned());
    }
    Ok(verdict)
}

/// Whether the instance has a meaning and a proof in some number system, for all inputs, `•` included.
pub(crate) fn is_provable(instance: &Instance, options: &Options) -> bool {
    in_own_context(|| {
        let obligations = Obligations::default();
        let resources = Resources::new(&obligations);
        let attempt = Attempt::new(instance, options, &obligations, &resources);
        let means = |side: usize| {
            let requirements = &instance.requirements[side];
            matches!(meaning(instance, requirements, &attempt.assignments, &obligations), Meaning::Proved)
        };
        let best = |laws: &Laws| best(instance, std::slice::from_ref(laws));
        let is_same = |laws: &Laws| !best(laws).values().all(is_unknown);
        means(0) && means(1) && attempt.proofs().laws().iter().any(is_same)
    })
}

fn is_unknown(relations: &ByInputs<Relation>) -> bool {
    relations.any != Relation::Equivalent
}

/// The verdict on one instance; number systems in `settled` are not searched again.
fn of_instance(attempt: &Attempt<'_>, settled: &[SystemName]) -> Result<ProverVerdict, RuleError> {
    let instance = attempt.instance;
    let of_side = |side: usize| {
        meaning(instance, &instance.requirements[side], &attempt.assignments, attempt.obligations)
    };
    let (mut open, mut meaningless) = (None, None);
    match of_side(0) {
        Meaning::None(found) => return Err(found.fault()),
        Meaning::Undecided(reason) => open = Some(reason),
        Meaning::Proved => {}
    }
    match of_side(1) {
        Meaning::None(found) => meaningless = Some(found),
        Meaning::Undecided(reason) => open = Some(reason),
        Meaning::Proved => {}
    }
    let proofs = attempt.proofs();
    let laws = proofs.laws();
    let Proofs { accepted: mut proofs, open: unproved, suspects } = proofs;
    let systems = InSystems {
        attempt,
        laws: if open.is_none() { &laws } else { &[] },
        is_meaningless: meaningless.is_some(),
        is_meaningful: open.is_none(),
        settled,
        suspects: &suspects,
    };
    let outcomes = systems.outcomes();
    // Hypotheses that contradict each other in the first number system leave nothing to say in any.
    let empty = match outcomes.first() {
        Some(SystemOutcome::Contradictory(system)) => Some(contradiction(instance, *system).to_string()),
        _ => None,
    };
    let vacuous = vacuous(instance, &attempt.assignments, &attempt.points, attempt.obligations).or(empty);
    let mut answers: Vec<Answer> = Vec::new();
    for outcome in outcomes {
        if let SystemOutcome::Answered(answer, more) = outcome {
            answers.push(*answer);
            proofs.extend(more);
        }
    }
    let proofs = attempt.needed(proofs);
    Ok(ProverVerdict {
        answers,
        judged: judged(instance, attempt.options.systems),
        machine: instance.program.machine,
        laws: all_laws(&laws).names(&instance.program.machine),
        instances: 1,
        vacuous: vacuous.map(|reason| reason + &for_choices(instance)),
        open: open.or(unproved),
        meaningless,
        proved: vec![Proved { choices: instance.choices.clone(), proofs, unrolled: Vec::new() }],
        ..ProverVerdict::default()
    })
}

fn all_laws(laws: &[Laws]) -> Laws {
    let mut all = Laws::default();
    laws.iter().for_each(|laws| all.extend(laws.clone()));
    all
}
