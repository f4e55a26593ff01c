//! The inductive step for all extents: every operator of small rank is proved, and steps that need the hypothesis
//! fail without it.

use proofs_tests::observation::Property;
use proofs_tests::steps::{Hypothesis, steps};
use proofs_tests::symbolic::Count;

fn count_of(counts: &[(Property, Count)], property: Property) -> Count {
    counts.iter().find(|(of, _)| *of == property).map(|(_, count)| *count).unwrap_or_default()
}

#[test]
fn every_step_is_proved() {
    let counts = steps(2, Hypothesis::Dominated);
    assert_eq!(counts.len(), 4);
    for (property, count) in &counts {
        assert_eq!((count.refuted, count.open), (0, 0), "{property:?}");
        assert!(count.proved >= 26, "{property:?}: {count:?}");
    }
}

#[test]
fn a_contraction_needs_the_hypothesis() {
    let counts = steps(2, Hypothesis::None);
    let in_range = count_of(&counts, Property::InRange);
    // The contraction of a matrix sums the padding.
    assert_eq!((in_range.proved, in_range.open), (25, 1));
    assert!(count_of(&counts, Property::PaddingDominated).open > 0);
}
