//! Intervals, and the real functions on them.
//!
//! Sums, products and quotients are rounded outward by one float, unless they are exact. The functions are those
//! of the standard library, whose results are off by a few units in the last place: they are widened by the
//! relative error [`SLACK`], and a test checks that this is enough.

use dashu_ratio::RBig;

/// The relative error allowed to a function of the standard library: 64 units in the last place, ten times the
/// few that are lost. An interval still has 13 digits.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// `low ≤ x ≤ high`; an infinite bound says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
}

/// A real number, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntervalValue {
    /// It lies in an interval.
    Within(Interval),
    /// Nothing; it may be undefined.
    Open,
    /// It is undefined.
    None,
}

impl IntervalValue {
    /// The number that equals a float.
    pub fn point(x: f64) -> IntervalValue {
        IntervalValue::Within(Interval { low: x, high: x })
    }

    /// Applies a total function of one number.
    pub fn map(self, f: impl Fn(Interval) -> Interval) -> IntervalValue {
        match self {
            IntervalValue::Within(a) => IntervalValue::Within(f(a)),
            other => other,
        }
    }

    /// Applies a total function of two numbers.
    pub fn with(self, other: IntervalValue, f: impl Fn(Interval, Interval) -> Interval) -> IntervalValue {
        match (self, other) {
            (IntervalValue::None, _) | (_, IntervalValue::None) => IntervalValue::None,
            (IntervalValue::Open, _) | (_, IntervalValue::Open) => IntervalValue::Open,
            (IntervalValue::Within(a), IntervalValue::Within(b)) => IntervalValue::Within(f(a, b)),
        }
    }
}

/// `a + b`, and whether it is exact, by Knuth's algorithm; not exact where something is not finite.
fn sum(a: f64, b: f64) -> (f64, bool) {
    let sum = a + b;
    let (part, rest) = (sum - a, b);
    let error = (a - (sum - part)) + (rest - part);
    (sum, error == 0.0 && sum.is_finite())
}

/// `a · b`, and whether it is exact: a fused product says so, and nothing was lost to underflow.
fn product(a: f64, b: f64) -> (f64, bool) {
    if a == 0.0 || b == 0.0 {
        return (0.0, true);
    }
    let product = a * b;
    let is_large = product.abs() > 1e-200 && product.is_finite();
    (product, is_large && a.mul_add(b, -product) == 0.0)
}

/// A lower bound; −∞ for nan, the sum of infinities of both signs.
fn below((value, is_exact): (f64, bool)) -> f64 {
    match () {
        () if value.is_nan() => f64::NEG_INFINITY,
        () if is_exact => value,
        () => value.next_down(),
    }
}

fn above((value, is_exact): (f64, bool)) -> f64 {
    -below((-value, is_exact))
}

/// The maximum loss below the least normal float, where floats are 5e-324 apart: eight of them, for results that
/// are off by a few.
const LEAST: f64 = 8.0 * 5e-324;

/// Bounds of a result of the standard library; a result beyond the greatest float is at least about that float.
fn widened(low: f64, high: f64) -> Interval {
    let low = low.min(f64::MAX);
    Interval {
        low: (low - low.abs() * SLACK - LEAST).next_down(),
        high: (high + high.abs() * SLACK + LEAST).next_up(),
    }
}

impl Interval {
    /// The interval between two numbers.
    pub fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// The midpoint.
    pub fn middle(self) -> f64 {
        self.low.midpoint(self.high)
    }

    /// `−a`
    pub fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    /// `a + b`
    pub fn sum(self, other: Interval) -> Interval {
        Interval { low: below(sum(self.low, other.low)), high: above(sum(self.high, other.high)) }
    }

    /// `a · b`
    pub fn product(self, other: Interval) -> Interval {
        let pairs =
            [self.low, self.high].into_iter().flat_map(|a| [other.low, other.high].map(|b| product(a, b)));
        let pairs: Vec<(f64, bool)> = pairs.collect();
        let low = pairs.iter().map(|&pair| below(pair)).fold(f64::INFINITY, f64::min);
        let high = pairs.iter().map(|&pair| above(pair)).fold(f64::NEG_INFINITY, f64::max);
        Interval { low, high }
    }

