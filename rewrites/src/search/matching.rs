//! Matches two sums of products term by term.
//!
//! The order of attempts keeps the search fast (`prover-notes`): only terms with factors of the same kinds are
//! compared; whole terms come before parts; and the map between the bound indices is solved for from the accesses
//! that it must make equal.
//!
//! # Completeness
//!
//! Take two programs of the tensor model language without division, with a symbol for each free extent. Expanded,
//! a side is a sum of terms `c · Π A[…]`. Every index of an access is an index of the result or a bound one. Every
//! bound index ranges over a whole extent and occurs in an access, because a contraction is over positions of
//! tensors. As polynomials in the elements, such sides are equal at all extents if and only if their terms, with
//! like terms added up, are the same up to renaming of bound indices: at extents as large as the number of
//! indices, pairwise different index values single out one term up to renaming. A renaming is found by pairing the
//! factors, and a pairing determines it, because every bound index occurs in an access. So the search finds a
//! proof if one exists, as long as
//!
//! - it reaches the right pairing, factor by factor, with accesses that are equal whatever the indices are; a term
//!   with many factors of one tensor that share no index has more pairings than the search tries;
//! - the limits on terms, factors, parts and steps are not reached.
//!
//! With numeric extents more equalities hold (tr(E)·E = E·E for 1×1 matrices); then sums over few known points are
//! written out. Beyond the model language (conditions, floors, products of sizes and indices) no such completeness
//! is claimed.

use crate::search::correspondence::{Candidate, correspondences, hash_index, inverse, substitution};
use crate::search::expansion::{SubstitutedNode, SumTerm, expand};
use crate::search::leftover::Leftover;
use crate::search::samples::{SamplePoint, extended};
use crate::search::solving::SolvedUnknowns;
use crate::search::unmatched::{FactorKind, Open, needed};
use crate::search::{Search, agree};
use checker::proof::{
    Cover, Derived, Group, Inclusion, Like, MatchedTerms, Matching, Proof, Semiring, TermPart,
};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use selfsame_core::{Condition, Index};
use std::hash::{Hash, Hasher};

/// The maximum number of terms of a side, a little below the checker's 16,384: what is found here is not
/// refused there for its size. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_TERMS: usize = 16_000;
/// The maximum size of a sum of coefficients with different divisors; larger ones are not added up. Chosen:
/// half and twice give the same verdicts (`docs/limits.md`).
const MAX_BALANCE: usize = 100_000;
/// The maximum number of samples of a term: seven values of the bound indices for each of a claim's some 400
/// points. Where there are more values, fewer points of the claim are looked at.
pub(crate) const MAX_SAMPLES: usize = 3000;
/// The maximum number of coordinates of the samples of all terms of both sides: 128 MiB. Many terms, or terms with many
/// bound indices, have fewer samples.
const MAX_COORDINATES_OF_ALL: usize = 1 << 24;

/// The number of pairs of sides whose comparison takes as long as an expansion that is given up, some 0.5 s. So a search
/// gives up five of them.
const PAIRS_OF_AN_EXPANSION: u32 = 4_000;

/// A correspondence between the bound indices of two terms.
struct IndexMatching {
    forward: Vec<Index>,
    backward: Vec<Index>,
    /// For each left factor, the matching right factor and a proof that they are equal.
    factors: Vec<(usize, Proof)>,
    /// The condition under which a point of the first term maps to an unmatched point of the other.
    image: Condition,
}

/// A term's position: its side, and its number on that side.
type TermPosition = [usize; 2];

