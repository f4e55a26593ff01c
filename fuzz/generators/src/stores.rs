//! Generates elements of stores.

use crate::choices::DecisionSource;

/// Elements drawn from `numbers`, sometimes `•` where `may_be_undefined` allows it.
pub fn elements<N: Clone>(
    choices: &mut impl DecisionSource,
    numbers: &[N],
    may_be_undefined: impl IntoIterator<Item = bool>,
) -> Vec<Option<N>> {
    let mut element = |may: bool| (!(may && choices.once_in(6))).then(|| choices.pick(numbers));
    may_be_undefined.into_iter().map(&mut element).collect()
}

/// The `number`-th store of `n` elements from `values`: its elements are the digits of the number in base
/// `values.len()`.
pub fn nth_store<V: Clone>(mut number: usize, n: usize, values: &[V]) -> Vec<V> {
    let mut digit = || {
        let value = values[number % values.len()].clone();
        number /= values.len();
        value
    };
    (0..n).map(|_| digit()).collect()
}

/// The number of stores of `n` elements, if it fits.
pub fn store_count(n: usize, values: usize) -> Option<usize> {
    values.checked_pow(u32::try_from(n).ok()?)
}
