//! Linear algebra and linear programs over exact fractions.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// A fraction in lowest terms with a positive denominator; panics if it exceeds 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    fn new(numerator: i128, denominator: i128) -> Fraction {
        let divisor = gcd(numerator.abs(), denominator.abs()) * denominator.signum();
        Fraction { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub fn signum(self) -> i128 {
        self.numerator.signum()
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn product(a: i128, b: i128) -> i128 {
    a.checked_mul(b).unwrap()
}

impl From<i64> for Fraction {
    fn from(value: i64) -> Fraction {
        Fraction { numerator: value.into(), denominator: 1 }
    }
}

impl Add for Fraction {
    type Output = Fraction;
    fn add(self, other: Fraction) -> Fraction {
        let (a, b) = (product(self.numerator, other.denominator), product(other.numerator, self.denominator));
        Fraction::new(a.checked_add(b).unwrap(), product(self.denominator, other.denominator))
    }
}

impl Sub for Fraction {
    type Output = Fraction;
    fn sub(self, other: Fraction) -> Fraction {
        self + Fraction { numerator: -other.numerator, ..other }
    }
}

impl Mul for Fraction {
    type Output = Fraction;
    fn mul(self, other: Fraction) -> Fraction {
        let numerator = product(self.numerator, other.numerator);
        Fraction::new(numerator, product(self.denominator, other.denominator))
    }
}

impl Div for Fraction {
    type Output = Fraction;
    fn div(self, other: Fraction) -> Fraction {
        let numerator = product(self.numerator, other.denominator);
        Fraction::new(numerator, product(self.denominator, other.numerator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
    }
}

/// The rank of a matrix.
pub fn rank(rows: &[Vec<i64>]) -> usize {
    let mut rows: Vec<Vec<Fraction>> =
        rows.iter().map(|row| row.iter().map(|&x| x.into()).collect()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        if let Some(pivot) = (rank..rows.len()).find(|&at| !rows[at][column].is_zero()) {
            rows.swap(rank, pivot);
            clear(&mut rows, rank, column);
            rank += 1;
        }
    }
    rank
}

/// Scales the pivot row to have 1 in a column, and subtracts multiples of it from the others so that they have 0
/// there.
fn clear(rows: &mut [Vec<Fraction>], pivot: usize, column: usize) {
    let scale = rows[pivot][column];
    let row: Vec<Fraction> = rows[pivot].iter().map(|&x| x / scale).collect();
    for (at, other) in rows.iter_mut().enumerate() {
        let factor = other[column];
        if at != pivot && !factor.is_zero() {
            for (x, &y) in other.iter_mut().zip(&row).filter(|(_, y)| !y.is_zero()) {
                *x = *x - factor * y;
            }
        }
    }
    rows[pivot] = row;
}

/// Conditions on unknowns, each a row of coefficients and a constant: `row·x + c`.
#[derive(Clone, Debug, Default)]
pub struct LinearProgram {
    pub unknowns: usize,
    /// The number of trailing unknowns that must be nonnegative.
    pub nonnegative: usize,
    /// `= 0`
    pub equalities: Vec<(Vec<i64>, i64)>,
    /// `≥ 0`
    pub inequalities: Vec<(Vec<i64>, i64)>,
}

impl LinearProgram {
    /// Whether some fractions satisfy all conditions: phase one of the simplex method, with Bland's rule.
    pub fn is_feasible(&self) -> bool {
        let mut rows = self.tableau();
        let (conditions, width) = (rows.len(), rows.first().map_or(1, Vec::len));
        let mut objective = vec![Fraction::ZERO; width];
        for row in &rows {
            objective.iter_mut().zip(row).for_each(|(sum, &x)| *sum = *sum + x);
        }
        rows.push(objective);
        // Initially one artificial unknown per row is basic; once it leaves the basis it never returns, so it has
        // no column.
        let mut basis: Vec<usize> = (width..width + conditions).collect();
        while !rows[conditions][width - 1].is_zero() {
            let entering = (0..width - 1).find(|&at| rows[conditions][at].signum() > 0);
            let Some(column) = entering else { return false };
            let row = leaving(&rows[..conditions], &basis, column).unwrap();
            clear(&mut rows, row, column);
            basis[row] = column;
        }
        true
    }

    /// `A·x = b ≥ 0` over nonnegative unknowns, with `b` as the last column: free unknowns are differences of two,
    /// and each inequality gets a slack.
    fn tableau(&self) -> Vec<Vec<Fraction>> {
        let (free, slacks) = (self.unknowns - self.nonnegative, self.inequalities.len());
        let row = |(coefficients, constant): &(Vec<i64>, i64), slack: Option<usize>| {
            let sign = if *constant <= 0 { 1 } else { -1 };
            let coefficient = |at: usize| sign * coefficients.get(at).copied().unwrap_or(0);
            let mut row: Vec<i64> = (0..free).flat_map(|at| [coefficient(at), -coefficient(at)]).collect();
            row.extend((free..self.unknowns).map(coefficient));
            row.extend((0..slacks).map(|k| if slack == Some(k) { -sign } else { 0 }));
            row.push(-sign * constant);
            row.into_iter().map(Fraction::from).collect()
        };
        let equalities = self.equalities.iter().map(|equality| row(equality, None));
        let inequalities = self.inequalities.iter().enumerate();
        equalities.chain(inequalities.map(|(k, inequality)| row(inequality, Some(k)))).collect()
    }
}

/// The row that limits how far the unknown of `column` can grow.
fn leaving(rows: &[Vec<Fraction>], basis: &[usize], column: usize) -> Option<usize> {
    let limit = |at: usize| *rows[at].last().unwrap() / rows[at][column];
    let candidates = (0..rows.len()).filter(|&at| rows[at][column].signum() > 0);
    candidates.min_by(|&a, &b| limit(a).cmp(&limit(b)).then(basis[a].cmp(&basis[b])))
}