impl Search<'_> {
    /// Proves that both sides are equal by matching their terms over a semiring.
    pub(crate) fn terms(
        &mut self,
        semiring: Semiring,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
        points: &[SamplePoint],
    ) -> Option<Proof> {
        let inhabited = [e, f].map(|side| self.inhabited(semiring, side, points));
        let [left, right] = [self.sum(semiring, e)?, self.sum(semiring, f)?];
        if is_itself(&left, e) && is_itself(&right, f) {
            return None;
        }
        let plain = [left, right];
        self.depth += 1;
        let proof = self.counted_or_not(semiring, plain.clone(), false, points).or_else(|| {
            let divided = self.simplified(semiring, &plain, &|this, term| this.divided(term, points))?;
            self.counted_or_not(semiring, divided, true, points)
        });
        self.depth -= 1;
        Some(Proof::Terms(Box::new(MatchedTerms { inhabited, ..proof? })))
    }

    fn counted_or_not(
        &mut self,
        semiring: Semiring,
        sides: [Vec<SumTerm>; 2],
        divided: bool,
        points: &[SamplePoint],
    ) -> Option<MatchedTerms> {
        let counted = self.simplified(semiring, &sides, &|this, term| this.counted(term));
        let proof = counted.and_then(|counted| self.matched(semiring, counted, [true, divided], points));
        proof.or_else(|| self.matched(semiring, sides, [false, divided], points))
    }

    fn matched(
        &mut self,
        semiring: Semiring,
        sides: [Vec<SumTerm>; 2],
        [counted, divided]: [bool; 2],
        points: &[SamplePoint],
    ) -> Option<MatchedTerms> {
        let [left, right] = sides;
        let sums = [&left, &right].map(|terms| terms.iter().map(derived).collect());
        let samples = MAX_COORDINATES_OF_ALL / (self.next as usize * (left.len() + right.len())).max(1);
        let opened = |this: &Self| {
            let open = |term: &SumTerm| this.open(term.clone(), points, samples.min(MAX_SAMPLES));
            [&left, &right].map(|terms| terms.iter().map(open).collect::<Vec<Open>>())
        };
        let mut open = opened(self);
        let is_ring = semiring == Semiring::PlusTimes;
        let mut matching = self.exact(semiring, &mut open, is_ring);
        if matching.is_none() && !is_ring {
            matching = self.inclusions(&mut open);
        }
        // Outside a ring, matching parts from either side takes long, so it is not done inside a factor of another
        // sum.
        if matching.is_none() && !is_ring && self.depth == 1 {
            matching = self.exact(semiring, &mut opened(self), true);
        }
        if matching.is_none() {
            self.note_leftover(semiring, &open);
        }
        let matching = matching?;
        Some(MatchedTerms { semiring, counted, divided, inhabited: Default::default(), sums, matching })
    }

    fn exact(&mut self, semiring: Semiring, sides: &mut [Vec<Open>; 2], merges: bool) -> Option<Matching> {
        let mut groups = vanishing(sides);
        self.pairs(sides, &mut groups);
        if merges {
            self.merge(semiring, sides, &mut groups);
        }
        if sides.iter().flatten().any(|open| !open.points.is_empty()) {
            return None;
        }
        let parts = |group: &Group| -> Vec<TermPosition> {
            let parts = std::iter::once(&group.first).chain(group.others.iter().map(|like| &like.of));
            parts.map(|part| [part.side, part.term]).collect()
        };
        let is_alone = |parts: &Vec<TermPosition>| parts.iter().all(|[side, _]| *side == parts[0][0]);
        let mut lost: Vec<TermPosition> = groups.iter().map(parts).filter(is_alone).flatten().collect();
        lost.sort_unstable();
        lost.dedup();
        let covers = self.covers(sides, &lost);
        Some(Matching::Exact { groups, covers })
    }

    /// Pairs parts of terms of both sides with equal coefficients: first terms with equal keys, then whole terms.
    fn pairs(&mut self, [left, right]: &mut [Vec<Open>; 2], groups: &mut Vec<Group>) {
        for by in 0..2 {
            for (i, j) in likely(left, right, by) {
                groups.extend(self.pair(&mut left[i], &mut right[j], [i, j], true));
            }
        }
        let is_left = |open: &Open| !open.points.is_empty();
        for whole in [true, false] {
            let others: Vec<usize> = (0..right.len()).filter(|&j| is_left(&right[j])).collect();
            for (i, one) in left.iter_mut().enumerate().filter(|(_, open)| is_left(open)) {
                for &j in &others {
                    while let Some(group) = self.pair(one, &mut right[j], [i, j], whole) {
                        groups.push(group);
                    }
                }
            }
        }
    }

    /// Adds up like terms of both sides; outside a ring, pairs like parts of one term of each side.
    fn merge(&mut self, semiring: Semiring, sides: &mut [Vec<Open>; 2], groups: &mut Vec<Group>) {
        for first in places(sides) {
            let others = places(sides).into_iter();
            let others: Vec<Vec<TermPosition>> = match semiring {
                Semiring::PlusTimes => vec![others.filter(|place| *place != first).collect()],
                _ => others.filter(|[side, _]| *side != first[0]).map(|place| vec![place]).collect(),
            };
            for others in others {
                while let Some(group) = self.like_terms(sides, first, &others) {
                    groups.push(group);
                }
            }
        }
    }

    /// The unmatched part of a term on which it and like parts of other terms add up to zero.
    fn like_terms(
        &mut self,
        sides: &mut [Vec<Open>; 2],
        first: TermPosition,
        others: &[TermPosition],
    ) -> Option<Group> {
        let open = &sides[first[0]][first[1]];
        if open.points.is_empty() {
            return None;
        }
        let mut region = open.points.clone();
        let mut likes: Vec<(TermPosition, IndexMatching)> = Vec::new();
        for &place in others {
            let other = &sides[place[0]][place[1]];
            if let Some(map) = self.like(open, other, &region) {
                region.retain(|point| map.image.holds(point) == Ok(true));
                likes.push((place, map));
            }
        }
        let balance = balance(sides, first, &likes);
        region.retain(|point| balance.value(point) == Ok(0));
        if region.is_empty() {
            return None;
        }
        let images = likes.iter().map(|(_, map)| map.image.clone());
        let part = Condition::all(images.chain([Condition::zero(balance)]));
        let whole =
            Condition::all([open.term.domain.clone(), open.rest(&SolvedUnknowns::default()), part.clone()]);
        let parts: Vec<Condition> = likes
            .iter()
            .map(|([side, at], map)| {
                let back = substitution(&open.term, &map.backward);
                let binders = sides[*side][*at].term.binders.iter();
                let returns = binders.zip(&map.forward).map(|((w, _), p)| {
                    let there = p.substitute(&|v| back.find(v));
                    Condition::equal(&there, &Index::from(*w))
                });
                Condition::all(returns.chain([whole.substitute(&|v| back.find(v))]))
            })
            .collect();
        let is_full = |([side, at], part): (&TermPosition, &Condition)| sides[*side][*at].is_full(part);
        if is_full((&first, &part)) || likes.iter().map(|(place, _)| place).zip(&parts).any(is_full) {
            return None;
        }
        let mut take = |[side, term]: TermPosition, part: &Condition| {
            let part = sides[side][term].take(part);
            TermPart { side, term, part }
        };
        let first = take(first, &part);
        let others = likes.into_iter().zip(&parts).map(|((place, map), part)| {
            let IndexMatching { forward, backward, factors, .. } = map;
            Like { of: take(place, part), forward, backward, factors }
        });
        Some(Group { first, others: others.collect() })
    }

    /// A map under which the unmatched part of one term at these points is like that of another.
    fn like(&mut self, open: &Open, other: &Open, points: &[SamplePoint]) -> Option<IndexMatching> {
        if points.is_empty() || other.points.is_empty() || open.heads != other.heads {
            return None;
        }
        self.first_map([open, other], points, |this, candidate| {
            let Candidate { forward, pairing, equations } = candidate;
            let map = substitution(&other.term, &forward);
            let image = other.image(&map);
            let inside = within(points, &image);
            if inside.is_empty() {
                return None;
            }
            let backward = inverse(&equations, &forward, &open.term, &other.term, &inside)?;
            let factors = this.factors([&open.term, &other.term], &pairing, &map, &inside)?;
            Some(IndexMatching { forward, backward, factors, image })
        })
    }

    /// For each factor of the terms that cancelled, a term of the other side that has the factor too, or several,
    /// each for a part.
    fn covers(&mut self, sides: &[Vec<Open>; 2], lost: &[TermPosition]) -> Vec<Cover> {
        let mut covers = Vec::new();
        // Once a factor of a side has no cover, little depends on the remaining ones.
        let mut forgets = [false; 2];
        for &place in lost {
            let [side, at] = place;
            for k in 0..sides[side][at].term.factors.len() {
                let whole = self.covers_of(sides, place, k, true);
                let found = match whole {
                    None if !forgets[side] => self.covers_of(sides, place, k, false),
                    whole => whole,
                };
                forgets[side] |= found.is_none();
                covers.extend(found.unwrap_or_default());
            }
        }
        covers
    }

    fn covers_of(
        &mut self,
        sides: &[Vec<Open>; 2],
        [side, at]: TermPosition,
        k: usize,
        whole: bool,
    ) -> Option<Vec<Cover>> {
        let lost = &sides[side][at];
        let (mut points, mut covers) = (lost.all.clone(), Vec::new());
        for (by, open) in sides[1 - side].iter().enumerate() {
            for l in 0..open.term.factors.len() {
                let (terms, factors) = ([at, by], [k, l]);
                if let Some((part, forward, proof)) = self.cover([lost, open], factors, &points, whole) {
                    points.retain(|point| part.holds(point) != Ok(true));
                    covers.push(Cover { side, terms, factors, part, forward, proof });
                }
                if points.is_empty() {
                    return Some(covers);
                }
            }
        }
        None
    }

    /// Shows that a factor of one term equals a factor of another, at all of these points if `whole`, else at
    /// some; with the part of the term where this holds.
    fn cover(
        &mut self,
        [lost, by]: [&Open; 2],
        [k, l]: [usize; 2],
        points: &[SamplePoint],
        whole: bool,
    ) -> Option<(Condition, Vec<Index>, Proof)> {
        let (e, f) = (&lost.term.factors[k], &by.term.factors[l]);
        if self.head(e) != self.head(f) {
            return None;
        }
        let (e, f) = (&e.side, &f.side);
        let systems = self.equations(vec![Vec::new()], e, f);
        let candidates =
            systems.iter().flat_map(|system| correspondences(&lost.term, &by.term, system, points));
        candidates.collect::<Vec<_>>().into_iter().find_map(|forward| {
            let map = substitution(&by.term, &forward);
            let image = by.term.domain.substitute(&|v| map.find(v));
            let inside = within(points, &image);
            if inside.is_empty() || whole && inside.len() < points.len() {
                return None;
            }
            let f = SubstitutedNode { node: f.node, at: f.at.renamed(&|v| map.find(v)) };
            let proof = self.prove(e, &f, &inside)?;
            Some((needed(&image, &lost.term, &lost.all), forward, proof))
        })
    }

    /// Shows that every part of either side occurs on the other.
    fn inclusions(&mut self, [left, right]: &mut [Vec<Open>; 2]) -> Option<Matching> {
        let forth = self.all_included(left, right)?;
        Some(Matching::Inclusions([forth, self.all_included(right, left)?]))
    }

    /// Notes the first term with an unmatched part, for the report.
    fn note_leftover(&mut self, semiring: Semiring, sides: &[Vec<Open>; 2]) {
        for (terms, side) in sides.iter().zip(0..) {
            if let Some(open) = terms.iter().find(|open| !open.points.is_empty()) {
                let origins = self.origins.clone();
                self.leftover = Some(Leftover { side, semiring, term: open.term.clone(), origins });
                return;
            }
        }
    }

    /// Finds for every part of the terms of one side a part of the other.
    fn all_included(&mut self, mine: &mut [Open], theirs: &[Open]) -> Option<Vec<Inclusion>> {
        let mut inclusions = Vec::new();
        for (i, open) in mine.iter_mut().enumerate() {
            open.points.clone_from(&open.all);
            for (j, other) in theirs.iter().enumerate() {
                while let Some(inclusion) = self.included(open, other, [i, j]) {
                    inclusions.push(inclusion);
                }
            }
            if !open.points.is_empty() {
                return None;
            }
        }
        Some(inclusions)
    }

    fn included(&mut self, open: &mut Open, other: &Open, terms: [usize; 2]) -> Option<Inclusion> {
        if open.points.is_empty() || open.heads != other.heads {
            return None;
        }
        let mine = &*open;
        let (forward, image, factors) = self.first_map([mine, other], &open.points, |this, candidate| {
            let map = substitution(&other.term, &candidate.forward);
            let image = other.term.domain.substitute(&|v| map.find(v));
            let inside = within(&mine.points, &image);
            if inside.is_empty() {
                return None;
            }
            let factors = this.factors([&mine.term, &other.term], &candidate.pairing, &map, &inside)?;
            Some((candidate.forward, image, factors))
        })?;
        let part = needed(&image, &open.term, &open.points);
        open.points.retain(|point| image.holds(point) != Ok(true));
        Some(Inclusion { terms, part, forward, factors })
    }

    /// The terms of a side, renamed so that no two share a bound index.
    fn sum(&mut self, semiring: Semiring, side: &SubstitutedNode) -> Option<Vec<SumTerm>> {
        let program = self.program;
        let Some(mut terms) = expand(program, semiring, side, MAX_TERMS, &mut |v| self.fresh(v)) else {
            self.budget = self.budget.saturating_sub(PAIRS_OF_AN_EXPANSION);
            return None;
        };
        let mut used = FxHashSet::default();
        for term in &mut terms {
            let binders = term.binders.iter().map(|(v, _)| *v);
            if binders.clone().any(|v| used.contains(&v)) {
                let fresh = binders.map(|v| (v, Index::from(self.fresh(v)))).collect();
                *term = term.renamed(&SolvedUnknowns { known: fresh });
            } else {
                used.extend(binders);
            }
        }
        Some(terms)
    }

    /// Matches a part of one term with a part of another, as large as possible; if `whole`, only the whole of
    /// both.
    fn pair(&mut self, left: &mut Open, right: &mut Open, terms: [usize; 2], whole: bool) -> Option<Group> {
        if left.points.is_empty() || right.points.is_empty() || left.heads != right.heads {
            return None;
        }
        if whole && !(left.parts.is_empty() && right.parts.is_empty()) {
            return None;
        }
        let (mine, theirs) = (&*left, &*right);
        let (map, preimage) = self.first_map([mine, theirs], &mine.points, |this, candidate| {
            this.try_map(mine, theirs, whole, candidate)
        })?;
        let IndexMatching { forward, backward, factors, image } = map;
        if left.is_full(&image) || right.is_full(&preimage) {
            return None;
        }
        let first = TermPart { side: 0, term: terms[0], part: left.take(&image) };
        let of = TermPart { side: 1, term: terms[1], part: right.take(&preimage) };
        Some(Group { first, others: vec![Like { of, forward, backward, factors }] })
    }

    /// A correspondence under which a part of one term equals a part of the other, and that part of the other.
    fn try_map(
        &mut self,
        left: &Open,
        right: &Open,
        whole: bool,
        Candidate { forward, pairing, equations }: Candidate,
    ) -> Option<(IndexMatching, Condition)> {
        // The matched part of the other term is not available any more.
        let there = substitution(&right.term, &forward);
        let image = right.image(&there);
        let of_left = within(&left.points, &image);
        let backward = inverse(&equations, &forward, &left.term, &right.term, &of_left)?;
        let preimage = left.image(&substitution(&left.term, &backward));
        let of_right = within(&right.points, &preimage);
        let is_whole = of_left.len() == left.points.len() && of_right.len() == right.points.len();
        if of_left.is_empty() || whole && !is_whole {
            return None;
        }
        if !same_coefficient(&left.term, &right.term, &there, &of_left) {
            return None;
        }
        let factors = self.factors([&left.term, &right.term], &pairing, &there, &of_left)?;
        (of_left.len() == of_right.len())
            .then_some((IndexMatching { forward, backward, factors, image }, preimage))
    }

    fn factors(
        &mut self,
        [left, right]: [&SumTerm; 2],
        pairing: &[usize],
        forward: &SolvedUnknowns,
        points: &[SamplePoint],
    ) -> Option<Vec<(usize, Proof)>> {
        let mut proofs = Vec::new();
        for (factor, &at) in left.factors.iter().zip(pairing) {
            let other = &right.factors[at].side;
            let other = SubstitutedNode { node: other.node, at: other.at.renamed(&|v| forward.find(v)) };
            proofs.push((at, self.prove(&factor.side, &other, points)?));
        }
        Some(proofs)
    }

    fn open(&self, term: SumTerm, points: &[SamplePoint], samples: usize) -> Open {
        let points = extended(points, &term.binders, &term.domain, samples);
        let mut heads: Vec<(bool, FactorKind)> =
            term.factors.iter().map(|factor| self.head(factor)).collect();
        heads.sort();
        let key = |written: bool| term.factors.iter().map(|f| self.key(f, &points, written)).collect();
        let keys = term.binders.is_empty().then(|| [key(true), key(false)]);
        Open { term, all: points.clone(), points, parts: Vec::new(), heads, keys }
    }
}

