//! Functions of real numbers at rationals, against the definition of a power, and against functions in f64.
#![allow(clippy::unwrap_used, reason = "tests")]

use dashu_ratio::RBig;
use values::Literal;
use values::exact_functions::{ExactValue, exact_value};
use values::faithful::faithful_f64;

/// Fractions with numerators and denominators up to 9, and some powers.
fn rationals() -> Vec<RBig> {
    let fraction = |(n, d): (i64, i64)| RBig::from(n) / RBig::from(d);
    let small = (-9..=9).flat_map(|n| (1..=9).map(move |d| (n, d)));
    small.chain([(64, 1), (-27, 8), (1, 1024), (625, 16)]).map(fraction).collect()
}

/// `v = x^(n/d)` is the real number of the sign of a power with `v^d = x^n`.
#[test]
fn powers_have_the_defining_property() {
    let (mut rational, mut missing) = (0, 0);
    for x in rationals() {
        for y in rationals() {
            let whole = y.denominator().is_one();
            let lacks = x < RBig::ZERO && !whole || x.is_zero() && y < RBig::ZERO;
            match exact_value("pow", &[x.clone(), y.clone()]) {
                Some(ExactValue::Missing) => {
                    missing += 1;
                    assert!(lacks, "{x}^{y}");
                }
                Some(ExactValue::Rational(value)) => {
                    rational += 1;
                    let degree = isize::try_from(y.denominator().clone()).unwrap();
                    let exponent = isize::try_from(y.numerator().clone()).unwrap();
                    assert_eq!(value.pow(degree), x.pow(exponent), "{x}^{y} = {value}");
                    assert!(!lacks && (whole || value >= RBig::ZERO), "{x}^{y} = {value}");
                }
                None => assert!(!lacks && !whole, "{x}^{y}"),
            }
        }
    }
    assert!(rational > 3_000 && missing > 5_000, "{rational} {missing}");
}

/// The exact value rounds to what f64 has; a missing one is nan there or an infinity.
#[test]
fn exact_values_round_to_those_of_floats() {
    let mut counted = 0;
    for name in ["exp", "ln", "sqrt", "rsqrt"] {
        for x in rationals() {
            let Ok(float) = Literal::Exact(x.clone()).to_f64() else { continue };
            let is_same = Literal::F64(float).exact().is_ok_and(|exact| exact == x);
            let (true, Some(value)) = (is_same, exact_value(name, &[x])) else { continue };
            let floats = faithful_f64(name, &[float]).unwrap();
            counted += 1;
            match value {
                ExactValue::Missing => assert!(!floats[0].is_finite(), "{name}({float})"),
                ExactValue::Rational(value) => {
                    assert_eq!(
                        Literal::Exact(value).to_f64().unwrap().to_bits(),
                        floats[0].to_bits(),
                        "{name}({float})"
                    );
                }
            }
        }
    }
    assert!(counted > 100, "{counted}");
}
