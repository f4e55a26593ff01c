//! The arithmetic of z3's terms is that of the reference, operator by operator, on notable and random numbers of each type.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use checker::smt::{Smt, SmtNumber};
use checker::typed::{Encoding, TypedTerm};
use expect_test::expect;
use selfsame_core::operations::{Datum, Element, binary, primitive, unary};
use selfsame_core::operators::{Binary, ElementType, Primitive, Unary, binary_type, unary_type};
use std::collections::BTreeMap;
use values::machine::{
    DivisionByZero, ExtremumOfNan, ExtremumOfZeros, FloatDivisionByZero, FloatToInteger, LeastOverMinusOne,
    NanToInteger, RemainderByZero, ShiftTooFar, SignedOverflow, Subnormals, SubnormalsByFormat, TooLarge,
};
use values::{
    Conversion, Division, Extended, Machine, Overflow, Rounding, Scalar, SystemName, Typed, ValueDomain,
};
use z3::ast::{Ast, Bool};

/// The numbers of a type that are tried.
fn numbers(of: ElementType, random: &mut fastrand::Rng) -> Vec<Scalar> {
    let mut numbers = Scalar::notable(of);
    if of.bits().is_some() {
        numbers
            .extend((0..12).filter_map(|_| Scalar::of_bits(of, random.u64(..) >> (64 - of.bits().unwrap()))));
    }
    numbers
}

/// What is compared: an operator, by name, on operands of a type.
struct Comparison<'a> {
    domain: Smt,
    random: &'a mut fastrand::Rng,
    /// The operators that z3 did not compute, and on which types.
    open: BTreeMap<String, Vec<ElementType>>,
    compared: usize,
}

impl Comparison<'_> {
    /// Compares an operator on some numbers, and on `•`.
    fn operator(
        &mut self,
        name: &str,
        (of, arity, tries): (ElementType, usize, usize),
        modelled: impl Fn(&Smt, &[Element<Smt>]) -> Element<Smt>,
        reference: impl Fn(&Extended<Typed>, &[Element<Extended<Typed>>]) -> Element<Extended<Typed>>,
    ) {
        let numbers = numbers(of, self.random);
        let domain = Extended(Typed::new(SystemName::Rational, self.domain.machine));
        for _ in 0..tries {
            let chosen: Vec<Option<Scalar>> = (0..arity)
                .map(|_| {
                    (self.random.usize(0..30) > 0)
                        .then(|| numbers[self.random.usize(0..numbers.len())].clone())
                })
                .collect();
            let terms: Vec<Element<Smt>> =
                chosen.iter().map(|scalar| self.term(of, scalar.as_ref())).collect();
            let operands: Vec<_> = chosen.iter().cloned().map(Datum::Number).collect();
            let (found, wanted) = (modelled(&self.domain, &terms), reference(&domain, &operands));
            let wanted = match wanted {
                Datum::Number(number) => {
                    let result = number.as_ref().map_or(of, Scalar::element_type);
                    self.term(result, number.as_ref())
                }
                Datum::Truth(truth) => Datum::Truth(self.domain.truth(truth)),
            };
            let [same, _] = self.domain.sameness(&found, &wanted).unwrap();
            match same.simplify().as_bool() {
                Some(same) => {
                    assert!(same, "{name} of {of} at {chosen:?}: z3 {found:?}, reference {wanted:?}")
                }
                None => {
                    let types = self.open.entry(name.split('(').next().unwrap().to_owned()).or_default();
                    if types.last() != Some(&of) {
                        types.push(of);
                    }
                }
            }
            self.compared += 1;
        }
    }

    fn term(&self, of: ElementType, scalar: Option<&Scalar>) -> Element<Smt> {
        Datum::Number(match scalar {
            // As an undefined unknown of the type.
            None => SmtNumber { defined: Bool::from_bool(false), ..self.domain.any(of, false).unwrap() },
            Some(scalar) => {
                let theory = self.domain.theory(of).unwrap();
                self.domain.exactly(TypedTerm::literal(theory, &scalar.write()).unwrap())
            }
        })
    }

    fn all_of(&mut self, of: ElementType) {
        for &operator in Binary::ALL.iter().filter(|operator| binary_type(**operator, of).is_some()) {
            self.operator(
                operator.text(),
                (of, 2, 90),
                |domain, operands| binary(domain, Division::System, operator, &operands[0], &operands[1]),
                |domain, operands| binary(domain, Division::System, operator, &operands[0], &operands[1]),
            );
        }
        let casts = ElementType::ALL.map(Unary::Cast);
        let operators = [Unary::Negate, Unary::Not, Unary::Absolute].into_iter().chain(casts);
        for operator in operators.filter(|operator| unary_type(*operator, of).is_some()) {
            self.operator(
                &format!("unary {}", operator.text()),
                (of, 1, 75),
                |domain, operands| unary(domain, (operator, of), &operands[0]),
                |domain, operands| unary(domain, (operator, of), &operands[0]),
            );
        }
        for of_primitive in primitives() {
            let types = vec![of; of_primitive.arity()];
            if of_primitive.result(&types).is_some() {
                let is_cast = matches!(of_primitive, Primitive::Convert(_) | Primitive::Narrow(..));
                let tries = if is_cast { 18 } else { 90 };
                self.operator(
                    &of_primitive.applied("…"),
                    (of, of_primitive.arity(), tries),
                    |domain, operands| primitive(domain, of_primitive, operands),
                    |domain, operands| primitive(domain, of_primitive, operands),
                );
            }
        }
    }
}

