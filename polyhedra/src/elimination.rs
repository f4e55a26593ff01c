//! Fourier–Motzkin elimination over the rationals: bounds of each column in terms of the earlier ones.
//!
//! Elimination ignores integrality, so its bounds may be too wide; they only guide the search.

use crate::affine::{Affine, gcd};
use crate::basic::{BasicSet, Local};
use crate::error::EngineError;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The maximum number of rows of a system during elimination. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_ROWS: usize = 4_000;

/// Constraints `e ≥ 0`, one per row.
pub(crate) type Rows = Vec<Affine>;

/// The constraints of a basic set as inequalities over all its columns, including the definition of each floor
/// term: `q = ⌊n/d⌋` is `0 ≤ n − d·q ≤ d − 1`.
///
/// # Errors
/// A coefficient exceeds 64 bits.
pub(crate) fn rows(piece: &BasicSet, outer: usize) -> Result<Rows, EngineError> {
    let mut rows = piece.inequalities.clone();
    for equality in &piece.equalities {
        rows.push(equality.clone());
        rows.push(Affine::default().plus(-1, equality)?);
    }
    for (k, local) in piece.locals.iter().enumerate() {
        if let Local::Floor { numerator, denominator } = local {
            let remainder = numerator.plus(-*denominator, &Affine::column(outer + k))?;
            rows.push(Affine::constant(denominator - 1).plus(-1, &remainder)?);
            rows.push(remainder);
        }
    }
    Ok(rows)
}

/// The rational projection of `rows` along one column.
///
/// # Errors
/// A coefficient exceeds 64 bits, or there are too many rows.
pub(crate) fn eliminate(rows: &Rows, column: usize) -> Result<Rows, EngineError> {
    let (without, with): (Vec<&Affine>, Vec<&Affine>) = rows.iter().partition(|r| r.coefficient(column) == 0);
    let (lower, upper): (Vec<&Affine>, Vec<&Affine>) =
        with.into_iter().partition(|r| r.coefficient(column) > 0);
    let mut result = Strictest::default();
    without.into_iter().for_each(|row| result.keep(row.clone()));
    for (l, u) in pairs(&lower, &upper)? {
        result.keep(combined(l, u, column)?);
    }
    Ok(result.rows())
}

/// The integer projection of a piece without local columns onto its first columns; `None` where it is not that over the rationals, as far as is
/// seen: of a lower and an upper bound of a column, one has the coefficient 1.
///
/// # Errors
/// A coefficient exceeds 64 bits, or there are too many rows.
pub(crate) fn shadow(piece: &BasicSet, keep: usize, columns: usize) -> Result<Option<Rows>, EngineError> {
    if !piece.locals.is_empty() {
        return Ok(None);
    }
    let mut rows = rows(piece, columns)?;
    for column in (keep..columns).rev() {
        let is_unit = |sign: i64| rows.iter().all(|row| row.coefficient(column) * sign <= 1);
        if !is_unit(1) && !is_unit(-1) {
            return Ok(None);
        }
        rows = eliminate(&rows, column)?;
    }
    Ok(Some(rows))
}

/// The pairs of bounds to combine: all pairs, unless two bounds form an equality; then it suffices to combine the
/// others with it.
fn pairs<'a>(
    lower: &[&'a Affine],
    upper: &[&'a Affine],
) -> Result<Vec<(&'a Affine, &'a Affine)>, EngineError> {
    for &l in lower {
        let opposite = Affine::default().plus(-1, l)?;
        if let Some(&u) = upper.iter().find(|&&u| *u == opposite) {
            return Ok(upper.iter().map(|&u| (l, u)).chain(lower.iter().map(|&l| (l, u))).collect());
        }
    }
    if lower.len().saturating_mul(upper.len()) > MAX_ROWS {
        let operands = format!("{} by {} inequalities", lower.len(), upper.len());
        return Err(EngineError::OutOfBudget { operation: "elimination", operands });
    }
    Ok(lower.iter().flat_map(|&l| upper.iter().map(move |&u| (l, u))).collect())
}

/// A system that keeps only the strictest of the rows with equal coefficients.
#[derive(Default)]
struct Strictest {
    rows: Rows,
    position: FxHashMap<Vec<i64>, usize>,
}

impl Strictest {
    fn keep(&mut self, row: Affine) {
        let row = tightened(row);
        if row.is_constant() && row.constant >= 0 {
            return;
        }
        match self.position.entry(row.coefficients().to_vec()) {
            Entry::Vacant(entry) => {
                entry.insert(self.rows.len());
                self.rows.push(row);
            }
            Entry::Occupied(entry) => {
                let known = &mut self.rows[*entry.get()];
                known.constant = known.constant.min(row.constant);
            }
        }
    }

    fn rows(self) -> Rows {
        self.rows
    }
}

/// Combines a lower and an upper bound of a column so that the column cancels.
fn combined(lower: &Affine, upper: &Affine, column: usize) -> Result<Affine, EngineError> {
    let (a, b) =
        (lower.coefficient(column), upper.coefficient(column).checked_neg().ok_or(EngineError::Overflow)?);
    let d = gcd(a.into(), b);
    let reduced = |a: i64| i64::try_from(i128::from(a) / d).map_err(|_| EngineError::Overflow);
    Affine::default().plus(reduced(b)?, lower)?.plus(reduced(a)?, upper)
}

/// Divides a row by the common divisor of its coefficients and rounds the constant down, which keeps the same
/// integer points.
fn tightened(row: Affine) -> Affine {
    let d = row.content();
    if d <= 1 {
        return row;
    }
    let quotient = |a: i64| i64::try_from(i128::from(a).div_euclid(d)).ok();
    let coefficients: Option<_> = row.coefficients().iter().map(|&a| quotient(a)).collect();
    coefficients.zip(quotient(row.constant)).map_or(row, |(all, constant)| Affine::new(all, constant))
}

/// The least and greatest integer of the next column, given the columns before it; no later column may occur in
/// `rows`. `None` if unbounded.
pub(crate) fn bounds(rows: &Rows, values: &[i64]) -> (Option<i128>, Option<i128>) {
    let column = values.len();
    let (mut low, mut high) = (None::<i128>, None::<i128>);
    for row in rows {
        let (a, rest) = (i128::from(row.coefficient(column)), row.value(values));
        match a {
            0 => {}
            1.. => {
                let bound = -(rest.div_euclid(a));
                low = Some(low.map_or(bound, |low| low.max(bound)));
            }
            _ => {
                let bound = rest.div_euclid(-a);
                high = Some(high.map_or(bound, |high| high.min(bound)));
            }
        }
    }
    (low, high)
}
