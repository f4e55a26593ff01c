//! Scalar functions with a fixed meaning on each element type, beyond the operators of Table 1 of ALPHA's report.

use super::digits::{MAX_BITS, limited};
use super::scalar::{Arithmetic, Scalar};
use super::{ElementClass, ElementType, Extremum, IntegerOperation, Literal};
use dashu_base::{Abs, BitTest, Signed, UnsignedAbs};
use dashu_int::IBig;
use dashu_ratio::RBig;
use half::{bf16, f16};
use std::cmp::Ordering;

/// How a number is rounded, to an integer or to a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To the nearest; of two, to the even one.
    Nearest,
    /// Toward zero.
    TowardZero,
    /// Down.
    Down,
    /// Up.
    Up,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 4] = [Rounding::Nearest, Rounding::TowardZero, Rounding::Down, Rounding::Up];

    /// The name of the function, and of the attribute of a cast.
    pub fn keyword(self) -> &'static str {
        match self {
            Rounding::Nearest => "round",
            Rounding::TowardZero => "trunc",
            Rounding::Down => "floor",
            Rounding::Up => "ceil",
        }
    }

    fn exact(self, a: &RBig) -> IBig {
        match self {
            Rounding::Nearest => {
                let (below, half) = (a.floor(), RBig::from_parts(IBig::ONE, 2u8.into()));
                let above = &below + IBig::ONE;
                match (a - RBig::from(below.clone())).cmp(&half) {
                    Ordering::Less => below,
                    Ordering::Greater => above,
                    Ordering::Equal => {
                        if below.bit(0) {
                            above
                        } else {
                            below
                        }
                    }
                }
            }
            Rounding::TowardZero => a.trunc(),
            Rounding::Down => a.floor(),
            Rounding::Up => a.ceil(),
        }
    }

    /// As IEEE 754's `roundToIntegral`: the sign stays, of zeros too.
    fn float(self, a: f64) -> f64 {
        match self {
            Rounding::Nearest => a.round_ties_even(),
            Rounding::TowardZero => a.trunc(),
            Rounding::Down => a.floor(),
            Rounding::Up => a.ceil(),
        }
    }
}

/// What a cast to an integer that wraps does where the type lacks the integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Overflow {
    /// The integer modulo 2ⁿ; undefined for an infinity and nan.
    Wrap,
    /// The nearest that the type has; 0 for nan.
    Saturate,
    /// Undefined.
    Undefined,
}

impl Overflow {
    /// All of them.
    pub const ALL: [Overflow; 3] = [Overflow::Wrap, Overflow::Saturate, Overflow::Undefined];

    /// The name of the attribute of a cast.
    pub fn keyword(self) -> &'static str {
        match self {
            Overflow::Wrap => "wrap",
            Overflow::Saturate => "saturate",
            Overflow::Undefined => "undefined",
        }
    }
}

/// A cast to integers that says how it rounds, and what it does where an integer does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Conversion {
    /// The type of the result: integers.
    pub to: ElementType,
    /// How a real or a float is rounded.
    pub rounding: Rounding,
    /// What becomes of an integer that does not fit.
    pub overflow: Overflow,
}

impl Conversion {
    /// What a cast without attributes does: toward zero, and integers modulo 2ⁿ; a real or a float that does not fit is undefined.
    pub fn plain(from: ElementType, to: ElementType) -> Conversion {
        let overflow = if from.is_integer() { Overflow::Wrap } else { Overflow::Undefined };
        Conversion { to, rounding: Rounding::TowardZero, overflow }
    }
}

/// A scalar function with a fixed meaning on each element type. All are strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    /// `round(a)`, `trunc(a)`, `floor(a)`, `ceil(a)`: the integer, as a number of the same type.
    Integral(Rounding),
    /// `sign(a)`: 1, −1, or the number itself for ±0 and nan.
    Sign,
    /// `is_finite(a)`: neither an infinity nor nan.
    IsFinite,
    /// `popcount(a)`: the number of bits that are 1; undefined for a negative integer of unlimited length.
    PopulationCount,
    /// `quot(a, b)`: the quotient, rounded toward zero; undefined where `b` is 0. The least signed integer over −1 is itself.
    Quotient,
    /// `shl(a, k)`: `a · 2^k`. Bits that are shifted out of an integer that wraps are lost: all of them where `k`, read without
    /// a sign, is at least their number. Undefined for an integer of unlimited length and a negative `k`.
    ShiftLeft,
    /// `lshr(a, k)`: the bits of `a` as an integer without a sign, shifted to the right; as for `shl`. Undefined for a negative
    /// integer of unlimited length.
    LogicalShiftRight,
    /// `ashr(a, k)`: the bits of `a`, shifted to the right, the first bit being repeated; as for `shl`.
    ArithmeticShiftRight,
    /// `bitcast(a; t)`: the number of another type with the same bits. Every nan has the bits of the quiet nan without a sign.
    Bitcast(ElementType),
    /// `i8(a; floor, saturate)`, …
    Convert(Conversion),
    /// `f32(a; floor)`, …: a number as a float, rounded so as IEEE 754 says: what is too large becomes an infinity, or the greatest
    /// float if it is rounded toward 0.
    Narrow(ElementType, Rounding),
}

