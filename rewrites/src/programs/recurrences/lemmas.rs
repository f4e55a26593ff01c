//! Lemmas: equalities between recurrences of two systems, as far as values at small sizes tell.

use super::fitting::fit;
use super::solution::Solution;
use alpha::to_core::induction::InductionLemma;
use alpha::to_core::{Definitions, Root, VariableDefinition};
use rustc_hash::FxHashMap;
use selfsame_core::{Index, Variable};

/// The maximum number of elements per solution from which a map is fitted. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const MAX_SAMPLES: usize = 400;

/// A lemma for each recurrence of a system that has one.
pub fn about(side: usize, definitions: &Definitions, solutions: &[Solution]) -> Vec<InductionLemma> {
    let all: Vec<&VariableDefinition> = definitions.all().collect();
    let mut lemmas = Vec::new();
    for (x, of) in definitions.recurrences.iter().enumerate().filter(|(_, of)| of.side == side) {
        let found = others(of, &all, definitions)
            .into_iter()
            .find_map(|y| Some((y, map(of, all[y], definitions, solutions, [x, y])?)));
        lemmas.extend(found.map(|(y, at)| lemma(of, all[y], at, Vec::new())));
    }
    lemmas
}

pub(super) fn lemma(
    of: &VariableDefinition,
    other: &VariableDefinition,
    at: Vec<Index>,
    only: Vec<Index>,
) -> InductionLemma {
    let variables = [of.name.clone(), other.name.clone()];
    InductionLemma { side: of.side, variables, point: of.root.point.clone(), at, only }
}

/// The candidates for a recurrence in the other system, those with its name first.
pub(super) fn others(
    of: &VariableDefinition,
    all: &[&VariableDefinition],
    definitions: &Definitions,
) -> Vec<usize> {
    let data_type = |of: &VariableDefinition| definitions.program.data_type(of.root.node);
    let may_be = |y: &usize| all[*y].side != of.side && data_type(all[*y]) == data_type(of);
    let mut others: Vec<usize> = (0..all.len()).filter(may_be).collect();
    others.sort_by_key(|&y| all[y].name != of.name);
    others
}

/// An element of one recurrence, and the elements of another that have its value.
struct ElementPairs {
    /// The sizes, the indices of the first element, and 1.
    columns: Vec<i64>,
    /// The indices of the elements of the second recurrence with the same value.
    candidates: Vec<Vec<i64>>,
}

/// `f` with `X[z] = Y[f(z)]` for all known elements.
fn map(
    of: &VariableDefinition,
    other: &VariableDefinition,
    definitions: &Definitions,
    solutions: &[Solution],
    [x, y]: [usize; 2],
) -> Option<Vec<Index>> {
    let is_right = |at: &Vec<Index>| solutions.iter().all(|of| holds(definitions, of, x, y, at));
    if let Some(at) = straight(of, other).into_iter().find(is_right) {
        return Some(at);
    }
    let pairs = pairs(definitions, solutions, x, y)?;
    let rank = other.root.point.len();
    let unique: Vec<&ElementPairs> = pairs.iter().filter(|pairs| pairs.candidates.len() == 1).collect();
    let all: Vec<&ElementPairs> = pairs.iter().collect();
    // If several elements have the value: the first one, or the last one.
    let ways = [(&unique, false), (&all, false), (&all, true)];
    ways.into_iter().find_map(|(pairs, last)| {
        let at = (0..rank).map(|k| fit(&samples(pairs, k, last))).collect::<Option<Vec<_>>>()?;
        let at: Vec<Index> = at.iter().map(|coefficients| affine(definitions, of, coefficients)).collect();
        is_right(&at).then_some(at)
    })
}

