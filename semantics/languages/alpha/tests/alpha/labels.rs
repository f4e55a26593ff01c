//! Every rule of the paper is in `RULES.md`, in the code, and in a test.

#[path = "../../../tests-support/labels.rs"]
mod tables;

use alpha::claims::CLAIMS;
use alpha::theorems::THEOREMS;
use base::claims::Claim;

#[test]
fn rules_are_labelled() {
    let displayed = THEOREMS.iter().map(|theorem| theorem.claim);
    let claims: Vec<Claim> = displayed.chain(CLAIMS.iter().copied()).collect();
    tables::compare("alpha", &["rink", "tc"], &claims, 133);
}
