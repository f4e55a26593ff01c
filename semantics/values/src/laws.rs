//! The algebraic laws, and the number systems that obey each: one table, checked by property tests.
//!
//! A law is an equation between two terms over variables that range over `V`, or over `V ∪ {•}`; variables marked
//! *nonzero* range over numbers other than 0 (and, over `V ∪ {•}`, over `•`). Equality is sameness
//! ([`super::ValueDomain::same`]). The six ways to read a law are the letters of a [`Reach`].

use super::{Division, ElementType, Extremum, IntegerOperation, NumberSystem, ValueDomain};

/// What kind of arithmetic a number system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algebra {
    /// ℚ and the prime field.
    Field,
    /// ℤ with truncated division.
    Integers,
    /// Integers modulo a power of two, with truncated division.
    Wrapping,
    /// IEEE floats.
    Ieee,
}

impl Algebra {
    /// Every kind, in the order of the columns of [`LAWS`].
    pub const ALL: [Algebra; 4] = [Algebra::Field, Algebra::Integers, Algebra::Wrapping, Algebra::Ieee];
}

/// A side of a law.
#[derive(Clone, Copy, Debug)]
pub enum LawTerm {
    /// A variable, by number.
    Var(usize),
    /// The constant 0 or 1.
    Constant(i64),
    /// A sum.
    Add(&'static LawTerm, &'static LawTerm),
    /// A difference.
    Sub(&'static LawTerm, &'static LawTerm),
    /// A product.
    Mul(&'static LawTerm, &'static LawTerm),
    /// A quotient, by the division of the reading.
    Div(&'static LawTerm, &'static LawTerm),
    /// The negative.
    Negative(&'static LawTerm),
    /// The smaller one.
    Min(&'static LawTerm, &'static LawTerm),
    /// The larger one.
    Max(&'static LawTerm, &'static LawTerm),
    /// The identity of `min` or `max`.
    Identity(Extremum),
    /// A conjunction of bits.
    And(&'static LawTerm, &'static LawTerm),
    /// A disjunction of bits.
    Or(&'static LawTerm, &'static LawTerm),
    /// An exclusive disjunction of bits.
    Xor(&'static LawTerm, &'static LawTerm),
}

impl LawTerm {
    /// The value of the term for the values of its variables.
    pub fn evaluate<D: ValueDomain>(
        &self,
        domain: &D,
        division: Division,
        variables: &[D::Value],
    ) -> D::Value {
        let of = |term: &LawTerm| term.evaluate(domain, division, variables);
        match self {
            LawTerm::Var(at) => variables[*at].clone(),
            LawTerm::Constant(constant) => domain.index(*constant),
            Add(a, b) => domain.add(&of(a), &of(b)),
            Sub(a, b) => domain.sub(&of(a), &of(b)),
            Mul(a, b) => domain.mul(&of(a), &of(b)),
            Div(a, b) => domain.div(division, &of(a), &of(b)),
            LawTerm::Negative(a) => domain.negate(&of(a)),
            LawTerm::Min(a, b) => domain.extremum(Extremum::Min, &of(a), &of(b)),
            LawTerm::Max(a, b) => domain.extremum(Extremum::Max, &of(a), &of(b)),
            LawTerm::Identity(extremum) => domain.extremum_identity_as(ElementType::Real, *extremum),
            LawTerm::And(a, b) => domain.integer_operation(IntegerOperation::And, &of(a), &of(b)),
            LawTerm::Or(a, b) => domain.integer_operation(IntegerOperation::Or, &of(a), &of(b)),
            LawTerm::Xor(a, b) => domain.integer_operation(IntegerOperation::Xor, &of(a), &of(b)),
        }
    }

    /// The parts to which an operator is applied.
    pub fn operands(&self) -> Vec<&'static LawTerm> {
        match *self {
            LawTerm::Var(_) | LawTerm::Constant(_) | LawTerm::Identity(_) => Vec::new(),
            LawTerm::Negative(a) => vec![a],
            Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Div(a, b)
            | LawTerm::Min(a, b)
            | LawTerm::Max(a, b)
            | LawTerm::And(a, b)
            | LawTerm::Or(a, b)
            | LawTerm::Xor(a, b) => vec![a, b],
        }
    }

