//! Elements of tensors as they are written: `docs/command-line.md`, "Tensors in JSON".

use dashu_base::{Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use half::{bf16, f16};
use serde_json::{Number, Value};
use std::cmp::Ordering;
use std::fmt;

/// A written number, before a number system rounds, wraps or refuses it.
#[derive(Clone, Debug)]
pub enum Literal {
    /// An exact rational, in lowest terms.
    Exact(RBig),
    /// A double, infinities, nan and −0 included.
    F64(f64),
    /// A single.
    F32(f32),
    /// A half.
    F16(f16),
    /// The upper half of a single.
    BF16(bf16),
    /// `true` or `false`.
    Boolean(bool),
}

/// Why a text is not a number, or not a number of one system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// Neither an integer, a decimal, a fraction, a hexadecimal float, `inf` nor `nan`.
    NotANumber(String),
    /// The exponent of a decimal is beyond ±20,000.
    ExponentTooLarge(String),
    /// The number exists, but not in the named number system.
    NotRepresentable(&'static str),
    /// An infinity or nan, where numbers must be exact.
    NotExact,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiteralError::NotANumber(text) => write!(f, "`{text}` is not a number"),
            LiteralError::ExponentTooLarge(text) => {
                write!(f, "the exponent of `{text}` is beyond ±{MAX_EXPONENT}")
            }
            LiteralError::NotExact => f.write_str("neither an infinity nor nan is an exact number"),
            LiteralError::NotRepresentable(system) => {
                write!(f, "not representable in the number system `{system}`")
            }
        }
    }
}

/// The largest magnitude of a decimal or binary exponent that is read exactly. An exact number has a digit for
/// each power: 1e20000 has 66,439 bits, of the 2^20 that [`MAX_BITS`](crate::digits::MAX_BITS) allows. No float
/// has an exponent beyond ±1,074.
pub const MAX_EXPONENT: i64 = 20_000;

/// Integers up to this magnitude are written as JSON numbers, larger ones as strings: readers that take numbers
/// as f64, as JavaScript does, keep 53 bits.
const MAX_JSON_INTEGER: u64 = (1 << 53) - 1;

impl Literal {
    /// Reads `-7/3`, `0.25`, `1e-3`, `0x1.8p3`, `inf`, `-inf`, `nan` or an integer of any size.
    ///
    /// # Errors
    /// The text is none of these.
    pub fn parse(text: &str) -> Result<Literal, LiteralError> {
        let (negative, magnitude) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let unsigned = match magnitude {
            "inf" => return Ok(Literal::F64(if negative { f64::NEG_INFINITY } else { f64::INFINITY })),
            "nan" => return Ok(Literal::F64(f64::NAN)),
            _ if magnitude.starts_with("0x") || magnitude.starts_with("0X") => {
                scaled(text, &magnitude[2..], 16)
            }
            _ => match magnitude.split_once('/') {
                Some((p, q)) => fraction(text, p, q),
                None => scaled(text, magnitude, 10),
            },
        }?;
        Ok(match negative {
            true if unsigned.is_zero() => Literal::F64(-0.0),
            true => Literal::Exact(-unsigned),
            false => Literal::Exact(unsigned),
        })
    }

    /// Reads an element of a JSON tensor; `None` for `null`.
    ///
    /// # Errors
    /// The element is an array or an object, or a string that is not a number.
    pub fn from_json(value: &Value) -> Result<Option<Literal>, LiteralError> {
        match value {
            Value::Null => Ok(None),
            Value::Bool(truth) => Ok(Some(Literal::Boolean(*truth))),
            Value::Number(number) => Literal::parse(number.as_str()).map(Some),
            Value::String(text) => Literal::parse(text).map(Some),
            Value::Array(_) => Err(LiteralError::NotANumber("[…]".to_owned())),
            Value::Object(_) => Err(LiteralError::NotANumber("{…}".to_owned())),
        }
    }

