//! The theory of the field of a prime modulus: residues as integers of z3. Sums and multiples are exact; of a product of two
//! unknowns z3 knows that it is a function that commutes, and of an inverse that it is a function. So what it finds equal is
//! equal, and what it tells apart may be equal. (With products as integers, reduced, it takes 20 times as long and finds no more of
//! the shipped rules.)

use crate::theories::Theory;
use rustc_hash::FxHasher;
use std::hash::{Hash as _, Hasher as _};
use values::{ComparisonOperator, FIELD_MODULUS, Literal, NumberSystem as _, PrimeField};
use z3::ast::{Ast, Bool, Int};
use z3::{DeclKind, FuncDecl, Model, Sort};

/// The integers modulo [`FIELD_MODULUS`], from 0.
#[derive(Clone, Copy, Debug)]
pub struct Residues;

impl Residues {
    fn modulus() -> Int {
        Int::from_u64(FIELD_MODULUS)
    }

    fn has(integer: &Int) -> Bool {
        Bool::and(&[integer.ge(0), integer.lt(Residues::modulus())])
    }

    /// The integer if it is a residue, else 0.
    pub(crate) fn within(self, integer: &Int) -> Int {
        Residues::has(integer).ite(integer, &Int::from_i64(0))
    }

    /// A residue that is a function of others, of which no more is known.
    fn applied(self, name: &str, arguments: &[&Int]) -> Int {
        let sorts: Vec<Sort> = arguments.iter().map(|_| Sort::int()).collect();
        let name = format!("{name} modulo {FIELD_MODULUS}");
        let function = FuncDecl::new(name, &sorts.iter().collect::<Vec<&Sort>>(), &Sort::int());
        let arguments: Vec<&dyn Ast> = arguments.iter().map(|&argument| argument as &dyn Ast).collect();
        let value = function.apply(&arguments).as_int();
        value.map_or_else(|| self.any("any"), |value| self.within(&value))
    }

    fn inverse(self, b: &Int) -> Int {
        match b.as_u64() {
            Some(known) => Int::from_u64(PrimeField.quotient(&1, &known)),
            None => self.applied("inverse", &[b]),
        }
    }
}

impl Theory for Residues {
    type Number = Int;
    fn any(&self, name: &str) -> Int {
        self.within(&Int::fresh_const(name))
    }
    fn literal(&self, literal: &Literal) -> Option<Int> {
        PrimeField.read(literal).ok().map(Int::from_u64)
    }
    fn index(&self, index: i64) -> Int {
        Int::from_u64(PrimeField.index(index))
    }
    fn of_integer(&self, integer: &Int) -> Option<Int> {
        Some(integer.modulo(Residues::modulus()))
    }
    fn add(&self, a: &Int, b: &Int) -> Int {
        if let [Some(a), Some(b)] = [a, b].map(Int::as_u64) {
            return Int::from_u64(PrimeField.add(&a, &b));
        }
        let sum = a + b;
        sum.ge(Residues::modulus()).ite(&(&sum - Residues::modulus()), &sum)
    }
    fn sub(&self, a: &Int, b: &Int) -> Int {
        if let [Some(a), Some(b)] = [a, b].map(Int::as_u64) {
            return Int::from_u64(PrimeField.sub(&a, &b));
        }
        let difference = a - b;
        difference.lt(0).ite(&(&difference + Residues::modulus()), &difference)
    }
    fn mul(&self, a: &Int, b: &Int) -> Int {
        const MINUS_ONE: u64 = FIELD_MODULUS - 1;
        match [a, b].map(Int::as_u64) {
            [Some(a), Some(b)] => Int::from_u64(PrimeField.mul(&a, &b)),
            [Some(1), _] => b.clone(),
            [_, Some(1)] => a.clone(),
            [Some(MINUS_ONE), _] => self.sub(&self.index(0), b),
            [_, Some(MINUS_ONE)] => self.sub(&self.index(0), a),
            [Some(_), _] | [_, Some(_)] => (a * b).modulo(Residues::modulus()),
            [None, None] => match (constants(a), constants(b)) {
                (Some((truth, [yes, no])), _) => truth.ite(&self.mul(&yes, b), &self.mul(&no, b)),
                (_, Some((truth, [yes, no]))) => truth.ite(&self.mul(a, &yes), &self.mul(a, &no)),
                (None, None) if hash(a) <= hash(b) => self.applied("product", &[a, b]),
                (None, None) => self.applied("product", &[b, a]),
            },
        }
    }
    fn quotient(&self, a: &Int, b: &Int) -> Int {
        if a == b { self.index(1) } else { self.mul(a, &self.inverse(b)) }
    }
    fn is_zero(&self, a: &Int) -> Bool {
        a.eq(0)
    }
    fn same(&self, a: &Int, b: &Int) -> Bool {
        a.eq(b)
    }
    /// False of numbers that are not equal: they have no order.
    fn compare(&self, comparison: ComparisonOperator, a: &Int, b: &Int) -> Bool {
        match comparison {
            ComparisonOperator::Equal | ComparisonOperator::LessOrEqual => a.eq(b),
            ComparisonOperator::Less => Bool::from_bool(false),
        }
    }
    fn select(&self, truth: &Bool, a: &Int, b: &Int) -> Int {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::int()
    }
    fn written(&self, model: &Model, a: &Int) -> Option<Literal> {
        Some(PrimeField.write(&model.eval(a, true)?.simplify().as_u64()?))
    }
}

/// The truth and the constants of a number that is one of two constants.
fn constants(a: &Int) -> Option<(Bool, [Int; 2])> {
    let chooses = a.num_children() == 3 && a.decl().kind() == DeclKind::Ite;
    let children = chooses.then(|| a.children())?;
    let [truth, yes, no] = &children[..] else { return None };
    let (yes, no) = (yes.as_int()?, no.as_int()?);
    let are_known = yes.as_u64().is_some() && no.as_u64().is_some();
    are_known.then(|| Some((truth.as_bool()?, [yes, no])))?
}

fn hash(a: &Int) -> u64 {
    let mut hasher = FxHasher::default();
    a.hash(&mut hasher);
    hasher.finish()
}
