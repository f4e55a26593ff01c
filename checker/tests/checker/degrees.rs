//! How long formulas get when products are multiplied out.

use checker::degrees::is_askable;
use z3::ast::{BV, Int, Real};

#[test]
fn twenty_squarings_are_asked_about() {
    let askable = |times: usize| {
        let real = (0..times).fold(Real::new_const("x"), |x, _| &x * &x);
        let integer = (0..times).fold(Int::new_const("i"), |i, _| &i * &i);
        let bits = (0..times).fold(BV::new_const("b", 32), |b, _| b.bvmul(&b));
        let formulas =
            [real.eq(Real::from_rational(1, 1)), integer.eq(Int::from(1)), bits.eq(BV::from_u64(1, 32))];
        formulas.map(|formula| is_askable(&[formula]))
    };
    assert_eq!([20, 21].map(askable), [[true; 3], [false; 3]]);
}

#[test]
fn sums_are_as_long_as_their_longest_term() {
    let doubled = (0..100).fold(Real::new_const("x"), |x, _| &x + &x);
    assert!(is_askable(&[doubled.eq(Real::from_rational(1, 1))]));
}