    /// The element as JSON: numbers where they are integers of at most 53 bits or finite floats, else strings.
    pub fn to_json(&self) -> Value {
        let small = |exact: &RBig| {
            let integer = i64::try_from(exact.clone()).ok()?;
            (integer.unsigned_abs() <= MAX_JSON_INTEGER).then_some(integer)
        };
        match self {
            Literal::Boolean(truth) => Value::Bool(*truth),
            Literal::Exact(exact) => small(exact)
                .map_or_else(|| Value::String(rational_text(exact)), |integer| Value::Number(integer.into())),
            Literal::F64(x) if x.is_finite() => float_number(format!("{x:?}")),
            Literal::F32(x) if x.is_finite() => float_number(format!("{x:?}")),
            Literal::F16(x) if x.is_finite() => float_number(self.to_string()),
            Literal::BF16(x) if x.is_finite() => float_number(self.to_string()),
            Literal::F64(_) | Literal::F32(_) | Literal::F16(_) | Literal::BF16(_) => {
                Value::String(self.to_string())
            }
        }
    }

    /// The exact value.
    ///
    /// # Errors
    /// An infinity, nan or a truth value.
    pub fn exact(&self) -> Result<RBig, LiteralError> {
        let float = match self {
            Literal::Exact(exact) => return Ok(exact.clone()),
            Literal::F64(x) => *x,
            Literal::F32(x) => f64::from(*x),
            Literal::F16(x) => x.to_f64(),
            Literal::BF16(x) => x.to_f64(),
            Literal::Boolean(_) => return Err(LiteralError::NotANumber(self.to_string())),
        };
        RBig::try_from(float).map_err(|_| LiteralError::NotExact)
    }

    /// The nearest double, ties to even.
    ///
    /// # Errors
    /// A truth value.
    pub fn to_f64(&self) -> Result<f64, LiteralError> {
        match self {
            Literal::Exact(exact) => Ok(exact.to_f64().value()),
            Literal::F64(x) => Ok(*x),
            Literal::F32(x) => Ok(f64::from(*x)),
            Literal::F16(x) => Ok(x.to_f64()),
            Literal::BF16(x) => Ok(x.to_f64()),
            Literal::Boolean(_) => Err(LiteralError::NotANumber(self.to_string())),
        }
    }

    /// The nearest single, ties to even, rounded once.
    ///
    /// # Errors
    /// A truth value.
    pub fn to_f32(&self) -> Result<f32, LiteralError> {
        match self {
            Literal::Exact(exact) => Ok(exact.to_f32().value()),
            Literal::F64(x) => Ok(*x as f32),
            Literal::F32(x) => Ok(*x),
            Literal::F16(x) => Ok(x.to_f32()),
            Literal::BF16(x) => Ok(x.to_f32()),
            Literal::Boolean(_) => Err(LiteralError::NotANumber(self.to_string())),
        }
    }

    /// The nearest half, ties to even, rounded once.
    ///
    /// # Errors
    /// A truth value.
    pub fn to_f16(&self) -> Result<f16, LiteralError> {
        Ok(f16::from_f32(to_odd(self.to_odd()?)))
    }

    /// The nearest `bf16`, ties to even, rounded once.
    ///
    /// # Errors
    /// A truth value.
    pub fn to_bf16(&self) -> Result<bf16, LiteralError> {
        Ok(bf16::from_f32(to_odd(self.to_odd()?)))
    }

    /// The double itself if the number is one, else that of the two doubles beside it whose last bit is 1. Rounded to
    /// a format of at most 51 bits, it gives what the number gives (S. Boldo and G. Melquiond, *Emulation of FMA and
    /// correctly rounded sums: proved algorithms using rounding to odd*, 2008).
    fn to_odd(&self) -> Result<f64, LiteralError> {
        let Literal::Exact(exact) = self else { return self.to_f64() };
        let nearest = exact.to_f64().value();
        let Ok(rounded) = RBig::try_from(nearest) else {
            // Beyond the greatest double, so beyond that of every format.
            return Ok(nearest);
        };
        let is_even = nearest.to_bits().is_multiple_of(2);
        Ok(match rounded.cmp(exact) {
            Ordering::Less if is_even => nearest.next_up(),
            Ordering::Greater if is_even => nearest.next_down(),
            _ => nearest,
        })
    }
}

/// The single itself if the double is one, else that of the two singles beside it whose last bit is 1, as for
/// [`Literal::to_odd`]. From singles, `half` 2.7 rounds correctly; from doubles it loses the last 32 bits.
pub(crate) fn to_odd(double: f64) -> f32 {
    let nearest = double as f32;
    let is_even = nearest.to_bits().is_multiple_of(2);
    match f64::from(nearest).partial_cmp(&double) {
        Some(Ordering::Less) if is_even => nearest.next_up(),
        Some(Ordering::Greater) if is_even => nearest.next_down(),
        _ => nearest,
    }
}

