//! Numbers as text, within the number of digits that the parser reads.

use crate::parsing::{MAX_DIGITS, MAX_POWER};
use dashu_int::IBig;
use dashu_int::ops::BitTest as _;
use dashu_ratio::RBig;

/// The maximum length of a number that is printed without an exponent where it could have one.
const PLAIN: usize = 24;

/// A number; if it `is_real`, with a point or an exponent.
pub(super) fn text(value: &RBig, is_real: bool) -> String {
    if !is_real && value.is_int() {
        return integer(value.numerator());
    }
    match decimal(value) {
        Some((digits, exponent)) => real(&digits, exponent),
        // No number of C; such trees come from no text.
        None => format!("({}.0 / {}.0)", value.numerator(), value.denominator()),
    }
}

/// Only a hexadecimal number can have more digits than the parser reads.
fn integer(number: &IBig) -> String {
    let decimal = number.to_string();
    if decimal.len() <= MAX_DIGITS { decimal } else { format!("0x{}", number.in_radix(16)) }
}

/// The digits of a decimal fraction, without zeros at their end, and the exponent of ten of the last one.
fn decimal(value: &RBig) -> Option<(String, isize)> {
    // The denominator 2^a·5^b has more than a bits, and more than b.
    let places = value.denominator().bit_len().checked_sub(1)?;
    let scaled = value * RBig::from(IBig::from(10).pow(places));
    if !scaled.is_int() {
        return None;
    }
    let all = scaled.numerator().to_string();
    let digits = all.trim_end_matches('0');
    if digits.is_empty() {
        return Some(("0".to_owned(), 0));
    }
    let exponent = isize::try_from(all.len() - digits.len()).ok()? - isize::try_from(places).ok()?;
    Some((digits.to_owned(), exponent))
}

/// `digits·10^exponent`: without an exponent if that is not long, else as short as possible.
fn real(digits: &str, exponent: isize) -> String {
    let plain = plain(digits, exponent);
    if plain.len() <= PLAIN {
        return plain;
    }
    let zeros = exponent.saturating_sub(MAX_POWER as isize).max(0);
    let (digits, exponent) = (digits.to_owned() + &"0".repeat(zeros.unsigned_abs()), exponent - zeros);
    let pointed = (0..=digits.len()).map(|behind| pointed(&digits, behind, exponent));
    let shortest = pointed.min_by_key(String::len).unwrap_or_default();
    let short = plain.trim_start_matches('0');
    let shortest = if short.len() <= shortest.len() { short.to_owned() } else { shortest };
    // Behind a word, a point would select a dimension.
    if shortest.starts_with('.') { format!("({shortest})") } else { shortest }
}

/// `12.5`, `0.01`, `300.0`
fn plain(digits: &str, exponent: isize) -> String {
    let behind = exponent.min(0).unsigned_abs();
    let digits = digits.to_owned() + &"0".repeat(exponent.max(0).unsigned_abs());
    let digits = format!("{digits:0>width$}", width = behind + 1);
    let (whole, fraction) = digits.split_at(digits.len() - behind);
    format!("{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}

/// The number with this many digits behind the point.
fn pointed(digits: &str, behind: usize, exponent: isize) -> String {
    let (whole, fraction) = digits.split_at(digits.len() - behind);
    match (behind, exponent + behind as isize) {
        (_, 0) => format!("{whole}.{fraction}"),
        (0, exponent) => format!("{whole}e{exponent}"),
        (_, exponent) => format!("{whole}.{fraction}e{exponent}"),
    }
}
