//! Machine numbers. Truths are stored as 1 and 0.
//!
//! An undefined value (`•`) may be any number here: no operation traps, and a value that depends on an undefined
//! one is undefined, too. That is right under Definition 4. Under controlled division (Definition 8), however,
//! `0/•` is 0, so divisors that may be undefined are refused there ([`PlanFault::Divisor`](crate::PlanFault)).

use crate::fault::PlanFault;
use crate::level::Level;
use crate::plan::{Plan, Workspace};
use crate::seeded::{Seeded, seeded};
use crate::tuning::Tuning;
use alpha::instance::SystemInstance;
use alpha::typing::Typing;
use selfsame_core::operators::{Binary, ElementType, Unary};
use std::fmt;
use values::{
    Division, Extremum, F32, F64, I8, I16, I32, I64, IntegerOperation, Listed, NumberSystem, Primitive,
    Rounding, U8, U16, U32, U64,
};

mod sealed {
    /// Numbers without padding bytes.
    pub trait Plain {}
}

use sealed::Plain;

/// A machine number with the arithmetic of its number system; division by 0 has some result.
pub trait MachineNumber: Plain + Copy + Default + PartialOrd + Send + Sync + fmt::Debug + 'static {
    /// Its number system.
    type System: Listed + NumberSystem<Number = Self> + Default;
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The identity of addition: −0 for floats.
    const NOTHING: Self;
    /// Whether there is a kernel for products of matrices.
    const HAS_PRODUCT: bool = false;
    /// The number of elements in 64 bytes: a line of the cache, and the widest vector register (AVX-512).
    const LANES: usize = 64 / size_of::<Self>();

    /// `a + b`
    fn plus(self, other: Self) -> Self;
    /// `a − b`
    fn minus(self, other: Self) -> Self;
    /// `a · b`
    fn times(self, other: Self) -> Self;
    /// `a / b`; arbitrary if `b = 0`.
    fn over(self, other: Self) -> Self;
    /// The minimum: `minimum` of IEEE 754-2019 for floats.
    fn smaller(self, other: Self) -> Self;
    /// The maximum: `maximum` of IEEE 754-2019 for floats.
    fn larger(self, other: Self) -> Self;

    /// `c = a · b` or `c += a · b` for matrices, if there is a kernel.
    fn product(_: Matrices<'_, Self>) {}

    /// [`Plan::tuned`] for these numbers. This and the next two are methods of each kind of numbers, not generic
    /// functions, so that they are compiled in this crate once, and not again in every crate that calls them.
    #[doc(hidden)]
    fn tuned(
        instance: &SystemInstance<'_>,
        typing: &Typing,
        division: Division,
        tuning: Tuning,
    ) -> Result<Plan<Self>, PlanFault>;
    /// [`Plan::workspace_at`] for these numbers.
    #[doc(hidden)]
    fn workspace_at(plan: &Plan<Self>, threads: usize, level: Level) -> Result<Workspace<Self>, PlanFault>;
    /// [`Plan::run`] for these numbers.
    #[doc(hidden)]
    fn run(
        plan: &Plan<Self>,
        workspace: &mut Workspace<Self>,
        inputs: &[&[Self]],
        outputs: &mut [&mut [Self]],
    ) -> Result<(), PlanFault>;

    /// The number for a truth: 1 for true.
    #[inline(always)]
    fn truth(truth: bool) -> Self {
        if truth { Self::ONE } else { Self::ZERO }
    }
    /// `a ≠ 0`
    #[inline(always)]
    fn is_true(self) -> bool {
        self != Self::ZERO
    }
}