    /// Whether the term, or a part of it, is of a kind.
    pub fn has(&self, is_kind: &impl Fn(&LawTerm) -> bool) -> bool {
        is_kind(self) || self.operands().into_iter().any(|part| part.has(is_kind))
    }

    /// The number of variables: one more than the greatest that occurs.
    pub fn variables(&self) -> usize {
        match self {
            LawTerm::Var(at) => at + 1,
            _ => self.operands().into_iter().map(LawTerm::variables).max().unwrap_or(0),
        }
    }
}

/// A reading of a law: the values of its variables, and the division that `/` denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether variables may be `•`.
    pub undefined: bool,
    /// The division.
    pub division: Division,
}

impl Reach {
    /// The six readings with their letters: `x`, `X` for extended division over `V`, over `V ∪ {•}`; `c`, `C` for
    /// controlled division, `s`, `S` for that of the number system.
    pub const ALL: [(char, Reach); 6] = [
        ('x', Reach { undefined: false, division: Division::Extended }),
        ('X', Reach { undefined: true, division: Division::Extended }),
        ('c', Reach { undefined: false, division: Division::Controlled }),
        ('C', Reach { undefined: true, division: Division::Controlled }),
        ('s', Reach { undefined: false, division: Division::System }),
        ('S', Reach { undefined: true, division: Division::System }),
    ];
}

/// An algebraic law.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name by which verdicts cite it.
    pub id: &'static str,
    /// The equation as text.
    pub statement: &'static str,
    /// The left-hand side.
    pub left: LawTerm,
    /// The right-hand side.
    pub right: LawTerm,
    /// The variables that are not 0.
    pub nonzero: &'static [usize],
    /// For each [`Algebra`], the letters of the readings in which the law is declared to hold.
    pub holds: [&'static str; 4],
}

impl Law {
    /// The law with this name.
    pub fn named(id: &str) -> Option<&'static Law> {
        LAWS.iter().find(|law| law.id == id)
    }

    /// Whether the law is declared for a number system, in a reading.
    pub fn holds_in<S: NumberSystem>(&self, system: &S, reach: Reach) -> bool {
        let letter = Reach::ALL.iter().find(|(_, r)| *r == reach).map_or(' ', |(letter, _)| *letter);
        self.holds[system.algebra() as usize].contains(letter)
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.left.variables().max(self.right.variables())
    }
}

const X: LawTerm = LawTerm::Var(0);
const Y: LawTerm = LawTerm::Var(1);
const Z: LawTerm = LawTerm::Var(2);
const ZERO: LawTerm = LawTerm::Constant(0);
const ONE: LawTerm = LawTerm::Constant(1);
use LawTerm::{Add, Div, Mul, Sub};

macro_rules! laws {
    ($($id:literal $statement:literal $left:expr, $right:expr, $nonzero:expr, [$field:literal $integers:literal $wrapping:literal $ieee:literal];)*) => {
        &[$(Law { id: $id, statement: $statement, left: $left, right: $right, nonzero: &$nonzero,
                  holds: [$field, $integers, $wrapping, $ieee] }),*]
    };
}

