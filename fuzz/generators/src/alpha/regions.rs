//! Generates index sets, and domains that denote them in many ways. Every set here is a union of pieces without
//! local terms, so that the meaning of a domain is known without an engine.

use super::maps::{Bijection, coordinate};
use super::{SystemGenerator, must};
use crate::choices::DecisionSource;
use alpha::syntax::{Domain, DomainId};
use base::diagnostics::Span;
use polyhedra::{Affine, BasicSet, IndexSet, Space};

/// The maximum number of pieces of a complement that is written piece by piece: a box in two dimensions has so
/// many outside it, one at each side.
const MAX_PIECES: usize = 4;

/// The set with only some of its constraints.
pub(super) fn relaxed(set: &IndexSet, keep: impl Fn(&Affine) -> bool) -> IndexSet {
    let relax = |piece: &BasicSet| BasicSet {
        locals: Vec::new(),
        equalities: piece.equalities.iter().filter(|e| keep(e)).cloned().collect(),
        inequalities: piece.inequalities.iter().filter(|e| keep(e)).cloned().collect(),
    };
    IndexSet { space: set.space.clone(), pieces: set.pieces.iter().map(relax).collect() }
}

/// The half of a space where an expression is not negative.
pub(super) fn half(space: &Space, e: &Affine) -> IndexSet {
    IndexSet::constrained(space.clone(), Vec::new(), vec![e.clone()])
}

/// The complement; `None` if it has too many pieces.
fn complement(set: &IndexSet) -> Option<IndexSet> {
    let universe = IndexSet::universe(set.space.clone());
    set.pieces.iter().try_fold(universe, |rest, piece| {
        let outside = IndexSet { space: set.space.clone(), pieces: outside(piece) };
        let rest = must(rest.intersect(&outside));
        (rest.pieces.len() <= 2 * MAX_PIECES).then_some(rest)
    })
}

/// The points outside a piece, in disjoint pieces: the first constraints hold and the next does not.
fn outside(piece: &BasicSet) -> Vec<BasicSet> {
    let mut pieces = Vec::new();
    let mut before = BasicSet::universe();
    let negative = |e: &Affine| must(e.negation());
    for e in &piece.equalities {
        for side in [negative(e), must(Affine::constant(-1).plus(1, e))] {
            let mut outside = before.clone();
            outside.inequalities.push(side);
            pieces.push(outside);
        }
        before.equalities.push(e.clone());
    }
    for e in &piece.inequalities {
        let mut outside = before.clone();
        outside.inequalities.push(negative(e));
        pieces.push(outside);
        before.inequalities.push(e.clone());
    }
    pieces
}

