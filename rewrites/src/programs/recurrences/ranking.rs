//! Rankings of the elements of recurrences: tuples of natural numbers that decrease along every dependence, as far
//! as samples tell.

use super::{as_claim, sampled_sizes};
use crate::search::samples::{SamplePoint, assignments, extended, points};
use alpha::to_core::induction::{OpaqueRead, Rank, VariableElement};
use alpha::to_core::{Definitions, Root};
use fastrand::Rng;
use selfsame_core::{Condition, Index, Variable};
use std::collections::BTreeMap;

/// The maximum number of sampled dependences for each reading of a recurrence. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_DEPENDENCES: usize = 600;
/// The largest value tried for bound indices; the least is −1. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_BOUND: i64 = 10;
/// The maximum number of combinations of linear functions of the variables of a component: each is tried
/// against all sampled dependences, 600 for each reading.
const MAX_COMBINATIONS: usize = 4000;

/// A dependence between elements of two recurrences, each given by its place in a component.
struct Dependence {
    places: [usize; 2],
    elements: [Vec<i64>; 2],
}

/// The stage and the rank of an element, for these values of sizes and indices.
pub fn stage_and_rank(
    element: &VariableElement,
    ranks: &[Rank],
    values: &[i64],
) -> Option<(usize, Vec<i64>)> {
    let of = ranks.iter().find(|of| of.side == element.side && of.variable == element.variable)?;
    let at: Vec<i64> = element.at.iter().map(|p| p.value(values).ok()).collect::<Option<_>>()?;
    let mut values = values.to_vec();
    let width = of.point.iter().map(|v| v.index() + 1).max().unwrap_or(0);
    values.resize(values.len().max(width), 0);
    of.point.iter().zip(at).for_each(|(v, value)| values[v.index()] = value);
    let rank = of.rank.iter().map(|p| p.value(&values).ok()).collect::<Option<_>>()?;
    Some((of.stage, rank))
}

/// Ranks for all recurrences, if they are found.
pub fn all(definitions: &Definitions, seed: u64) -> Option<Vec<Rank>> {
    let reached = reached(definitions);
    let mut all = Vec::new();
    for first in 0..reached.len() {
        let component: Vec<usize> =
            (0..reached.len()).filter(|&y| reached[first][y] && reached[y][first]).collect();
        if component.first() == Some(&first) {
            let stage = reached[first].iter().filter(|reached| **reached).count();
            let found = Component::new(definitions, &component, seed).ranks()?;
            all.extend(component.iter().zip(found).map(|(&x, rank)| {
                let of = &definitions.recurrences[x];
                let (variable, point) = (of.name.clone(), of.root.point.clone());
                Rank { side: of.side, variable, point, stage, rank }
            }));
        }
    }
    Some(all)
}

/// For each recurrence, the recurrences that it depends on, directly or not.
fn reached(definitions: &Definitions) -> Vec<Vec<bool>> {
    let count = definitions.recurrences.len();
    let mut reached: Vec<Vec<bool>> = definitions
        .recurrences
        .iter()
        .map(|x| (0..count).map(|y| x.root.readings.iter().any(|r| reads(r, definitions, y))).collect())
        .collect();
    for via in 0..count {
        for from in 0..count {
            if reached[from][via] {
                let further = reached[via].clone();
                reached[from].iter_mut().zip(further).for_each(|(reached, further)| *reached |= further);
            }
        }
    }
    reached
}

fn reads(reading: &OpaqueRead, definitions: &Definitions, y: usize) -> bool {
    let of = &definitions.recurrences[y];
    reading.element.side == of.side && reading.element.variable == of.name
}

/// Recurrences that depend on each other.
struct Component<'a> {
    roots: Vec<&'a Root>,
    dependences: Vec<Dependence>,
    /// Sampled elements of each recurrence, with the sizes.
    elements: Vec<Vec<SamplePoint>>,
}

