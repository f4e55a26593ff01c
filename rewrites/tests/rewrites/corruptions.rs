//! Certificates of the shipped rules are accepted, and refused once something in them is changed.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::certificates;
use checker::solver::in_own_context;
use languages::{Language, Pair, Source};
use link::certificate::{Certificate, CertificateSubject, CertifiedRule};
use link::replay::check;
use polyhedra_isl::Isl;
use rewrites::verification::Options;
use rewrites::verification::instances::verify_instances;
use serde_json::Value;
use std::path::Path;

/// A sum of products, and the same sum in two parts.
const DOT: &str =
    "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
    let c = reduce(+, (k->), a.(k->k) * b.(k->k)); tel;";
const SPLIT: &str = "system dot (N, M : { N,M | 1<=M<N } parameter; a, b : { k | 1<=k<=N } of real) returns (c : real);
    let c = reduce(+, (k->), {k | 1<=k<=M} : b.(k->k) * a.(k->k)) + reduce(+, (k->), {k | M<k<=N} : b.(k->k) * a.(k->k)); tel;";

/// The number of changed certificates.
fn corruptions() -> usize {
    campaigns::size("corruptions") as usize
}

/// The certificate of two programs.
fn of_programs(texts: [&str; 2]) -> Certificate {
    let source =
        |text: &str| Source { name: "p".to_owned(), language: Language::Alpha, text: text.to_owned() };
    let pair = Pair::read(texts.map(source)).unwrap();
    let verdict = verify_instances(&pair.question().unwrap().claims.instances, &Options::default()).unwrap();
    verdict.certificate(CertificateSubject::Programs(pair.into())).unwrap()
}

/// The name of the rule, or the second program.
fn name(certificate: &Certificate) -> &str {
    match &certificate.subject {
        CertificateSubject::Rule(of) => &of.rule,
        CertificateSubject::Programs(_) | CertificateSubject::Derivation(_) => {
            &certificate.subject.programs()[1].text
        }
    }
}

fn accepted(certificate: &Certificate) -> bool {
    in_own_context(|| check(certificate, &Isl::with_memory())).is_ok()
}

#[test]
fn no_changed_certificate_is_accepted() {
    let mut all = certificates(
        "taso.rules",
        &["taso-5", "taso-11", "taso-19", "taso-22", "taso-30", "taso-40", "taso-41"],
    );
    all.extend(certificates(
        "xla-tensors.rules",
        &["iota-zero", "pad-negative", "reduce-concat", "max-infinity"],
    ));
    all.extend(certificates(
        "sums.rules",
        &["sum-like", "sum-square", "count-ones", "count-triangle", "mean-of-means"],
    ));
    all.extend(certificates("extrema.rules", &["max-concat", "not-any"]));
    all.push(of_programs([DOT, SPLIT]));
    assert_eq!(all.len(), 19);
    assert!(all.iter().all(accepted));
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut changed, mut malformed) = (0, 0);
    while changed < corruptions() {
        let original = &all[rng.usize(..all.len())];
        let mut json = serde_json::to_value(original).unwrap();
        let Some(what) = corrupt(&mut json, original, &all, &mut rng) else { continue };
        changed += 1;
        match serde_json::from_value::<Certificate>(json) {
            Err(_) => malformed += 1,
            Ok(corrupted) if corrupted == *original => changed -= 1,
            Ok(corrupted) => assert!(!accepted(&corrupted), "{}: {what}", name(original)),
        }
    }
    assert!(malformed * 3 < changed, "{malformed} of {changed} were not even read");
}

/// Makes one change and describes it.
fn corrupt(
    json: &mut Value,
    original: &Certificate,
    all: &[Certificate],
    rng: &mut fastrand::Rng,
) -> Option<String> {
    match rng.u8(0..10) {
        0 => {
            let other = &all[rng.usize(..all.len())];
            json["subject"] = serde_json::to_value(&other.subject).unwrap();
            Some(format!("said to be of {}", name(other)))
        }
        1 => {
            match &original.subject {
                CertificateSubject::Rule(CertifiedRule { file, rule, files, .. }) => {
                    let text = &files[file];
                    let rule = text.find(&format!("rule {rule} "))?;
                    let right = rule + text[rule..].find("  right ")? + 8;
                    let broken = format!("{}1 + {}", &text[..right], &text[right..]);
                    json["subject"]["rule"]["files"][file] = broken.into();
                }
                CertificateSubject::Programs(pair) => {
                    let broken = pair.programs[1].text.replace("k<=M", "k<M");
                    json["subject"]["programs"]["programs"][1]["text"] = broken.into();
                }
                CertificateSubject::Derivation(_) => return None,
            }
            Some("another right side".to_owned())
        }
        2 => {
            let systems = json["relations"].as_object_mut()?;
            let weaker = systems.iter_mut().find(|(_, relations)| relations[1] != "equivalent")?;
            weaker.1[1] = "equivalent".into();
            Some("more than is shown".to_owned())
        }
        _ => {
            let mut places = Vec::new();
            collect(&json["instances"], "/instances".to_owned(), &mut places);
            // A bound index that nothing mentions may have any name.
            places.retain(|place| !place.contains("/binders"));
            let place = places[rng.usize(..places.len())].clone();
            let value = json.pointer_mut(&place)?;
            change(value, rng).map(|how| format!("{place}: {how}"))
        }
    }
}

