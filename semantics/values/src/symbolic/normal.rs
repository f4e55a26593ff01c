//! The ring tier: a term as a polynomial over atoms, with its support.
//!
//! Under strict operators a value without division is `•` exactly when an element that it reads is: its
//! *support*. A normal form is therefore a polynomial with integer coefficients *and* the set of atoms that were
//! read, those that cancelled included: `x − x` and `0 · x` are equal, and both differ from `0`. An atom is an
//! unknown of the store, or a quotient (or selection, or integer operation) of normal forms, about which nothing
//! is assumed but that equal operands give equal results. Equal normal forms mean equal values in every
//! commutative ring with 1, whatever its division does.
//!
//! **Complete** where there is no quotient or selection: over ℤ, and so over ℚ, distinct polynomials differ at
//! some point, and distinct supports differ where one element alone is `•`.

use super::polynomial::{ExpansionLimit, Polynomial, PolynomialVariable, limited};
use super::terms::{Formula, Opaque, Operation, TermId, TermNode, Terms, Unknown};
use crate::{ComparisonOperator, Division, IntegerOperation};
use base::identifiers::identifier;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An interned normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NormalId(pub(super) u32);

/// The meaning of a variable in the polynomial of a normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NormalAtom {
    /// An element of the initial store.
    Unknown(Unknown),
    /// A quotient of normal forms.
    Quotient(Division, NormalId, NormalId),
    /// An operation on integers.
    Integer(IntegerOperation, NormalId, NormalId),
    /// An operation with one operand about which nothing is known.
    Opaque(Opaque, NormalId),
    /// A selection: comparison (`None`: sameness), its operands, and the two results.
    Select(Option<ComparisonOperator>, [NormalId; 4]),
}

/// A normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Normal {
    /// `•` for all inputs.
    Undefined,
    /// A polynomial over atoms, defined where every atom of the support is.
    Value {
        /// The value.
        polynomial: Polynomial,
        /// The atoms that may be undefined and were read, ascending.
        support: Vec<PolynomialVariable>,
    },
}

/// Normal forms of the terms of one domain.
pub struct Normalizer<'a> {
    terms: &'a Terms,
    /// Whether each unknown, by number, is known not to be `•`: the elements of `input` variables.
    initialized: &'a [bool],
    /// The maximum number of terms of a polynomial.
    budget: usize,
    atoms: Vec<NormalAtom>,
    atom_ids: FxHashMap<NormalAtom, PolynomialVariable>,
    normals: Vec<Rc<Normal>>,
    normal_ids: FxHashMap<Rc<Normal>, NormalId>,
    of_term: FxHashMap<TermId, NormalId>,
}

