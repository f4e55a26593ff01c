//! Index sets: finite unions of basic sets.

use crate::affine::Affine;
use crate::basic::{BasicSet, Local};
use crate::elimination::shadow;
use crate::error::EngineError;
use crate::map::AffineMap;
use crate::space::{Name, Space};

/// **alpha-definition-7** (Definition 7), **alpha-eq-3** (eq. 3): a set of integer points, for each value of the
/// parameters: the union of its pieces, which may overlap.
///
/// `==` compares representations; whether two sets have the same points is for an [`Engine`](crate::Engine) to
/// decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexSet {
    /// The parameters and dimensions.
    pub space: Space,
    /// The pieces; the empty set may have none.
    pub pieces: Vec<BasicSet>,
}

impl IndexSet {
    /// All points of a space.
    pub fn universe(space: Space) -> IndexSet {
        IndexSet { space, pieces: vec![BasicSet::universe()] }
    }

    /// The empty set.
    pub fn empty(space: Space) -> IndexSet {
        IndexSet { space, pieces: Vec::new() }
    }

    /// The points at which all `equalities` are 0 and all `inequalities` are nonnegative.
    pub fn constrained(space: Space, equalities: Vec<Affine>, inequalities: Vec<Affine>) -> IndexSet {
        IndexSet { space, pieces: vec![BasicSet { locals: Vec::new(), equalities, inequalities }] }
    }

    /// The points of one piece in the space of this set.
    pub fn of_piece(&self, piece: &BasicSet) -> IndexSet {
        IndexSet { space: self.space.clone(), pieces: vec![piece.clone()] }
    }

    /// Whether there are no pieces. A set with pieces can be empty, too; an engine decides that.
    pub fn is_plainly_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Checks that both sets are in compatible spaces.
    ///
    /// # Errors
    /// The spaces are not compatible.
    pub fn require_compatible(&self, other: &IndexSet) -> Result<(), EngineError> {
        compatible(&self.space, &other.space)
    }

