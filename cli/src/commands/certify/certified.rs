//! The output for an accepted certificate: its assumptions, its claim, and the conditions of the claim.

use super::{CheckedCertificate, name};
use base::escaping::in_line;
use link::shipped::ClaimAssumption;
use serde_json::{Value, json};
use values::machine::reading::{read, shipped};
use values::{Division, System};

/// The assumptions and the claim as text, in this order.
pub fn text(checked: &CheckedCertificate) -> String {
    let claim = &checked.claim;
    let mut text: String = claim
        .assumed
        .iter()
        .map(|assumed| format!("{}\n", in_line(&format!("assumed: {}", said(assumed)))))
        .collect();
    let word = if claim.assumed.is_empty() { "holds" } else { "holds if that is so" };
    text.push_str(&format!("{} {word}:\n", name(&checked.certificate.subject)));
    for (system, [defined, undefined]) in &checked.certificate.relations {
        let line = format!("  {system:10} {defined}; where inputs may be undefined: {undefined}");
        text.push_str(&format!("{}\n", in_line(&line)));
    }
    for (what, parts) in under(checked) {
        text.push_str(&format!("{}\n", in_line(&format!("  {what}: {parts}"))));
    }
    let note = checked.standing.note();
    note.iter().for_each(|note| text.push_str(&format!("{}\n", in_line(&format!("  {note}")))));
    text
}

/// The assumptions and the claim on one line, for a list of several certificates.
pub fn line(checked: &CheckedCertificate) -> String {
    let assumed: Vec<String> = checked.claim.assumed.iter().map(said).collect();
    let assuming =
        if assumed.is_empty() { String::new() } else { format!(", assuming {}", assumed.join(", ")) };
    let relation = |(system, [defined, undefined]): (&String, &[String; 2])| match defined == undefined {
        true => format!("{system} {defined}"),
        false => format!("{system} {defined} (where inputs may be undefined: {undefined})"),
    };
    let relations: Vec<String> = checked.certificate.relations.iter().map(relation).collect();
    let under: String = under(checked).iter().map(|(what, parts)| format!("; {what}: {parts}")).collect();
    let note = checked.standing.note().map_or_else(String::new, |note| format!("; {note}"));
    format!("{assuming}: {}{under}{note}", relations.join(", "))
}

/// The conditions of the claim: each kind that is not empty, with its entries joined.
fn under(checked: &CheckedCertificate) -> Vec<(String, String)> {
    let claim = &checked.claim;
    let parameters = claim.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let choices = claim.choices.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>();
    let conditions = match choices.is_empty() {
        true => "conditions".to_owned(),
        false => format!("conditions for {}", choices.join(", ")),
    };
    let division = claim.division.map(in_words);
    let kinds = [
        ("range", vec![claim.range.clone()]),
        ("number system", system_in_words(&checked.certificate.subject.system()).into_iter().collect()),
        ("division", division.into_iter().map(str::to_owned).collect()),
        ("parameters", parameters.collect()),
        (&conditions, claim.conditions.clone()),
        ("given", claim.given.clone()),
        ("laws of functions", claim.laws.clone()),
        ("laws of arithmetic", checked.laws.clone()),
    ];
    let there = kinds.into_iter().filter(|(_, parts)| !parts.is_empty());
    there.map(|(what, parts)| (what.to_owned(), parts.join(", "))).collect()
}

/// The name of a number system that is not the default, and whether it is what is shipped under this name.
fn system_in_words(system: &System) -> Option<String> {
    let shipped = shipped(&system.name).map(|text| read(text).is_ok_and(|shipped| shipped == *system));
    let note = match shipped {
        Some(true) => "",
        Some(false) => " (not what is shipped under this name)",
        None => " (not shipped)",
    };
    (!system.is_default()).then(|| format!("`{}`{note}", system.name))
}

fn in_words(division: Division) -> &'static str {
    match division {
        Division::Controlled => "controlled (0 / 0 = 0)",
        Division::Extended => "extended (x / 0 is undefined)",
        Division::System => "that of the number system (x / 0 is IEEE's for floats, else undefined)",
    }
}

fn said(assumed: &ClaimAssumption) -> String {
    let what = match assumed.kind {
        "define" => "definition",
        kind => kind,
    };
    let differs = if assumed.differs { "not what is shipped under this name" } else { "not shipped" };
    format!("the {what} `{}` ({differs})", assumed.name)
}

/// Adds the claim and its conditions to a JSON object.
pub fn add_json(checked: &CheckedCertificate, json: &mut Value) {
    let claim = &checked.claim;
    let assumed = claim.assumed.iter().map(|assumed| {
        json!({ "kind": assumed.kind, "name": assumed.name, "differs_from_shipped": assumed.differs })
    });
    json["range"] = claim.range.as_str().into();
    json["system"] = json!(checked.certificate.subject.system().name);
    json["division"] = json!(claim.division);
    json["parameters"] = json!(claim.parameters);
    json["conditions"] = json!(claim.conditions);
    json["conditions_for"] = claim.choices.iter().cloned().collect();
    json["given"] = json!(claim.given);
    json["laws"] = json!([&claim.laws[..], &checked.laws[..]].concat());
    json["assumed"] = assumed.collect();
}
