//! The three conditions that qualify the projection of a reduction (§8.4).
//!
//! Departure: condition 3 is checked as what the paper says that it guarantees, *all integer points in the projection of
//! `D` have at least one antecedent in `D`*. As printed, for *all* `t` with `At = 0` the union of `D` and its translate must
//! be convex, which no bounded fibre of two points satisfies (`t` may be large), so that the paper's own Fig. 2 and
//! matrix product would be rejected; ledger: `alpha/decision-reduce-convexity`.

use super::Checker;
use super::witness::index_text;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{ExprId, Expression};
use crate::diagnostics::{Code, Diagnostic};
use polyhedra::{AffineMap, Error};

impl Checker<'_> {
    pub(super) fn reductions(&mut self) -> Result<(), Undecided> {
        for (e, expression) in self.system.expressions() {
            if let Expression::Reduce(_, f, body) = expression {
                match unreachable_point(f) {
                    _ if f.outputs.len() >= f.space.rank() => self.not_fewer(e, f),
                    Some(point) => self.no_right_inverse(e, &point),
                    None => self.antecedents(e, f, *body)?,
                }
            }
        }
        Ok(())
    }

    /// 1. `A` is an `n × m` matrix, where `n > m`.
    fn not_fewer(&mut self, e: ExprId, f: &AffineMap) {
        let (n, m) = (f.space.rank(), f.outputs.len());
        let message = format!("a reduction from {n} to {m} dimensions: there must be fewer");
        self.findings.push(Diagnostic::new(Code::P0013, self.system.span(e), message, "this reduction"));
    }

    /// 2. The matrix `A` has an integer right inverse.
    fn no_right_inverse(&mut self, e: ExprId, point: &[i64]) {
        let message = format!(
            "the projection has no integer right inverse: A·z = {} for no integer z",
            index_text(point)
        );
        self.findings.push(Diagnostic::new(Code::P0013, self.system.span(e), message, "this reduction"));
    }

    /// 3. All integer points in the projection of `D` have at least one antecedent in `D`.
    fn antecedents(&mut self, e: ExprId, f: &AffineMap, body: ExprId) -> Result<(), Undecided> {
        let span = self.system.span(e);
        let missing = Undecided::at(span, self.missing(f, e, body))?;
        if let Some(witness) = self.witness(span, &missing)? {
            let (points, condition) = (&witness.points, &witness.condition);
            let message = format!(
                "the projection of the body's domain is not a polyhedral domain: no integer point is projected \
                 to {points}{condition}, such as {}",
                witness.example
            );
            self.findings.push(Diagnostic::new(Code::P0013, span, message, "this reduction"));
        }
        Ok(())
    }

    fn missing(&self, f: &AffineMap, e: ExprId, body: ExprId) -> Result<polyhedra::IndexSet, Error> {
        let pairs = f.graph()?.restrict_domain(self.domains.of(body))?.inverse();
        let shadow = self.engine.shadow(&pairs.graph, &|d| d < pairs.inputs)?;
        self.engine.difference(&shadow, self.domains.of(e))
    }
}

/// A vector that is `A·z` for no integer `z`, if there is one: the column operations of the Hermite normal form leave
/// `[Id 0]` exactly if there is none.
pub fn unreachable_point(f: &AffineMap) -> Option<Vec<i64>> {
    let (rows, columns) = (f.outputs.len(), f.space.rank());
    let entry = |r: usize, c: usize| i128::from(f.outputs[r].coefficient(f.space.column(c)));
    let mut a: Vec<Vec<i128>> = (0..columns).map(|c| (0..rows).map(|r| entry(r, c)).collect()).collect();
    for r in 0..rows {
        while let Some((pivot, other)) = two_nonzero(&a, r) {
            let quotient = a[other][r].div_euclid(a[pivot][r]);
            let subtracted = a[pivot].clone();
            for (entry, subtracted) in a[other].iter_mut().zip(subtracted) {
                *entry = entry.checked_sub(subtracted.checked_mul(quotient)?)?;
            }
        }
        match (r..columns).find(|&c| a[c][r] != 0) {
            Some(pivot) if a[pivot][r].abs() == 1 => a.swap(r, pivot),
            _ => return Some((0..rows).map(|row| i64::from(row == r)).collect()),
        }
    }
    None
}

/// Two columns from `r` on with an entry in row `r`, the smaller entry first.
fn two_nonzero(a: &[Vec<i128>], r: usize) -> Option<(usize, usize)> {
    let mut nonzero = (r..a.len()).filter(|&c| a[c][r] != 0);
    let (first, second) = (nonzero.next()?, nonzero.next()?);
    Some(if a[first][r].abs() <= a[second][r].abs() { (first, second) } else { (second, first) })
}
