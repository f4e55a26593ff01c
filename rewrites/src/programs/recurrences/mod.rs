//! Searches for an induction that shows that the recurrences of two programs are equal.
//!
//! Both systems are evaluated at small sizes, for made-up inputs. If the elements of a recurrence of one system
//! equal those of one of the other, at indices given by an affine map, that is a lemma ([`lemmas`]); it is proved
//! along a ranking of the dependences ([`ranking`]). Elements that a claim still reads are unfolded, those of
//! highest rank first, until the claim is proved. Nothing rests on this search: the checker proves the lemmas
//! (`semantics/languages/alpha/src/to_core/induction.rs`).

mod fitting;
mod lemmas;
mod pieces;
mod ranking;
mod serial;
mod solution;

use crate::search::samples::{SamplePoint, assignments, extended, points};
use crate::verification::Options;
use crate::verification::instances::is_provable;
use alpha::lowered::Lowered;
use alpha::to_core::induction::{Induction, InductionLemma, OpaqueRead, Rank, VariableElement};
use alpha::to_core::{Claims, Recurrences, Root, VariableDefinition};
use fastrand::Rng;
use languages::{Pair, Source};
use selfsame_core::{About, Condition, Index, Instance, PointwiseClaim, Variable};
use solution::Solution;
use std::collections::BTreeMap;

/// The largest size that is tried for a difference. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_SIZE: i64 = 9;
/// The maximum number of assignments of such sizes. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_ASSIGNMENTS: usize = 20_000;
/// The maximum number of rounds of unfolding. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_UNFOLDINGS: usize = 6;

/// An induction that shows that the programs are equal, if one is found.
pub fn induction(pair: &Pair, options: &Options) -> Option<Induction> {
    let definitions = pair.definitions().ok()?;
    let ranks = ranking::all(&definitions, options.seed)?;
    let solutions = Solution::several(&definitions, options.seed);
    if solutions.iter().any(|solution| !solution.is_same) {
        return None;
    }
    // Lemmas about the second program come first, and lemmas about whole variables.
    let whole = [1, 0].map(|side| (side, lemmas::about(side, &definitions, &solutions)));
    let pieces =
        |(side, whole): &(usize, Vec<InductionLemma>)| pieces::added(*side, whole, &definitions, &solutions);
    let all: Vec<_> = whole.iter().map(|(_, lemmas)| lemmas.clone()).collect();
    all.into_iter().chain(whole.iter().filter_map(pieces)).find_map(|lemmas| {
        unfolded(pair, options, Induction { ranks: ranks.clone(), lemmas, unfolded: Vec::new() })
    })
}

/// Small sizes at which the programs differ: the smallest ones found.
pub fn different_at(pair: &Pair, seed: u64) -> Option<BTreeMap<String, i64>> {
    let definitions = pair.definitions().ok()?;
    let mut rng = Rng::with_seed(seed);
    let differ = |sizes: &SamplePoint| {
        Solution::at(&definitions, sizes.clone(), &mut rng).is_some_and(|solution| !solution.is_same)
    };
    let sizes = smallest(&definitions.symbols, &definitions.allowed).into_iter().find(differ)?;
    let named = definitions.symbols.iter().map(|v| (definitions.program.name(*v), sizes[v.index()]));
    Some(pair.parameters.clone().into_iter().chain(named).collect())
}

/// Assignments of small sizes, ordered by their sums.
fn smallest(symbols: &[Variable], allowed: &Condition) -> Vec<SamplePoint> {
    let width = symbols.iter().map(|v| v.index() + 1).max().unwrap_or(0);
    let limits = [Index::from(-1), Index::from(MAX_SIZE + 1)];
    let binders: Vec<(Variable, [Index; 2])> = symbols.iter().map(|&v| (v, limits.clone())).collect();
    let mut sizes = extended(&[vec![0; width]], &binders, allowed, MAX_ASSIGNMENTS);
    sizes.sort_by_key(|point| {
        (point.iter().map(|size| u128::from(size.unsigned_abs())).sum::<u128>(), point.clone())
    });
    sizes
}

/// An induction that shows that two programs are equal if the second only redefines variables of the first.
fn redefinition(pair: &Pair, options: &Options) -> Option<Induction> {
    let definitions = pair.definitions().ok()?;
    let ranks = ranking::all(&definitions, options.seed)?;
    let lemma = |of: &VariableDefinition| InductionLemma {
        side: 0,
        variables: [of.name.clone(), of.name.clone()],
        point: of.root.point.clone(),
        at: of.root.point.iter().map(|&v| Index::from(v)).collect(),
        only: Vec::new(),
    };
    let lemmas = definitions.recurrences.iter().filter(|of| of.side == 0).map(lemma).collect();
    unfolded(pair, options, Induction { ranks, lemmas, unfolded: Vec::new() })
}