fn primitives() -> Vec<Primitive> {
    let mut all: Vec<Primitive> = Primitive::NAMED.iter().map(|(_, primitive)| *primitive).collect();
    for to in ElementType::ALL {
        all.push(Primitive::Bitcast(to));
        all.extend(Rounding::ALL.map(|rounding| Primitive::Narrow(to, rounding)));
        for rounding in Rounding::ALL {
            for overflow in Overflow::ALL {
                all.push(Primitive::Convert(Conversion { to, rounding, overflow }));
            }
        }
    }
    all
}

/// A machine whose operations do the k-th of what they may do.
fn machine(k: usize) -> Machine {
    fn nth<T: Copy>(all: &[T], k: usize) -> T {
        all[k % all.len()]
    }
    let mut machine = Machine::default();
    let Machine { integers, floats, casts, .. } = &mut machine;
    integers.signed_overflow = nth(SignedOverflow::ALL, k);
    integers.division_by_zero = nth(DivisionByZero::ALL, k);
    integers.remainder_by_zero = nth(RemainderByZero::ALL, k);
    integers.least_over_minus_one = nth(LeastOverMinusOne::ALL, k);
    integers.shift_too_far = nth(ShiftTooFar::ALL, k);
    floats.division_by_zero = nth(FloatDivisionByZero::ALL, k);
    floats.extremum_of_nan = nth(ExtremumOfNan::ALL, k);
    floats.extremum_of_zeros = nth(ExtremumOfZeros::ALL, k);
    let subnormals = nth(Subnormals::ALL, k);
    floats.subnormals =
        SubnormalsByFormat { f16: Subnormals::Kept, bf16: subnormals, f32: subnormals, f64: subnormals };
    casts.float_to_integer = nth(FloatToInteger::ALL, k);
    casts.too_large = nth(TooLarge::ALL, k);
    casts.nan_to_integer = nth(NanToInteger::ALL, k);
    machine
}

/// The number of comparisons, and what z3 did not compute.
fn compared(encoding: Encoding, machine: Machine) -> (usize, String) {
    let mut random = fastrand::Rng::with_seed(33);
    let domain = Smt { system: SystemName::Rational, machine, encoding };
    let mut comparison = Comparison { domain, random: &mut random, open: BTreeMap::new(), compared: 0 };
    for of in ElementType::ALL.into_iter().filter(|of| of.is_number()) {
        comparison.all_of(of);
    }
    let line = |(name, types): (String, Vec<ElementType>)| {
        let types: Vec<&str> = types.iter().map(|of| of.keyword()).collect();
        format!("{name}: {}\n", types.join(" "))
    };
    (comparison.compared, comparison.open.into_iter().map(line).collect())
}

#[test]
fn bits_are_those_of_the_reference() {
    let (compared, open) = compared(Encoding::Bits, Machine::default());
    assert!(compared > 75_000, "{compared}");
    expect![[r#"
        and: integer
        ashr: integer
        bf16: integer real
        f16: integer real
        f32: integer real
        f64: integer real
        lshr: integer
        or: integer
        popcount: integer
        shl: integer
        unary bf16: integer real field
        unary f16: integer real field
        unary f32: integer real field
        unary f64: integer real field
        unary field: real f16 bf16 f32 f64
        unary i16: field
        unary i32: field
        unary i64: field
        unary i8: field
        unary integer: field
        unary real: field
        unary u16: field
        unary u32: field
        unary u64: field
        unary u8: field
        xor: integer
    "#]]
    .assert_eq(&open);
}

#[test]
fn integers_are_those_of_the_reference() {
    let (compared, open) = compared(Encoding::Integers, Machine::default());
    assert!(compared > 75_000, "{compared}");
    expect![[r#"
        and: integer i8 i16 i32 i64 u8 u16 u32 u64
        ashr: integer i8 i16 i32 i64 u8 u16 u32 u64
        bf16: integer real i8 i16 i32 i64 u8 u16 u32 u64
        bitcast: i16 i32 i64 u16 u32 u64 f16 bf16 f32 f64
        f16: integer real i8 i16 i32 i64 u8 u16 u32 u64
        f32: integer real i8 i16 i32 i64 u8 u16 u32 u64
        f64: integer real i8 i16 i32 i64 u8 u16 u32 u64
        i16: f16 bf16 f32 f64
        i32: f16 bf16 f32 f64
        i64: f16 bf16 f32 f64
        i8: f16 bf16 f32 f64
        lshr: integer i8 i16 i32 i64 u8 u16 u32 u64
        or: integer i8 i16 i32 i64 u8 u16 u32 u64
        popcount: integer i8 i16 i32 i64 u8 u16 u32 u64
        shl: integer i8 i16 i32 i64 u8 u16 u32 u64
        u16: f16 bf16 f32 f64
        u32: f16 bf16 f32 f64
        u64: f16 bf16 f32 f64
        u8: f16 bf16 f32 f64
        unary bf16: integer real field i8 i16 i32 i64 u8 u16 u32 u64
        unary f16: integer real field i8 i16 i32 i64 u8 u16 u32 u64
        unary f32: integer real field i8 i16 i32 i64 u8 u16 u32 u64
        unary f64: integer real field i8 i16 i32 i64 u8 u16 u32 u64
        unary field: real f16 bf16 f32 f64
        unary i16: field
        unary i32: field
        unary i64: field
        unary i8: field
        unary integer: field
        unary real: field
        unary u16: field
        unary u32: field
        unary u64: field
        unary u8: field
        xor: integer i8 i16 i32 i64 u8 u16 u32 u64
    "#]]
    .assert_eq(&open);
}

#[test]
fn other_machines_are_those_of_the_reference() {
    for encoding in [Encoding::Bits, Encoding::Integers] {
        for k in 1..4 {
            let (compared, _) = compared(encoding, machine(k));
            assert!(compared > 75_000, "{compared}");
        }
    }
}
