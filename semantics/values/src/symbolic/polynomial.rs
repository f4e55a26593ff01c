//! Sparse polynomials with integer coefficients, in canonical form.

use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// A variable of a polynomial.
pub type PolynomialVariable = u32;

/// A product of powers: variables in ascending order, exponents positive.
pub type PowerProduct = Vec<(PolynomialVariable, u32)>;

/// The maximum exponent of a variable, which 16 squarings reach. Sums of exponents stay far below 32 bits.
pub const MAX_EXPONENT: u32 = 1 << 16;
/// The maximum number of bits of a coefficient that is a product. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
pub const MAX_COEFFICIENT_BITS: usize = 1 << 13;

/// An expansion would exceed a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionLimit {
    /// It would have more terms than its budget.
    Terms {
        /// The budget, in terms.
        budget: usize,
    },
    /// A case distinction would take more steps than its budget.
    Work {
        /// The budget, in steps.
        budget: usize,
    },
    /// A variable would have an exponent beyond [`MAX_EXPONENT`].
    Exponent,
    /// A coefficient would have more than [`MAX_COEFFICIENT_BITS`] bits.
    Coefficient,
}

impl fmt::Display for ExpansionLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpansionLimit::Terms { budget } => write!(f, "a polynomial has more than {budget} terms"),
            ExpansionLimit::Work { budget } => {
                write!(f, "the cases of zero divisors take more than {budget} steps")
            }
            ExpansionLimit::Exponent => write!(f, "a polynomial has an exponent beyond {MAX_EXPONENT}"),
            ExpansionLimit::Coefficient => {
                write!(f, "a polynomial has a coefficient of more than {MAX_COEFFICIENT_BITS} bits")
            }
        }
    }
}

/// A polynomial: coefficients other than 0, by monomial. Two polynomials are equal exactly when the maps are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Polynomial {
    terms: BTreeMap<PowerProduct, IBig>,
}

impl Polynomial {
    /// A constant.
    pub fn constant(constant: impl Into<IBig>) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add_term(Vec::new(), constant.into());
        polynomial
    }

    /// A variable.
    pub fn variable(variable: PolynomialVariable) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add_term(vec![(variable, 1)], IBig::ONE);
        polynomial
    }

    /// The terms, by monomial.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&PowerProduct, &IBig)> {
        self.terms.iter()
    }

    /// Whether the polynomial is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a constant polynomial, else `None`.
    pub fn as_constant(&self) -> Option<IBig> {
        match self.terms.len() {
            0 => Some(IBig::ZERO),
            1 => self.terms.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The variables that occur.
    pub fn variables(&self) -> Vec<PolynomialVariable> {
        let mut variables: Vec<PolynomialVariable> =
            self.terms.keys().flatten().map(|&(variable, _)| variable).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The degree in one variable.
    pub fn degree_in(&self, variable: PolynomialVariable) -> u32 {
        self.terms.keys().map(|monomial| exponent(monomial, variable)).max().unwrap_or(0)
    }

    fn add_term(&mut self, monomial: PowerProduct, coefficient: IBig) {
        if coefficient.is_zero() {
            return;
        }
        match self.terms.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(coefficient);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                *entry.get_mut() += coefficient;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// `self += factor · other`
    pub fn add_scaled(&mut self, other: &Polynomial, factor: &IBig) {
        for (monomial, coefficient) in &other.terms {
            self.add_term(monomial.clone(), coefficient * factor);
        }
    }

    /// `self + other`
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        sum.add_scaled(other, &IBig::ONE);
        sum
    }

    /// `self − other`
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        let mut difference = self.clone();
        difference.add_scaled(other, &IBig::NEG_ONE);
        difference
    }

    /// `self · other`
    ///
    /// # Errors
    /// More than `budget` products of terms would be formed, or one would be beyond the limits.
    pub fn times(&self, other: &Polynomial, budget: usize) -> Result<Polynomial, ExpansionLimit> {
        if self.terms.len().saturating_mul(other.terms.len()) > budget {
            return Err(ExpansionLimit::Terms { budget });
        }
        let mut product = Polynomial::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let monomial = multiply(left, right).ok_or(ExpansionLimit::Exponent)?;
                product.add_term(monomial, limited(a * b)?);
            }
        }
        Ok(product)
    }

    /// The coefficients of the powers of one variable: `self = Σ c_k · variable^k`.
    pub fn coefficients_of(&self, variable: PolynomialVariable) -> BTreeMap<u32, Polynomial> {
        let mut coefficients: BTreeMap<u32, Polynomial> = BTreeMap::new();
        for (monomial, coefficient) in &self.terms {
            let rest = monomial.iter().copied().filter(|&(v, _)| v != variable).collect();
            let power = coefficients.entry(exponent(monomial, variable)).or_default();
            power.add_term(rest, coefficient.clone());
        }
        coefficients
    }

    /// A point with small natural coordinates at which a nonzero polynomial does not vanish: for each coordinate
    /// in turn, the smallest number that leaves the polynomial nonzero.
    pub fn nonzero_point(&self) -> BTreeMap<PolynomialVariable, RBig> {
        let (mut rest, mut point) = (self.clone(), BTreeMap::new());
        for variable in self.variables() {
            let at = |number: u64| rest.evaluate_at(variable, &IBig::from(number));
            let degree = u64::from(rest.degree_in(variable));
            let Some((number, value)) = (0..=degree).map(|n| (n, at(n))).find(|(_, value)| !value.is_zero())
            else {
                break;
            };
            rest = value;
            point.insert(variable, RBig::from(number));
        }
        point
    }

    fn evaluate_at(&self, variable: PolynomialVariable, number: &IBig) -> Polynomial {
        let mut value = Polynomial::default();
        for (power, coefficient) in self.coefficients_of(variable) {
            value.add_scaled(&coefficient, &number.pow(power as usize));
        }
        value
    }

    /// The variables that divide every term.
    pub fn common_variables(&self) -> Vec<PolynomialVariable> {
        let Some((first, _)) = self.terms.first_key_value() else { return Vec::new() };
        let divides_all =
            |variable: PolynomialVariable| self.terms.keys().all(|monomial| exponent(monomial, variable) > 0);
        first.iter().map(|&(variable, _)| variable).filter(|&variable| divides_all(variable)).collect()
    }

    /// The quotient by the highest power of a variable that divides every term.
    pub fn without_factor(&self, variable: PolynomialVariable) -> Polynomial {
        let power = self.terms.keys().map(|monomial| exponent(monomial, variable)).min().unwrap_or(0);
        let mut quotient = Polynomial::default();
        for (monomial, coefficient) in &self.terms {
            let lower =
                |&(v, e): &(PolynomialVariable, u32)| if v == variable { (v, e - power) } else { (v, e) };
            let monomial = monomial.iter().map(lower).filter(|&(_, e)| e > 0).collect();
            quotient.add_term(monomial, coefficient.clone());
        }
        quotient
    }

    /// The quotient by a nonzero polynomial, if it divides without a remainder and the quotient has at most
    /// `budget` terms, all within the limits.
    pub fn divided_by(&self, divisor: &Polynomial, budget: usize) -> Option<Polynomial> {
        let (lead, scale) = divisor.leading_term()?;
        let (mut rest, mut quotient) = (self.clone(), Polynomial::default());
        while let Some((monomial, coefficient)) = rest.leading_term() {
            if quotient.terms.len() == budget || !(coefficient % scale).is_zero() {
                return None;
            }
            let (monomial, coefficient) = (divide(monomial, lead)?, coefficient / scale);
            let negated = -coefficient.clone();
            for (term, factor) in &divisor.terms {
                rest.add_term(multiply(&monomial, term)?, factor * &negated);
            }
            quotient.add_term(monomial, coefficient);
        }
        Some(quotient)
    }

    /// The leading term in the lexicographic order of exponents, which products respect.
    fn leading_term(&self) -> Option<(&PowerProduct, &IBig)> {
        self.terms.iter().max_by(|(a, _), (b, _)| lexicographic(a, b))
    }

    /// The multiple by a rational constant that has coprime coefficients, the first of them positive: two
    /// polynomials have the same zeros if (not only if) their primitive parts are equal.
    pub fn primitive(&self) -> Polynomial {
        use dashu_base::Gcd;
        let content = self.terms.values().fold(IBig::ZERO, |gcd, coefficient| match gcd.is_zero() {
            true => coefficient.clone(),
            false => IBig::from((&gcd).gcd(coefficient)),
        });
        let Some((_, first)) = self.terms.first_key_value() else { return Polynomial::default() };
        let flip = (first > &IBig::ZERO) != (content > IBig::ZERO);
        let content = if flip { -content } else { content };
        let terms =
            self.terms.iter().map(|(monomial, coefficient)| (monomial.clone(), coefficient / &content));
        Polynomial { terms: terms.collect() }
    }
}

