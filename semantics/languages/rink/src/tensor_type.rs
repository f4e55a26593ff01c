//! Tensor types (Definition 2), and their roundings (Definition 7).

use super::extents::{Dimension, Extent};
use std::fmt;

/// The maximum supported rank; the paper has no bound. A rank of 255 fits into a byte, and no tensor with so
/// many extents of 2 or more has elements that can be counted in 64 bits.
pub const MAX_RANK: usize = 255;

/// The vector length `M ≥ 1` (Definition 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VectorLength(std::num::NonZeroU64);

impl VectorLength {
    /// A vector length; `None` for 0.
    pub fn new(m: u64) -> Option<VectorLength> {
        std::num::NonZeroU64::new(m).map(VectorLength)
    }

    /// The number `M`.
    pub fn get(self) -> u64 {
        self.0.get()
    }
}

/// **rink-definition-2** (Definition 2): a tensor type, which is its extents, each positive. The empty tuple is the scalar type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorType<E = u64>(pub Vec<E>);

/// A type as people see it.
pub type WrittenType = TensorType<Extent>;

impl<E> TensorType<E> {
    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.len()
    }
}

impl<E: Clone + Into<Extent>> TensorType<E> {
    /// The type as people see it.
    pub fn written(&self) -> WrittenType {
        TensorType(self.0.iter().cloned().map(E::into).collect())
    }
}

impl TensorType {
    /// The number of elements of a tensor of this type; `None` if it exceeds `u64`.
    pub fn elements(&self) -> Option<u64> {
        least_elements(self)
    }

    /// **rink-definition-7** (Definition 7): `⌈t⌉` for vector length `m`; `None` if an extent exceeds `u64`.
    pub fn rounded(&self, m: VectorLength) -> Option<TensorType> {
        let extents = self.0.iter().map(|&d| d.checked_next_multiple_of(m.get()));
        extents.collect::<Option<_>>().map(TensorType)
    }
}

/// The minimum number of elements of a tensor of this type; `None` if it exceeds `u64`.
pub(super) fn least_elements<E: Dimension>(t: &TensorType<E>) -> Option<u64> {
    t.0.iter().try_fold(1u64, |product, extent| product.checked_mul(extent.least()))
}

impl<E: fmt::Display> fmt::Display for TensorType<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents: Vec<String> = self.0.iter().map(E::to_string).collect();
        write!(f, "[{}]", extents.join(" "))
    }
}
