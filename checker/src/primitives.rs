//! Functions with a fixed meaning ([`values::Primitive`]) as terms of z3.

use crate::theories::{Bits, Floats, IntegerTheory, Modular, Reals, Theory};
use crate::typed::{AnyTheory, TypedTerm, exact_value, exactly, float_function, is_finite};
use values::{ComparisonOperator, Conversion, Extremum, Overflow, Primitive, Rounding};
use z3::ast::{BV, Bool, Float, Int, Real, RoundingMode};

impl TypedTerm {
    /// A primitive whose result is a number, of the theory `to` for a cast, and whether that exists; `None` if z3 cannot
    /// express it.
    pub fn primitive(
        primitive: Primitive,
        to: Option<AnyTheory>,
        operands: &[&TypedTerm],
    ) -> Option<(TypedTerm, Bool)> {
        let always = Bool::from_bool(true);
        match (primitive, operands) {
            (Primitive::Integral(rounding), [a]) => Some((integral(rounding, a), always)),
            (Primitive::Sign, [a]) => Some((sign(a), always)),
            (Primitive::PopulationCount, [TypedTerm::Bits(t, a)]) => {
                Some((TypedTerm::Bits(*t, population_count(a, t.bits)), always))
            }
            (Primitive::Bitcast(_), [a]) => Some((bitcast(a, to?)?, always)),
            (Primitive::Convert(Conversion { rounding, overflow, .. }), [a]) => {
                converted((rounding, overflow), to?, a)
            }
            (Primitive::Narrow(_, rounding), [a]) => match to? {
                AnyTheory::Float(t) => Some((a.as_float(t, rounding)?, always)),
                _ => None,
            },
            (shift, [TypedTerm::Bits(t, a), TypedTerm::Bits(u, by)]) if t == u => {
                Some((TypedTerm::Bits(*t, shifted(shift, a, by)?), always))
            }
            (shift, [TypedTerm::Modular(t, a), TypedTerm::Modular(u, by)]) if t == u => {
                Some((TypedTerm::Modular(*t, modular_shifted(*t, shift, a, by)?), always))
            }
            _ => None,
        }
    }
}

/// A shift by a known distance.
fn modular_shifted(t: Modular, shift: Primitive, a: &Int, by: &Int) -> Option<Int> {
    let bits = i64::from(t.0.bits);
    let by = by.as_i64().filter(|by| (0..bits).contains(by))?;
    let power = IntegerTheory.literal(&exactly(&(dashu_int::IBig::ONE << usize::try_from(by).ok()?)))?;
    match shift {
        Primitive::ShiftLeft => Some(t.mul(a, &power)),
        // z3's division by a positive number rounds down.
        Primitive::LogicalShiftRight if !t.0.signed => Some(a / power),
        Primitive::ArithmeticShiftRight if t.0.signed => Some(a / power),
        _ => None,
    }
}

pub(crate) fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::Nearest => RoundingMode::round_nearest_ties_to_even(),
        Rounding::TowardZero => RoundingMode::round_towards_zero(),
        Rounding::Down => RoundingMode::round_towards_negative(),
        Rounding::Up => RoundingMode::round_towards_positive(),
    }
}

fn integral(rounding: Rounding, a: &TypedTerm) -> TypedTerm {
    match a {
        TypedTerm::Real(t, x) => TypedTerm::Real(*t, rounded(rounding, x).to_real()),
        TypedTerm::Float(t, x) => {
            TypedTerm::Float(*t, x.round_to_integral_with_rounding_mode(&mode(rounding)))
        }
        integer => integer.clone(),
    }
}

/// A real, rounded to an integer.
fn rounded(rounding: Rounding, x: &Real) -> Int {
    let down = |x: &Real| x.to_int();
    let up = |x: &Real| -down(&-x);
    match rounding {
        Rounding::Down => down(x),
        Rounding::Up => up(x),
        Rounding::TowardZero => x.ge(Reals.index(0)).ite(&down(x), &up(x)),
        Rounding::Nearest => {
            let below = down(x);
            let (rest, half) = (x - below.to_real(), Real::from_rational(1, 2));
            let is_odd = below.modulo(Int::from_i64(2)).eq(1);
            let goes_up = Bool::or(&[rest.gt(&half), Bool::and(&[rest.eq(&half), is_odd])]);
            goes_up.ite(&(&below + Int::from_i64(1)), &below)
        }
    }
}

/// 1, −1, or the number itself for ±0 and nan.
fn sign(a: &TypedTerm) -> TypedTerm {
    let zero = a.like(0);
    let positive = a.like(1).select(&zero.compare(ComparisonOperator::Less, a), a);
    a.like(-1).select(&a.compare(ComparisonOperator::Less, &zero), &positive)
}

