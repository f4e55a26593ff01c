//! Rules that fail only where a size is 0, and for which sizes they hold.

use crate::judging::headline;
use crate::verdict::Verdict;
use crate::verification::{Options, verify_instances};
use semantics::core::{Condition, Index, Instance, Variable};
use semantics::decision::Relation;
use semantics::rules::syntax::Rule;
use semantics::values::NUMBER_SYSTEMS;

const SYSTEMS: &[&str] = &NUMBER_SYSTEMS;

/// Where the counterexample has sizes of 0: those sizes, if the sides are proved to be the same where they are not 0. A size is
/// known by the name that `of` gives to its component; what has none may be 0.
pub fn nonempty<'n>(
    instances: &[Instance],
    verdict: &Verdict,
    of: &dyn Fn(&str) -> Option<&'n str>,
    options: &Options,
) -> Option<Vec<&'n str>> {
    let answer = headline(verdict)?;
    let inputs = (0..2).find(|&inputs| answer.relations[inputs] == Relation::Different)?;
    let counterexample = answer.counterexamples[inputs].as_ref().map(|found| &found.parameters);
    let parameters = counterexample.or(verdict.meaningless.as_ref().map(|found| &found.parameters))?;
    let mut sizes: Vec<&str> =
        parameters.iter().filter(|(_, value)| value == "0").filter_map(|(name, _)| of(name)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return None;
    }
    let narrowed: Vec<Instance> = instances.iter().map(|instance| narrowed(instance, &sizes, of)).collect();
    let systems = SYSTEMS.chunks(1).find(|system| system[0] == answer.system);
    let narrowed = verify_instances(&narrowed, &Options { systems, ..*options }).ok()?;
    let holds = narrowed.in_system(answer.system)?.relations[inputs] == Relation::Equivalent;
    (holds && narrowed.vacuous.is_none()).then_some(sizes)
}

fn narrowed<'n>(instance: &Instance, sizes: &[&str], of: &dyn Fn(&str) -> Option<&'n str>) -> Instance {
    let is_one = |v: &&Variable| of(&instance.program.name(**v)).is_some_and(|size| sizes.contains(&size));
    let positive = |v: &Variable| Condition::at_most(&Index::from(1), &Index::from(*v));
    let positive = instance.symbols.iter().filter(is_one).map(positive);
    let assumptions = Condition::all(positive.chain([instance.assumptions.clone()]).collect::<Vec<_>>());
    Instance { assumptions, ..instance.clone() }
}

/// The size of a rule of which `component` is one: `N` for `N0`.
pub fn size_of<'n>(rule: &'n Rule, component: &str) -> Option<&'n str> {
    let mut sizes = rule.symbols.iter().filter(|symbol| symbol.is_size);
    let is_of = |name: &str, is_vector: bool| match component.strip_prefix(name) {
        Some(rest) if is_vector => !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()),
        rest => rest == Some(""),
    };
    let found = sizes.find(|symbol| is_of(&symbol.name.text, symbol.length.is_some()));
    found.map(|symbol| &*symbol.name.text)
}

/// `1 <= n, 1 <= m`
pub fn holds_where(sizes: &[&str]) -> String {
    sizes.iter().map(|size| format!("1 <= {size}")).collect::<Vec<_>>().join(", ")
}
