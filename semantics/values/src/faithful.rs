//! Functions of real numbers in floats: the results that a *faithful* implementation may return. These are the
//! exact value if it is a float, else the two neighbouring floats. Nothing else is known of the rounding, so what
//! holds for every implementation must hold for each of these floats.
//!
//! The exceptional values are those of IEEE 754-2019, section 9.2.1. The library `dashu-float` computes all others
//! with 128 bits.

use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig, Repr};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

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

/// Defines a function that lists the floats that a faithful implementation may return.
macro_rules! faithful {
    ($name:ident, $float:ident, $to:ident) => {
        #[doc = concat!("What a faithful implementation of a function for `", stringify!($float), "` may return, if the function has a")]
        /// standard; the correctly rounded float comes first.
        pub fn $name(function: &str, arguments: &[$float]) -> Option<Vec<$float>> {
            let arguments: Vec<f64> = arguments.iter().map(|&x| f64::from(x)).collect();
            Some(match value(function, &arguments)? {
                FaithfulValue::Special(value) => vec![value as $float],
                FaithfulValue::Overflow => vec![$float::INFINITY, $float::MAX],
                FaithfulValue::Underflow => vec![0.0, $float::from_bits(1)],
                FaithfulValue::Near { number, is_exact } => {
                    let nearest = number.$to().value();
                    let exact = crate::Literal::F64(f64::from(nearest)).exact().ok();
                    match exact.map(|exact| (&exact - &number, exact)) {
                        // Beyond the greatest float.
                        None if number > RBig::ZERO => vec![nearest, $float::MAX],
                        None => vec![nearest, $float::MIN],
                        Some((above, _)) if above == RBig::ZERO && is_exact => vec![nearest],
                        Some((above, exact)) if is_slight(&above, &exact) => {
                            vec![nearest, nearest.next_down(), nearest.next_up()]
                        }
                        Some((above, _)) if above > RBig::ZERO => vec![nearest, nearest.next_down()],
                        Some(_) => vec![nearest, nearest.next_up()],
                    }
                }
            })
        }
    };
}

faithful!(faithful_f32, f32, to_f32);
faithful!(faithful_f64, f64, to_f64);

/// Whether a difference is so small that the value may lie on either side.
fn is_slight(difference: &RBig, of: &RBig) -> bool {
    let times = RBig::from(IBig::from(UBig::ONE << 120));
    let [difference, of] =
        [difference, of].map(|number| if *number < RBig::ZERO { -number.clone() } else { number.clone() });
    difference * times <= of
}
