//! The interface of engines, which decide questions about index sets.

use crate::error::EngineError;
use crate::map::AffineMap;
use crate::relation::IndexRelation;
use crate::set::IndexSet;

/// A point of a set, with the parameter values for which the set contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The values of the parameters.
    pub parameters: Vec<i64>,
    /// The coordinates.
    pub point: Vec<i64>,
}

/// The transitive closure of a relation, or a relation that contains it.
#[derive(Clone, Debug)]
pub struct Closure {
    /// The closure.
    pub relation: IndexRelation,
    /// Whether it is exactly the closure; otherwise it is a superset.
    pub exact: bool,
}

/// A function given by pieces: each map applies to arguments in its set.
pub type PiecewiseMap = Vec<(IndexSet, AffineMap)>;

/// Decides questions about sets. Every method may fail with [`EngineError::OutOfBudget`]; operands in different spaces
/// are an error, never a verdict. Returned sets have floor terms but no existentially quantified ones.
pub trait Engine {
    /// Whether the set is empty for all parameters.
    ///
    /// # Errors
    /// Out of budget.
    fn is_empty(&self, a: &IndexSet) -> Result<bool, EngineError>;
    /// `a ⊆ b` for all parameters.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn is_subset(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError>;
    /// `a = b` for all parameters.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn is_equal(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError>;
    /// `a ∩ b = ∅` for all parameters.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn is_disjoint(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError>;
    /// Whether the set has finitely many points for each value of the parameters.
    ///
    /// # Errors
    /// Out of budget.
    fn is_bounded(&self, a: &IndexSet) -> Result<bool, EngineError>;
    /// Some point of the set, if it is not empty.
    ///
    /// # Errors
    /// Out of budget.
    fn sample(&self, a: &IndexSet) -> Result<Option<Sample>, EngineError>;
    /// `{ x | x ∈ a, x ∈ b }`, simplified.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn intersection(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError>;
    /// `{ x | x ∈ a or x ∈ b }`, simplified.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn union(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError>;
    /// `{ x | x ∈ a, x ∉ b }`; implemented in `polyhedra/isl/src/engine.rs`, `difference`.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn difference(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The points of the space that are not in the set.
    ///
    /// # Errors
    /// Out of budget.
    fn complement(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The integer points of a polyhedron around the set, over points and parameters together: the convex hull of
    /// the pieces as rational polyhedra, with every bounding hyperplane moved until it touches the set. It is the
    /// smallest such polyhedron if the vertices of the pieces are integer points.
    ///
    /// # Errors
    /// Out of budget.
    fn convex_cover(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The integer points of the closed convex hull of the set, for each value of the parameters.
    ///
    /// # Errors
    /// Out of budget, or [`EngineError::Unsupported`] if [`Engine::convex_cover`] is not that hull.
    fn convex_hull(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        crate::hull::convex_hull(self, a)
    }
    /// The integer points of the smallest affine subspace around the set, over points and parameters together.
    ///
    /// # Errors
    /// Out of budget.
    fn affine_hull(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The integer points of the rational projection onto the dimensions that `keep` admits: the other coordinates
    /// and the locals of each piece, as written, may be fractions. A floor term `q = ⌊n / d⌋` then only satisfies
    /// `0 ≤ n − d·q ≤ d − 1`.
    ///
    /// # Errors
    /// Out of budget.
    fn shadow(&self, a: &IndexSet, keep: &dyn Fn(usize) -> bool) -> Result<IndexSet, EngineError>;
    /// The set, rewritten without existentially quantified terms.
    ///
    /// # Errors
    /// Out of budget.
    fn eliminate_existentials(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The parameter values for which the set is not empty, as a set without dimensions.
    ///
    /// # Errors
    /// Out of budget.
    fn parameters(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.eliminate_existentials(&a.project(|_| false))
    }
    /// The set, in fewer pieces if the engine detects it.
    ///
    /// # Errors
    /// Out of budget.
    fn coalesce(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// A simpler set that agrees with `a` on `context`.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn gist(&self, a: &IndexSet, context: &IndexSet) -> Result<IndexSet, EngineError>;
    /// The lexicographically least point for each value of the parameters for which the set is not empty.
    ///
    /// # Errors
    /// Out of budget, or [`EngineError::Unbounded`] if a nonempty set has no least point.
    fn lexicographic_minimum(&self, a: &IndexSet) -> Result<IndexSet, EngineError>;
    /// All points of a set without parameters, in lexicographic order.
    ///
    /// # Errors
    /// The set has infinitely many points, more than `limit`, or parameters.
    fn enumerate(&self, a: &IndexSet, limit: usize) -> Result<Vec<Vec<i64>>, EngineError>;
    /// The relation with floor terms instead of existentially quantified terms, in fewer pieces if the engine
    /// detects it.
    ///
    /// # Errors
    /// Out of budget.
    fn simplify(&self, r: &IndexRelation) -> Result<IndexRelation, EngineError>;
    /// Whether every point is related to at most one point.
    ///
    /// # Errors
    /// Out of budget.
    fn is_single_valued(&self, r: &IndexRelation) -> Result<bool, EngineError>;
    /// Whether the relation is single-valued and no two points are related to the same point.
    ///
    /// # Errors
    /// Out of budget.
    fn is_bijective(&self, r: &IndexRelation) -> Result<bool, EngineError>;
    /// `r ∪ r∘r ∪ r∘r∘r ∪ …` for a relation of a space with itself.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn transitive_closure(&self, r: &IndexRelation) -> Result<Closure, EngineError>;
    /// A single-valued relation as a function from its domain.
    ///
    /// # Errors
    /// Out of budget, or the relation is not single-valued.
    fn piecewise(&self, r: &IndexRelation) -> Result<PiecewiseMap, EngineError>;
    /// The inverse of a map on a set where it is injective, as a function on the image.
    ///
    /// # Errors
    /// Out of budget, different spaces, or the map is not injective there.
    fn inverse(&self, f: &AffineMap, on: &IndexSet) -> Result<PiecewiseMap, EngineError> {
        self.piecewise(&f.graph()?.restrict_domain(on)?.inverse())
    }
    /// **set-image** (§5): `{ f(z) | z ∈ a }`, simplified.
    ///
    /// # Errors
    /// Out of budget, or different spaces.
    fn image(&self, a: &IndexSet, f: &AffineMap) -> Result<IndexSet, EngineError> {
        self.eliminate_existentials(&a.image(f)?)
    }
}
