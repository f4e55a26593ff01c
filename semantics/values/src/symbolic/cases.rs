//! The field tier: quotients resolved by case distinction.
//!
//! A controlled quotient `n/d` is `0` where `n = 0`, else `•` where `d = 0`, else the fraction; it reads what `n`
//! reads and, unless `n = 0`, what `d` reads. Which case applies depends on the unknowns. A [`Path`] is a set of
//! decisions `p = 0` and `p ≠ 0` on polynomials over the unknowns; on a path every value is a fraction of
//! polynomials with a support, or `•`. Two values are equal when they are on every path.
//!
//! A decision `p = 0` is used by solving it: factors that are variables are split off, and a variable that occurs
//! linearly is eliminated (after a case distinction on its coefficient).
//!
//! **Sound**: the paths cover all inputs (also when values marked `•` are given arbitrary numbers: an undefined
//! operand makes every value that reads it undefined on each path alike). **Incomplete** exactly here: a decision
//! `p = 0` in which no variable occurs linearly is only remembered, not solved. Values that agree anyway are still
//! proved equal; where they do not agree on such a path the answer is "unknown", as it is when the budget of paths
//! is spent.

use super::normal::{Normal, NormalAtom, NormalId, Normalizer};
use super::polynomial::{ExpansionLimit, MAX_EXPONENT, Polynomial, PolynomialVariable};
use crate::Division;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::collections::{BTreeMap, BTreeSet};

/// `numerator / Π factor^power`; the factors do not vanish on the path.
#[derive(Clone, Debug)]
struct SymbolicFraction {
    numerator: Polynomial,
    denominator: BTreeMap<Polynomial, u32>,
}

impl SymbolicFraction {
    fn polynomial(numerator: Polynomial) -> SymbolicFraction {
        SymbolicFraction { numerator, denominator: BTreeMap::new() }
    }

    fn times(&self, other: &SymbolicFraction, budget: usize) -> Result<SymbolicFraction, ExpansionLimit> {
        let mut denominator = self.denominator.clone();
        for (factor, power) in &other.denominator {
            let sum = denominator.entry(factor.clone()).or_insert(0);
            *sum =
                sum.checked_add(*power).filter(|&sum| sum <= MAX_EXPONENT).ok_or(ExpansionLimit::Exponent)?;
        }
        Ok(SymbolicFraction { numerator: self.numerator.times(&other.numerator, budget)?, denominator })
    }

    fn plus(&self, other: &SymbolicFraction, budget: usize) -> Result<SymbolicFraction, ExpansionLimit> {
        let mut denominator = self.denominator.clone();
        for (factor, &power) in &other.denominator {
            let common = denominator.entry(factor.clone()).or_insert(0);
            *common = power.max(*common);
        }
        let numerator = self.over(&denominator, budget)?.plus(&other.over(&denominator, budget)?);
        Ok(SymbolicFraction { numerator, denominator })
    }

    /// The numerator over a multiple of the denominator.
    fn over(
        &self,
        denominator: &BTreeMap<Polynomial, u32>,
        budget: usize,
    ) -> Result<Polynomial, ExpansionLimit> {
        let mut numerator = self.numerator.clone();
        for (factor, &power) in denominator {
            for _ in self.denominator.get(factor).copied().unwrap_or(0)..power {
                numerator = numerator.times(factor, budget)?;
            }
        }
        Ok(numerator)
    }

    /// `1 / self`, where the numerator does not vanish.
    fn inverse(&self, budget: usize) -> Result<SymbolicFraction, ExpansionLimit> {
        let numerator =
            SymbolicFraction::polynomial(Polynomial::constant(1)).over(&self.denominator, budget)?;
        Ok(SymbolicFraction { numerator, denominator: BTreeMap::from([(self.numerator.clone(), 1)]) })
    }
}

