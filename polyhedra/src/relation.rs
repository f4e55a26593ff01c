//! Relations between the points of two spaces.

use crate::affine::Affine;
use crate::basic::BasicSet;
use crate::error::EngineError;
use crate::set::{IndexSet, compatible};
use crate::space::{Name, Space};

/// A set of pairs of points, for each value of the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexRelation {
    /// The pairs as points: the dimensions of the domain, then those of the range.
    pub graph: IndexSet,
    /// The number of dimensions of the domain.
    pub inputs: usize,
}

impl IndexRelation {
    /// The union of pieces whose columns are parameters, dimensions of `domain`, dimensions of `range`, locals.
    pub fn new(domain: Space, range: Space, pieces: Vec<BasicSet>) -> IndexRelation {
        let inputs = domain.rank();
        let both = domain.dimensions.iter().chain(range.dimensions.iter()).cloned().collect::<Vec<Name>>();
        IndexRelation { graph: IndexSet { space: domain.with_dimensions(both), pieces }, inputs }
    }

    /// `{ (z, z) }`
    pub fn identity(space: &Space) -> IndexRelation {
        let (rank, first) = (space.rank(), space.column(0));
        let equal = |d: usize| {
            let mut coefficients = vec![0; first + rank + d + 1];
            (coefficients[first + d], coefficients[first + rank + d]) = (1, -1);
            Affine::new(coefficients, 0)
        };
        let piece = BasicSet { equalities: (0..rank).map(equal).collect(), ..BasicSet::default() };
        IndexRelation::new(space.clone(), space.clone(), vec![piece])
    }

    /// The space of the domain.
    pub fn domain_space(&self) -> Space {
        self.graph.space.with_dimensions(self.graph.space.dimensions[..self.inputs].iter().cloned())
    }

    /// The space of the range.
    pub fn range_space(&self) -> Space {
        self.graph.space.with_dimensions(self.graph.space.dimensions[self.inputs..].iter().cloned())
    }

    /// The domain; computed syntactically, by existential quantification.
    pub fn domain(&self) -> IndexSet {
        self.graph.project(|d| d < self.inputs)
    }

    /// The range; computed syntactically, by existential quantification.
    pub fn range(&self) -> IndexSet {
        self.graph.project(|d| d >= self.inputs)
    }

    /// The inverse relation.
    pub fn inverse(&self) -> IndexRelation {
        let first = self.graph.space.column(0);
        let (inputs, outputs) = (self.inputs, self.graph.space.rank() - self.inputs);
        let to = |at: usize| match at.checked_sub(first) {
            Some(d) if d < inputs => at + outputs,
            Some(d) if d < inputs + outputs => at - inputs,
            _ => at,
        };
        let pieces = self.graph.pieces.iter().map(|piece| piece.moved(to)).collect();
        IndexRelation::new(self.range_space(), self.domain_space(), pieces)
    }

    /// The pairs whose first point is in a set.
    ///
    /// # Errors
    /// The set is in another space.
    pub fn restrict_domain(&self, set: &IndexSet) -> Result<IndexRelation, EngineError> {
        compatible(&self.domain_space(), &set.space)?;
        let outputs = self.graph.space.rank() - self.inputs;
        let inner = set.space.columns();
        let wider = |piece: &BasicSet| piece.moved(|at| if at < inner { at } else { at + outputs });
        let pieces = set.pieces.iter().map(wider).collect();
        let wide = IndexSet { space: self.graph.space.clone(), pieces };
        Ok(IndexRelation { graph: wide.intersect(&self.graph)?, inputs: self.inputs })
    }

    /// The pairs whose second point is in a set.
    ///
    /// # Errors
    /// The set is in another space.
    pub fn restrict_range(&self, set: &IndexSet) -> Result<IndexRelation, EngineError> {
        Ok(self.inverse().restrict_domain(set)?.inverse())
    }

    /// `self ∘ inner`, first `inner`, then `self`; computed syntactically: the intermediate points become
    /// existentially quantified.
    ///
    /// # Errors
    /// The intermediate spaces differ, or there are too many pieces.
    pub fn after(&self, inner: &IndexRelation) -> Result<IndexRelation, EngineError> {
        compatible(&inner.range_space(), &self.domain_space())?;
        let (a, b) = (inner.inputs, self.inputs);
        let c = self.graph.space.rank() - b;
        let first = self.graph.space.column(0);
        let names = inner.graph.space.dimensions.iter().chain(&self.graph.space.dimensions[b..]).cloned();
        let space = inner.graph.space.with_dimensions(names.collect::<Vec<_>>());
        let early = |at: usize| if at < first + a + b { at } else { at + c };
        let late = |at: usize| if at < first { at } else { at + a };
        let over = |relation: &IndexRelation, to: &dyn Fn(usize) -> usize| {
            let pieces = relation.graph.pieces.iter().map(|piece| piece.moved(to)).collect();
            IndexSet { space: space.clone(), pieces }
        };
        let triples = over(inner, &early).intersect(&over(self, &late))?;
        Ok(IndexRelation { graph: triples.project(|d| d < a || d >= a + b), inputs: a })
    }

    /// The union of both relations.
    ///
    /// # Errors
    /// The spaces differ.
    pub fn union(&self, other: &IndexRelation) -> Result<IndexRelation, EngineError> {
        compatible(&self.domain_space(), &other.domain_space())?;
        Ok(IndexRelation { graph: self.graph.union(&other.graph)?, inputs: self.inputs })
    }

    /// The union of both relations, with all pieces kept in order.
    pub(crate) fn with_pieces_of(mut self, other: IndexRelation) -> Result<IndexRelation, EngineError> {
        compatible(&self.domain_space(), &other.domain_space())?;
        self.graph.require_compatible(&other.graph)?;
        self.graph.pieces.extend(other.graph.pieces);
        Ok(self)
    }

    /// The intersection of both relations.
    ///
    /// # Errors
    /// The spaces differ.
    pub fn intersect(&self, other: &IndexRelation) -> Result<IndexRelation, EngineError> {
        compatible(&self.domain_space(), &other.domain_space())?;
        Ok(IndexRelation { graph: self.graph.intersect(&other.graph)?, inputs: self.inputs })
    }
}
