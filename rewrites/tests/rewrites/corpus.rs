//! Rules as goals of an e-graph: goals of true rules are reached, those of wrong rules are not.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::support::rules::{instances_of, shipped};
use alpha::domains::Domains;
use egg::EGraph;
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::corpus::Corpus;
use rewrites::optimization::egraph::expressions::add_all;
use rewrites::optimization::egraph::facts::{ExpressionGraph, Facts};
use rewrites::optimization::egraph::saturation::{SaturationLimits, saturate};
use rewrites::optimization::egraph::{scalars, theorems};
use selfsame_core::Instance;
use values::{Machine, Rationals};

/// The instances of the rules with these names, or of all rules if there are no names.
fn of_file(file: &str, names: &[&str]) -> Vec<(String, Instance)> {
    let library = shipped(file);
    let rules = library.rules().iter().filter(|rule| names.is_empty() || names.contains(&&*rule.name.text));
    let all = |rule: &rule_files::syntax::Rule| {
        let name = rule.name.text.clone();
        instances_of(&library, rule)
            .into_iter()
            .map(move |instance| (name.clone(), instance))
            .collect::<Vec<_>>()
    };
    rules.flat_map(all).collect()
}

/// The names of the goals that are reached over the rational numbers.
fn reached(instances: &[(String, Instance)]) -> Vec<String> {
    let mut corpus = Corpus::default();
    for (name, instance) in instances {
        assert!(corpus.add(name, instance), "{name}");
    }
    let engine = Isl::with_memory();
    let rewrites = [
        theorems::rewrites(&Rationals, &Machine::default()),
        scalars::rewrites(&Rationals, &Machine::default()),
    ]
    .concat();
    let domains = Domains::new(&corpus.system, &engine, None).unwrap();
    let mut graph: ExpressionGraph<'_> = EGraph::new(Facts::new(&corpus.system, &domains, &engine));
    let terms = add_all(&mut graph, &domains).unwrap();
    saturate(&mut graph, &rewrites, SaturationLimits { terms: 3_000, ..SaturationLimits::default() });
    assert!(graph.analysis.conflicts.is_empty());
    let is_reached = |(_, sides): &&(String, [alpha::syntax::ExprId; 2])| {
        let [left, right] = sides.map(|e| terms[e.index()]);
        graph.find(left) == graph.find(right)
    };
    corpus.goals.iter().filter(is_reached).map(|(name, _)| name.clone()).collect()
}

#[test]
fn rules_that_hold_are_reached() {
    let names = ["taso-1", "taso-2", "taso-5", "taso-8"];
    let rules = of_file("pass/taso.rules", &names);
    for name in names {
        let of_name: Vec<_> = rules.iter().filter(|(other, _)| other == name).cloned().collect();
        assert_eq!(reached(&of_name).len(), of_name.len(), "{name}");
    }
}

/// Of each rule that the checker refutes, some instance is not reached; rules that fail only where a size is 0 are
/// left out, because no size is 0 here.
#[test]
fn wrong_rules_are_not_reached() {
    let files = ["broken/model.rules", "broken/sums.rules", "broken/xla-tensors.rules"];
    let all: Vec<_> = files.into_iter().flat_map(|file| of_file(file, &[])).collect();
    let mut names: Vec<&String> = all.iter().map(|(name, _)| name).collect();
    names.dedup();
    let mut tried = 0;
    for name in names.into_iter().filter(|name| !name.ends_with("-empty")) {
        let instances: Vec<_> = all.iter().filter(|(other, _)| other == name).collect();
        let affine: Vec<_> =
            instances.iter().filter(|(name, of)| Corpus::default().add(name, of)).copied().collect();
        tried += affine.len();
        let reached: usize = affine.iter().map(|&rule| reached(std::slice::from_ref(rule)).len()).sum();
        assert!(reached < instances.len(), "{name}");
    }
    assert!(tried >= 30, "{tried}");
}
