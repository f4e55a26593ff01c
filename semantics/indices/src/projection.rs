//! The sizes at which some point of ranges meets conditions: loop indices are eliminated from quasi-affine inequalities, exactly.
//!
//! Conventions: `x`: what is eliminated, a loop index or a quotient with one; a row is `Σ a·x + s ≥ 0`, where `s` has sizes only.
//! ```text
//! least       min(e, f) + g ≥ 0:  both e + g ≥ 0 and f + g ≥ 0;   max(e, f) + g ≥ 0:  one of them
//! quotient    x = ⌊e/d⌋:  e − d·x ≥ 0,  d·x + d − 1 − e ≥ 0
//! tighten     g divides each a:  Σ (a/g)·x + ⌊s/g⌋ ≥ 0
//! eliminate   a·x + l ≥ 0,  −b·x + u ≥ 0:  b·l + a·u ≥ 0          if a = 1 or b = 1, or if b·l + a·u ≥ (a − 1)(b − 1) always
//! split       no x is eliminated so:  y = m·y' + r for each r of 0, …, m − 1, and each y beside x, where m is a multiple of each a of x
//! ```
//! After *split*, *tighten* makes each `a` of `x` 1.

use crate::condition::Alternatives;
use crate::expression::{Atom, IndexExpr, Overflow};
use crate::sets::{NotAffine, alternatives};
use smallvec::SmallVec;

/// The maximum number of rows of a system.
const MAX_ROWS: usize = 64;
/// The maximum number of systems: of alternatives, and of remainders.
const MAX_SYSTEMS: usize = 256;
/// The maximum number of rows of all systems.
const MAX_WORK: usize = 4096;

/// Alternatives of expressions in sizes, which are at least 1: where none of one is negative, and only there, the ranges have a point at which no condition is
/// negative.
///
/// # Errors
/// A condition multiplies loop indices with something, or there are too many cases.
pub fn sizes_of_points(
    ranges: &[[IndexExpr; 2]],
    conditions: &[IndexExpr],
) -> Result<Alternatives, NotAffine> {
    let mut all = Vec::with_capacity(2 * ranges.len() + conditions.len());
    for (k, [b, e]) in ranges.iter().enumerate() {
        let x = IndexExpr::atom(Atom::Loop(k));
        all.push(x.plus(-1, b)?);
        all.push(e.plus(-1, &x)?.plus_number(-1)?);
    }
    all.extend_from_slice(conditions);
    sizes_where(ranges.len(), &all)
}

/// The same for all integers as loop indices.
///
/// # Errors
/// See [`sizes_of_points`].
pub fn sizes_where(loops: usize, conditions: &[IndexExpr]) -> Result<Alternatives, NotAffine> {
    let mut pending: Vec<Rows> = Vec::new();
    for conditions in alternatives(conditions, &Atom::has_loops)? {
        let mut system = System { rows: Rows::new(), quotients: Vec::new(), loops };
        conditions.iter().try_for_each(|e| system.add(&e.cleared()?))?;
        pending.push(system.rows);
    }
    let (mut done, mut work) = (Alternatives::new(), 0);
    while let Some(rows) = pending.pop() {
        work += rows.len();
        if work > MAX_WORK || pending.len() + done.len() > MAX_SYSTEMS {
            return Err(NotAffine::TooLarge);
        }
        let Some(rows) = tightened(rows)? else { continue };
        if rows.iter().all(|row| row.terms.is_empty()) {
            let rest = rows.into_iter().map(|row| row.rest.cleared());
            done.push(rest.collect::<Result<_, Overflow>>()?);
            continue;
        }
        match eliminable(&rows)? {
            Some(x) => pending.push(eliminated(&rows, x)?),
            None => pending.extend(split(&rows)?),
        }
    }
    Ok(simplified(done))
}

/// `Σ a·x + rest ≥ 0`, by `x`.
#[derive(Clone, PartialEq)]
struct Row {
    terms: SmallVec<[(usize, i64); 2]>,
    rest: IndexExpr,
}

type Rows = Vec<Row>;

impl Row {
    fn coefficient(&self, x: usize) -> i64 {
        self.terms.binary_search_by_key(&x, |(y, _)| *y).map_or(0, |at| self.terms[at].1)
    }

    /// Adds `a·x`.
    fn add(&mut self, x: usize, a: i64) -> Result<(), Overflow> {
        match self.terms.binary_search_by_key(&x, |(y, _)| *y) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(a).ok_or(Overflow)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if a != 0 => self.terms.insert(at, (x, a)),
            Err(_) => {}
        }
        Ok(())
    }

    /// `self + k·other`
    fn plus(&self, k: i64, other: &Row) -> Result<Row, Overflow> {
        let mut sum = Row { terms: self.terms.clone(), rest: self.rest.plus(k, &other.rest)? };
        for (x, a) in &other.terms {
            sum.add(*x, a.checked_mul(k).ok_or(Overflow)?)?;
        }
        Ok(sum)
    }

    fn plus_number(&self, c: i64) -> Result<Row, Overflow> {
        Ok(Row { terms: self.terms.clone(), rest: self.rest.plus_number(c)? })
    }
}

