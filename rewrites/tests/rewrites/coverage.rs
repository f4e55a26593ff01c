//! Coverage of claims: a certificate without one of its claims is refused, whatever the claim is about.
#![allow(clippy::unwrap_used, reason = "a test")]

use alpha::printing::{Notation, print};
use alpha::to_core::Recurrences;
use checker::instances::is_empty;
use checker::solver::{Obligations, in_own_context};
use generators::alpha::{SystemShape, system};
use generators::choices::Random;
use languages::{Language, Pair, Source};
use link::coverage::covers;
use rewrites::programs::compare;
use rewrites::verification::Options;
use selfsame_core::{About, Instance};
use std::path::Path;

/// The number of pairs tried, of claims left out, and of pairs whose claims were not shown to cover.
#[derive(Default)]
struct Tried {
    pairs: usize,
    dropped: usize,
    undecided: usize,
}

impl Tried {
    /// All claims about two programs cover what the programs compute; all but one do not.
    fn pair(&mut self, pair: &Pair) {
        let Ok(question) = pair.question() else { return };
        let claims = question.claims.instances;
        let covered = |claims: &[Instance]| in_own_context(|| covers(pair, claims, &Obligations::default()));
        match covered(&claims) {
            Ok(()) => self.pairs += 1,
            Err(refusal) => {
                assert!(
                    refusal.undecided || refusal.flaw.to_string().contains("is seen"),
                    "{refusal}\n{}",
                    pair.programs[0].source().text
                );
                self.undecided += 1;
                return;
            }
        }
        for (at, claim) in claims.iter().enumerate() {
            let says_nothing = match claim.claim.about {
                // Claims about equal elements imply the claims about extents.
                About::Extent(_) => true,
                _ => in_own_context(|| is_empty(claim, &Obligations::default())),
            };
            let mut fewer = claims.clone();
            fewer.remove(at);
            if !says_nothing {
                let result = covered(&fewer);
                assert!(
                    result.is_err(),
                    "without {:?}:\n{}",
                    claim.claim.about,
                    pair.programs[0].source().text
                );
                self.dropped += 1;
            }
        }
    }
}

fn source(text: &str) -> Source {
    Source { name: "p".to_owned(), language: Language::Alpha, text: text.to_owned() }
}

#[test]
fn no_claim_of_random_programs_can_be_left_out() {
    let [pairs, dropped] = [100, 120].map(|count| campaigns::scaled("coverage", count) as usize);
    let mut random = Random::seeded(7);
    let shape = SystemShape {
        bounded: Some(9),
        functions: false,
        max_variables: 5,
        depth: 3,
        ..SystemShape::default()
    };
    let mut tried = Tried::default();
    for _ in 0..4 * pairs {
        let text = print(&system(&mut random, &shape), Notation::Functional);
        for recurrences in [Recurrences::Unrolled, Recurrences::ByElement] {
            tried.pair(&Pair { recurrences, ..Pair::read([source(&text), source(&text)]).unwrap() });
        }
        if tried.pairs >= pairs {
            break;
        }
    }
    assert!(
        tried.pairs >= pairs && tried.dropped >= dropped,
        "{} pairs, {} claims",
        tried.pairs,
        tried.dropped
    );
    assert!(tried.undecided <= tried.pairs / 5, "{} undecided", tried.undecided);
}

#[test]
fn no_claim_of_an_induction_can_be_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/recurrences");
    let text = |name: &str| source(&std::fs::read_to_string(folder.join(name)).unwrap());
    let mut tried = Tried::default();
    for [a, b] in [
        ["stencil.alpha", "stencil-skewed.alpha"],
        ["thirds-early.alpha", "thirds-late.alpha"],
        ["fibonacci.alpha", "fibonacci-two.alpha"],
        ["prefix.alpha", "prefix-blocks.alpha"],
    ] {
        let compared = compare(&Pair::read([text(a), text(b)]).unwrap(), &Options::default()).unwrap();
        compared.chain.pairs().unwrap().iter().for_each(|pair| tried.pair(pair));
    }
    assert!(tried.pairs >= 4 && tried.dropped >= 12, "{} pairs, {} claims", tried.pairs, tried.dropped);
    assert_eq!(tried.undecided, 0);
}
