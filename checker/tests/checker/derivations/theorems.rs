//! Theorems that show an equation of many types at once, with their hypotheses.
//!
//! - *ring*: the integers, the rationals, the field, and integers modulo 2ⁿ are commutative rings, in which every polynomial identity
//!   of ℤ holds. The operations must be those of the ring: signed integers must wrap. Not used at 8 bits, where the same
//!   equations are exhausted.
//! - *field*: in the rationals and the field, `a/b` is `a · b⁻¹`: quotients are the same if their numerators and their denominators
//!   are the same polynomials.
//! - *bitwise*: each bit of both sides depends on the same bit of the variables, of integers of any length, so the equation is
//!   exhausted on bits. At 8 bits the same equations are exhausted on all numbers.
//! - *rounded*: a sum or a product of floats is the exact one, rounded, or depends on an infinity or nan in a way that is symmetric;
//!   so it commutes, flushed or not. Decided for floats of 8 bits by z3, and tried on the reference.

use super::Question;
use std::collections::BTreeMap;
use values::machine::SignedOverflow;
use values::{ElementClass, LawTerm};
use z3::ast::{Float, RoundingMode};
use z3::{SatResult, Solver};

/// A polynomial with integer coefficients: the coefficient of each product of variables, by their exponents.
type Polynomial = BTreeMap<[u8; 3], i64>;

fn constant(number: i64) -> Polynomial {
    [([0; 3], number)].into_iter().collect()
}

fn plus(a: &Polynomial, b: &Polynomial, factor: i64) -> Polynomial {
    let mut sum = a.clone();
    for (powers, coefficient) in b {
        *sum.entry(*powers).or_default() += factor * coefficient;
    }
    sum.retain(|_, coefficient| *coefficient != 0);
    sum
}

fn times(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for (p, m) in a {
        for (q, n) in b {
            *product.entry([0, 1, 2].map(|at| p[at] + q[at])).or_default() += m * n;
        }
    }
    product.retain(|_, coefficient| *coefficient != 0);
    product
}

/// The numerator and the denominator of a term; `None` if it has other operators than those of a field.
fn fraction(term: &LawTerm) -> Option<[Polynomial; 2]> {
    let both = |a: &LawTerm, b: &LawTerm| Some((fraction(a)?, fraction(b)?));
    let sum = |a: &LawTerm, b: &LawTerm, factor: i64| {
        let ([m, p], [n, q]) = both(a, b)?;
        Some([plus(&times(&m, &q), &times(&n, &p), factor), times(&p, &q)])
    };
    match term {
        LawTerm::Var(at) => {
            let mut powers = [0; 3];
            powers[*at] = 1;
            Some([[(powers, 1)].into_iter().collect(), constant(1)])
        }
        LawTerm::Constant(0) => Some([Polynomial::new(), constant(1)]),
        LawTerm::Constant(number) => Some([constant(*number), constant(1)]),
        LawTerm::Add(a, b) => sum(a, b, 1),
        LawTerm::Sub(a, b) => sum(a, b, -1),
        LawTerm::Negative(a) => {
            let [m, p] = fraction(a)?;
            Some([times(&m, &constant(-1)), p])
        }
        LawTerm::Mul(a, b) => {
            let ([m, p], [n, q]) = both(a, b)?;
            Some([times(&m, &n), times(&p, &q)])
        }
        LawTerm::Div(a, b) => {
            let ([m, p], [n, q]) = both(a, b)?;
            // A divisor that is a quotient has more than one way to be undefined.
            (q == constant(1)).then(|| [m, times(&p, &n)])
        }
        _ => None,
    }
}

pub(super) fn ring(question: &Question) -> bool {
    let wraps = question.machine.integers.signed_overflow == SignedOverflow::Wrap;
    let is_ring = match question.of.class() {
        ElementClass::Integers | ElementClass::Reals | ElementClass::Field => true,
        ElementClass::Wrapping { bits, signed } => bits > 8 && (wraps || !signed),
        ElementClass::Floats { .. } | ElementClass::Truths => false,
    };
    let divides = question.equation.has(&|term| matches!(term, LawTerm::Div(..)));
    is_ring && !divides && same_fractions(question)
}

pub(super) fn field(question: &Question) -> bool {
    matches!(question.of.class(), ElementClass::Reals | ElementClass::Field) && same_fractions(question)
}

fn same_fractions(question: &Question) -> bool {
    let [left, right] = [&question.equation.left, &question.equation.right].map(fraction);
    left.is_some() && left == right
}

pub(super) fn rounded(question: &Question) -> bool {
    use LawTerm::{Add, Mul, Var};
    question.of.is_float()
        && matches!(
            (question.equation.left, question.equation.right),
            (Add(Var(0), Var(1)), Add(Var(1), Var(0))) | (Mul(Var(0), Var(1)), Mul(Var(1), Var(0)))
        )
}

pub(super) fn bitwise(question: &Question) -> bool {
    let sides = [&question.equation.left, &question.equation.right];
    let all_bits = (0..8).map(|bits| [0, 1, 2].map(|at| bits >> at & 1 == 1));
    question.of.class() == ElementClass::Integers
        && all_bits.into_iter().all(|bits| {
            let [left, right] = sides.map(|side| bit(side, bits));
            left.is_some() && left == right
        })
}

/// A bit of the value, from the same bit of each variable; `None` if it depends on others. `-1 - x` is `not x`.
fn bit(term: &LawTerm, of: [bool; 3]) -> Option<bool> {
    Some(match term {
        LawTerm::Var(at) => of[*at],
        LawTerm::Constant(0) => false,
        LawTerm::Constant(-1) => true,
        LawTerm::And(a, b) => bit(a, of)? & bit(b, of)?,
        LawTerm::Or(a, b) => bit(a, of)? | bit(b, of)?,
        LawTerm::Xor(a, b) => bit(a, of)? ^ bit(b, of)?,
        LawTerm::Sub(LawTerm::Constant(-1), a) => !bit(a, of)?,
        _ => return None,
    })
}

#[test]
fn rounded_operations_commute() {
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let [x, y] = ["x", "y"].map(|name| Float::new_const(name, 4, 4));
    let operations = [Float::add_with_rounding_mode::<&Float>, Float::mul_with_rounding_mode::<&Float>];
    for operation in operations {
        let solver = Solver::new();
        solver.assert(operation(&x, &y, &nearest).eq(operation(&y, &x, &nearest)).not());
        assert_eq!(solver.check(), SatResult::Unsat);
    }
}

/// Every 257th number of 16 bits with every other one, on the reference.
#[test]
fn rounded_operations_of_16_bits_commute() {
    let mut tried = 0;
    for question in
        Question::all().iter().filter(|question| rounded(question) && question.of.bits() == Some(16))
    {
        let domain = question.domain();
        let numbers: Vec<_> = (0..=255).map(|k| values::Scalar::of_bits(question.of, 257 * k)).collect();
        for x in &numbers {
            for y in &numbers {
                assert!(question.agrees(&domain, &[x.clone(), y.clone()]), "{x:?} {y:?}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 8 * 65_536);
}
