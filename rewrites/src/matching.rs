//! Two sums of products, matched term by term.
//!
//! The order of attempts is what keeps it fast (`prover-notes`): terms with the same kinds of factors only; whole terms
//! before parts; and a map between the bound indices is solved for from the accesses that it must make equal.
//!
//! # How far this goes
//!
//! Take two programs of the tensor model language without division, with a symbol for each extent that is free. Expanded, a side is
//! a sum of terms `c · Π A[…]` in which every index of an access is an index of the result or a bound one, and every bound index ranges
//! over a whole extent and stands in an access, for a contraction is of positions of tensors. As polynomials in the
//! elements such sides are equal at all extents exactly if their terms, like terms added up, are the same but for the names of
//! bound indices: at extents as large as there are indices, values of the indices that are all different single
//! out one term up to renaming. A renaming is found by pairing the factors, and a pairing determines it, because every bound index stands in an
//! access. So the search finds a proof if there is one, as long as
//!
//! - it gets to the right pairing: a term with many factors of one tensor has more pairings than are looked at, and samples prune fewer
//!   of them where a term has so many bound indices that only the smallest extents are sampled (tr(A⁶) in another order is unknown);
//! - like terms need not be added up to be matched: whole terms with one coefficient are matched, and terms of one side cancel, but
//!   `x + 2·x` against `3·x` is left to the solver;
//! - the limits on terms, factors and steps are not reached.
//!
//! With numbers for extents more is true (tr(E)·E = E·E for 1×1 matrices); then sums over few known points are written out. Beyond
//! the model language (conditions, floors, products of sizes and indices) nothing of that kind is claimed.

use crate::expansion::{Factor, Side, Term, expand};
use crate::samples::{Point, extended};
use crate::search::{Search, agree};
use crate::solving::{Solution, solve};
use checker::proof::{Cover, Derived, Matching, Piece, Proof, Semiring, Terms, Vanishing};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHasher};
use semantics::core::{Condition, Index, InputId, Node, NodeId, Operator, Variable};
use std::hash::{Hash, Hasher};

/// At most so many terms of a side.
const MAX_TERMS: usize = 16_000;
/// At most so many ways to match the factors of two terms.
const MAX_PAIRINGS: usize = 64;
/// At most so many partial ways are looked at for them.
const MAX_PARTIAL: usize = 2000;
/// At most so many systems of equations for the choices within factors.
const MAX_SYSTEMS: usize = 8;
/// At most so many guesses for indices that no access determines.
const MAX_GUESSES: usize = 64;
/// At so many samples it is looked at what a factor reads.
const KEYS: usize = 24;
/// At most so many samples of a term.
const MAX_SAMPLES: usize = 3000;

/// A term, and what of it is not matched yet.
struct Open {
    term: Term,
    /// Samples of its points.
    all: Vec<Point>,
    /// Samples of its points that are left.
    points: Vec<Point>,
    /// The parts that are matched.
    parts: Vec<Condition>,
    /// The kinds of its factors, in order.
    heads: Vec<(bool, Head)>,
    /// What tells factors apart, if there are no bound indices, so that nothing has to be solved for: what each one reads as
    /// it is written, and at the samples.
    keys: Option<[Vec<u64>; 2]>,
}

/// Index terms for the right indices, how the factors are paired, and what must be zero for these to be the same.
struct Candidate {
    forward: Vec<Index>,
    pairing: Vec<usize>,
    equations: Vec<Index>,
}

/// A correspondence between the bound indices of two terms.
struct Map {
    forward: Vec<Index>,
    backward: Vec<Index>,
    /// For each left factor the right one.
    pairing: Vec<usize>,
}

/// What a factor is, as far as it decides what it may be matched with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Head {
    Read(InputId),
    Apply(Operator),
    Reduce(&'static str),
    Other,
}