/// The term in the form that a proof states.
fn derived(term: &SumTerm) -> Derived {
    Derived {
        steps: Default::default(),
        binders: term.binders.iter().map(|(v, _)| *v).collect(),
        number: term.coefficient.0.to_string(),
        index: term.coefficient.1.clone(),
        over: term.over.clone(),
        domain: term.domain.clone(),
        factors: term.factors.iter().map(|factor| factor.side.node).collect(),
    }
}

/// Whether the expansion is the side itself.
fn is_itself(terms: &[SumTerm], side: &SubstitutedNode) -> bool {
    let [SumTerm { factors, .. }] = terms else { return false };
    matches!(&factors[..], [factor] if factor.side.node == side.node && !factor.reciprocal)
}

/// Pairs of terms with equal keys and equal coefficients.
fn likely(left: &[Open], right: &[Open], by: usize) -> Vec<(usize, usize)> {
    let key = |open: &Open| {
        let mut keys = open.keys.as_ref()?[by].clone();
        keys.sort_unstable();
        let mut hasher = FxHasher::default();
        let (number, index) = &open.term.coefficient;
        number.to_string().hash(&mut hasher);
        hash_index(index, &open.all, by == 0, &mut hasher);
        hash_index(&open.term.over, &open.all, by == 0, &mut hasher);
        keys.push(hasher.finish());
        (!open.points.is_empty()).then_some(keys)
    };
    let mut known: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
    for (j, open) in right.iter().enumerate().rev() {
        if let Some(keys) = key(open) {
            known.entry(keys).or_default().push(j);
        }
    }
    let partner = |(i, open): (usize, &Open)| Some((i, known.get_mut(&key(open)?)?.pop()?));
    left.iter().enumerate().filter_map(partner).collect()
}

