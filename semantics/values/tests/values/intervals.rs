//! An interval encloses the exact value: what it calls undefined is undefined.

use dashu_ratio::RBig;
use values::intervals::{IntervalTruth, IntervalValue, Intervals};
use values::{ComparisonOperator, Extended, Extremum, IntegerOperation, Rationals, ValueDomain};

const OPERATIONS: [IntegerOperation; 6] = [
    IntegerOperation::Div,
    IntegerOperation::Mod,
    IntegerOperation::Rem,
    IntegerOperation::And,
    IntegerOperation::Or,
    IntegerOperation::Xor,
];

/// Whether a value of the intervals says nothing wrong about an exact one.
fn encloses(value: &IntervalValue, exact: &Option<RBig>) -> bool {
    match (value, exact) {
        (IntervalValue::Open, _) | (IntervalValue::None, None) => true,
        (IntervalValue::Within(_), Some(exact)) => {
            let at = IntervalValue::enclosing(exact);
            let apart = [(*value, at), (at, *value)]
                .map(|(a, b)| Intervals.compare(ComparisonOperator::Less, &a, &b));
            !apart.contains(&IntervalTruth::Known(true))
        }
        _ => false,
    }
}

#[test]
fn operations_on_integers_and_magnitudes_are_enclosed() {
    let (exact, intervals) = (Extended(Rationals), Intervals);
    for a in -4..=4_i64 {
        for b in -4..=4_i64 {
            for operation in OPERATIONS {
                let is = exact.integer_operation(operation, &exact.index(a), &exact.index(b));
                let said = intervals.integer_operation(operation, &intervals.index(a), &intervals.index(b));
                assert!(encloses(&said, &is), "{operation:?} of {a} and {b}: {said:?}, not {is:?}");
            }
        }
        let (x, y) = (exact.index(a), intervals.index(a));
        assert!(encloses(&intervals.absolute(&y), &exact.absolute(&x)), "|{a}|");
        assert!(encloses(&intervals.truncation(&y), &exact.truncation(&x)), "the truncation of {a}");
    }
    for extremum in [Extremum::Min, Extremum::Max] {
        let said = intervals.extremum_identity(extremum);
        assert!(encloses(&said, &exact.extremum_identity(extremum)), "{extremum:?}");
    }
    assert_eq!(
        intervals.integer_operation(IntegerOperation::Div, &IntervalValue::None, &IntervalValue::point(1.0)),
        IntervalValue::None
    );
}
