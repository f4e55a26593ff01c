//! The indices of a tensor, in order.

/// All of them, row-major: the last one is fastest. There are none if an extent is not positive, and one without dimensions.
pub fn row_major(extents: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let extents = extents.to_vec();
    let is_empty = extents.iter().any(|&extent| extent <= 0);
    let first = (!is_empty).then(|| vec![0; extents.len()]);
    std::iter::successors(first, move |index| {
        let d = (0..index.len()).rev().find(|&d| index[d] + 1 < extents[d])?;
        let mut next = index.clone();
        next[d] += 1;
        next[d + 1..].fill(0);
        Some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::row_major;

    #[test]
    fn the_last_index_is_fastest() {
        let all: Vec<Vec<i64>> = row_major(&[2, 3]).collect();
        assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(row_major(&[]).collect::<Vec<_>>(), [Vec::<i64>::new()]);
        assert_eq!(row_major(&[2, 0]).count() + row_major(&[-1]).count(), 0);
        assert_eq!(row_major(&[i64::MAX, i64::MAX]).take(3).last(), Some(vec![0, 2]));
    }
}
