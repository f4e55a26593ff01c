//! Runs that do not confirm a counterexample.

use guard::{Run, Unconfirmed};
use rewrites::verdict::ProverVerdict;
use selfsame::running::Standing;
use selfsame::{ByInputs, InputClass, Relation, SystemName};
use selfsame_core::answer::Answer;
use serde_json::Value;

/// No "different" without an input on which the sources themselves differ.
#[test]
fn a_counterexample_that_was_not_run_refutes_nothing() {
    let (relations, counterexamples) = (ByInputs::both(Relation::Different), ByInputs::both(None));
    let answer = |system| Answer { system, relations, counterexamples: counterexamples.clone() };
    let answers = [SystemName::Rational, SystemName::Integer].map(answer).into();
    let mut verdict = ProverVerdict { answers, ..ProverVerdict::default() };
    let (system, class, why) = (SystemName::Rational, InputClass::Any, "too large".to_owned());
    let run = Run { unconfirmed: vec![Unconfirmed { system, class, why }], ..Run::default() };
    let standing = Standing::new(&[], run, Value::Null);
    standing.withdraw_unconfirmed(&mut verdict);
    let withdrawn = ByInputs { defined: Relation::Different, any: Relation::Unknown };
    assert_eq!(verdict.answers.iter().map(|it| it.relations).collect::<Vec<_>>(), [withdrawn, relations]);
    let said = "a counterexample is withdrawn, because the sources could not be run on it: too large";
    assert_eq!((verdict.open.as_deref(), standing.note().as_deref()), (Some(said), Some(said)));
}
