//! The cost of a system as a function of its parameters: the polynomial through its costs at small sizes, if there
//! is one.

use crate::optimization::egraph::cost::{CostModel, Work};
use alpha::domains::Domains;
use alpha::syntax::System;
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::Name;

/// The maximum degree in a parameter: a product of matrices of one size has degree 3, and this allows one more.
const MAX_DEGREE: usize = 4;

/// The maximum number of sizes at which costs are counted: four parameters of degree 4 need 625.
const MAX_SIZES: usize = 1_000;

/// A polynomial in the parameters, such as `2*N^2*M + N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterPolynomial {
    names: Vec<Name>,
    /// The degree of each parameter.
    degrees: Vec<usize>,
    /// The coefficients; the exponents are the digits of the position, the last parameter's digit varies fastest.
    coefficients: Vec<RBig>,
}

/// The arithmetic operations of a system and the elements that it moves, as polynomials; `None` if no polynomial
/// is found. `around` are sizes that the system allows, at which and above which costs are counted.
pub fn growth(system: &System, domains: &Domains, around: &[i64]) -> [Option<ParameterPolynomial>; 2] {
    let names = system.declared_parameters();
    let of = |part: fn(Work) -> f64| {
        let at = |sizes: &[i64]| {
            let model = CostModel { parameters: sizes.to_vec(), moving: 0.0 };
            let work = model.work(system, domains);
            if work.is_exact { part(work) } else { f64::NAN }
        };
        ParameterPolynomial::through(names, around, &at)
    };
    [of(|work| work.operations), of(|work| work.moved)]
}

impl ParameterPolynomial {
    /// The polynomial through these values; `None` if it does not have the values at larger sizes too.
    pub fn through(
        names: &[Name],
        around: &[i64],
        value: &dyn Fn(&[i64]) -> f64,
    ) -> Option<ParameterPolynomial> {
        let exact = |sizes: &[i64]| {
            let value = value(sizes);
            let is_exact = value.fract() == 0.0 && value.abs() < 2_f64.powi(53);
            is_exact.then(|| RBig::from(IBig::from(value as i64)))
        };
        // A system with run-time indices has more parameters than it declares: its cost is not a function of the
        // declared ones.
        if names.len() != around.len() {
            return None;
        }
        let degrees = (0..names.len()).map(|k| degree(around, k, &exact)).collect::<Option<Vec<usize>>>()?;
        let count: usize = degrees.iter().map(|degree| degree + 1).product();
        if count > MAX_SIZES {
            return None;
        }
        let values = (0..count).map(|at| exact(&moved(around, &digits(at, &degrees))?));
        let coefficients = values.collect::<Option<Vec<RBig>>>()?;
        let mut polynomial = ParameterPolynomial { names: names.to_vec(), degrees, coefficients };
        for (k, &first) in around.iter().enumerate() {
            polynomial.interpolate(k, first);
        }
        let is_so = |by: usize| {
            let further = moved(around, &(by..by + around.len()).collect::<Vec<usize>>());
            further.is_some_and(|sizes| exact(&sizes) == Some(polynomial.at(&sizes)))
        };
        [7, 12].into_iter().all(is_so).then_some(polynomial)
    }

    /// Replaces the values at `first`, `first + 1`, … of a parameter by coefficients: Newton's form, multiplied
    /// out.
    fn interpolate(&mut self, k: usize, first: i64) {
        let stride: usize = self.degrees[k + 1..].iter().map(|degree| degree + 1).product();
        let count = self.degrees[k] + 1;
        for start in (0..self.coefficients.len()).filter(|at| (at / stride).is_multiple_of(count)) {
            let mut row: Vec<RBig> =
                (0..count).map(|j| self.coefficients[start + j * stride].clone()).collect();
            for j in 1..count {
                for i in (j..count).rev() {
                    row[i] = (&row[i] - &row[i - 1]) / RBig::from(IBig::from(j));
                }
            }
            // Horner: p := p · (x - node) + c, from the last difference on.
            let mut polynomial = vec![RBig::ZERO; count];
            for j in (0..count).rev() {
                let node = RBig::from(IBig::from(first) + IBig::from(j));
                for i in (0..count).rev() {
                    let shifted = if i == 0 { RBig::ZERO } else { polynomial[i - 1].clone() };
                    polynomial[i] = shifted - &polynomial[i] * &node;
                }
                polynomial[0] += &row[j];
            }
            for (j, coefficient) in polynomial.into_iter().enumerate() {
                self.coefficients[start + j * stride] = coefficient;
            }
        }
    }

    fn at(&self, sizes: &[i64]) -> RBig {
        let term = |(at, coefficient): (usize, &RBig)| {
            let powers = digits(at, &self.degrees);
            powers.iter().zip(sizes).fold(coefficient.clone(), |product, (&power, &size)| {
                product * RBig::from(IBig::from(size).pow(power))
            })
        };
        self.coefficients.iter().enumerate().map(term).fold(RBig::ZERO, |sum, term| sum + term)
    }
}

impl std::fmt::Display for ParameterPolynomial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms: Vec<(Vec<usize>, &RBig)> = Vec::new();
        for (at, coefficient) in self.coefficients.iter().enumerate().filter(|(_, c)| **c != RBig::ZERO) {
            terms.push((digits(at, &self.degrees), coefficient));
        }
        terms.sort_by_key(|(powers, _)| std::cmp::Reverse((powers.iter().sum::<usize>(), powers.clone())));
        for (k, (powers, coefficient)) in terms.iter().enumerate() {
            let is_negative = **coefficient < RBig::ZERO;
            f.write_str(match (k, is_negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let magnitude = if is_negative { -(*coefficient).clone() } else { (*coefficient).clone() };
            let power = |(name, power): (&Name, &usize)| match power {
                0 => None,
                1 => Some(name.to_string()),
                power => Some(format!("{name}^{power}")),
            };
            let mut factors: Vec<String> = self.names.iter().zip(powers).filter_map(power).collect();
            if magnitude != RBig::ONE || factors.is_empty() {
                factors.insert(0, magnitude.to_string());
            }
            f.write_str(&factors.join("*"))?;
        }
        if terms.is_empty() { f.write_str("0") } else { Ok(()) }
    }
}

/// The degree in a parameter: one less than the order of the first finite differences that are all 0.
fn degree(around: &[i64], k: usize, value: &dyn Fn(&[i64]) -> Option<RBig>) -> Option<usize> {
    let at = |by: usize| {
        let mut sizes = around.to_vec();
        sizes[k] = sizes[k].checked_add_unsigned(by as u64)?;
        value(&sizes)
    };
    let mut row = (0..=MAX_DEGREE + 2).map(at).collect::<Option<Vec<RBig>>>()?;
    for degree in 0..=MAX_DEGREE {
        row = row.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
        if row.iter().all(|difference| *difference == RBig::ZERO) {
            return Some(degree);
        }
    }
    None
}

/// The digits of a number, where digit `k` is at most `degrees[k]`.
fn digits(mut at: usize, degrees: &[usize]) -> Vec<usize> {
    let mut digits: Vec<usize> = Vec::with_capacity(degrees.len());
    for degree in degrees.iter().rev() {
        digits.push(at % (degree + 1));
        at /= degree + 1;
    }
    digits.reverse();
    digits
}

/// The sizes increased by `by`, if they fit in 64 bits.
fn moved(around: &[i64], by: &[usize]) -> Option<Vec<i64>> {
    around.iter().zip(by).map(|(size, &by)| size.checked_add_unsigned(by as u64)).collect()
}