/// Decisions that settle every case distinction so far.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Unknowns that solved decisions determine, in terms of the others.
    solved: BTreeMap<PolynomialVariable, SymbolicFraction>,
    /// Polynomials that are not 0.
    nonzero: Vec<Polynomial>,
    /// Polynomials that are 0 and could not be solved; primitive.
    unsolved: Vec<Polynomial>,
    /// Polynomials that were decided to be 0 and follow from `solved`, `unsolved` and `nonzero`.
    zero: Vec<Polynomial>,
    /// Polynomials that are 0 and have yet to be solved.
    pending: Vec<Polynomial>,
}

/// The maximum number of terms of a quotient that is searched for; what a longer one would show stays
/// undecided. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_QUOTIENT_TERMS: usize = 1_000;

/// A value on a path; `None` is `•`.
type CaseValue = Option<(SymbolicFraction, BTreeSet<PolynomialVariable>)>;

/// Two normal forms, and the relation that is wanted.
type WantedRelation = (NormalId, NormalId, Wanted);

/// How two values should relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Both defined and equal, or both undefined.
    Equality,
    /// Equal wherever the left is defined.
    Refinement,
}

/// Why a value cannot be given on a path.
enum Interrupted {
    /// Whether this polynomial is 0 has to be decided first.
    Undecided(Polynomial),
    /// A selection, which this tier does not represent.
    Unsupported,
    Budget(ExpansionLimit),
}

impl From<ExpansionLimit> for Interrupted {
    fn from(expansion: ExpansionLimit) -> Interrupted {
        Interrupted::Budget(expansion)
    }
}

/// The answer of a case distinction.
#[derive(Clone, Debug)]
pub enum CaseAnswer {
    /// Equal on every path, in every field of characteristic 0; and in a field of characteristic `p` in which no
    /// constant that was taken to be nonzero vanishes: a bound on those constants is given.
    Equal {
        /// The number of paths.
        paths: usize,
        /// A bound on every constant that was taken to be nonzero.
        largest_constant: IBig,
    },
    /// They differ on this path, if the path is satisfiable: a sample must show it.
    Different(Box<Path>),
    /// Not decided, with the reason.
    Unknown(String),
}

/// A case distinction under a budget.
pub struct Cases<'a, 'b> {
    normalizer: &'a Normalizer<'b>,
    /// The maximum number of paths.
    pub max_paths: usize,
    /// The maximum number of terms of a polynomial.
    pub max_terms: usize,
    largest_constant: IBig,
    /// The work that is left, for all paths together.
    left: usize,
}

/// The maximum number of terms substituted and values computed, on all paths of one pair together. Chosen: half
/// and twice give the same verdicts (`docs/limits.md`).
const MAX_WORK: usize = 500_000;

impl<'a, 'b> Cases<'a, 'b> {
    /// A case distinction over these normal forms.
    pub fn new(normalizer: &'a Normalizer<'b>, max_paths: usize, max_terms: usize) -> Cases<'a, 'b> {
        Cases { normalizer, max_paths, max_terms, largest_constant: IBig::ONE, left: MAX_WORK }
    }

    /// Decides whether in every field two normal forms have the same value and are defined for the same inputs;
    /// or, for [`Wanted::Refinement`], whether `b` is defined, and has the value of `a`, wherever `a` is defined.
    pub fn decide(&mut self, a: NormalId, b: NormalId, wanted: Wanted) -> CaseAnswer {
        let mut open = vec![Path::default()];
        let mut paths = 0;
        let mut doubt = None;
        while let Some(path) = open.pop() {
            paths += 1;
            if paths + open.len() > self.max_paths {
                return CaseAnswer::Unknown(format!("more than {} cases of zero divisors", self.max_paths));
            }
            match self.follow(path, (a, b, wanted), &mut open) {
                Ok(None) => {}
                Ok(Some(path)) if path.unsolved.is_empty() => return CaseAnswer::Different(Box::new(path)),
                Ok(Some(path)) => doubt = doubt.or(Some(path)),
                Err(reason) => return CaseAnswer::Unknown(reason),
            }
        }
        match doubt {
            None => CaseAnswer::Equal { paths, largest_constant: self.largest_constant.clone() },
            Some(path) => CaseAnswer::Unknown(format!(
                "the values differ where {} polynomial(s) of the divisors vanish that were not solved",
                path.unsolved.len()
            )),
        }
    }

