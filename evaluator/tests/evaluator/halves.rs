//! Floats of 16 bits, whose conversions are the evaluator's own: their operations are those of the number systems.

use evaluator::MachineNumber;
use half::{bf16, f16};
use std::fmt::Debug;
use values::{BF16, Extremum, F16, NumberSystem};

/// Numbers beside every boundary: of subnormal numbers, of what overflows, of the ties.
const OTHERS: [u16; 24] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x0401, 0x1000, 0x3555, 0x3c00, 0xbc00, 0x3c01, 0x3f80,
    0x3f81, 0x007f, 0x0080, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7f7f, 0x7f80, 0x7fc0,
];

fn check<S, T>(system: S, of_bits: fn(u16) -> T)
where
    S: NumberSystem<Number = T>,
    T: MachineNumber + Debug,
{
    let pairs = |[a, b]: [u16; 2]| {
        let (a, b) = (of_bits(a), of_bits(b));
        let extremum = |which| system.extremum(which, &a, &b);
        let expected = [
            (a.plus(b), Some(system.add(&a, &b))),
            (a.minus(b), Some(system.sub(&a, &b))),
            (a.times(b), Some(system.mul(&a, &b))),
            (a.over(b), Some(system.quotient(&a, &b))),
            (a.smaller(b), extremum(Extremum::Min)),
            (a.larger(b), extremum(Extremum::Max)),
        ];
        for (which, (found, expected)) in expected.into_iter().enumerate() {
            let is_same = expected.is_some_and(|expected| system.same(&found, &expected));
            assert!(is_same, "operation {which} of {a:?} and {b:?}: {found:?}, not {expected:?}");
        }
    };
    for a in 0..=u16::MAX {
        for b in OTHERS {
            pairs([a, b]);
            pairs([b, a]);
        }
    }
    let mut random = fastrand::Rng::with_seed(16);
    (0..1_000_000).for_each(|_| pairs([random.u16(..), random.u16(..)]));
}

#[test]
fn operations_are_those_of_the_number_systems() {
    check(F16, f16::from_bits);
    check(BF16, bf16::from_bits);
}
