//! Functions of real numbers in floats: the results that a *faithful* implementation may return. These are the
//! exact value if it is a float, else the two neighbouring floats. Nothing else is known of the rounding, so what
//! holds for every implementation must hold for each of these floats.
//!
//! The exceptional values are those of IEEE 754-2019, section 9.2.1. The library `dashu-float` computes all others
//! with 128 bits.

use crate::Literal;
use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig, Repr};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use half::{bf16, f16};

/// The number of bits with which a value is computed: twice the 53 bits of f64 and 22 more, so that the value
/// rounds like the exact one unless that lies within 2^−75 of a rounding boundary, relative to itself.
const PRECISION: usize = 128;

/// Arguments of `exp` beyond this over- or underflow in every format: that of f64 is 745.2 at most, and 1e5
/// leaves room for wider ones.
const HUGE_EXPONENT: f64 = 1e5;

/// The value of a function of real numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum FaithfulValue {
    /// A float that every implementation returns.
    Special(f64),
    /// A number that differs from the value by less than one part in 2^126, or is known to equal it.
    Near {
        /// The number.
        number: RBig,
        /// Whether it equals the value.
        is_exact: bool,
    },
    /// A positive number that is greater than every float.
    Overflow,
    /// A positive number that is smaller than every float.
    Underflow,
}

/// The value of a real function at floats, for the functions that have a standard: `exp`, `ln`, `sqrt`, `rsqrt`
/// and `pow` (of a positive finite base and a finite exponent).
pub fn value(function: &str, arguments: &[f64]) -> Option<FaithfulValue> {
    Some(match (function, arguments) {
        ("exp", &[x]) => exp(x),
        ("ln", &[x]) => ln(x),
        ("sqrt", &[x]) => sqrt(x),
        ("rsqrt", &[x]) => rsqrt(x),
        ("pow", &[x, y]) => return pow(x, y),
        _ => return None,
    })
}

fn context() -> Context<HalfEven> {
    Context::new(PRECISION)
}

fn exp(x: f64) -> FaithfulValue {
    match x {
        _ if x.is_nan() || x == f64::INFINITY => FaithfulValue::Special(x),
        f64::NEG_INFINITY => FaithfulValue::Special(0.0),
        _ if x > HUGE_EXPONENT => FaithfulValue::Overflow,
        _ if x < -HUGE_EXPONENT => FaithfulValue::Underflow,
        _ => finite(x)
            .and_then(|x| context().exp(&x, None).ok())
            .map_or(FaithfulValue::Special(f64::NAN), near),
    }
}

fn ln(x: f64) -> FaithfulValue {
    match x {
        0.0 => FaithfulValue::Special(f64::NEG_INFINITY),
        f64::INFINITY => FaithfulValue::Special(x),
        _ => {
            finite(x).and_then(|x| context().ln(&x, None).ok()).map_or(FaithfulValue::Special(f64::NAN), near)
        }
    }
}

fn sqrt(x: f64) -> FaithfulValue {
    match x {
        // The sign of −0 is kept.
        0.0 | f64::INFINITY => FaithfulValue::Special(x),
        _ => finite(x).and_then(|x| context().sqrt(&x).ok()).map_or(FaithfulValue::Special(f64::NAN), near),
    }
}

fn rsqrt(x: f64) -> FaithfulValue {
    match x {
        0.0 => FaithfulValue::Special(f64::INFINITY.copysign(x)),
        f64::INFINITY => FaithfulValue::Special(0.0),
        _ => match sqrt(x) {
            FaithfulValue::Near { number, is_exact } => {
                FaithfulValue::Near { number: RBig::ONE / number, is_exact }
            }
            special => special,
        },
    }
}

fn pow(x: f64, y: f64) -> Option<FaithfulValue> {
    if y == 0.0 || x == 1.0 {
        return Some(FaithfulValue::Special(1.0));
    }
    if !(x > 0.0 && x.is_finite() && y.is_finite()) {
        return None;
    }
    let exponent = x.ln() * y;
    Some(match exponent {
        _ if exponent > HUGE_EXPONENT => FaithfulValue::Overflow,
        _ if exponent < -HUGE_EXPONENT => FaithfulValue::Underflow,
        _ => near(context().powf(&finite(x)?, &finite(y)?, None).ok()?),
    })
}

/// A finite float as a number of the library.
fn finite(x: f64) -> Option<Repr<2>> {
    let number: FBig<HalfEven, 2> = x.is_finite().then(|| FBig::try_from(x).ok())??;
    Some(number.into_repr())
}

