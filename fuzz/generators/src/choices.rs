//! Sources of decisions.

/// A source of decisions.
pub trait DecisionSource {
    /// A number below `n`, which is positive.
    fn below(&mut self, n: usize) -> usize;

    /// One of the items, which must not be empty.
    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Pseudo-random decisions, determined by a seed.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Decisions from a seed.
    pub fn seeded(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }
}

impl DecisionSource for Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(0..n)
    }
}

/// Given decisions, then pseudo-random ones; all are recorded, to be repeated with changes.
#[derive(Clone, Debug)]
pub struct Replay {
    given: Vec<usize>,
    random: Random,
    /// The decisions made, each with its number of possibilities.
    pub made: Vec<(usize, usize)>,
}

impl Replay {
    /// Uses the given decisions, then those from a seed.
    pub fn new(given: Vec<usize>, seed: u64) -> Replay {
        Replay { given, random: Random::seeded(seed), made: Vec::new() }
    }
}

impl DecisionSource for Replay {
    fn below(&mut self, n: usize) -> usize {
        let given = self.given.get(self.made.len());
        let decision = given.map_or_else(|| self.random.below(n), |&given| given % n);
        self.made.push((decision, n));
        decision
    }
}

/// Decisions from bytes, as a coverage-guided fuzzer provides them; 0 when they run out.
#[derive(Clone, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl DecisionSource for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % n
    }
}
