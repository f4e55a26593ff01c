//! The checks of the libFuzzer targets for rules, certificates, derivations and findings, as functions that
//! `cargo test` runs too. Each panics on a finding.
#![allow(clippy::panic, reason = "a finding is a panic")]

use crate::finding::Finding;
use checker::nesting;
use guard::{Claimed, Effort};
use link::certificate::Certificate;
use link::claim::CertifiedClaim;
use link::replay::check;
use polyhedra::Engine;
use rewrites::verification::{Options, verify};
use rink::derivation::{checker as derivations, document};
use rule_files::library::Library;
use rule_files::syntax::Rule;
use std::path::Path;
use values::{Extended, Rationals, SystemName};

/// The files that a fuzzed rule may import.
const LIBRARY: [(&str, &str); 4] = [
    ("library/tensors.rules", include_str!("../../rules/library/tensors.rules")),
    ("library/functions.rules", include_str!("../../rules/library/functions.rules")),
    ("library/networks.rules", include_str!("../../rules/library/networks.rules")),
    ("library/convolutions.rules", include_str!("../../rules/library/convolutions.rules")),
];

/// The maximum number of rules of a text that are verified. libFuzzer needs many short runs; the first rules of
/// a text show what its last would.
const MAX_RULES: usize = 3;
/// The maximum number of evaluation steps in the search for one counterexample: a tenth of what `verify` takes
/// for one evaluation, because libFuzzer needs many short runs.
const STEPS: u64 = 10_000;
/// The maximum number of pairs of sides in the search for one proof: a two-hundredth of what `verify` takes,
/// because libFuzzer needs many short runs.
const BUDGET: u32 = 100;

/// The number systems of a rule, chosen by its length, because all of them take too long.
const SYSTEMS: &[&[SystemName]] = &[
    &[SystemName::Rational],
    &[SystemName::Integer],
    &[SystemName::I32],
    &[SystemName::F32],
    &[SystemName::I64, SystemName::Field],
    &[SystemName::F64],
];

/// Any text is read as rules, or refused with diagnostics inside the text. It may import the library.
pub fn rules_parsing(text: &str) -> Library {
    read(text, &|path: &Path| {
        let known = LIBRARY.iter().find(|(name, _)| Path::new(name) == path);
        known.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "no such file".to_owned())
    })
}

/// As [`rules_parsing`], but without imports, which take most of the time.
pub fn rules_parsing_alone(text: &str) -> Library {
    read(text, &|_| Err("nothing is imported".to_owned()))
}

fn read(text: &str, import: &dyn Fn(&Path) -> Result<String, String>) -> Library {
    let (library, errors) = Library::load(Path::new("fuzzed.rules"), text, import);
    for error in errors {
        assert!(text.get(error.primary.span.range()).is_some(), "a span outside the text");
    }
    library
}

/// Rules are verified or refused; proved rules are run, and nothing contradicts them.
pub fn rules_verifying(text: &str) {
    let library = rules_parsing(text);
    for rule in library.rules().iter().take(MAX_RULES) {
        rule_verifying(&library, rule);
    }
}

fn rule_verifying(library: &Library, rule: &Rule) {
    let systems = Some(SYSTEMS[rule.span.range().len() % SYSTEMS.len()]);
    let options =
        Options { budget: BUDGET, steps: STEPS, systems, solves_floats: false, ..Options::default() };
    let Ok(verdict) = verify(library, rule, &options) else { return };
    if verdict.vacuous.is_some() {
        return;
    }
    let claimed = verdict.answers.iter().map(|answer| Claimed {
        relations: answer.relations,
        ..Claimed::everywhere(answer.system, selfsame_core::relation::Relation::Unknown)
    });
    let claimed: Vec<Claimed> = claimed.collect();
    // A seventh of the instances of `verify`, and smaller ones, because libFuzzer needs many short runs.
    let effort = Effort { instances: 4, wanted: 3, steps: 3_000, elements: 60, seed: 0 };
    let run = guard::rules::run(library, rule, &claimed, &|_| Vec::new(), &effort);
    // Laws of functions are assumed, whatever they say.
    let is_about_functions = !rule.laws.is_empty();
    if let Some(found) = run.contradiction.filter(|_| !is_about_functions) {
        panic!("{}: {found}", rule.name.text);
    }
}

/// Any text is read as a certificate or refused; a certificate that is read is written such that it reads back.
pub fn certificate_reading(text: &str) {
    let written = nesting::read(text, |certificate: Certificate| serde_json::to_value(&certificate));
    let Ok(Ok(value)) = written else { return };
    let again =
        nesting::read(&value.to_string(), |certificate: Certificate| serde_json::to_value(&certificate));
    assert!(matches!(again, Ok(Ok(again)) if again == value), "what was written is not read again: {value}");
}

/// Any certificate is checked or refused. The engine should have a small budget; it is made on the checking
/// thread.
pub fn certificate_checking<E: Engine>(text: &str, engine: impl Fn() -> E + Sync) {
    let checked = nesting::read(text, |certificate: Certificate| {
        (CertifiedClaim::new(&certificate).is_ok(), check(&certificate, &engine()).is_ok())
    });
    if let Ok((is_claimed, holds)) = checked {
        assert!(is_claimed || !holds, "accepted, and nothing is claimed");
    }
}

/// Any text is read as a derivation of the tensor model language or of Tensor Comprehensions and checked, or refused.
pub fn derivation_reading(text: &str, engine: &dyn Engine) {
    if let Ok(derivation) = document::from_json(text) {
        // A refusal is a valid answer.
        let _ = derivations::check(&derivation);
    }
    if let Ok(derivation) = tc::derivation::document::from_json(text) {
        let _ = tc::derivation::checker::check(&derivation, &Extended(Rationals), &|_, _| None, engine);
        assert!(!tc::derivation::text::lines(&derivation).is_empty(), "a derivation is shown");
    }
}

/// Any text is read as a finding or refused; a finding that is read is written such that it reads back.
pub fn finding_reading(text: &str) {
    let Ok(finding) = Finding::parse(text) else { return };
    let written = finding.to_string();
    let again = Finding::parse(&written).map(|again| again.to_string());
    assert_eq!(again.as_ref(), Ok(&written), "what was written is not read again");
}