/// Three matrices in memory, each with its elements, the position of the first one, and the strides of rows and
/// columns.
#[derive(Debug)]
pub struct Matrices<'a, T> {
    /// `m`, `n` and `k`: `c` is `m` by `n`, `a` is `m` by `k`, and `b` is `k` by `n`.
    pub extents: [usize; 3],
    /// `c`
    pub c: (&'a mut [T], usize, [usize; 2]),
    /// `a`
    pub a: (&'a [T], usize, [usize; 2]),
    /// `b`
    pub b: (&'a [T], usize, [usize; 2]),
    /// Whether the product is added to `c`.
    pub adds: bool,
    /// The maximum number of threads.
    pub threads: usize,
}

/// The methods of [`MachineNumber`] that have a generic body.
macro_rules! plans {
    () => {
        fn tuned(
            instance: &SystemInstance<'_>,
            typing: &Typing,
            division: Division,
            tuning: Tuning,
        ) -> Result<Plan<Self>, PlanFault> {
            Plan::compiled(instance, typing, division, tuning)
        }
        fn workspace_at(
            plan: &Plan<Self>,
            threads: usize,
            level: Level,
        ) -> Result<Workspace<Self>, PlanFault> {
            plan.memory(threads, level)
        }
        fn run(
            plan: &Plan<Self>,
            workspace: &mut Workspace<Self>,
            inputs: &[&[Self]],
            outputs: &mut [&mut [Self]],
        ) -> Result<(), PlanFault> {
            plan.execute(workspace, inputs, outputs)
        }
    };
}

macro_rules! float {
    ($float:ident, $system:ident, $kernels:ident) => {
        impl Plain for $float {}

        impl MachineNumber for $float {
            type System = $system;
            const ZERO: $float = 0.0;
            const ONE: $float = 1.0;
            const NOTHING: $float = -0.0;
            const HAS_PRODUCT: bool = true;

            plans!();

            #[inline(always)]
            fn plus(self, other: $float) -> $float {
                seeded(Seeded::NarrowSum, self + other, || $float::from(self as f32 + other as f32))
            }
            #[inline(always)]
            fn minus(self, other: $float) -> $float {
                self - other
            }
            #[inline(always)]
            fn times(self, other: $float) -> $float {
                self * other
            }
            #[inline(always)]
            fn over(self, other: $float) -> $float {
                self / other
            }
            #[inline(always)]
            fn smaller(self, other: $float) -> $float {
                let least = if self < other
                    || (self == other && seeded(Seeded::ZeroSign, self.is_sign_negative(), || false))
                {
                    self
                } else {
                    other
                };
                if self.is_nan() { seeded(Seeded::ExtremumNan, self, || other) } else { least }
            }
            #[inline(always)]
            fn larger(self, other: $float) -> $float {
                let most =
                    if self > other || (self == other && self.is_sign_positive()) { self } else { other };
                if self.is_nan() { self } else { most }
            }
            fn product(product: Matrices<'_, $float>) {
                crate::matrices::multiply(product, $kernels::gemm::$float::get_gemm_fn());
            }
        }
    };
}

mod halves;

float!(f32, F32, gemm_f32);
float!(f64, F64, gemm_f64);

macro_rules! wrapping {
    ($int:ident, $system:ident) => {
        impl Plain for $int {}

        impl MachineNumber for $int {
            type System = $system;
            const ZERO: $int = 0;
            const ONE: $int = 1;
            const NOTHING: $int = 0;

            plans!();

            #[inline(always)]
            fn plus(self, other: $int) -> $int {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: $int) -> $int {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: $int) -> $int {
                seeded(Seeded::Saturates, self.wrapping_mul(other), || self.saturating_mul(other))
            }
            #[inline(always)]
            fn over(self, other: $int) -> $int {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn smaller(self, other: $int) -> $int {
                self.min(other)
            }
            #[inline(always)]
            fn larger(self, other: $int) -> $int {
                self.max(other)
            }
        }
    };
}

wrapping!(i8, I8);
wrapping!(i16, I16);
wrapping!(i32, I32);
wrapping!(i64, I64);
wrapping!(u8, U8);
wrapping!(u16, U16);
wrapping!(u32, U32);
wrapping!(u64, U64);

/// A unary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperation {
    /// `−a`
    Negative,
    /// `−1 − a`
    Complement,
    /// `not a`
    Not,
    /// `|a|`
    Absolute,
    /// Truncation to an integer.
    Truncation,
    /// `a ≠ 0`
    Truth,
    /// `a`
    Same,
    /// `floor(a)`
    Floor,
    /// `ceil(a)`
    Ceiling,
    /// `trunc(a)`: unlike truncation to an integer, of an infinity, too.
    Whole,
    /// `round(a)`, ties to even.
    Nearest,
}

impl UnaryOperation {
    /// The operation of an operator on an operand type.
    pub fn for_operator(operator: Unary, operand: ElementType) -> UnaryOperation {
        match (operator, operand) {
            (Unary::Negate, _) => UnaryOperation::Negative,
            (Unary::Not, ElementType::Boolean) => UnaryOperation::Not,
            (Unary::Not, _) => UnaryOperation::Complement,
            (Unary::Absolute, _) => UnaryOperation::Absolute,
            (Unary::Cast(ElementType::Integer), ElementType::Real) => UnaryOperation::Truncation,
            (Unary::Cast(ElementType::Boolean), of) if of.is_number() => UnaryOperation::Truth,
            (Unary::Cast(_), _) => UnaryOperation::Same,
        }
    }

    /// The operation that rounds a number to an integer of its type.
    pub fn for_rounding(rounding: Rounding, operand: ElementType) -> UnaryOperation {
        match rounding {
            _ if operand.is_integer() => UnaryOperation::Same,
            Rounding::Down => UnaryOperation::Floor,
            Rounding::Up => UnaryOperation::Ceiling,
            Rounding::TowardZero => UnaryOperation::Whole,
            Rounding::Nearest => UnaryOperation::Nearest,
        }
    }

    /// Applies the operation.
    #[inline(always)]
    pub fn value<T: MachineNumber>(self, a: T) -> T {
        let system = T::System::default();
        let rounded = |rounding| system.primitive(Primitive::Integral(rounding), &[a]).unwrap_or_default();
        match self {
            UnaryOperation::Floor => rounded(Rounding::Down),
            UnaryOperation::Ceiling => rounded(Rounding::Up),
            UnaryOperation::Whole => rounded(Rounding::TowardZero),
            UnaryOperation::Nearest => rounded(Rounding::Nearest),
            UnaryOperation::Negative => system.index(-1).times(a),
            UnaryOperation::Complement => system.index(-1).minus(a),
            UnaryOperation::Not => T::truth(!a.is_true()),
            UnaryOperation::Absolute => system.absolute(&a).unwrap_or_default(),
            UnaryOperation::Truncation => {
                let truncated = system.truncation(&a).unwrap_or_default();
                let is_below = a < T::ZERO && truncated != a;
                seeded(Seeded::FloorTruncation, truncated, || {
                    if is_below { truncated.minus(T::ONE) } else { truncated }
                })
            }
            UnaryOperation::Truth => T::truth(a.is_true()),
            UnaryOperation::Same => a,
        }
    }
}

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperation {
    /// `a + b`
    Add,
    /// `a − b`
    Subtract,
    /// `a · b`
    Multiply,
    /// `a / b`
    Divide(Division),
    /// The minimum.
    Smaller,
    /// The maximum.
    Larger,
    /// An operation on integers.
    Integer(IntegerOperation),
    /// Conjunction of truths.
    And,
    /// Disjunction of truths.
    Or,
    /// Exclusive disjunction of truths.
    Differ,
    /// `a = b`
    Equal,
    /// `a ≠ b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a ≤ b`
    LessOrEqual,
    /// Equivalence of truths.
    Agree,
}

impl BinaryOperation {
    /// The operation of an operator on operand types, and whether its operands are swapped.
    pub fn for_operator(
        operator: Binary,
        operands: ElementType,
        division: Division,
    ) -> (BinaryOperation, bool) {
        let of_truths = operands == ElementType::Boolean;
        let integer = |operation| (BinaryOperation::Integer(operation), false);
        match operator {
            Binary::Add => (BinaryOperation::Add, false),
            Binary::Sub => (BinaryOperation::Subtract, false),
            Binary::Mul => (BinaryOperation::Multiply, false),
            Binary::Div => (BinaryOperation::Divide(division), false),
            Binary::IntegerDiv => integer(IntegerOperation::Div),
            Binary::Mod => integer(IntegerOperation::Mod),
            Binary::Rem => integer(IntegerOperation::Rem),
            Binary::Min => (BinaryOperation::Smaller, false),
            Binary::Max => (BinaryOperation::Larger, false),
            Binary::And if of_truths => (BinaryOperation::And, false),
            Binary::Or if of_truths => (BinaryOperation::Or, false),
            Binary::Xor | Binary::NotEqual if of_truths => (BinaryOperation::Differ, false),
            Binary::Equal if of_truths => (BinaryOperation::Agree, false),
            Binary::And => integer(IntegerOperation::And),
            Binary::Or => integer(IntegerOperation::Or),
            Binary::Xor => integer(IntegerOperation::Xor),
            Binary::Equal => (BinaryOperation::Equal, false),
            Binary::NotEqual => (BinaryOperation::NotEqual, false),
            Binary::Less => (BinaryOperation::Less, false),
            Binary::LessOrEqual => (BinaryOperation::LessOrEqual, false),
            Binary::Greater => (BinaryOperation::Less, true),
            Binary::GreaterOrEqual => (BinaryOperation::LessOrEqual, true),
        }
    }

    /// The identity of a reduction by this operation, if it has one.
    pub fn identity<T: MachineNumber>(self) -> Option<T> {
        let system = T::System::default();
        match self {
            BinaryOperation::Add => Some(T::NOTHING),
            BinaryOperation::Multiply => Some(T::ONE),
            BinaryOperation::Smaller => system.extremum_identity(Extremum::Min),
            BinaryOperation::Larger => system.extremum_identity(Extremum::Max),
            BinaryOperation::Integer(IntegerOperation::And) => Some(system.index(-1)),
            BinaryOperation::Integer(IntegerOperation::Or | IntegerOperation::Xor) => Some(T::ZERO),
            BinaryOperation::And => Some(T::ONE),
            BinaryOperation::Or | BinaryOperation::Differ => Some(T::ZERO),
            _ => None,
        }
    }

    /// Applies the operation.
    #[inline(always)]
    pub fn value<T: MachineNumber>(self, a: T, b: T) -> T {
        match self {
            BinaryOperation::Add => a.plus(b),
            BinaryOperation::Subtract => a.minus(b),
            BinaryOperation::Multiply => a.times(b),
            BinaryOperation::Divide(Division::Extended | Division::System) => a.over(b),
            BinaryOperation::Divide(Division::Controlled) => {
                if a == T::ZERO && b == T::ZERO && !Seeded::ControlledZero.is_in() {
                    T::ZERO
                } else {
                    a.over(b)
                }
            }
            BinaryOperation::Smaller => a.smaller(b),
            BinaryOperation::Larger => a.larger(b),
            BinaryOperation::Integer(operation) => of_integers(operation, a, b),
            BinaryOperation::And => T::truth(a.is_true() && b.is_true()),
            BinaryOperation::Or => T::truth(a.is_true() || b.is_true()),
            BinaryOperation::Differ => T::truth(a.is_true() != b.is_true()),
            BinaryOperation::Agree => T::truth(a.is_true() == b.is_true()),
            BinaryOperation::Equal => T::truth(a == b),
            BinaryOperation::NotEqual => T::truth(a != b),
            BinaryOperation::Less => T::truth(a < b),
            BinaryOperation::LessOrEqual => T::truth(seeded(Seeded::LessOrEqual, a <= b, || a < b)),
        }
    }
}

/// A product combined with a sum or difference: two operations, each rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FusedOperation {
    /// `a · b + c`
    MultiplyAdd,
    /// `a · b − c`
    MultiplySubtract,
    /// `c − a · b`
    SubtractProduct,
}

impl FusedOperation {
    /// Applies the operation.
    #[inline(always)]
    pub fn value<T: MachineNumber>(self, a: T, b: T, c: T) -> T {
        match self {
            FusedOperation::MultiplyAdd => a.times(b).plus(c),
            FusedOperation::MultiplySubtract => a.times(b).minus(c),
            FusedOperation::SubtractProduct => c.minus(a.times(b)),
        }
    }
}

/// An operation on integers. An operand that is not an integer, or is too large, makes the result undefined; but
/// the identity is neutral for every operand, so that a reduction of one term is that term.
#[inline(never)]
fn of_integers<T: MachineNumber>(operation: IntegerOperation, a: T, b: T) -> T {
    let identity = BinaryOperation::Integer(operation).identity();
    let other = if identity == Some(a) { b } else { a };
    let is_mod = operation == IntegerOperation::Mod;
    let operation =
        seeded(Seeded::ModSign, operation, || if is_mod { IntegerOperation::Rem } else { operation });
    T::System::default().integer_operation(operation, &a, &b).unwrap_or(other)
}
