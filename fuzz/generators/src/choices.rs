//! Where decisions come from.

/// A source of decisions.
pub trait Choices {
    /// A number below `n`, which is positive.
    fn below(&mut self, n: usize) -> usize;

    /// One of the items, of which there is at least one.
    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Pseudo-random decisions: the same seed, the same decisions.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Decisions from a seed.
    pub fn seeded(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }
}

impl Choices for Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(0..n)
    }
}

/// Decisions from bytes, as a coverage-guided fuzzer provides them; 0 when they run out.
#[derive(Clone, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % n
    }
}
