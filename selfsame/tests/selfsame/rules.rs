//! Rules of rewriting.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use selfsame::{Relation, Rules, SystemName, certified};

const RULES: &str = "
    rule double sizes n tensors x[n] left x + x right x * 2
    rule wrong sizes n tensors x[n] left x + x right x * 3
";

#[test]
fn rules_are_verified_for_all_sizes() {
    let verdicts = Rules::read("mine.rules", RULES).unwrap().verify().unwrap();
    let [double, wrong] = &verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!((double.name(), double.relation(SystemName::Rational)), ("double", Relation::Equivalent));
    assert!(double.is_expected() && certified(&double.certificate().unwrap().unwrap()).is_ok());
    assert_eq!((wrong.name(), wrong.relation(SystemName::Rational)), ("wrong", Relation::Different));
    assert!(!wrong.is_expected() && wrong.certificate().unwrap().is_none());
    assert!(wrong.counterexample(SystemName::Rational).is_some());
    assert!(wrong.to_string().contains("counterexample in `"), "{wrong}");
}

#[test]
fn a_rule_without_a_meaning_is_an_error() {
    let ill = Rules::read("mine.rules", "rule r left x right x").and_then(|rules| rules.verify());
    assert!(ill.unwrap_err().to_string().starts_with("`"));
    let import = Rules::read("mine.rules", "import \"other.rules\"").unwrap_err().to_string();
    assert!(import.contains("it is not among the imports"), "{import}");
}