fn exponent(monomial: &PowerProduct, variable: PolynomialVariable) -> u32 {
    monomial.binary_search_by_key(&variable, |&(v, _)| v).map_or(0, |at| monomial[at].1)
}

/// Compares exponents, smaller variables first: the first difference decides.
fn lexicographic(a: &PowerProduct, b: &PowerProduct) -> Ordering {
    let differing = a.iter().zip(b).find(|(left, right)| left != right);
    match differing {
        Some((&(v, e), &(w, f))) => w.cmp(&v).then(e.cmp(&f)),
        None => a.len().cmp(&b.len()),
    }
}

/// The quotient of two monomials, if it is a monomial.
fn divide(a: &PowerProduct, b: &PowerProduct) -> Option<PowerProduct> {
    let divides = b.iter().all(|&(variable, power)| exponent(a, variable) >= power);
    let rest = a.iter().map(|&(variable, power)| (variable, power - exponent(b, variable)));
    divides.then(|| rest.filter(|&(_, power)| power > 0).collect())
}

/// The coefficient, unless it is too long.
///
/// # Errors
/// It has more than [`MAX_COEFFICIENT_BITS`] bits.
pub fn limited(coefficient: IBig) -> Result<IBig, ExpansionLimit> {
    if coefficient.bit_len() > MAX_COEFFICIENT_BITS {
        Err(ExpansionLimit::Coefficient)
    } else {
        Ok(coefficient)
    }
}

/// Merges two ascending lists of powers; `None` beyond [`MAX_EXPONENT`].
fn multiply(a: &PowerProduct, b: &PowerProduct) -> Option<PowerProduct> {
    let mut product = PowerProduct::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&(v, e)), Some(&&(w, f))) = (left.peek(), right.peek()) {
        if v <= w {
            left.next();
        }
        if w <= v {
            right.next();
        }
        product.push(match v.cmp(&w) {
            Ordering::Less => (v, e),
            Ordering::Greater => (w, f),
            Ordering::Equal => (v, e.checked_add(f).filter(|&sum| sum <= MAX_EXPONENT)?),
        });
    }
    product.extend(left.chain(right));
    Some(product)
}
