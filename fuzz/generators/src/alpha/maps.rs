//! Generates affine maps, each with a set that contains the image of a given one.

use super::bounds;
use super::regions::relaxed;
use super::{SystemGenerator, must};
use crate::choices::DecisionSource;
use polyhedra::{Affine, AffineMap, IndexSet, Space};

/// A map out of the space of a set.
pub(super) struct Change {
    /// The map.
    pub(super) map: AffineMap,
    /// A set that contains the image.
    pub(super) image: IndexSet,
}

/// A bijection of ℤⁿ and its inverse.
pub(super) struct Bijection {
    pub(super) forth: AffineMap,
    pub(super) back: AffineMap,
}

/// The expression of a coordinate.
pub(super) fn coordinate(space: &Space, d: usize) -> Affine {
    Affine::column(space.column(d))
}

impl<C: DecisionSource> SystemGenerator<'_, C> {
    /// A space of `rank` dimensions.
    pub(super) fn space(&mut self, rank: usize) -> Space {
        let names: &[&str] =
            if self.choices.once_in(3) { &["x", "y", "z", "w"] } else { &["i", "j", "k", "l"] };
        Space { parameters: self.system.parameters.clone(), dimensions: polyhedra::names(&names[..rank]) }
    }

    /// `c`, or `c + N`, or `c − N`.
    pub(super) fn offset(&mut self) -> Affine {
        let constant = Affine::constant(self.choices.below(5) as i64 - 2);
        match self.system.parameters.len() {
            parameters if parameters > 0 && self.choices.once_in(4) => {
                let column = Affine::column(self.choices.below(parameters));
                must(constant.plus(self.choices.pick(&[1, -1]), &column))
            }
            _ => constant,
        }
    }

    /// A random affine expression with small coefficients over all columns.
    pub(super) fn affine(&mut self, space: &Space) -> Affine {
        let offset = self.offset();
        (0..space.rank()).fold(offset, |sum, d| {
            let factor = self.choices.pick(&[0, 0, 1, 1, -1, 2]);
            must(sum.plus(factor, &coordinate(space, d)))
        })
    }

    /// A random bijection: exchanges, additions of one coordinate to another, reflections and shifts.
    pub(super) fn bijection(&mut self, space: &Space) -> Bijection {
        let identity = AffineMap::identity(space.clone());
        let mut bijection = Bijection { forth: identity.clone(), back: identity };
        for _ in 0..1 + self.choices.below(3) {
            let (forth, back) = self.elementary(space);
            bijection.forth = must(forth.after(&bijection.forth));
            bijection.back = must(bijection.back.after(&back));
        }
        bijection
    }

    /// One elementary bijection and its inverse.
    fn elementary(&mut self, space: &Space) -> (AffineMap, AffineMap) {
        let identity = AffineMap::identity(space.clone());
        let (mut forth, mut back) = (identity.clone(), identity);
        let rank = space.rank();
        if rank == 0 {
            return (forth, back);
        }
        let d = self.choices.below(rank);
        match self.choices.below(4) {
            0 if rank > 1 => {
                let other = (d + 1 + self.choices.below(rank - 1)) % rank;
                forth.outputs.swap(d, other);
                back.outputs.swap(d, other);
            }
            1 if rank > 1 => {
                let other = coordinate(space, (d + 1 + self.choices.below(rank - 1)) % rank);
                let factor = self.choices.pick(&[1, -1]);
                forth.outputs[d] = must(forth.outputs[d].plus(factor, &other));
                back.outputs[d] = must(back.outputs[d].plus(-factor, &other));
            }
            2 => {
                forth.outputs[d] = must(Affine::default().plus(-1, &forth.outputs[d]));
                back.outputs[d] = forth.outputs[d].clone();
            }
            _ => {
                let offset = self.offset();
                forth.outputs[d] = must(forth.outputs[d].plus(1, &offset));
                back.outputs[d] = must(back.outputs[d].plus(-1, &offset));
            }
        }
        (forth, back)
    }

    /// A map out of the space of `set`, into at most `max_rank` dimensions.
    pub(super) fn change(&mut self, set: &IndexSet, max_rank: usize) -> Change {
        match self.choices.below(5) {
            0 if set.space.rank() > 0 => self.projection(set),
            1 if set.space.rank() < max_rank => self.embedding(set),
            2 => self.anywhere(set, max_rank),
            _ if set.space.rank() > max_rank => self.anywhere(set, max_rank),
            _ => {
                let Bijection { forth, back } = self.bijection(&set.space);
                Change { map: forth, image: must(set.preimage(&back)) }
            }
        }
    }

    /// Drops a coordinate; the image satisfies the constraints that do not mention it.
    fn projection(&mut self, set: &IndexSet) -> Change {
        let dropped = self.choices.below(set.space.rank());
        let kept: Vec<usize> = (0..set.space.rank()).filter(|&d| d != dropped).collect();
        let outputs = kept.iter().map(|&d| coordinate(&set.space, d)).collect();
        let map = AffineMap::new(set.space.clone(), outputs);
        let column = set.space.column(dropped);
        let space = set.space.with_dimensions(kept.iter().map(|&d| set.space.dimensions[d].clone()));
        let without = relaxed(set, |e| e.coefficient(column) == 0);
        let pieces =
            without.pieces.iter().map(|piece| piece.moved(|at| if at > column { at - 1 } else { at }));
        let image = IndexSet { space, pieces: pieces.collect() };
        let around = self.shape.bounded.and_then(|high| bounds::around_image(set, &map, high));
        let image = around.map_or(image.clone(), |around| must(image.intersect(&around)));
        Change { map, image }
    }

    /// `z ↦ U·(z, a(z))`, into an additional dimension: the image contains the points that map back into the set.
    fn embedding(&mut self, set: &IndexSet) -> Change {
        let space = self.space(set.space.rank() + 1);
        let mut outputs: Vec<Affine> = (0..set.space.rank()).map(|d| coordinate(&set.space, d)).collect();
        outputs.push(self.affine(&set.space));
        let Bijection { forth, back } = self.bijection(&space);
        let map = must(forth.after(&AffineMap::new(set.space.clone(), outputs)));
        let left_inverse = AffineMap::new(space.clone(), back.outputs[..set.space.rank()].to_vec());
        let there = must(map.after(&left_inverse)).outputs;
        let on_image = |(d, output): (usize, &Affine)| must(output.plus(-1, &coordinate(&space, d)));
        let equalities = there.iter().enumerate().map(on_image).filter(|e| *e != Affine::default()).collect();
        let image = IndexSet::constrained(space, equalities, Vec::new());
        Change { map, image: must(must(set.preimage(&left_inverse)).intersect(&image)) }
    }

    /// An arbitrary map, strides and constants included: the image is only known to lie in the space, or in a box
    /// around it.
    fn anywhere(&mut self, set: &IndexSet, max_rank: usize) -> Change {
        let rank = self.choices.below(max_rank + 1);
        let (space, map) = (self.space(rank), self.map_into(&set.space, rank));
        let around = self.shape.bounded.and_then(|high| bounds::around_image(set, &map, high));
        let image = IndexSet { space: space.clone(), ..around.unwrap_or(IndexSet::universe(space)) };
        Change { map, image }
    }

    /// Any map between two spaces.
    pub(super) fn map_into(&mut self, from: &Space, rank: usize) -> AffineMap {
        let outputs = (0..rank).map(|_| self.affine(from)).collect();
        AffineMap::new(from.clone(), outputs)
    }
}

/// The set with an additional, unbounded dimension.
pub(super) fn lifted(set: &IndexSet, space: &Space) -> IndexSet {
    IndexSet { space: space.clone(), pieces: set.pieces.clone() }
}
