//! A limit on the length of exact numbers, so that `x = x * x` forty times runs out of budget and not out of
//! memory.
#![allow(clippy::unwrap_used, reason = "tests")]

use dashu_int::IBig;
use dashu_ratio::RBig;
use values::digits::{MAX_BITS, TooLong, counted, within_limit};
use values::{Integers, NumberSystem, Rationals};

#[test]
fn long_numbers_are_noticed_and_forgotten() {
    let long = IBig::ONE << (MAX_BITS / 2);
    let squares = |n: usize| within_limit(|| (0..n).fold(long.clone(), |x, _| Integers.mul(&x, &x)));
    assert_eq!(squares(0), Ok(long.clone()));
    assert_eq!(squares(1), Err(TooLong));
    assert_eq!(squares(100), Err(TooLong));
    let small = RBig::ONE / RBig::from(long);
    assert_eq!(within_limit(|| Rationals.mul(&small, &small)), Err(TooLong));
    assert_eq!(within_limit(|| Rationals.add(&RBig::ONE, &RBig::ONE)), Ok(RBig::from(2)));
}

/// Long numbers cost more than short ones, and the work within a computation is part of the work of the whole.
#[test]
fn work_counts_for_every_computation_around_it() {
    let long = IBig::ONE << (MAX_BITS / 2);
    let ((_, inner), outer) = counted(|| {
        Integers.mul(&IBig::from(2), &IBig::from(3));
        counted(|| Integers.add(&long, &long))
    });
    assert_eq!(outer, inner + 1);
    assert!(inner > 1_000_000, "{inner}");
    assert_eq!(counted(|| ()).1, 0);
}

#[test]
fn a_limit_within_another_hides_nothing() {
    let long = IBig::ONE << (MAX_BITS / 2);
    let square = || Integers.mul(&long, &long);
    let outer = within_limit(|| {
        square();
        within_limit(|| Integers.add(&long, &long)).is_ok()
    });
    assert_eq!(outer, Err(TooLong));
    assert_eq!(within_limit(|| within_limit(square)), Ok(Err(TooLong)));
}
