//! Maps from the bound indices of one term to index terms over those of another, under which both terms read the
//! same.
//!
//! Factors are paired, and the map between the bound indices is solved for from the accesses that it must make
//! equal.

use crate::search::expansion::{SubstitutedNode, SumFactor, SumTerm};
use crate::search::samples::SamplePoint;
use crate::search::solving::{SolvedUnknowns, solve};
use crate::search::unmatched::{FactorKind, Open};
use crate::search::{Search, agree};
use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHasher};
use selfsame_core::{Condition, Index, Node, NodeId, Variable};
use std::hash::{Hash, Hasher};

/// The maximum number of pairings of the factors of two terms. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_PAIRINGS: usize = 64;
/// The maximum number of partial pairings to examine for them. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_PARTIAL: usize = 2000;
/// The maximum number of systems of equations for the choices inside factors. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_SYSTEMS: usize = 8;
/// The maximum number of guesses for indices that no access determines. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const MAX_GUESSES: usize = 64;
/// The approximate number of samples at which factors are compared by what they read. Chosen: half and twice
/// give the same verdicts (`docs/limits.md`).
const KEYS: usize = 24;

/// Index terms for the right indices, the pairing of the factors, and the index terms that must be zero for the
/// factors to be equal.
pub(crate) struct Candidate {
    pub forward: Vec<Index>,
    pub pairing: Vec<usize>,
    pub equations: Vec<Index>,
}

