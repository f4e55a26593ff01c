//! Where a plan changes from one way of computing to another. What is computed does not depend on it, except for the order of sums.

/// Thresholds, and numbers of elements at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// How many elements of a row are computed at a time, so that intermediate results stay in a near cache.
    pub chunk: usize,
    /// Where elements are read across their rows: how many are computed of one row before the next row.
    pub strip: usize,
    /// Where terms are added to the elements of a row: for how many elements all terms are added before the next ones.
    pub folded: usize,
    /// Buffers of more bytes are written past the caches.
    pub many_bytes: usize,
    /// How many bytes of rows that are in no cache are computed at a time: few, so that the processor requests what the next
    /// operation reads while it waits for what the one before reads.
    pub few_bytes: usize,
    /// Matrices whose product takes fewer multiplications are not worth a kernel.
    pub least_product: usize,
    /// The maximum number of factors of a chain whose best order is found exactly.
    pub exact_factors: usize,
}

impl Default for Tuning {
    /// What was measured to be fast.
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
    /// Every way of computing is within reach of programs with a few elements: for tests.
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

    /// How many elements [`Tuning::few_bytes`] are.
    pub fn few<T>(&self) -> usize {
        (self.few_bytes / size_of::<T>()).max(1)
    }

    /// No more elements are computed at a time.
    pub fn most<T>(&self) -> usize {
        self.chunk.max(self.few::<T>())
    }
}
