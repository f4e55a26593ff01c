//! The theories of z3 that model number systems: reals for ℚ, integers for ℤ, bit-vectors for wrapping integers,
//! IEEE floats. What holds for all reals holds for all rationals.

use dashu_int::IBig;
use dashu_ratio::RBig;
use half::{bf16, f16};
use std::fmt::Debug;
use values::{ComparisonOperator, ElementType, Extremum, IntegerOperation, Literal};
use z3::ast::{Ast, BV, Bool, Float, Int, Real, RoundingMode};
use z3::{DeclKind, Model, Sort};

/// The arithmetic of a theory; all operations are total.
pub trait Theory: Copy + Debug {
    /// A number of the theory.
    type Number: Clone + Debug;
    /// An arbitrary number.
    fn any(&self, name: &str) -> Self::Number;
    /// The number of a literal.
    fn literal(&self, literal: &Literal) -> Option<Self::Number>;
    /// The number of an integer.
    fn index(&self, index: i64) -> Self::Number;
    /// The number of an unknown integer, if the theory can express it.
    fn of_integer(&self, integer: &Int) -> Option<Self::Number>;
    /// `a + b`
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a − b`
    fn sub(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a · b`
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a / b` for nonzero `b`.
    fn quotient(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Whether a number equals 0.
    fn is_zero(&self, a: &Self::Number) -> Bool;
    /// Whether two numbers are the same.
    fn same(&self, a: &Self::Number, b: &Self::Number) -> Bool;
    /// A comparison.
    fn compare(&self, comparison: ComparisonOperator, a: &Self::Number, b: &Self::Number) -> Bool;
    /// The minimum or maximum.
    fn extremum(&self, extremum: Extremum, a: &Self::Number, b: &Self::Number) -> Self::Number {
        let swaps = match extremum {
            Extremum::Min => self.compare(ComparisonOperator::Less, b, a),
            Extremum::Max => self.compare(ComparisonOperator::Less, a, b),
        };
        self.select(&swaps, b, a)
    }
    /// `|a|`
    fn absolute(&self, a: &Self::Number) -> Self::Number {
        let zero = self.index(0);
        self.select(&self.compare(ComparisonOperator::Less, a, &zero), &self.sub(&zero, a), a)
    }
    /// The identity of `min` or `max`, if it exists.
    fn extremum_identity(&self, _: Extremum) -> Option<Self::Number> {
        None
    }
    /// An operation on integers with a nonzero divisor; `None` if the theory lacks it.
    fn integer_operation(
        &self,
        _: IntegerOperation,
        _: &Self::Number,
        _: &Self::Number,
    ) -> Option<Self::Number> {
        None
    }
    /// `a` if the truth is true, else `b`.
    fn select(&self, truth: &Bool, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The sort of its numbers.
    fn sort(&self) -> Sort;
    /// The value of a number in the solver's model, if it can be written.
    fn written(&self, model: &Model, a: &Self::Number) -> Option<Literal>;
    /// That twelve times the number is an integer, if the theory distinguishes that.
    fn is_twelfths(&self, _: &Self::Number) -> Option<Bool> {
        None
    }
}

/// ℚ, by real arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Reals;

impl Theory for Reals {
    type Number = Real;
    fn any(&self, name: &str) -> Real {
        Real::fresh_const(name)
    }
    fn literal(&self, literal: &Literal) -> Option<Real> {
        real(&literal.exact().ok()?)
    }
    fn index(&self, index: i64) -> Real {
        Real::from_rational(index, 1)
    }
    fn of_integer(&self, integer: &Int) -> Option<Real> {
        Some(integer.to_real())
    }
    fn add(&self, a: &Real, b: &Real) -> Real {
        a + b
    }
    fn sub(&self, a: &Real, b: &Real) -> Real {
        a - b
    }
    fn mul(&self, a: &Real, b: &Real) -> Real {
        a * b
    }
    fn quotient(&self, a: &Real, b: &Real) -> Real {
        a / b
    }
    fn is_zero(&self, a: &Real) -> Bool {
        a.eq(self.index(0))
    }
    fn same(&self, a: &Real, b: &Real) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &Real, b: &Real) -> Bool {
        match comparison {
            ComparisonOperator::Equal => a.eq(b),
            ComparisonOperator::Less => a.lt(b),
            ComparisonOperator::LessOrEqual => a.le(b),
        }
    }
    fn select(&self, truth: &Bool, a: &Real, b: &Real) -> Real {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::real()
    }
    fn written(&self, model: &Model, a: &Real) -> Option<Literal> {
        let (numerator, denominator) = model.eval(a, true)?.as_rational()?;
        Some(Literal::Exact(RBig::from(numerator) / RBig::from(denominator)))
    }
    fn is_twelfths(&self, a: &Real) -> Option<Bool> {
        Some((a * self.index(12)).is_int())
    }
}

fn real(number: &RBig) -> Option<Real> {
    Real::from_rational_str(&number.numerator().to_string(), &number.denominator().to_string())
}

/// ℤ, by integer arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct IntegerTheory;

impl Theory for IntegerTheory {
    type Number = Int;
    fn any(&self, name: &str) -> Int {
        Int::fresh_const(name)
    }
    fn literal(&self, literal: &Literal) -> Option<Int> {
        let exact = literal.exact().ok()?;
        exact.is_int().then(|| real(&exact).map(|real| real.to_int().simplify())).flatten()
    }
    fn index(&self, index: i64) -> Int {
        Int::from_i64(index)
    }
    fn of_integer(&self, integer: &Int) -> Option<Int> {
        Some(integer.clone())
    }
    fn add(&self, a: &Int, b: &Int) -> Int {
        a + b
    }
    fn sub(&self, a: &Int, b: &Int) -> Int {
        a - b
    }
    fn mul(&self, a: &Int, b: &Int) -> Int {
        a * b
    }
    /// Truncated division; z3's own division has a nonnegative remainder.
    fn quotient(&self, a: &Int, b: &Int) -> Int {
        a.ge(0).ite(&(a / b), &-(-a / b))
    }
    fn is_zero(&self, a: &Int) -> Bool {
        a.eq(0)
    }
    fn same(&self, a: &Int, b: &Int) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &Int, b: &Int) -> Bool {
        match comparison {
            ComparisonOperator::Equal => a.eq(b),
            ComparisonOperator::Less => a.lt(b),
            ComparisonOperator::LessOrEqual => a.le(b),
        }
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &Int, b: &Int) -> Option<Int> {
        let floor = b.gt(0).ite(&(a / b), &(-a / -b));
        match operation {
            IntegerOperation::Div => Some(floor),
            IntegerOperation::Mod => Some(a - b * floor),
            IntegerOperation::Rem => Some(a - b * self.quotient(a, b)),
            IntegerOperation::And | IntegerOperation::Or | IntegerOperation::Xor => None,
        }
    }
    fn select(&self, truth: &Bool, a: &Int, b: &Int) -> Int {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::int()
    }
    fn written(&self, model: &Model, a: &Int) -> Option<Literal> {
        Some(exactly(model.eval(a, true)?.as_i64()?))
    }
}

/// Integers that wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Their number of bits.
    pub bits: u32,
    /// Whether they are in two's complement.
    pub signed: bool,
}

impl Bits {
    /// The quotient toward zero; the least signed integer over −1 is itself.
    fn divided(self, a: &BV, b: &BV) -> BV {
        if self.signed { a.bvsdiv(b) } else { a.bvudiv(b) }
    }

    /// The remainder of that quotient.
    fn rest(self, a: &BV, b: &BV) -> BV {
        if self.signed { a.bvsrem(b) } else { a.bvurem(b) }
    }

    fn less(self, a: &BV, b: &BV) -> Bool {
        if self.signed { a.bvslt(b) } else { a.bvult(b) }
    }

    /// 2ⁿ⁻¹ for signed integers of n bits, 2ⁿ for others: the first integer that is too large.
    pub fn beyond(self) -> IBig {
        IBig::ONE << (self.bits - u32::from(self.signed)) as usize
    }

    /// The least integer.
    pub fn least(self) -> IBig {
        if self.signed { -self.beyond() } else { IBig::ZERO }
    }
}

impl Theory for Bits {
    type Number = BV;
    fn any(&self, name: &str) -> BV {
        BV::fresh_const(name, self.bits)
    }
    fn literal(&self, literal: &Literal) -> Option<BV> {
        let integer = IBig::try_from(literal.exact().ok()?).ok()?;
        let fits = integer >= self.least() && integer < self.beyond();
        let residue = u64::try_from(integer & IBig::from(u64::MAX)).ok()?;
        fits.then(|| BV::from_u64(residue, self.bits))
    }
    fn index(&self, index: i64) -> BV {
        BV::from_i64(index, self.bits)
    }
    fn of_integer(&self, _: &Int) -> Option<BV> {
        None
    }
    fn add(&self, a: &BV, b: &BV) -> BV {
        a.bvadd(b)
    }
    fn sub(&self, a: &BV, b: &BV) -> BV {
        a.bvsub(b)
    }
    fn mul(&self, a: &BV, b: &BV) -> BV {
        a.bvmul(b)
    }
    fn quotient(&self, a: &BV, b: &BV) -> BV {
        self.divided(a, b)
    }
    fn is_zero(&self, a: &BV) -> Bool {
        a.eq(self.index(0))
    }
    fn same(&self, a: &BV, b: &BV) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &BV, b: &BV) -> Bool {
        match comparison {
            ComparisonOperator::Equal => a.eq(b),
            ComparisonOperator::Less => self.less(a, b),
            ComparisonOperator::LessOrEqual => self.less(b, a).not(),
        }
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &BV, b: &BV) -> Option<BV> {
        let (zero, quotient, rest) = (self.index(0), self.divided(a, b), self.rest(a, b));
        let signs_differ = self.less(&rest, &zero).xor(self.less(b, &zero));
        let adjusts = Bool::and(&[rest.ne(&zero), signs_differ]);
        Some(match operation {
            IntegerOperation::Div => adjusts.ite(&quotient.bvsub(self.index(1)), &quotient),
            IntegerOperation::Mod => adjusts.ite(&rest.bvadd(b), &rest),
            IntegerOperation::Rem => rest,
            IntegerOperation::And => a.bvand(b),
            IntegerOperation::Or => a.bvor(b),
            IntegerOperation::Xor => a.bvxor(b),
        })
    }
    fn extremum_identity(&self, extremum: Extremum) -> Option<BV> {
        let number = match extremum {
            Extremum::Min => self.beyond() - IBig::ONE,
            Extremum::Max => self.least(),
        };
        self.literal(&Literal::Exact(number.into()))
    }
    fn select(&self, truth: &Bool, a: &BV, b: &BV) -> BV {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::bitvector(self.bits)
    }
    fn written(&self, model: &Model, a: &BV) -> Option<Literal> {
        let written = model.eval(&a.to_int(self.signed), true)?.simplify();
        Some(Literal::Exact(IBig::from(written.as_i128()?).into()))
    }
}

/// Integers that wrap, as integers of z3: each operation is the one on integers, reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modular(pub Bits);

impl Modular {
    fn bound(bound: IBig) -> Option<Int> {
        IntegerTheory.literal(&Literal::Exact(bound.into()))
    }

    /// The integer modulo 2ⁿ; a fresh integer, of which nothing is known, if z3 cannot express the bounds.
    pub fn reduced(self, integer: &Int) -> Int {
        let [least, count] = [self.0.least(), IBig::ONE << self.0.bits as usize].map(Modular::bound);
        match (least, count, integer.as_i64()) {
            // A small number is itself, so that constants stay constants.
            (_, _, Some(small))
                if IBig::from(small) >= self.0.least() && IBig::from(small) < self.0.beyond() =>
            {
                integer.clone()
            }
            (Some(_), Some(count), _) if !self.0.signed => integer.modulo(&count),
            (Some(least), Some(count), _) => (integer - &least).modulo(&count) + least,
            _ => Int::fresh_const("modular"),
        }
    }

    /// An integer less than 2ⁿ beyond the bounds, modulo 2ⁿ.
    fn nearly_reduced(self, integer: &Int) -> Int {
        let count = IBig::ONE << self.0.bits as usize;
        let bounds = [self.0.least(), self.0.beyond(), count].map(Modular::bound);
        let [Some(least), Some(beyond), Some(count)] = bounds else { return Int::fresh_const("modular") };
        let capped = integer.ge(beyond).ite(&(integer - &count), integer);
        integer.lt(least).ite(&(integer + count), &capped).simplify()
    }

    /// Whether an integer is one of them.
    pub fn has(self, integer: &Int) -> Bool {
        match [self.0.least(), self.0.beyond()].map(Modular::bound) {
            [Some(least), Some(beyond)] => Bool::and(&[integer.ge(least), integer.lt(beyond)]),
            _ => Bool::fresh_const("has"),
        }
    }
}

impl Theory for Modular {
    type Number = Int;
    fn any(&self, name: &str) -> Int {
        let any = Int::fresh_const(name);
        self.has(&any).ite(&any, &Int::from_i64(0))
    }
    fn literal(&self, literal: &Literal) -> Option<Int> {
        let exact = IBig::try_from(literal.exact().ok()?).ok()?;
        let fits = exact >= self.0.least() && exact < self.0.beyond();
        if fits { IntegerTheory.literal(literal) } else { None }
    }
    fn index(&self, index: i64) -> Int {
        self.reduced(&Int::from_i64(index))
    }
    fn of_integer(&self, integer: &Int) -> Option<Int> {
        Some(self.reduced(integer))
    }
    fn add(&self, a: &Int, b: &Int) -> Int {
        self.nearly_reduced(&(a + b))
    }
    fn sub(&self, a: &Int, b: &Int) -> Int {
        self.nearly_reduced(&(a - b))
    }
    fn mul(&self, a: &Int, b: &Int) -> Int {
        let negated = |factor: &Int| factor.as_i64() == Some(-1);
        match () {
            () if negated(a) => self.nearly_reduced(&-b),
            () if negated(b) => self.nearly_reduced(&-a),
            () => self.reduced(&(a * b)),
        }
    }
    /// The least signed integer over −1 is too large.
    fn quotient(&self, a: &Int, b: &Int) -> Int {
        if self.0.signed { self.nearly_reduced(&IntegerTheory.quotient(a, b)) } else { a / b }
    }
    fn is_zero(&self, a: &Int) -> Bool {
        a.eq(0)
    }
    fn same(&self, a: &Int, b: &Int) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &Int, b: &Int) -> Bool {
        IntegerTheory.compare(comparison, a, b)
    }
    fn extremum_identity(&self, extremum: Extremum) -> Option<Int> {
        Modular::bound(match extremum {
            Extremum::Min => self.0.beyond() - IBig::ONE,
            Extremum::Max => self.0.least(),
        })
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &Int, b: &Int) -> Option<Int> {
        let exact = match operation {
            IntegerOperation::Div if !self.0.signed => a / b,
            IntegerOperation::Mod | IntegerOperation::Rem if !self.0.signed => a - b * (a / b),
            _ => IntegerTheory.integer_operation(operation, a, b)?,
        };
        Some(if operation == IntegerOperation::Div { self.nearly_reduced(&exact) } else { exact })
    }
    fn select(&self, truth: &Bool, a: &Int, b: &Int) -> Int {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::int()
    }
    fn written(&self, model: &Model, a: &Int) -> Option<Literal> {
        Some(Literal::Exact(IBig::from(model.eval(a, true)?.simplify().as_i64()?).into()))
    }
}

/// IEEE floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floats {
    /// Their number of bits.
    pub bits: u32,
    /// The number of bits of a significand, the leading one included.
    pub precision: u32,
}

impl Floats {
    fn exponent(self) -> u32 {
        self.bits - self.precision
    }

    /// The element type of this format.
    pub fn element_type(self) -> ElementType {
        match (self.bits, self.precision) {
            (16, 11) => ElementType::F16,
            (16, _) => ElementType::BF16,
            (32, _) => ElementType::F32,
            _ => ElementType::F64,
        }
    }

    /// A double that is a number of the format.
    fn exactly(self, double: f64) -> Float {
        Float::from_f64(double).to_fp_with_rounding_mode(&nearest(), &self.sort()).simplify()
    }
}

/// A product or quotient of numbers with their signs outside of it: `(−a)·b = −(a·b)`, and `|a|·|b| = |a·b|`.
fn signed(a: &Float, b: &Float, operation: impl FnOnce(&Float, &Float) -> Float) -> Float {
    let ((a, is_negative), (b, is_opposite)) = (without_sign(a), without_sign(b));
    let result = match (magnitude(&a), magnitude(&b)) {
        (Some(a), Some(b)) => operation(&a, &b).unary_abs(),
        _ => operation(&a, &b),
    };
    if is_negative == is_opposite { result } else { result.unary_neg() }
}

/// `a`, and whether its sign is to be changed.
fn without_sign(a: &Float) -> (Float, bool) {
    let inner = operand(a, DeclKind::FpaNeg);
    inner.map_or_else(|| (a.clone(), false), |inner| (inner, true))
}

/// `a` of `|a|`
fn magnitude(a: &Float) -> Option<Float> {
    operand(a, DeclKind::FpaAbs)
}

/// The operand of an operator with one.
fn operand(a: &Float, operator: DeclKind) -> Option<Float> {
    let is_applied = a.num_children() == 1 && a.decl().kind() == operator;
    is_applied.then(|| a.nth_child(0)?.as_float()).flatten()
}

impl Theory for Floats {
    type Number = Float;
    fn any(&self, name: &str) -> Float {
        Float::fresh_const(name, self.exponent(), self.precision)
    }
    fn literal(&self, literal: &Literal) -> Option<Float> {
        let double = match (self.bits, self.precision) {
            (16, 11) => literal.to_f16().ok()?.to_f64(),
            (16, _) => literal.to_bf16().ok()?.to_f64(),
            (32, _) => f64::from(literal.to_f32().ok()?),
            _ => literal.to_f64().ok()?,
        };
        Some(self.exactly(double))
    }
    /// The integer, rounded once.
    fn index(&self, index: i64) -> Float {
        self.literal(&Literal::from(index)).unwrap_or_else(|| self.exactly(f64::NAN))
    }
    fn of_integer(&self, _: &Int) -> Option<Float> {
        None
    }
    fn add(&self, a: &Float, b: &Float) -> Float {
        a.add_with_rounding_mode(b, &nearest())
    }
    fn sub(&self, a: &Float, b: &Float) -> Float {
        a.sub_with_rounding_mode(b, &nearest())
    }
    /// A product with 1 or −1 is exact: the other factor, or its negation. Signs are outside of other products, because numbers
    /// round in the same way on both sides of 0: z3 has to find that of the bits.
    fn mul(&self, a: &Float, b: &Float) -> Float {
        let unit = |number: &Float, sign| number.simplify() == self.index(sign).simplify();
        match () {
            () if unit(a, 1) => b.clone(),
            () if unit(b, 1) => a.clone(),
            () if unit(a, -1) => b.unary_neg(),
            () if unit(b, -1) => a.unary_neg(),
            () => signed(a, b, |a, b| a.mul_with_rounding_mode(b, &nearest())),
        }
    }
    fn quotient(&self, a: &Float, b: &Float) -> Float {
        signed(a, b, |a, b| a.div_with_rounding_mode(b, &nearest()))
    }
    fn is_zero(&self, a: &Float) -> Bool {
        a.is_zero()
    }
    /// SMT-LIB's `=`: there is a single nan, and −0 differs from 0.
    fn same(&self, a: &Float, b: &Float) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &Float, b: &Float) -> Bool {
        match comparison {
            ComparisonOperator::Equal => a.eq_fpa(b),
            ComparisonOperator::Less => a.lt(b),
            ComparisonOperator::LessOrEqual => a.le(b),
        }
    }
    /// The result is nan if an operand is, and −0 < 0.
    fn extremum(&self, extremum: Extremum, a: &Float, b: &Float) -> Float {
        let zeros = Bool::and(&[a.is_zero(), b.is_zero()]);
        let (less, first) = match extremum {
            Extremum::Min => (b.lt(a), a.is_negative()),
            Extremum::Max => (a.lt(b), a.is_positive()),
        };
        let ordered = zeros.ite(&first.ite(a, b), &less.ite(b, a));
        a.is_nan().ite(a, &b.is_nan().ite(b, &ordered))
    }
    fn absolute(&self, a: &Float) -> Float {
        a.unary_abs()
    }
    fn extremum_identity(&self, extremum: Extremum) -> Option<Float> {
        self.literal(&Literal::F64(match extremum {
            Extremum::Min => f64::INFINITY,
            Extremum::Max => f64::NEG_INFINITY,
        }))
    }
    fn select(&self, truth: &Bool, a: &Float, b: &Float) -> Float {
        truth.ite(a, b)
    }
    fn sort(&self) -> Sort {
        Sort::float(self.exponent(), self.precision)
    }
    fn written(&self, model: &Model, a: &Float) -> Option<Literal> {
        if model.eval(&a.is_nan(), true)?.as_bool()? {
            return Some(Literal::F64(f64::NAN));
        }
        let bits = model.eval(&a.to_ieee_bv(), true)?.simplify().as_u64()?;
        Some(match (self.bits, self.precision) {
            (16, 11) => Literal::F16(f16::from_bits(u16::try_from(bits).ok()?)),
            (16, _) => Literal::BF16(bf16::from_bits(u16::try_from(bits).ok()?)),
            (32, _) => Literal::F32(f32::from_bits(u32::try_from(bits).ok()?)),
            _ => Literal::F64(f64::from_bits(bits)),
        })
    }
}

fn exactly(integer: i64) -> Literal {
    Literal::Exact(RBig::from(integer))
}

pub(crate) fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}
