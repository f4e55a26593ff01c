//! Functions with a fixed meaning against Rust's own arithmetic, and the floats of 16 bits against their definition.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "helpers of tests")]

use dashu_ratio::RBig;
use half::{bf16, f16};
use values::{
    BF16, Conversion, ElementType, F16, Literal, NumberSystem, Overflow, Primitive, Rounding, Scalar,
};

fn named(name: &str) -> Primitive {
    Primitive::NAMED.iter().find(|(known, _)| *known == name).unwrap().1
}

/// Asserts that a primitive of machine numbers has a value, or none.
fn is(primitive: Primitive, operands: &[Scalar], wanted: Option<Scalar>) {
    let found = primitive.value(operands);
    let same = match (&found, &wanted) {
        (Some(found), Some(wanted)) => found.same(wanted),
        (None, None) => true,
        _ => false,
    };
    assert!(same, "{} of {operands:?}: {found:?}, not {wanted:?}", primitive.applied("…"));
}

/// Of all pairs of 8 bits, and of notable pairs of other widths.
macro_rules! integers {
    ($Type:ident, $int:ty, $unsigned:ty, $signed:ty, $numbers:expr) => {{
        let numbers: Vec<$int> = $numbers;
        for &a in &numbers {
            let of = |a: $int| Scalar::$Type(a);
            is(named("popcount"), &[of(a)], Some(of(a.count_ones() as $int)));
            for name in ["floor", "ceil", "round", "trunc"] {
                is(named(name), &[of(a)], Some(of(a)));
            }
            let sign = i64::from(a > 0) - i64::from(i128::from(a) < 0);
            is(named("sign"), &[of(a)], Some(of(sign as $int)));
            for &b in &numbers {
                let pair = [of(a), of(b)];
                is(named("quot"), &pair, (b != 0).then(|| of(a.wrapping_div(b))));
                let distance = u32::try_from(b as $unsigned).ok().filter(|by| *by < <$int>::BITS);
                is(named("shl"), &pair, Some(of(distance.map_or(0, |by| a << by))));
                is(named("lshr"), &pair, Some(of(distance.map_or(0, |by| ((a as $unsigned) >> by) as $int))));
                let all = (a as $signed) >> (<$int>::BITS - 1);
                is(named("ashr"), &pair, Some(of(distance.map_or(all, |by| (a as $signed) >> by) as $int)));
            }
        }
    }};
}

#[test]
fn integers_are_those_of_rust() {
    integers!(I8, i8, u8, i8, (i8::MIN..=i8::MAX).collect());
    integers!(U8, u8, u8, i8, (u8::MIN..=u8::MAX).collect());
    integers!(I16, i16, u16, i16, values::I16.notable());
    integers!(U16, u16, u16, i16, values::U16.notable());
    integers!(I32, i32, u32, i32, values::I32.notable());
    integers!(U32, u32, u32, i32, values::U32.notable());
    integers!(I64, i64, u64, i64, values::I64.notable());
    integers!(U64, u64, u64, i64, values::U64.notable());
}

/// The casts of floats to an integer type: Rust's `as` rounds toward zero and saturates, nan to 0.
macro_rules! to_integers {
    ($Type:ident, $int:ty, $floats:expr) => {
        for float in $floats {
            let exact: f64 = float;
            for (rounding, rounded) in [
                (Rounding::TowardZero, exact.trunc()),
                (Rounding::Down, exact.floor()),
                (Rounding::Up, exact.ceil()),
                (Rounding::Nearest, exact.round_ties_even()),
            ] {
                let convert =
                    |overflow| Primitive::Convert(Conversion { to: ElementType::$Type, rounding, overflow });
                let of = [Scalar::F64(exact)];
                let saturated = Scalar::$Type(rounded as $int);
                let fits = rounded.is_finite()
                    && Literal::F64(rounded).exact().unwrap() == RBig::from(rounded as $int);
                is(convert(Overflow::Saturate), &of, Some(saturated.clone()));
                is(convert(Overflow::Undefined), &of, fits.then(|| saturated.clone()));
                if fits {
                    is(convert(Overflow::Wrap), &of, Some(saturated));
                } else if exact.abs() < 1e30 {
                    is(convert(Overflow::Wrap), &of, Some(Scalar::$Type((rounded as i128) as $int)));
                } else if !exact.is_finite() {
                    is(convert(Overflow::Wrap), &of, None);
                }
            }
        }
    };
}

