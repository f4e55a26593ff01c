//! Contexts: the loops around an expression, what holds there, and the sizes at which it is an error.

use super::{Failure, Lowering, Result, not_affine, overflow, refused};
use crate::errors::{Error, ErrorKind};
use crate::functions::Unit;
use base::diagnostics::Span;
use indices::condition::Condition;
use indices::expression::{Atom, IndexExpr};
use indices::projection::sizes_where;
use indices::sets::nonnegative;
use polyhedra::{BasicSet, IndexSet, Name};

/// Sizes at which a program is an error.
#[derive(Clone, Debug)]
pub(crate) struct Forbidden {
    /// These sizes: the columns are those of the parameters.
    pub pieces: Vec<BasicSet>,
    /// The error.
    pub error: Error,
    /// Whether the guard of the program says so.
    pub is_stated: bool,
}

/// An evaluation of which only the shape counts.
#[derive(Debug)]
pub(crate) struct OfShapes {
    /// The number of loops around it, whose indices are known.
    pub outer: usize,
    /// The sizes at which there is no shape.
    pub errors: Vec<Forbidden>,
}

/// A context to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    dims: usize,
    conditions: usize,
}

impl Lowering<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark { dims: self.dims.len(), conditions: self.conditions.len() }
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        self.dims.truncate(mark.dims);
        self.conditions.truncate(mark.conditions);
    }

    /// Evaluates something, and returns to the context if it is an error.
    pub(super) fn caught<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<std::result::Result<T, Error>> {
        let mark = self.mark();
        match work(self) {
            Ok(value) => Ok(Ok(value)),
            Err(Failure::Error(error)) => {
                self.reset(mark);
                Ok(Err(error))
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Names for dimensions that nothing else has here.
    pub(super) fn fresh(&self, names: impl IntoIterator<Item = String>) -> Vec<Name> {
        let mut all: Vec<Name> = Vec::new();
        for name in names {
            let mut name = alpha::lexing::unreserved(&name).to_owned();
            while self.taken.contains(&*name) || self.dims.iter().chain(&all).any(|other| **other == *name) {
                name.push('_');
            }
            all.push(name.as_str().into());
        }
        all
    }

    /// Adds loops; their indices.
    pub(super) fn push_dims(&mut self, dims: Vec<Name>) -> Vec<IndexExpr> {
        let first = self.dims.len();
        let indices = (0..dims.len()).map(|k| IndexExpr::atom(Atom::Loop(first + k))).collect();
        self.dims.extend(dims);
        indices
    }

    /// Adds loops over a shape; their indices.
    pub(super) fn push_box(&mut self, dims: Vec<Name>, shape: &[IndexExpr]) -> Result<Vec<IndexExpr>> {
        let indices = self.push_dims(dims);
        let conditions = within(&indices, shape)?;
        self.conditions.extend(conditions);
        Ok(indices)
    }

    /// The points of the context where conditions hold, too.
    pub(super) fn set(&self, conditions: &[IndexExpr], span: Span) -> Result<IndexSet> {
        let mut all: Vec<IndexExpr> = Vec::new();
        for condition in self.conditions.iter().chain(conditions) {
            if !all.contains(condition) {
                all.push(condition.clone());
            }
        }
        nonnegative(&self.system.space(&self.dims), &all).map_err(|reason| not_affine(reason, span))
    }

    /// An expression is not negative, or else an error.
    pub(super) fn require(&mut self, p: &IndexExpr, error: impl FnOnce() -> Error) -> Result<()> {
        if self.is_plain(p) {
            return Ok(());
        }
        let negated = p.negated().map_err(overflow)?;
        self.forbid(&[negated], error())
    }

    /// Two expressions are equal, or else an error.
    pub(super) fn require_equal(&mut self, [p, q]: [&IndexExpr; 2], error: impl Fn() -> Error) -> Result<()> {
        if p == q {
            return Ok(());
        }
        let difference = p.plus(-1, q).map_err(overflow)?;
        self.require(&difference, &error)?;
        self.require(&difference.times(-1).map_err(overflow)?, &error)
    }

    /// The sizes at which the context has a point where these hold are not allowed.
    pub(super) fn forbid(&mut self, conditions: &[IndexExpr], error: Error) -> Result<()> {
        if let Some(forbidden) = self.forbidden_where(conditions, error)?
            && !self.forbidden.iter().any(|of| of.pieces == forbidden.pieces)
        {
            self.forbidden.push(forbidden);
        }
        Ok(())
    }

    fn forbidden_where(&self, conditions: &[IndexExpr], error: Error) -> Result<Option<Forbidden>> {
        let set = self.set(conditions, error.span)?;
        let mut pieces = match set.shadow_on_parameters() {
            Ok(Some(shadow)) => shadow.pieces,
            _ => match self.projected(&[&self.conditions, conditions].concat()) {
                Some(alternatives) => self.sizes(&alternatives, error.span)?,
                None => set.project(|_| false).pieces,
            },
        };
        pieces.retain(|piece| !self.is_plainly_empty(piece));
        let (is_stated, error) = (error.kind == ErrorKind::Guard && self.depth == 1, self.placed(error));
        Ok(if pieces.is_empty() { None } else { Some(Forbidden { pieces, error, is_stated }) })
    }

    /// Where conditions with quotients have a point, as alternatives; `None` if that is not found. The projection is for sizes of at least 1: each extent
    /// is one more there.
    fn projected(&self, conditions: &[IndexExpr]) -> Option<Vec<Vec<IndexExpr>>> {
        let moved = |of: &IndexExpr, by: i64| {
            of.replaced(&|atom| {
                let e = IndexExpr::atom(atom.clone());
                if matches!(atom, Atom::Size(_)) { e.plus_number(by).unwrap_or(e) } else { e }
            })
        };
        let are_extents = conditions
            .iter()
            .all(|of| (0..self.extents.len()).all(|k| self.extents[k] || !of.mentions_size(k)));
        let conditions: Option<Vec<IndexExpr>> = conditions.iter().map(|of| moved(of, -1).ok()).collect();
        let found = sizes_where(self.dims.len(), &conditions.filter(|_| are_extents)?).ok()?;
        found.iter().map(|all| all.iter().map(|of| moved(of, 1).ok()).collect()).collect()
    }

    /// Sizes at which one of some alternatives holds: the columns are those of the parameters.
    fn sizes(&self, alternatives: &[Vec<IndexExpr>], span: Span) -> Result<Vec<BasicSet>> {
        let space = self.system.space(&[]);
        let mut pieces = Vec::new();
        for conditions in alternatives {
            let set = nonnegative(&space, conditions).map_err(|reason| not_affine(reason, span))?;
            pieces.extend(set.pieces);
        }
        Ok(pieces)
    }

    /// An error of a standard function, at the place in the program where it is called.
    pub(super) fn placed(&self, error: Error) -> Error {
        match (&self.call, error.unit) {
            (Some((name, span)), Unit::Prelude) => error.called(name, *span),
            _ => error,
        }
    }

    /// Whether a constraint is seen to fail where sizes are not negative.
    fn is_plainly_empty(&self, piece: &BasicSet) -> bool {
        let is_size = |at: usize| self.extents.get(at) == Some(&true);
        let fails = |row: &polyhedra::Affine| {
            row.constant < 0 && row.terms().all(|(at, coefficient)| is_size(at) && coefficient < 0)
        };
        piece.is_plainly_empty() || piece.inequalities.iter().any(fails)
    }

    /// An error in the context, as what is forbidden; what it would be outside of all loops is an error itself.
    pub(super) fn error_here(&mut self, error: Error) -> Result<()> {
        match self.conditions.is_empty() {
            true => Err(Failure::Error(self.placed(error))),
            false => self.forbid(&[], error),
        }
    }

    /// An error in a branch that is chosen where conditions hold. If only the shape counts, these must not depend on the index.
    pub(super) fn error_in_branch(&mut self, conditions: &[IndexExpr], error: Error) -> Result<()> {
        let depth = self.dims.len();
        let Some(of) = &self.of_shapes else { return self.forbid(&[], error) };
        if conditions.iter().any(|p| (of.outer..depth).any(|k| p.mentions(k))) {
            return refused(error.span, "whether the value has a shape depends on the index");
        }
        let forbidden = self.forbidden_where(&[], error)?;
        if let Some(of) = &mut self.of_shapes {
            of.errors.extend(forbidden);
        }
        Ok(())
    }

    /// Whether an expression is seen not to be negative in the context.
    pub(super) fn is_plain(&self, p: &IndexExpr) -> bool {
        self.is_plain_within(p, 2)
    }

    fn is_plain_within(&self, p: &IndexExpr, depth: usize) -> bool {
        if let Some(least) = p.terms().iter().find_map(|(atom, a)| match atom {
            Atom::Least(of) => Some((of.clone(), *a)),
            _ => None,
        }) {
            let with =
                |e: &IndexExpr| p.with_least(&least.0, e).is_ok_and(|p| self.is_plain_within(&p, depth));
            return if least.1 > 0 { least.0.iter().all(with) } else { least.0.iter().any(with) };
        }
        let is_size = |atom: &Atom| matches!(atom, Atom::Size(k) if self.extents.get(*k) == Some(&true));
        if p.constant() >= 0 && p.terms().iter().all(|(atom, a)| *a > 0 && is_size(atom)) {
            return true;
        }
        // What remains of it without a condition that holds.
        depth > 0
            && self.conditions.iter().any(|condition| {
                let shares = condition.terms().iter().any(|(atom, a)| {
                    p.terms().iter().any(|(other, b)| atom == other && a.signum() == b.signum())
                });
                shares && p.plus(-1, condition).is_ok_and(|rest| self.is_plain_within(&rest, depth - 1))
            })
    }

    /// Whether a condition is seen to hold in the context, or not to hold.
    pub(super) fn decided(&self, condition: &Condition) -> Option<bool> {
        let holds = |of: &[Vec<IndexExpr>]| of.iter().any(|all| all.iter().all(|p| self.is_plain(p)));
        match (holds(&condition.yes), holds(&condition.no)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ if condition.yes.is_empty() => Some(false),
            _ if condition.no.is_empty() => Some(true),
            _ => None,
        }
    }
}

/// `0 ≤ x < extent` for each index.
pub(super) fn within(indices: &[IndexExpr], shape: &[IndexExpr]) -> Result<Vec<IndexExpr>> {
    let mut conditions = Vec::new();
    for (x, extent) in indices.iter().zip(shape) {
        conditions.push(x.clone());
        conditions.push(extent.plus(-1, x).and_then(|e| e.plus_number(-1)).map_err(overflow)?);
    }
    Ok(conditions)
}

/// An error.
pub(super) fn error_of(kind: ErrorKind, unit: Unit, span: Span, message: impl Into<String>) -> Error {
    Error { kind, message: message.into(), span, unit }
}
