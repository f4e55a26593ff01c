//! How long exact numbers get.

use checker::length::NumberLength;

#[test]
fn products_and_sums_of_fractions_get_long() {
    let is_short = |times: usize, step: fn(NumberLength) -> NumberLength| {
        (0..times).fold(NumberLength::SAMPLE, |length, _| step(length)).is_short()
    };
    let square = |x: NumberLength| x.times(x);
    assert_eq!([12, 13].map(|times| is_short(times, square)), [true, false]);
    assert!(!is_short(14, |x| x.plus(x.inverse())));
    assert!(is_short(4_000, |x| x.plus(NumberLength::SAMPLE)));
}