fn population_count(a: &BV, bits: u32) -> BV {
    let ones = (0..bits).map(|at| {
        let bit = a.extract(at, at);
        if bits == 1 { bit } else { bit.zero_ext(bits - 1) }
    });
    ones.reduce(|sum, bit| sum.bvadd(&bit)).unwrap_or_else(|| a.clone())
}

/// z3 reads the distance without a sign, and shifts all bits out where it is too far, as we do.
fn shifted(shift: Primitive, a: &BV, by: &BV) -> Option<BV> {
    match shift {
        Primitive::ShiftLeft => Some(a.bvshl(by)),
        Primitive::LogicalShiftRight => Some(a.bvlshr(by)),
        Primitive::ArithmeticShiftRight => Some(a.bvashr(by)),
        _ => None,
    }
}

/// The bits, those of the quiet nan without a sign for every nan.
fn bits(a: &TypedTerm) -> Option<BV> {
    match a {
        TypedTerm::Bits(_, x) => Some(x.clone()),
        TypedTerm::Float(t, x) => {
            let quiet = (1 << (t.bits - t.precision)) - 1;
            let quiet = (quiet << 1 | 1) << (t.precision - 2);
            Some(x.is_nan().ite(&BV::from_u64(quiet, t.bits), &x.to_ieee_bv()))
        }
        TypedTerm::Real(..) | TypedTerm::Integer(..) | TypedTerm::Modular(..) | TypedTerm::Residue(..) => {
            None
        }
    }
}

fn bitcast(a: &TypedTerm, to: AnyTheory) -> Option<TypedTerm> {
    if let (TypedTerm::Modular(of, x), AnyTheory::Modular(t)) = (a, to) {
        return (of.0.bits == t.0.bits).then(|| TypedTerm::Modular(t, t.reduced(x)));
    }
    let bits = bits(a)?;
    match to {
        AnyTheory::Bits(t) if bits.get_size() == t.bits => Some(TypedTerm::Bits(t, bits)),
        AnyTheory::Float(t) if bits.get_size() == t.bits => {
            let Floats { bits: size, precision } = t;
            let function = format!("((_ to_fp {} {precision}) b)", size - precision);
            Some(TypedTerm::Float(t, float_function(&function, size, t)?.apply(&[&bits]).as_float()?))
        }
        _ => None,
    }
}

/// A cast to integers that rounds so, and does this where an integer does not fit; and whether its value exists.
pub(crate) fn converted(
    (rounding, overflow): (Rounding, Overflow),
    to: AnyTheory,
    a: &TypedTerm,
) -> Option<(TypedTerm, Bool)> {
    match (to, a) {
        (AnyTheory::Integer(t), a) => {
            let (integer, exists) = as_integer(rounding, a)?;
            Some((TypedTerm::Integer(t, integer), exists))
        }
        (AnyTheory::Bits(t), TypedTerm::Float(of, x)) => {
            let (bits, exists) = float_converted((rounding, overflow), (*of, x), t)?;
            Some((TypedTerm::Bits(t, bits), exists))
        }
        (AnyTheory::Bits(t), TypedTerm::Bits(of, x)) if overflow == Overflow::Wrap => {
            Some((TypedTerm::Bits(t, resized(x, *of, t)), Bool::from_bool(true)))
        }
        (AnyTheory::Bits(t), TypedTerm::Bits(of, x)) => {
            // One bit more than the widest type, so that all integers of both are there.
            let wide = resized(x, *of, Bits { bits: 65, signed: true });
            let least = BV::from_i64(i64::try_from(t.least()).ok()?, 64).sign_ext(1);
            let greatest = BV::from_u64(u64::try_from(t.beyond() - 1u8).ok()?, 64).zero_ext(1);
            let parts = [wide.bvslt(&least), greatest.bvslt(&wide)];
            Some(fitted(overflow, t, &resized(x, *of, t), parts))
        }
        (AnyTheory::Bits(t), a) => {
            let (integer, _) = as_integer(rounding, a)?;
            let bounds = [t.least(), t.beyond()].map(|bound| IntegerTheory.literal(&exactly(&bound)));
            let [Some(least), Some(beyond)] = bounds else { return None };
            let parts = [integer.lt(least), integer.ge(beyond)];
            Some(fitted(overflow, t, &BV::from_int(&integer, t.bits), parts))
        }
        (AnyTheory::Modular(t), a) => modular_converted((rounding, overflow), t, a),
        (AnyTheory::Real(_) | AnyTheory::Float(_) | AnyTheory::Residue(_), _) => None,
    }
}