impl Search<'_> {
    /// A hash of the element that a factor reads, as written or by its values at samples; factors that are equal
    /// at the samples have the same key.
    pub(crate) fn key(&self, factor: &SumFactor, points: &[SamplePoint], written: bool) -> u64 {
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

    pub(crate) fn head(&self, factor: &SumFactor) -> (bool, FactorKind) {
        let head = match self.program.node(factor.side.node) {
            Node::Read(input, _) => FactorKind::Read(*input),
            Node::Apply(operator, _) => FactorKind::Apply(*operator),
            Node::Reduce(reduction) => FactorKind::Reduce(reduction.operator.text()),
            _ => FactorKind::Other,
        };
        (factor.reciprocal, head)
    }

    /// The first result that `make` returns for a map under which the accesses could be equal.
    pub(crate) fn first_map<T>(
        &mut self,
        [left, right]: [&Open; 2],
        points: &[SamplePoint],
        mut make: impl FnMut(&mut Self, Candidate) -> Option<T>,
    ) -> Option<T> {
        let keyed = paired(left, right, 0).or_else(|| paired(left, right, 1));
        if let Some(pairing) = keyed.filter(|_| self.are_reads(&left.term)) {
            return self.maps([left, right], &pairing, points).into_iter().find_map(|map| make(self, map));
        }
        let mut tried: Vec<Vec<usize>> = Vec::new();
        for equality in [Equality::Everywhere, Equality::AtAll, Equality::AtSome] {
            for pairing in self.pairings(&left.term, &right.term, points, equality) {
                if tried.contains(&pairing) {
                    continue;
                }
                let maps = self.maps([left, right], &pairing, points);
                if let Some(made) = maps.into_iter().find_map(|map| make(self, map)) {
                    return Some(made);
                }
                tried.push(pairing);
            }
        }
        None
    }

    /// Maps under which the accesses of the paired factors could be equal.
    fn maps(&self, [left, right]: [&Open; 2], pairing: &[usize], points: &[SamplePoint]) -> Vec<Candidate> {
        let (left, right) = (&left.term, &right.term);
        let pairs = left.factors.iter().zip(pairing);
        let systems = pairs.fold(vec![Vec::new()], |systems, (factor, &at)| {
            self.equations(systems, &factor.side, &right.factors[at].side)
        });
        let candidates = |equations: Vec<Index>| {
            let forwards = correspondences(left, right, &equations, points).into_iter();
            forwards.map(move |forward| Candidate {
                forward,
                pairing: pairing.to_vec(),
                equations: equations.clone(),
            })
        };
        systems.into_iter().flat_map(candidates).collect()
    }

    fn are_reads(&self, term: &SumTerm) -> bool {
        term.factors.iter().all(|factor| matches!(self.program.node(factor.side.node), Node::Read(..)))
    }

    /// Pairings of factors of the same kind whose accesses may be equal: one factor after the other, a factor that
    /// shares an index with an earlier one first.
    fn pairings(
        &self,
        left: &SumTerm,
        right: &SumTerm,
        points: &[SamplePoint],
        equality: Equality,
    ) -> Vec<Vec<usize>> {
        let unknowns: Vec<Variable> = right.binders.iter().map(|(v, _)| *v).collect();
        let may_hold = |equations: &[Index]| {
            let solution = solve(equations.to_vec(), &unknowns, &right.domain, SolvedUnknowns::default());
            hold(equations, &solution, right, points, equality)
        };
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
                // The equations of a choice are known only once its branch is.
                let equations = if let [system] = &systems[..] { system.clone() } else { equations.clone() };
                if may_hold(&equations) {
                    pending.push(([&paired[..], &[at]].concat(), equations));
                }
            }
        }
        found
    }

    /// The factors of a term in an order in which each shares a bound index with an earlier one, where possible.
    fn connected(&self, term: &SumTerm) -> Vec<usize> {
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

    /// Adds the equations under which two factors read the same elements: left minus right must be zero. A choice
    /// gives a system of equations for each of its branches.
    pub(crate) fn equations(
        &self,
        mut systems: Vec<Vec<Index>>,
        e: &SubstitutedNode,
        f: &SubstitutedNode,
    ) -> Vec<Vec<Index>> {
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
            (Node::Apply(o, a), Node::Apply(p, b)) if o == p => a
                .iter()
                .zip(b)
                .fold(systems, |systems, (&a, &b)| self.equations(systems, &e.with_node(a), &f.with_node(b))),
            (Node::Choose(_, branches), _) => self.of_each(branches, &systems, |systems, branch| {
                self.equations(systems, &e.with_node(branch), f)
            }),
            (_, Node::Choose(_, branches)) => self.of_each(branches, &systems, |systems, branch| {
                self.equations(systems, e, &f.with_node(branch))
            }),
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

/// Hashes an index term as written, or its values at some samples.
pub(crate) fn hash_index(p: &Index, points: &[SamplePoint], written: bool, hasher: &mut FxHasher) {
    if written {
        return p.hash(hasher);
    }
    let step = (points.len() / KEYS).max(1);
    points.iter().step_by(step).for_each(|point| p.value(point).unwrap_or(i64::MIN).hash(hasher));
}

/// Pairs the factors of two terms with equal keys.
fn paired(left: &Open, right: &Open, by: usize) -> Option<Vec<usize>> {
    let (mine, theirs) = (&left.keys.as_ref()?[by], &right.keys.as_ref()?[by]);
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    theirs.iter().enumerate().rev().for_each(|(at, key)| known.entry(*key).or_default().push(at));
    mine.iter().map(|key| known.get_mut(key)?.pop()).collect()
}

pub(crate) fn substitution(term: &SumTerm, values: &[Index]) -> SolvedUnknowns {
    let known = term.binders.iter().map(|(v, _)| *v).zip(values.iter().cloned()).collect();
    SolvedUnknowns { known }
}

/// Index terms for the right indices over the left ones: the solutions of the equations, with guesses for the
/// undetermined indices.
pub(crate) fn correspondences(
    left: &SumTerm,
    right: &SumTerm,
    equations: &[Index],
    points: &[SamplePoint],
) -> Vec<Vec<Index>> {
    let mine: Vec<Variable> = left.binders.iter().map(|(v, _)| *v).collect();
    let theirs: Vec<Variable> = right.binders.iter().map(|(v, _)| *v).collect();
    let all: Vec<Index> = equations.iter().chain(&equalities(right)).cloned().collect();
    let start = solve(all.clone(), &theirs, &right.domain, SolvedUnknowns::default());
    let mut found = Vec::new();
    let mut pending = vec![start];
    let mut guesses = 0;
    while let Some(solution) = pending.pop() {
        let Some(unknown) = theirs.iter().copied().find(|v| solution.find(*v).is_none()) else {
            if hold(equations, &solution, right, points, Equality::AtSome) {
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

/// The index terms that are zero at every point of a term.
fn equalities(term: &SumTerm) -> Vec<Index> {
    let equality = |condition: &Condition| match condition {
        Condition::Zero(p) => Some(p.clone()),
        _ => None,
    };
    term.domain.conjuncts().iter().filter_map(equality).collect()
}

/// The least value of an index that the conditions of a term allow; 0 if they give no lower bound.
fn least(v: Variable, term: &SumTerm) -> Index {
    let bound = |condition: &Condition| match condition {
        Condition::NonNegative(p) => {
            let (factor, rest) = p.linear_in(v)?;
            let factor = factor.as_constant().filter(|factor| *factor > IBig::ZERO)?;
            Some(-rest.floor_div(&Index::constant(factor)))
        }
        _ => None,
    };
    let bounds = term.domain.conjuncts().iter().filter_map(bound);
    bounds.reduce(|a, b| a.maximum(&b)).unwrap_or_default()
}

/// The samples at which the equations must hold that contain no unknown index once they are solved.
#[derive(Clone, Copy)]
enum Equality {
    /// Identically, without looking at samples.
    Everywhere,
    /// At all samples.
    AtAll,
    /// At one sample or more.
    AtSome,
}

/// Whether the equations hold that contain no unknown index once they are solved.
fn hold(
    equations: &[Index],
    solution: &SolvedUnknowns,
    right: &SumTerm,
    points: &[SamplePoint],
    equality: Equality,
) -> bool {
    let is_settled = |p: &Index| !p.is_zero() && !right.binders.iter().any(|&(v, _)| p.mentions(v));
    let settled: Vec<Index> = equations.iter().map(|p| solution.apply(p)).filter(is_settled).collect();
    let holds = |point: &SamplePoint| settled.iter().all(|p| p.value(point) == Ok(0));
    settled.is_empty()
        || match equality {
            Equality::Everywhere => false,
            Equality::AtAll => points.iter().all(holds),
            Equality::AtSome => points.iter().any(holds),
        }
}

/// The left indices over the right ones, where the terms are equal; `points` are samples of that part.
pub(crate) fn inverse(
    equations: &[Index],
    forward: &[Index],
    left: &SumTerm,
    right: &SumTerm,
    points: &[SamplePoint],
) -> Option<Vec<Index>> {
    let mine: Vec<Variable> = left.binders.iter().map(|(v, _)| *v).collect();
    let maps = right.binders.iter().zip(forward).map(|((v, _), p)| p - &Index::from(*v));
    let all: Vec<Index> = maps.chain(equations.iter().cloned()).chain(equalities(left)).collect();
    let mut solution = solve(all, &mine, &left.domain, SolvedUnknowns::default());
    let there = substitution(right, forward);
    for (v, [lower, _]) in &left.binders {
        if solution.find(*v).is_none() {
            let candidates = [solution.apply(lower), solution.apply(&least(*v, left))]
                .into_iter()
                .chain(right.binders.iter().map(|(w, _)| Index::from(*w)));
            let is_found = |p: &Index| agree(&p.substitute(&|w| there.find(w)), &Index::from(*v), points);
            let value = candidates.clone().find(is_found).or_else(|| candidates.clone().next())?;
            solution.set(*v, &value);
        }
    }
    mine.iter().map(|v| solution.find(*v)).collect()
}
