//! Applies rewrites until nothing new is found, or a limit is reached.

use super::facts::{ExpressionGraph, Fact};
use super::matching::{Match, TheoremInstance, matches};
use super::rewriting::Rewrite;
use alpha::patterns::holds;
use egg::Id;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The limits of a saturation.
#[derive(Clone, Copy, Debug)]
pub struct SaturationLimits {
    /// The maximum number of terms of the e-graph; a rewrite in progress stops at twice as many.
    pub terms: usize,
    /// The maximum number of rounds; each applies every rewrite wherever it matches.
    pub rounds: usize,
}

impl Default for SaturationLimits {
    /// Some 8,000 terms take seconds: `optimize` of `examples/chain.alpha` reaches them in 11 s; with half of
    /// them, in 7 s, and with twice as many, in 29 s, it finds programs of as few operations (2026-11-27, a debug
    /// build). A rewrite that always has too many matches rests for 2, 4, 8, 16 and 32 rounds: within 60 it is
    /// tried five times, the last time for up to 16,000 matches.
    fn default() -> SaturationLimits {
        SaturationLimits { terms: 8_000, rounds: 60 }
    }
}

/// Why a saturation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// No rewrite gives anything new.
    Saturated,
    /// The limit of terms was reached.
    Terms,
    /// The limit of rounds was reached.
    Rounds,
}

/// The result of a saturation.
#[derive(Clone, Debug)]
pub struct SaturationReport {
    /// Why the saturation ended.
    pub ended: Ended,
    /// The number of rounds.
    pub rounds: usize,
    /// How often each rewrite, by its label, merged two classes.
    pub applied: BTreeMap<String, usize>,
}

/// A rewrite with more matches than this rests for some rounds; the limit doubles each time. Chosen: half and
/// twice give the same verdicts (`docs/limits.md`).
const MATCHES: usize = 1_000;

/// A rewrite also rests if matching it takes more comparisons of patterns with classes than this. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const COMPARISONS: usize = 200_000;

/// How often a rewrite had too many matches, and the round until which it rests.
#[derive(Clone, Copy, Default)]
struct Rest {
    times: u32,
    until: usize,
}

/// Applies rewrites, those with many matches less often. Only rewrites for the number system of the first rewrite
/// ever applied to the e-graph are used.
pub fn saturate(
    graph: &mut ExpressionGraph<'_>,
    rewrites: &[Rewrite],
    limits: SaturationLimits,
) -> SaturationReport {
    let mut applied = BTreeMap::new();
    if let Some(first) = rewrites.first() {
        graph.analysis.values.get_or_insert(first.values);
    }
    let is_of = |rewrite: &&Rewrite| Some(rewrite.values) == graph.analysis.values;
    let rewrites: Vec<&Rewrite> = rewrites.iter().filter(is_of).collect();
    let mut rests = vec![Rest::default(); rewrites.len()];
    let mut known: FxHashSet<(usize, Id, Match)> = FxHashSet::default();
    graph.rebuild();
    for round in 0..limits.rounds {
        let mut changed = false;
        let mut found: Vec<Vec<(Id, Match)>> = Vec::new();
        for (rewrite, rest) in rewrites.iter().zip(&mut rests) {
            let is_resting = rest.until > round;
            let limit = MATCHES << rest.times;
            let mut places = if is_resting { Vec::new() } else { search(graph, rewrite, limit) };
            if places.len() > limit || graph.analysis.comparisons.get() == 0 {
                places.clear();
                *rest = Rest { times: rest.times + 1, until: round + (2 << rest.times) };
            }
            found.push(places);
        }
        for (at, (rewrite, places)) in rewrites.iter().zip(found).enumerate() {
            for (class, found) in places {
                if graph.total_size() > 2 * limits.terms {
                    break;
                }
                if known.insert((at, class, found.clone())) && apply(graph, rewrite, class, &found) {
                    changed = true;
                    *applied.entry(rewrite.label(None)).or_default() += 1;
                }
            }
            graph.rebuild();
            if graph.total_number_of_nodes() > limits.terms {
                return SaturationReport { ended: Ended::Terms, rounds: round + 1, applied };
            }
        }
        if !changed && rests.iter().all(|rest| rest.until <= round) {
            return SaturationReport { ended: Ended::Saturated, rounds: round + 1, applied };
        }
        if !changed {
            // Only resting rewrites can change anything.
            rests.iter_mut().for_each(|rest| rest.until = 0);
        }
    }
    SaturationReport { ended: Ended::Rounds, rounds: limits.rounds, applied }
}

/// The places where a rewrite matches: all, or one more than the limit.
fn search(graph: &mut ExpressionGraph<'_>, rewrite: &Rewrite, limit: usize) -> Vec<(Id, Match)> {
    graph.analysis.comparisons.set(COMPARISONS);
    let classes: Vec<Id> = graph.classes().map(|class| class.id).collect();
    let of_class = |class: Id| {
        let found = matches(graph, rewrite, class).into_iter();
        found.map(move |found| (class, found)).collect::<Vec<_>>()
    };
    classes.into_iter().flat_map(of_class).take(limit + 1).collect()
}

/// Adds an instance of both sides, and merges their classes if the conditions hold; returns whether they were two.
fn apply(graph: &mut ExpressionGraph<'_>, rewrite: &Rewrite, class: Id, found: &Match) -> bool {
    let Some(rank) = rank(graph, class) else { return false };
    let engine = graph.analysis.engine;
    let mut instance = TheoremInstance { graph, found };
    let conditions = rewrite.conditions.iter();
    let mut hold = conditions.map(|&condition| holds(condition, &mut instance, engine));
    if !hold.all(|holds| holds.is_ok_and(|holds| holds.unwrap_or(true))) {
        return false;
    }
    let (Ok(left), Ok(right)) = (instance.build(&rewrite.from, rank), instance.build(&rewrite.to, rank))
    else {
        return false;
    };
    let label = rewrite.label(found.sizes.map(|id| graph.analysis.map(id)));
    graph.union_trusted(left, right, label)
}

/// The number of dimensions of the expressions of a class.
fn rank(graph: &ExpressionGraph<'_>, class: Id) -> Option<usize> {
    match graph[class].data {
        Fact::Value { domain: Some(id), .. } => Some(graph.analysis.set(id).space.rank()),
        _ => None,
    }
}