impl Search<'_> {
    /// A proof by the terms of both sides over a semiring.
    pub(crate) fn terms(
        &mut self,
        semiring: Semiring,
        e: &Side,
        f: &Side,
        points: &[Point],
    ) -> Option<Proof> {
        let left = self.sum(semiring, e)?;
        let right = self.sum(semiring, f)?;
        if [(&left, e), (&right, f)]
            .iter()
            .all(|(terms, side)| terms.len() == 1 && is_itself(&terms[0], side))
        {
            return None;
        }
        let sums = [&left, &right].map(|terms| terms.iter().map(derived).collect());
        let mut sides = [left, right]
            .map(|terms| terms.into_iter().map(|term| self.open(term, points)).collect::<Vec<Open>>());
        let matching = match self.exact(semiring, &mut sides) {
            Some(matching) => matching,
            None if semiring != Semiring::PlusTimes => self.inclusions(&mut sides)?,
            None => return None,
        };
        Some(Proof::Terms(Box::new(Terms { semiring, opaque: Vec::new(), sums, matching })))
    }

    fn exact(&mut self, semiring: Semiring, sides: &mut [Vec<Open>; 2]) -> Option<Matching> {
        let mut vanishing = Vec::new();
        for (side, terms) in sides.iter_mut().enumerate() {
            for (at, open) in terms.iter_mut().enumerate() {
                if !open.points.is_empty() {
                    vanishing.extend(vanishes(open).map(|part| Vanishing { side, term: at, part }));
                }
            }
        }
        let [left, right] = sides;
        let mut pieces = Vec::new();
        for by in 0..2 {
            for (i, j) in likely(left, right, by) {
                pieces.extend(self.piece(&mut left[i], &mut right[j], [i, j], true, 1));
            }
        }
        for whole in [true, false] {
            for (i, one) in left.iter_mut().enumerate() {
                for (j, other) in right.iter_mut().enumerate() {
                    while let Some(piece) = self.piece(one, other, [i, j], whole, 1) {
                        pieces.push(piece);
                    }
                }
            }
        }
        let mut cancelled = Vec::new();
        if semiring == Semiring::PlusTimes {
            for (side, terms) in sides.iter_mut().enumerate() {
                for j in 1..terms.len() {
                    let (before, after) = terms.split_at_mut(j);
                    for (i, other) in before.iter_mut().enumerate() {
                        while let Some(piece) = self.piece(other, &mut after[0], [i, j], false, -1) {
                            cancelled.push((side, piece));
                        }
                    }
                }
            }
        }
        if sides.iter().flatten().any(|open| !open.points.is_empty()) {
            return None;
        }
        let lost = cancelled.iter().flat_map(|(side, piece)| piece.terms.map(|at| (*side, at)));
        let mut lost: Vec<_> = lost.chain(vanishing.iter().map(|gone| (gone.side, gone.term))).collect();
        lost.sort_unstable();
        lost.dedup();
        let covers = lost.into_iter().flat_map(|(side, at)| self.covers(sides, side, at)).collect();
        Some(Matching::Exact { pieces, cancelled, vanishing, covers })
    }

    /// For each factor of a term that came to nothing, a term of the other side that has it too.
    fn covers(&mut self, sides: &[Vec<Open>; 2], side: usize, at: usize) -> Vec<Cover> {
        let lost = &sides[side][at];
        let mut covers = Vec::new();
        for k in 0..lost.term.factors.len() {
            let cover = sides[1 - side].iter().enumerate().find_map(|(by, open)| {
                (0..open.term.factors.len()).find_map(|l| {
                    let (forward, proof) = self.cover(lost, k, open, l)?;
                    Some(Cover { side, terms: [at, by], factors: [k, l], forward, proof })
                })
            });
            covers.extend(cover);
        }
        covers
    }

    fn cover(&mut self, lost: &Open, k: usize, by: &Open, l: usize) -> Option<(Vec<Index>, Proof)> {
        let (e, f) = (&lost.term.factors[k], &by.term.factors[l]);
        if self.head(e) != self.head(f) {
            return None;
        }
        let (e, f) = (&e.side, &f.side);
        let systems = self.equations(vec![Vec::new()], e, f);
        let candidates =
            systems.iter().flat_map(|system| correspondences(&lost.term, &by.term, system, &lost.all));
        candidates.collect::<Vec<_>>().into_iter().find_map(|forward| {
            let map = substitution(&by.term, &forward);
            let domain = by.term.domain.substitute(&|v| map.find(v));
            if !lost.all.iter().all(|point| domain.holds(point) == Ok(true)) {
                return None;
            }
            let f = Side { node: f.node, at: f.at.renamed(&|v| map.find(v)) };
            let proof = self.prove(e, &f, &lost.all)?;
            Some((forward, proof))
        })
    }

    /// Every part of either side occurs on the other one.
    fn inclusions(&mut self, sides: &mut [Vec<Open>; 2]) -> Option<Matching> {
        let [left, right] = sides;
        let forth = self.all_included(left, right)?;
        Some(Matching::Inclusions([forth, self.all_included(right, left)?]))
    }

    /// For every part of the terms of one side a part of the other.
    fn all_included(&mut self, mine: &mut [Open], theirs: &[Open]) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for (i, open) in mine.iter_mut().enumerate() {
            open.points.clone_from(&open.all);
            for (j, other) in theirs.iter().enumerate() {
                while let Some(piece) = self.included(open, other, [i, j]) {
                    pieces.push(piece);
                }
            }
            if !open.points.is_empty() {
                return None;
            }
        }
        Some(pieces)
    }

    fn included(&mut self, open: &mut Open, other: &Open, terms: [usize; 2]) -> Option<Piece> {
        if open.points.is_empty() || open.heads != other.heads {
            return None;
        }
        for Candidate { forward, pairing, .. } in self.maps(open, other, &open.points) {
            let map = substitution(&other.term, &forward);
            let image = other.term.domain.substitute(&|v| map.find(v));
            let (inside, rest): (Vec<Point>, Vec<Point>) =
                open.points.iter().cloned().partition(|point| image.holds(point) == Ok(true));
            if inside.is_empty() {
                continue;
            }
            let Some(factors) = self.factors([&open.term, &other.term], &pairing, &map, &inside, 1) else {
                continue;
            };
            let parts = [needed(&image, &open.term, &open.points), Condition::always()];
            open.points = rest;
            return Some(Piece { terms, parts, forward, backward: Vec::new(), factors });
        }
        None
    }

    fn sum(&mut self, semiring: Semiring, side: &Side) -> Option<Vec<Term>> {
        let program = self.program;
        expand(program, semiring, side, MAX_TERMS, &mut |_| self.fresh())
    }

    /// A part of one term that is a part of another, times `sign`, as large as it can be; or the whole of both.
    fn piece(
        &mut self,
        left: &mut Open,
        right: &mut Open,
        terms: [usize; 2],
        whole: bool,
        sign: i64,
    ) -> Option<Piece> {
        if left.points.is_empty() || right.points.is_empty() || left.heads != right.heads {
            return None;
        }
        if whole && !(left.parts.is_empty() && right.parts.is_empty()) {
            return None;
        }
        for candidate in self.maps(left, right, &left.points) {
            let Candidate { forward, pairing, equations } = candidate;
            let Some(backward) = inverse(&equations, &forward, &left.term, &right.term) else { continue };
            let map = Map { forward, backward, pairing };
            if let Some(piece) = self.try_map(left, right, terms, whole, &map, sign) {
                return Some(piece);
            }
        }
        None
    }

    fn try_map(
        &mut self,
        left: &mut Open,
        right: &mut Open,
        terms: [usize; 2],
        whole: bool,
        map: &Map,
        sign: i64,
    ) -> Option<Piece> {
        let forward = substitution(&right.term, &map.forward);
        let backward = substitution(&left.term, &map.backward);
        let image = right.term.domain.substitute(&|v| forward.find(v));
        let preimage = left.term.domain.substitute(&|v| backward.find(v));
        // What of the other term is matched already is not there any more.
        let rest = |open: &Open, map: &Solution| {
            Condition::all(
                open.parts.iter().map(|part| !part.substitute(&|v| map.find(v))).collect::<Vec<_>>(),
            )
        };
        let image = Condition::all([image, rest(right, &forward)]);
        let preimage = Condition::all([preimage, rest(left, &backward)]);
        let inside = |points: &[Point], image: &Condition| -> (Vec<Point>, Vec<Point>) {
            points.iter().cloned().partition(|point| image.holds(point) == Ok(true))
        };
        let (of_left, left_rest) = inside(&left.points, &image);
        let (of_right, right_rest) = inside(&right.points, &preimage);
        if of_left.is_empty() || whole && !(left_rest.is_empty() && right_rest.is_empty()) {
            return None;
        }
        let new = |part: Condition, parts: &[Condition]| {
            Condition::all(std::iter::once(part).chain(parts.iter().map(|part| !part.clone())))
        };
        let mine = new(needed(&image, &left.term, &left.points), &left.parts);
        let theirs = new(needed(&preimage, &right.term, &right.points), &right.parts);
        let factors = self.factors([&left.term, &right.term], &map.pairing, &forward, &of_left, sign)?;
        if of_left.len() != of_right.len() {
            return None;
        }
        left.points = left_rest;
        right.points = right_rest;
        left.parts.push(mine.clone());
        right.parts.push(theirs.clone());
        let (forward, backward) = (map.forward.clone(), map.backward.clone());
        Some(Piece { terms, parts: [mine, theirs], forward, backward, factors })
    }

    fn factors(
        &mut self,
        [left, right]: [&Term; 2],
        pairing: &[usize],
        forward: &Solution,
        points: &[Point],
        sign: i64,
    ) -> Option<Vec<(usize, Proof)>> {
        let rename = |v: Variable| forward.find(v);
        let (c, d) =
            (&left.coefficient, (right.coefficient.0.clone() * RBig::from(sign), &right.coefficient.1));
        let times = |a: &IBig, b: &RBig| a * IBig::from(b.denominator().clone());
        let d_index = d.1.substitute(&rename);
        let [p, q] =
            [c.1.scaled(&times(c.0.numerator(), &d.0)), d_index.scaled(&times(d.0.numerator(), &c.0))];
        if !agree(&p, &q, points) {
            return None;
        }
        let mut proofs = Vec::new();
        for (factor, &at) in left.factors.iter().zip(pairing) {
            let other = &right.factors[at].side;
            let other = Side { node: other.node, at: other.at.renamed(&rename) };
            proofs.push((at, self.prove(&factor.side, &other, points)?));
        }
        Some(proofs)
    }

    fn open(&self, term: Term, points: &[Point]) -> Open {
        let points = extended(points, &term.binders, &term.domain, MAX_SAMPLES);
        let mut heads: Vec<(bool, Head)> = term.factors.iter().map(|factor| self.head(factor)).collect();
        heads.sort();
        let key = |written: bool| term.factors.iter().map(|f| self.key(f, &points, written)).collect();
        let keys = term.binders.is_empty().then(|| [key(true), key(false)]);
        Open { term, all: points.clone(), points, parts: Vec::new(), heads, keys }
    }

    /// What a factor reads, as it is written or at some samples; factors that are the same at the samples have the same key there.
    fn key(&self, factor: &Factor, points: &[Point], written: bool) -> u64 {
        let mut hasher = FxHasher::default();
        factor.reciprocal.hash(&mut hasher);
        if let Node::Read(input, index) = self.program.node(factor.side.node) {
            input.0.hash(&mut hasher);
            for p in index.iter().map(|p| factor.side.at.index(p)) {
                hash_index(&p, points, written, &mut hasher);
            }
        }
        hasher.finish()
    }

    fn head(&self, factor: &Factor) -> (bool, Head) {
        let head = match self.program.node(factor.side.node) {
            Node::Read(input, _) => Head::Read(*input),
            Node::Apply(operator, _) => Head::Apply(*operator),
            Node::Reduce(reduction) => Head::Reduce(reduction.operator.text()),
            _ => Head::Other,
        };
        (factor.reciprocal, head)
    }

    /// Maps under which the accesses could be equal.
    fn maps(&self, left: &Open, right: &Open, points: &[Point]) -> Vec<Candidate> {
        let mut maps = Vec::new();
        let pairings = match paired(left, right, 0).or_else(|| paired(left, right, 1)) {
            Some(pairing) if self.are_reads(&left.term) => vec![pairing],
            _ => self.pairings(&left.term, &right.term, points),
        };
        let (left, right) = (&left.term, &right.term);
        for pairing in pairings {
            let pairs = left.factors.iter().zip(&pairing);
            let systems = pairs.fold(vec![Vec::new()], |systems, (factor, &at)| {
                self.equations(systems, &factor.side, &right.factors[at].side)
            });
            for equations in systems {
                for forward in correspondences(left, right, &equations, points) {
                    let (pairing, equations) = (pairing.clone(), equations.clone());
                    maps.push(Candidate { forward, pairing, equations });
                }
            }
        }
        maps
    }

    fn are_reads(&self, term: &Term) -> bool {
        term.factors.iter().all(|factor| matches!(self.program.node(factor.side.node), Node::Read(..)))
    }

    /// Ways to match factors of the same kind for which the accesses may be equal, first at all samples, then at some.
    fn pairings(&self, left: &Term, right: &Term, points: &[Point]) -> Vec<Vec<usize>> {
        let mut found = self.ways(left, right, &|equations| hold(equations, right, points, true));
        for pairing in self.ways(left, right, &|equations| hold(equations, right, points, false)) {
            if !found.contains(&pairing) {
                found.push(pairing);
            }
        }
        found
    }

    /// One factor after the other, a factor that shares an index with an earlier one first.
    fn ways(&self, left: &Term, right: &Term, may_hold: &dyn Fn(&[Index]) -> bool) -> Vec<Vec<usize>> {
        let [mine, theirs] =
            [left, right].map(|term| term.factors.iter().map(|f| self.head(f)).collect::<Vec<_>>());
        let order = self.connected(left);
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let mut pending: Vec<(Vec<usize>, Vec<Index>)> = vec![Default::default()];
        while let Some((paired, equations)) = pending.pop() {
            looked_at += 1;
            if looked_at > MAX_PARTIAL || found.len() >= MAX_PAIRINGS {
                break;
            }
            let Some(&next) = order.get(paired.len()) else {
                let mut pairing = vec![0; order.len()];
                order.iter().zip(&paired).for_each(|(&at, &by)| pairing[at] = by);
                found.push(pairing);
                continue;
            };
            let free = (0..theirs.len()).filter(|at| theirs[*at] == mine[next] && !paired.contains(at));
            for at in free.rev() {
                let systems = self.equations(
                    vec![equations.clone()],
                    &left.factors[next].side,
                    &right.factors[at].side,
                );
                // What a choice says is known only when its branch is.
                let equations = if let [system] = &systems[..] { system.clone() } else { equations.clone() };
                if may_hold(&equations) {
                    pending.push(([&paired[..], &[at]].concat(), equations));
                }
            }
        }
        found
    }

    /// The factors of a term in an order in which each shares a bound index with an earlier one, as far as that is possible.
    fn connected(&self, term: &Term) -> Vec<usize> {
        let indices = |at: usize| -> Vec<Variable> {
            let side = &term.factors[at].side;
            let free = self.program.free(side.node).iter();
            let mut found = Vec::new();
            free.for_each(|&v| {
                side.at.find(v).unwrap_or_else(|| Index::from(v)).visit(&mut |v| found.push(v))
            });
            found.retain(|v| term.binders.iter().any(|(w, _)| w == v));
            found
        };
        let mut rest: Vec<(usize, Vec<Variable>)> =
            (0..term.factors.len()).map(|at| (at, indices(at))).collect();
        let (mut order, mut reached) = (Vec::new(), Vec::new());
        while !rest.is_empty() {
            let near = rest.iter().position(|(_, of)| of.iter().any(|v| reached.contains(v)));
            let (at, of) = rest.remove(near.unwrap_or(0));
            order.push(at);
            reached.extend(of);
        }
        order
    }

    /// What must be zero for the factors to read the same elements: left minus right. A choice gives a system of equations for
    /// each of its branches.
    fn equations(&self, mut systems: Vec<Vec<Index>>, e: &Side, f: &Side) -> Vec<Vec<Index>> {
        let mut zero = |p: Index| systems.iter_mut().for_each(|system| system.push(p.clone()));
        match (self.program.node(e.node), self.program.node(f.node)) {
            (Node::Read(_, p), Node::Read(_, q)) => {
                p.iter().zip(q).for_each(|(p, q)| zero(&e.at.index(p) - &f.at.index(q)));
                systems
            }
            (Node::Index(p, _), Node::Index(q, _)) => {
                zero(&e.at.index(p) - &f.at.index(q));
                systems
            }
            (Node::Apply(o, a), Node::Apply(p, b)) if o == p => {
                a.iter().zip(b).fold(systems, |systems, (&a, &b)| self.equations(systems, &e.of(a), &f.of(b)))
            }
            (Node::Choose(_, branches), _) => {
                self.of_each(branches, &systems, |systems, branch| self.equations(systems, &e.of(branch), f))
            }
            (_, Node::Choose(_, branches)) => {
                self.of_each(branches, &systems, |systems, branch| self.equations(systems, e, &f.of(branch)))
            }
            _ => systems,
        }
    }

    fn of_each(
        &self,
        branches: &[NodeId; 2],
        systems: &[Vec<Index>],
        equations: impl Fn(Vec<Vec<Index>>, NodeId) -> Vec<Vec<Index>>,
    ) -> Vec<Vec<Index>> {
        let mut all = equations(systems.to_vec(), branches[0]);
        for system in equations(systems.to_vec(), branches[1]) {
            if all.len() < MAX_SYSTEMS && !all.contains(&system) {
                all.push(system);
            }
        }
        all
    }
}

