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
//!             p is not linear, and multiplies no indices:                                      p ≥ 0 for all values of its indices is one
//! tc-extent   R(k) = [b, e), k is an index of the target:                                      e − b ≥ 1 is an obligation on the sizes
//! ```
//! An index expression that is not linear, once it is simplified, bounds no index, but must lie within bounds. At which sizes it does is exact, but for
//! quotients and least values of products of an index and sizes: these are bounded term by term, and may be required to be less than they need to be. Where
//! indices are multiplied, or read from a tensor, what is outside is • when it is read.

use crate::conditions::Alternatives;
use crate::indices::{Atom, IndexExpr, Linear, Overflow};
use crate::sets::NotAffine;
use ::indices::projection::{implies, sizes_of_points};
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

/// What an inequality needs of the sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// Expressions in sizes, none of which is negative.
    pub conditions: Vec<IndexExpr>,
    /// Whether `p ≥ 0` fails for some values of the indices wherever one is negative; otherwise it may hold there, too.
    pub is_exact: bool,
}

/// **tc-follows** (ours; Variable Scoping): what `p ≥ 0` needs of the sizes, for all values of the indices in their ranges, of which those of the
/// first `rank` are not empty; `None` if indices are multiplied. Without products of an index and a size it is exact, unless there are too many cases.
///
/// # Errors
/// A coefficient exceeds 64 bits.
pub fn needed(p: &IndexExpr, ranges: &[Range], rank: usize) -> Result<Option<Needed>, NoRanges> {
    if p.multiplies_loops() {
        return Ok(None);
    }
    let exact = |conditions| Ok(Some(Needed { conditions, is_exact: true }));
    if let Some(bound) = at_ends(&p.cleared()?, ranges)? {
        return exact(vec![bound]);
    }
    let known: Vec<Option<Range>> = ranges.iter().cloned().map(Some).collect();
    let bounds = [bounded(p.cleared()?, 1, &known)?, least(p, &known)?];
    let bounds: Vec<IndexExpr> = bounds.into_iter().flatten().collect();
    if bounds.iter().any(IndexExpr::is_plainly_nonnegative) {
        return exact(Vec::new());
    }
    match excluded(p, ranges, rank) {
        Ok(excluded) => exact(excluded.iter().map(|all| none_of(all)).collect::<Result<_, _>>()?),
        Err(_) if bounds.is_empty() => Ok(None),
        Err(_) => Ok(Some(Needed { conditions: vec![IndexExpr::greatest(&bounds)?], is_exact: false })),
    }
}

/// The sizes at which `p` is negative for some values of its indices.
fn excluded(p: &IndexExpr, ranges: &[Range], rank: usize) -> Result<Alternatives, NotAffine> {
    let own: Vec<usize> = (0..ranges.len()).filter(|k| p.mentions(*k)).collect();
    let numbered = |atom: &Atom| match atom {
        Atom::Loop(k) => Atom::Loop(own.iter().position(|own| own == k).unwrap_or(0)),
        other => other.clone(),
    };
    let p = p.replaced(&|atom| IndexExpr::atom(numbered(atom)))?;
    let within: Vec<Range> = own.iter().map(|k| ranges[*k].clone()).collect();
    let mut excluded = sizes_of_points(&within, &[p.negated()?])?;
    for [b, e] in &ranges[..rank] {
        let length = e.plus(-1, b)?.plus_number(-1)?;
        excluded.iter_mut().for_each(|all| all.retain(|e| !implies(&length, e)));
    }
    Ok(excluded)
}

/// What is negative exactly where none of these is.
fn none_of(all: &[IndexExpr]) -> Result<IndexExpr, Overflow> {
    let negated: Vec<IndexExpr> = all.iter().map(IndexExpr::negated).collect::<Result<_, _>>()?;
    let Some(first) = negated.first() else { return Ok(IndexExpr::number(-1)) };
    // What all have stands outside: `M >= min(N, 4)`.
    let mut common = IndexExpr::number(0);
    for term in first.terms().iter().filter(|term| negated.iter().all(|e| e.terms().contains(term))) {
        common.add(term.1, &IndexExpr::atom(term.0.clone()))?;
    }
    let rest: Vec<IndexExpr> = negated.iter().map(|e| e.plus(-1, &common)).collect::<Result<_, _>>()?;
    common.plus(1, &IndexExpr::greatest(&rest)?)
}

/// The least value of `p` at the ends of ranges, where it is a sum of indices, each multiplied by sizes; `None` if it is not.
fn at_ends(p: &IndexExpr, ranges: &[Range]) -> Result<Option<IndexExpr>, Overflow> {
    let mut sum = IndexExpr::number(p.constant());
    let mut factors: Vec<(usize, IndexExpr)> = Vec::new();
    for (atom, a) in p.terms() {
        if !atom.has_loops() {
            sum.add(*a, &IndexExpr::atom(atom.clone()))?;
            continue;
        }
        let Some((k, factor)) = factor(atom)? else { return Ok(None) };
        match factors.iter_mut().find(|(known, _)| *known == k) {
            Some((_, known)) => known.add(*a, &factor)?,
            None => factors.push((k, factor.times(*a)?)),
        }
    }
    for (k, factor) in factors {
        let [b, e] = &ranges[k];
        let ends = [factor.product(b)?, factor.product(&e.plus_number(-1)?)?];
        let least = match (factor.is_plainly_nonnegative(), factor.times(-1)?.is_plainly_nonnegative()) {
            (true, _) => ends[0].clone(),
            (_, true) => ends[1].clone(),
            _ => IndexExpr::least(&ends)?,
        };
        sum.add(1, &least)?;
    }
    Ok(Some(sum))
}

/// An index, and the sizes that it is multiplied with.
fn factor(atom: &Atom) -> Result<Option<(usize, IndexExpr)>, Overflow> {
    match atom {
        Atom::Loop(k) => Ok(Some((*k, IndexExpr::number(1)))),
        Atom::Product(of) => {
            let [p, q] = if of[0].has_loops() { [&of[0], &of[1]] } else { [&of[1], &of[0]] };
            match p.terms() {
                [(inner, 1)] if p.constant() == 0 && !q.has_loops() => {
                    let inner = factor(inner)?;
                    inner.map(|(k, factor)| Ok((k, factor.product(q)?))).transpose()
                }
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
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
