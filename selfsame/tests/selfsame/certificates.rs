//! Certificates, written and checked.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::programs::system;
use selfsame::{Comparison, certified};

#[test]
fn a_certificate_is_accepted_and_one_about_another_program_is_not() {
    let verdict = Comparison::new([system("x[i] + x[i]"), system("2.0[] * x[i]")]).compare().unwrap();
    let certificate = verdict.certificate().unwrap().unwrap();
    assert!(certified(&certificate).is_ok());
    let other = certificate.replace("let y[i] = 2.0[] * x[i]", "let y[i] = 3.0[] * x[i]");
    assert_ne!(other, certificate);
    assert!(certified(&other).is_err());
    assert!(certified("{}").unwrap_err().to_string().starts_with("the certificate is "));
}

#[test]
fn what_is_not_proved_has_no_certificate() {
    let verdict = Comparison::new([system("x[i]"), system("x[i] + 1.0[]")]).compare().unwrap();
    assert_eq!(verdict.certificate().unwrap(), None);
}