/// The term as a proof says it.
fn derived(term: &Term) -> Derived {
    Derived {
        steps: term.steps.clone(),
        binders: term.binders.iter().map(|(v, _)| *v).collect(),
        number: term.coefficient.0.to_string(),
        index: term.coefficient.1.clone(),
        domain: term.domain.clone(),
        factors: term.factors.iter().map(|factor| factor.side.node).collect(),
    }
}

/// Whether nothing was expanded.
fn is_itself(term: &Term, side: &Side) -> bool {
    matches!(&term.factors[..], [factor] if factor.side.node == side.node && !factor.reciprocal)
}

/// Hashes an index term as it is written, or its values at some samples.
fn hash_index(p: &Index, points: &[Point], written: bool, hasher: &mut FxHasher) {
    if written {
        return p.hash(hasher);
    }
    let step = (points.len() / KEYS).max(1);
    points.iter().step_by(step).for_each(|point| p.value(point).unwrap_or(i64::MIN).hash(hasher));
}

/// Pairs of terms that read the same, with the same coefficient, by these keys.
fn likely(left: &[Open], right: &[Open], by: usize) -> Vec<(usize, usize)> {
    let key = |open: &Open| {
        let mut keys = open.keys.as_ref()?[by].clone();
        keys.sort_unstable();
        let mut hasher = FxHasher::default();
        let (number, index) = &open.term.coefficient;
        number.to_string().hash(&mut hasher);
        hash_index(index, &open.all, by == 0, &mut hasher);
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

/// The factors of two terms, paired by these keys.
fn paired(left: &Open, right: &Open, by: usize) -> Option<Vec<usize>> {
    let (mine, theirs) = (&left.keys.as_ref()?[by], &right.keys.as_ref()?[by]);
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    theirs.iter().enumerate().rev().for_each(|(at, key)| known.entry(*key).or_default().push(at));
    mine.iter().map(|key| known.get_mut(key)?.pop()).collect()
}

/// The part of a term whose coefficient is 0, if it is all or the term has points where it is.
fn vanishes(open: &mut Open) -> Option<Condition> {
    let (number, index) = &open.term.coefficient;
    if *number == RBig::ZERO || index.is_zero() {
        open.points.clear();
        return Some(Condition::always());
    }
    let (gone, rest): (Vec<Point>, Vec<Point>) =
        open.points.iter().cloned().partition(|point| index.value(point) == Ok(0));
    if gone.is_empty() || index.as_constant().is_some() {
        return None;
    }
    let part = Condition::zero(index.clone());
    open.points = rest;
    open.parts.push(part.clone());
    Some(part)
}

fn substitution(term: &Term, values: &[Index]) -> Solution {
    let known = term.binders.iter().map(|(v, _)| *v).zip(values.iter().cloned()).collect();
    Solution { known }
}

/// The conjuncts of a condition that do not hold at all points of the term anyway.
fn needed(condition: &Condition, term: &Term, points: &[Point]) -> Condition {
    let known = term.domain.conjuncts();
    let matters = |part: &&Condition| {
        !known.contains(part) && !points.iter().all(|point| part.holds(point) == Ok(true))
    };
    Condition::all(condition.conjuncts().iter().filter(matters).cloned().collect::<Vec<_>>())
}

/// Index terms for the right indices over the left ones: what the equations determine, and guesses for the rest.
fn correspondences(left: &Term, right: &Term, equations: &[Index], points: &[Point]) -> Vec<Vec<Index>> {
    let mine: Vec<Variable> = left.binders.iter().map(|(v, _)| *v).collect();
    let theirs: Vec<Variable> = right.binders.iter().map(|(v, _)| *v).collect();
    let all: Vec<Index> = equations.iter().chain(&equalities(right)).cloned().collect();
    let start = solve(all.clone(), &theirs, &right.domain, Solution::default());
    let mut found = Vec::new();
    let mut pending = vec![start];
    let mut guesses = 0;
    while let Some(solution) = pending.pop() {
        let Some(unknown) = theirs.iter().copied().find(|v| solution.find(*v).is_none()) else {
            if consistent(equations, &solution, points) {
                found.push(theirs.iter().map(|v| solution.find(*v).unwrap_or_default()).collect());
            }
            continue;
        };
        let at = theirs.iter().position(|v| *v == unknown).unwrap_or(0);
        let used = |v: Variable| solution.known.iter().any(|(_, p)| p.as_variable() == Some(v));
        let mut candidates: Vec<Index> =
            mine.iter().filter(|v| !used(**v)).map(|&v| Index::from(v)).collect();
        if at < candidates.len() {
            candidates.swap(0, at);
        }
        candidates.push(least(unknown, right));
        for candidate in candidates.into_iter().rev() {
            guesses += 1;
            if guesses > MAX_GUESSES {
                return found;
            }
            let mut next = solution.clone();
            next.set(unknown, &next.apply(&candidate));
            pending.push(solve(all.clone(), &theirs, &right.domain, next));
        }
    }
    found
}

/// What is zero at every point of a term.
fn equalities(term: &Term) -> Vec<Index> {
    let equality = |condition: &Condition| match condition {
        Condition::Zero(p) => Some(p.clone()),
        _ => None,
    };
    term.domain.conjuncts().iter().filter_map(equality).collect()
}

/// The least value that the conditions of a term leave to an index, as far as they bound it from below.
fn least(v: Variable, term: &Term) -> Index {
    let bound = |condition: &Condition| match condition {
        Condition::NonNegative(p) => {
            let rest = p - &Index::from(v);
            (!rest.mentions(v)).then(|| -rest)
        }
        _ => None,
    };
    let bounds = term.domain.conjuncts().iter().filter_map(bound);
    bounds.reduce(|a, b| a.maximum(&b)).unwrap_or_default()
}

/// Whether all samples, or some, satisfy those of the equations that have no unknown index once they are solved.
fn hold(equations: &[Index], right: &Term, points: &[Point], at_all: bool) -> bool {
    let theirs: Vec<Variable> = right.binders.iter().map(|(v, _)| *v).collect();
    let solution = solve(equations.to_vec(), &theirs, &right.domain, Solution::default());
    let settled: Vec<Index> = equations
        .iter()
        .map(|p| solution.apply(p))
        .filter(|p| !p.is_zero() && !theirs.iter().any(|&v| p.mentions(v)))
        .collect();
    let holds = |point: &Point| settled.iter().all(|p| p.value(point) == Ok(0));
    settled.is_empty() || if at_all { points.iter().all(holds) } else { points.iter().any(holds) }
}

/// Whether some sample satisfies the equations once the unknowns are replaced.
fn consistent(equations: &[Index], solution: &Solution, points: &[Point]) -> bool {
    let equations: Vec<Index> =
        equations.iter().map(|p| solution.apply(p)).filter(|p| !p.is_zero()).collect();
    equations.is_empty() || points.iter().any(|point| equations.iter().all(|p| p.value(point) == Ok(0)))
}

/// The left indices over the right ones.
fn inverse(equations: &[Index], forward: &[Index], left: &Term, right: &Term) -> Option<Vec<Index>> {
    let mine: Vec<Variable> = left.binders.iter().map(|(v, _)| *v).collect();
    let maps = right.binders.iter().zip(forward).map(|((v, _), p)| p - &Index::from(*v));
    let all: Vec<Index> = maps.chain(equations.iter().cloned()).chain(equalities(left)).collect();
    let mut solution = solve(all, &mine, &left.domain, Solution::default());
    for (v, [lower, _]) in &left.binders {
        if solution.find(*v).is_none() {
            let lower = solution.apply(lower);
            solution.set(*v, &lower);
        }
    }
    mine.iter().map(|v| solution.find(*v)).collect()
}