impl<'a> Component<'a> {
    fn new(definitions: &'a Definitions, members: &[usize], seed: u64) -> Component<'a> {
        let mut rng = Rng::with_seed(seed);
        let sizes = sampled_sizes(assignments(&definitions.symbols, &definitions.allowed, 16, &mut rng));
        let roots: Vec<&Root> = members.iter().map(|&x| &definitions.recurrences[x].root).collect();
        let elements: Vec<Vec<SamplePoint>> =
            roots.iter().map(|root| points(&as_claim(root), &sizes, &mut rng)).collect();
        let mut dependences = Vec::new();
        for (from, root) in roots.iter().enumerate() {
            for reading in &root.readings {
                let Some(to) = members.iter().position(|&y| reads(reading, definitions, y)) else { continue };
                let mut mine = elements[from].clone();
                rng.shuffle(&mut mine);
                let found = mine.iter().flat_map(|point| dependences_at(root, reading, point));
                let dependence = |elements| Dependence { places: [from, to], elements };
                dependences.extend(found.take(MAX_DEPENDENCES).map(dependence));
            }
        }
        Component { roots, dependences, elements }
    }

    /// The ranks of each member.
    fn ranks(&self) -> Option<Vec<Vec<Index>>> {
        let mut left: Vec<&Dependence> = self.dependences.iter().collect();
        let mut ranks = vec![Vec::new(); self.roots.len()];
        while !left.is_empty() {
            let level = self.level(&left)?;
            left.retain(|d| level.descent(d) == 0);
            for (at, rank) in ranks.iter_mut().enumerate() {
                rank.push(self.term(&level, at) + level.offset.clone());
            }
        }
        if ranks.iter().any(Vec::is_empty) { None } else { Some(ranks) }
    }

    /// Affine functions that no dependence raises, that decrease along as many as possible, and that are bounded
    /// from below.
    fn level(&self, left: &[&Dependence]) -> Option<RankLevel> {
        let mut best: Option<(usize, RankLevel)> = None;
        for linear in self.combinations() {
            let Some(mut level) = self.not_raised(linear, left) else { continue };
            let lowered = left.iter().filter(|d| level.descent(d) > 0).count();
            if lowered == 0 || best.as_ref().is_some_and(|(most, _)| lowered <= *most) {
                continue;
            }
            if let Some(offset) = self.offset(&level) {
                level.offset = offset;
                best = Some((lowered, level));
            }
        }
        best.map(|(_, level)| level)
    }

    /// The linear functions, with constants such that every dependence lowers them, or else such that none raises
    /// them.
    fn not_raised(&self, linear: Vec<Vec<i64>>, left: &[&Dependence]) -> Option<RankLevel> {
        let count = self.roots.len();
        let mut level = RankLevel { linear, constants: vec![0; count], offset: Index::default() };
        let mut least: BTreeMap<[usize; 2], i128> = BTreeMap::new();
        for d in left {
            let descent = level.descent(d);
            least.entry(d.places).and_modify(|least| *least = descent.min(*least)).or_insert(descent);
        }
        // Differences of constants are bounded, so shortest paths solve for them.
        [1, 0].into_iter().find_map(|wanted| {
            level.constants = vec![0; count];
            for _ in 0..=count {
                let before = level.constants.clone();
                for (&[from, to], descent) in &least {
                    let most = level.constants[from] + descent - wanted;
                    level.constants[to] = level.constants[to].min(most);
                }
                if level.constants == before {
                    return Some(level.clone());
                }
            }
            None
        })
    }

    /// The function of a member, without the offset.
    fn term(&self, level: &RankLevel, at: usize) -> Index {
        term(&level.linear[at], self.roots[at]) + Index::constant(level.constants[at].into())
    }

    /// Functions for the members: all combinations, or, if these are too many, the same function for all, by index
    /// position.
    fn combinations(&self) -> Vec<Vec<Vec<i64>>> {
        let mut all: Vec<Vec<Vec<i64>>> = vec![Vec::new()];
        for root in &self.roots {
            let of_this = functions(root.point.len());
            if all.len() * of_this.len() > MAX_COMBINATIONS {
                let widest = self.roots.iter().map(|root| root.point.len()).max().unwrap_or(0);
                let cut = |function: &Vec<i64>| {
                    self.roots.iter().map(|root| function[..root.point.len()].to_vec()).collect()
                };
                return functions(widest).iter().map(cut).collect();
            }
            all = all
                .iter()
                .flat_map(|others| {
                    of_this.iter().map(move |f| [&others[..], std::slice::from_ref(f)].concat())
                })
                .collect();
        }
        all
    }

    /// An offset under which no sampled element has a negative value.
    fn offset(&self, level: &RankLevel) -> Option<Index> {
        let bounds = (0..self.roots.len()).flat_map(|at| {
            let bounds = bounds(self.roots[at], &level.linear[at]).into_iter();
            bounds.map(move |bound| bound - Index::constant(level.constants[at].into()))
        });
        let is_natural = |offset: &Index| {
            (0..self.roots.len()).all(|at| {
                let p = self.term(level, at) + offset.clone();
                self.elements[at].iter().all(|point| p.value(point).is_ok_and(|value| value >= 0))
            })
        };
        [Index::default()].into_iter().chain(bounds).find(is_natural)
    }
}

/// One component of the rank tuples.
#[derive(Clone)]
struct RankLevel {
    linear: Vec<Vec<i64>>,
    /// One constant for each variable.
    constants: Vec<i128>,
    offset: Index,
}

impl RankLevel {
    /// How much a dependence lowers the component.
    fn descent(&self, d: &Dependence) -> i128 {
        let value = |end: usize| {
            let at = d.places[end];
            let linear =
                self.linear[at].iter().zip(&d.elements[end]).map(|(&k, &i)| i128::from(k) * i128::from(i));
            linear.sum::<i128>() + self.constants[at]
        };
        value(0) - value(1)
    }
}

/// A linear function of an element's indices as an index term.
fn term(linear: &[i64], root: &Root) -> Index {
    let terms = linear.iter().zip(&root.point);
    terms.fold(Index::default(), |sum, (&k, &v)| sum + Index::from(v).scaled(&k.into()))
}

/// 0, the indices, their sums and their differences, with both signs.
fn functions(rank: usize) -> Vec<Vec<i64>> {
    let linear = |terms: &[(usize, i64)]| {
        let mut function = vec![0; rank];
        terms.iter().for_each(|&(d, k)| function[d] = k);
        function
    };
    let mut all = vec![linear(&[])];
    all.extend((0..rank).flat_map(|d| [linear(&[(d, 1)]), linear(&[(d, -1)])]));
    for (a, b) in (0..rank).flat_map(|b| (0..b).map(move |a| (a, b))) {
        all.extend([(1, 1), (1, -1), (-1, 1), (-1, -1)].map(|(j, k)| linear(&[(a, j), (b, k)])));
    }
    all
}

/// Offsets that make a linear function nonnegative, according to the bounds of the indices or to a condition of
/// the domain.
fn bounds(root: &Root, linear: &[i64]) -> Vec<Index> {
    let extreme = |(&k, [lower, upper]): (&i64, &selfsame_core::Bounds)| {
        let bound = if k > 0 { lower.clone() } else { upper.as_ref().map(|upper| upper - &Index::from(1)) };
        if k == 0 { Some(Index::default()) } else { Some(bound?.scaled(&(-k).into())) }
    };
    let by_indices: Option<Vec<Index>> = linear.iter().zip(&root.bounds).map(extreme).collect();
    let mut found: Vec<Index> = Vec::new();
    found.extend(by_indices.map(|parts| parts.into_iter().fold(Index::default(), |sum, p| sum + p)));
    let function = term(linear, root);
    for part in root.domain.conjuncts() {
        if let Condition::NonNegative(p) = part {
            let rest = p - &function;
            if root.point.iter().all(|&v| !rest.mentions(v)) {
                found.push(rest);
            }
        }
    }
    found
}

/// The elements read by a reading at a point, one for each value of the indices bound around it.
fn dependences_at(root: &Root, reading: &OpaqueRead, point: &SamplePoint) -> Vec<[Vec<i64>; 2]> {
    let mut bound: Vec<Variable> = reading.context.variables();
    reading.element.at.iter().for_each(|p| p.visit(&mut |v| bound.push(v)));
    bound.retain(|v| v.index() >= point.len() && !root.point.contains(v));
    bound.sort_unstable();
    bound.dedup();
    let width = bound.iter().map(|v| v.index() + 1).max().unwrap_or(0);
    let mut start = point.clone();
    start.resize(start.len().max(width), 0);
    let limits = [Index::from(-1), Index::from(MAX_BOUND + 1)];
    let binders: Vec<(Variable, [Index; 2])> = bound.into_iter().map(|v| (v, limits.clone())).collect();
    let from: Vec<i64> = root.point.iter().map(|v| point[v.index()]).collect();
    let points = extended(&[start], &binders, &reading.context, MAX_DEPENDENCES);
    let read = |point: &SamplePoint| {
        reading.element.at.iter().map(|p| p.value(point).ok()).collect::<Option<Vec<i64>>>()
    };
    points.iter().filter_map(|point| Some([from.clone(), read(point)?])).collect()
}