    /// Compares the values on one path, or splits it; returns the path if the values differ on it.
    fn follow(
        &mut self,
        path: Path,
        question: WantedRelation,
        open: &mut Vec<Path>,
    ) -> Result<Option<Path>, String> {
        let path = match self.solve_pending(path, open) {
            Ok(Some(path)) => path,
            Ok(None) => return Ok(None),
            Err(expansion) => return Err(expansion.to_string()),
        };
        match self.compare(&path, question) {
            Ok(true) => Ok(None),
            Ok(false) => Ok(Some(path)),
            Err(Interrupted::Undecided(polynomial)) => {
                let mut vanishing = path.clone();
                vanishing.pending.push(polynomial.clone());
                let mut other = path;
                other.nonzero.push(polynomial);
                open.extend([other, vanishing]);
                Ok(None)
            }
            Err(Interrupted::Unsupported) => Err("a selection by comparison of values".to_owned()),
            Err(Interrupted::Budget(expansion)) => Err(expansion.to_string()),
        }
    }

    fn compare(&mut self, path: &Path, (a, b, wanted): WantedRelation) -> Result<bool, Interrupted> {
        let values = self.evaluate(path, &[a, b])?;
        match (&values[&a], &values[&b]) {
            (None, None) => Ok(true),
            (None, Some(_)) => Ok(wanted == Wanted::Refinement),
            (Some((f, reads_f)), Some((g, reads_g)))
                if reads_f == reads_g || wanted == Wanted::Refinement && reads_g.is_subset(reads_f) =>
            {
                let minus =
                    SymbolicFraction::polynomial(Polynomial::constant(-1)).times(g, self.max_terms)?;
                let difference = f.plus(&minus, self.max_terms)?.numerator;
                Ok(self.is_zero(path, &difference).unwrap_or(false))
            }
            _ => Ok(false),
        }
    }

    /// The values of normal forms and of everything they are made of, in the order of their identifiers: the
    /// operands of a quotient have smaller ones.
    fn evaluate(
        &mut self,
        path: &Path,
        roots: &[NormalId],
    ) -> Result<BTreeMap<NormalId, CaseValue>, Interrupted> {
        let mut values: BTreeMap<NormalId, CaseValue> = BTreeMap::new();
        for id in self.reachable(roots)? {
            self.spend(1)?;
            let value = match &**self.normalizer.normal(id) {
                Normal::Undefined => None,
                Normal::Value { polynomial, support } => self.value(path, polynomial, support, &values)?,
            };
            values.insert(id, value);
        }
        Ok(values)
    }

