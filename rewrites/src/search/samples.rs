//! Small values of sizes and indices that guide a search; nothing rests on them.

use fastrand::Rng;
use selfsame_core::{Bounds, Condition, Index, Instance, PointwiseClaim, Variable};
use std::collections::BTreeMap;
use std::iter::repeat_n;

/// Values of all variables, by variable number.
pub type SamplePoint = Vec<i64>;

/// The number of sampled values of an index without a bound. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const UNBOUNDED: i64 = 8;

/// The maximum number of partial points of an assignment that are extended. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const MAX_PARTIAL: usize = 600;
/// The approximate maximum number of points of a claim. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_POINTS: usize = 400;

/// Small values of the symbols that satisfy the assumptions. One branch of each alternative is chosen at random;
/// then groups of symbols that no condition connects are assigned separately, one symbol after the other, until
/// every condition holds.
pub fn assignments(
    symbols: &[Variable],
    assumptions: &Condition,
    count: usize,
    rng: &mut Rng,
) -> Vec<SamplePoint> {
    let width = symbols.iter().map(|v| v.index() + 1).max().unwrap_or(0);
    let mut found: Vec<SamplePoint> = Vec::new();
    let (mut conditions, mut groups) = (Vec::new(), None);
    for attempt in 0..6 * count {
        let before = std::mem::take(&mut conditions);
        branch(assumptions, &mut conditions, rng);
        // Without alternatives, the conditions are the same each time.
        let groups: &Vec<Scheduled> = match &mut groups {
            Some(known) if before == conditions => known,
            other => other.insert(grouped(symbols, &conditions)),
        };
        let mut point = vec![0; width];
        let limit = [1, 2, 3, 4, 9][attempt % 5];
        let settled = groups.iter().all(|(part, checks)| {
            let mut steps = 600;
            assign(part, checks, 0, limit, &mut point, &mut steps, rng)
        });
        if settled && !found.contains(&point) && assumptions.holds(&point) == Ok(true) {
            found.push(point);
        }
        if found.len() >= count || (symbols.is_empty() && attempt > 0) {
            break;
        }
    }
    found
}

/// Small values of the symbols of an instance, by name; most of them give the claim a point.
pub fn named(instance: &Instance, count: usize, seed: u64) -> Vec<BTreeMap<String, i64>> {
    let mut rng = Rng::with_seed(seed);
    let bounds = instance.claim.bounds.iter();
    let extents = bounds.filter_map(|[lower, upper]| Some(Condition::less(lower.as_ref()?, upper.as_ref()?)));
    let nonempty = Condition::all(extents.chain([instance.assumptions.clone()]));
    let mut found = assignments(&instance.symbols, &nonempty, count, &mut rng);
    found.extend(assignments(&instance.symbols, &instance.assumptions, count.div_ceil(2), &mut rng));
    let of = |point: &SamplePoint, v: &Variable| {
        (instance.program.name(*v), point.get(v.index()).copied().unwrap_or(0))
    };
    found.iter().map(|point| instance.symbols.iter().map(|v| of(point, v)).collect()).collect()
}

/// Collects conditions without alternatives that imply the condition.
fn branch(condition: &Condition, conditions: &mut Vec<Condition>, rng: &mut Rng) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| branch(part, conditions, rng)),
        Condition::Or(parts) if !parts.is_empty() => {
            branch(&parts[rng.usize(..parts.len())], conditions, rng)
        }
        leaf => conditions.push(leaf.clone()),
    }
}

/// Symbols, with the conditions that can be checked once each has a value ([`scheduled`]).
type Scheduled = (Vec<Variable>, Vec<Vec<Condition>>);

fn grouped(symbols: &[Variable], conditions: &[Condition]) -> Vec<Scheduled> {
    let groups = connected(symbols, conditions).into_iter();
    groups.map(|part| (part.clone(), scheduled(&part, conditions))).collect()
}

/// Groups the symbols that conditions connect, each group in the order of the symbols.
fn connected(symbols: &[Variable], conditions: &[Condition]) -> Vec<Vec<Variable>> {
    let mut part: Vec<usize> = (0..symbols.len()).collect();
    for condition in conditions {
        let of: Vec<usize> =
            condition.variables().iter().filter_map(|v| symbols.iter().position(|s| s == v)).collect();
        let joined: Vec<usize> = of.iter().map(|&at| part[at]).collect();
        if let Some(&first) = joined.iter().min() {
            part.iter_mut().filter(|p| joined.contains(p)).for_each(|p| *p = first);
        }
    }
    let parts = (0..symbols.len()).filter(|&p| part.contains(&p));
    parts.map(|p| symbols.iter().zip(&part).filter(|(_, of)| **of == p).map(|(v, _)| *v).collect()).collect()
}

/// For each symbol, the conditions that can be checked once it has a value; the first entry needs no value.
fn scheduled(symbols: &[Variable], conditions: &[Condition]) -> Vec<Vec<Condition>> {
    let mut checks = vec![Vec::new(); symbols.len() + 1];
    for condition in conditions {
        let places: Option<Vec<usize>> =
            condition.variables().iter().map(|v| symbols.iter().position(|s| s == v)).collect();
        if let Some(last) = places.map(|places| places.iter().map(|at| at + 1).max().unwrap_or(0)) {
            checks[last].push(condition.clone());
        }
    }
    checks
}

