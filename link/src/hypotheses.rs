//! The hypotheses of a certificate: nothing is proved under what no input meets.

use crate::certificate::{Certificate, CertificateSubject, claimed, read_rule};
use crate::shipped::{ClaimAssumption, assumed};
use checker::hypotheses::require;
use checker::refusal::Refusal;
use rule_files::closure::closed;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::Instance;
use values::SystemName;

/// Checks the hypotheses of all instances of a certificate.
pub(crate) struct Met {
    systems: Vec<SystemName>,
    closed: Option<Vec<Instance>>,
    /// The first refusal of hypotheses that are not known to be satisfiable.
    pub unmet: Option<Refusal>,
}

impl Met {
    /// Prepares the check, in the number systems for which the certificate claims something.
    pub fn new(certificate: &Certificate) -> Result<Met, Refusal> {
        let claims = claimed(certificate)?.into_iter();
        let claims = claims.filter(|(_, relations)| !relations.are_unknown());
        let closed = match &certificate.subject {
            CertificateSubject::Rule(rule) => {
                let (library, rule) = read_rule(rule)?;
                further_laws(&library, &rule)
            }
            CertificateSubject::Programs(_) | CertificateSubject::Derivation(_) => None,
        };
        Ok(Met { systems: claims.map(|(system, _)| system).collect(), closed, unmet: None })
    }

    /// Requires that the hypotheses of an instance do not contradict each other; records whether they are not
    /// known to be satisfiable.
    pub fn require(&mut self, instance: &Instance, at: usize) -> Result<(), Refusal> {
        let closed = self.closed.as_ref().and_then(|closed| closed.get(at));
        match require(instance, closed, &self.systems) {
            Err(refusal) if refusal.undecided => {
                self.unmet.get_or_insert(refusal);
                Ok(())
            }
            decided => decided,
        }
    }
}

/// The instances of a rule with further instances of its laws, if it names a law that is not shipped. The shipped
/// laws have a model.
pub fn further_laws(library: &Library, rule: &Rule) -> Option<Vec<Instance>> {
    let is_law = |assumed: &ClaimAssumption| assumed.kind == "law";
    let has_own = !rule.laws.is_empty() && assumed(library, rule).iter().any(is_law);
    has_own.then(|| closed(library, rule)).flatten()
}
