//! Which ways of computing were gone: for tests that ask whether their cases go every one. Builds without debug assertions keep no record.

use crate::numbers::{One, Three, Two};
use crate::transformation::Transformation;

/// A way of computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(not(debug_assertions), allow(dead_code, reason = "named where they are gone"))]
pub enum Way {
    /// An operation on a row.
    One(One),
    /// An operation on rows.
    Two(Two),
    /// The operands of one that are rows; the others are one value for all.
    TwoRows([bool; 2]),
    /// A product and a sum on rows.
    Three(Three),
    /// The operands of one that are rows.
    ThreeRows([bool; 3]),
    /// `if`, by its operands that are rows.
    Choice([bool; 3]),
    /// A product is added to a row, by its factors that are rows.
    AddProduct([bool; 2]),
    /// Several products are added to a row in one pass.
    AddProducts,
    /// A row is combined with another one, element by element.
    Accumulate(Two),
    /// A row is reduced to one element, in parts.
    Fold(Two),
    /// What a plan does otherwise than the text says.
    Transformation(Transformation),
    /// A buffer is filled.
    Fill,
    /// All points of a box.
    InBox,
    /// Rows of a set that is no box.
    InRows,
    /// Blocks of a box, on several threads.
    InBlocks,
    /// Strips across rows.
    InStrips,
    /// Elements in an order in which they can depend on each other.
    Recurrence,
    /// A statement overwrites what it reads.
    InPlace,
    /// Two variables are in one buffer.
    Shared,
    /// A row whose elements are next to each other, in several chunks.
    Chunks,
    /// A row whose elements are not next to each other.
    Strided,
    /// Terms of one element, side by side.
    SideBySide,
    /// Several products for one row.
    Products,
    /// What is read is not next to each other.
    Gather,
    /// An index as a value.
    Index,
    /// A row that is stored past the caches.
    Streamed,
    /// A row that reaches into the padding.
    Padded,
    /// A product of matrices.
    Matrices,
    /// Products of matrices in a loop.
    Batched,
    /// Products of matrices that are added up.
    Added,
    /// A chain of contractions with few enough factors for an exact search of the cheapest order.
    ExactChain,
    /// A longer one.
    GreedyChain,
    /// A product of two factors that are no matrices, or small ones.
    SmallProduct,
}

/// Notes that a way was gone, by vector instructions if it is an operation on rows.
#[inline(always)]
#[cfg(not(debug_assertions))]
pub fn reach(_: Way, _: &'static str) {}

#[cfg(debug_assertions)]
pub use record::{reach, reached};

#[cfg(debug_assertions)]
mod record {
    use super::Way;
    use rustc_hash::FxHashSet;
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::sync::{Mutex, PoisonError};

    static ALL: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

    thread_local! {
        /// Those that this thread has noted.
        static OWN: RefCell<FxHashSet<(Way, &'static str)>> = RefCell::default();
    }

    /// Notes that a way was gone, by vector instructions if it is an operation on rows.
    pub fn reach(way: Way, level: &'static str) {
        if OWN.with_borrow_mut(|own| own.insert((way, level))) {
            let name = format!("{way:?} {level}").trim_end().to_owned();
            ALL.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        }
    }

    /// The ways that were gone by any thread since the process began.
    pub fn reached() -> BTreeSet<String> {
        ALL.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
