//! The claim of a certificate and its assumptions, for readers of its verdict.

use crate::certificate::{Certificate, CertificateSubject, instances_of_rule, pairs, read_rule};
use crate::refusal::refuse;
use crate::shipped::{ClaimAssumption, assumed};
use checker::refusal::Refusal;
use languages::{Chain, indices_defined};
use rule_files::syntax::Expr;
use selfsame_core::Instance;
use std::collections::{BTreeMap, BTreeSet};
use values::Division;

/// A claim, without the relations in each number system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CertifiedClaim {
    /// The sizes, choices and inputs that it covers.
    pub range: String,
    /// The choices of the instance whose conditions are shown. Of several instances that is the second one,
    /// because the first often has rank 0.
    pub choices: Vec<(String, String)>,
    /// The conditions on sizes.
    pub conditions: Vec<String>,
    /// The given conditions on values.
    pub given: Vec<String>,
    /// The instances of laws of functions that the proofs may use.
    pub laws: Vec<String>,
    /// The parameters with fixed values.
    pub parameters: BTreeMap<String, i64>,
    /// The kind of division of programs, which may differ from that of their languages.
    pub division: Option<Division>,
    /// Definitions and laws that differ from the shipped ones.
    pub assumed: Vec<ClaimAssumption>,
}

impl CertifiedClaim {
    /// The claim of a certificate.
    ///
    /// # Errors
    /// The subject cannot be read.
    pub fn new(certificate: &Certificate) -> Result<CertifiedClaim, Refusal> {
        match &certificate.subject {
            CertificateSubject::Rule(_) => CertifiedClaim::of_rule(certificate),
            CertificateSubject::Programs(chain) => CertifiedClaim::of_programs(chain),
            CertificateSubject::Derivation(derivation) => {
                let (programs, system) = (derivation.programs.clone(), derivation.system.clone());
                let claim = CertifiedClaim::of_programs(&Chain { system, ..Chain::new(programs) })?;
                // Rules with `given` conditions or laws of functions cannot be steps.
                let of_rules = derivation.rules.iter().map(CertifiedClaim::of_rule);
                let of_rules = of_rules.collect::<Result<Vec<_>, _>>()?;
                let assumed: BTreeSet<ClaimAssumption> =
                    of_rules.into_iter().flat_map(|of| of.assumed).collect();
                Ok(CertifiedClaim { assumed: assumed.into_iter().collect(), ..claim })
            }
        }
    }

    fn of_programs(chain: &Chain) -> Result<CertifiedClaim, Refusal> {
        let pairs = pairs(chain)?;
        let (program, _, allowed) = pairs[0].sizes().or_else(|refused| refuse(refused.reason))?;
        let conditions = allowed.conjuncts().iter().map(|part| program.condition_text(part)).collect();
        let sizes = match chain.parameters.is_empty() {
            true => "all sizes that the first program allows",
            false => "all sizes that the first program allows with these parameters",
        };
        let locals = match chain.locals {
            true => "; the outputs, and locals that the first and the last program have",
            false => "",
        };
        let defined = indices_defined(&chain.index_inputs());
        let range = format!("{sizes}; all inputs of the first program{defined}{locals}");
        let (parameters, division) = (chain.parameters.clone(), Some(chain.division));
        Ok(CertifiedClaim { range, conditions, parameters, division, ..CertifiedClaim::default() })
    }

    fn of_rule(certificate: &Certificate) -> Result<CertifiedClaim, Refusal> {
        let CertificateSubject::Rule(certified) = &certificate.subject else {
            return refuse("not a rule");
        };
        let (_, instances) = instances_of_rule(certificate)?;
        let (library, rule) = read_rule(certified)?;
        let text = certified.files.get(&certified.file).map_or("", String::as_str);
        let (given, laws) = (said(text, &rule.given), said(text, &rule.laws));
        let assumed = assumed(&library, &rule);
        Ok(CertifiedClaim { given, laws, assumed, ..CertifiedClaim::of_instances(&instances) })
    }

    fn of_instances(instances: &[Instance]) -> CertifiedClaim {
        let Some(instance) = instances.iter().take(2).next_back() else { return CertifiedClaim::default() };
        let program = &instance.program;
        let conditions = instance.assumptions.conjuncts().iter();
        CertifiedClaim {
            range: range(instances),
            choices: instance.choices.clone(),
            conditions: conditions.map(|part| program.condition_text(part)).collect(),
            ..CertifiedClaim::default()
        }
    }
}

/// The source texts of expressions, one line each.
fn said(text: &str, expressions: &[Expr]) -> Vec<String> {
    let written = |e: &Expr| text.get(e.span.range()).unwrap_or_default();
    expressions.iter().map(|e| written(e).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The maximum number of values of a choice to list: they fit on a line, and the text says how many more there
/// are.
const MAX_VALUES: usize = 10;

/// The choices of all instances, to which the claim is limited.
fn range(instances: &[Instance]) -> String {
    let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, value) in instances.iter().flat_map(|instance| &instance.choices) {
        match values.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if known.contains(&value.as_str()) => {}
            Some((_, known)) => known.push(value),
            None => values.push((name, vec![value])),
        }
    }
    let mut range = "all sizes that the rule allows".to_owned();
    for (name, values) in values {
        let said = values[..values.len().min(MAX_VALUES)].join(", ");
        let more = values.len().saturating_sub(MAX_VALUES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        range.push_str(&format!("; {name} in {said}{more} only"));
    }
    range
}