#[test]
fn casts_of_floats_are_those_of_rust() {
    let mut random = fastrand::Rng::with_seed(3);
    let powers = [7, 8, 15, 16, 31, 32, 63, 64, 100].map(|bits| 2f64.powi(bits));
    let near = powers.iter().flat_map(|power| {
        [*power, -power, power.next_down(), power.next_up(), -power - 1.0, power - 0.5, 0.5 - power]
    });
    let mut floats: Vec<f64> = values::F64.notable().into_iter().chain(near).collect();
    floats.extend([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, -128.5]);
    floats.extend((0..500).map(|_| f64::from_bits(random.u64(..))));
    floats.extend((0..500).map(|_| (random.f64() - 0.5) * 1e6));
    to_integers!(I8, i8, floats.clone());
    to_integers!(U8, u8, floats.clone());
    to_integers!(I16, i16, floats.clone());
    to_integers!(U16, u16, floats.clone());
    to_integers!(I32, i32, floats.clone());
    to_integers!(U32, u32, floats.clone());
    to_integers!(I64, i64, floats.clone());
    to_integers!(U64, u64, floats.clone());
}

#[test]
fn floats_are_rounded_as_rust_does_it() {
    let mut random = fastrand::Rng::with_seed(5);
    let doubles = (0..2_000).map(|_| f64::from_bits(random.u64(..))).chain(values::F64.notable());
    for x in doubles.chain([0.5, 1.5, -0.5, -1.5, 4503599627370495.5]) {
        for (name, rounded) in
            [("floor", x.floor()), ("ceil", x.ceil()), ("trunc", x.trunc()), ("round", x.round_ties_even())]
        {
            is(named(name), &[Scalar::F64(x)], Some(Scalar::F64(rounded)));
        }
        let signed = if x.is_nan() || x == 0.0 { x } else { x.signum() };
        is(named("sign"), &[Scalar::F64(x)], Some(Scalar::F64(signed)));
        let bits = if x.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { x.to_bits() };
        is(Primitive::Bitcast(ElementType::U64), &[Scalar::F64(x)], Some(Scalar::U64(bits)));
        is(Primitive::Bitcast(ElementType::F64), &[Scalar::U64(x.to_bits())], Some(Scalar::F64(x)));
    }
    // Of 16 bits, every float.
    for bits in 0..=u16::MAX {
        for x in [Scalar::F16(f16::from_bits(bits)), Scalar::BF16(bf16::from_bits(bits))] {
            let double = |x: &Scalar| x.cast(ElementType::F64).unwrap();
            for name in ["floor", "ceil", "trunc", "round", "sign"] {
                let found = named(name).value(std::slice::from_ref(&x)).unwrap();
                is(named(name), &[double(&x)], Some(double(&found)));
            }
        }
    }
}

