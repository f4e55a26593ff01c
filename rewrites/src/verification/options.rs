//! The effort of a verification.

use values::SystemName;

/// The effort of a verification.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed for samples and counterexamples.
    pub seed: u64,
    /// The maximum number of pairs of sides in the search for one proof.
    pub budget: u32,
    /// The maximum number of evaluation steps in the search for one counterexample.
    pub steps: u64,
    /// The number systems to judge, if not all.
    pub systems: Option<&'static [SystemName]>,
    /// Whether the solver is asked about the arithmetic of floats, which is slow.
    pub solves_floats: bool,
}

impl Default for Options {
    /// Chosen, not measured: with more pairs and steps more proofs and counterexamples may be found, and whatever
    /// is unknown takes longer. The steps are 50 times those of the longest evaluation.
    fn default() -> Options {
        Options { seed: 0, budget: 20_000, steps: 5_000_000, systems: None, solves_floats: true }
    }
}
