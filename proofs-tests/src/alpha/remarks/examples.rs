//! Worked examples of §§7 and 9.

use super::super::running::{SystemRun, accepts, integers, rejects};
use super::{only, tried};
use crate::evidence::Evidence;
use crate::ledger::RepairEvidence;
use alpha::evaluation::VariableMethod;
use base::diagnostics::Code;

/// A constant over spaces of 0 to 3 dimensions has its value at every point.
pub(super) fn constants() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let case = |rank: usize| {
        let names = ["i", "j", "k"][..rank].join(",");
        let text =
            format!("system s () returns (y : {{ {names} | 1>=0 }} of integer); let y = 0.({names}->); tel;");
        let run = SystemRun::new(&text, &[])?;
        let corners = (0..1 << rank).map(|bits| (0..rank).map(|d| 200 * (bits >> d & 1) - 100).collect());
        let mut zeros = corners.map(|z: Vec<i64>| run.number("y", &z, VariableMethod::Eval2));
        zeros.try_fold(true, |all, zero| Ok(all && zero? == integers(0)))
    };
    only(tried(
        "0 to 3 dimensions, accepted over all of space, and 0 at the corners of a box",
        (0..=3).map(case),
    ))
}

const TRIANGLE: &str = "{ i,j | i,j>=1; i+j<=4 }";

/// `X - Y` over the triangle, over a part of it, and over a larger domain.
pub(super) fn pointwise() -> (Vec<Evidence>, Vec<RepairEvidence>) {
    let text = |domain: &str| {
        format!(
            "system s (X, Y : {TRIANGLE} of integer) returns (d : {domain} of integer); let d = X - Y; tel;"
        )
    };
    let value = |(i, j): (i64, i64)| {
        let run = SystemRun::new(&text(TRIANGLE), &[])?;
        let of = |x: &str| run.number(x, &[i, j], VariableMethod::Eval2);
        Ok(of("d")? == of("X")? - of("Y")?)
    };
    let points = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)];
    let domains = [
        accepts(&text(TRIANGLE), &[]),
        accepts(&text("{ i,j | i=2; 1<=j<=2 }"), &[]),
        rejects(&text("{ i,j | i,j>=1; i+j<=5 }"), Code::P0011, "d["),
        rejects(&text("{ i,j | i>=0; j>=1; i+j<=4 }"), Code::P0011, "d[0,"),
    ];
    only(tried(
        "the six points, and four domains of the result",
        points.map(value).into_iter().chain(domains),
    ))
}
