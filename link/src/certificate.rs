//! Certificates: the proof of a claim about a rule or about programs, with everything needed to check it again.
//!
//! A certificate contains the text of the rule file and all its imports, so that it is self-contained: the two
//! sides are elaborated from these texts, and each proof is checked against them. The format is JSON
//! (`rules/certificates.md`).

use crate::refusal::{refusal, refuse};
use base::diagnostics::Fault as Severity;
use checker::instances::{Proved, Relations};
use checker::refusal::Refusal;
use languages::{Chain, Pair, Source};
use rule_files::elaboration::RuleError;
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::Instance;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use values::{Division, System, SystemName};

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
    pub subject: CertificateSubject,
    /// The claimed relations in each number system: for defined inputs, and for all.
    pub relations: BTreeMap<String, [String; 2]>,
    /// The proofs of each instance.
    pub instances: Vec<Proved>,
}

/// The subject of a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum CertificateSubject {
    /// A rule.
    Rule(CertifiedRule),
    /// A chain of programs; the claim is about the first and the last.
    Programs(Chain),
    /// Two systems, the second of which is derived from the first.
    Derivation(SystemDerivation),
}

/// A rule, with all that its meaning depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedRule {
    /// The name of its file.
    pub file: String,
    /// The name of the rule.
    pub rule: String,
    /// The texts of all files, by name.
    pub files: BTreeMap<String, String>,
    /// The number system whose operations it is about.
    #[serde(default, skip_serializing_if = "System::is_default")]
    pub system: System,
}

/// A transformation of a system of ALPHA into another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemDerivation {
    /// The sources of both systems.
    pub programs: [Source; 2],
    /// The number system whose operations the programs and the rules use.
    #[serde(default, skip_serializing_if = "System::is_default")]
    pub system: System,
    /// The rules that are used, each with its proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Certificate>,
    /// The derivation for each variable that remains.
    pub definitions: Vec<VariableDerivation>,
}

/// The derivation of a variable's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableDerivation {
    /// The name of the variable.
    pub variable: String,
    /// Its definition in the first system, in functional notation.
    pub from: String,
    /// The steps.
    pub lines: Vec<DerivationLine>,
}

/// A line, with the reason why it follows from the previous one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DerivationLine {
    /// The name of a theorem or law, or of a rule with the number of its instance
    /// ([`crate::statements::rules::name`]).
    pub by: String,
    /// The sizes of a rule, as a map from indices of the context; `None` for other statements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<String>,
    /// Whether the statement is used from right to left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backward: bool,
    /// The path to the rewritten expression: the position of an operand at each level.
    pub at: Vec<usize>,
    /// The whole expression after the step, in functional notation.
    pub to: String,
}

/// The claimed relations of a certificate.
///
/// # Errors
/// A relation or a number system has an unknown name.
pub fn claimed(certificate: &Certificate) -> Result<Relations, Refusal> {
    let relation = |word: &String| {
        let known = [Relation::Equivalent, Relation::Refines, Relation::Unknown];
        let found = known.into_iter().find(|relation| relation.word() == word);
        found.map_or_else(|| refuse(format!("`{word}` is not what a proof shows")), Ok)
    };
    let both = |(system, [defined, all]): (&String, &[String; 2])| {
        let named = SystemName::named(system);
        let system = named.map_or_else(|| refuse(format!("`{system}` is not a number system")), Ok)?;
        Ok((system, ByInputs { defined: relation(defined)?, any: relation(all)? }))
    };
    certificate.relations.iter().map(both).collect()
}

/// The name of the rule that a certificate is about, and the rule's instances.
///
/// # Errors
/// The certificate is not about a rule, or the rule does not exist.
pub fn instances_of_rule(certificate: &Certificate) -> Result<(&str, Vec<Instance>), Refusal> {
    match &certificate.subject {
        CertificateSubject::Rule(rule) => Ok((&rule.rule, of_rule(rule)?)),
        CertificateSubject::Programs(_) | CertificateSubject::Derivation(_) => {
            refuse("not the certificate of a rule")
        }
    }
}

impl CertificateSubject {
    /// The programs of the subject, each after the one with which it is compared; empty for a rule.
    pub fn programs(&self) -> &[Source] {
        match self {
            CertificateSubject::Rule(_) => &[],
            CertificateSubject::Programs(chain) => &chain.programs,
            CertificateSubject::Derivation(derivation) => &derivation.programs,
        }
    }

    /// The kind of division in the programs.
    pub fn division(&self) -> Division {
        match self {
            CertificateSubject::Programs(chain) => chain.division,
            CertificateSubject::Rule(_) | CertificateSubject::Derivation(_) => Division::System,
        }
    }

    /// The number system whose operations it is about.
    pub fn system(&self) -> System {
        match self {
            CertificateSubject::Rule(rule) => rule.system.clone(),
            CertificateSubject::Programs(chain) => chain.system.clone(),
            CertificateSubject::Derivation(derivation) => derivation.system.clone(),
        }
    }

    /// Whether locals that both programs define under one name are compared, too.
    pub fn locals(&self) -> bool {
        matches!(self, CertificateSubject::Programs(Chain { locals: true, .. }))
    }

    /// The parameters with fixed values.
    pub fn parameters(&self) -> BTreeMap<String, i64> {
        match self {
            CertificateSubject::Programs(chain) => chain.parameters.clone(),
            CertificateSubject::Rule(_) | CertificateSubject::Derivation(_) => BTreeMap::new(),
        }
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

/// The instances of a rule.
///
/// # Errors
/// The rule does not exist, or has no meaning.
pub(crate) fn of_rule(rule: &CertifiedRule) -> Result<Vec<Instance>, Refusal> {
    let (library, rule) = read_rule(rule)?;
    if rule.same_text {
        return refuse("vacuous: both sides are the same text");
    }
    let refusal = |fault: RuleError| {
        let is_limit = fault.code.fault() == Severity::Limit;
        refusal(format!("{}: {}", fault.code, fault.message), is_limit)
    };
    instances(&library, &rule).map_err(refusal)
}

/// Parses a rule and its library.
///
/// # Errors
/// The file is missing or at fault, or has no such rule.
pub fn read_rule(rule: &CertifiedRule) -> Result<(Library, Rule), Refusal> {
    let CertifiedRule { file, rule, files, system } = rule;
    let read = |path: &Path| {
        let text = files.get(&path.display().to_string());
        text.cloned().ok_or_else(|| "not in the certificate".to_owned())
    };
    let Ok(source) = read(Path::new(file)) else {
        return refuse("the file of the rule is missing");
    };
    let (mut library, errors) = Library::load(Path::new(file), &source, &read);
    library.system = system.clone();
    if let Some(error) = errors.first() {
        return refuse(format!("{}: {}", error.code, error.message));
    }
    let Some(rule) = library.rules().iter().find(|other| other.name.text == *rule) else {
        return refuse("the file has no such rule");
    };
    let rule = rule.clone();
    Ok((library, rule))
}
