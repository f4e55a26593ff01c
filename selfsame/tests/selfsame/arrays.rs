//! SaC against programs of other languages, for all sizes: pairs that are the same, and near misses.

use crate::pairs::{Pair, judged, pairs};

fn all() -> Vec<Pair> {
    pairs(include_str!("../arrays.json"), "sac", 30)
}

#[test]
fn none_is_unknown_and_none_is_wrong() {
    campaigns::spread("array-pairs", &all()).into_iter().for_each(judged);
}
