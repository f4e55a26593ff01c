//! `Domain(e)` as the union of polyhedra that the text describes (§5): its own unions, intersections and
//! preimages, before any simplification that uses that points are integers.
//!
//! So two texts for the same set can differ here, but substituting parameters commutes with it.

use super::SystemChecker;
use crate::domains::{Sets, Undecided};
use crate::syntax::{Domain, DomainId, ExprId, Expression, VariableId};
use polyhedra::{AffineMap, BasicSet, EngineError, IndexSet};

/// The number of polyhedra above which those without integer points are removed. Chosen: half and twice give
/// the same verdicts (`docs/limits.md`).
const MANY: usize = 16;

/// The maximum number of coefficients of all polyhedra together: 128 MiB. Nothing is simplified, so among
/// nested reductions each has the constraints and quantified terms of all inner ones: memory grows with the
/// cube of the depth.
const MAX_COEFFICIENTS: usize = 1 << 24;

fn coefficients(set: &IndexSet) -> usize {
    let of_piece = |piece: &BasicSet| {
        let rows = piece.equalities.iter().chain(&piece.inequalities);
        rows.map(|row| row.coefficients().len()).sum::<usize>()
    };
    set.pieces.iter().map(of_piece).sum()
}

/// The polyhedra of the expressions of a system.
pub(super) struct ExpressionPolyhedra<'a> {
    checker: &'a SystemChecker<'a>,
    written: Vec<IndexSet>,
    declared: Vec<IndexSet>,
    /// For the requested expressions and their operands.
    of: Vec<Option<IndexSet>>,
}

impl<'a> ExpressionPolyhedra<'a> {
    /// The polyhedra of the bodies of all reductions.
    pub(super) fn of_bodies(checker: &'a SystemChecker<'a>) -> Result<ExpressionPolyhedra<'a>, Undecided> {
        let system = checker.system;
        let (written, declared) = (Vec::new(), Vec::new());
        let mut texts =
            ExpressionPolyhedra { checker, written, declared, of: vec![None; system.expressions().len()] };
        let needed = texts.needed();
        if !needed.contains(&true) {
            return Ok(texts);
        }
        for (d, domain) in system.domains() {
            let polyhedra = Undecided::at(system.domain_span(d), texts.polyhedra(d, domain))?;
            texts.written.push(polyhedra);
        }
        for x in system.variable_ids() {
            let variable = system.variable(x);
            let polyhedra = Undecided::at(variable.span, texts.declaration(variable.domain))?;
            texts.declared.push(polyhedra);
        }
        let mut held = 0;
        for (e, expression) in system.expressions().filter(|(e, _)| needed[e.index()]) {
            let polyhedra = Undecided::at(system.span(e), texts.expression(expression))?;
            held += coefficients(&polyhedra);
            if held > MAX_COEFFICIENTS {
                let (operation, operands) = ("the polyhedra of reductions", system.name.to_string());
                return Undecided::at(system.span(e), Err(EngineError::OutOfBudget { operation, operands }));
            }
            texts.of[e.index()] = Some(polyhedra);
        }
        Ok(texts)
    }

    /// Whether each expression is part of the body of a reduction.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.of.len()];
        let expressions: Vec<_> = self.checker.system.expressions().collect();
        for (e, expression) in expressions.into_iter().rev() {
            if needed[e.index()] || matches!(expression, Expression::Reduce(..)) {
                expression.operands().iter().for_each(|operand| needed[operand.index()] = true);
            }
        }
        needed
    }

    fn polyhedra(&self, d: DomainId, domain: &Domain) -> Result<IndexSet, EngineError> {
        match domain {
            Domain::Polyhedron(set) => Ok(set.clone()),
            Domain::Union(a, b) => self.join(self.written(*a), self.written(*b)),
            Domain::Intersection(a, b) => self.meet(self.written(*a), self.written(*b)),
            Domain::Preimage(inner, f) => self.preimage(self.written(*inner), f),
            Domain::Convex(_) | Domain::Complement(_) => Ok(self.checker.domains.of_domain(d).clone()),
        }
    }
}

impl Sets for ExpressionPolyhedra<'_> {
    fn context(&self) -> &IndexSet {
        self.checker.domains.context()
    }

    fn written(&self, d: DomainId) -> &IndexSet {
        &self.written[d.index()]
    }

    fn declared(&self, x: VariableId) -> &IndexSet {
        &self.declared[x.index()]
    }

    fn domain(&self, e: ExprId) -> &IndexSet {
        self.of[e.index()].as_ref().unwrap_or_else(|| self.checker.domains.domain(e))
    }

    fn meet(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        let mut both = if a == b { a.clone() } else { a.intersect(b)? };
        if both.pieces.len() > MANY {
            let has_points = |piece: &BasicSet| Ok(!self.checker.engine.is_empty(&both.of_piece(piece))?);
            let kept = both.pieces.iter().map(has_points).collect::<Result<Vec<bool>, EngineError>>()?;
            let mut kept = kept.iter();
            both.pieces.retain(|_| kept.next() == Some(&true));
        }
        Ok(both)
    }

    fn join(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        a.union(b)
    }

    fn preimage(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        a.preimage(f)
    }

    fn image(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        a.image(f)
    }
}
