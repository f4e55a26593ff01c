//! All equations of the shipped rules as goals of one e-graph, saturated together, compared with one after the
//! other. Prints both times, and the number of goals reached; rules beyond its theorems are left to the prover.
#![allow(missing_docs, reason = "a benchmark")]
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use alpha::domains::Domains;
use egg::EGraph;
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::corpus::Corpus;
use rewrites::optimization::egraph::expressions::add_all;
use rewrites::optimization::egraph::facts::{ExpressionGraph, Facts};
use rewrites::optimization::egraph::rewriting::Rewrite;
use rewrites::optimization::egraph::saturation::{SaturationLimits, saturate};
use rewrites::optimization::egraph::{scalars, theorems};
use rule_files::instances::instances;
use rule_files::library::Library;
use selfsame_core::Instance;
use std::path::{Path, PathBuf};
use std::time::Instant;
use values::{Machine, Rationals};

/// The maximum number of terms for each goal alone; all goals together may have as many as they had separately.
const TERMS: usize = 2_000;

/// All instances of all rules that hold.
fn all() -> Vec<(String, Instance)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/pass");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "rules")) {
        let (library, errors) = Library::load(file, &read(file).unwrap(), &read);
        assert!(errors.is_empty(), "{errors:?}");
        for rule in library.rules() {
            let of = instances(&library, rule).unwrap_or_default();
            found.extend(of.into_iter().map(|instance| (rule.name.text.clone(), instance)));
        }
    }
    found
}

/// The number of goals reached, and the number of terms at the end.
fn reached(corpus: &Corpus, rewrites: &[Rewrite], terms: usize) -> (usize, usize) {
    let engine = Isl::new();
    let Ok(domains) = Domains::new(&corpus.system, &engine, None) else { return (0, 0) };
    let mut graph: ExpressionGraph<'_> = EGraph::new(Facts::new(&corpus.system, &domains, &engine));
    let Ok(expressions) = add_all(&mut graph, &domains) else { return (0, 0) };
    saturate(&mut graph, rewrites, SaturationLimits { terms, ..SaturationLimits::default() });
    let is_reached = |sides: &[alpha::syntax::ExprId; 2]| {
        graph.find(expressions[sides[0].index()]) == graph.find(expressions[sides[1].index()])
    };
    (corpus.goals.iter().filter(|(_, sides)| is_reached(sides)).count(), graph.total_number_of_nodes())
}

fn main() {
    let rewrites = [
        theorems::rewrites(&Rationals, &Machine::default()),
        scalars::rewrites(&Rationals, &Machine::default()),
    ]
    .concat();
    let (all, mut together, mut alone) = (all(), Corpus::default(), (0, 0));
    let mut goals = 0;
    let start = Instant::now();
    for (name, instance) in &all {
        let mut corpus = Corpus::default();
        if corpus.add(name, instance) {
            together.add(name, instance);
            goals += 1;
            let (reached, terms) = reached(&corpus, &rewrites, TERMS);
            alone = (alone.0 + reached, alone.1 + terms);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{} instances of rules, {goals} of them affine", all.len());
    println!("one after the other: {} reached, {} terms, {seconds:.1} s", alone.0, alone.1);
    let start = Instant::now();
    let (reached, terms) = reached(&together, &rewrites, alone.1);
    println!("together: {reached} reached, {terms} terms, {:.1} s", start.elapsed().as_secs_f64());
}
