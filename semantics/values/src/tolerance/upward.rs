//! Upper and lower bounds of sums and products of non-negative numbers, computed in binary64; zeros stay zeros.

/// An upper bound of `a + b`.
pub fn sum(a: f64, b: f64) -> f64 {
    match (a == 0.0, b == 0.0) {
        (true, _) => b,
        (_, true) => a,
        _ => (a + b).next_up(),
    }
}

/// An upper bound of a sum.
pub fn total<const N: usize>(terms: [f64; N]) -> f64 {
    terms.into_iter().fold(0.0, sum)
}

/// The greatest float that is at most `a + b`.
pub fn sum_below(a: f64, b: f64) -> f64 {
    let rounded = a + b;
    let other = rounded - a;
    let rest = (a - (rounded - other)) + (b - other);
    if rest < 0.0 { rounded.next_down() } else { rounded }
}

/// An upper bound of `a·b`, where `0·∞` is 0.
pub fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    (a * b).next_up()
}

/// An upper bound of `a/b`, for `b > 0`.
pub fn quotient(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { (a / b).next_up() }
}

/// A lower bound of `a·b`, not negative.
pub fn product_below(a: f64, b: f64) -> f64 {
    (a * b).next_down().max(0.0)
}

/// A lower bound of `a − b`; negative where the difference may be.
pub fn difference_below(a: f64, b: f64) -> f64 {
    if b == 0.0 { a } else { (a - b).next_down() }
}

/// An upper bound of the error of `a·b` rounded to nearest.
pub fn error_of_product(a: f64, b: f64, rounded: f64) -> f64 {
    let rest = a.mul_add(b, -rounded).abs();
    // The error is exact unless it is subnormal.
    if a == 0.0 || b == 0.0 || rounded.abs() > 1e-280 { rest } else { sum(rest, f64::from_bits(2)) }
}

/// The error of `a + b` rounded to nearest.
pub fn error_of_sum(a: f64, b: f64, rounded: f64) -> f64 {
    let other = rounded - a;
    ((a - (rounded - other)) + (b - other)).abs()
}

/// `2^exponent`; an infinity or 0 beyond the format.
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022..1024 => f64::from_bits(u64::from((exponent + 1023).cast_unsigned()) << 52),
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        _ => 0.0,
    }
}

/// The greatest `e` such that a nonzero number is a multiple of `2^e`.
pub fn unit_of(x: f64) -> i32 {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    match exponent {
        0 => -1074 + fraction.trailing_zeros().cast_signed(),
        _ => exponent - 1075 + (fraction | 1 << 52).trailing_zeros().cast_signed(),
    }
}
