//! Every rule is in `RULES.md`, in the code, and in a test.

#[path = "../../../tests-support/labels.rs"]
mod tables;

use tc::claims::CLAIMS;

#[test]
fn rules_are_labelled() {
    tables::compare("tc", &["rink", "alpha"], CLAIMS, 35);
}