impl Primitive {
    /// Those without parameters, with their names.
    pub const NAMED: [(&str, Primitive); 11] = [
        ("round", Primitive::Integral(Rounding::Nearest)),
        ("trunc", Primitive::Integral(Rounding::TowardZero)),
        ("floor", Primitive::Integral(Rounding::Down)),
        ("ceil", Primitive::Integral(Rounding::Up)),
        ("sign", Primitive::Sign),
        ("is_finite", Primitive::IsFinite),
        ("popcount", Primitive::PopulationCount),
        ("quot", Primitive::Quotient),
        ("shl", Primitive::ShiftLeft),
        ("lshr", Primitive::LogicalShiftRight),
        ("ashr", Primitive::ArithmeticShiftRight),
    ];

    /// The name as it is written; that of the type for a cast.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Bitcast(_) => "bitcast",
            Primitive::Convert(Conversion { to, .. }) | Primitive::Narrow(to, _) => to.keyword(),
            named => Primitive::NAMED.iter().find(|(_, of)| *of == named).map_or("", |(name, _)| name),
        }
    }

    /// Applied to written operands: `i8(x; floor, saturate)`.
    pub fn applied(self, operands: &str) -> String {
        match self {
            Primitive::Bitcast(to) => format!("bitcast({operands}; {to})"),
            Primitive::Convert(Conversion { to, rounding, overflow }) => {
                format!("{to}({operands}; {}, {})", rounding.keyword(), overflow.keyword())
            }
            Primitive::Narrow(to, rounding) => format!("{to}({operands}; {})", rounding.keyword()),
            named => format!("{}({operands})", named.name()),
        }
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            Primitive::Quotient
            | Primitive::ShiftLeft
            | Primitive::LogicalShiftRight
            | Primitive::ArithmeticShiftRight => 2,
            _ => 1,
        }
    }

    /// Whether it shifts bits.
    pub fn is_shift(self) -> bool {
        matches!(self, Primitive::ShiftLeft | Primitive::LogicalShiftRight | Primitive::ArithmeticShiftRight)
    }

    /// The type in it: that of the result.
    pub fn target(self) -> Option<ElementType> {
        match self {
            Primitive::Bitcast(to) | Primitive::Convert(Conversion { to, .. }) | Primitive::Narrow(to, _) => {
                Some(to)
            }
            _ => None,
        }
    }

    /// The primitive with what a number system takes for the type in it.
    #[must_use]
    pub fn typed(self, of: impl Fn(ElementType) -> ElementType) -> Primitive {
        match self {
            Primitive::Bitcast(to) => Primitive::Bitcast(of(to)),
            Primitive::Convert(conversion) => {
                Primitive::Convert(Conversion { to: of(conversion.to), ..conversion })
            }
            Primitive::Narrow(to, rounding) => Primitive::Narrow(of(to), rounding),
            named => named,
        }
    }

    /// Whether it is undefined for some defined operands.
    pub fn is_partial(self) -> bool {
        !matches!(
            self,
            Primitive::Integral(_)
                | Primitive::Sign
                | Primitive::IsFinite
                | Primitive::Bitcast(_)
                | Primitive::Narrow(..)
        )
    }

    /// The type of the result, if it accepts operands of these types.
    pub fn result(self, operands: &[ElementType]) -> Option<ElementType> {
        let (&of, others) = operands.split_first()?;
        if operands.len() != self.arity() || others.iter().any(|other| *other != of) {
            return None;
        }
        match self {
            Primitive::Integral(_) | Primitive::Sign => of.is_ordered().then_some(of),
            Primitive::IsFinite => of.is_ordered().then_some(ElementType::Boolean),
            Primitive::Bitcast(to) => (of.bits().is_some() && of.bits() == to.bits()).then_some(to),
            Primitive::Convert(Conversion { to, .. }) => (of.is_ordered() && to.is_integer()).then_some(to),
            Primitive::Narrow(to, _) => (of.is_ordered() && to.is_float()).then_some(to),
            _ => of.is_integer().then_some(of),
        }
    }

    /// The value, if it is a number that exists; operands of other types are a fault of typing, and have none. The types of
    /// results are those of machines, or abstract ones that stand for themselves.
    pub fn value(self, operands: &[Scalar]) -> Option<Scalar> {
        let a = operands.first()?;
        match (self, operands) {
            (Primitive::Integral(rounding), _) => integral(rounding, a),
            (Primitive::Sign, _) => sign(a),
            (Primitive::IsFinite, _) => None,
            (Primitive::PopulationCount, _) => population_count(a),
            (Primitive::Bitcast(to), _) => a.bits().and_then(|bits| Scalar::of_bits(to, bits)),
            (Primitive::Convert(conversion), _) => converted(conversion, a),
            (Primitive::Narrow(to, rounding), _) => narrowed((to, rounding), a),
            // In a domain of one kind of numbers, integers are reals.
            (Primitive::Quotient, [_, b]) => a
                .operation(Arithmetic::Quotient, b)
                .and_then(|quotient| integral(Rounding::TowardZero, &quotient)),
            (shift, [_, by]) => match (a, by) {
                (Scalar::Integer(a), Scalar::Integer(by)) => shifted(shift, a, by).map(Scalar::Integer),
                _ => machine_shifted(shift, a, by.bits()?),
            },
            _ => None,
        }
    }
}

