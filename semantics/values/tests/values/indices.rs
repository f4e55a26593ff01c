//! The indices of a tensor, in order.
#![allow(clippy::unwrap_used, reason = "tests")]

use values::indices::row_major;

#[test]
fn the_last_index_is_fastest() {
    let all: Vec<Vec<i64>> = row_major(&[2, 3]).collect();
    assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    assert_eq!(row_major(&[]).collect::<Vec<_>>(), [Vec::<i64>::new()]);
    assert_eq!(row_major(&[2, 0]).count() + row_major(&[-1]).count(), 0);
    assert_eq!(row_major(&[i64::MAX, i64::MAX]).take(3).last(), Some(vec![0, 2]));
}