/// Maps that keep the order of indices: each index unchanged, counted from the other lower bound, or counted back
/// from the other upper bound. If many elements have the same value, these maps are the likely ones.
pub(super) fn straight(of: &VariableDefinition, other: &VariableDefinition) -> Vec<Vec<Index>> {
    let rank = of.root.point.len();
    if rank != other.root.point.len() {
        return Vec::new();
    }
    let mut maps: Vec<Vec<Index>> = vec![Vec::new()];
    for ((&v, mine), theirs) in of.root.point.iter().zip(&of.root.bounds).zip(&other.root.bounds) {
        let v = Index::from(v);
        let mut ways = vec![v.clone()];
        if let (Some(lower), Some(first)) = (&mine[0], &theirs[0]) {
            ways.push(&(&v - lower) + first);
        }
        if let (Some(lower), Some(last)) = (&mine[0], &theirs[1]) {
            ways.push(&(last - &Index::from(1)) - &(&v - lower));
        }
        maps = maps
            .iter()
            .flat_map(|map| ways.iter().map(|p| [&map[..], std::slice::from_ref(p)].concat()))
            .collect();
    }
    maps
}

fn samples(pairs: &[&ElementPairs], coordinate: usize, last: bool) -> Vec<(Vec<i64>, i64)> {
    let candidate = |pairs: &ElementPairs| {
        let of = if last { pairs.candidates.last() } else { pairs.candidates.first() };
        Some((pairs.columns.clone(), of?[coordinate]))
    };
    pairs.iter().filter_map(|pairs| candidate(pairs)).collect()
}

fn pairs(definitions: &Definitions, solutions: &[Solution], x: usize, y: usize) -> Option<Vec<ElementPairs>> {
    let mut pairs = Vec::new();
    for solution in solutions {
        let mut by_value: FxHashMap<&str, Vec<Vec<i64>>> = FxHashMap::default();
        for ((of, at), value) in &solution.elements {
            if *of == y {
                by_value.entry(value).or_default().push(at.clone());
            }
        }
        by_value.values_mut().for_each(|candidates| candidates.sort_unstable());
        let mut mine: Vec<_> = solution.elements.iter().filter(|((of, _), _)| *of == x).collect();
        mine.sort_unstable_by_key(|(element, _)| *element);
        for ((_, at), value) in mine.into_iter().take(MAX_SAMPLES) {
            let candidates = by_value.get(&**value)?.clone();
            pairs.push(ElementPairs { columns: columns(definitions, solution, at), candidates });
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// The sizes, the indices, and 1.
pub(super) fn columns(definitions: &Definitions, solution: &Solution, at: &[i64]) -> Vec<i64> {
    let sizes = definitions.symbols.iter().map(|v| solution.sizes[v.index()]);
    sizes.chain(at.iter().copied()).chain([1]).collect()
}

pub(super) fn affine(
    definitions: &Definitions,
    of: &VariableDefinition,
    coefficients: &[dashu_int::IBig],
) -> Index {
    let variables = definitions.symbols.iter().chain(&of.root.point).map(|&v| Index::from(v));
    let terms = variables.chain([Index::from(1)]).zip(coefficients);
    terms.fold(Index::default(), |sum, (p, factor)| sum + p.scaled(factor))
}

/// Whether the map holds for all known elements.
fn holds(definitions: &Definitions, solution: &Solution, x: usize, y: usize, at: &[Index]) -> bool {
    let of = &definitions.recurrences[x];
    let elements = solution.elements.iter().filter(|((element, _), _)| *element == x);
    elements.into_iter().all(|((_, z), value)| {
        let point = point(definitions, solution, &of.root.point, z);
        let there: Option<Vec<i64>> = at.iter().map(|p| p.value(&point).ok()).collect();
        there.is_some_and(|there| solution.elements.get(&(y, there)) == Some(value))
    })
}

/// The values of all variables at an element.
pub(super) fn point(
    definitions: &Definitions,
    solution: &Solution,
    indices: &[Variable],
    at: &[i64],
) -> Vec<i64> {
    let mut point = vec![0; definitions.program.variables.len()];
    definitions.symbols.iter().for_each(|v| point[v.index()] = solution.sizes[v.index()]);
    indices.iter().zip(at).for_each(|(v, &value)| point[v.index()] = value);
    point
}

/// Whether a variable is declared at some indices.
pub(super) fn is_at(definitions: &Definitions, solution: &Solution, root: &Root, at: &[i64]) -> bool {
    root.domain.holds(&point(definitions, solution, &root.point, at)) == Ok(true)
}
