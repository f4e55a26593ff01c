//! Range inference. The page says of ranges that they are "inferred by its use, as described below", and describes nothing; the rules are ours
//! (ledger: `tc/decision-inference`).
//!
//! Conventions: `k`: a loop index, `[b, e)`: its range, `R`: the ranges known so far, `p ≥ 0`: an inequality, `p|R`: `p` at the least value
//! that its indices with a range allow.
//! ```text
//! tc-access   T has [b, e) in dimension d, T(…, p, …) is read in the statement, p is linear:   p − b ≥ 0,  e − 1 − p ≥ 0
//! tc-where    k in b:e                                                                         R(k) = [b, e)
//! tc-round    k is the only index of p|R without a range, for p in P, of which at least one bounds k from below, and one from above:
//!             R(k) = the largest interval on which every p of P holds, for all k at once, with the R of the round before
//! tc-stuck    no index gets a range in a round: error, which names an index without one
//! tc-follows  p|R has no index left:                                                           p|R ≥ 0 is an obligation on the sizes
//! tc-extent   R(k) = [b, e), k is an index of the target:                                      e − b ≥ 1 is an obligation on the sizes
//! ```
//! An index expression that is not linear gives no inequality: only the obligation to lie within bounds. That is on the sizes, too: each
//! quotient is replaced by what it is at least, or at most, and each product of an index and sizes by that at the least or the greatest index, so
//! that it may be stricter than needed, but never too weak. Where indices are multiplied, or read from a tensor, what is outside is • when it is read.

use crate::indices::{Atom, IndexExpr, Linear, Overflow};
use smallvec::SmallVec;

/// The range of an index: the first value, and the first value after it.
pub type Range = [IndexExpr; 2];

/// Why the indices of a statement get no ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRanges {
    /// **tc-stuck** (ours; Variable Scoping): nothing bounds this index.
    Unbounded(usize),
    /// A coefficient exceeds 64 bits.
    Overflow,
}

impl From<Overflow> for NoRanges {
    fn from(Overflow: Overflow) -> NoRanges {
        NoRanges::Overflow
    }
}

/// What is inferred of the indices of a statement.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The range of each index.
    pub ranges: Vec<Range>,
    /// The round in which each index got its range; 0 if it was known before.
    pub rounds: Vec<usize>,
    /// What remains of each inequality that is linear: an expression in sizes that must not be negative.
    pub remains: Vec<IndexExpr>,
}

/// The ranges of the indices `0..known.len()`, where some are `known`, from inequalities `p ≥ 0` that are linear in loop indices; and for each
/// inequality what remains of it: an expression in sizes that must not be negative.
///
/// # Errors
/// An index has no range.
pub fn infer<'p>(
    known: Vec<Option<Range>>,
    inequalities: impl Iterator<Item = &'p IndexExpr> + Clone,
) -> Result<Inferred, NoRanges> {
    let mut rounds = vec![0; known.len()];
    let mut ranges = known;
    for number in 1.. {
        let Some(open) = ranges.iter().position(Option::is_none) else { break };
        let solved = round(&ranges, inequalities.clone())?;
        if solved.is_empty() {
            return Err(NoRanges::Unbounded(open));
        }
        for (k, range) in solved {
            (ranges[k], rounds[k]) = (Some(range), number);
        }
    }
    let remains = |p: &IndexExpr| Ok(at_least(p, &ranges)?.map(|(_, rest)| rest));
    let remains: Vec<IndexExpr> =
        inequalities.filter_map(|p| remains(p).transpose()).collect::<Result<_, NoRanges>>()?;
    Ok(Inferred { ranges: ranges.into_iter().flatten().collect(), rounds, remains })
}