fn assign(
    symbols: &[Variable],
    checks: &[Vec<Condition>],
    at: usize,
    limit: i64,
    point: &mut SamplePoint,
    steps: &mut u32,
    rng: &mut Rng,
) -> bool {
    if !checks[at].iter().all(|condition| condition.holds(point) == Ok(true)) {
        return false;
    }
    let Some(symbol) = symbols.get(at) else { return true };
    let mut values: Vec<i64> = (-limit.min(2)..=limit).collect();
    rng.shuffle(&mut values);
    // Usually the value that an equation determines, but not always: the equation may have other solutions.
    if let Some(determined) = checks[at + 1].iter().find_map(|check| determined(check, *symbol, point))
        && rng.u8(0..4) > 0
    {
        values.insert(0, determined);
    }
    for value in values {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        point[symbol.index()] = value;
        if assign(symbols, checks, at + 1, limit, point, steps, rng) {
            return true;
        }
    }
    false
}

/// The value that an equation determines for a symbol, if it looks linear in it.
fn determined(check: &Condition, symbol: Variable, point: &mut SamplePoint) -> Option<i64> {
    let Condition::Zero(p) = check else { return None };
    let mut at = |value: i64| {
        point[symbol.index()] = value;
        p.value(point).ok()
    };
    let (zero, one) = (at(0)?, at(1)?);
    match one.checked_sub(zero)? {
        1 => zero.checked_neg(),
        -1 => Some(zero),
        _ => None,
    }
}

/// Points of a claim: for each assignment all of its points, or a random selection.
pub fn points(claim: &PointwiseClaim, assignments: &[SamplePoint], rng: &mut Rng) -> Vec<SamplePoint> {
    let binders: Vec<(Variable, [Index; 2])> = bounds(claim);
    let each = (MAX_POINTS / assignments.len().max(1)).max(4);
    let mut points = Vec::new();
    for assignment in assignments {
        let mut mine = vec![assignment.clone()];
        for binder in &binders {
            mine = longer(mine, binder).collect();
            if mine.len() > MAX_PARTIAL {
                rng.shuffle(&mut mine);
                mine.truncate(MAX_PARTIAL);
            }
        }
        mine.retain(|point| claim.filter.holds(point) == Ok(true));
        if mine.len() > each {
            rng.shuffle(&mut mine);
            mine.truncate(each);
        }
        points.extend(mine);
    }
    points
}

fn bounds(claim: &PointwiseClaim) -> Vec<(Variable, [Index; 2])> {
    let sampled = |[lower, upper]: &Bounds| match (lower, upper) {
        (Some(lower), Some(upper)) => [lower.clone(), upper.clone()],
        (Some(lower), None) => [lower.clone(), lower + &Index::from(UNBOUNDED)],
        (None, Some(upper)) => [upper - &Index::from(UNBOUNDED), upper.clone()],
        (None, None) => [Index::from(-UNBOUNDED / 2), Index::from(UNBOUNDED / 2)],
    };
    claim.point.iter().copied().zip(claim.bounds.iter().map(sampled)).collect()
}

/// The maximum number of coordinates of samples that are extended together: 8 MiB, the samples of a sum over 350 indices
/// ([`MAX_SAMPLES`](super::matching::MAX_SAMPLES)). A longer product of sums has fewer samples.
const MAX_COORDINATES: usize = 1 << 20;

/// Extends every point by all values of the binders within bounds for which the condition holds; at most `limit`
/// results. Points with too many extensions are left out.
pub fn extended(
    points: &[SamplePoint],
    binders: &[(Variable, [Index; 2])],
    condition: &Condition,
    limit: usize,
) -> Vec<SamplePoint> {
    let width = binders.iter().map(|(v, _)| v.index() + 1).max().unwrap_or(1);
    let limit = limit.min(MAX_COORDINATES / width);
    let mut all = Vec::new();
    for point in points {
        let mut extensions = vec![point.clone()];
        for binder in binders {
            extensions = longer(extensions, binder).take(4 * limit + 1).collect();
            if extensions.len() > 4 * limit {
                extensions.clear();
            }
        }
        extensions.retain(|point| condition.holds(point) == Ok(true));
        if all.len() + extensions.len() > limit && !all.is_empty() {
            break;
        }
        all.extend(extensions);
    }
    all
}

/// Extends every point by all values of the binder within bounds.
fn longer(
    points: Vec<SamplePoint>,
    (v, [lower, upper]): &(Variable, [Index; 2]),
) -> impl Iterator<Item = SamplePoint> {
    points.into_iter().flat_map(|mut point| {
        if point.len() <= v.index() {
            point.resize(v.index() + 1, 0);
        }
        let values = match (lower.value(&point), upper.value(&point)) {
            (Ok(lower), Ok(upper)) => lower..upper.min(lower.saturating_add(64)),
            _ => 0..0,
        };
        // The last value takes the point itself: most indices of a long product of sums have one value.
        let count = usize::try_from(values.end.saturating_sub(values.start)).unwrap_or(0);
        repeat_n(point, count).zip(values).map(|(mut point, value)| {
            point[v.index()] = value;
            point
        })
    })
}
