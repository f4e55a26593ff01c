//! Membership of points in domains, as conditions without quantifiers.

use super::{CoreLowering, Part, Recurrences, Refused, Region, regions};
use crate::patterns::dimension_names;
use crate::syntax::{DomainId, ExprId};
use base::diagnostics::Span;
use polyhedra::AffineMap;
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::Program;
use std::collections::BTreeMap;

static UNROLLED: Recurrences = Recurrences::Unrolled;

/// The domains of a system.
pub struct Membership<'a>(CoreLowering<'a>);

impl<'a> Membership<'a> {
    /// The domains of a typed system.
    pub fn new(part: &'a Part<'a>) -> Membership<'a> {
        Membership(CoreLowering::new([part, part], &BTreeMap::new(), Default::default(), &UNROLLED))
    }

    /// The program with the names of variables, for printing conditions.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// The parameters.
    pub fn parameters(&self) -> Vec<Index> {
        self.0.symbols.iter().map(|&v| Index::from(v)).collect()
    }

    /// Fresh indices.
    pub fn point(&mut self, rank: usize) -> (Vec<Variable>, Vec<Index>) {
        self.0.fresh(&dimension_names(rank))
    }

    /// `p ∈ Domain(e)`, or a condition that follows from it.
    ///
    /// # Errors
    /// No such condition was found.
    pub fn in_expression(&self, e: ExprId, at: &[Index]) -> Result<Region, Refused> {
        self.0.region(e, at)
    }

    /// `p ∈ D`
    ///
    /// # Errors
    /// No such condition was found.
    pub fn in_domain(&self, d: DomainId, at: &[Index]) -> Result<Condition, Refused> {
        self.0.domain(d, at)
    }

    /// `f(p)`
    ///
    /// # Errors
    /// The map has quantified terms.
    pub fn value(&self, f: &AffineMap, at: &[Index]) -> Result<Vec<Index>, Refused> {
        self.0.applied(f, at, Span::default())
    }

    /// Whether some values of variables put a point into a set, or a condition that follows from it.
    pub fn exists(&self, variables: &[Variable], region: Region) -> Region {
        regions::shadow(variables, region.condition, region.is_exact)
    }
}