    /// `a / b`: everything, if the divisor may be 0.
    pub fn quotient(self, other: Interval) -> Interval {
        if other.low <= 0.0 && other.high >= 0.0 {
            return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let pairs = [self.low, self.high].into_iter().flat_map(|a| [other.low, other.high].map(|b| a / b));
        let pairs: Vec<f64> = pairs.collect();
        // A corner ∞/∞ is nan, which min and max skip: the neighbouring corners bound it.
        let low = pairs.iter().copied().fold(f64::INFINITY, f64::min).next_down();
        Interval { low, high: pairs.iter().copied().fold(f64::NEG_INFINITY, f64::max).next_up() }
    }

    /// Whether the numbers are equal, if that can be told.
    pub fn equals(self, other: Interval) -> Option<bool> {
        let apart = self.high < other.low || other.high < self.low;
        let both_points = self.low == self.high && other.low == other.high;
        if apart { Some(false) } else { both_points.then_some(true) }
    }

    /// Whether the first number is less, if that can be told.
    pub fn is_less(self, other: Interval) -> Option<bool> {
        match () {
            () if self.high < other.low => Some(true),
            () if self.low >= other.high => Some(false),
            () => None,
        }
    }

    /// Whether the bounds agree in ten digits.
    pub fn is_narrow(self) -> bool {
        (self.high - self.low).abs() <= 1e-10 * self.low.abs().max(self.high.abs())
    }

    /// Whether the interval contains a number.
    pub fn contains(self, number: &RBig) -> bool {
        let exact = |x: f64| RBig::try_from(x).ok();
        exact(self.low).is_none_or(|low| low <= *number)
            && exact(self.high).is_none_or(|high| *number <= high)
    }
}

/// The value of a real function by its name, if it is one of the library's.
pub fn function(name: &str, arguments: &[IntervalValue]) -> Option<IntervalValue> {
    let mut intervals = Vec::new();
    for argument in arguments {
        match argument {
            IntervalValue::Within(interval) => intervals.push(*interval),
            other => return Some(*other),
        }
    }
    Some(match (name, &intervals[..]) {
        ("exp", [x]) => {
            let Interval { low, high } = widened(x.low.exp(), x.high.exp());
            IntervalValue::Within(Interval { low: low.max(0.0), high })
        }
        ("ln", [x]) => positive(*x, false, |x| widened(x.low.ln(), x.high.ln())),
        ("sqrt", [x]) => positive(*x, true, |x| {
            let Interval { low, high } = widened(x.low.sqrt(), x.high.sqrt());
            if x == (Interval { low: 0.0, high: 0.0 }) { x } else { Interval { low: low.max(0.0), high } }
        }),
        ("rsqrt", [x]) => positive(*x, false, |x| widened(1.0 / x.high.sqrt(), 1.0 / x.low.sqrt())),
        ("pow", [x, y]) => pow(*x, *y),
        _ => return None,
    })
}

/// Applies a function that is defined for positive numbers, and for 0 if `or_zero`.
fn positive(x: Interval, or_zero: bool, f: impl Fn(Interval) -> Interval) -> IntervalValue {
    let allowed = |x: f64| x > 0.0 || or_zero && x == 0.0;
    match [allowed(x.low), allowed(x.high)] {
        [true, true] => IntervalValue::Within(f(x)),
        [_, false] => IntervalValue::None,
        [false, true] => IntervalValue::Open,
    }
}

fn pow(x: Interval, y: Interval) -> IntervalValue {
    let is_zero = |a: Interval| a.low == 0.0 && a.high == 0.0;
    match () {
        () if is_zero(y) => IntervalValue::point(1.0),
        () if is_zero(x) && y.low > 0.0 => IntervalValue::point(0.0),
        () if is_zero(x) && y.high < 0.0 => IntervalValue::None,
        () if x.low > 0.0 => IntervalValue::Within(power(x, y)),
        () if x.high < 0.0 => {
            let integer = y.low == y.high && y.low.fract() == 0.0;
            let between = y.low.floor() == y.high.floor() && y.low.fract() != 0.0;
            let magnitude = || power(x.negated(), y);
            match () {
                () if integer && y.low % 2.0 == 0.0 => IntervalValue::Within(magnitude()),
                () if integer => IntervalValue::Within(magnitude().negated()),
                () if between => IntervalValue::None,
                () => IntervalValue::Open,
            }
        }
        () => IntervalValue::Open,
    }
}

/// The power of a positive base: monotone in each argument, so that its extremes are at corners.
fn power(x: Interval, y: Interval) -> Interval {
    let corners = [x.low, x.high].into_iter().flat_map(|x| [y.low, y.high].map(|y| x.powf(y)));
    let corners: Vec<f64> = corners.collect();
    let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let high = corners.iter().copied().fold(0.0, f64::max);
    let Interval { low, high } = widened(low, high);
    Interval { low: low.max(0.0), high }
}