    fn reachable(&self, roots: &[NormalId]) -> Result<BTreeSet<NormalId>, Interrupted> {
        let (mut seen, mut pending) = (BTreeSet::new(), roots.to_vec());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Normal::Value { polynomial, support } = &**self.normalizer.normal(id) else { continue };
            for variable in polynomial.variables().into_iter().chain(support.iter().copied()) {
                match self.normalizer.atom(variable) {
                    NormalAtom::Unknown(_) => {}
                    NormalAtom::Quotient(_, n, d) => pending.extend([*n, *d]),
                    NormalAtom::Select(..) | NormalAtom::Integer(..) | NormalAtom::Opaque(..) => {
                        return Err(Interrupted::Unsupported);
                    }
                }
            }
        }
        Ok(seen)
    }

    /// The value of a polynomial over atoms: every atom of its support has to be defined.
    fn value(
        &mut self,
        path: &Path,
        polynomial: &Polynomial,
        support: &[PolynomialVariable],
        values: &BTreeMap<NormalId, CaseValue>,
    ) -> Result<CaseValue, Interrupted> {
        let mut reads = BTreeSet::new();
        let mut atoms = BTreeMap::new();
        for &variable in support {
            match self.atom(path, variable, values)? {
                None => return Ok(None),
                Some((fraction, read)) => {
                    reads.extend(read);
                    atoms.insert(variable, fraction);
                }
            }
        }
        for variable in polynomial.variables() {
            atoms.entry(variable).or_insert_with(|| self.unknown(path, variable));
        }
        Ok(Some((self.substitute(polynomial, &atoms)?, reads)))
    }

    fn unknown(&self, path: &Path, variable: PolynomialVariable) -> SymbolicFraction {
        let free = || SymbolicFraction::polynomial(Polynomial::variable(variable));
        path.solved.get(&variable).cloned().unwrap_or_else(free)
    }

    fn atom(
        &mut self,
        path: &Path,
        variable: PolynomialVariable,
        values: &BTreeMap<NormalId, CaseValue>,
    ) -> Result<CaseValue, Interrupted> {
        match self.normalizer.atom(variable) {
            NormalAtom::Unknown(_) => Ok(Some((self.unknown(path, variable), BTreeSet::from([variable])))),
            NormalAtom::Quotient(division, n, d) => self.quotient(path, *division, &values[n], &values[d]),
            NormalAtom::Select(..) | NormalAtom::Integer(..) | NormalAtom::Opaque(..) => {
                Err(Interrupted::Unsupported)
            }
        }
    }

    /// The quotient by Definitions 4 and 8, by cases.
    fn quotient(
        &mut self,
        path: &Path,
        division: Division,
        n: &CaseValue,
        d: &CaseValue,
    ) -> Result<CaseValue, Interrupted> {
        let Some((n, n_reads)) = n else { return Ok(None) };
        if division.is_controlled() && self.decided(path, &n.numerator)? {
            return Ok(Some((SymbolicFraction::polynomial(Polynomial::default()), n_reads.clone())));
        }
        let Some((d, d_reads)) = d else { return Ok(None) };
        if self.decided(path, &d.numerator)? {
            return Ok(None);
        }
        let quotient = n.times(&d.inverse(self.max_terms)?, self.max_terms)?;
        Ok(Some((quotient, n_reads | d_reads)))
    }

    fn decided(&mut self, path: &Path, polynomial: &Polynomial) -> Result<bool, Interrupted> {
        self.is_zero(path, polynomial).map_err(Interrupted::Undecided)
    }

    /// Whether a polynomial over free unknowns vanishes on the path; if that is undecided, the error is a divisor
    /// that decides it.
    fn is_zero(&mut self, path: &Path, polynomial: &Polynomial) -> Result<bool, Polynomial> {
        if polynomial.is_zero() {
            return Ok(true);
        }
        let known = path.nonzero.len() + path.unsolved.len() + path.zero.len();
        self.left = self.left.saturating_sub(known * polynomial.terms().len());
        let mut rest = self.primitive(polynomial);
        for factor in path.nonzero.iter().filter(|p| p.as_constant().is_none()) {
            while let Some(quotient) = rest.divided_by(factor, MAX_QUOTIENT_TERMS) {
                rest = quotient;
            }
        }
        if rest.as_constant().is_some() {
            return Ok(false);
        }
        let divides = |p: &Polynomial, q: &Polynomial| q.divided_by(p, MAX_QUOTIENT_TERMS).is_some();
        match path.unsolved.iter().chain(&path.zero).any(|known| divides(known, &rest)) {
            true => Ok(true),
            false if path.nonzero.iter().any(|known| divides(&rest, known)) => Ok(false),
            false => Err(rest),
        }
    }

    /// The primitive part, which vanishes where the polynomial does if the content is nonzero.
    fn primitive(&mut self, polynomial: &Polynomial) -> Polynomial {
        let largest = polynomial.terms().map(|(_, coefficient)| magnitude(coefficient)).max();
        self.largest_constant = largest.into_iter().fold(self.largest_constant.clone(), IBig::max);
        polynomial.primitive()
    }

    /// Solves the pending polynomials; `None` if the path is contradictory or was split.
    fn solve_pending(
        &mut self,
        mut path: Path,
        open: &mut Vec<Path>,
    ) -> Result<Option<Path>, ExpansionLimit> {
        while let Some(polynomial) = path.pending.pop() {
            let polynomial = self.reduce(&path, &polynomial)?;
            let polynomial = match self.is_zero(&path, &polynomial) {
                Ok(true) => continue,
                Ok(false) => return Ok(None),
                Err(undecided) => undecided,
            };
            path.zero.push(polynomial.clone());
            if let Some(&factor) = polynomial.common_variables().first() {
                let mut rest = path.clone();
                rest.pending.push(polynomial.without_factor(factor));
                rest.nonzero.push(Polynomial::variable(factor));
                open.push(rest);
                path = self.eliminate(path, factor, SymbolicFraction::polynomial(Polynomial::default()))?;
            } else if let Some((variable, c1, c0)) = linear(&polynomial) {
                match self.is_zero(&path, &c1) {
                    Ok(false) => {}
                    Ok(true) => {
                        path.pending.push(c0);
                        continue;
                    }
                    Err(undecided) => {
                        let mut degenerate = path.clone();
                        degenerate.pending.extend([undecided.clone(), c0.clone()]);
                        open.push(degenerate);
                        path.nonzero.push(undecided);
                    }
                }
                let minus = SymbolicFraction::polynomial(c0)
                    .times(&SymbolicFraction::polynomial(Polynomial::constant(-1)), usize::MAX)?;
                let solution = minus
                    .times(&SymbolicFraction::polynomial(c1).inverse(self.max_terms)?, self.max_terms)?;
                path = self.eliminate(path, variable, solution)?;
            } else {
                path.unsolved.push(polynomial);
            }
        }
        Ok(self.consistent(&path).then_some(path))
    }

    /// Records `variable = solution`, and substitutes it in the earlier solutions.
    fn eliminate(
        &mut self,
        mut path: Path,
        variable: PolynomialVariable,
        solution: SymbolicFraction,
    ) -> Result<Path, ExpansionLimit> {
        let only = BTreeMap::from([(variable, solution.clone())]);
        for earlier in path.solved.values_mut() {
            let numerator = self.substitute(&earlier.numerator, &only)?;
            let denominator = earlier.denominator.iter().try_fold(numerator, |quotient, (factor, &power)| {
                let inverse = self.substitute(factor, &only)?.inverse(self.max_terms)?;
                (0..power).try_fold(quotient, |quotient, _| quotient.times(&inverse, self.max_terms))
            });
            *earlier = denominator?;
        }
        path.solved.insert(variable, solution);
        for list in [&mut path.nonzero, &mut path.unsolved, &mut path.zero, &mut path.pending] {
            for polynomial in list.iter_mut() {
                let substituted = self.substitute(polynomial, &only)?.numerator;
                *polynomial = self.primitive(&substituted);
            }
        }
        Ok(path)
    }

    /// Checks that no nonzero polynomial vanishes, and that no vanishing one is a product of nonzero ones.
    fn consistent(&mut self, path: &Path) -> bool {
        let only_zero = Path { nonzero: Vec::new(), ..path.clone() };
        let only_nonzero = Path { nonzero: path.nonzero.clone(), ..Path::default() };
        path.nonzero.iter().all(|p| self.is_zero(&only_zero, p) != Ok(true))
            && path.unsolved.iter().chain(&path.zero).all(|p| self.is_zero(&only_nonzero, p) != Ok(false))
    }

    /// The numerator of a polynomial after substitution of the solved unknowns.
    fn reduce(&mut self, path: &Path, polynomial: &Polynomial) -> Result<Polynomial, ExpansionLimit> {
        Ok(self.substitute(polynomial, &path.solved)?.numerator)
    }

    /// Takes work from the budget.
    ///
    /// # Errors
    /// The budget is exhausted.
    fn spend(&mut self, work: usize) -> Result<(), ExpansionLimit> {
        self.left = self.left.checked_sub(work).ok_or(ExpansionLimit::Work { budget: MAX_WORK })?;
        Ok(())
    }

    fn substitute(
        &mut self,
        polynomial: &Polynomial,
        by: &BTreeMap<PolynomialVariable, SymbolicFraction>,
    ) -> Result<SymbolicFraction, ExpansionLimit> {
        let mut sum = SymbolicFraction::polynomial(Polynomial::default());
        for (monomial, coefficient) in polynomial.terms() {
            self.spend(1 + sum.numerator.terms().len())?;
            let mut product = SymbolicFraction::polynomial(Polynomial::constant(coefficient.clone()));
            for &(variable, power) in monomial {
                let free = || SymbolicFraction::polynomial(Polynomial::variable(variable));
                let value = by.get(&variable).cloned().unwrap_or_else(free);
                for _ in 0..power {
                    product = product.times(&value, self.max_terms)?;
                }
            }
            sum = sum.plus(&product, self.max_terms)?;
        }
        Ok(sum)
    }
}

