//! Two programs, verified.

use crate::samples::assignments;
use crate::verification::{Options, Verdict, verify_instances};
use fastrand::Rng;
use semantics::core::Instance;
use semantics::decision::Relation;
use semantics::programs::{Pair, Question};
use std::collections::BTreeMap;

/// What is known of two programs.
#[derive(Debug)]
pub struct Compared {
    /// The verdict; `laws` and `proved` are of the proof for all sizes.
    pub verdict: Verdict,
    /// Whether all inputs are defined.
    pub defined_inputs: bool,
}

/// Compares two programs.
///
/// # Errors
/// They have no form that can be compared, or the first one has no meaning: why.
pub fn compare(pair: &Pair, options: &Options) -> Result<Compared, String> {
    let name = |side: usize| &pair.programs[side].name;
    let question =
        pair.question().map_err(|refused| format!("{}: {}", name(refused.side), refused.reason))?;
    let Question { claims, defined_inputs } = question;
    let verdict = verify_instances(&claims.instances, options)
        .map_err(|fault| format!("{}: {}: {}", name(0), fault.message, fault.primary.text))?;
    let verdict = match claims.is_inductive {
        false => verdict,
        true => refuted(pair, &claims.instances, verdict.by_induction(), options),
    };
    Ok(Compared { verdict, defined_inputs })
}

/// So many small sizes are tried.
const SIZES: usize = 4;

/// A claim about recurrences that fails says nothing; at some small sizes they are unrolled, and a difference there is one.
fn refuted(pair: &Pair, instances: &[Instance], mut verdict: Verdict, options: &Options) -> Verdict {
    let is_open = |verdict: &Verdict| verdict.answers.iter().any(|a| a.relations[0] == Relation::Unknown);
    if !is_open(&verdict) {
        return verdict;
    }
    for parameters in small_sizes(pair, instances, options.seed) {
        let at_sizes = Pair { parameters, ..pair.clone() };
        let Ok(Question { claims, .. }) = at_sizes.question() else { continue };
        let Ok(found) = verify_instances(&claims.instances, options) else { continue };
        if !claims.is_inductive {
            verdict.refute(&found, &at_sizes.parameters);
        }
        if !is_open(&verdict) {
            break;
        }
    }
    verdict
}

fn small_sizes(pair: &Pair, instances: &[Instance], seed: u64) -> Vec<BTreeMap<String, i64>> {
    let Some(instance) = instances.first() else { return Vec::new() };
    let mut rng = Rng::with_seed(seed);
    let mut sizes = assignments(&instance.symbols, &instance.assumptions, 3 * SIZES, &mut rng);
    sizes.sort_by_key(|point| (point.iter().map(|size| size.abs()).sum::<i64>(), point.clone()));
    let named = |point: Vec<i64>| {
        let of = |v: &semantics::core::Variable| (instance.program.name(*v), point[v.index()]);
        pair.parameters.clone().into_iter().chain(instance.symbols.iter().map(of)).collect()
    };
    sizes.into_iter().map(named).take(SIZES).collect()
}
