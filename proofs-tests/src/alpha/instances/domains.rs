//! Domains: boxes with further constraints, unions, whole fibres, half spaces.

use super::Maker;
use alpha::theorems::{SideCondition, Theorem};
use generators::choices::DecisionSource;
use polyhedra::{Affine, BasicSet, EngineError, IndexSet};

/// The upper bounds of coordinates of bounded domains; the parameter is another. The lower bound is 0. A box has
/// at most 64 points in three dimensions, far fewer than are compared, and with 0 a dimension has one.
const HIGHS: [i64; 4] = [0, 1, 2, 3];

impl Maker<'_> {
    pub(super) fn domains(&mut self, theorem: &Theorem) -> Result<(), EngineError> {
        let named: Vec<(&str, usize)> =
            self.shapes.iter().filter(|s| s.name.starts_with('D')).map(|s| (s.name, s.from)).collect();
        let fibred = theorem.conditions.iter().any(|c| matches!(c, SideCondition::ConstantOnFibres(..)));
        for (name, rank) in named {
            let set = match self.given.functions.get("f").cloned() {
                Some(f) if fibred && !self.random.once_in(4) => {
                    self.polyhedron(f.outputs.len())?.preimage(&f)?
                }
                _ => self.domain(rank)?,
            };
            self.given.domains.insert(name.into(), set);
        }
        Ok(())
    }

    /// A domain, mostly bounded: a box with up to two more constraints, or the union of two; or a box in other
    /// coordinates.
    pub(super) fn domain(&mut self, rank: usize) -> Result<IndexSet, EngineError> {
        match self.frame.clone() {
            Some(frame) if frame.space.rank() == rank && !self.random.once_in(4) => {
                return self.boxed(rank)?.preimage(&frame);
            }
            _ => {}
        }
        let mut set = self.boxed(rank)?.intersect(&self.polyhedron(rank)?)?;
        if self.random.once_in(4) {
            let more = self.boxed(rank)?.intersect(&self.polyhedron(rank)?)?;
            set.pieces.extend(more.pieces);
        }
        Ok(set)
    }

    /// A box with each coordinate from 0 to a bound; with probability 1/8, some bounds are missing.
    pub(super) fn boxed(&mut self, rank: usize) -> Result<IndexSet, EngineError> {
        let open = self.random.once_in(8);
        let mut bounds = Vec::new();
        for d in 0..rank {
            let high = self.offset(&HIGHS).plus(-1, &self.coordinate(d))?;
            for bound in [self.coordinate(d), high] {
                if !open || self.random.once_in(2) {
                    bounds.push(bound);
                }
            }
        }
        Ok(IndexSet::constrained(self.space(rank), Vec::new(), bounds))
    }

    /// A polyhedron of up to two constraints; its equalities include strides, `i = 2j`.
    pub(super) fn polyhedron(&mut self, rank: usize) -> Result<IndexSet, EngineError> {
        let mut piece = BasicSet::universe();
        for _ in 0..self.random.below(3) {
            if self.random.once_in(3) {
                piece.equalities.push(self.affine(rank, &[0, 1, -1, 2, -2], &[0, 0, 0, 1, -1])?);
            } else {
                let e = self.affine(rank, &[0, 1, 1, -1, -1, 2, -2], &[0, 0, 1, -1, 2])?;
                piece.inequalities.push(e);
            }
        }
        Ok(IndexSet { space: self.space(rank), pieces: vec![piece] })
    }

    /// Half of the time, separates the domains of `E1`, `E2` and `E3`, if they are over one space.
    pub(super) fn part(&mut self) -> Result<(), EngineError> {
        if let (Some((a, _)), Some((b, _))) = (self.shape("E1"), self.shape("E2"))
            && a == b
            && self.random.once_in(2)
        {
            let mut hyperplane = || self.affine(a, &[0, 1, 1, -1], &[0, -1, -2]);
            self.parting = Some([hyperplane()?, hyperplane()?]);
        }
        Ok(())
    }

    /// The region to which an expression is confined.
    pub(super) fn parted(&self, name: &str, rank: usize) -> Result<IndexSet, EngineError> {
        let space = self.space(rank);
        let Some([first, second]) = &self.parting else { return Ok(IndexSet::universe(space)) };
        let not = |e: &Affine| Affine::constant(-1).plus(-1, e);
        let constraints = match name {
            "E1" => vec![first.clone()],
            "E2" => vec![not(first)?, second.clone()],
            "E3" => vec![not(first)?, not(second)?],
            _ => Vec::new(),
        };
        Ok(IndexSet::constrained(space, Vec::new(), constraints))
    }
}
