//! Index terms: polynomials over sizes and indices, with floors, minima and maxima.
//!
//! Ours: ALPHA's index expressions are affine (§5). A symbolic stride times an index is not; these terms become
//! affine once all symbols other than indices have values.

use base::seeded::{Seeded, seeded};
use dashu_int::IBig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

/// A size or an index of a [`super::Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variable(pub u32);

impl Variable {
    /// The position in the table of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A factor of a monomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A size or an index.
    Variable(Variable),
    /// `⌊p / q⌋`; it has a value only where `q ≥ 1`.
    Floor(Arc<[Index; 2]>),
    /// The smaller of two terms.
    Min(Arc<[Index; 2]>),
    /// The larger of two terms.
    Max(Arc<[Index; 2]>),
}

/// A product of atoms, sorted; the empty one is 1.
pub type Monomial = Vec<Atom>;

/// A polynomial with integer coefficients. Equal polynomials in the atoms are equal data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index {
    /// By degree, then by atoms, the greatest first; no coefficient is 0.
    terms: Vec<(Monomial, IBig)>,
}

/// Why an index term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIndex {
    /// It exceeds 64 bits.
    Overflow,
    /// A divisor is not positive.
    Divisor,
    /// A variable has no value.
    Unbound,
}

impl From<i64> for Index {
    fn from(constant: i64) -> Index {
        Index::constant(constant.into())
    }
}

impl From<Variable> for Index {
    fn from(variable: Variable) -> Index {
        Index::of_atom(Atom::Variable(variable))
    }
}

impl Index {
    /// A constant.
    pub fn constant(constant: IBig) -> Index {
        Index::collect([(Vec::new(), constant)])
    }

    /// An atom as a term.
    pub fn of_atom(atom: Atom) -> Index {
        Index { terms: vec![(vec![atom], IBig::ONE)] }
    }

    fn collect(terms: impl IntoIterator<Item = (Monomial, IBig)>) -> Index {
        let mut sums: BTreeMap<(usize, Monomial), IBig> = BTreeMap::new();
        for (monomial, coefficient) in terms {
            *sums.entry((monomial.len(), monomial)).or_insert(IBig::ZERO) += coefficient;
        }
        let terms = sums.into_iter().rev().filter(|(_, coefficient)| *coefficient != IBig::ZERO);
        Index { terms: terms.map(|((_, monomial), coefficient)| (monomial, coefficient)).collect() }
    }

    /// The monomials with their coefficients, the greatest first.
    pub fn terms(&self) -> &[(Monomial, IBig)] {
        &self.terms
    }

    /// The value of a constant term, else `None`.
    pub fn as_constant(&self) -> Option<IBig> {
        match &self.terms[..] {
            [] => Some(IBig::ZERO),
            [(monomial, constant)] if monomial.is_empty() => Some(constant.clone()),
            _ => None,
        }
    }

