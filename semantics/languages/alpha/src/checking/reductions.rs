//! The three conditions that qualify the projection of a reduction (§8.4).
//!
//! Departure: condition 3 is checked as the guarantee that the paper draws from it: *all integer points in the
//! projection of `D` have at least one antecedent in `D`*. As printed, for *all* `t` with `At = 0` the union of
//! `D` and its translate must be convex. No bounded fibre of two points satisfies that (`t` may be large), so the
//! paper's own Fig. 2 and matrix product would be rejected; ledger: `alpha/decision-reduce-convexity`.
//!
//! Ours: a reduction with a declared domain, `reduce(⊕, f, D, e)`, needs none of the three, since its domain is
//! not an image. Its fibres over points of `D` must be finite, like those of every reduction (ledger:
//! `alpha/decision-declared-reductions`).

use super::SystemChecker;
use super::demand::Site;
use super::rankings::is_origin;
use super::texts::ExpressionPolyhedra;
use super::witness::{FaultWitness, index_text};
use crate::domains::{Sets, Undecided};
use crate::syntax::{ExprId, Expression};
use base::diagnostics::{Code, Diagnostic, counted};
use polyhedra::{AffineMap, EngineError, IndexSet};

impl SystemChecker<'_> {
    pub(super) fn reductions(&mut self) -> Result<(), Undecided> {
        let texts = ExpressionPolyhedra::of_bodies(self)?;
        let mut findings = Vec::new();
        for (e, expression) in self.system.expressions() {
            if let Expression::Reduce(_, f, body) = expression {
                findings.extend(if !has_fewer_outputs(f) {
                    self.not_fewer(e, f)?
                } else if let Some(point) = unreachable_point(f) {
                    self.no_right_inverse(e, &point)?
                } else {
                    self.antecedents(e, f, texts.domain(*body))?
                });
                findings.extend(self.endless_fibres(e, f, self.domains.domain(*body))?);
            }
            if let Expression::ReduceOver(_, f, _, body) = expression {
                findings.extend(self.endless_fibres(e, f, self.domains.domain(*body))?);
            }
        }
        self.findings.extend(findings);
        Ok(())
    }

    /// The message of condition 1.
    fn not_fewer(&self, e: ExprId, f: &AffineMap) -> Result<Vec<Diagnostic>, Undecided> {
        let (n, m) = (f.space.rank(), f.outputs.len());
        let message = format!("a reduction from {} to {m}: there must be fewer", counted(n, "dimension"));
        self.invalid(e, self.domains.context(), |witness| format!("{message}{}", witness.condition))
    }

    /// The message of condition 2: `A·z = point` for no integer `z`.
    fn no_right_inverse(&self, e: ExprId, point: &[i64]) -> Result<Vec<Diagnostic>, Undecided> {
        let point = index_text(point);
        let message = format!("the projection has no integer right inverse: A·z = {point} for no integer z");
        self.invalid(e, self.domains.context(), |witness| format!("{message}{}", witness.condition))
    }

    /// **reduce-condition-3** (§8.4): all integer points in the projection of `D` have at least one antecedent in `D`.
    fn antecedents(
        &self,
        e: ExprId,
        f: &AffineMap,
        polyhedra: &IndexSet,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let missing = self.missing(f, polyhedra, self.domains.domain(e));
        let missing = Undecided::at(self.system.span(e), missing)?;
        self.invalid(e, &missing, |FaultWitness { points, condition, example, .. }| {
            format!(
                "the projection of the body's domain is not a polyhedral domain: no integer point is projected \
                 to {points}{condition}, such as {example}"
            )
        })
    }

    /// Ours (ledger: `alpha/decision-fibres`): every value has finitely many terms.
    fn endless_fibres(
        &self,
        e: ExprId,
        f: &AffineMap,
        body: &IndexSet,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let span = self.system.span(e);
        if self.as_printed {
            return Ok(Vec::new());
        }
        let endless = Undecided::at(span, self.with_endless_fibre(f, body))?;
        let endless = match self.system.expression(e) {
            Expression::ReduceOver(..) => {
                let declared = self.domains.domain(e).renamed(&endless.space.dimensions);
                let both = declared.and_then(|declared| self.engine.intersection(&endless, &declared));
                Undecided::at(span, both)?
            }
            _ => endless,
        };
        self.graded(span, Code::P0018, Site::Expression(e), &endless, |witness| {
            let message = format!("the reduction has infinitely many terms{}", witness.occurrence("at", ""));
            Diagnostic::new(Code::P0018, span, message, "this reduction")
        })
    }

    /// The points onto which `f` maps infinitely many points of a set: a polyhedron with a direction that `f` maps
    /// to 0 extends along it from each of its points.
    fn with_endless_fibre(&self, f: &AffineMap, set: &IndexSet) -> Result<IndexSet, EngineError> {
        let kernel = f.outputs.iter().map(|output| output.linear_part(f.space.parameters.len())).collect();
        let kernel = IndexSet::constrained(set.space.clone(), kernel, Vec::new());
        let mut endless = IndexSet::empty(f.target());
        for piece in &set.pieces {
            let polyhedron = set.of_piece(piece);
            let directions = polyhedron.directions()?.intersect(&kernel)?;
            if !is_origin(self.engine, &directions)? {
                endless = self.engine.union(&endless, &self.engine.image(&polyhedron, f)?)?;
            }
        }
        Ok(endless)
    }

    /// A fault at some points; it is an error for the parameters for which the reduction is evaluated.
    fn invalid(
        &self,
        e: ExprId,
        points: &IndexSet,
        message: impl Fn(&FaultWitness) -> String,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let span = self.system.span(e);
        self.graded(span, Code::P0013, Site::Everywhere(e), points, |witness| {
            Diagnostic::new(Code::P0013, span, message(witness), "this reduction")
        })
    }

    /// The integer points of the projections of polyhedra, each for the parameters for which it has integer
    /// points, minus `image`.
    fn missing(
        &self,
        f: &AffineMap,
        polyhedra: &IndexSet,
        image: &IndexSet,
    ) -> Result<IndexSet, EngineError> {
        let mut missing = IndexSet::empty(image.space.clone());
        for piece in &polyhedra.pieces {
            let polyhedron = polyhedra.of_piece(piece);
            let parameters = self.engine.parameters(&polyhedron)?;
            if parameters.is_plainly_empty() {
                continue;
            }
            let pairs = f.graph()?.restrict_domain(&polyhedron)?.inverse();
            let shadow =
                self.engine.shadow(&pairs.graph, &|d| d < pairs.inputs)?.renamed(&image.space.dimensions)?;
            let shadow = self.engine.intersection(&shadow, &parameters.parameters_in(&shadow.space))?;
            missing = self.engine.union(&missing, &self.engine.difference(&shadow, image)?)?;
        }
        Ok(missing)
    }
}

