//! Fourier–Motzkin elimination over the rationals: the bounds of one column in terms of the ones before it.
//!
//! Elimination forgets that points are integers, so bounds found here may be too wide and are only used to search.

use crate::affine::{Affine, gcd};
use crate::basic::{BasicSet, Local};
use crate::error::Error;
use rustc_hash::FxHashMap;

/// A system may grow to so many rows.
const MAX_ROWS: usize = 4_000;

/// `e ≥ 0` for every row.
pub(crate) type Rows = Vec<Affine>;

/// The constraints of a basic set as inequalities over all its columns, the definitions of floor terms included:
/// `q = ⌊n/d⌋` is `0 ≤ n − d·q ≤ d − 1`.
///
/// # Errors
/// A coefficient exceeds 64 bits.
pub(crate) fn rows(piece: &BasicSet, outer: usize) -> Result<Rows, Error> {
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
/// Coefficients exceed 64 bits, or the rows become too many.
pub(crate) fn eliminate(rows: &Rows, column: usize) -> Result<Rows, Error> {
    let mut kept = Kept::default();
    let (without, with): (Vec<&Affine>, Vec<&Affine>) = rows.iter().partition(|r| r.coefficient(column) == 0);
    without.into_iter().for_each(|row| kept.keep(row.clone()));
    let (mut lower, mut upper): (Vec<&Affine>, Vec<&Affine>) =
        with.into_iter().partition(|r| r.coefficient(column) > 0);
    if let Some((l, u)) = equality(&lower, &upper, column)? {
        // The column is what an equality says, so that every other row needs only that.
        lower.iter().try_for_each(|lower| combined(lower, u, column).map(|row| kept.keep(row)))?;
        (lower, upper) = (vec![l], upper);
    }
    if lower.len().saturating_mul(upper.len()) > MAX_ROWS {
        let operands = format!("{} by {} inequalities", lower.len(), upper.len());
        return Err(Error::OutOfBudget { operation: "elimination", operands });
    }
    for l in &lower {
        for u in &upper {
            kept.keep(combined(l, u, column)?);
        }
    }
    Ok(kept.rows)
}

/// Two rows that are an equality with this column; the one with the smallest coefficient.
fn equality<'a>(
    lower: &[&'a Affine],
    upper: &[&'a Affine],
    column: usize,
) -> Result<Option<(&'a Affine, &'a Affine)>, Error> {
    let upper: FxHashMap<Affine, &Affine> =
        upper.iter().map(|&u| Ok((Affine::default().plus(-1, u)?, u))).collect::<Result<_, Error>>()?;
    let pairs = lower.iter().filter_map(|&l| Some((l, *upper.get(l)?)));
    Ok(pairs.min_by_key(|(l, _)| l.coefficient(column)))
}

/// Rows, each with the strongest constant among those with the same coefficients.
#[derive(Default)]
struct Kept {
    rows: Rows,
    at: FxHashMap<Vec<i64>, usize>,
}

impl Kept {
    fn keep(&mut self, row: Affine) {
        let row = tightened(row);
        if row.is_constant() && row.constant >= 0 {
            return;
        }
        match self.at.get(row.coefficients()) {
            Some(&at) => self.rows[at].constant = self.rows[at].constant.min(row.constant),
            None => {
                self.at.insert(row.coefficients().to_vec(), self.rows.len());
                self.rows.push(row);
            }
        }
    }
}

/// A lower and an upper bound of a column, combined so that the column cancels.
fn combined(lower: &Affine, upper: &Affine, column: usize) -> Result<Affine, Error> {
    let (a, b) = (lower.coefficient(column), upper.coefficient(column).checked_neg().ok_or(Error::Overflow)?);
    let d = gcd(a, b);
    Affine::default().plus(b / d, lower)?.plus(a / d, upper)
}

/// The row divided by the common divisor of its coefficients, the constant rounded down: the same integer points.
fn tightened(row: Affine) -> Affine {
    match row.content() {
        0 | 1 => row,
        d => {
            let coefficients = row.coefficients().iter().map(|a| a / d).collect();
            Affine::new(coefficients, row.constant.div_euclid(d))
        }
    }
}

/// The least and the greatest integer for a column, where the columns before it have these values and no later column
/// occurs; `None` where nothing bounds it.
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

#[cfg(test)]
mod tests {
    use crate::{Error, IndexSet};

    /// The points of a reduction's body over a point of the result: without the equality, there would be too many rows.
    #[test]
    fn skewed_bodies_can_be_listed() -> Result<(), Error> {
        let body = "x >= z - 3 and y >= z - 5 and y >= z and x >= z and 2z >= 2y - 1 and 3z >= 2y + 2 and 2y >= 3z - 3";
        let pairs: IndexSet =
            format!("{{ [a, b, x, y, z] : a = x - z and b = y - z and z >= x - 3 and {body} }}").parse()?;
        let points = pairs.scan(&[])?.points(&[1, 0], 100)?;
        assert!(
            points.iter().all(|point| pairs.contains(&[], &[&[1, 0], point.as_slice()].concat()) == Ok(true))
        );
        assert_eq!(points, [[3, 2, 2], [4, 3, 3]]);
        Ok(())
    }
}