    /// The variable, if the term is one.
    pub fn as_variable(&self) -> Option<Variable> {
        match &self.terms[..] {
            [(monomial, one)] if *one == IBig::ONE => match monomial[..] {
                [Atom::Variable(variable)] => Some(variable),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the term is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// `factor · self`
    pub fn scaled(&self, factor: &IBig) -> Index {
        let scaled = |(monomial, coefficient): &(Monomial, IBig)| (monomial.clone(), coefficient * factor);
        Index::collect(self.terms.iter().map(scaled))
    }

    /// `⌊self / divisor⌋`. The part that the divisor divides without remainder is taken out, so that equal numbers
    /// are equal data more often.
    pub fn floor_div(&self, divisor: &Index) -> Index {
        if let Some(constant) = divisor.as_constant().filter(|constant| *constant > IBig::ZERO) {
            return self.floor_div_constant(&constant);
        }
        let (quotient, rest) = self.divided(divisor);
        if rest.is_zero() && !divisor.is_zero() {
            return quotient;
        }
        quotient + Index::of_atom(Atom::Floor(Arc::new([rest, divisor.clone()])))
    }

    fn floor_div_constant(&self, divisor: &IBig) -> Index {
        let floor =
            |n: &IBig| (seeded(Seeded::FloorTruncation, n - modulo(n, divisor), || n.clone())) / divisor;
        let quotient = self.terms.iter().map(|(monomial, c)| (monomial.clone(), floor(c)));
        let rest = self.terms.iter().map(|(monomial, c)| (monomial.clone(), modulo(c, divisor)));
        let (quotient, rest) = (Index::collect(quotient), Index::collect(rest));
        match rest.as_constant() {
            Some(_) => quotient,
            None => {
                quotient + Index::of_atom(Atom::Floor(Arc::new([rest, Index::constant(divisor.clone())])))
            }
        }
    }

    /// Division by a polynomial whose leading coefficient is 1: quotient and remainder. No monomial of the
    /// remainder is a multiple of the leading one.
    fn divided(&self, divisor: &Index) -> (Index, Index) {
        let Some((leading, _)) = divisor.terms.first().filter(|(_, one)| *one == IBig::ONE) else {
            return (Index::default(), self.clone());
        };
        let (mut quotient, mut rest) = (Index::default(), self.clone());
        while let Some((monomial, coefficient)) =
            rest.terms.iter().find_map(|(monomial, c)| Some((without(monomial, leading)?, c.clone())))
        {
            let part = Index { terms: vec![(monomial, coefficient)] };
            rest = rest - &part * divisor;
            quotient = quotient + part;
        }
        (quotient, rest)
    }

    /// `self − divisor · ⌊self / divisor⌋`
    pub fn modulo(&self, divisor: &Index) -> Index {
        self - &(divisor * &self.floor_div(divisor))
    }

    /// The smaller of two terms.
    pub fn minimum(&self, other: &Index) -> Index {
        self.extremum(other, Atom::Min, false)
    }

    /// The larger of two terms.
    pub fn maximum(&self, other: &Index) -> Index {
        self.extremum(other, Atom::Max, true)
    }

    fn extremum(&self, other: &Index, atom: fn(Arc<[Index; 2]>) -> Atom, larger: bool) -> Index {
        let difference = self - other;
        let larger = seeded(Seeded::ExtremumConstant, larger, || !larger);
        match difference.as_constant() {
            Some(constant) if (constant > IBig::ZERO) == larger => self.clone(),
            Some(_) => other.clone(),
            None => {
                let mut operands = [self.clone(), other.clone()];
                operands.sort();
                Index::of_atom(atom(Arc::new(operands)))
            }
        }
    }

    /// The term with others substituted for variables.
    pub fn substitute(&self, replacement: &dyn Fn(Variable) -> Option<Index>) -> Index {
        self.rewrite(&|atom| match atom {
            Atom::Variable(v) => replacement(*v),
            _ => None,
        })
    }

    /// The term with others substituted for atoms, also inside atoms that are not replaced.
    pub fn rewrite(&self, replacement: &dyn Fn(&Atom) -> Option<Index>) -> Index {
        let mut sum = Index::default();
        for (monomial, coefficient) in &self.terms {
            let product = monomial.iter().fold(Index::constant(coefficient.clone()), |product, atom| {
                &product * &rewritten(atom, replacement)
            });
            sum = sum + product;
        }
        sum
    }

    /// The value for the given values of the variables.
    ///
    /// # Errors
    /// It exceeds 64 bits, or a divisor is not positive.
    pub fn value(&self, variables: &[i64]) -> Result<i64, NoIndex> {
        let mut sum: i128 = 0;
        for (monomial, coefficient) in &self.terms {
            let mut product = i128::try_from(coefficient).map_err(|_| NoIndex::Overflow)?;
            for atom in monomial {
                let value = i128::from(atom_value(atom, variables)?);
                // A product of two numbers of 64 bits needs no check: a search over index terms takes 0.85 of the time.
                product = match i64::try_from(product) {
                    Ok(small) => i128::from(small) * value,
                    Err(_) => product.checked_mul(value).ok_or(NoIndex::Overflow)?,
                };
            }
            sum = sum.checked_add(product).ok_or(NoIndex::Overflow)?;
        }
        i64::try_from(sum).map_err(|_| NoIndex::Overflow)
    }

    /// The number of parts of the term, including those of floors and extrema.
    pub fn size(&self) -> usize {
        let part = |atom: &Atom| match atom {
            Atom::Variable(_) => 1,
            Atom::Floor(parts) | Atom::Min(parts) | Atom::Max(parts) => 1 + parts[0].size() + parts[1].size(),
        };
        self.terms().iter().map(|(monomial, _)| 1 + monomial.iter().map(part).sum::<usize>()).sum()
    }

    /// Calls `see` with every occurrence of a variable.
    pub fn visit(&self, see: &mut dyn FnMut(Variable)) {
        for atom in self.terms.iter().flat_map(|(monomial, _)| monomial) {
            match atom {
                Atom::Variable(variable) => see(*variable),
                Atom::Floor(parts) | Atom::Min(parts) | Atom::Max(parts) => {
                    parts.iter().for_each(|part| part.visit(see));
                }
            }
        }
    }

    /// `c` and `r` of `c·v + r`, if the term has this form: `v` occurs in neither, and `c` is not 0.
    pub fn linear_in(&self, v: Variable) -> Option<(Index, Index)> {
        let (coefficient, rest) = self.divided_by(v);
        let free = !coefficient.mentions(v) && !rest.mentions(v);
        (free && !coefficient.is_zero()).then_some((coefficient, rest))
    }

    /// `c` and `r` of `c·v + r`, where `v` is not a factor of a term of `r`; it may occur in `c`, and in floors
    /// and extrema.
    pub fn divided_by(&self, v: Variable) -> (Index, Index) {
        let (mut coefficient, mut rest) = (Index::default(), Index::default());
        for (monomial, number) in &self.terms {
            let mut atoms = monomial.clone();
            let stands = atoms.iter().position(|atom| *atom == Atom::Variable(v));
            if let Some(at) = stands {
                atoms.remove(at);
            }
            if stands.is_some() {
                coefficient = coefficient + Index { terms: vec![(atoms, number.clone())] };
            } else {
                // Some of the terms, in their order.
                rest.terms.push((atoms, number.clone()));
            }
        }
        (coefficient, rest)
    }

    /// Calls `see` with every atom, outer atoms before inner ones.
    pub fn visit_atoms(&self, see: &mut dyn FnMut(&Atom)) {
        for atom in self.terms.iter().flat_map(|(monomial, _)| monomial) {
            see(atom);
            if let Atom::Floor(parts) | Atom::Min(parts) | Atom::Max(parts) = atom {
                parts.iter().for_each(|part| part.visit_atoms(see));
            }
        }
    }

    /// Whether a variable occurs.
    pub fn mentions(&self, variable: Variable) -> bool {
        let mut found = false;
        self.visit(&mut |seen| found |= seen == variable);
        found
    }
}

/// `n` modulo a positive divisor: never negative.
fn modulo(n: &IBig, divisor: &IBig) -> IBig {
    let rest = n % divisor;
    if rest < IBig::ZERO { rest + divisor } else { rest }
}

/// The quotient of two monomials, if it is a monomial.
fn without(monomial: &Monomial, divisor: &Monomial) -> Option<Monomial> {
    let mut rest = monomial.clone();
    for atom in divisor {
        rest.remove(rest.iter().position(|other| other == atom)?);
    }
    Some(rest)
}

fn rewritten(atom: &Atom, replacement: &dyn Fn(&Atom) -> Option<Index>) -> Index {
    if let Some(index) = replacement(atom) {
        return index;
    }
    let both = |parts: &[Index; 2]| [0, 1].map(|at| parts[at].rewrite(replacement));
    match atom {
        Atom::Variable(variable) => Index::from(*variable),
        Atom::Floor(parts) => {
            let [p, q] = both(parts);
            p.floor_div(&q)
        }
        Atom::Min(parts) => {
            let [p, q] = both(parts);
            p.minimum(&q)
        }
        Atom::Max(parts) => {
            let [p, q] = both(parts);
            p.maximum(&q)
        }
    }
}

fn atom_value(atom: &Atom, variables: &[i64]) -> Result<i64, NoIndex> {
    let both = |parts: &[Index; 2]| Ok((parts[0].value(variables)?, parts[1].value(variables)?));
    match atom {
        Atom::Variable(variable) => variables.get(variable.index()).copied().ok_or(NoIndex::Unbound),
        Atom::Floor(parts) => match both(parts)? {
            (_, q) if q < 1 => Err(NoIndex::Divisor),
            (p, q) => Ok(p.div_euclid(q)),
        },
        Atom::Min(parts) => both(parts).map(|(p, q)| p.min(q)),
        Atom::Max(parts) => both(parts).map(|(p, q)| p.max(q)),
    }
}

impl Add for Index {
    type Output = Index;
    fn add(self, other: Index) -> Index {
        Index::collect(self.terms.into_iter().chain(other.terms))
    }
}

impl Neg for Index {
    type Output = Index;
    fn neg(self) -> Index {
        Index {
            terms: self.terms.into_iter().map(|(monomial, coefficient)| (monomial, -coefficient)).collect(),
        }
    }
}

impl Sub for Index {
    type Output = Index;
    fn sub(self, other: Index) -> Index {
        self + -other
    }
}

impl Add for &Index {
    type Output = Index;
    fn add(self, other: &Index) -> Index {
        self.clone() + other.clone()
    }
}

impl Sub for &Index {
    type Output = Index;
    fn sub(self, other: &Index) -> Index {
        self.clone() - other.clone()
    }
}

impl Mul for &Index {
    type Output = Index;
    fn mul(self, other: &Index) -> Index {
        let product = |(a, c): &(Monomial, IBig), (b, d): &(Monomial, IBig)| {
            let mut monomial = [&a[..], &b[..]].concat();
            monomial.sort();
            (monomial, c * d)
        };
        Index::collect(self.terms.iter().flat_map(|a| other.terms.iter().map(move |b| product(a, b))))
    }
}
