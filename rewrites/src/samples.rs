//! Small values of sizes and indices: what a search looks at. Nothing rests on them but what is tried next.

use fastrand::Rng;
use semantics::core::{Claim, Condition, Index, Variable};

/// Values of all variables, by their numbers.
pub type Point = Vec<i64>;

/// So many points at most.
const MAX_POINTS: usize = 400;

/// Values of the symbols that satisfy the assumptions, small ones; found by trying one symbol after the other.
pub fn assignments(symbols: &[Variable], assumptions: &Condition, count: usize, rng: &mut Rng) -> Vec<Point> {
    let width = symbols.iter().map(|v| v.index() + 1).max().unwrap_or(0);
    let checks = scheduled(symbols, assumptions);
    let mut found: Vec<Point> = Vec::new();
    for attempt in 0..4 * count {
        let limit = 1 + i64::try_from(attempt % 4).unwrap_or(0);
        let mut point = vec![0; width];
        let mut steps = 400;
        if assign(symbols, &checks, 0, limit, &mut point, &mut steps, rng) && !found.contains(&point) {
            found.push(point);
        }
        if found.len() >= count || (symbols.is_empty() && attempt > 0) {
            break;
        }
    }
    found
}

/// For each symbol the conditions that can be checked once it has a value.
fn scheduled(symbols: &[Variable], assumptions: &Condition) -> Vec<Vec<Condition>> {
    let mut checks = vec![Vec::new(); symbols.len() + 1];
    for condition in assumptions.conjuncts() {
        let mut last = 0;
        condition.visit(&mut |v| {
            let at = symbols.iter().position(|s| *s == v).map_or(0, |at| at + 1);
            last = last.max(at);
        });
        checks[last].push(condition.clone());
    }
    checks
}

fn assign(
    symbols: &[Variable],
    checks: &[Vec<Condition>],
    at: usize,
    limit: i64,
    point: &mut Point,
    steps: &mut u32,
    rng: &mut Rng,
) -> bool {
    if !checks[at].iter().all(|condition| condition.holds(point) == Ok(true)) {
        return false;
    }
    let Some(symbol) = symbols.get(at) else { return true };
    let mut values: Vec<i64> = (-limit.min(2)..=limit).collect();
    rng.shuffle(&mut values);
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

/// Points of a claim: for each assignment its points, or some of them.
pub fn points(claim: &Claim, assignments: &[Point], rng: &mut Rng) -> Vec<Point> {
    let binders: Vec<(Variable, [Index; 2])> = bounds(claim);
    let each = (MAX_POINTS / assignments.len().max(1)).max(4);
    let mut points = Vec::new();
    for assignment in assignments {
        let mut mine = extended(std::slice::from_ref(assignment), &binders, &Condition::always(), 4096);
        if mine.len() > each {
            rng.shuffle(&mut mine);
            mine.truncate(each);
        }
        points.extend(mine);
    }
    points
}

fn bounds(claim: &Claim) -> Vec<(Variable, [Index; 2])> {
    let extents = claim.extents.iter().map(|extent| [Index::default(), extent.clone()]);
    claim.point.iter().copied().zip(extents).collect()
}

/// Every point with every value of the binders within bounds for which the condition holds; at most `limit` of them, the
/// rest of the points being left out.
pub fn extended(
    points: &[Point],
    binders: &[(Variable, [Index; 2])],
    condition: &Condition,
    limit: usize,
) -> Vec<Point> {
    let mut all = Vec::new();
    for point in points {
        let mut partial = vec![point.clone()];
        for (v, [lower, upper]) in binders {
            let mut longer = Vec::new();
            for mut point in partial {
                if point.len() <= v.index() {
                    point.resize(v.index() + 1, 0);
                }
                let (Ok(lower), Ok(upper)) = (lower.value(&point), upper.value(&point)) else { continue };
                for value in lower..upper.min(lower.saturating_add(64)) {
                    point[v.index()] = value;
                    longer.push(point.clone());
                }
            }
            partial = longer;
            if partial.len() > 4 * limit {
                break;
            }
        }
        partial.retain(|point| condition.holds(point) == Ok(true));
        if all.len() + partial.len() > limit && !all.is_empty() {
            break;
        }
        all.extend(partial);
    }
    all
}
