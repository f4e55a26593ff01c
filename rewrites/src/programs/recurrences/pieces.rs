//! Lemmas about parts of a recurrence that equals no single recurrence of the other system. Each lemma holds where
//! the other recurrence is declared, or, where that is too much, within the simple hull of the equal elements: the
//! least box with bounds affine in the sizes.

use super::fitting::fit;
use super::lemmas::{affine, columns, is_at, lemma, others, point, straight};
use super::solution::Solution;
use alpha::to_core::induction::InductionLemma;
use alpha::to_core::{Definitions, VariableDefinition};
use selfsame_core::Index;
use std::collections::BTreeSet;

/// The maximum number of parts of a recurrence. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_PIECES: usize = 4;

/// An element of a recurrence: the number of a solution, and the indices.
type SolutionElement = (usize, Vec<i64>);

/// The lemmas, extended by lemmas about parts of the recurrences that have none; `None` if there are no such
/// parts.
pub fn added(
    side: usize,
    whole: &[InductionLemma],
    definitions: &Definitions,
    solutions: &[Solution],
) -> Option<Vec<InductionLemma>> {
    let mut lemmas = whole.to_vec();
    for (x, of) in definitions.recurrences.iter().enumerate().filter(|(_, of)| of.side == side) {
        if whole.iter().all(|lemma| lemma.variables[0] != of.name) {
            lemmas.extend(PieceSearch { definitions, solutions, x, of }.pieces());
        }
    }
    (lemmas.len() > whole.len()).then_some(lemmas)
}

/// The search for the parts of one recurrence.
struct PieceSearch<'a> {
    definitions: &'a Definitions,
    solutions: &'a [Solution],
    x: usize,
    of: &'a VariableDefinition,
}

/// A lemma, and the elements of the recurrence that it covers.
struct CoveringLemma {
    lemma: InductionLemma,
    covers: BTreeSet<SolutionElement>,
}

impl PieceSearch<'_> {
    /// Greedily chosen parts, the largest first; each covers more elements than there are solutions.
    fn pieces(&self) -> Vec<InductionLemma> {
        let (mut left, mut lemmas) = (self.elements(), Vec::new());
        while lemmas.len() < MAX_PIECES && !left.is_empty() {
            let count = |piece: &CoveringLemma| piece.covers.intersection(&left).count();
            let Some(best) = self.candidates(&left).into_iter().rev().max_by_key(count) else { break };
            if count(&best) <= self.solutions.len() {
                break;
            }
            left.retain(|element| !best.covers.contains(element));
            lemmas.push(best.lemma);
        }
        lemmas
    }

    fn elements(&self) -> BTreeSet<SolutionElement> {
        let of_solution = |(s, solution): (usize, &Solution)| -> Vec<SolutionElement> {
            let mine = solution.elements.keys().filter(|(x, _)| *x == self.x);
            mine.map(|(_, z)| (s, z.clone())).collect()
        };
        self.solutions.iter().enumerate().flat_map(of_solution).collect()
    }

    fn candidates(&self, left: &BTreeSet<SolutionElement>) -> Vec<CoveringLemma> {
        let all: Vec<&VariableDefinition> = self.definitions.all().collect();
        let mut pieces = Vec::new();
        for y in others(self.of, &all, self.definitions) {
            let maps = straight(self.of, all[y]).into_iter().chain(self.fitted(left, y, all[y]));
            pieces.extend(maps.filter_map(|at| self.piece(y, all[y], at)));
        }
        pieces
    }

    /// The map from the remaining elements to the unique elements with the same values.
    fn fitted(
        &self,
        left: &BTreeSet<SolutionElement>,
        y: usize,
        other: &VariableDefinition,
    ) -> Option<Vec<Index>> {
        let only_one = |(s, z): &SolutionElement| {
            let solution = &self.solutions[*s];
            let value = solution.elements.get(&(self.x, z.clone()))?;
            let mut same = solution.elements.iter().filter(|((of, _), theirs)| *of == y && *theirs == value);
            let ((_, there), _) = same.next()?;
            same.next().is_none().then(|| (columns(self.definitions, solution, z), there.clone()))
        };
        let known: Vec<(Vec<i64>, Vec<i64>)> = left.iter().filter_map(only_one).collect();
        let coordinate = |k: usize| {
            let samples: Vec<_> = known.iter().map(|(columns, there)| (columns.clone(), there[k])).collect();
            Some(affine(self.definitions, self.of, &fit(&samples)?))
        };
        (0..other.root.point.len()).map(coordinate).collect()
    }

    /// The lemma for a map, restricted to the elements for which it holds.
    fn piece(&self, y: usize, other: &VariableDefinition, at: Vec<Index>) -> Option<CoveringLemma> {
        let (mut same, mut differ) = (BTreeSet::new(), Vec::new());
        for (s, z) in self.elements() {
            let solution = &self.solutions[s];
            let here = point(self.definitions, solution, &self.of.root.point, &z);
            let there: Vec<i64> = at.iter().map(|p| p.value(&here).ok()).collect::<Option<_>>()?;
            let is_declared = is_at(self.definitions, solution, &other.root, &there);
            let theirs = solution.elements.get(&(y, there));
            if theirs.is_some() && theirs == solution.elements.get(&(self.x, z.clone())) {
                same.insert((s, z));
            } else if is_declared {
                differ.push((s, z));
            }
        }
        let only = self.hull(&same, &differ)?;
        Some(CoveringLemma { lemma: lemma(self.of, other, at, only), covers: same })
    }

    /// Bounds that contain all of `inside` and exclude all of `outside`.
    fn hull(&self, inside: &BTreeSet<SolutionElement>, outside: &[SolutionElement]) -> Option<Vec<Index>> {
        let rank = self.of.root.point.len();
        let sides = (0..rank).flat_map(|k| [-1, 1].map(|sign| self.bound(inside, k, sign)));
        let cuts = |side: &Index, (s, z): &SolutionElement| {
            let here = point(self.definitions, &self.solutions[*s], &self.of.root.point, z);
            side.value(&here).is_ok_and(|value| value < 0)
        };
        let is_used = |side: &Index| outside.iter().any(|element| cuts(side, element));
        let sides: Vec<Index> = sides.flatten().filter(is_used).collect();
        let is_out = |element: &SolutionElement| sides.iter().any(|side| cuts(side, element));
        outside.iter().all(is_out).then_some(sides)
    }

    /// `sign · z[k] − least ≥ 0`, where `least` is the minimum of `sign · z[k]` as an affine function of the
    /// sizes.
    fn bound(&self, inside: &BTreeSet<SolutionElement>, k: usize, sign: i64) -> Option<Index> {
        let least = |(s, solution): (usize, &Solution)| {
            let values = inside.iter().filter(|(of, _)| *of == s).map(|(_, z)| sign * z[k]);
            let origin = vec![0; self.of.root.point.len()];
            Some((columns(self.definitions, solution, &origin), values.min()?))
        };
        let samples: Vec<_> = self.solutions.iter().enumerate().filter_map(least).collect();
        let least = affine(self.definitions, self.of, &fit(&samples)?);
        Some(&Index::from(self.of.root.point[k]).scaled(&sign.into()) - &least)
    }
}