impl From<i64> for Literal {
    fn from(integer: i64) -> Literal {
        Literal::Exact(RBig::from(integer))
    }
}

impl From<u64> for Literal {
    fn from(integer: u64) -> Literal {
        Literal::Exact(RBig::from(integer))
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Exact(exact) => f.write_str(&rational_text(exact)),
            Literal::F64(x) if x.is_nan() => f.write_str("nan"),
            Literal::F32(x) if x.is_nan() => f.write_str("nan"),
            Literal::F64(x) => write!(f, "{x:?}"),
            Literal::F32(x) => write!(f, "{x:?}"),
            Literal::F16(x) => f.write_str(&shortest(x.to_f32(), |read| read.to_f16() == Ok(*x))),
            Literal::BF16(x) => f.write_str(&shortest(x.to_f32(), |read| read.to_bf16() == Ok(*x))),
            Literal::Boolean(truth) => write!(f, "{truth}"),
        }
    }
}

/// The decimal with the fewest digits that is read back as the same float of 16 bits, of which `x` is the value. Five
/// digits distinguish all floats of 16 bits.
fn shortest(x: f32, is_same: impl Fn(Literal) -> bool) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "nan".to_owned() } else { format!("{x:?}") };
    }
    let decimals = (0..=5).map(|digits| format!("{x:.digits$e}"));
    let mut same = decimals.filter(|text| Literal::parse(text).is_ok_and(&is_same));
    let found = same.next().and_then(|text| text.parse::<f32>().ok());
    format!("{:?}", found.unwrap_or(x))
}

/// A JSON number, for the shortest decimal that Rust prints.
fn float_number(text: String) -> Value {
    text.parse::<Number>().map_or(Value::String(text), Value::Number)
}

fn not_a_number(text: &str) -> LiteralError {
    LiteralError::NotANumber(text.chars().take(40).collect())
}

fn fraction(text: &str, p: &str, q: &str) -> Result<RBig, LiteralError> {
    let natural = |digits: &str| natural(digits, 10).ok_or_else(|| not_a_number(text));
    match (natural(p)?, natural(q)?) {
        (_, zero) if zero.is_zero() => Err(not_a_number(text)),
        (p, q) => Ok(RBig::from_parts(IBig::from(p), q)),
    }
}

/// `digits[.digits][e±digits]`, or in hexadecimal with a binary exponent after `p`.
fn scaled(text: &str, magnitude: &str, radix: u32) -> Result<RBig, LiteralError> {
    let (marks, base) = if radix == 16 { (['p', 'P'], 2u8) } else { (['e', 'E'], 10u8) };
    let (mantissa, exponent) = magnitude.split_once(marks).unwrap_or((magnitude, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, decimals].concat();
    let number = natural(&digits, radix).ok_or_else(|| not_a_number(text))?;
    let places = decimals.len() as i64 * if radix == 16 { 4 } else { 1 };
    let exponent: i64 = exponent.parse().map_err(|_| not_a_number(text))?;
    let exponent = exponent.saturating_sub(places);
    if exponent.unsigned_abs() > MAX_EXPONENT.unsigned_abs() {
        return Err(LiteralError::ExponentTooLarge(text.chars().take(40).collect()));
    }
    let power = UBig::from(base).pow(exponent.unsigned_abs() as usize);
    Ok(match exponent {
        0.. => RBig::from(number * power),
        _ => RBig::from_parts(IBig::from(number), power),
    })
}

fn natural(digits: &str, radix: u32) -> Option<UBig> {
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    plain.then(|| UBig::from_str_radix(digits, radix).ok()).flatten()
}

/// `p/q` in lowest terms, `p` if `q` is 1.
fn rational_text(number: &RBig) -> String {
    let sign = if number.sign() == Sign::Negative { "-" } else { "" };
    let numerator = number.numerator().clone().unsigned_abs();
    match number.denominator() {
        one if one.is_one() => format!("{sign}{numerator}"),
        denominator => format!("{sign}{numerator}/{denominator}"),
    }
}
