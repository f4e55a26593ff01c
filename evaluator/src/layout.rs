//! The memory layout of a variable: the bounding box of its domain, row-major, with padded rows.
//!
//! Every row starts at a multiple of 64 bytes and is padded to whole vectors; the padding is never read as an
//! element.

use crate::fault::PlanFault;
use crate::numbers::MachineNumber;
use crate::seeded::{Seeded, seeded};
use polyhedra::AffineMap;

/// The bounding box of a variable's domain, with the positions of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The least index of each dimension.
    pub origin: Vec<i64>,
    /// The number of indices of each dimension.
    pub extents: Vec<usize>,
    /// The strides of the dimensions; the last one is 1.
    pub strides: Vec<usize>,
    /// The number of elements of a buffer, including padding.
    pub length: usize,
}

impl Layout {
    /// The layout of a box, with rows padded to whole vectors of `T`.
    ///
    /// # Errors
    /// A position in it exceeds the address space.
    pub fn padded<T: MachineNumber>(ranges: &[(i64, i64)]) -> Result<Layout, PlanFault> {
        let extent = |(low, high): &(i64, i64)| high.checked_sub(*low)?.checked_add(1);
        let extents = ranges.iter().map(|range| usize::try_from(extent(range)?).ok());
        let extents: Vec<usize> = extents.collect::<Option<_>>().ok_or(PlanFault::TooLarge)?;
        let (mut strides, mut length) = (vec![1; extents.len()], 1_usize);
        for (at, &extent) in extents.iter().enumerate().rev() {
            strides[at] = length;
            let is_row = at + 1 == extents.len();
            let extent = if is_row { row::<T>(extent, extents.len()) } else { Some(extent) };
            length = extent.and_then(|extent| length.checked_mul(extent)).ok_or(PlanFault::TooLarge)?;
        }
        // A whole vector may be read from any position of a row, so there is room for one more.
        let length =
            length.checked_next_multiple_of(T::LANES).and_then(|length| length.checked_add(T::LANES));
        let length = length.filter(|length| length.checked_mul(size_of::<T>()).is_some_and(fits));
        let origin = ranges.iter().map(|(low, _)| *low).collect();
        Ok(Layout { origin, extents, strides, length: length.ok_or(PlanFault::TooLarge)? })
    }

    /// The inclusive range of an index.
    pub fn range(&self, at: usize) -> (i64, i64) {
        (self.origin[at], self.origin[at] + self.extents[at].cast_signed() as i64 - 1)
    }

    /// The position of the element at an index in the box.
    pub fn offset(&self, at: &[i64]) -> usize {
        let each = at.iter().zip(&self.origin).zip(&self.strides);
        each.map(|((i, low), stride)| usize::try_from(i - low).unwrap_or(0) * stride).sum()
    }

    /// The position of the element at `f(z)`, as a function of `z`.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub fn linear(&self, f: &AffineMap, rank: usize) -> Result<Linear, PlanFault> {
        let mut linear = Linear { constant: 0, coefficients: vec![0; rank] };
        for ((output, &low), &stride) in f.outputs.iter().zip(&self.origin).zip(&self.strides) {
            let stride = i64::try_from(stride).map_err(|_| PlanFault::TooLarge)?;
            let constant = i64::try_from(output.value(&vec![0; rank])).map_err(|_| PlanFault::TooLarge)?;
            let low = seeded(Seeded::LayoutOrigin, low, || if stride == 1 { 0 } else { low });
            let constant =
                seeded(Seeded::LinearConstant, constant, || if stride == 1 { 0 } else { constant });
            linear.add(constant.checked_sub(low), stride, None)?;
            let count = seeded(Seeded::LinearTerms, usize::MAX, || 1);
            for (at, a) in output.terms().take(count) {
                linear.add(Some(a), stride, Some(at))?;
            }
        }
        Ok(linear)
    }
}

/// The padded length of a row. Rows at multiples of a page would compete for the same few cache lines, which makes
/// reading across rows slow; such rows get one more vector.
fn row<T: MachineNumber>(extent: usize, rank: usize) -> Option<usize> {
    let padded = extent.checked_next_multiple_of(T::LANES)?;
    let competes = rank > 1 && padded > 0 && padded.checked_mul(size_of::<T>())? % PAGE == 0;
    if competes { padded.checked_add(T::LANES) } else { Some(padded) }
}

fn fits(bytes: usize) -> bool {
    isize::try_from(bytes).is_ok()
}

/// An affine function of indices: a position in memory, or an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The value at the origin.
    pub constant: i64,
    /// The coefficient of each index.
    pub coefficients: Vec<i64>,
}

impl Linear {
    fn add(&mut self, a: Option<i64>, stride: i64, to: Option<usize>) -> Result<(), PlanFault> {
        let place = to.map_or(&mut self.constant, |at| &mut self.coefficients[at]);
        let sum = a.and_then(|a| a.checked_mul(stride)).and_then(|term| place.checked_add(term));
        *place = sum.ok_or(PlanFault::TooLarge)?;
        Ok(())
    }

    /// The value at a point.
    pub fn value(&self, point: &[i64]) -> i64 {
        self.coefficients.iter().zip(point).fold(self.constant, |sum, (a, i)| sum + a * i)
    }

    /// The function of permuted indices: index `order[k]` becomes index `k`.
    pub fn reordered(&self, order: &[usize]) -> Linear {
        let mut coefficients: Vec<i64> = order.iter().map(|&at| self.coefficients[at]).collect();
        if let [.., a, b] = seeded(Seeded::LinearReordered, &mut [][..], || &mut coefficients) {
            std::mem::swap(a, b);
        }
        Linear { constant: self.constant, coefficients }
    }
}

/// Elements in memory aligned to 64 bytes. Not `Clone`, because a copy would not be aligned.
#[derive(Debug, Default)]
pub struct Buffer<T> {
    elements: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: MachineNumber> Buffer<T> {
    /// A buffer of `length` zeros.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(length: usize) -> Result<Buffer<T>, PlanFault> {
        let (mut elements, room) = (Vec::new(), length.checked_add(T::LANES).ok_or(PlanFault::TooLarge)?);
        elements.try_reserve_exact(room).map_err(|_| PlanFault::TooLarge)?;
        elements.resize(room, T::ZERO);
        let start = elements.as_ptr().align_offset(ALIGNMENT);
        Ok(Buffer { elements, start, length })
    }

    /// The elements, including padding.
    pub fn all(&self) -> &[T] {
        &self.elements[self.start..self.start + self.length]
    }

    /// The elements, including padding, mutably.
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.elements[self.start..self.start + self.length]
    }
}

/// The size in bytes of one way of the first-level cache: 64 sets of lines of 64 bytes, in the caches of 32 KiB
/// with 8 ways and of 48 KiB with 12 that x86 cores have.
const PAGE: usize = 4096;

/// Buffers start at a multiple of this many bytes: a line of the cache, and the widest vector register, as
/// `Number::LANES`.
pub const ALIGNMENT: usize = 64;
