//! Verified rules as rewrites ([`link::statements::rules`]): they apply where sizes are found that the rule
//! allows, in number systems in which it was proved for all inputs, undefined ones included.

use super::rewriting::{Allowed, Rewrite};
use alpha::patterns::Pattern;
use link::certificate::{Certificate, claimed, instances_of_rule};
use link::statements::rules::{name, statement};
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use values::{Machine, SystemName};

/// The maximum number of indices that points have besides those of the rule. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_CONTEXT: usize = 2;

/// The rewrites of a rule in a number system on a machine. The certificate must have been checked.
///
/// # Errors
/// Why the rule is not a rewrite.
pub fn rewrites(
    certificate: &Certificate,
    system: SystemName,
    machine: &Machine,
) -> Result<Vec<Rewrite>, String> {
    let proved = certificate.subject.system();
    if proved.machine != *machine {
        return Err(format!("it is proved in the number system `{}`", proved.name));
    }
    let (rule, instances) = instances_of_rule(certificate).map_err(|refusal| refusal.to_string())?;
    let relations = claimed(certificate).map_err(|refusal| refusal.to_string())?;
    let is_proved = |relations: &ByInputs<Relation>| relations.any == Relation::Equivalent;
    if !relations.get(&system).is_some_and(is_proved) {
        let others = relations.iter().filter(|(_, relations)| is_proved(relations));
        let others: Vec<String> = others.map(|(name, _)| format!("`{name}`")).collect();
        let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        return Err(format!("it is not proved for all inputs in `{system}`; it is in {others}"));
    }
    let mut all = Vec::new();
    for (k, instance) in instances.iter().enumerate() {
        for context in 0..=MAX_CONTEXT {
            let statement = statement(name(rule, k), instance, context, &relations);
            let allowed = Allowed {
                statement: statement.map_err(str::to_owned)?,
                operators: None,
                values: system,
                rounds: false,
            };
            let both = [Rewrite::forward(&allowed), Rewrite::backward(&allowed)];
            all.extend(both.into_iter().filter(is_determined));
        }
    }
    Ok(all)
}

/// Whether a match determines the replacement, and the pattern is not just any expression.
fn is_determined(rewrite: &Rewrite) -> bool {
    let inner = rewrite.from.operands();
    let is_anything = |pattern: &&Pattern| {
        matches!(pattern, Pattern::Expression(_) | Pattern::Constant(_) | Pattern::Index(_))
    };
    let known = inputs(&rewrite.from);
    !inner.iter().any(is_anything) && inputs(&rewrite.to).iter().all(|input| known.contains(input))
}

/// The metavariables of a pattern that stand for expressions.
fn inputs(pattern: &Pattern) -> Vec<&Pattern> {
    match pattern {
        Pattern::Expression(_) => vec![pattern],
        _ => pattern.operands().into_iter().flat_map(inputs).collect(),
    }
}