/// **tc-round** (ours; Variable Scoping): the indices that get a range, with it.
fn round<'p>(
    ranges: &[Option<Range>],
    inequalities: impl Iterator<Item = &'p IndexExpr>,
) -> Result<Vec<(usize, Range)>, NoRanges> {
    let mut bounds: Vec<[Vec<IndexExpr>; 2]> = vec![Default::default(); ranges.len()];
    for p in inequalities {
        let Some((open, rest)) = at_least(p, ranges)? else { continue };
        if let [(k, a)] = open[..] {
            // a·k + rest ≥ 0
            match a > 0 {
                true => bounds[k][0].push(rest.floor(a)?.times(-1)?),
                false => bounds[k][1].push(rest.floor(-a)?.plus_number(1)?),
            }
        }
    }
    let mut solved = Vec::new();
    for (k, [lower, upper]) in bounds.iter().enumerate() {
        if !lower.is_empty() && !upper.is_empty() {
            solved.push((k, [IndexExpr::greatest(lower)?, IndexExpr::least(upper)?]));
        }
    }
    Ok(solved)
}

/// `p|R`: the coefficients of indices without a range, and the rest; `None` if `p` is not linear.
fn at_least(p: &IndexExpr, ranges: &[Option<Range>]) -> Result<Option<Linear>, NoRanges> {
    let (mut open, mut rest) = (SmallVec::new(), IndexExpr::number(p.constant()));
    for (atom, a) in p.terms() {
        match atom {
            Atom::Loop(k) => match &ranges[*k] {
                None => open.push((*k, *a)),
                Some([b, _]) if *a > 0 => rest.add(*a, b)?,
                Some([_, e]) => {
                    rest.add(*a, e)?;
                    rest.add_number(a.checked_neg().ok_or(Overflow)?)?;
                }
            },
            other if other.has_loops() => return Ok(None),
            other => rest.add(*a, &IndexExpr::atom(other.clone()))?,
        }
    }
    Ok(Some((open, rest)))
}

/// An expression in sizes that is not negative only if `p` is not, for all values of the indices in their ranges; `None` if none is seen,
/// where `p` multiplies indices. It is the greatest of three: that of the rationals, in which an index cancels in `i − i/2`; that of each term by
/// itself, which rounds as `p` does; and the same with remainders, since `e − d·⌊e/d⌋` is from 0 to `d − 1`.
///
/// # Errors
/// A coefficient exceeds 64 bits.
pub fn bound(p: &IndexExpr, ranges: &[Range]) -> Result<Option<IndexExpr>, NoRanges> {
    let known: Vec<Option<Range>> = ranges.iter().cloned().map(Some).collect();
    let cleared = p.cleared()?;
    if cleared.linear().is_some() {
        return bounded(cleared, 1, &known);
    }
    let bounds = [bounded(cleared, 1, &known)?, least(p, &known)?, with_remainders(p, &known)?];
    let bounds: Vec<IndexExpr> = bounds.into_iter().flatten().collect();
    // One that always holds is enough.
    if let Some(plain) = bounds.iter().find(|bound| bound.is_plainly_nonnegative()) {
        return Ok(Some(plain.clone()));
    }
    let mut kept: Vec<IndexExpr> = Vec::new();
    for bound in bounds {
        if !kept.iter().any(|other| is_at_least(other, &bound)) {
            kept.retain(|other| !is_at_least(&bound, other));
            kept.push(bound);
        }
    }
    if kept.is_empty() { Ok(None) } else { Ok(Some(IndexExpr::greatest(&kept)?)) }
}

/// Whether `a ≥ b` is seen at all sizes.
fn is_at_least(a: &IndexExpr, b: &IndexExpr) -> bool {
    a.plus(-1, b).is_ok_and(|difference| difference.is_plainly_nonnegative())
}

/// What `p` is at least, term by term.
fn least(p: &IndexExpr, ranges: &[Option<Range>]) -> Result<Option<IndexExpr>, NoRanges> {
    let mut sum = IndexExpr::number(p.constant());
    for (atom, a) in p.terms() {
        let up = *a > 0;
        let of = match atom {
            Atom::Floor(e, d) => extreme(e, up, ranges)?.map(|e| e.floor(*d)).transpose()?,
            Atom::Least(of) => {
                let all = of.iter().map(|e| extreme(e, up, ranges)).collect::<Result<Option<Vec<_>>, _>>()?;
                all.map(|all| IndexExpr::least(&all)).transpose()?
            }
            // What has no index, an index, or a product.
            _ => {
                let term = IndexExpr::atom(atom.clone()).times(*a)?;
                let Some(bound) = bounded(term, 1, ranges)? else { return Ok(None) };
                sum.add(1, &bound)?;
                continue;
            }
        };
        let Some(of) = of else { return Ok(None) };
        sum.add(*a, &of)?;
    }
    Ok(Some(sum))
}

