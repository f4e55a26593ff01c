//! Checks certificates: each proof against what the texts say.

use crate::certificate::{
    Certificate, CertificateSubject, FORMAT, OLDEST, SystemDerivation, VERSION, claimed, of_rule, pairs,
};
use crate::coverage;
use crate::derivation;
use crate::hypotheses::Met;
use crate::interface::one_interface;
use crate::refusal::refuse;
use crate::wellformed::well_formed;
use checker::instances::{Relations, by_induction, is_empty, of_all, relations, weaken};
use checker::laws::Laws;
use checker::refusal::{Refusal, RefusedPlace};
use checker::solver::Obligations;
use languages::{Pair, Question};
use polyhedra::Engine;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use selfsame_core::{About, Instance};
use std::collections::BTreeSet;
use values::SystemName;

/// Checks a certificate: its programs must be well-formed, as the engine decides, its proofs must show its claim,
/// and the claim must not be vacuous. Returns the laws of arithmetic that the proofs use.
///
/// # Errors
/// The certificate does not prove its claim.
pub fn check(certificate: &Certificate, engine: &dyn Engine) -> Result<Laws, Refusal> {
    well_formed(&certificate.subject, engine)?;
    one_interface(&certificate.subject, engine)?;
    replay(certificate)
}

/// Checks a certificate whose programs are well-formed.
pub(crate) fn replay(certificate: &Certificate) -> Result<Laws, Refusal> {
    if certificate.format != FORMAT || !(OLDEST..=VERSION).contains(&certificate.version) {
        return refuse(format!("not a certificate of a version from {OLDEST} to {VERSION}"));
    }
    if let Some(fault) = certificate.subject.system().fault() {
        return refuse(fault);
    }
    let obligations = Obligations::default();
    let (shown, unmet) = shown_by(certificate, &obligations)?;
    let claimed = claimed(certificate)?;
    for (system, claimed) in &claimed {
        let Some(shown) = shown.get(system) else {
            return refuse(format!("nothing is shown in `{system}`"));
        };
        if shown.zip(*claimed).iter().any(|(shown, claimed)| shown > claimed) {
            return refuse(format!("what is claimed in `{system}` is not shown"));
        }
    }
    match unmet {
        _ if claimed.values().all(|relations| relations.are_unknown()) => refuse("nothing is claimed"),
        Some(unmet) => Err(unmet),
        None => Ok(obligations.take_laws()),
    }
}

/// Checks a derivation, and makes its certificate.
///
/// # Errors
/// The derivation shows nothing, or a program is ill-formed.
pub fn of_derivation(derivation: SystemDerivation, engine: &dyn Engine) -> Result<Certificate, Refusal> {
    let subject = CertificateSubject::Derivation(derivation.clone());
    well_formed(&subject, engine)?;
    one_interface(&subject, engine)?;
    let shown = derivation::check(&derivation, &Obligations::default())?;
    let words = |(system, relations): (SystemName, ByInputs<Relation>)| {
        (system.to_string(), relations.map(|r| r.word().to_owned()).into_array())
    };
    let relations = shown.into_iter().filter(|(_, relations)| relations.defined != Relation::Unknown);
    Ok(Certificate {
        format: FORMAT.to_owned(),
        version: VERSION,
        subject,
        relations: relations.map(words).collect(),
        instances: Vec::new(),
    })
}

