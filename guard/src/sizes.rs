//! Chooses the sizes at which programs are run: the smallest ones, those at which a domain becomes empty or
//! nonempty, and random ones.

use base::seeded::{Seeded, seeded};
use fastrand::Rng;
use language::{Runnable as _, Sizes};
use languages::{Pair, Shifted};
use std::collections::BTreeSet;

/// The range of parameter values to consider, in addition to values around numbers in the sources. The
/// assignments of these 12 values to three parameters, 1,728, are within [`MAX_CANDIDATES`]; and five nested
/// loops have 32,768 points at 8, a sixth of the steps of one side.
const RANGE: std::ops::RangeInclusive<i64> = -3..=8;
/// The largest number in a source to consider. Two matrices of 200 × 200 have a product of 8,000,000 terms, 40
/// times the steps of one side: larger numbers cannot be run.
const MAX_NUMBER: i64 = 200;
/// The maximum number of parameter assignments to consider. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_CANDIDATES: usize = 3000;
/// The maximum number of assignments whose shapes are computed: half of them the smallest, half at random, to
/// find the 28 instances of a run with different shapes among them.
const MAX_SHAPES: usize = 160;

/// At most `count` sizes that both programs allow, the smallest first, with the fixed parameters of the pair.
pub(crate) fn sizes(pair: &Pair, programs: &[Shifted<'_>; 2], count: usize, rng: &mut Rng) -> Vec<Sizes> {
    let (fixed, parameters) =
        (&pair.parameters, pair.programs.iter().map(|read| read.program().parameters()));
    let names: BTreeSet<String> = parameters.flatten().collect();
    let open: Vec<&String> = names.iter().filter(|name| !fixed.contains_key(*name)).collect();
    let with = |values: &[i64]| -> Sizes {
        let given = open.iter().zip(values).map(|(name, value)| ((*name).clone(), *value));
        fixed.clone().into_iter().filter(|(name, _)| names.contains(name)).chain(given).collect()
    };
    let least = seeded(Seeded::GuardLarge, i64::MIN, || 2);
    let is_allowed = |sizes: &Sizes| {
        programs.iter().all(|program| program.allows(sizes)) && sizes.values().all(|size| *size >= least)
    };
    let values = candidate_values(pair.programs.each_ref().map(|read| read.source().text.as_str()));
    let mut allowed: Vec<Sizes> =
        candidates(&values, open.len(), rng).iter().map(|point| with(point)).filter(is_allowed).collect();
    allowed.sort_by_key(|sizes| (magnitude(sizes), sizes.clone()));
    allowed.dedup();
    chosen(programs, allowed, count, rng)
}

fn magnitude(sizes: &Sizes) -> i64 {
    sizes.values().map(|value| value.saturating_abs()).fold(0, i64::saturating_add)
}

/// Small numbers, and numbers near those in the sources.
fn candidate_values(texts: [&str; 2]) -> Vec<i64> {
    let numbers = texts.into_iter().flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    let written: BTreeSet<i64> =
        numbers.filter_map(|n| n.parse().ok()).filter(|n| *n <= MAX_NUMBER).collect();
    let around = written.iter().flat_map(|n| [-1, 0, 1, 2].map(|by| n + by));
    RANGE.chain(around).collect::<BTreeSet<i64>>().into_iter().collect()
}

/// All assignments of values to parameters, or random ones if there are too many.
fn candidates(values: &[i64], count: usize, rng: &mut Rng) -> Vec<Vec<i64>> {
    let all = u32::try_from(count).ok().and_then(|count| values.len().checked_pow(count));
    if all.is_none_or(|all| all > MAX_CANDIDATES) {
        let any = |rng: &mut Rng| (0..count).map(|_| values[rng.usize(..values.len())]).collect();
        return (0..MAX_CANDIDATES).map(|_| any(rng)).collect();
    }
    let mut points = vec![Vec::new()];
    for _ in 0..count {
        points = points
            .iter()
            .flat_map(|p: &Vec<i64>| values.iter().map(move |v| [&p[..], &[*v]].concat()))
            .collect();
    }
    points
}

/// Picks in turn a smallest size, one with a new shape, and a random one, until there are `count`.
fn chosen(programs: &[Shifted<'_>; 2], allowed: Vec<Sizes>, count: usize, rng: &mut Rng) -> Vec<Sizes> {
    let mut seen = BTreeSet::new();
    let mut is_new = |sizes: &&Sizes| {
        let shapes: Vec<Vec<bool>> = programs.iter().map(|program| program.shape(sizes)).collect();
        seen.insert(shapes)
    };
    let mut looked_at: Vec<&Sizes> = allowed.iter().take(MAX_SHAPES / 2).collect();
    looked_at.extend((0..MAX_SHAPES / 2).filter_map(|_| rng.choice(&allowed)));
    let shaped: Vec<&Sizes> = looked_at.into_iter().filter(|sizes| is_new(sizes)).collect();
    let mut random: Vec<&Sizes> = allowed.iter().collect();
    rng.shuffle(&mut random);
    let mut ways = [allowed.iter().collect::<Vec<_>>().into_iter(), shaped.into_iter(), random.into_iter()];
    let mut found: Vec<Sizes> = Vec::new();
    while found.len() < count.min(allowed.len()) {
        for way in &mut ways {
            if let Some(sizes) = way.find(|sizes| !found.contains(sizes)) {
                found.push(sizes.clone());
            }
        }
    }
    found.truncate(count);
    found
}
