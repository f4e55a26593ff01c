//! Certificates: what was proved of a rule or of two programs, with everything that it takes to check it again.
//!
//! A certificate contains the text of the rule file and of all files that it imports, so that it speaks for itself: the two
//! sides are elaborated from these texts, and each proof is checked against them. The format is JSON
//! (`rules/certificates.md`).

use crate::coverage;
use crate::derivation::{self, Derivation};
use crate::hypotheses::Met;
use crate::interface::one_interface;
use crate::laws::Laws;
use crate::nesting::MAX_HEIGHT;
use crate::proof::Proof;
use crate::rules::{Checker, Hypotheses, Refusal, Side, refuse};
use crate::solver::Obligations;
use crate::stated::Stated;
use crate::systems::{Visitor, in_each, shown};
use crate::wellformed::well_formed;
use base::diagnostics::Fault as Severity;
use languages::{Chain, Pair, Question, Source};
use polyhedra::Engine;
use rule_files::elaboration::Fault;
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::relation::Relation;
use selfsame_core::unrolling::unrolled;
use selfsame_core::{About, Condition, Instance};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use values::{Division, NumberSystem};

/// The format's name.
pub const FORMAT: &str = "selfsame-certificate";
/// The format's version.
pub const VERSION: u32 = 11;
/// The oldest version that is read. Proofs of version 9 that use what is given do not say where, and are refused.
pub const OLDEST: u32 = 9;

/// What was proved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`]
    pub format: String,
    /// [`VERSION`]
    pub version: u32,
    /// What is claimed.
    pub subject: Subject,
    /// For each number system how the right side relates to the left: for defined inputs, and for all.
    pub relations: BTreeMap<String, [String; 2]>,
    /// What was proved of each instance.
    pub instances: Vec<Proved>,
}

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Subject {
    /// A rule.
    Rule {
        /// Its file, by its name among the files.
        file: String,
        /// Its name.
        rule: String,
        /// The texts of all files.
        files: BTreeMap<String, String>,
    },
    /// Two programs, the first and the last of a chain.
    Programs(Chain),
    /// Two systems, the second of which is derived from the first one.
    Derivation(Derivation),
}

/// What was proved of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proved {
    /// The choices.
    pub choices: Vec<(String, String)>,
    /// Proofs; each number system needs one of them, or one of the others.
    pub proofs: Vec<Proof>,
    /// Proofs about the instance with its small reductions unrolled ([`selfsame_core::unrolling`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrolled: Vec<Proof>,
}

/// Checks a certificate: that its programs are well-formed, by the engine, that its proofs show what it says, and that there is something of
/// which it says this. The laws of arithmetic that the proofs use.
///
/// # Errors
/// It does not prove what it says.
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
        if (0..2).any(|k| shown[k] > claimed[k]) {
            return refuse(format!("what is claimed in `{system}` is not shown"));
        }
    }
    let claims = |relations: &[Relation; 2]| *relations != [Relation::Unknown; 2];
    match unmet {
        _ if !claimed.values().any(claims) => refuse("nothing is claimed"),
        Some(unmet) => Err(unmet),
        None => Ok(obligations.used.take()),
    }
}

/// What a certificate claims.
///
/// # Errors
/// It is no relation.
pub fn claimed(certificate: &Certificate) -> Result<Relations, Refusal> {
    let relation = |word: &String| {
        let known = [Relation::Equivalent, Relation::Refines, Relation::Unknown];
        let found = known.into_iter().find(|relation| relation.word() == word);
        found.map_or_else(|| refuse(format!("`{word}` is not what a proof shows")), Ok)
    };
    let both = |(system, [defined, all]): (&String, &[String; 2])| {
        Ok((system.clone(), [relation(defined)?, relation(all)?]))
    };
    certificate.relations.iter().map(both).collect()
}

