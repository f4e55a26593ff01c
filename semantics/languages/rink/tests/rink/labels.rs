//! Every rule of the paper is in `RULES.md`, in the code, and in a test.

#[path = "../../../tests-support/labels.rs"]
mod tables;

use rink::claims::CLAIMS;

#[test]
fn rules_are_labelled() {
    tables::compare("rink", &["alpha", "tc"], CLAIMS, 86);
}