/// The relations that the proofs of a certificate show, and a refusal if some hypotheses are not known to be
/// satisfiable.
fn shown_by(
    certificate: &Certificate,
    obligations: &Obligations,
) -> Result<(Relations, Option<Refusal>), Refusal> {
    if let CertificateSubject::Derivation(derivation) = &certificate.subject {
        return match certificate.instances.is_empty() {
            true => Ok((derivation::check(derivation, obligations)?, None)),
            false => refuse("a derivation has no instances"),
        };
    }
    let links = links(&certificate.subject, obligations)?;
    let mut met = Met::new(certificate)?;
    let count: usize = links.iter().map(|link| link.instances.len()).sum();
    if count != certificate.instances.len() || links.iter().any(|link| link.instances.is_empty()) {
        return refuse("the number of instances is not that of the subject");
    }
    let is_rule = matches!(certificate.subject, CertificateSubject::Rule(_));
    if links.iter().any(|link| says_nothing(&link.instances, is_rule, obligations)) {
        return refuse("vacuous: there are no sizes for which the result has elements");
    }
    let mut proved = certificate.instances.iter();
    let mut weakest = None;
    for link in &links {
        let mut each = Vec::new();
        for (at, (instance, proved)) in link.instances.iter().zip(proved.by_ref()).enumerate() {
            let place = || (count > 1).then(|| RefusedPlace::Instance(place(instance, at)));
            // A proof from contradictory hypotheses says nothing, even if it is valid.
            met.require(instance, at).map_err(|refusal| refusal.at(place))?;
            let of_instance =
                relations(instance, proved, obligations).map_err(|refusal| refusal.at(place))?;
            each.push(of_instance);
        }
        let mut of_link = of_all(&link.instances, each);
        if link.is_inductive {
            of_link.values_mut().for_each(|relations| *relations = by_induction(*relations));
        }
        weaken(&mut weakest, of_link);
    }
    Ok((weakest.unwrap_or_default(), met.unmet))
}

/// Claims that only together show something.
struct Link {
    instances: Vec<Instance>,
    is_inductive: bool,
}

/// Whether the claims are vacuous: some instance of a rule, or all outputs of two programs.
fn says_nothing(instances: &[Instance], is_rule: bool, obligations: &Obligations) -> bool {
    let is_output = |instance: &&Instance| matches!(instance.claim.about, About::Output(..));
    let mut outputs = instances.iter().filter(is_output);
    let is_empty = |instance: &Instance| is_empty(instance, obligations);
    if is_rule { outputs.any(is_empty) } else { outputs.all(is_empty) }
}

/// Names an instance by its choices, or by its number and claim.
fn place(instance: &Instance, at: usize) -> String {
    let choices = instance.choices.iter().map(|(name, value)| format!("{name} = {value}"));
    match choices.collect::<Vec<_>>() {
        none if none.is_empty() => format!("instance {at}, `{}`", instance.claim.name),
        choices => choices.join(", "),
    }
}

/// The claims of a subject, computed from the texts; those about programs are complete.
fn links(subject: &CertificateSubject, obligations: &Obligations) -> Result<Vec<Link>, Refusal> {
    let chain = match subject {
        CertificateSubject::Rule(rule) => {
            return Ok(vec![Link { instances: of_rule(rule)?, is_inductive: false }]);
        }
        CertificateSubject::Programs(chain) => chain,
        CertificateSubject::Derivation(_) => return Ok(Vec::new()),
    };
    let pairs = pairs(chain)?;
    locals_throughout(&pairs)?;
    let link = |pair: &Pair| match pair.question() {
        Ok(Question { claims, .. }) => {
            coverage::covers(pair, &claims.instances, obligations)?;
            Ok(Link { instances: claims.instances, is_inductive: claims.is_inductive })
        }
        Err(refused) => refuse(refused.reason),
    };
    pairs.iter().map(link).collect()
}

/// If locals are compared, requires that locals of the first and last program exist in every program between them:
/// a step shows nothing about a local that it does not compare.
fn locals_throughout(pairs: &[Pair]) -> Result<(), Refusal> {
    let [first, .., last] = pairs else { return Ok(()) };
    if !first.locals {
        return Ok(());
    }
    let ends = Pair { programs: [first.programs[0].clone(), last.programs[1].clone()], ..first.clone() };
    let compared = |pair: &Pair| -> Result<BTreeSet<String>, Refusal> {
        match pair.sides() {
            Ok([side, _]) => Ok(side.outputs.into_iter().map(|(name, _)| name).collect()),
            Err(refused) => refuse(refused.reason),
        }
    };
    let wanted = compared(&ends)?;
    for pair in pairs {
        if let Some(name) = wanted.difference(&compared(pair)?).next() {
            return refuse(format!(
                "`{name}` of the first and the last program is not in all programs between them"
            ));
        }
    }
    Ok(())
}