/// A variable in which the polynomial is linear, with its coefficient (a constant if possible) and the rest.
fn linear(polynomial: &Polynomial) -> Option<(PolynomialVariable, Polynomial, Polynomial)> {
    let linear = polynomial.variables().into_iter().filter(|&v| polynomial.degree_in(v) == 1);
    let mut candidates: Vec<_> = linear
        .map(|variable| {
            let mut coefficients = polynomial.coefficients_of(variable);
            let c1 = coefficients.remove(&1).unwrap_or_default();
            (variable, c1, coefficients.remove(&0).unwrap_or_default())
        })
        .collect();
    candidates.sort_by_key(|(variable, c1, _)| (c1.as_constant().is_none(), c1.terms().len(), *variable));
    candidates.into_iter().next()
}

fn magnitude(constant: &IBig) -> IBig {
    if constant < &IBig::ZERO { -constant.clone() } else { constant.clone() }
}

impl Path {
    /// Numbers for all unknowns that satisfy the decisions, given numbers for the free ones; `None` if they
    /// violate a decision.
    pub fn assignment(
        &self,
        unknowns: impl IntoIterator<Item = PolynomialVariable>,
        mut free: impl FnMut(PolynomialVariable) -> RBig,
    ) -> Option<BTreeMap<PolynomialVariable, RBig>> {
        let mut values: BTreeMap<PolynomialVariable, RBig> = BTreeMap::new();
        let unknowns: Vec<PolynomialVariable> = unknowns.into_iter().collect();
        for &variable in unknowns.iter().filter(|v| !self.solved.contains_key(v)) {
            values.insert(variable, free(variable));
        }
        let mut solved = BTreeMap::new();
        for (&variable, fraction) in &self.solved {
            let denominator =
                fraction.denominator.iter().try_fold(RBig::ONE, |product, (factor, &power)| {
                    let factor = number(factor, &values);
                    (!factor.is_zero()).then(|| product * factor.pow(power as isize))
                })?;
            solved.insert(variable, number(&fraction.numerator, &values) / denominator);
        }
        values.extend(solved);
        self.nonzero.iter().all(|p| !number(p, &values).is_zero()).then_some(values)
    }
}

fn number(polynomial: &Polynomial, values: &BTreeMap<PolynomialVariable, RBig>) -> RBig {
    let power = |&(variable, power): &(PolynomialVariable, u32)| match values.get(&variable) {
        Some(value) => value.pow(power as isize),
        None => RBig::ZERO,
    };
    let term = |(monomial, coefficient): (&Vec<(PolynomialVariable, u32)>, &IBig)| {
        monomial.iter().map(power).fold(RBig::from(coefficient.clone()), |product, factor| product * factor)
    };
    polynomial.terms().map(term).fold(RBig::ZERO, |sum, term| sum + term)
}
