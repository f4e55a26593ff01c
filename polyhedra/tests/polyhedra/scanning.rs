//! Membership, and the points of bounded sets in lexicographic order, without an engine.
#![allow(clippy::unwrap_used, reason = "tests")]

use polyhedra::{EngineError, IndexSet};

/// Every first coordinate is tried and none extends to a point, which rational bounds cannot tell.
#[test]
fn a_search_in_vain_ends() -> Result<(), EngineError> {
    let vain: IndexSet = "{ [i, j, k] : 0 <= i and i <= 1000000000 and 3j = i + 1 and 3k = i }".parse()?;
    assert!(vain.scan(&[])?.points(&[], 10).is_err_and(|error| error.is_out_of_budget()));
    let long: IndexSet = "{ [i] : 0 <= i and i < 1100000 }".parse()?;
    assert_eq!(long.scan(&[])?.points(&[], 2_000_000)?.len(), 1_100_000);
    Ok(())
}

/// An infinite set of rational points without an integer point is detected by parity, if necessary after trying a
/// bounded column.
#[test]
fn nothing_that_goes_on_is_nothing() -> Result<(), EngineError> {
    let set: IndexSet =
        "{ [z, i, j] : 2j = z and i >= 0; [z, i, j] : 0 <= i and i <= 3 and j = 0 }".parse()?;
    let scan = set.scan(&[])?;
    assert_eq!(scan.points(&[1], 10)?.len(), 4);
    assert!(matches!(scan.points(&[2], 10), Err(EngineError::Unbounded(_))));
    let tried: IndexSet = "{ [z, i, j, k] : 0 <= k and k <= 2 and 4j = z + 4k and i >= 0 }".parse()?;
    assert_eq!(tried.scan(&[])?.points(&[1], 10)?.len(), 0);
    assert!(matches!(tried.scan(&[])?.points(&[4], 10), Err(EngineError::Unbounded(_))));
    Ok(())
}

/// −2^63 has no absolute value in 64 bits, and divides itself.
#[test]
fn the_least_coefficient_divides() -> Result<(), EngineError> {
    let half = 1_i64 << 62;
    let text = format!("{{ [i] : i >= -3 and {} - {half}i - {half}i >= 0 }}", i64::MAX);
    let set: IndexSet = text.parse()?;
    assert_eq!(set.scan(&[])?.points(&[], 10)?, [[-3], [-2], [-1], [0]]);
    // Printed and read again, or not read, but never another set.
    let again = set.to_string().parse::<IndexSet>();
    assert!(again.as_ref().map_or(true, |again| *again == set), "{set}: {again:?}");
    Ok(())
}
