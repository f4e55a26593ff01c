//! The value domain of z3: numbers of a theory with a condition under which they are defined.
//!
//! A theory stands for a number system: reals for ℚ, integers for ℤ, bit-vectors for integers that wrap, IEEE floats. What
//! holds for all reals holds for all rationals. Evaluation over this domain *is* the encoding: nobody writes the semantics
//! of an operator a second time. What a theory has no operation for is any number whatever, which proves nothing wrong.

use dashu_ratio::RBig;
use semantics::values::{
    Comparison, Connective, Division, Extremum, IntegerOperation, Literal, LiteralError, ValueDomain,
};
use std::fmt::Debug;
use z3::ast::{Ast, BV, Bool, Dynamic, Float, Int, Real, RoundingMode};
use z3::{FuncDecl, Sort};

/// The arithmetic of a theory, all of it total.
pub trait Theory: Copy + Debug {
    /// A number of the theory.
    type Number: Clone + Debug;
    /// The number system for which it stands.
    fn system(&self) -> &'static str;
    /// Any number.
    fn any(&self, name: &str) -> Self::Number;
    /// A written number.
    fn literal(&self, literal: &Literal) -> Option<Self::Number>;
    /// An integer as a number.
    fn index(&self, index: i64) -> Self::Number;
    /// An unknown integer as a number, if that can be said.
    fn of_integer(&self, integer: &Int) -> Option<Self::Number>;
    /// `a + b`
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a − b`
    fn sub(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a · b`
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a / b` for `b` that is not zero.
    fn quotient(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Whether a number equals 0.
    fn is_zero(&self, a: &Self::Number) -> Bool;
    /// Whether two numbers are the same.
    fn same(&self, a: &Self::Number, b: &Self::Number) -> Bool;
    /// A comparison.
    fn compare(&self, comparison: Comparison, a: &Self::Number, b: &Self::Number) -> Bool;
    /// The smaller or the larger number.
    fn extremum(&self, extremum: Extremum, a: &Self::Number, b: &Self::Number) -> Self::Number {
        let swaps = match extremum {
            Extremum::Min => self.compare(Comparison::Less, b, a),
            Extremum::Max => self.compare(Comparison::Less, a, b),
        };
        self.select(&swaps, b, a)
    }
    /// `|a|`
    fn absolute(&self, a: &Self::Number) -> Self::Number {
        let zero = self.index(0);
        self.select(&self.compare(Comparison::Less, a, &zero), &self.sub(&zero, a), a)
    }
    /// The number rounded to an integer toward zero, and when that is one; `None` where the theory has none.
    fn truncation(&self, _: &Self::Number) -> Option<(Self::Number, Bool)> {
        None
    }
    /// The greatest number for `min`, the least for `max`, if there is one.
    fn extremum_identity(&self, _: Extremum) -> Option<Self::Number> {
        None
    }
    /// An operation on integers for a divisor that is not 0; `None` where the theory has none.
    fn integer_operation(
        &self,
        _: IntegerOperation,
        _: &Self::Number,
        _: &Self::Number,
    ) -> Option<Self::Number> {
        None
    }
    /// `a` where the truth is true, else `b`.
    fn select(&self, truth: &Bool, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// A function of which nothing is known.
    fn apply(&self, name: &str, arguments: &[Self::Number]) -> Option<Self::Number>;
}

/// The value of a function from a sort to itself.
fn applied<N: Ast>(name: &str, sort: &Sort, arguments: &[N]) -> Dynamic {
    let sorts = vec![sort; arguments.len()];
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
    FuncDecl::new(name, &sorts, sort).apply(&arguments)
}

/// ℚ, by real arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Reals;

impl Theory for Reals {
    type Number = Real;
    fn system(&self) -> &'static str {
        "rational"
    }
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
    fn compare(&self, comparison: Comparison, a: &Real, b: &Real) -> Bool {
        match comparison {
            Comparison::Equal => a.eq(b),
            Comparison::Less => a.lt(b),
            Comparison::LessOrEqual => a.le(b),
        }
    }
    fn truncation(&self, a: &Real) -> Option<(Real, Bool)> {
        let towards_zero = a.ge(self.index(0)).ite(&a.to_int(), &-(-a).to_int());
        Some((towards_zero.to_real(), Bool::from_bool(true)))
    }
    fn select(&self, truth: &Bool, a: &Real, b: &Real) -> Real {
        truth.ite(a, b)
    }
    fn apply(&self, name: &str, arguments: &[Real]) -> Option<Real> {
        applied(name, &Sort::real(), arguments).as_real()
    }
}

fn real(number: &RBig) -> Option<Real> {
    Real::from_rational_str(&number.numerator().to_string(), &number.denominator().to_string())
}

/// ℤ, by integer arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

impl Theory for Integers {
    type Number = Int;
    fn system(&self) -> &'static str {
        "integer"
    }
    fn any(&self, name: &str) -> Int {
        Int::fresh_const(name)
    }
    fn literal(&self, literal: &Literal) -> Option<Int> {
        let exact = literal.exact().ok()?;
        exact.is_int().then(|| real(&exact).map(|real| real.to_int())).flatten()
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
    /// Truncated; z3's own division leaves a remainder that is not negative.
    fn quotient(&self, a: &Int, b: &Int) -> Int {
        a.ge(0).ite(&(a / b), &-(-a / b))
    }
    fn is_zero(&self, a: &Int) -> Bool {
        a.eq(0)
    }
    fn same(&self, a: &Int, b: &Int) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: Comparison, a: &Int, b: &Int) -> Bool {
        match comparison {
            Comparison::Equal => a.eq(b),
            Comparison::Less => a.lt(b),
            Comparison::LessOrEqual => a.le(b),
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
    fn truncation(&self, a: &Int) -> Option<(Int, Bool)> {
        Some((a.clone(), Bool::from_bool(true)))
    }
    fn select(&self, truth: &Bool, a: &Int, b: &Int) -> Int {
        truth.ite(a, b)
    }
    fn apply(&self, name: &str, arguments: &[Int]) -> Option<Int> {
        applied(name, &Sort::int(), arguments).as_int()
    }
}

/// Integers that wrap, of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u32);

impl Theory for Bits {
    type Number = BV;
    fn system(&self) -> &'static str {
        if self.0 == 32 { "i32" } else { "i64" }
    }
    fn any(&self, name: &str) -> BV {
        BV::fresh_const(name, self.0)
    }
    fn literal(&self, literal: &Literal) -> Option<BV> {
        let exact = literal.exact().ok()?;
        let integer = exact.is_int().then(|| i64::try_from(exact.numerator()).ok()).flatten()?;
        let fits = self.0 == 64 || i32::try_from(integer).is_ok();
        fits.then(|| BV::from_i64(integer, self.0))
    }
    fn index(&self, index: i64) -> BV {
        BV::from_i64(index, self.0)
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
        a.bvsdiv(b)
    }
    fn is_zero(&self, a: &BV) -> Bool {
        a.eq(self.index(0))
    }
    fn same(&self, a: &BV, b: &BV) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: Comparison, a: &BV, b: &BV) -> Bool {
        match comparison {
            Comparison::Equal => a.eq(b),
            Comparison::Less => a.bvslt(b),
            Comparison::LessOrEqual => a.bvsle(b),
        }
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &BV, b: &BV) -> Option<BV> {
        let (zero, quotient, rest) = (self.index(0), a.bvsdiv(b), a.bvsrem(b));
        let signs_differ = rest.bvslt(&zero).xor(b.bvslt(&zero));
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
    fn truncation(&self, a: &BV) -> Option<(BV, Bool)> {
        Some((a.clone(), Bool::from_bool(true)))
    }
    fn extremum_identity(&self, extremum: Extremum) -> Option<BV> {
        let (least, greatest) =
            if self.0 == 32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        Some(self.index(match extremum {
            Extremum::Min => greatest,
            Extremum::Max => least,
        }))
    }
    fn select(&self, truth: &Bool, a: &BV, b: &BV) -> BV {
        truth.ite(a, b)
    }
    fn apply(&self, name: &str, arguments: &[BV]) -> Option<BV> {
        applied(name, &Sort::bitvector(self.0), arguments).as_bv()
    }
}

/// IEEE floats, of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Floats(pub u32);

impl Theory for Floats {
    type Number = Float;
    fn system(&self) -> &'static str {
        if self.0 == 32 { "f32" } else { "f64" }
    }
    fn any(&self, name: &str) -> Float {
        if self.0 == 32 { Float::fresh_const_float32(name) } else { Float::fresh_const_double(name) }
    }
    fn literal(&self, literal: &Literal) -> Option<Float> {
        Some(if self.0 == 32 {
            Float::from_f32(literal.to_f32().ok()?)
        } else {
            Float::from_f64(literal.to_f64().ok()?)
        })
    }
    #[allow(clippy::cast_precision_loss, reason = "an index as a float is rounded")]
    fn index(&self, index: i64) -> Float {
        if self.0 == 32 { Float::from_f32(index as f32) } else { Float::from_f64(index as f64) }
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
    /// A product with 1 or −1 is exact: the other factor, or that with the other sign.
    fn mul(&self, a: &Float, b: &Float) -> Float {
        let unit = |number: &Float, sign| number.simplify() == self.index(sign).simplify();
        match () {
            () if unit(a, 1) => b.clone(),
            () if unit(b, 1) => a.clone(),
            () if unit(a, -1) => b.unary_neg(),
            () if unit(b, -1) => a.unary_neg(),
            () => a.mul_with_rounding_mode(b, &nearest()),
        }
    }
    fn quotient(&self, a: &Float, b: &Float) -> Float {
        a.div_with_rounding_mode(b, &nearest())
    }
    fn is_zero(&self, a: &Float) -> Bool {
        a.is_zero()
    }
    /// SMT-LIB's `=`: there is one nan, and −0 is not 0.
    fn same(&self, a: &Float, b: &Float) -> Bool {
        a.eq(b)
    }
    fn compare(&self, comparison: Comparison, a: &Float, b: &Float) -> Bool {
        match comparison {
            Comparison::Equal => a.eq_fpa(b),
            Comparison::Less => a.lt(b),
            Comparison::LessOrEqual => a.le(b),
        }
    }
    /// nan if an operand is, and −0 < 0.
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
    fn truncation(&self, a: &Float) -> Option<(Float, Bool)> {
        let integral = a.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_zero());
        let finite = Bool::or(&[a.is_nan(), a.is_infinite()]).not();
        Some((self.add(&integral, &self.index(0)), finite))
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
    fn apply(&self, name: &str, arguments: &[Float]) -> Option<Float> {
        applied(name, &(if self.0 == 32 { Sort::float32() } else { Sort::double() }), arguments).as_float()
    }
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// A number, and when it is defined.
#[derive(Clone, Debug)]
pub struct Number<N> {
    /// The number; any one where it is undefined.
    pub number: N,
    /// When it is defined.
    pub defined: Bool,
}

/// A truth value, and when it is defined.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The truth value.
    pub truth: Bool,
    /// When it is defined.
    pub defined: Bool,
}

/// `V ∪ {•}` over a theory.
#[derive(Clone, Copy, Debug)]
pub struct Smt<T>(pub T);

fn both(a: &Bool, b: &Bool) -> Bool {
    Bool::and(&[a, b])
}

impl<T: Theory> Smt<T> {
    fn of(&self, number: T::Number, defined: Bool) -> Number<T::Number> {
        Number { number, defined }
    }

    /// A defined number.
    pub fn exactly(&self, number: T::Number) -> Number<T::Number> {
        self.of(number, Bool::from_bool(true))
    }

    /// Any value; `undefined` says whether it may be `•`.
    pub fn any(&self, undefined: bool) -> Number<T::Number> {
        let defined = if undefined { Bool::fresh_const("defined") } else { Bool::from_bool(true) };
        self.of(self.0.any("value"), defined)
    }

    /// Any truth value.
    pub fn any_truth(&self, undefined: bool) -> Truth {
        let defined = if undefined { Bool::fresh_const("defined") } else { Bool::from_bool(true) };
        Truth { truth: Bool::fresh_const("truth"), defined }
    }
}

impl<T: Theory> ValueDomain for Smt<T> {
    type Value = Number<T::Number>;
    type Truth = Truth;
    type Array = Vec<Self::Value>;

    fn undefined(&self) -> Self::Value {
        self.of(self.0.index(0), Bool::from_bool(false))
    }

    fn index(&self, index: i64) -> Self::Value {
        self.of(self.0.index(index), Bool::from_bool(true))
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.of(self.0.add(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn sub(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.of(self.0.sub(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn mul(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.of(self.0.mul(&a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn div(&self, division: Division, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let divides = both(&b.defined, &self.0.is_zero(&b.number).not());
        let quotient = self.0.quotient(&a.number, &b.number);
        match division {
            Division::Extended => self.of(quotient, both(&a.defined, &divides)),
            Division::Controlled => {
                let number = self.0.select(&divides, &quotient, &self.0.index(0));
                let defined = both(&a.defined, &Bool::or(&[divides, self.0.is_zero(&a.number)]));
                self.of(number, defined)
            }
        }
    }

    fn compare(&self, comparison: Comparison, a: &Self::Value, b: &Self::Value) -> Truth {
        let truth = self.0.compare(comparison, &a.number, &b.number);
        Truth { truth, defined: both(&a.defined, &b.defined) }
    }

    fn same(&self, a: &Self::Value, b: &Self::Value) -> Truth {
        let same = both(&a.defined, &self.0.same(&a.number, &b.number));
        let undefined = Bool::or(&[&a.defined, &b.defined]).not();
        let truth = Bool::or(&[both(&b.defined, &same), undefined]);
        Truth { truth, defined: Bool::from_bool(true) }
    }

    fn select(&self, truth: &Truth, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let defined = both(&truth.defined, &truth.truth.ite(&a.defined, &b.defined));
        self.of(self.0.select(&truth.truth, &a.number, &b.number), defined)
    }

    fn literal(&self, literal: &Literal) -> Result<Self::Value, LiteralError> {
        let number = self.0.literal(literal).ok_or(LiteralError::NotRepresentable(self.0.system()))?;
        Ok(self.of(number, Bool::from_bool(true)))
    }

    fn integer_operation(
        &self,
        operation: IntegerOperation,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Self::Value {
        let defined = both(&a.defined, &b.defined);
        match (operation, self.0.integer_operation(operation, &a.number, &b.number)) {
            (IntegerOperation::Div | IntegerOperation::Mod | IntegerOperation::Rem, Some(number)) => {
                self.of(number, both(&defined, &self.0.is_zero(&b.number).not()))
            }
            (_, Some(number)) => self.of(number, defined),
            (_, None) => self.any(true),
        }
    }

    fn extremum(&self, extremum: Extremum, a: &Self::Value, b: &Self::Value) -> Self::Value {
        self.of(self.0.extremum(extremum, &a.number, &b.number), both(&a.defined, &b.defined))
    }

    fn absolute(&self, a: &Self::Value) -> Self::Value {
        self.of(self.0.absolute(&a.number), a.defined.clone())
    }

    fn truncation(&self, a: &Self::Value) -> Self::Value {
        match self.0.truncation(&a.number) {
            Some((number, exists)) => self.of(number, both(&a.defined, &exists)),
            None => self.any(true),
        }
    }

    fn extremum_identity(&self, extremum: Extremum) -> Self::Value {
        self.0.extremum_identity(extremum).map_or_else(|| self.undefined(), |number| self.exactly(number))
    }

    fn truth(&self, known: Option<bool>) -> Truth {
        Truth { truth: Bool::from_bool(known.unwrap_or(false)), defined: Bool::from_bool(known.is_some()) }
    }

    fn connect(&self, connective: Connective, a: &Truth, b: &Truth) -> Truth {
        let truth = match connective {
            Connective::And => both(&a.truth, &b.truth),
            Connective::Or => Bool::or(&[&a.truth, &b.truth]),
            Connective::Xor => a.truth.xor(&b.truth),
        };
        Truth { truth, defined: both(&a.defined, &b.defined) }
    }

    fn known(&self, truth: &Truth) -> Option<bool> {
        if truth.defined.as_bool() == Some(true) { truth.truth.as_bool() } else { None }
    }
}