impl ElementType {
    /// The number of bits of a machine number.
    pub fn bits(self) -> Option<u32> {
        match self.class() {
            ElementClass::Wrapping { bits, .. } | ElementClass::Floats { bits, .. } => Some(bits),
            _ => None,
        }
    }
}

fn integral(rounding: Rounding, a: &Scalar) -> Option<Scalar> {
    Some(match a {
        Scalar::F16(a) => Scalar::F16(f16::from_f32(rounding.float(a.to_f64()) as f32)),
        Scalar::BF16(a) => Scalar::BF16(bf16::from_f32(rounding.float(a.to_f64()) as f32)),
        Scalar::F32(a) => Scalar::F32(rounding.float(f64::from(*a)) as f32),
        Scalar::F64(a) => Scalar::F64(rounding.float(*a)),
        Scalar::Real(a) => Scalar::Real(rounding.exact(a).into()),
        Scalar::Field(_) => return None,
        integer => integer.clone(),
    })
}

fn sign(a: &Scalar) -> Option<Scalar> {
    a.element_type().is_ordered().then(|| match a.order(&a.like(0)) {
        Some(Ordering::Less) => a.like(-1),
        Some(Ordering::Greater) => a.like(1),
        Some(Ordering::Equal) | None => a.clone(),
    })
}

fn population_count(a: &Scalar) -> Option<Scalar> {
    match a {
        Scalar::Integer(a) if a.is_negative() => None,
        Scalar::Integer(a) => {
            let ones = a.unsigned_abs().count_ones();
            Some(Scalar::Integer(ones.into()))
        }
        _ => Some(a.like(a.bits()?.count_ones().into())),
    }
}

impl Scalar {
    /// The bits of a machine number, the others being 0; those of the quiet nan without a sign for every nan.
    pub fn bits(&self) -> Option<u64> {
        Some(match self {
            Scalar::I8(a) => u64::from(*a as u8),
            Scalar::I16(a) => u64::from(*a as u16),
            Scalar::I32(a) => u64::from(*a as u32),
            Scalar::I64(a) => *a as u64,
            Scalar::U8(a) => u64::from(*a),
            Scalar::U16(a) => u64::from(*a),
            Scalar::U32(a) => u64::from(*a),
            Scalar::U64(a) => *a,
            Scalar::F16(a) if a.is_nan() => 0x7e00,
            Scalar::F16(a) => u64::from(a.to_bits()),
            Scalar::BF16(a) if a.is_nan() => 0x7fc0,
            Scalar::BF16(a) => u64::from(a.to_bits()),
            Scalar::F32(a) if a.is_nan() => 0x7fc0_0000,
            Scalar::F32(a) => u64::from(a.to_bits()),
            Scalar::F64(a) if a.is_nan() => 0x7ff8_0000_0000_0000,
            Scalar::F64(a) => a.to_bits(),
            Scalar::Integer(_) | Scalar::Real(_) | Scalar::Field(_) => return None,
        })
    }