impl<C: DecisionSource> SystemGenerator<'_, C> {
    /// A set that is nonempty for all parameters.
    pub(super) fn region(&mut self, rank: usize) -> IndexSet {
        let space = self.space(rank);
        match self.choices.below(6) {
            0 if rank == 0 || self.shape.bounded.is_none() => IndexSet::universe(space),
            1 if rank > 0 => {
                let (a, b) = (self.boxed(&space), self.boxed(&space));
                must(a.union(&b))
            }
            2 if rank > 0 => self.pierced(&space),
            3 if rank > 0 => {
                let Bijection { forth, .. } = self.bijection(&space);
                must(self.boxed(&space).preimage(&forth))
            }
            _ => self.boxed(&space),
        }
    }

    /// A box of coordinates between bounds; a bound may be a parameter, an earlier coordinate, or missing above.
    pub(super) fn boxed(&mut self, space: &Space) -> IndexSet {
        let mut inequalities = Vec::new();
        let mut lows: Vec<(Affine, i64)> =
            self.lows.iter().enumerate().map(|(at, &low)| (Affine::column(at), low)).collect();
        for d in 0..space.rank() {
            let low = self.choices.below(5) as i64 - 2;
            let x = coordinate(space, d);
            inequalities.push(must(Affine::constant(-low).plus(1, &x)));
            if let Some(high) = self.high(low, &lows) {
                inequalities.push(must(high.plus(-1, &x)));
            }
            lows.push((x, low));
        }
        IndexSet::constrained(space.clone(), Vec::new(), inequalities)
    }

    /// An upper bound of at least `low`, given the lower bounds of other columns; or none.
    pub(super) fn high(&mut self, low: i64, lows: &[(Affine, i64)]) -> Option<Affine> {
        let more = self.choices.below(5) as i64;
        match self.choices.below(8) {
            0 if self.shape.bounded.is_none() => None,
            1..=3 if !lows.is_empty() => {
                let (column, least) = self.choices.pick(lows);
                Some(must(Affine::constant(low - least + more).plus(1, &column)))
            }
            _ => Some(Affine::constant(low + more)),
        }
    }

    /// A box with constant bounds minus a smaller one inside it.
    fn pierced(&mut self, space: &Space) -> IndexSet {
        let around = |coordinates: Affine, from: i64, to: i64| {
            let low = must(Affine::constant(-from).plus(1, &coordinates));
            [low, must(Affine::constant(to).plus(-1, &coordinates))]
        };
        let boxed = |from: i64, to: i64| {
            (0..space.rank()).flat_map(|d| around(coordinate(space, d), from, to)).collect::<Vec<_>>()
        };
        let inner =
            IndexSet::constrained(space.clone(), Vec::new(), boxed(0, 1 + self.choices.below(2) as i64));
        let outer =
            IndexSet::constrained(space.clone(), Vec::new(), boxed(-1, 3 + self.choices.below(2) as i64));
        complement(&inner).map_or(outer.clone(), |outside| must(outer.intersect(&outside)))
    }

    /// Splits a space in two or three parts: below, on and above a hyperplane.
    pub(super) fn partition(&mut self, space: &Space) -> Vec<IndexSet> {
        let e = self.affine(space);
        let below = half(space, &must(e.negation()));
        if self.choices.once_in(3) {
            let above = half(space, &must(Affine::constant(-1).plus(1, &e)));
            return vec![below, IndexSet::constrained(space.clone(), vec![e], Vec::new()), above];
        }
        vec![half(space, &e), below]
    }

    /// Writes a set as a domain, in one of many ways.
    pub(super) fn written(&mut self, set: &IndexSet, fuel: usize) -> DomainId {
        let single = set.pieces.len() == 1;
        match self.choices.below(if fuel == 0 { 1 } else { 8 }) {
            1 if single => self.as_intersection(set, fuel - 1),
            2 => self.as_preimage(set, fuel - 1),
            3 if single => self.as_hull(set),
            4 => self.as_complement(set, fuel - 1),
            5 if !set.pieces.is_empty() => self.as_redundant_union(set, fuel - 1),
            _ => self.as_union(set),
        }
    }

    fn add(&mut self, domain: Domain) -> DomainId {
        self.system.push_domain(domain, Span::default())
    }

    fn leaf(&mut self, space: &Space, piece: &BasicSet) -> DomainId {
        self.add(Domain::Polyhedron(IndexSet { space: space.clone(), pieces: vec![piece.clone()] }))
    }

    /// A union with one polyhedron for each piece.
    fn as_union(&mut self, set: &IndexSet) -> DomainId {
        let Some((first, rest)) = set.pieces.split_first() else {
            let never = BasicSet { equalities: vec![Affine::constant(1)], ..BasicSet::default() };
            return self.leaf(&set.space, &never);
        };
        let first = self.leaf(&set.space, first);
        rest.iter().fold(first, |union, piece| {
            let piece = self.leaf(&set.space, piece);
            self.add(Domain::Union(union, piece))
        })
    }

    /// An intersection of two domains that share out the constraints.
    fn as_intersection(&mut self, set: &IndexSet, fuel: usize) -> DomainId {
        let salt = self.choices.below(2);
        let parity = |e: &Affine| {
            (e.constant.rem_euclid(2) as usize + e.coefficients().len() + salt).is_multiple_of(2)
        };
        let parts = [relaxed(set, parity), relaxed(set, |e| !parity(e))];
        let [a, b] = parts.map(|part| self.written(&part, fuel));
        self.add(Domain::Intersection(a, b))
    }

    /// The preimage of the image under a bijection.
    fn as_preimage(&mut self, set: &IndexSet, fuel: usize) -> DomainId {
        let Bijection { forth, back } = self.bijection(&set.space);
        let image = must(set.preimage(&back));
        let image = self.written(&image, fuel);
        self.add(Domain::Preimage(image, forth))
    }

    /// The convex hull of two halves of a convex set, which is the set.
    fn as_hull(&mut self, set: &IndexSet) -> DomainId {
        let e = self.affine(&set.space);
        let halves = [e.clone(), must(e.negation())].map(|e| must(set.intersect(&half(&set.space, &e))));
        let [a, b] = halves.map(|half| self.as_union(&half));
        let union = self.add(Domain::Union(a, b));
        self.add(Domain::Convex(union))
    }

    /// `~` of the complement, if that is not too large.
    fn as_complement(&mut self, set: &IndexSet, fuel: usize) -> DomainId {
        let inside = match complement(set) {
            Some(outside) if outside.pieces.len() <= MAX_PIECES => self.written(&outside, fuel),
            _ => {
                let inside = self.as_union(set);
                self.add(Domain::Complement(inside))
            }
        };
        self.add(Domain::Complement(inside))
    }

    /// The union of the set and a part of it.
    fn as_redundant_union(&mut self, set: &IndexSet, fuel: usize) -> DomainId {
        let e = self.affine(&set.space);
        let part = must(set.intersect(&half(&set.space, &e)));
        let (whole, part) = (self.written(set, fuel), self.as_union(&part));
        self.add(Domain::Union(whole, part))
    }
}
