//! Thresholds between ways of computing. They do not affect results, except for the order of sums.

/// Thresholds and block sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The number of elements of a row to compute at a time, so that intermediate results stay in a near cache.
    pub chunk: usize,
    /// Where elements are read across their rows: the number of elements to compute in one row before the next
    /// row.
    pub strip: usize,
    /// Where terms are added to the elements of a row: the number of elements to which all terms are added before
    /// the next ones.
    pub folded: usize,
    /// Buffers of more bytes are written past the caches.
    pub many_bytes: usize,
    /// The number of bytes to compute at a time of rows that are in no cache: few, so that the processor requests
    /// the operands of the next operation while it waits for those of the previous one.
    pub few_bytes: usize,
    /// The least number of multiplications for which a product of matrices uses the kernel.
    pub least_product: usize,
    /// The maximum number of factors of a chain for which the best order is found exactly.
    pub exact_factors: usize,
}

impl Default for Tuning {
    /// Values that were measured to be fast. A chunk of f64 has 4 KiB, an eighth of a first-level cache of 32
    /// KiB, and a folded one 8 KiB; 1 KiB is 16 lines of the cache. The factors of a chain of 10 are divided in
    /// two in less than 3^10 = 59,049 ways.
    fn default() -> Tuning {
        Tuning {
            chunk: 512,
            strip: 512,
            folded: 1024,
            many_bytes: 1 << 24,
            few_bytes: 1 << 10,
            least_product: 32,
            exact_factors: 10,
        }
    }
}

impl Tuning {
    /// Values so small that programs with a few elements reach every way of computing: for tests.
    pub fn small() -> Tuning {
        Tuning {
            chunk: 2,
            strip: 2,
            folded: 2,
            many_bytes: 64,
            few_bytes: 64,
            least_product: 1,
            exact_factors: 2,
        }
    }

    /// [`Tuning::few_bytes`] as a number of elements.
    pub fn few<T>(&self) -> usize {
        (self.few_bytes / size_of::<T>()).max(1)
    }

    /// The maximum number of elements computed at a time.
    pub fn most<T>(&self) -> usize {
        self.chunk.max(self.few::<T>())
    }
}
