//! `Domain(e)` as a union of polyhedra: those that the text makes it of (§5), by its own unions, intersections and
//! preimages, before anything is concluded from the fact that points are integers.
//!
//! So two texts for the same set can differ here, but values of parameters commute with it.

use super::Checker;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Domain, ExprId, Expression};
use polyhedra::{BasicSet, Error, IndexSet};

/// From so many polyhedra on, those without integer points are left out.
const MANY: usize = 16;

impl Checker<'_> {
    /// The polyhedra of the bodies of reductions, and of what these are made of.
    pub(super) fn polyhedra_of_bodies(&self) -> Result<Vec<Option<IndexSet>>, Undecided> {
        let count = self.system.expressions().len();
        let mut needed = vec![false; count];
        for (e, expression) in self.system.expressions().collect::<Vec<_>>().into_iter().rev() {
            if needed[e.index()] || matches!(expression, Expression::Reduce(..)) {
                expression.operands().iter().for_each(|operand| needed[operand.index()] = true);
            }
        }
        let mut known: Vec<Option<IndexSet>> = vec![None; count];
        if !needed.contains(&true) {
            return Ok(known);
        }
        let written = self.written_polyhedra()?;
        for (e, expression) in self.system.expressions().filter(|(e, _)| needed[e.index()]) {
            let polyhedra = self.polyhedra_of(expression, &written, &known);
            known[e.index()] = Some(Undecided::at(self.system.span(e), polyhedra)?);
        }
        Ok(known)
    }

    fn written_polyhedra(&self) -> Result<Vec<IndexSet>, Undecided> {
        let mut written: Vec<IndexSet> = Vec::new();
        for (d, domain) in self.system.domains() {
            let polyhedra = match domain {
                Domain::Polyhedron(set) => Ok(set.clone()),
                Domain::Union(a, b) => written[a.index()].union(&written[b.index()]),
                Domain::Intersection(a, b) => self.both(&written[a.index()], &written[b.index()]),
                Domain::Preimage(inner, f) => written[inner.index()].preimage(f),
                Domain::Convex(_) | Domain::Complement(_) => Ok(self.domains.of_domain(d).clone()),
            };
            written.push(Undecided::at(self.system.domain_span(d), polyhedra)?);
        }
        Ok(written)
    }

    fn polyhedra_of(
        &self,
        expression: &Expression,
        written: &[IndexSet],
        known: &[Option<IndexSet>],
    ) -> Result<IndexSet, Error> {
        let of = |e: ExprId| known[e.index()].as_ref().unwrap_or_else(|| self.domains.of(e));
        let context = self.domains.context();
        match expression {
            Expression::Constant(_) => Ok(context.clone()),
            Expression::Variable(x) => match self.system.variable(*x).domain {
                None => Ok(context.clone()),
                Some(d) => {
                    let declared = &written[d.index()];
                    self.both(declared, &context.parameters_in(&declared.space))
                }
            },
            Expression::Unary(_, e) => Ok(of(*e).clone()),
            Expression::Binary(_, [a, b]) => self.both(of(*a), of(*b)),
            Expression::If([a, b, c]) => self.both(&self.both(of(*a), of(*b))?, of(*c)),
            Expression::Case(branches) => {
                branches[1..].iter().try_fold(of(branches[0]).clone(), |union, e| union.union(of(*e)))
            }
            Expression::Restrict(d, e) => self.both(&written[d.index()], of(*e)),
            Expression::Dependence(e, f) => of(*e).preimage(f),
            Expression::Reduce(_, f, e) => of(*e).image(f),
        }
    }

    fn both(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, Error> {
        let mut both = if a == b { a.clone() } else { a.intersect(b)? };
        if both.pieces.len() > MANY {
            let has_points = |piece: &BasicSet| Ok(!self.engine.is_empty(&both.of_piece(piece))?);
            let kept = both.pieces.iter().map(has_points).collect::<Result<Vec<bool>, Error>>()?;
            let mut kept = kept.iter();
            both.pieces.retain(|_| kept.next() == Some(&true));
        }
        Ok(both)
    }
}
