//! Records which ways of computing were used, for tests that must cover all of them. Builds without debug
//! assertions keep no record.

use crate::numbers::{BinaryOperation, FusedOperation, UnaryOperation};
use crate::transformation::Transformation;

/// A way of computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(not(debug_assertions), allow(dead_code, reason = "named where they are gone"))]
pub enum Way {
    /// An operation on a row.
    Unary(UnaryOperation),
    /// An operation on rows.
    Binary(BinaryOperation),
    /// A binary operation, by which operands are rows; the others are constant.
    TwoRows([bool; 2]),
    /// A fused product and sum on rows.
    Fused(FusedOperation),
    /// A fused operation, by which operands are rows.
    ThreeRows([bool; 3]),
    /// A choice, by which operands are rows.
    Choice([bool; 3]),
    /// Adds a product to a row, by which factors are rows.
    AddProduct([bool; 2]),
    /// Adds several products to a row in one pass.
    AddProducts,
    /// Combines a row with another one, element by element.
    Accumulate(BinaryOperation),
    /// Reduces a row to one element, in parts.
    Fold(BinaryOperation),
    /// A departure of the plan from the text.
    Transformation(Transformation),
    /// Fills a buffer.
    Fill,
    /// Computes all points of a box.
    InBox,
    /// Computes the rows of a set that is not a box.
    InRows,
    /// Computes blocks of a box on several threads.
    InBlocks,
    /// Computes strips across rows.
    InStrips,
    /// Computes elements in the order of their dependences.
    Recurrence,
    /// Overwrites an operand in place.
    InPlace,
    /// Shares a buffer between variables.
    Shared,
    /// Computes a contiguous row in several chunks.
    Chunks,
    /// Computes a row whose elements are not contiguous.
    Strided,
    /// Accumulates terms of one element side by side.
    SideBySide,
    /// Adds several products to one row.
    Products,
    /// Gathers operands that are not contiguous.
    Gather,
    /// Uses an index as a value.
    Index,
    /// Stores a row past the caches.
    Streamed,
    /// Computes a row including its padding.
    Padded,
    /// Multiplies matrices.
    Matrices,
    /// Multiplies matrices in a loop.
    Batched,
    /// Sums products of matrices.
    Added,
    /// Finds the cheapest order of a short chain of contractions exactly.
    ExactChain,
    /// Finds an order of a longer chain greedily.
    GreedyChain,
    /// Multiplies factors that are not matrices, or are small ones.
    SmallProduct,
}

/// Records that a way was used, with the vector instructions if it is an operation on rows.
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
        /// The ways that this thread has recorded.
        static OWN: RefCell<FxHashSet<(Way, &'static str)>> = RefCell::default();
    }

    /// Records that a way was used, with the vector instructions if it is an operation on rows.
    pub fn reach(way: Way, level: &'static str) {
        if OWN.with_borrow_mut(|own| own.insert((way, level))) {
            let name = format!("{way:?} {level}").trim_end().to_owned();
            ALL.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        }
    }

    /// The ways that any thread has used since the process began.
    pub fn reached() -> BTreeSet<String> {
        ALL.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