/// The integer of some bits as bits of another type, modulo 2ⁿ.
fn resized(x: &BV, from: Bits, to: Bits) -> BV {
    match to.bits.checked_sub(from.bits) {
        Some(0) => x.clone(),
        Some(more) if from.signed => x.sign_ext(more),
        Some(more) => x.zero_ext(more),
        None => x.extract(to.bits - 1, 0),
    }
}

fn modular_converted(
    (rounding, overflow): (Rounding, Overflow),
    t: Modular,
    a: &TypedTerm,
) -> Option<(TypedTerm, Bool)> {
    let (integer, exists) = as_integer(rounding, a)?;
    let (number, exists) = match (overflow, a) {
        (Overflow::Wrap, _) => (t.reduced(&integer), exists),
        (Overflow::Undefined, _) => (t.reduced(&integer), Bool::and(&[exists, t.has(&integer)])),
        // An infinity and nan have an integer, but no exact value.
        (Overflow::Saturate, TypedTerm::Float(..)) => return None,
        (Overflow::Saturate, _) => {
            let [least, greatest] =
                [t.extremum_identity(Extremum::Max)?, t.extremum_identity(Extremum::Min)?];
            let capped = integer.gt(&greatest).ite(&greatest, &integer);
            (integer.lt(&least).ite(&least, &capped), exists)
        }
    };
    Some((TypedTerm::Modular(t, number), exists))
}

/// The bits of an integer modulo 2ⁿ, given whether the integer is too small, and whether it is too large.
fn fitted(overflow: Overflow, to: Bits, wrapped: &BV, [small, large]: [Bool; 2]) -> (TypedTerm, Bool) {
    let always = Bool::from_bool(true);
    let (bits, exists) = match overflow {
        Overflow::Wrap => (wrapped.clone(), always),
        Overflow::Undefined => (wrapped.clone(), Bool::or(&[small, large]).not()),
        Overflow::Saturate => (saturated(to, wrapped, [&small, &large]), always),
    };
    (TypedTerm::Bits(to, bits), exists)
}

fn saturated(to: Bits, bits: &BV, [small, large]: [&Bool; 2]) -> BV {
    let extreme = |extremum| to.extremum_identity(extremum).unwrap_or_else(|| to.index(0));
    small.ite(&extreme(Extremum::Max), &large.ite(&extreme(Extremum::Min), bits))
}

/// The exact integer, and whether it exists; `None` for a residue, which is that of many integers.
pub(crate) fn as_integer(rounding: Rounding, a: &TypedTerm) -> Option<(Int, Bool)> {
    let always = Bool::from_bool(true);
    Some(match a {
        TypedTerm::Integer(_, x) | TypedTerm::Modular(_, x) => (x.clone(), always),
        TypedTerm::Bits(t, x) => (x.to_int(t.signed), always),
        TypedTerm::Real(_, x) => (rounded(rounding, x), always),
        TypedTerm::Float(t, x) => (rounded(rounding, &exact_value(*t, x)), is_finite(x)),
        TypedTerm::Residue(..) => return None,
    })
}

/// A float as an integer that wraps. The bounds are powers of two, so floats, or beyond all of them.
fn float_converted(
    (rounding, overflow): (Rounding, Overflow),
    (of, x): (Floats, &Float),
    to: Bits,
) -> Option<(BV, Bool)> {
    let whole = x.round_to_integral_with_rounding_mode(&mode(rounding));
    let [least, beyond] = [to.least(), to.beyond()].map(|bound| of.literal(&exactly(&bound)));
    // A bound beyond all floats is an infinity, which is not less than itself.
    let is_least = Bool::and(&[x.is_infinite(), x.is_negative()]);
    let (small, large) = (Bool::or(&[whole.lt(least?), is_least]), whole.ge(beyond?));
    let bits = match to.signed {
        true => x.to_sbv_with_rounding_mode(&mode(rounding), to.bits),
        false => x.to_ubv_with_rounding_mode(&mode(rounding), to.bits),
    };
    Some(match overflow {
        Overflow::Undefined => (bits, Bool::or(&[x.is_nan(), small, large]).not()),
        Overflow::Saturate => {
            let saturated = saturated(to, &bits, [&small, &large]);
            (x.is_nan().ite(&to.index(0), &saturated), Bool::from_bool(true))
        }
        Overflow::Wrap => {
            let integer = rounded(Rounding::TowardZero, &exact_value(of, &whole));
            let wrapped = Bool::or(&[&small, &large]).ite(&BV::from_int(&integer, to.bits), &bits);
            (wrapped, is_finite(x))
        }
    })
}
