//! Certificates: the proof of a claim about a rule or about programs, with everything needed to check it again.
//!
//! A certificate contains the text of the rule file and all its imports, so that it is self-contained: the two
//! sides are elaborated from these texts, and each proof is checked against them. The format is JSON
//! (`rules/certificates.md`).

use crate::coverage;
use crate::derivation::{self, Derivation};
use crate::hypotheses::Met;
use crate::interface::one_interface;
use crate::refusal::{refusal, refuse};
use crate::wellformed::well_formed;
use base::diagnostics::Fault as Severity;
use checker::instances::{Proved, Relations, by_induction, is_empty, relations, weaken};
use checker::laws::Laws;
use checker::refusal::Refusal;
use checker::solver::Obligations;
use languages::{Chain, Pair, Question, Source};
use polyhedra::Engine;
use rule_files::elaboration::Fault;
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use selfsame_core::{About, Instance};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use values::Division;

/// The name of the format.
pub const FORMAT: &str = "selfsame-certificate";
/// The current version of the format.
pub const VERSION: u32 = 11;
/// The oldest supported version. Proofs of version 9 that use given truths lack the places, and are refused.
pub const OLDEST: u32 = 9;

/// A certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`]
    pub format: String,
    /// [`VERSION`]
    pub version: u32,
    /// The subject of the claim.
    pub subject: Subject,
    /// The claimed relations in each number system: for defined inputs, and for all.
    pub relations: BTreeMap<String, [String; 2]>,
    /// The proofs of each instance.
    pub instances: Vec<Proved>,
}

/// The subject of a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Subject {
    /// A rule.
    Rule {
        /// The name of its file.
        file: String,
        /// The name of the rule.
        rule: String,
        /// The texts of all files, by name.
        files: BTreeMap<String, String>,
    },
    /// A chain of programs; the claim is about the first and the last.
    Programs(Chain),
    /// Two systems, the second of which is derived from the first.
    Derivation(Derivation),
}

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

/// The claimed relations of a certificate.
///
/// # Errors
/// A relation has an unknown name.
pub fn claimed(certificate: &Certificate) -> Result<Relations, Refusal> {
    let relation = |word: &String| {
        let known = [Relation::Equivalent, Relation::Refines, Relation::Unknown];
        let found = known.into_iter().find(|relation| relation.word() == word);
        found.map_or_else(|| refuse(format!("`{word}` is not what a proof shows")), Ok)
    };
    let both = |(system, [defined, all]): (&String, &[String; 2])| {
        Ok((system.clone(), ByInputs { defined: relation(defined)?, any: relation(all)? }))
    };
    certificate.relations.iter().map(both).collect()
}

/// The name of the rule that a certificate is about, and the rule's instances.
///
/// # Errors
/// The certificate is not about a rule, or the rule does not exist.
pub fn instances_of_rule(certificate: &Certificate) -> Result<(&str, Vec<Instance>), Refusal> {
    match &certificate.subject {
        Subject::Rule { file, rule, files } => Ok((rule, of_rule(file, rule, files)?)),
        Subject::Programs(_) | Subject::Derivation(_) => refuse("not the certificate of a rule"),
    }
}

