//! Affine expressions with integer coefficients.

use crate::EngineError;
use std::fmt::Write;

/// `c + Σ aₖ·xₖ` over numbered columns, whose meaning the owner defines. Columns without a coefficient have 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Affine {
    /// Without trailing zeros, so that equal expressions are equal values.
    coefficients: Vec<i64>,
    /// The constant term.
    pub constant: i64,
}

impl Affine {
    /// The constant `c`.
    pub fn constant(c: i64) -> Affine {
        Affine { coefficients: Vec::new(), constant: c }
    }

    /// One column, with coefficient 1.
    pub fn column(at: usize) -> Affine {
        Affine::term(1, at)
    }

    /// `a·x` for the column `at`.
    pub fn term(a: i64, at: usize) -> Affine {
        let mut coefficients = vec![0; at + 1];
        coefficients[at] = a;
        Affine::new(coefficients, 0)
    }

    /// The expression with these coefficients.
    pub fn new(mut coefficients: Vec<i64>, constant: i64) -> Affine {
        let used = coefficients.iter().rposition(|&a| a != 0).map_or(0, |last| last + 1);
        coefficients.truncate(used);
        Affine { coefficients, constant }
    }

    /// The coefficient of a column.
    pub fn coefficient(&self, at: usize) -> i64 {
        self.coefficients.get(at).copied().unwrap_or(0)
    }

    /// The coefficients up to the last that is not 0.
    pub fn coefficients(&self) -> &[i64] {
        &self.coefficients
    }

    /// The columns that occur, with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (usize, i64)> {
        self.coefficients.iter().copied().enumerate().filter(|&(_, a)| a != 0)
    }

    /// Whether no column occurs.
    pub fn is_constant(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The terms of the columns from `first` on, without the constant.
    pub fn linear_part(&self, first: usize) -> Affine {
        let terms = self.coefficients.iter().enumerate();
        Affine::new(terms.map(|(at, &a)| if at < first { 0 } else { a }).collect(), 0)
    }

    /// `self + k·other`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn plus(&self, k: i64, other: &Affine) -> Result<Affine, EngineError> {
        let columns = self.coefficients.len().max(other.coefficients.len());
        let sum =
            |a: i64, b: i64| b.checked_mul(k).and_then(|b| a.checked_add(b)).ok_or(EngineError::Overflow);
        let coefficients: Result<Vec<i64>, EngineError> =
            (0..columns).map(|at| sum(self.coefficient(at), other.coefficient(at))).collect();
        Ok(Affine::new(coefficients?, sum(self.constant, other.constant)?))
    }

    /// `−self − 1`: the expression that is at least 0 exactly where `self` is negative.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn negation(&self) -> Result<Affine, EngineError> {
        Affine::constant(-1).plus(-1, self)
    }

    /// Replaces each column `at` by `replacement(at)`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn substitute(&self, replacement: impl Fn(usize) -> Affine) -> Result<Affine, EngineError> {
        let (mut coefficients, mut constant) = (Vec::new(), self.constant);
        let plus = |a: i64, k: i64, b: i64| {
            b.checked_mul(k).and_then(|b| a.checked_add(b)).ok_or(EngineError::Overflow)
        };
        for (at, k) in self.terms() {
            let replacement = replacement(at);
            let columns = replacement.coefficients();
            coefficients.resize(coefficients.len().max(columns.len()), 0);
            for (a, b) in coefficients.iter_mut().zip(columns) {
                *a = plus(*a, k, *b)?;
            }
            constant = plus(constant, k, replacement.constant)?;
        }
        Ok(Affine::new(coefficients, constant))
    }

    /// The expression with its columns renumbered; columns that `to` merges are added.
    pub fn moved(&self, to: impl Fn(usize) -> usize) -> Affine {
        let columns = self.terms().map(|(at, _)| to(at) + 1).max().unwrap_or(0);
        let mut coefficients = vec![0; columns];
        self.terms().for_each(|(at, a)| coefficients[to(at)] += a);
        Affine::new(coefficients, self.constant)
    }

    /// The change of the value for these steps of columns; `None` if it exceeds 64 bits.
    pub fn growth(&self, mut steps: impl Iterator<Item = (usize, i64)>) -> Option<i64> {
        steps.try_fold(0_i64, |sum, (at, step)| sum.checked_add(step.checked_mul(self.coefficient(at))?))
    }

    /// The value at these columns; columns beyond them count as 0.
    pub fn value(&self, columns: &[i64]) -> i128 {
        let terms = self.coefficients.iter().zip(columns);
        terms.map(|(&a, &x)| i128::from(a) * i128::from(x)).sum::<i128>() + i128::from(self.constant)
    }

    /// The greatest common divisor of the coefficients; 0 for a constant.
    pub fn content(&self) -> i128 {
        self.coefficients.iter().fold(0, |d, &a| gcd(d, a))
    }

    /// The expression as text, with columns named by `name`.
    pub fn text<'a>(&self, name: impl Fn(usize) -> &'a str) -> String {
        let mut text = String::new();
        for (at, a) in self.terms() {
            let sign = match (text.is_empty(), a < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            if a.unsigned_abs() != 1 {
                let _ = write!(text, "{}", a.unsigned_abs());
            }
            text.push_str(name(at));
        }
        match (text.is_empty(), self.constant) {
            (true, c) => text = c.to_string(),
            (false, 0) => {}
            (false, c) => {
                let _ = write!(text, " {} {}", if c < 0 { '-' } else { '+' }, c.unsigned_abs());
            }
        }
        text
    }
}

/// The nonnegative greatest common divisor, at most 2^63, of one and a coefficient.
pub(crate) fn gcd(a: i128, b: i64) -> i128 {
    let (mut a, mut b) = (a, i128::from(b).abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