/// The name of the rule that a certificate is about, and its instances.
///
/// # Errors
/// It is about something else, or there is no such rule.
pub fn instances_of_rule(certificate: &Certificate) -> Result<(&str, Vec<Instance>), Refusal> {
    match &certificate.subject {
        Subject::Rule { file, rule, files } => Ok((rule, of_rule(file, rule, files)?)),
        Subject::Programs(_) | Subject::Derivation(_) => refuse("not the certificate of a rule"),
    }
}

/// The certificate of a derivation, with what it shows.
///
/// # Errors
/// It shows nothing, or a program is ill-formed.
pub fn of_derivation(derivation: Derivation, engine: &dyn Engine) -> Result<Certificate, Refusal> {
    let subject = Subject::Derivation(derivation.clone());
    well_formed(&subject, engine)?;
    one_interface(&subject, engine)?;
    let shown = derivation::check(&derivation, &Obligations::default())?;
    let words =
        |(system, relations): (String, [Relation; 2])| (system, relations.map(|r| r.word().to_owned()));
    let relations = shown.into_iter().filter(|(_, relations)| relations[0] != Relation::Unknown);
    Ok(Certificate {
        format: FORMAT.to_owned(),
        version: VERSION,
        subject,
        relations: relations.map(words).collect(),
        instances: Vec::new(),
    })
}

/// What the proofs of a certificate show, and which hypotheses are not known to be met.
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
            // A proof under hypotheses that contradict each other says nothing, whether it is one or not.
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

/// In each number system how the right side relates to the left one: for defined inputs, and for all.
pub type Relations = BTreeMap<String, [Relation; 2]>;

/// What holds if this and something else is shown.
pub fn weaken(weakest: &mut Option<Relations>, other: Relations) {
    let Some(weakest) = weakest else {
        *weakest = Some(other);
        return;
    };
    weakest.retain(|system, _| other.contains_key(system));
    for (system, relations) in weakest {
        let other = other[system];
        *relations = [0, 1].map(|k| relations[k].max(other[k]));
    }
}

/// Claims that show something together.
struct Link {
    instances: Vec<Instance>,
    is_inductive: bool,
}

/// Whether the claims are about nothing: some instance of a rule, or all outputs of two programs.
fn says_nothing(instances: &[Instance], is_rule: bool, obligations: &Obligations) -> bool {
    let is_output = |instance: &&Instance| matches!(instance.claim.about, About::Output(..));
    let mut outputs = instances.iter().filter(is_output);
    let is_empty = |instance: &Instance| is_empty(instance, obligations);
    if is_rule { outputs.any(is_empty) } else { outputs.all(is_empty) }
}

/// Whether a claim is about no point, whatever the sizes.
pub fn is_empty(instance: &Instance, obligations: &Obligations) -> bool {
    let points = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    Checker::new(&instance.program, obligations, &points).require(&Condition::never()).is_ok()
}

/// The instance by its choices, or by its number and what it is about.
fn place(instance: &Instance, at: usize) -> String {
    let choices = instance.choices.iter().map(|(name, value)| format!("{name} = {value}"));
    match choices.collect::<Vec<_>>() {
        none if none.is_empty() => format!("instance {at}, `{}`", instance.claim.name),
        choices => choices.join(", "),
    }
}

impl Subject {
    /// The programs that it is about, each after the one that it is compared with; none if it is a rule.
    pub fn programs(&self) -> &[Source] {
        match self {
            Subject::Rule { .. } => &[],
            Subject::Programs(chain) => &chain.programs,
            Subject::Derivation(derivation) => &derivation.programs,
        }
    }

    /// Which division `/` is in the programs.
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

    /// The parameters that have a value.
    pub fn parameters(&self) -> BTreeMap<String, i64> {
        match self {
            Subject::Programs(chain) => chain.parameters.clone(),
            Subject::Rule { .. } | Subject::Derivation(_) => BTreeMap::new(),
        }
    }