/// Checks a derivation, and makes its certificate.
///
/// # Errors
/// The derivation shows nothing, or a program is ill-formed.
pub fn of_derivation(derivation: Derivation, engine: &dyn Engine) -> Result<Certificate, Refusal> {
    let subject = Subject::Derivation(derivation.clone());
    well_formed(&subject, engine)?;
    one_interface(&subject, engine)?;
    let shown = derivation::check(&derivation, &Obligations::default())?;
    let words = |(system, relations): (String, ByInputs<Relation>)| {
        (system, relations.map(|r| r.word().to_owned()).into_array())
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
    if let Subject::Derivation(derivation) = &certificate.subject {
        return match certificate.instances.is_empty() {
            true => Ok((derivation::check(derivation, obligations)?, None)),
            false => refuse("a derivation has no instances"),
        };
    }
    let links = certificate.subject.links(obligations)?;
    let mut met = Met::new(certificate)?;
    let count: usize = links.iter().map(|link| link.instances.len()).sum();
    if count != certificate.instances.len() || links.iter().any(|link| link.instances.is_empty()) {
        return refuse("not as many instances as there are");
    }
    let is_rule = matches!(certificate.subject, Subject::Rule { .. });
    if links.iter().any(|link| says_nothing(&link.instances, is_rule, obligations)) {
        return refuse("vacuous: there are no sizes for which the result has elements");
    }
    let mut proved = certificate.instances.iter();
    let mut weakest = None;
    for link in &links {
        let mut of_link = None;
        for (at, (instance, proved)) in link.instances.iter().zip(proved.by_ref()).enumerate() {
            let place = || (count > 1).then(|| place(instance, at));
            // A proof from contradictory hypotheses says nothing, even if it is valid.
            met.require(instance, at).map_err(|refusal| refusal.at(place))?;
            let of_instance =
                relations(instance, proved, obligations).map_err(|refusal| refusal.at(place))?;
            weaken(&mut of_link, of_instance);
        }
        let mut of_link = of_link.unwrap_or_default();
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

impl Subject {
    /// The programs of the subject, each after the one with which it is compared; empty for a rule.
    pub fn programs(&self) -> &[Source] {
        match self {
            Subject::Rule { .. } => &[],
            Subject::Programs(chain) => &chain.programs,
            Subject::Derivation(derivation) => &derivation.programs,
        }
    }

    /// The kind of division in the programs.
    pub fn division(&self) -> Division {
        match self {
            Subject::Programs(chain) => chain.division,
            Subject::Rule { .. } | Subject::Derivation(_) => Division::Extended,
        }
    }

    /// Whether locals that both programs define under one name are compared, too.
    pub fn locals(&self) -> bool {
        matches!(self, Subject::Programs(Chain { locals: true, .. }))
    }

    /// The parameters with fixed values.
    pub fn parameters(&self) -> BTreeMap<String, i64> {
        match self {
            Subject::Programs(chain) => chain.parameters.clone(),
            Subject::Rule { .. } | Subject::Derivation(_) => BTreeMap::new(),
        }
    }

    /// The claims, computed from the texts; those about programs are complete.
    fn links(&self, obligations: &Obligations) -> Result<Vec<Link>, Refusal> {
        let chain = match self {
            Subject::Rule { file, rule, files } => {
                return Ok(vec![Link { instances: of_rule(file, rule, files)?, is_inductive: false }]);
            }
            Subject::Programs(chain) => chain,
            Subject::Derivation(_) => return Ok(Vec::new()),
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
}

/// The programs of a chain, parsed, in consecutive pairs.
///
/// # Errors
/// The programs do not form a chain, or a program is ill-formed.
pub fn pairs(chain: &Chain) -> Result<Vec<Pair>, Refusal> {
    let pairs = chain.pairs().or_else(|refused| refuse(refused.reason))?;
    if pairs.is_empty() { refuse("not a chain of programs") } else { Ok(pairs) }
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

fn of_rule(file: &str, rule: &str, files: &BTreeMap<String, String>) -> Result<Vec<Instance>, Refusal> {
    let (library, rule) = read_rule(file, rule, files)?;
    if rule.same_text {
        return refuse("vacuous: both sides are the same text");
    }
    let refusal = |fault: Fault| {
        let is_limit = fault.code.fault() == Severity::Limit;
        refusal(format!("{}: {}", fault.code, fault.message), is_limit)
    };
    instances(&library, &rule).map_err(refusal)
}

/// Parses a rule and its library.
pub fn read_rule(
    file: &str,
    rule: &str,
    files: &BTreeMap<String, String>,
) -> Result<(Library, Rule), Refusal> {
    let read = |path: &Path| {
        let text = files.get(&path.display().to_string());
        text.cloned().ok_or_else(|| "not in the certificate".to_owned())
    };
    let Ok(source) = read(Path::new(file)) else {
        return refuse("the file of the rule is missing");
    };
    let (library, errors) = Library::load(Path::new(file), &source, &read);
    if let Some(error) = errors.first() {
        return refuse(format!("{}: {}", error.code, error.message));
    }
    let Some(rule) = library.rules().iter().find(|other| other.name.text == rule) else {
        return refuse("the file has no such rule");
    };
    let rule = rule.clone();
    Ok((library, rule))
}
