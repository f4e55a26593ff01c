//! The terms of a reduction, and the shape of its matrix.

use super::super::running::{SystemRun, integers};
use super::{FIGURES, tried};
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use alpha::evaluation::VariableMethod;
use base::diagnostics::Code;
use dashu_ratio::RBig;
use polyhedra::AffineMap;
use std::collections::BTreeSet;

/// Compares the filter of Fig. 2 at one point with that of Fig. 3, which has no reduction, with the terms as a set
/// or as a multiset.
fn filtered(i: i64, set: bool, inputs: fn(&str, &[i64]) -> i64) -> Result<bool, String> {
    let [reduced, serialized] =
        [FIGURES[0].0, FIGURES[1].0].map(|text| SystemRun::with_inputs(text, &[4], inputs));
    let (reduced, serialized) = (reduced?, serialized?);
    let mut terms: Vec<RBig> = Vec::new();
    for j in 1..=4 {
        let of = |x: &str, z: i64| reduced.number(x, &[z], VariableMethod::Eval2);
        terms.push(of("a", j)? * of("x", i - j + 1)?);
    }
    if set {
        terms = terms.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    }
    let shown: Vec<String> = terms.iter().map(RBig::to_string).collect();
    let sum = terms.into_iter().fold(integers(0), |sum, term| sum + term);
    let expected = serialized.number("y", &[i], VariableMethod::Eval2)?;
    let same_here = set || reduced.number("y", &[i], VariableMethod::Eval2)? == expected;
    match sum == expected && same_here {
        true => Ok(true),
        false => Err(format!(
            "Fig. 2, N = 4: y[{i}] is the sum of {{{}}}, which is {sum}; by Fig. 3 it is {expected}",
            shown.join(", ")
        )),
    }
}

/// The inputs to try: equal terms, and terms without a pattern.
const INPUTS: [fn(&str, &[i64]) -> i64; 3] =
    [|_, _| 1, |name, z| if name == "a" { 2 } else { z[0] }, |_, z| (z[0] * 7 + 3) % 5 - 2];

/// In a set, equal terms are one element: 1 + 1 would be 1.
pub(super) fn reduce_set() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let cases = |set: bool| (4..9).flat_map(move |i| INPUTS.map(|inputs| filtered(i, set, inputs)));
    let statement = "⊕ is over the multiset: one term for each y ∈ Domain(Exp) with f(y) = z.";
    let evidence = vec![tried("Fig. 2 against Fig. 3 at five points", cases(false))];
    (
        vec![tried("Fig. 2 against Fig. 3 at five points", cases(true))],
        vec![RepairEvidence { statement, evidence }],
    )
}

/// The paper's own projections, and whether they are valid.
const PROJECTIONS: [(&str, bool); 6] = [
    ("{ [i, j, k] -> [i + j + k] }", true),
    ("{ [i, j] -> [j] }", true),
    ("{ [u, v, w] -> [u, v] }", true),
    ("{ [i, j] -> [i] }", true),
    ("{ [i, j] -> [j, i] }", false),
    ("{ [i] -> [i, i] }", false),
];

/// The number of rows and columns of `A`: `A·z` has a column for each coordinate of `z ∈ ℤⁿ`, and a row for each
/// coordinate of the value in `ℤᵐ`.
fn matrix(f: &AffineMap) -> (usize, usize) {
    (f.outputs.len(), f.space.rank())
}

pub(super) fn reduce_matrix() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let examples = || PROJECTIONS.iter().filter(|(_, valid)| *valid).map(|(text, _)| *text);
    let shaped = |text: &str, as_printed: bool| {
        let f: AffineMap = text.parse().map_err(|error: polyhedra::EngineError| error.to_string())?;
        let (n, m, (rows, columns)) = (f.space.rank(), f.outputs.len(), matrix(&f));
        let wanted = if as_printed { (n, m) } else { (m, n) };
        match (rows, columns) == wanted && n > m {
            true => Ok(true),
            false => Err(format!(
                "{text}: n = {n}, m = {m}, and A·z is defined for a matrix of {rows} × {columns}"
            )),
        }
    };
    let statement = "A is an m × n matrix, where n > m.";
    let evidence = vec![
        tried("the paper's examples of projections", examples().map(|text| shaped(text, false))),
        tried("a system with each of six functions is valid where n > m", PROJECTIONS.map(valid)),
    ];
    let printed = tried("the paper's examples of projections", examples().map(|text| shaped(text, true)));
    (vec![printed], vec![RepairEvidence { statement, evidence }])
}

/// Whether a reduction by a function is accepted exactly if expected.
fn valid((text, expected): (&str, bool)) -> Result<bool, String> {
    let f: AffineMap = text.parse().map_err(|error: polyhedra::EngineError| error.to_string())?;
    let function = text.trim_matches(['{', '}', ' ']).replace(['[', ']'], "");
    let names = |count: usize| ["a", "b", "c"][..count].join(",");
    let (from, to) = (names(f.space.rank()), names(f.outputs.len()));
    let text = format!(
        "system s (x : {{ {from} | 0<={from}<=2 }} of integer) returns (y : {{ {to} | 0<={to}<=2 }} of integer);
         let y = reduce(+, ({function}), x); tel;"
    );
    match expected {
        true => super::accepts(&text, &[]),
        false => super::rejects(&text, Code::P0013, "there must be fewer"),
    }
}