/// JSON pointers to a value and to everything below it.
fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(k, part)| collect(part, format!("{at}/{k}"), places));
        }
        Value::Object(parts) => parts.iter().for_each(|(k, part)| collect(part, format!("{at}/{k}"), places)),
        _ => {}
    }
    places.push(at);
}

fn change(value: &mut Value, rng: &mut fastrand::Rng) -> Option<String> {
    let before = value.to_string();
    match value {
        Value::String(text) => *text = changed_text(text, rng)?,
        Value::Number(number) => *value = (number.as_u64()? + 1).into(),
        // The order of pieces does not matter, but that of index terms does.
        Value::Array(parts) if parts.len() > 1 && parts[0].is_string() && rng.bool() => {
            let last = parts.len() - 1;
            parts.swap(0, last);
        }
        Value::Array(parts) => {
            let at = rng.usize(..parts.len().max(1));
            (at < parts.len()).then(|| parts.remove(at))?;
        }
        _ => return None,
    }
    Some(format!("{before} became {value}"))
}

/// Another strength, another arithmetic, an incremented digit, or another comparison.
fn changed_text(text: &str, rng: &mut fastrand::Rng) -> Option<String> {
    let words = [
        ("undefined", "defined"),
        ("defined", "undefined"),
        ("plus-times", "max-plus"),
        ("f32", "f64"),
        ("leaf", "absurd"),
        (">= 0", "= 0"),
        (" = 0", " >= 0"),
    ];
    let word = words.iter().find(|(word, _)| text.contains(word));
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(at, _)| at).collect();
    match (word, digits.is_empty()) {
        (Some((word, other)), _) if rng.bool() || digits.is_empty() => Some(text.replacen(word, other, 1)),
        (_, true) => None,
        (_, false) => {
            let at = digits[rng.usize(..digits.len())];
            let digit = (text.as_bytes()[at] - b'0' + 1) % 10;
            Some(format!("{}{digit}{}", &text[..at], &text[at + 1..]))
        }
    }
}

/// A rule, a wrong rule in its place, and the replacements that make the derivations in its proof those of the
/// wrong rule.
const FORGERIES: [(&str, [&str; 2], [&str; 2]); 6] = [
    ("sum-like", ["right 3 * sum", "right 4 * sum"], [r#""number":"3""#, r#""number":"4""#]),
    (
        "count-triangle",
        ["index(i + 1)*x[i])", "index(i + 2)*x[i])"],
        [r#""index":"v6 + 1""#, r#""index":"v6 + 2""#],
    ),
    ("mean-count", ["/ index(n)", "/ index(n + 1)"], [r#""over":"v0""#, r#""over":"v0 + 1""#]),
    // A division by 0 must be excluded.
    ("mean-count", ["where 1 <= n", ""], [r#""divided":true"#, r#""divided":true"#]),
    // The maximum of nothing is undefined.
    ("max-concat", ["where 1 <= n, 1 <= m", ""], [r#""inhabited""#, r#""inhabited""#]),
    ("over-index", ["x[i]/index(i + 1)*index(i + 1)", "x[i]/index(i)*index(i)"], ["v3 + 1", "v3"]),
];

#[test]
fn coefficients_that_do_not_add_up_are_refused() {
    for (rule, [right, wrong], [from, to]) in FORGERIES {
        let file = if rule == "max-concat" { "extrema.rules" } else { "sums.rules" };
        let mut certificates = certificates(file, &[rule]);
        assert!(accepted(&certificates[0]));
        let CertificateSubject::Rule(CertifiedRule { file, files, .. }) = &mut certificates[0].subject else {
            unreachable!()
        };
        let text = files.get_mut(file).unwrap();
        let at = text.find(&format!("rule {rule} ")).unwrap();
        *text = format!("{}{}", &text[..at], text[at..].replacen(right, wrong, 1));
        let json = serde_json::to_string(&certificates[0]).unwrap();
        assert!(json.contains(from), "{rule}: {json}");
        let forged: Certificate = serde_json::from_str(&json.replace(from, to)).unwrap();
        let refusal = in_own_context(|| check(&forged, &Isl::with_memory())).unwrap_err();
        assert!(!refusal.flaw.to_string().contains("derived"), "{rule}: {}", refusal.flaw);
    }
}

/// Certificates of wrong rules that were once accepted, and two that crashed the checker; each with the reason of
/// its refusal.
const FORGED: [(&str, &str); 10] = [
    ("part-of-another-scope", "a variable that is not in scope"),
    ("inclusion-of-another-scope", "a variable that is not in scope"),
    ("floor-by-zero", "1 <= n"),
    ("not-of-integers", "1 terms, 2 in the proof"),
    ("witness-above", "1 <= n"),
    ("lemma-of-another-scope", "a variable that is not in scope"),
    ("lemmas-in-a-circle", "lemmas about both systems"),
    ("local-that-is-not-there", "i1 <= 0 and"),
    ("local-without-a-definition", "has no definition"),
    ("sizes-that-are-not-there", "vacuous"),
];

#[test]
fn forged_certificates_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forged");
    for (name, reason) in FORGED {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let forged: Certificate = serde_json::from_str(&text).unwrap();
        let refusal = in_own_context(|| check(&forged, &Isl::with_memory())).unwrap_err();
        assert!(refusal.flaw.to_string().contains(reason), "{name}: {}", refusal.flaw);
    }
}
