//! Accepted deviations from the grammar of §10, and round trips of printing and parsing.

use super::{FIGURES, tried, tried_at_random};
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use alpha::parsing::parse;
use alpha::printing::{Notation, print};
use alpha::syntax::System;
use base::diagnostics::Code;
use generators::alpha::text::texts;
use generators::alpha::{SystemShape, system};
use generators::choices::Random;

/// A text outside the grammar, and one within it that is the same system.
const DEVIATIONS: &[[&str; 2]] = &[
    // `{j=0}` without an index list inside an array equation.
    [
        "system s (x : { i | 1>=0 } of integer) returns (y : { i,j | 0<=j<=1 } of integer);
         let y[i,j] = case {j=0} : x[i]; {j>=1} : x[i+1]; esac; tel;",
        "system s (x : { i | 1>=0 } of integer) returns (y : { i,j | 0<=j<=1 } of integer);
         let y[i,j] = case { i,j | j=0 } : x[i]; { i,j | j>=1 } : x[i+1]; esac; tel;",
    ],
    [
        "system s (x : { i | 1>=0 } of integer) returns (y : { i | i>=0 } of integer); let {i>=0} : y[i] = x[i]; tel;",
        "system s (x : { i | 1>=0 } of integer) returns (y : { i | i>=0 } of integer);
         let { i | i>=0 } : y[i] = x[i]; tel;",
    ],
    // `2*i` for `2i`.
    [
        "system s (x : { i | 1>=0 } of integer) returns (y : { i | 2*i>=4 } of integer); let y = x.(i->3-2*i); tel;",
        "system s (x : { i | 1>=0 } of integer) returns (y : { i | 2i>=4 } of integer); let y = x.(i->3-2i); tel;",
    ],
    // `parameter` without and with a data type.
    [
        "system s (N : { N | N>=0 } parameter) returns (y : { i | i=N } of integer); let y = 1.(i->); tel;",
        "system s (N : { N | N>=0 } parameter integer) returns (y : { i | i=N } of integer); let y = 1.(i->); tel;",
    ],
    // A last `;` before `)` and before `let`.
    [
        "system s (x : integer;) returns (y : integer;); var t : integer; let t = x; y = t; tel;",
        "system s (x : integer) returns (y : integer); var t : integer let t = x; y = t; tel;",
    ],
    // No `;` before the first declaration, where the grammar has one.
    [
        "system s (x : integer) returns (y : integer); var t : integer; let t = x; y = t; tel;",
        "system s (; x : integer) returns (; y : integer); var ; t : integer let t = x; y = t; tel;",
    ],
    // No constraint, no index, and an arrow.
    [
        "system s (x : { i | } of integer) returns (y : { | } of integer); let y = x.(\u{2192}3); tel;",
        "system s (x : { i | 1>=0 } of integer) returns (y : { | 1>=0 } of integer); let y = x.(->3); tel;",
    ],
    // No `;` before `esac`.
    [
        "system s (x : integer) returns (y : integer); let y = case x esac; tel;",
        "system s (x : integer) returns (y : integer); let y = case x; esac; tel;",
    ],
];

/// The number of random systems that are printed and parsed: the whole claim takes 1.7 s with them (2026-11-27, a
/// debug build).
const SYSTEMS: u64 = 150;

pub(super) fn decision_grammar() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let figures = FIGURES.iter().map(|(text, _)| is_read_again(&read(text)?, &[]));
    let deviations = DEVIATIONS.iter().map(|[beside, within]| Ok(read(beside)?.is_alike(&read(within)?)));
    let refused = ["real", "boolean"].map(|word| {
        let text =
            format!("system s (N : {{ N | N>=0 }} parameter {word}) returns (y : integer); let y = 1; tel;");
        Ok(parse(&text).errors.iter().any(|error| error.code == Code::P0002))
    });
    let random = (0..SYSTEMS).map(|seed| {
        let choices = &mut Random::seeded(seed);
        let system = system(choices, &SystemShape::default());
        let texts = texts(choices, &system, 2);
        is_read_again(&system, &texts)
    });
    let evidence = vec![
        tried("Figs. 2 to 5, printed and read in both notations", figures),
        tried("each text beside the grammar is the same system as one within it", deviations),
        tried("parameters that are not integers are refused", refused),
        tried_at_random(
            "random systems, printed and read in both notations, and as two texts that mix them",
            random,
        ),
    ];
    (evidence, Vec::new())
}

fn read(text: &str) -> Result<System, String> {
    let parsed = parse(text);
    match parsed.errors.first() {
        Some(error) => Err(format!("{}\n{text}", error.message)),
        None => Ok(parsed.system),
    }
}

/// Whether a system is parsed from its printed form, and from further texts.
fn is_read_again(system: &System, texts: &[String]) -> Result<bool, String> {
    let printed = [Notation::Functional, Notation::Array].map(|notation| print(system, notation));
    for text in printed.iter().chain(texts) {
        if !read(text)?.is_alike(system) {
            return Err(format!("another system is read from\n{text}"));
        }
    }
    Ok(true)
}