    /// The claims, from the texts; of programs they leave nothing out.
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

/// The programs of a chain, read, each beside the one before it.
///
/// # Errors
/// It is no chain, or a program is ill-formed.
pub fn pairs(chain: &Chain) -> Result<Vec<Pair>, Refusal> {
    let pairs = chain.pairs().or_else(|refused| refuse(refused.reason))?;
    if pairs.is_empty() { refuse("not a chain of programs") } else { Ok(pairs) }
}

/// Where locals are compared, those that the first and the last program have are in every program between them: what a step does not
/// compare, it does not show.
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
    let refusal = |fault: Fault| Refusal {
        reason: format!("{}: {}", fault.code, fault.message),
        undecided: fault.code.fault() == Severity::Limit,
        places: Vec::new(),
        ill_formed: None,
    };
    instances(&library, &rule).map_err(refusal)
}

/// A rule and what it may use, from their texts.
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

/// What the claims of an induction show together: only that both sides are the same, if all are.
pub fn by_induction([_, of_all_inputs]: [Relation; 2]) -> [Relation; 2] {
    match of_all_inputs {
        Relation::Equivalent => [Relation::Equivalent; 2],
        _ => [Relation::Unknown; 2],
    }
}

/// In each number system the best relation that one of the proofs shows.
fn relations(instance: &Instance, proved: &Proved, obligations: &Obligations) -> Result<Relations, Refusal> {
    if instance.choices != proved.choices {
        return refuse("an instance with other choices");
    }
    let height = instance.program.height();
    if height > MAX_HEIGHT {
        let reason =
            format!("operators are nested {height} deep: too deep for the solver, the limit is {MAX_HEIGHT}");
        return Err(Refusal::new(reason, true));
    }
    for requirement in instance.requirements.iter().flatten() {
        let context = Condition::all([instance.assumptions.clone(), requirement.context.clone()]);
        let checker = Checker::new(&instance.program, obligations, &context);
        requirement.condition.conjuncts().iter().try_for_each(|part| checker.require(part))?;
    }
    let of = |instance: &Instance, proofs: &[Proof]| -> Result<Vec<Laws>, Refusal> {
        proofs.iter().map(|proof| laws(instance, proof, obligations)).collect()
    };
    let mut all = of(instance, &proved.proofs)?;
    if !proved.unrolled.is_empty() {
        let Some(unrolled) = unrolled(instance) else { return refuse("nothing can be unrolled") };
        all.extend(of(&unrolled, &proved.unrolled)?);
    }
    Ok(best(instance, &all, &Stated::of(instance, obligations)))
}

/// In each number system in which the instance has the stated meaning the best relation that proofs with these laws show.
pub fn best(instance: &Instance, laws: &[Laws], stated: &Stated) -> Relations {
    in_each(&mut Best { instance, laws, stated }).into_iter().flatten().collect()
}

/// The laws of a proof about an instance.
///
/// # Errors
/// It is no proof.
pub fn laws(instance: &Instance, proof: &Proof, obligations: &Obligations) -> Result<Laws, Refusal> {
    let [e, f] = instance.claim.sides;
    let assumption = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
    let mut checker = Checker::new(&instance.program, obligations, &assumption);
    checker.hypotheses = Hypotheses { given: &instance.given, laws: &instance.laws };
    let none = Vec::new();
    checker.check(Side { node: e, at: &none }, Side { node: f, at: &none }, proof)?;
    obligations.used.borrow_mut().extend(checker.laws.clone());
    Ok(checker.laws)
}

struct Best<'a> {
    instance: &'a Instance,
    laws: &'a [Laws],
    stated: &'a Stated,
}

impl Visitor for Best<'_> {
    type Output = Option<(String, [Relation; 2])>;

    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Self::Output {
        if !self.stated.applies(self.instance, &system) {
            return None;
        }
        let best =
            self.laws.iter().map(|laws| shown(laws, &system)).reduce(|a, b| [0, 1].map(|k| a[k].min(b[k])));
        Some((system.name().to_owned(), best.unwrap_or([Relation::Unknown; 2])))
    }
}