/// The points at which a condition holds.
fn within(points: &[SamplePoint], condition: &Condition) -> Vec<SamplePoint> {
    points.iter().filter(|point| condition.holds(point) == Ok(true)).cloned().collect()
}

/// The positions of all terms, the left side first.
fn places(sides: &[Vec<Open>; 2]) -> Vec<TermPosition> {
    (0..2).flat_map(|side| (0..sides[side].len()).map(move |at| [side, at])).collect()
}

/// Groups for the parts of terms whose coefficient is 0: the whole term if the coefficient is constant.
fn vanishing(sides: &mut [Vec<Open>; 2]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (side, terms) in sides.iter_mut().enumerate() {
        for (term, open) in terms.iter_mut().enumerate() {
            let (number, index) = &open.term.coefficient;
            let is_zero = *number == RBig::ZERO || index.is_zero();
            let gone = open.points.iter().any(|point| is_zero || index.value(point) == Ok(0));
            if gone && (is_zero || index.as_constant().is_none()) {
                let part = if is_zero { Condition::always() } else { Condition::zero(index.clone()) };
                let first = TermPart { side, term, part: open.take(&part) };
                groups.push(Group { first, others: Vec::new() });
            }
        }
    }
    groups
}

/// Whether the coefficients are equal at these points.
fn same_coefficient(
    left: &SumTerm,
    right: &SumTerm,
    forward: &SolvedUnknowns,
    points: &[SamplePoint],
) -> bool {
    let (c, d) = (&left.coefficient, &right.coefficient);
    let times = |a: &IBig, b: &RBig| a * IBig::from(b.denominator().clone());
    let [index, over] = [&d.1, &right.over].map(|p| p.substitute(&|v| forward.find(v)));
    let ours = c.1.scaled(&times(c.0.numerator(), &d.0));
    let theirs = index.scaled(&times(d.0.numerator(), &c.0));
    match left.over == over {
        true => agree(&ours, &theirs, points),
        false => agree(&(&ours * &over), &(&theirs * &left.over), points),
    }
}

