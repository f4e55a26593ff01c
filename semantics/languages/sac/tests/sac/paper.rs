//! The examples of §§1 to 5, with their values.

use crate::support::value;
use expect_test::expect;

const V: &str = "v = [10, 20, 30, 40, 50];";
const M: &str = "m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];";
const A: &str = "A = [[1, 2, 3], [4, 5, 6]];";

/// §1: inner increments.
#[test]
fn inner_increments() {
    let parts = "take([1], v) ++ drop([1], drop([-1], v)) + 1 ++ take([-1], v)";
    assert_eq!(value(V, parts), "[5] 10 21 31 41 50");
    let with = "with { ([1] <= [i] < shape(v) - 1) : v[i] + 1; } : modarray(v)";
    assert_eq!(value(V, with), "[5] 10 21 31 41 50");
    let matrix = "with { ([1, 1] <= [i, j] < shape(m) - 1) : m[i, j] + 1; } : modarray(m)";
    assert_eq!(value(M, matrix), "[3, 3] 1 2 3 4 6 6 7 8 9");
    let any = "with { (0 * shape(m) + 1 <= iv < shape(m) - 1) : m[iv] + 1; } : modarray(m)";
    assert_eq!(value(M, any), "[3, 3] 1 2 3 4 6 6 7 8 9");
}

/// §2: with-loops.
#[test]
fn with_loops() {
    let one = "with { ([2] <= iv < [5]) : iv[0] + 1; } : genarray([8], 42)";
    assert_eq!(value("", one), "[8] 42 42 3 4 5 42 42 42");
    let two = "with { ([2] <= iv < [5]) : iv[0] + 1; ([4] <= iv < [6]) : 0; } : genarray([8], 42)";
    assert_eq!(value("", two), "[8] 42 42 3 4 5 0 42 42");
    let nested = "with { ([1] <= jv < [2]) : with { ([2] <= iv < [5]) : iv[0] + 1; } : genarray([8], 42); } \
                  : genarray([3], [0, 0, 0, 0, 0, 0, 0, 0])";
    let zeros = "0 0 0 0 0 0 0 0";
    assert_eq!(value("", nested), format!("[3, 8] {zeros} 42 42 3 4 5 42 42 42 {zeros}"));
    let changed = "with { ([2] <= iv < [5]) : iv[0] + 1; } : modarray([11, 12, 13, 14, 15, 16, 17, 18])";
    assert_eq!(value("", changed), "[8] 11 12 3 4 5 16 17 18");
    assert_eq!(value("", "with { ([0] <= iv < [10]) : iv[0] } : fold(+, 0)"), "45");
}

/// §3: bounds, components, default elements, set notation.
#[test]
fn reduced_verbosity() {
    let all = "with { (0 * shape(A) <= iv < shape(A)) : A[iv] + 1; } : genarray(shape(A), 0)";
    assert_eq!(value(A, all), "[2, 3] 2 3 4 5 6 7");
    let dots = "with { (. <= iv < .) : A[iv] + 1; } : genarray(shape(A), 0)";
    assert_eq!(value(A, dots), "[2, 3] 2 3 4 5 6 7");
    let rows = "with { ([0] <= iv < take([1], shape(A))) : A[iv] + 1; } : genarray(take([1], shape(A)), d)";
    let d = "d = with { } : genarray(drop([1], shape(A)), 0);";
    assert_eq!(value(&format!("{A} {d}"), rows), "[2, 3] 2 3 4 5 6 7");
    let product = |index: &str| {
        format!(
            "with {{ ([0, 0] <= {index} < shape(m)) : with {{ ([0] <= [k] < [shape(m)[0]]) : m[[i, k]] * m[[k, j]]; }} : fold(+, 0); }} \
         : genarray(shape(m), 0)"
        )
    };
    assert_eq!(value(M, &product("[i, j]")), "[3, 3] 30 36 42 66 81 96 102 126 150");
    assert_eq!(value(A, "{ iv -> A[iv] + 1 }"), "[2, 3] 2 3 4 5 6 7");
    assert_eq!(
        value(M, "{ [i, j] -> sum({ [k] -> m[i, k] * m[k, j] }) }"),
        "[3, 3] 30 36 42 66 81 96 102 126 150"
    );
    let scaled = "{ [i, j] -> sum({ [k] -> A[i, k] * B[k, j] }) }";
    assert_eq!(value(&format!("{A} B = [[1], [2], [3]];"), scaled), "[2, 1] 14 32");
}