/// Conditions as rows.
struct System {
    rows: Rows,
    /// The quotients, numbered after the loop indices.
    quotients: Vec<(IndexExpr, i64)>,
    loops: usize,
}

impl System {
    fn add(&mut self, e: &IndexExpr) -> Result<(), NotAffine> {
        let row = self.row(e)?;
        self.rows.push(row);
        Ok(())
    }

    fn row(&mut self, e: &IndexExpr) -> Result<Row, NotAffine> {
        let mut row = Row { terms: SmallVec::new(), rest: IndexExpr::number(e.constant()) };
        for (atom, a) in e.terms() {
            match atom {
                Atom::Loop(k) => row.add(*k, *a)?,
                atom if !atom.has_loops() => row.rest.add(*a, &IndexExpr::atom(atom.clone()))?,
                Atom::Floor(of, d) => row.add(self.quotient(of, *d)?, *a)?,
                _ => return Err(NotAffine::Product),
            }
        }
        Ok(row)
    }

    /// The number of a quotient.
    fn quotient(&mut self, of: &IndexExpr, d: i64) -> Result<usize, NotAffine> {
        if let Some(at) = self.quotients.iter().position(|(e, by)| e == of && *by == d) {
            return Ok(self.loops + at);
        }
        let dividend = self.row(of)?;
        self.quotients.push((of.clone(), d));
        let x = self.loops + self.quotients.len() - 1;
        let zero = Row { terms: SmallVec::new(), rest: IndexExpr::number(0) };
        let mut remainder = dividend;
        remainder.add(x, d.checked_neg().ok_or(Overflow)?)?;
        let above = zero.plus(-1, &remainder)?.plus_number(d - 1)?;
        self.rows.extend([remainder, above]);
        Ok(x)
    }
}

