//! The indices of a tensor, in order.

/// All indices, row-major: the last dimension varies fastest. None if an extent is not positive; one without
/// dimensions.
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