/// §4: the notation.
#[test]
fn comprehensions() {
    assert_eq!(
        value("", "{ iv -> 1 | [0] <= iv < [5]; iv -> 2 | [5] <= iv < [10] }"),
        "[10] 1 1 1 1 1 2 2 2 2 2"
    );
    assert_eq!(value("", "{ iv -> 7 | iv < [2, 1] }"), "[2, 1] 7 7");
    assert_eq!(value(A, "{ iv -> A[iv] | [1, 1] <= iv }"), "[2, 3] 0 0 0 0 5 6");
    assert_eq!(value(A, "{ iv -> A[iv] }"), "[2, 3] 1 2 3 4 5 6");
    assert_eq!(value("", "{ [i, j] -> i + j | [i, j] < [3, 3] }"), "[3, 3] 0 1 2 1 2 3 2 3 4");
    let part = "{ [i, j] -> i + j | [2, 2] <= [i, j]; iv -> 0 | iv < [3, 4] }";
    assert_eq!(value("", part), "[3, 4] 0 0 0 0 0 0 0 0 0 0 4 5");
    let changed = "{ [i, j] -> i + j | [1, 1] <= [i, j]; iv -> A[iv] }";
    assert_eq!(value(A, changed), "[2, 3] 1 2 3 4 2 3");
    assert_eq!(value("", "{ [i, .] -> [1, 2, 3] + i | [i] < [2] }"), "[2, 3] 1 2 3 2 3 4");
    assert_eq!(value("", "{ [., i] -> [1, 2, 3] + i | [i] < [2] }"), "[3, 2] 1 2 2 3 3 4");
    let matrix = "A = [[1, 2], [3, 4]];";
    assert_eq!(value(matrix, "{ [i, ...] -> A + i | [i] < [2] }"), "[2, 2, 2] 1 2 3 4 2 3 4 5");
    assert_eq!(value(matrix, "{ [..., i] -> A + i | [i] < [2] }"), "[2, 2, 2] 1 2 2 3 3 4 4 5");
    assert_eq!(value(V, "shape({ [i, ...] -> v + i | [i] < [2] })"), "[2] 2 5");
    let middle = "shape({ [i, ..., j] -> [[1, 2], [3, 4]] + i | [i, j] < [5, 5] })";
    assert_eq!(value("", middle), "[4] 5 2 2 5");
}

/// §5.2 and §6: the shortest extent, empty arrays.
#[test]
fn bounds_and_defaults() {
    let shapes = "a = { [i, j] -> 10 * i + j | [i, j] < [3, 4] }; b = [7, 8];";
    assert_eq!(value(shapes, "{ [i, j] -> a[j, i] + b[i] }"), "[2, 3] 7 17 27 9 19 29");
    let empty = "A = genarray([0, 6], 0);";
    assert_eq!(value(empty, "{ [i] -> A[i] + 1 }"), "[0, 6] ");
    assert_eq!(value("A = genarray([0, 2048], 0);", "shape({ [i] -> A[i] + 1 })"), "[2] 0 2048");
    assert_eq!(value("a = genarray([0, 5], 0);", "shape({ [i] -> reverse(a[i]) })"), "[2] 0 5");
    expect!["Bottom: the upper bound of the last partition does not follow from its value"]
        .assert_eq(&value("", "{ [i] -> i }"));
}