/// A result of the library, which rounds correctly.
fn near(
    rounded: dashu_base::Approximation<FBig<HalfEven, 2>, dashu_float::round::Rounding>,
) -> FaithfulValue {
    let is_exact = matches!(rounded, dashu_base::Approximation::Exact(_));
    let repr = rounded.value().into_repr();
    let power = RBig::from(IBig::from(UBig::ONE << repr.exponent().unsigned_abs()));
    let significand = RBig::from(repr.significand().clone());
    let number = if repr.exponent() < 0 { significand / power } else { significand * power };
    FaithfulValue::Near { number, is_exact }
}

/// A format of floats.
trait FloatFormat: Copy {
    /// The least and the greatest finite float, infinity, 0, and the least positive float.
    const EXTREMES: [Self; 5];
    /// The nearest float, ties to even.
    fn rounded(number: &RBig) -> Self;
    /// A special value: 0, an infinity or nan.
    fn special(value: f64) -> Self;
    /// The float as a double, exactly.
    fn wide(self) -> f64;
    /// The floats below and above.
    fn neighbours(self) -> [Self; 2];
}

macro_rules! formats {
    ($($name:ident $float:ident $to:ident $special:expr, $wide:expr, $neighbours:expr;)*) => {$(
        impl FloatFormat for $float {
            const EXTREMES: [$float; 5] =
                [$float::MIN, $float::MAX, $float::INFINITY, $float::from_bits(0), $float::from_bits(1)];
            fn rounded(number: &RBig) -> $float {
                Literal::Exact(number.clone()).$to().unwrap_or($float::NAN)
            }
            fn special(value: f64) -> $float {
                $special(value)
            }
            fn wide(self) -> f64 {
                $wide(self)
            }
            fn neighbours(self) -> [$float; 2] {
                $neighbours(self)
            }
        }

        #[doc = concat!("What a faithful implementation of a function for `", stringify!($float), "` may return, if the function has a")]
        /// standard; the correctly rounded float comes first.
        pub fn $name(function: &str, arguments: &[$float]) -> Option<Vec<$float>> {
            faithful(function, arguments)
        }
    )*};
}

formats! {
    faithful_f16 f16 to_f16 |x| f16::from_f32(x as f32), f16::to_f64, |x: f16| stepped(x.to_bits()).map(f16::from_bits);
    faithful_bf16 bf16 to_bf16 |x| bf16::from_f32(x as f32), bf16::to_f64, |x: bf16| stepped(x.to_bits()).map(bf16::from_bits);
    faithful_f32 f32 to_f32 |x| x as f32, f64::from, |x: f32| [x.next_down(), x.next_up()];
    faithful_f64 f64 to_f64 |x| x, |x| x, |x: f64| [x.next_down(), x.next_up()];
}

/// The bits of the finite floats of 16 bits below and above one other than 0.
fn stepped(bits: u16) -> [u16; 2] {
    let away_and_back = [bits.wrapping_add(1), bits.wrapping_sub(1)];
    let [away, back] = away_and_back;
    if bits >> 15 == 1 { [away, back] } else { [back, away] }
}

fn faithful<F: FloatFormat>(function: &str, arguments: &[F]) -> Option<Vec<F>> {
    let arguments: Vec<f64> = arguments.iter().map(|x| x.wide()).collect();
    let [least, greatest, infinity, zero, tiny] = F::EXTREMES;
    Some(match value(function, &arguments)? {
        FaithfulValue::Special(value) => vec![F::special(value)],
        FaithfulValue::Overflow => vec![infinity, greatest],
        FaithfulValue::Underflow => vec![zero, tiny],
        FaithfulValue::Near { number, is_exact } => {
            let nearest = F::rounded(&number);
            let exact = Literal::F64(nearest.wide()).exact().ok();
            match exact.map(|exact| (&exact - &number, exact)) {
                // Beyond the greatest float.
                None if number > RBig::ZERO => vec![nearest, greatest],
                None => vec![nearest, least],
                Some((above, _)) if above == RBig::ZERO && is_exact => vec![nearest],
                Some((_, exact)) if exact == RBig::ZERO => {
                    let sign = if number > RBig::ZERO { 1.0 } else { -1.0 };
                    vec![nearest, F::special(sign * tiny.wide())]
                }
                Some((above, exact)) => {
                    let [down, up] = nearest.neighbours();
                    match () {
                        () if is_slight(&above, &exact) => vec![nearest, down, up],
                        () if above > RBig::ZERO => vec![nearest, down],
                        () => vec![nearest, up],
                    }
                }
            }
        }
    })
}

/// Whether a difference is so small that the value may lie on either side.
fn is_slight(difference: &RBig, of: &RBig) -> bool {
    let times = RBig::from(IBig::from(UBig::ONE << 120));
    let [difference, of] =
        [difference, of].map(|number| if *number < RBig::ZERO { -number.clone() } else { number.clone() });
    difference * times <= of
}
