//! Rankings of elements: linear functions of the indices that no dependence increases.
//!
//! Such a function is constant along a cycle of dependences; along an endless descent on which it is bounded from
//! below, it is constant from some step on. So only dependences between elements of equal rank remain, for further
//! rankings: a lexicographic order in which elements can be evaluated.

use super::SystemChecker;
use super::dependences::Dependences;
use crate::components::components;
use polyhedra::{Affine, Engine, EngineError, IndexRelation, IndexSet};
use std::collections::BTreeSet;

/// The maximum number of indices of elements for which sums and differences of indices are tried: there are
/// four for each pair of indices, 24 at rank 4.
const MAX_RANK: usize = 4;

/// A linear function, by the coefficients of the indices.
type Ranking = Vec<i64>;

/// The dependences that may be parts of cycles.
pub(super) struct Ranked {
    pub(super) left: Dependences,
    /// Whether an endless descent would have to follow the dependences that are left for ever.
    pub(super) bounded: bool,
}

impl SystemChecker<'_> {
    /// Removes dependences that are on no cycle, as far as rankings show.
    pub(super) fn ranked(&self, dependences: &Dependences) -> Ranked {
        let rank = dependences.values().map(|relation| relation.inputs).max().unwrap_or(0);
        let mut ranked = Ranked { left: Dependences::new(), bounded: true };
        let mut pending: Vec<_> =
            circular(dependences).into_iter().map(|part| (part, rankings(rank))).collect();
        while let Some((part, mut rankings)) = pending.pop() {
            // Bounded rankings first.
            let tried = [true, false].into_iter().find_map(|bounded| {
                rankings.iter().enumerate().find_map(|(at, ranking)| {
                    let level = self.level(&part, ranking, bounded)?;
                    Some((at, level, bounded))
                })
            });
            match tried {
                None => ranked.left.extend(part),
                Some((at, level, bounded)) => {
                    rankings.swap_remove(at);
                    ranked.bounded &= bounded;
                    pending.extend(circular(&level).into_iter().map(|part| (part, rankings.clone())));
                }
            }
        }
        ranked
    }

    /// Whether descents along dependences end because they go through finitely many elements, for any parameters.
    pub(super) fn is_finite(&self, dependences: &Dependences) -> bool {
        let is_finite = |elements: IndexSet| is_origin(self.engine, &elements.directions()?);
        dependences.values().all(|relation| is_finite(relation.domain()) == Ok(true))
    }

    /// The dependences between elements of equal rank; `None` unless no dependence leads to a higher rank and some
    /// lead to a lower one. If `bounded`, the elements that these start from must have ranks bounded from below.
    fn level(&self, part: &Dependences, ranking: &Ranking, bounded: bool) -> Option<Dependences> {
        let mut level = Dependences::new();
        let mut some_descend = false;
        for (key, relation) in part {
            let of_elements = Ranks::new(relation, ranking).ok()?;
            let descent = of_elements.first.plus(-1, &of_elements.second).ok()?;
            let where_descent_is = |equalities: Vec<Affine>, inequalities: Vec<Affine>| {
                let space = relation.graph.space.clone();
                let graph =
                    relation.graph.intersect(&IndexSet::constrained(space, equalities, inequalities))?;
                self.engine.simplify(&IndexRelation { graph, inputs: relation.inputs })
            };
            let at_least = |k: i64, sign: i64| Affine::constant(-k).plus(sign, &descent);
            if !where_descent_is(vec![], vec![at_least(1, -1).ok()?]).ok()?.graph.is_plainly_empty() {
                return None;
            }
            let down = where_descent_is(vec![], vec![at_least(1, 1).ok()?]).ok()?;
            some_descend |= !down.graph.is_plainly_empty();
            if bounded && is_bounded_below(self.engine, &down.graph, &of_elements.first) != Ok(true) {
                return None;
            }
            let same = where_descent_is(vec![descent.clone()], vec![]).ok()?;
            if !same.graph.is_plainly_empty() {
                level.insert(*key, same);
            }
        }
        some_descend.then_some(level)
    }
}

/// The ranks of the first and the second element of a pair.
struct Ranks {
    first: Affine,
    second: Affine,
}

impl Ranks {
    fn new(relation: &IndexRelation, ranking: &Ranking) -> Result<Ranks, EngineError> {
        let space = &relation.graph.space;
        let rank = |dimensions: std::ops::Range<usize>| {
            dimensions
                .zip(ranking)
                .try_fold(Affine::default(), |sum, (d, &k)| sum.plus(k, &Affine::column(space.column(d))))
        };
        Ok(Ranks { first: rank(0..relation.inputs)?, second: rank(relation.inputs..space.rank())? })
    }
}

/// Whether a linear function has a minimum on a set, for any parameters.
fn is_bounded_below(engine: &dyn Engine, set: &IndexSet, function: &Affine) -> Result<bool, EngineError> {
    is_never_negative(engine, &set.directions()?, function)
}

fn is_never_negative(engine: &dyn Engine, set: &IndexSet, function: &Affine) -> Result<bool, EngineError> {
    let negative = IndexSet::constrained(set.space.clone(), Vec::new(), vec![function.negation()?]);
    engine.is_empty(&set.intersect(&negative)?)
}

/// Whether a cone has no point other than 0.
pub(super) fn is_origin(engine: &dyn Engine, cone: &IndexSet) -> Result<bool, EngineError> {
    let units = (0..cone.space.rank()).flat_map(|d| [1, -1].map(|sign| (sign, cone.space.column(d))));
    for (sign, column) in units {
        if !is_never_negative(engine, cone, &Affine::term(sign, column))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The dependences that may be on cycles, grouped by component.
fn circular(dependences: &Dependences) -> Vec<Dependences> {
    let count = dependences.keys().map(|&(from, to)| from.max(to) + 1).max().unwrap_or(0);
    let mut reads = vec![Vec::new(); count];
    dependences.keys().for_each(|&(from, to)| reads[from].push(to));
    let within = |component: &Vec<usize>| {
        let members: BTreeSet<usize> = component.iter().copied().collect();
        let inside = |(from, to): &(usize, usize)| members.contains(from) && members.contains(to);
        dependences.iter().filter(|(key, _)| inside(key)).map(|(key, r)| (*key, r.clone())).collect()
    };
    components(&reads).iter().map(within).filter(|part: &Dependences| !part.is_empty()).collect()
}

/// The coordinates, their sums and their differences, with both signs.
fn rankings(rank: usize) -> Vec<Ranking> {
    let linear = |terms: &[(usize, i64)]| {
        let mut ranking = vec![0; rank];
        terms.iter().for_each(|&(d, k)| ranking[d] = k);
        ranking
    };
    let mut all: Vec<Ranking> = (0..rank).flat_map(|d| [linear(&[(d, 1)]), linear(&[(d, -1)])]).collect();
    if rank <= MAX_RANK {
        for (a, b) in (0..rank).flat_map(|b| (0..b).map(move |a| (a, b))) {
            for (j, k) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                all.push(linear(&[(a, j), (b, k)]));
            }
        }
    }
    all
}