    /// **set-intersection** (§5), by representation: every piece with every piece. `Domain()` uses
    /// [`Engine::intersection`](crate::Engine::intersection).
    ///
    /// # Errors
    /// The spaces are not compatible, or there are more than [`MAX_PIECES`] pieces.
    pub fn intersect(&self, other: &IndexSet) -> Result<IndexSet, EngineError> {
        self.require_compatible(other)?;
        if self.pieces.len().saturating_mul(other.pieces.len()) > MAX_PIECES {
            let operands = format!("unions of {} and {} pieces", self.pieces.len(), other.pieces.len());
            return Err(EngineError::OutOfBudget { operation: "intersection", operands });
        }
        let outer = self.space.columns();
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| a.intersect(b, outer)));
        let pieces = pairs.filter(|piece| !piece.is_plainly_empty()).collect();
        Ok(IndexSet { space: self.space.clone(), pieces })
    }

    /// **set-union** (§5), by representation: the pieces of both. `Domain()` uses
    /// [`Engine::union`](crate::Engine::union).
    ///
    /// # Errors
    /// The spaces are not compatible.
    pub fn union(&self, other: &IndexSet) -> Result<IndexSet, EngineError> {
        self.require_compatible(other)?;
        let mut union = self.clone();
        union.pieces.extend(other.pieces.iter().filter(|piece| !self.pieces.contains(piece)).cloned());
        Ok(union)
    }

    /// **set-preimage** (§5): `{ z | f(z) ∈ self }`
    ///
    /// # Errors
    /// The map's codomain is another space, or a coefficient exceeds 64 bits.
    pub fn preimage(&self, f: &AffineMap) -> Result<IndexSet, EngineError> {
        if self.space.parameters != f.space.parameters || self.space.rank() != f.outputs.len() {
            return Err(EngineError::Spaces(Box::new(self.space.clone()), Box::new(f.target())));
        }
        let pieces =
            self.pieces.iter().map(|piece| f.substituted(piece)).collect::<Result<Vec<_>, EngineError>>()?;
        let pieces = pieces.into_iter().filter(|piece| !piece.is_plainly_empty()).collect();
        Ok(IndexSet { space: f.space.clone(), pieces })
    }

    /// **set-image** (§5): `{ f(z) | z ∈ self }`, by representation: the points of `self` become existentially
    /// quantified. `Domain()` uses [`Engine::image`](crate::Engine::image).
    ///
    /// # Errors
    /// The map's domain is another space, or a coefficient exceeds 64 bits.
    pub fn image(&self, f: &AffineMap) -> Result<IndexSet, EngineError> {
        Ok(f.graph()?.restrict_domain(self)?.range())
    }

    /// The projection onto the dimensions that `keep` admits; computed syntactically: the others become
    /// existentially quantified.
    pub fn project(&self, keep: impl Fn(usize) -> bool) -> IndexSet {
        let parameters = self.space.parameters.len();
        let (kept, dropped): (Vec<usize>, Vec<usize>) = (0..self.space.rank()).partition(|&d| keep(d));
        let mut to: Vec<usize> = (0..parameters).collect();
        to.resize(self.space.columns(), 0);
        for (at, &dimension) in kept.iter().chain(&dropped).enumerate() {
            to[self.space.column(dimension)] = parameters + at;
        }
        let project = |piece: &BasicSet| {
            let mut piece = piece.moved(|at| to.get(at).copied().unwrap_or(at));
            piece.locals.splice(0..0, dropped.iter().map(|_| Local::Exists));
            piece
        };
        let names = kept.iter().map(|&d| self.space.dimensions[d].clone());
        let space = self.space.with_dimensions(names);
        IndexSet { space, pieces: self.pieces.iter().map(project).collect() }
    }

    /// The projection onto the parameters, without quantified terms; `None` if elimination does not find it: a piece has local columns, or
    /// two bounds of a column of which neither has the coefficient 1.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits, or there are too many rows.
    pub fn shadow_on_parameters(&self) -> Result<Option<IndexSet>, EngineError> {
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            match shadow(piece, self.space.parameters.len(), self.space.columns())? {
                Some(rows) => pieces.push(BasicSet { inequalities: rows, ..BasicSet::default() }),
                None => return Ok(None),
            }
        }
        pieces.retain(|piece| !piece.is_plainly_empty());
        Ok(Some(IndexSet { space: self.space.with_dimensions([]), pieces }))
    }

    /// The set with renamed dimensions.
    ///
    /// # Errors
    /// The number of names differs from the number of dimensions.
    pub fn renamed(&self, dimensions: &[Name]) -> Result<IndexSet, EngineError> {
        let space = self.space.with_dimensions(dimensions.iter().cloned());
        compatible(&self.space, &space)?;
        Ok(IndexSet { space, pieces: self.pieces.clone() })
    }

    /// The set at given parameter values; the result has no parameters.
    ///
    /// # Errors
    /// A constant exceeds 64 bits.
    pub fn at_parameters(&self, values: &[i64]) -> Result<IndexSet, EngineError> {
        let parameters = self.space.parameters.len();
        let fix = |at: usize| match values.get(at) {
            Some(&value) if at < parameters => Affine::constant(value),
            _ => Affine::column(at.saturating_sub(parameters)),
        };
        let fixed = |piece: &BasicSet| piece.map(|affine| affine.substitute(fix));
        let pieces = self.pieces.iter().map(fixed).collect::<Result<Vec<_>, EngineError>>()?;
        let pieces = pieces.into_iter().filter(|piece| !piece.is_plainly_empty()).collect();
        let space = Space { parameters: [].into(), dimensions: self.space.dimensions.clone() };
        Ok(IndexSet { space, pieces })
    }

    /// Lifts a set without dimensions to `space`: for each value of the parameters, all points or none.
    pub fn parameters_in(&self, space: &Space) -> IndexSet {
        let outer = space.parameters.len();
        let wider = |piece: &BasicSet| piece.moved(|at| if at < outer { at } else { at + space.rank() });
        IndexSet { space: space.clone(), pieces: self.pieces.iter().map(wider).collect() }
    }

    /// The recession directions of the set's polyhedra, for any parameters: their constraints without constants
    /// and parameters. For parameters at which a polyhedron is empty, the result may have too many directions.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn directions(&self) -> Result<IndexSet, EngineError> {
        let parameters = self.space.parameters.len();
        let homogeneous = |affine: &Affine| Ok(affine.linear_part(parameters));
        let directions = |piece: &BasicSet| piece.with_fractions(self.space.columns())?.map(homogeneous);
        let pieces = self.pieces.iter().map(directions).collect::<Result<_, EngineError>>()?;
        Ok(IndexSet { space: self.space.clone(), pieces })
    }

    /// The points whose coordinates lie within inclusive ranges, one per dimension.
    ///
    /// # Errors
    /// A constant exceeds 64 bits.
    pub fn within(&self, ranges: &[(i64, i64)]) -> Result<IndexSet, EngineError> {
        let mut bounds = Vec::new();
        for (d, &(low, high)) in ranges.iter().enumerate() {
            let z = Affine::column(self.space.column(d));
            bounds.push(z.plus(-1, &Affine::constant(low))?);
            bounds.push(Affine::constant(high).plus(-1, &z)?);
        }
        self.intersect(&IndexSet::constrained(self.space.clone(), Vec::new(), bounds))
    }

    /// The points whose first columns (parameters, then dimensions) have these values.
    ///
    /// # Errors
    /// A constant exceeds 64 bits.
    pub fn with_columns(space: &Space, values: &[i64]) -> Result<IndexSet, EngineError> {
        let fixed = |(at, value): (usize, &i64)| Affine::column(at).plus(-1, &Affine::constant(*value));
        let equalities = values.iter().enumerate().map(fixed).collect::<Result<_, EngineError>>()?;
        Ok(IndexSet::constrained(space.clone(), equalities, Vec::new()))
    }

    /// The set with its parameters turned into leading dimensions.
    pub fn parameters_as_dimensions(&self) -> IndexSet {
        let dimensions = self.space.parameters.iter().chain(self.space.dimensions.iter()).cloned();
        let space = Space { parameters: [].into(), dimensions: dimensions.collect() };
        IndexSet { space, pieces: self.pieces.clone() }
    }
}

/// The maximum number of pieces of an intersection of unions: that of two unions of 140 pieces takes at most 0.3
/// s and 30 MB (2026-11-27, a debug build), and what follows, such as whether it is empty, is a question for each
/// piece.
pub const MAX_PIECES: usize = 20_000;

pub(crate) fn compatible(a: &Space, b: &Space) -> Result<(), EngineError> {
    match a.is_compatible(b) {
        true => Ok(()),
        false => Err(EngineError::Spaces(Box::new(a.clone()), Box::new(b.clone()))),
    }
}
