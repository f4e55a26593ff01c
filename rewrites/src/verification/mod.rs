//! Verifies a rule: at each of its instances, in each number system.

pub mod instances;
pub mod judging;
pub mod meaning;
pub(crate) mod narrowing;
pub(crate) mod options;
mod proofs;
mod supposing;
mod systems;

pub use options::Options;

use crate::verdict::ProverVerdict;
use crate::verification::narrowing::nonempty;
use crate::verification::supposing::supposed;
use base::diagnostics::Code;
use instances::verify_instances;
use link::hypotheses::further_laws;
use rule_files::elaboration::RuleError;
use rule_files::instances::{illegal_types, instances};
use rule_files::library::Library;
use rule_files::syntax::Rule;

/// Verifies a rule.
///
/// # Errors
/// The rule has no meaning for one of its choices.
pub fn verify(library: &Library, rule: &Rule, options: &Options) -> Result<ProverVerdict, RuleError> {
    let instances = match instances(library, rule) {
        // Types that fit for no choice leave nothing to say.
        Err(fault) if fault.code == Code::V0013 => {
            return Ok(ProverVerdict { vacuous: Some(fault.message), ..ProverVerdict::default() });
        }
        instances => instances?,
    };
    let mut verdict = verify_instances(&instances, options)?;
    supposed(&instances, further_laws(library, rule).as_deref(), &mut verdict);
    verdict.illegal = illegal_types(library, rule);
    verdict.refuted_all_the_same();
    verdict.narrower = nonempty(&instances, &verdict, options);
    if rule.same_text {
        verdict.vacuous = Some("both sides are the same text".to_owned());
    }
    Ok(verdict)
}
