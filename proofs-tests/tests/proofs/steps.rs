//! The inductive step for all extents: steps that need the hypothesis fail without it. That all are proved with it is
//! asserted of the ledger.

use proofs_tests::observation::Property;
use proofs_tests::steps::{Hypothesis, steps};
use proofs_tests::symbolic::Count;

fn count_of(counts: &[(Property, Count)], property: Property) -> Count {
    counts.iter().find(|(of, _)| *of == property).map(|(_, count)| *count).unwrap_or_default()
}

#[test]
fn a_contraction_needs_the_hypothesis() {
    let counts = steps(2, Hypothesis::None);
    let in_range = count_of(&counts, Property::InRange);
    // The contraction of a matrix sums the padding.
    assert_eq!((in_range.proved, in_range.open), (25, 1));
    assert!(count_of(&counts, Property::PaddingDominated).open > 0);
}