/// Replaces serial recurrences of one of two programs by reductions, one after the other, as far as each step is
/// proved: links from the first program on, or back to the second one. A certificate has the text of each program
/// between, which its reader parses: so each is printed in its language, and read.
pub fn reductions(pair: &Pair, side: usize, options: &Options) -> Vec<Pair> {
    let (read, mut links) = (&pair.programs[side], Vec::new());
    let Ok(lowered) = read.lowered() else { return links };
    let mut current = read.clone();
    for x in lowered.system.variable_ids() {
        let Ok(lowered) = current.lowered() else { break };
        let found = serial::as_reduction(&lowered.system, x).into_iter().find_map(|system| {
            let text = current.program().raise(&Lowered { system, ..lowered.clone() })?;
            let Source { name, language, .. } = read.source();
            let source = Source { name: format!("{name} with reductions"), language: *language, text };
            let link = Pair { programs: [current.clone(), source.read().ok()?], ..pair.clone() };
            Some((redefinition(&link, options)?, link))
        });
        let Some((induction, link)) = found else { continue };
        current = link.programs[1].clone();
        links.push(match side {
            0 => Pair { recurrences: Recurrences::Induction(induction), ..link },
            _ => flipped(link, induction),
        });
    }
    if side == 1 {
        links.reverse();
    }
    links
}

fn flipped(pair: Pair, induction: Induction) -> Pair {
    let [first, second] = pair.programs;
    Pair { programs: [second, first], recurrences: Recurrences::Induction(induction.flipped()), ..pair }
}

/// The induction with enough unfolded to prove every claim.
fn unfolded(pair: &Pair, options: &Options, mut induction: Induction) -> Option<Induction> {
    let mut proved: Vec<String> = Vec::new();
    for _ in 0..=MAX_UNFOLDINGS {
        let recurrences = Recurrences::Induction(induction.clone());
        let Claims { instances, readings, .. } = Pair { recurrences, ..pair.clone() }.question().ok()?.claims;
        let before = induction.unfolded.len();
        let mut is_proved = true;
        for (instance, readings) in instances.iter().zip(&readings) {
            let name = instance.claim.name.to_string();
            if proved.contains(&name) {
                continue;
            }
            if is_provable(instance, options) {
                proved.push(name);
                continue;
            }
            is_proved = false;
            induction.unfolded.extend(frontier(instance, readings, &induction.ranks, options.seed));
        }
        if is_proved {
            return Some(induction);
        }
        if induction.unfolded.len() == before {
            return None;
        }
    }
    None
}

/// The elements of each system that are read at a sample where no element of higher rank is read.
fn frontier(instance: &Instance, readings: &[OpaqueRead], ranks: &[Rank], seed: u64) -> Vec<VariableElement> {
    let mut rng = Rng::with_seed(seed);
    let sizes = assignments(&instance.symbols, &instance.assumptions, 24, &mut rng);
    let sampled = points(&instance.claim, &sampled_sizes(sizes), &mut rng);
    let known: Vec<Variable> = instance.symbols.iter().chain(&instance.claim.point).copied().collect();
    let is_known = |p: &Index| {
        let mut all = true;
        p.visit(&mut |v| all &= known.contains(&v));
        all
    };
    let readings: Vec<&OpaqueRead> = readings.iter().filter(|r| r.element.at.iter().all(is_known)).collect();
    let mut highest: Vec<VariableElement> = Vec::new();
    for (point, side) in sampled.iter().flat_map(|point| [(point, 0), (point, 1)]) {
        let live = readings.iter().filter(|r| r.element.side == side && r.context.holds(point) == Ok(true));
        let ranked: Vec<_> = live
            .filter_map(|r| Some((ranking::stage_and_rank(&r.element, ranks, point)?, &r.element)))
            .collect();
        let most = ranked.iter().map(|(rank, _)| rank).max();
        for (_, element) in ranked.iter().filter(|(rank, _)| Some(rank) == most) {
            if !highest.contains(element) {
                highest.push((*element).clone());
            }
        }
    }
    highest
}

/// The larger half of the sizes: at small ones every element is a base case.
fn sampled_sizes(mut sizes: Vec<SamplePoint>) -> Vec<SamplePoint> {
    sizes.sort_by_key(|point| (point.iter().map(|&size| i128::from(size)).sum::<i128>(), point.clone()));
    sizes.split_off(sizes.len() / 2)
}

/// The points at which a variable is defined, as those of a claim.
fn as_claim(root: &Root) -> PointwiseClaim {
    PointwiseClaim {
        name: "".into(),
        about: About::Output("".into(), root.point.iter().map(|&v| Index::from(v)).collect()),
        point: root.point.clone(),
        bounds: root.bounds.clone(),
        filter: root.domain.clone(),
        sides: [root.node; 2],
    }
}
