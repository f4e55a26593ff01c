//! Numbers of points of sets.

use polyhedra::IndexSet;
use rewrites::optimization::egraph::counting::points;

#[test]
fn points_are_counted() {
    let sets = [
        ("[N] -> { [i, j] : 0 <= i < N and 0 <= j < 3 }", 30.0),
        ("[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }", 55.0),
        ("[N] -> { [i] : exists e : i = 2e and 0 <= i < N }", 5.0),
        ("[N] -> { [i] : i >= N }", f64::INFINITY),
        ("[N] -> { [i] : N < i < N }", 0.0),
        ("[N] -> { [] : N >= 3 }", 1.0),
        ("[N] -> { [i, j] : 0 <= 3i < N and i = 2j }", 2.0),
        ("[N] -> { [i, j] : 0 <= i < 1000 and 3j <= i and 2j >= i - N }", 91.0),
    ];
    for (text, count) in sets {
        let found = points(&text.parse::<IndexSet>().unwrap(), &[10], 20_000.0);
        assert_eq!((found.points, found.is_exact), (count, true), "{text}");
    }
    let large = [
        // Two separate triangles, and a triangle times a line: both are counted exactly.
        ("{ [i, j, k, l] : 0 <= k <= i < N and 0 <= l <= j < N }", 500_500.0 * 500_500.0),
        ("{ [i, j, k, l] : 0 <= k <= i < N and 0 <= l <= j < N and j = l }", 500_500.0 * 1_000.0),
        ("{ [i, j] : 2i = 3j and 0 <= i < N and 0 <= j < N }", 334.0),
    ];
    for (text, count) in large {
        let found = points(&format!("[N] -> {text}").parse().unwrap(), &[1_000], 20_000.0);
        assert_eq!((found.points, found.is_exact), (count, true), "{text}");
    }
    let pyramid: IndexSet = "[N] -> { [i, j, k] : 0 <= i <= j <= k < N }".parse().unwrap();
    let exact = points(&pyramid, &[1_000], 1e6);
    assert_eq!((exact.points, exact.is_exact), (167_167_000.0, true));
    let estimate = points(&pyramid, &[1_000], 20_000.0);
    assert!((estimate.points / exact.points - 1.0).abs() < 0.1 && !estimate.is_exact, "{estimate:?}");
}