/// The coefficients of the left side minus those of the right side, over the bound indices of the first term,
/// scaled to integers.
fn balance(sides: &[Vec<Open>; 2], first: TermPosition, likes: &[(TermPosition, IndexMatching)]) -> Index {
    let of = |[side, at]: TermPosition, forward: Option<&[Index]>| {
        let term = &sides[side][at].term;
        let map = forward.map_or_else(SolvedUnknowns::default, |forward| substitution(term, forward));
        let (number, index) = &term.coefficient;
        let number = if side == 0 { number.clone() } else { -number.clone() };
        let [index, over] = [index, &term.over].map(|p| p.substitute(&|v| map.find(v)));
        (number, index, over)
    };
    let others = likes.iter().map(|(place, map)| of(*place, Some(&map.forward)));
    let all: Vec<(RBig, Index, Index)> = std::iter::once(of(first, None)).chain(others).collect();
    let denominator =
        all.iter().fold(RBig::ONE, |over, (number, ..)| over * RBig::from(number.denominator().clone()));
    let mut divisors: Vec<&Index> = Vec::new();
    all.iter().for_each(|(.., over)| {
        if !divisors.contains(&over) {
            divisors.push(over)
        }
    });
    // A sum that is too large to compute counts as nonzero: 1.
    let size: usize = all.iter().map(|(_, index, over)| index.size() + over.size()).sum();
    if divisors.len() > 1
        && size.saturating_pow(u32::try_from(divisors.len()).unwrap_or(u32::MAX)) > MAX_BALANCE
    {
        return Index::from(1);
    }
    let scaled = |(number, index, over): &(RBig, Index, Index)| {
        let others = divisors.iter().filter(|divisor| **divisor != over);
        others.fold(index.scaled((number * &denominator).numerator()), |index, divisor| &index * divisor)
    };
    all.iter().map(scaled).fold(Index::default(), |sum, index| sum + index)
}
