//! Sizes at which evaluation takes more steps than it may.
#![allow(clippy::unwrap_used, reason = "a helper of tests")]

use guard::{Claimed, Effort, programs};
use languages::{Language, Pair, Source};
use polyhedra_isl::Isl;
use selfsame_core::relation::Relation;
use values::SystemName;

const SUM: &str = "system s (N : { N | N>=1 } parameter; x : { i | 0<=i<N } of real) returns (y : real);
    let y[] = reduce(+, (i->), x); tel;";

/// Three inputs are tried at such sizes in all number systems together, and the run says why it is vain.
#[test]
fn sizes_that_are_too_large_are_tried_three_times() {
    let source = || Source { name: "sum".to_owned(), language: Language::Alpha, text: SUM.to_owned() };
    let mut pair = Pair::read([source(), source()]).unwrap();
    let claims =
        [SystemName::Rational, SystemName::Integer].map(|s| Claimed::everywhere(s, Relation::Equivalent));
    let effort = Effort { steps: 50, ..Effort::default() };
    pair.parameters.insert("N".to_owned(), 100);
    let run = programs::run(&pair, &claims, &Isl::with_memory(), &effort);
    assert_eq!((run.instances, run.counted), (3, 0), "{run:?}");
    assert_eq!(run.why.as_deref(), Some("evaluation takes more steps than it may"));
    // At sizes that are small enough nothing is left out.
    pair.parameters.insert("N".to_owned(), 2);
    let run = programs::run(&pair, &claims, &Isl::with_memory(), &effort);
    assert_eq!((run.instances, run.counted), (effort.instances, effort.instances), "{run:?}");
}
