//! Rules that were once wrongly said to hold: one file for each fault that was found.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::rules::shipped;
use rewrites::verification::judging::{Conformance, judge};
use rewrites::verification::{Options, verify};
use selfsame_core::relation::Relation;
use std::path::Path;
use values::SystemName;

#[test]
fn none_is_said_to_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reproducers");
    let mut rules = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let library =
            shipped(&format!("../rewrites/tests/reproducers/{}", path.file_name().unwrap().display()));
        for rule in library.rules() {
            let is_in_field = rule.name.text.ends_with("-in-field");
            let system = if is_in_field { SystemName::Field } else { SystemName::Rational };
            let options = Options { systems: Some(system.alone()), ..Options::default() };
            let verdict = verify(&library, rule, &options).unwrap();
            let answer = verdict.in_system(system).unwrap();
            // A left side that has no value in the field refines.
            let weakest = if is_in_field { Relation::Equivalent } else { Relation::Refines };
            assert!(answer.relations.defined > weakest, "{}: {answer:?}", rule.name.text);
            rules += 1;
        }
    }
    assert!(rules >= 8, "{rules} rules");
}

/// Rules of stated types that once had wrong verdicts, crashed, or took a minute.
#[test]
fn stated_types_are_what_they_say() {
    let library = shipped("../rewrites/tests/typed/types.rules");
    for rule in library.rules() {
        let verdict = verify(&library, rule, &Options::default()).unwrap();
        let conformance = judge(rule, &verdict, None);
        assert!(matches!(conformance, Conformance::Expected), "{}: {conformance:?}", rule.name.text);
    }
    assert!(library.rules().len() >= 11);
}
