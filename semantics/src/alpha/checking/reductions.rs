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
use polyhedra::{Affine, AffineMap, Error, IndexSet, Space};

/// What is found for all parameters is looked at again for so many values of them.
const SAMPLES: usize = 20;

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
        self.invalid(e, format!("a reduction from {n} to {m} dimensions: there must be fewer"));
    }

    /// 2. The matrix `A` has an integer right inverse.
    fn no_right_inverse(&mut self, e: ExprId, point: &[i64]) {
        let point = index_text(point);
        self.invalid(
            e,
            format!("the projection has no integer right inverse: A·z = {point} for no integer z"),
        );
    }

    fn invalid(&mut self, e: ExprId, message: String) {
        let code = self.graded_at(Code::P0013, e);
        self.findings.push(Diagnostic::new(code, self.system.span(e), message, "this reduction"));
    }

    /// 3. All integer points in the projection of `D` have at least one antecedent in `D`.
    fn antecedents(&mut self, e: ExprId, f: &AffineMap, body: ExprId) -> Result<(), Undecided> {
        let span = self.system.span(e);
        let (missing, confirmed) = Undecided::at(span, self.confirmed(f, e, body))?;
        let Some(witness) = self.witness(span, &missing)? else { return Ok(()) };
        let (points, condition, example) = (&witness.points, &witness.condition, &witness.example);
        if confirmed {
            self.invalid(
                e,
                format!(
                    "the projection of the body's domain is not a polyhedral domain: no integer point is \
                     projected to {points}{condition}, such as {example}"
                ),
            );
        } else {
            let message =
                format!("whether some integer point is projected to {points}{condition} is not decided");
            self.findings.push(Diagnostic::new(Code::P0017, span, message, "by this reduction"));
        }
        Ok(())
    }

    /// The points of the projection without antecedent, less those that are not missing once the parameters have values:
    /// a polyhedron over the parameters can have fractions that have to be integers then. And whether some are missing
    /// for some value of the parameters.
    fn confirmed(&self, f: &AffineMap, e: ExprId, body: ExprId) -> Result<(IndexSet, bool), Error> {
        let (domain, image) = (self.domains.of(body), self.domains.of(e));
        let mut missing = self.missing(f, domain, image)?;
        if self.system.parameters.is_empty() {
            return Ok((missing, true));
        }
        for _ in 0..SAMPLES {
            let Some(sample) = self.engine.sample(&missing)? else { break };
            let at = |set: &IndexSet| self.at(&sample.parameters, &set.space);
            let there = self.engine.intersection(domain, &at(domain)?)?;
            if !self.engine.is_empty(&self.missing(f, &there, image)?)? {
                return Ok((missing, true));
            }
            missing = self.engine.difference(&missing, &at(&missing)?)?;
        }
        Ok((missing, false))
    }

    /// All points of a space, for one value of the parameters.
    fn at(&self, parameters: &[i64], space: &Space) -> Result<IndexSet, Error> {
        let fixed = |(at, value): (usize, &i64)| Affine::column(at).plus(-1, &Affine::constant(*value));
        let fixed: Result<Vec<Affine>, Error> = parameters.iter().enumerate().map(fixed).collect();
        Ok(IndexSet::constrained(space.clone(), fixed?, Vec::new()))
    }

    /// The projections of the polyhedra of `domain`, each for the parameters for which it has integer points, less `image`.
    fn missing(&self, f: &AffineMap, domain: &IndexSet, image: &IndexSet) -> Result<IndexSet, Error> {
        let mut missing = IndexSet::empty(image.space.clone());
        for piece in &domain.pieces {
            let polyhedron = IndexSet { space: domain.space.clone(), pieces: vec![piece.clone()] };
            let pairs = f.graph()?.restrict_domain(&polyhedron)?.inverse();
            let shadow = self.engine.shadow(&pairs.graph, &|d| d < pairs.inputs)?;
            let parameters = self.engine.eliminate_existentials(&polyhedron.project(|_| false))?;
            let shadow = self.engine.intersection(&shadow, &parameters.parameters_in(&shadow.space))?;
            missing = self.engine.union(&missing, &self.engine.difference(&shadow, image)?)?;
        }
        Ok(missing)
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
