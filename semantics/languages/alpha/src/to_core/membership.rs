//! Whether points are in domains, as conditions without quantifiers.

use super::{Lowering, Part, Recurrences, Refused, Region, regions};
use crate::syntax::{DomainId, ExprId};
use base::diagnostics::Span;
use polyhedra::AffineMap;
use selfsame_core::condition::Condition;
use selfsame_core::index::{Index, Variable};
use selfsame_core::syntax::Program;
use std::collections::BTreeMap;
use values::Division;

static UNROLLED: Recurrences = Recurrences::Unrolled;

/// The domains of a system.
pub struct Membership<'a>(Lowering<'a>);

impl<'a> Membership<'a> {
    /// The domains of a typed system.
    pub fn new(part: &'a Part<'a>) -> Membership<'a> {
        Membership(Lowering::new([part, part], &BTreeMap::new(), Division::default(), &UNROLLED))
    }

    /// Names for conditions.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// The parameters.
    pub fn parameters(&self) -> Vec<Index> {
        self.0.symbols.iter().map(|&v| Index::from(v)).collect()
    }

    /// New indices.
    pub fn point(&mut self, rank: usize) -> (Vec<Variable>, Vec<Index>) {
        self.0.fresh(rank)
    }

    /// `p ∈ Domain(e)`, or what follows from it.
    ///
    /// # Errors
    /// There is no such condition that is seen.
    pub fn in_expression(&self, e: ExprId, at: &[Index]) -> Result<Region, Refused> {
        self.0.region(e, at)
    }

    /// `p ∈ D`
    ///
    /// # Errors
    /// There is no such condition that is seen.
    pub fn in_domain(&self, d: DomainId, at: &[Index]) -> Result<Condition, Refused> {
        self.0.domain(d, at)
    }

    /// `f(p)`
    ///
    /// # Errors
    /// It has quantified terms.
    pub fn value(&self, f: &AffineMap, at: &[Index]) -> Result<Vec<Index>, Refused> {
        self.0.applied(f, at, Span::default())
    }

    /// Whether there are values of variables with which a point is in a set, or what follows from it.
    pub fn exists(&self, variables: &[Variable], region: Region) -> Region {
        regions::shadow(variables, region.condition, region.is_exact)
    }
}