    /// The machine number of a type with these bits; `None` if the type has fewer.
    pub fn of_bits(to: ElementType, bits: u64) -> Option<Scalar> {
        match to {
            ElementType::F16 => Some(Scalar::F16(f16::from_bits(u16::try_from(bits).ok()?))),
            ElementType::BF16 => Some(Scalar::BF16(bf16::from_bits(u16::try_from(bits).ok()?))),
            ElementType::F32 => Some(Scalar::F32(f32::from_bits(u32::try_from(bits).ok()?))),
            ElementType::F64 => Some(Scalar::F64(f64::from_bits(bits))),
            to => Scalar::index(to, bits.cast_signed()),
        }
    }
}

fn machine_shifted(shift: Primitive, a: &Scalar, by: u64) -> Option<Scalar> {
    let of = a.element_type();
    let ElementClass::Wrapping { bits: width, .. } = of.class() else { return None };
    let (a, too_far) = (a.bits()?, by >= u64::from(width));
    let unused = 64 - width;
    let shifted = match shift {
        Primitive::ShiftLeft | Primitive::LogicalShiftRight if too_far => 0,
        Primitive::ShiftLeft => a << by,
        Primitive::LogicalShiftRight => a >> by,
        Primitive::ArithmeticShiftRight => {
            let signed = (a << unused).cast_signed() >> unused;
            (signed >> by.min(63)).cast_unsigned()
        }
        _ => return None,
    };
    Scalar::index(of, shifted.cast_signed())
}

/// A shift of an integer of unlimited length.
fn shifted(shift: Primitive, a: &IBig, by: &IBig) -> Option<IBig> {
    if by.is_negative() || (shift == Primitive::LogicalShiftRight && a.is_negative()) {
        return None;
    }
    let longest = 2 * MAX_BITS;
    let by = usize::try_from(by).map_or(longest, |by| by.min(longest));
    Some(match shift {
        Primitive::ShiftLeft if a.is_zero() => IBig::ZERO,
        Primitive::ShiftLeft => limited(a << by, IBig::bit_len),
        // A number of at most MAX_BITS bits has been shifted out after MAX_BITS.
        _ => super::integers::exact_operation(IntegerOperation::Div, a, &(IBig::ONE << by))?,
    })
}

/// The nearest float, or the one beside it on the other side of the number.
fn narrowed((to, rounding): (ElementType, Rounding), a: &Scalar) -> Option<Scalar> {
    let (nearest, written) = (a.cast(to)?, a.write());
    let Ok(exact) = written.exact() else { return Some(nearest) };
    let is_negative = exact < RBig::ZERO;
    let grows = match rounding {
        Rounding::Nearest => return Some(nearest),
        Rounding::TowardZero => false,
        Rounding::Down => is_negative,
        Rounding::Up => !is_negative,
    };
    // The bits without the sign are in the order of magnitudes, an infinity the greatest.
    let sign = 1 << (to.bits()? - 1);
    let magnitude = nearest.bits()? & !sign;
    let order = match nearest.write().exact() {
        Ok(nearest) => nearest.abs().cmp(&exact.abs()),
        Err(_) => Ordering::Greater,
    };
    let beside = match (order, grows) {
        (Ordering::Less, true) => magnitude + 1,
        (Ordering::Greater, false) => magnitude - 1,
        _ => return Some(nearest),
    };
    Scalar::of_bits(to, if is_negative { beside | sign } else { beside })
}

fn converted(Conversion { to, rounding, overflow }: Conversion, a: &Scalar) -> Option<Scalar> {
    let saturated = |extremum| Scalar::extremum_identity(to, extremum);
    let wraps = matches!(to.class(), ElementClass::Wrapping { .. });
    let written = a.write();
    let Ok(exact) = written.exact() else {
        // An infinity or nan.
        return match (overflow, a.order(&a.like(0))) {
            (Overflow::Saturate, Some(Ordering::Less)) if wraps => saturated(Extremum::Max),
            (Overflow::Saturate, Some(_)) if wraps => saturated(Extremum::Min),
            (Overflow::Saturate, None) if wraps => Scalar::index(to, 0),
            _ => None,
        };
    };
    let integer = Literal::Exact(rounding.exact(&exact).into());
    match Scalar::read(to, &integer) {
        Ok(integer) => Some(integer),
        Err(_) => match overflow {
            Overflow::Undefined => None,
            Overflow::Wrap => Scalar::wrapped(to, &integer),
            // The identity of `max` is the least integer.
            Overflow::Saturate if exact < RBig::ZERO => saturated(Extremum::Max),
            Overflow::Saturate => saturated(Extremum::Min),
        },
    }
}