/// Every law, with the readings in which fields, integers, wrapping integers and IEEE floats obey it.
#[rustfmt::skip]
pub const LAWS: &[Law] = laws! {
//  name                    statement                    left                        right                       ≠ 0    field  ℤ      wraps  IEEE
    "add-commutative"       "x + y = y + x"              Add(&X, &Y),                Add(&Y, &X),                [],    ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "add-associative"       "(x + y) + z = x + (y + z)"  Add(&Add(&X, &Y), &Z),      Add(&X, &Add(&Y, &Z)),      [],    ["xXcCsS" "xXcCsS" "xXcCsS" ""];
    "mul-commutative"       "x * y = y * x"              Mul(&X, &Y),                Mul(&Y, &X),                [],    ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "mul-associative"       "(x * y) * z = x * (y * z)"  Mul(&Mul(&X, &Y), &Z),      Mul(&X, &Mul(&Y, &Z)),      [],    ["xXcCsS" "xXcCsS" "xXcCsS" ""];
    "distributive"          "(x + y) * z = x * z + y * z" Mul(&Add(&X, &Y), &Z),     Add(&Mul(&X, &Z), &Mul(&Y, &Z)), [], ["xXcCsS" "xXcCsS" "xXcCsS" ""];
    "add-zero"              "x + 0 = x"                  Add(&X, &ZERO),             X,                          [],    ["xXcCsS" "xXcCsS" "xXcCsS" ""];
    "sub-zero"              "x - 0 = x"                  Sub(&X, &ZERO),             X,                          [],    ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "mul-one"               "x * 1 = x"                  Mul(&X, &ONE),              X,                          [],    ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "mul-zero"              "0 * x = 0"                  Mul(&ZERO, &X),             ZERO,                       [],    ["xcs" "xcs" "xcs" ""];
    "sub-self"              "x - x = 0"                  Sub(&X, &X),                ZERO,                       [],    ["xcs" "xcs" "xcs" ""];
    "sub-cancel"            "(x + y) - y = x"            Sub(&Add(&X, &Y), &Y),      X,                          [],    ["xcs" "xcs" "xcs" ""];
    "sub-is-add"            "x - y = x + (0 - 1) * y"    Sub(&X, &Y),                Add(&X, &Mul(&Sub(&ZERO, &ONE), &Y)), [], ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "div-one"               "x / 1 = x"                  Div(&X, &ONE),              X,                          [],    ["xXcCsS" "xXcCsS" "xXcCsS" "xXcCsS"];
    "div-self"              "x / x = 1, x ≠ 0"           Div(&X, &X),                ONE,                        [0],   ["xcs" "xcs" "xcs" ""];
    "zero-div"              "0 / x = 0"                  Div(&ZERO, &X),             ZERO,                       [],    ["cC" "cC" "cC" ""];
    "zero-div-nonzero"      "0 / x = 0, x ≠ 0"           Div(&ZERO, &X),             ZERO,                       [0],   ["xcCs" "xcCs" "xcCs" ""];
    "div-distributive"      "(x + y) / z = x / z + y / z" Div(&Add(&X, &Y), &Z),     Add(&Div(&X, &Z), &Div(&Y, &Z)), [], ["xXsS" "" "" ""];
    "div-distributive-nonzero" "(x + y) / z = x / z + y / z, z ≠ 0" Div(&Add(&X, &Y), &Z), Add(&Div(&X, &Z), &Div(&Y, &Z)), [2], ["xXcsS" "" "" ""];
    "mul-div"               "(x * y) / z = x * (y / z)"  Div(&Mul(&X, &Y), &Z),      Mul(&X, &Div(&Y, &Z)),      [],    ["xXsS" "" "" ""];
    "mul-div-nonzero"       "(x * y) / z = x * (y / z), z ≠ 0" Div(&Mul(&X, &Y), &Z), Mul(&X, &Div(&Y, &Z)),     [2],   ["xXcsS" "" "" ""];
    "div-div"               "(x / y) / z = x / (y * z)"  Div(&Div(&X, &Y), &Z),      Div(&X, &Mul(&Y, &Z)),      [],    ["xXcCsS" "xXsS" "" ""];
    "reciprocal"            "x / y = x * (1 / y)"        Div(&X, &Y),                Mul(&X, &Div(&ONE, &Y)),    [],    ["xXsS" "" "" ""];
    "reciprocal-nonzero"    "x / y = x * (1 / y), y ≠ 0" Div(&X, &Y),                Mul(&X, &Div(&ONE, &Y)),    [1],   ["xXcsS" "" "" ""];
    "div-cancel-nonzero"    "(x * y) / y = x, y ≠ 0"     Div(&Mul(&X, &Y), &Y),      X,                          [1],   ["xcs" "xcs" "" ""];
};