/// The least value of `e`, or the greatest one.
fn extreme(e: &IndexExpr, is_least: bool, ranges: &[Option<Range>]) -> Result<Option<IndexExpr>, NoRanges> {
    if is_least {
        return least(e, ranges);
    }
    Ok(least(&e.times(-1)?, ranges)?.map(|bound| bound.times(-1)).transpose()?)
}

/// What `p` is at least where remainders `e − d·⌊e/d⌋` are taken for themselves: from 0 to the least of `d − 1` and the greatest `e`, if `e` is not
/// negative.
fn with_remainders(p: &IndexExpr, ranges: &[Option<Range>]) -> Result<Option<IndexExpr>, NoRanges> {
    let (mut rest, mut sum) = (p.clone(), IndexExpr::number(0));
    for (atom, a) in p.terms() {
        let Atom::Floor(e, d) = atom else { continue };
        if a % d != 0 {
            continue;
        }
        // m·(e − d·⌊e/d⌋)
        let m = -(a / d);
        rest.add(-a, &IndexExpr::atom(atom.clone()))?;
        rest.add(m.checked_neg().ok_or(Overflow)?, e)?;
        if m < 0 {
            let mut greatest = vec![IndexExpr::number(d - 1)];
            if extreme(e, true, ranges)?.is_some_and(|least| least.is_plainly_nonnegative()) {
                greatest.extend(extreme(e, false, ranges)?);
            }
            sum.add(m, &IndexExpr::least(&greatest)?)?;
        }
    }
    let Some(bound) = least(&rest, ranges)? else { return Ok(None) };
    sum.add(1, &bound)?;
    Ok(Some(sum))
}

/// Of `scale·p`.
fn bounded(p: IndexExpr, scale: i64, ranges: &[Option<Range>]) -> Result<Option<IndexExpr>, NoRanges> {
    let compound = |(atom, _): &&(Atom, i64)| atom.has_loops() && !matches!(atom, Atom::Loop(_));
    let Some((atom, a)) = p.terms().iter().find(compound).cloned() else {
        let rest = at_least(&p, ranges)?.map(|(_, rest)| rest);
        return Ok(rest.map(|rest| rest.plus_number(scale - 1)).transpose()?);
    };
    let rest = p.plus(-a, &IndexExpr::atom(atom.clone()))?;
    match atom {
        Atom::Floor(e, d) => {
            let bound = if a > 0 { e.plus_number(1 - d)? } else { (*e).clone() };
            let scale = scale.checked_mul(d).ok_or(Overflow)?;
            bounded(rest.times(d)?.plus(a, &bound)?, scale, ranges)
        }
        Atom::Least(of) => {
            let bounds = of.iter().map(|e| bounded(rest.plus(a, e)?, scale, ranges));
            let bounds: Option<Vec<IndexExpr>> = bounds.collect::<Result<_, _>>()?;
            let Some(bounds) = bounds else { return Ok(None) };
            Ok(Some(if a > 0 { IndexExpr::least(&bounds)? } else { IndexExpr::greatest(&bounds)? }))
        }
        // The other factor has no index, and is a sum of sizes: it is not negative.
        Atom::Product(of) => {
            let [p, q] = if of[0].has_loops() { [&of[0], &of[1]] } else { [&of[1], &of[0]] };
            if q.has_loops() || !q.is_plainly_nonnegative() {
                return Ok(None);
            }
            let Some((loops, least)) = at_least(&p.times(a.signum())?, ranges)? else { return Ok(None) };
            let product = least.times(a.abs())?.product(q)?;
            if loops.is_empty() { bounded(rest.plus(1, &product)?, scale, ranges) } else { Ok(None) }
        }
        Atom::Size(_) | Atom::Loop(_) => Ok(None),
    }
}
