//! The proofs of one instance of a claim: what they show in each number system.

use crate::laws::Laws;
use crate::nesting::MAX_HEIGHT;
use crate::proof::Proof;
use crate::refusal::{Flaw, Refusal, refuse};
use crate::rules::{Checker, Hypotheses};
use crate::side::Side;
use crate::solver::Obligations;
use crate::systems::{meant, possible, shown};
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use selfsame_core::unrolling::unrolled;
use selfsame_core::{Condition, Instance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use values::SystemName;

/// The proofs of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proved {
    /// The choices of the instance.
    pub choices: Vec<(String, String)>,
    /// Alternative proofs; in each number system, one of these or of `unrolled` must hold.
    pub proofs: Vec<Proof>,
    /// Proofs about the instance with its small reductions unrolled ([`selfsame_core::unrolling`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrolled: Vec<Proof>,
}

/// The relation between the sides in each number system: for defined inputs, and for all.
pub type Relations = BTreeMap<SystemName, ByInputs<Relation>>;

/// Weakens relations to those that hold if the others are shown as well.
pub fn weaken(weakest: &mut Option<Relations>, other: Relations) {
    let Some(weakest) = weakest else {
        *weakest = Some(other);
        return;
    };
    weakest.retain(|system, _| other.contains_key(system));
    for (system, relations) in weakest {
        let other = other[system];
        *relations = relations.and(other);
    }
}

/// The relations that hold for all instances of a rule, given those of each. An instance that has other element types says
/// nothing of a number system.
pub fn of_all(instances: &[Instance], each: Vec<Relations>) -> Relations {
    let possible: Vec<Vec<SystemName>> = instances.iter().map(possible).collect();
    let of = |system: SystemName| {
        let asked = each.iter().zip(&possible).filter(|(_, possible)| possible.contains(&system));
        let shown = asked.map(|(relations, _)| relations.get(&system).copied());
        let all: Vec<ByInputs<Relation>> = shown.collect::<Option<_>>()?;
        Some((system, all.into_iter().reduce(ByInputs::<Relation>::and)?))
    };
    SystemName::ALL.into_iter().filter_map(of).collect()
}

/// Whether a claim has no points, for all sizes.
pub fn is_empty(instance: &Instance, obligations: &Obligations) -> bool {
    let points = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    Checker::new(&instance.program, obligations, &points).require(&Condition::never()).is_ok()
}

/// The relations that the claims of an induction show together: equality if all claims are equalities, else
/// nothing.
pub fn by_induction(relations: ByInputs<Relation>) -> ByInputs<Relation> {
    match relations.any {
        Relation::Equivalent => ByInputs::both(Relation::Equivalent),
        _ => ByInputs::both(Relation::Unknown),
    }
}

/// The best relation in each number system that one of the proofs shows.
///
/// # Errors
/// A proof is not valid, or the instance has no meaning.
pub fn relations(
    instance: &Instance,
    proved: &Proved,
    obligations: &Obligations,
) -> Result<Relations, Refusal> {
    if instance.choices != proved.choices {
        return refuse(Flaw::OtherChoices);
    }
    let height = instance.program.height();
    if height > MAX_HEIGHT {
        return Err(Refusal::new(Flaw::TooDeep { height, limit: MAX_HEIGHT }, true));
    }
    for requirement in instance.requirements.iter().flatten() {
        let context = Condition::all([instance.assumptions.clone(), requirement.context.clone()]);
        let checker = Checker::new(&instance.program, obligations, &context);
        requirement.condition.conjuncts().iter().try_for_each(|part| checker.require(part))?;
    }
    let of = |instance: &Instance, proofs: &[Proof]| -> Result<Vec<Laws>, Refusal> {
        proofs.iter().map(|proof| laws(instance, proof, obligations)).collect()
    };
    let mut all = of(instance, &proved.proofs)?;
    if !proved.unrolled.is_empty() {
        let Some(unrolled) = unrolled(instance) else { return refuse(Flaw::NothingToUnroll) };
        all.extend(of(&unrolled, &proved.unrolled)?);
    }
    Ok(best(instance, &all))
}

/// The best relation that proofs with these laws show, in each number system in which the instance has a meaning.
pub fn best(instance: &Instance, laws: &[Laws]) -> Relations {
    let of = |system: SystemName| {
        let best = laws
            .iter()
            .map(|laws| shown(laws, system, &instance.program.machine))
            .reduce(ByInputs::<Relation>::or);
        (system, best.unwrap_or(ByInputs::both(Relation::Unknown)))
    };
    meant(instance, Some(&SystemName::ALL)).into_iter().map(of).collect()
}

/// Checks a proof about an instance, and returns the laws that it uses.
///
/// # Errors
/// The proof is not valid.
pub fn laws(instance: &Instance, proof: &Proof, obligations: &Obligations) -> Result<Laws, Refusal> {
    let [e, f] = instance.claim.sides;
    let assumption = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    let mut checker = Checker::new(&instance.program, obligations, &assumption);
    checker.hypotheses = Hypotheses { given: &instance.given, laws: &instance.laws };
    let none = Vec::new();
    checker.check(Side { node: e, at: &none }, Side { node: f, at: &none }, proof)?;
    obligations.add_laws(checker.laws.clone());
    Ok(checker.laws)
}