impl<'a> Normalizer<'a> {
    /// A normalizer without normal forms.
    pub fn new(terms: &'a Terms, initialized: &'a [bool], budget: usize) -> Normalizer<'a> {
        Normalizer {
            terms,
            initialized,
            budget,
            atoms: Vec::new(),
            atom_ids: FxHashMap::default(),
            normals: Vec::new(),
            normal_ids: FxHashMap::default(),
            of_term: FxHashMap::default(),
        }
    }

    /// The atom that a variable stands for.
    pub fn atom(&self, variable: PolynomialVariable) -> &NormalAtom {
        &self.atoms[variable as usize]
    }

    /// Every atom so far, with the variable that stands for it.
    pub fn atoms(&self) -> impl Iterator<Item = (PolynomialVariable, &NormalAtom)> {
        self.atoms
            .iter()
            .enumerate()
            .map(|(at, atom)| (PolynomialVariable::try_from(at).unwrap_or(PolynomialVariable::MAX), atom))
    }

    /// The normal form with this identifier.
    pub fn normal(&self, id: NormalId) -> &Rc<Normal> {
        &self.normals[id.0 as usize]
    }

    /// The normal form of a term.
    ///
    /// # Errors
    /// A polynomial would have too many terms.
    pub fn normal_form(&mut self, root: TermId) -> Result<NormalId, ExpansionLimit> {
        let mut pending = vec![root];
        while let Some(&id) = pending.last() {
            let missing: Vec<TermId> = self
                .parts(id)
                .into_keys()
                .filter(|part| *part != id && !self.of_term.contains_key(part))
                .collect();
            if missing.is_empty() || self.of_term.contains_key(&id) {
                pending.pop();
                if !self.of_term.contains_key(&id) {
                    let normal = self.normalize(id)?;
                    self.of_term.insert(id, normal);
                }
            } else {
                pending.extend(missing);
            }
        }
        Ok(self.of_term[&root])
    }

    /// The terms whose normal forms make up that of `id`, with their multiplicities where `id` is a sum: a whole
    /// region of additions and subtractions is one sum, so that a long chain is not copied for each prefix.
    fn parts(&self, id: TermId) -> BTreeMap<TermId, IBig> {
        match self.terms.node(id) {
            TermNode::Binary(Operation::Add | Operation::Sub, ..) => self.summands(id),
            node => super::terms::operands(node).map(|operand| (operand, IBig::ONE)).collect(),
        }
    }

    fn summands(&self, root: TermId) -> BTreeMap<TermId, IBig> {
        let mut open = BTreeMap::from([(root, IBig::ONE)]);
        let mut summands = BTreeMap::new();
        // Operands have smaller identifiers, so the multiplicity of the largest is complete when it is taken.
        while let Some((id, times)) = open.pop_last() {
            match self.terms.node(id) {
                TermNode::Binary(operation @ (Operation::Add | Operation::Sub), a, b)
                    if id == root || !self.of_term.contains_key(&id) =>
                {
                    *open.entry(a).or_insert(IBig::ZERO) += &times;
                    let times = if operation == Operation::Sub { -times } else { times };
                    *open.entry(b).or_insert(IBig::ZERO) += times;
                }
                _ => {
                    summands.insert(id, times);
                }
            }
        }
        summands
    }

    /// The normal form of a term whose parts have been normalized.
    fn normalize(&mut self, id: TermId) -> Result<NormalId, ExpansionLimit> {
        match self.terms.node(id) {
            TermNode::Undefined => Ok(self.intern(Normal::Undefined)),
            TermNode::Constant(constant) => Ok(self.value(Polynomial::constant(constant), Vec::new())),
            TermNode::Unknown(unknown) => Ok(self.unknown(unknown)),
            TermNode::Binary(Operation::Add | Operation::Sub, ..) => self.sum(id),
            TermNode::Binary(Operation::Mul, a, b) => self.product(self.of_term[&a], self.of_term[&b]),
            TermNode::Binary(Operation::Div(division), a, b) => {
                Ok(self.quotient(division, self.of_term[&a], self.of_term[&b]))
            }
            TermNode::Binary(Operation::Integer(operation), a, b) => {
                let (a, b) = (self.of_term[&a], self.of_term[&b]);
                Ok(self.strict([a, b], NormalAtom::Integer(operation, a, b)))
            }
            TermNode::Binary(Operation::Opaque(operation), a, _) => {
                let a = self.of_term[&a];
                Ok(self.strict([a, a], NormalAtom::Opaque(operation, a)))
            }
            TermNode::Select(formula, a, b) => Ok(self.selection(formula, a, b)),
        }
    }

    fn unknown(&mut self, unknown: Unknown) -> NormalId {
        let variable = self.atom_id(NormalAtom::Unknown(unknown));
        let support = if self.initialized[unknown.0 as usize] { Vec::new() } else { vec![variable] };
        self.value(Polynomial::variable(variable), support)
    }

    fn sum(&mut self, id: TermId) -> Result<NormalId, ExpansionLimit> {
        let (mut polynomial, mut support) = (Polynomial::default(), Vec::new());
        for (part, times) in self.summands(id) {
            let times = limited(times)?;
            match &*self.normals[self.of_term[&part].0 as usize] {
                Normal::Undefined => return Ok(self.intern(Normal::Undefined)),
                Normal::Value { polynomial: summand, support: reads } => {
                    polynomial.add_scaled(summand, &times);
                    support.extend_from_slice(reads);
                }
            }
            if polynomial.terms().len() > self.budget {
                return Err(ExpansionLimit::Terms { budget: self.budget });
            }
        }
        Ok(self.value(polynomial, support))
    }

    fn product(&mut self, a: NormalId, b: NormalId) -> Result<NormalId, ExpansionLimit> {
        let (a, b) = (self.normal(a).clone(), self.normal(b).clone());
        match (&*a, &*b) {
            (Normal::Value { polynomial: p, support: s }, Normal::Value { polynomial: q, support: t }) => {
                let product = p.times(q, self.budget)?;
                Ok(self.value(product, [s.as_slice(), t].concat()))
            }
            _ => Ok(self.intern(Normal::Undefined)),
        }
    }

    /// A new atom, unless the numerator is 0 under controlled division: `0/b = 0` for every `b`, `•` included.
    fn quotient(&mut self, division: Division, a: NormalId, b: NormalId) -> NormalId {
        match (&**self.normal(a), &**self.normal(b)) {
            (Normal::Undefined, _) => self.intern(Normal::Undefined),
            (Normal::Value { polynomial, support }, _)
                if division.is_controlled() && polynomial.is_zero() =>
            {
                let support = support.clone();
                self.value(Polynomial::default(), support)
            }
            (_, Normal::Undefined) if !division.is_controlled() => self.intern(Normal::Undefined),
            _ => self.atomic(NormalAtom::Quotient(division, a, b)),
        }
    }

    /// A new atom, unless an operand is undefined.
    fn strict(&mut self, operands: [NormalId; 2], atom: NormalAtom) -> NormalId {
        match operands.iter().any(|&operand| **self.normal(operand) == Normal::Undefined) {
            true => self.intern(Normal::Undefined),
            false => self.atomic(atom),
        }
    }

    fn selection(&mut self, formula: Formula, a: TermId, b: TermId) -> NormalId {
        let of = |id: TermId| self.of_term[&id];
        let atom = match formula {
            // Decided selections never become terms.
            Formula::Known(_) => return self.intern(Normal::Undefined),
            Formula::Compare(comparison, l, r) => {
                NormalAtom::Select(Some(comparison), [of(l), of(r), of(a), of(b)])
            }
            Formula::Same(l, r) => NormalAtom::Select(None, [of(l), of(r), of(a), of(b)]),
        };
        self.atomic(atom)
    }

    fn atomic(&mut self, atom: NormalAtom) -> NormalId {
        let variable = self.atom_id(atom);
        self.value(Polynomial::variable(variable), vec![variable])
    }

    fn atom_id(&mut self, atom: NormalAtom) -> PolynomialVariable {
        let next = PolynomialVariable::try_from(self.atoms.len()).unwrap_or(PolynomialVariable::MAX);
        let id = *self.atom_ids.entry(atom.clone()).or_insert(next);
        if id == next {
            self.atoms.push(atom);
        }
        id
    }

    fn value(&mut self, polynomial: Polynomial, mut support: Vec<PolynomialVariable>) -> NormalId {
        support.sort_unstable();
        support.dedup();
        self.intern(Normal::Value { polynomial, support })
    }

    fn intern(&mut self, normal: Normal) -> NormalId {
        let normal = Rc::new(normal);
        let next = NormalId(identifier(self.normals.len()));
        let id = *self.normal_ids.entry(normal.clone()).or_insert(next);
        if id == next {
            self.normals.push(normal);
        }
        id
    }
}
