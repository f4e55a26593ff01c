//! Prints the questions on whose answers the checker relies to check certificates, each once, as JSON lines:
//! `questions FILE…`.
//!
//! Each is SMT-LIB that z3 has answered with `unsat`.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the project's own"
)]

use checker::nesting::read;
use checker::questions::watch;
use checker::solver::in_own_context;
use link::certificate::Certificate;
use link::replay::check;
use polyhedra_isl::Isl;
use std::collections::BTreeSet;
use std::sync::Mutex;

static QUESTIONS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn main() {
    assert!(watch(|question| {
        QUESTIONS.lock().expect("one thread").insert(question.to_owned());
    }));
    let mut known = BTreeSet::new();
    let (mut accepted, mut refused) = (0, 0);
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("a certificate");
        let checked = read(&text, |certificate: Certificate| {
            in_own_context(|| check(&certificate, &Isl::with_memory())).is_ok()
        });
        // Nobody relied on the questions of a refused certificate.
        let questions = std::mem::take(&mut *QUESTIONS.lock().expect("one thread"));
        if checked != Ok(true) {
            refused += 1;
            continue;
        }
        accepted += 1;
        for question in questions {
            if !known.contains(&question) {
                println!("{}", serde_json::json!({ "certificate": file, "question": question }));
                known.insert(question);
            }
        }
    }
    eprintln!("{accepted} certificates accepted, {refused} refused, {} questions", known.len());
}