/// **reduce-condition-1** (§8.4): `A` is an `n × m` matrix, where `n > m`. That `Domain(e)` is of dimension `n` is
/// checked by type-reduce.
fn has_fewer_outputs(f: &AffineMap) -> bool {
    let (n, m) = (f.space.rank(), f.outputs.len());
    n > m
}

/// **reduce-condition-2** (§8.4): `A` has an integer right inverse. This is a vector that is not `A·z` for any integer
/// `z`, if there is one: the column operations of the Hermite normal form yield `[Id 0]` exactly if no such vector
/// exists.
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
            Some(pivot) if a[pivot][r].unsigned_abs() == 1 => a.swap(r, pivot),
            _ => return Some((0..rows).map(|row| i64::from(row == r)).collect()),
        }
    }
    None
}

/// Two columns at or after `r` with a nonzero entry in row `r`, the smaller entry first.
fn two_nonzero(a: &[Vec<i128>], r: usize) -> Option<(usize, usize)> {
    let mut nonzero = (r..a.len()).filter(|&c| a[c][r] != 0);
    let (first, second) = (nonzero.next()?, nonzero.next()?);
    Some(if a[first][r].unsigned_abs() <= a[second][r].unsigned_abs() {
        (first, second)
    } else {
        (second, first)
    })
}