/// The 16-bit float that its sign, exponent and fraction define, with an exponent of `exponent_bits`.
fn defined(bits: u16, exponent_bits: u32) -> f64 {
    let fraction_bits = 15 - exponent_bits;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = i32::from(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    let fraction = f64::from(bits & ((1 << fraction_bits) - 1)) / f64::from(1 << fraction_bits);
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        e if e == 2 * bias + 1 => {
            if fraction == 0.0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        e => (1.0 + fraction) * 2f64.powi(e - bias),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Checks the conversions of a format of 16 bits at every bit pattern: to doubles and singles, and back from the number, from the
/// middle between two neighbours, and from beside it.
macro_rules! conversions {
    ($float:ident, $to:ident, $exponent_bits:literal) => {
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        let literals = |x: f64| [Literal::F64(x), Literal::F32(x as f32)].map(|x| x.$to().unwrap());
        let of_exact = |x: f64| Literal::Exact(Literal::F64(x).exact().unwrap()).$to().unwrap();
        let back = |x: f64| match x.is_finite() && x != 0.0 {
            true => [literals(x)[0], literals(x)[1], $float::from_f32(x as f32), of_exact(x)].to_vec(),
            false => literals(x).to_vec(),
        };
        for bits in 0..=u16::MAX {
            let (x, exact) = ($float::from_bits(bits), defined(bits, $exponent_bits));
            assert!(same(x.to_f64(), exact), "{bits:#x}: {} is not {exact}", x.to_f64());
            assert!(same(f64::from(x.to_f32()), exact), "{bits:#x}: {} is not {exact}", x.to_f32());
            for x in back(exact) {
                assert!(same(x.to_f64(), exact), "{exact} comes back as {x}");
            }
            // The next float of the same sign, farther from 0; beyond the greatest, where an infinity begins.
            let is_finite = |bits: u16| defined(bits, $exponent_bits).is_finite();
            if !is_finite(bits) {
                continue;
            }
            let gap = match is_finite(bits + 1) {
                true => defined(bits + 1, $exponent_bits) - exact,
                false => exact - defined(bits - 1, $exponent_bits),
            };
            let middle = exact + gap / 2.0;
            let even = if bits % 2 == 0 { bits } else { bits + 1 };
            let beside = [(middle as f32).next_up(), (middle as f32).next_down()].map(f64::from);
            // Beyond singles, a double decides.
            let near = [middle.next_up(), middle.next_down()];
            let farther = |x: f64| if x.abs() > middle.abs() { bits + 1 } else { bits };
            for (from, to) in
                [(middle, even), (beside[0], farther(beside[0])), (beside[1], farther(beside[1]))]
            {
                for found in back(from) {
                    assert_eq!(found.to_bits(), to, "{from} is rounded to {found}");
                }
            }
            for from in near {
                for found in [literals(from)[0], of_exact(from)] {
                    assert_eq!(found.to_bits(), farther(from), "{from} is rounded to {found}");
                }
            }
        }
    };
}

#[test]
fn floats_of_16_bits_are_those_of_their_definition() {
    conversions!(f16, to_f16, 5);
    conversions!(bf16, to_bf16, 8);
}

/// The float of 16 bits beside a number, found among all of them.
macro_rules! narrowed {
    ($Type:ident, $float:ident, $exponent_bits:literal, $numbers:expr) => {
        let mut floats: Vec<(f64, u16)> =
            (0..=u16::MAX).map(|bits| (defined(bits, $exponent_bits), bits)).collect();
        floats.retain(|(float, _)| !float.is_nan());
        floats.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        for number in $numbers {
            let number: f64 = number;
            // Of the zeros, that with the sign of the number.
            let below = floats.iter().rev().find(|(float, _)| *float <= number).unwrap().1;
            let above = floats.iter().find(|(float, _)| *float >= number).unwrap().1;
            let signed = |bits: u16| match number.is_sign_negative() {
                true => bits | 1 << 15,
                false => bits & !(1 << 15),
            };
            let [toward_zero, away] = if number < 0.0 { [above, below] } else { [below, above] };
            assert!(defined(away, $exponent_bits).abs() >= number.abs());
            for (rounding, bits) in
                [(Rounding::Down, below), (Rounding::Up, above), (Rounding::TowardZero, toward_zero)]
            {
                let narrow = Primitive::Narrow(ElementType::$Type, rounding);
                let wanted = Scalar::$Type($float::from_bits(signed(bits)));
                is(narrow, &[Scalar::F64(number)], Some(wanted.clone()));
                if number.is_finite() && number != 0.0 {
                    is(narrow, &[Scalar::Real(Literal::F64(number).exact().unwrap())], Some(wanted));
                }
            }
        }
    };
}

#[test]
fn floats_are_rounded_to_the_one_beside_them() {
    let mut random = fastrand::Rng::with_seed(13);
    let mut numbers: Vec<f64> = values::F64.notable();
    numbers.retain(|number| !number.is_nan());
    numbers.extend([65504.0, 65505.0, 65535.0, 65536.0, 1e-8, -1e-8, 3e38, 3.4e38, -3.4e38, 1e-45, -1e-60]);
    numbers.extend((0..100).map(|_| (random.f64() - 0.5) * 2f64.powi(random.i32(-30..20))));
    narrowed!(F16, f16, 5, numbers.clone());
    narrowed!(BF16, bf16, 8, numbers);
    for rounding in Rounding::ALL {
        let narrow = Primitive::Narrow(ElementType::F16, rounding);
        is(narrow, &[Scalar::F64(f64::NAN)], Some(Scalar::F16(f16::NAN)));
    }
}

/// The four operations on floats of 16 bits are the exact ones, rounded once.
macro_rules! rounded_once {
    ($System:ident, $float:ident, $random:expr) => {
        for _ in 0..20_000 {
            let pick = |random: &mut fastrand::Rng| $float::from_bits(random.u16(..));
            let a = pick($random);
            // A neighbour in size, so that sums cancel.
            let b = match $random.bool() {
                true => pick($random),
                false => $float::from_bits(
                    a.to_bits().wrapping_add($random.u16(0..4000)) ^ ($random.u16(0..2) << 15),
                ),
            };
            let exact = |x: $float| Literal::from($System.write(&x)).exact();
            let (Ok(p), Ok(q)) = (exact(a), exact(b)) else { continue };
            let quotient = (q != RBig::ZERO).then(|| (&p / &q, $System.quotient(&a, &b)));
            let cases = [
                (&p + &q, $System.add(&a, &b)),
                (&p - &q, $System.sub(&a, &b)),
                (&p * &q, $System.mul(&a, &b)),
            ];
            for (exact, found) in cases.into_iter().chain(quotient) {
                let rounded = $System.read(&Literal::Exact(exact.clone())).unwrap();
                // An exact 0 has no sign.
                let is_same =
                    $System.same(&rounded, &found) || (exact == RBig::ZERO && found.to_f32() == 0.0);
                let underflows = rounded.to_f32() == 0.0 && found.to_f32() == 0.0;
                assert!(is_same || underflows, "{a} and {b}: {found}, not {rounded}");
            }
        }
    };
}

#[test]
fn operations_on_16_bits_are_rounded_once() {
    let mut random = fastrand::Rng::with_seed(16);
    rounded_once!(F16, f16, &mut random);
    rounded_once!(BF16, bf16, &mut random);
}
