//! Finds the sizes for which a rule holds that fails only where a size is 0.

use crate::verdict::{Narrower, ProverVerdict};
use crate::verification::instances::verify_instances;
use crate::verification::options::Options;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::relation::Relation;
use selfsame_core::{Condition, Index, Instance, Variable};

/// The sizes that are 0 in the counterexample and must not be, if the sides are proved equal where none of them is
/// 0.
pub fn nonempty(instances: &[Instance], verdict: &ProverVerdict, options: &Options) -> Option<Narrower> {
    let answer = verdict.headline()?;
    let inputs =
        InputClass::BOTH.into_iter().find(|&inputs| answer.relations[inputs] >= Relation::Unequal)?;
    let counterexample = answer.counterexamples[inputs].as_ref().map(|found| &found.parameters);
    let parameters = counterexample.or(verdict.meaningless.as_ref().map(|found| &found.parameters))?;
    let is_empty = |name: &str| parameters.iter().any(|(other, value)| other == name && value == "0");
    let declared = instances.iter().flat_map(|instance| {
        let of = |(v, _): &&(Variable, String)| is_empty(&instance.program.name(*v));
        instance.sizes.iter().filter(of).map(|(_, name)| name.as_str())
    });
    let mut sizes: Vec<&str> = declared.collect();
    sizes.sort_unstable();
    sizes.dedup();
    let systems = Some(answer.system.alone());
    let holding = |sizes: &[&str]| {
        let narrowed: Vec<Instance> = instances.iter().map(|instance| narrowed(instance, sizes)).collect();
        let verdict = verify_instances(&narrowed, &Options { systems, ..*options }).ok()?;
        let relations = verdict.in_system(answer.system)?.relations;
        let holds = relations[inputs] == Relation::Equivalent && verdict.vacuous.is_none();
        holds.then(|| relations.any == Relation::Equivalent)
    };
    if sizes.is_empty() {
        return None;
    }
    let mut all_inputs = holding(&sizes)?;
    for size in sizes.clone() {
        let fewer: Vec<&str> = sizes.iter().copied().filter(|other| *other != size).collect();
        if !fewer.is_empty()
            && let Some(all) = holding(&fewer)
        {
            (sizes, all_inputs) = (fewer, all);
        }
    }
    let sizes = sizes.into_iter().map(str::to_owned).collect();
    Some(Narrower { sizes, system: answer.system, all_inputs })
}

fn narrowed(instance: &Instance, sizes: &[&str]) -> Instance {
    let is_one = |(_, name): &&(Variable, String)| sizes.contains(&name.as_str());
    let positive = |(v, _): &(Variable, String)| Condition::at_most(&Index::from(1), &Index::from(*v));
    let positive = instance.sizes.iter().filter(is_one).map(positive);
    let assumptions = Condition::all(positive.chain([instance.assumptions.clone()]).collect::<Vec<_>>());
    Instance { assumptions, ..instance.clone() }
}