/// The rows without those that always hold, of several with the same terms the strictest; `None` if one is seen to hold nowhere.
fn tightened(rows: Rows) -> Result<Option<Rows>, NotAffine> {
    let mut kept = Rows::new();
    for Row { mut terms, mut rest } in rows {
        let divisor = terms.iter().fold(0, |divisor, (_, a)| gcd(divisor, a.unsigned_abs()));
        if divisor > 1 {
            let d = i64::try_from(divisor).map_err(|_| NotAffine::TooLarge)?;
            terms.iter_mut().for_each(|(_, a)| *a /= d);
            rest = rest.floor(d)?;
        }
        if terms.is_empty() && rest.is_plainly_nonnegative() {
            continue;
        }
        if terms.is_empty() && rest.negated()?.is_plainly_nonnegative() {
            return Ok(None);
        }
        let row = Row { terms, rest };
        let follows = |a: &Row, b: &Row| {
            let is_alike = a.terms == b.terms && a.rest.terms() == b.rest.terms();
            is_alike && a.rest.constant() >= b.rest.constant()
        };
        if !kept.iter().any(|other| follows(&row, other)) {
            kept.retain(|other| !follows(other, &row));
            kept.push(row);
        }
    }
    if kept.len() > MAX_ROWS { Err(NotAffine::TooLarge) } else { Ok(Some(kept)) }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What occurs in rows, in order.
fn occurring(rows: &[Row]) -> Vec<usize> {
    let mut all: Vec<usize> = rows.iter().flat_map(|row| row.terms.iter().map(|(x, _)| *x)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The rows that bound `x` from below, and from above.
fn bounds(rows: &[Row], x: usize) -> [Vec<&Row>; 2] {
    [1, -1].map(|sign| rows.iter().filter(|row| row.coefficient(x).signum() == sign).collect())
}

/// What can be eliminated with the fewest new rows.
fn eliminable(rows: &[Row]) -> Result<Option<usize>, NotAffine> {
    let mut best: Option<(usize, usize)> = None;
    for x in occurring(rows) {
        let [lower, upper] = bounds(rows, x);
        let count = lower.len() * upper.len();
        if best.is_some_and(|(least, _)| least <= count) {
            continue;
        }
        let mut is_exact = true;
        for (l, u) in lower.iter().flat_map(|l| upper.iter().map(move |u| (l, u))) {
            is_exact = is_exact && has_integer(l, u, x)?;
        }
        if is_exact {
            best = Some((count, x));
        }
    }
    Ok(best.map(|(_, x)| x))
}

/// Whether there is an integer `x` between two bounds, wherever there is a rational one.
fn has_integer(lower: &Row, upper: &Row, x: usize) -> Result<bool, NotAffine> {
    let (a, b) = (lower.coefficient(x), upper.coefficient(x).checked_neg().ok_or(Overflow)?);
    if a == 1 || b == 1 {
        return Ok(true);
    }
    let gap = (a - 1).checked_mul(b - 1).and_then(i64::checked_neg).ok_or(Overflow)?;
    let Row { terms, rest } = combined(lower, upper, x)?.plus_number(gap)?;
    Ok(terms.is_empty() && rest.is_plainly_nonnegative())
}

/// `b·l + a·u` for `a·x + l` and `−b·x + u`.
fn combined(lower: &Row, upper: &Row, x: usize) -> Result<Row, Overflow> {
    let (a, b) = (lower.coefficient(x), upper.coefficient(x).checked_neg().ok_or(Overflow)?);
    let zero = Row { terms: SmallVec::new(), rest: IndexExpr::number(0) };
    zero.plus(b, lower)?.plus(a, upper)
}

fn eliminated(rows: &[Row], x: usize) -> Result<Rows, NotAffine> {
    let [lower, upper] = bounds(rows, x);
    let mut next: Rows = rows.iter().filter(|row| row.coefficient(x) == 0).cloned().collect();
    if next.len() + lower.len() * upper.len() > MAX_ROWS {
        return Err(NotAffine::TooLarge);
    }
    for l in &lower {
        for u in &upper {
            next.push(combined(l, u, x)?);
        }
    }
    Ok(next)
}

/// The systems of all remainders, of the fewest that make an `x` eliminable.
fn split(rows: &[Row]) -> Result<Vec<Rows>, NotAffine> {
    let mut best: Option<(usize, i64, Vec<usize>)> = None;
    for x in occurring(rows) {
        for side in bounds(rows, x) {
            let steep: Vec<Row> =
                side.into_iter().filter(|row| row.coefficient(x).abs() > 1).cloned().collect();
            let Some(m) = steep.iter().try_fold(1, |m, row| multiple(m, row.coefficient(x))) else {
                continue;
            };
            let beside: Vec<usize> = occurring(&steep).into_iter().filter(|y| *y != x).collect();
            let count = usize::try_from(m).ok().and_then(|m| m.checked_pow(beside.len() as u32));
            let Some(count) = count else { continue };
            if best.as_ref().is_none_or(|(least, ..)| count < *least) {
                best = Some((count, m, beside));
            }
        }
    }
    let (_, m, beside) = best.filter(|(count, ..)| *count <= MAX_SYSTEMS).ok_or(NotAffine::TooLarge)?;
    let mut systems = vec![rows.to_vec()];
    for y in beside {
        let mut next = Vec::new();
        for rows in &systems {
            for r in 0..m {
                next.push(rows.iter().map(|row| in_class(row, y, [m, r])).collect::<Result<_, Overflow>>()?);
            }
        }
        systems = next;
    }
    Ok(systems)
}

/// The least positive multiple of both.
fn multiple(a: i64, b: i64) -> Option<i64> {
    let d = i64::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
    (a / d).checked_mul(b.checked_abs()?)
}

/// The row with `m·y + r` for `y`.
fn in_class(row: &Row, y: usize, [m, r]: [i64; 2]) -> Result<Row, Overflow> {
    let a = row.coefficient(y);
    let mut row = row.plus_number(a.checked_mul(r).ok_or(Overflow)?)?;
    row.add(y, a.checked_mul(m).and_then(|scaled| scaled.checked_sub(a)).ok_or(Overflow)?)?;
    Ok(row)
}

/// Without the conditions that follow from another one of their alternative, and without the alternatives that follow from another one.
fn simplified(alternatives: Alternatives) -> Alternatives {
    let mut kept = Alternatives::new();
    for conditions in alternatives {
        let mut own: Vec<IndexExpr> = Vec::new();
        for e in conditions {
            if !own.iter().any(|other| implies(other, &e)) {
                own.retain(|other| !implies(&e, other));
                own.push(e);
            }
        }
        let is_within = |a: &[IndexExpr], b: &[IndexExpr]| b.iter().all(|b| a.iter().any(|a| implies(a, b)));
        if !kept.iter().any(|other| is_within(&own, other)) {
            kept.retain(|other| !is_within(other, &own));
            kept.push(own);
        }
    }
    kept
}

/// The maximum factor by which [`implies`] scales an expression.
const MAX_FACTOR: i64 = 4;

/// Whether it is seen that `b` is not negative where `a` is not: `k·b ≥ m·a` at all sizes, for small `k` or `m`.
pub fn implies(a: &IndexExpr, b: &IndexExpr) -> bool {
    let factors = (1..=MAX_FACTOR).map(|k| (k, 1)).chain((2..=MAX_FACTOR).map(|m| (1, m)));
    factors.into_iter().any(|(k, m)| {
        let difference = b.times(k).and_then(|scaled| scaled.plus(-m, a));
        difference.is_ok_and(|difference| difference.is_plainly_nonnegative())
    })
}
