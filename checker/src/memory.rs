//! Questions about indices with their answers, and the memory of what z3 answered. Finding a proof and checking it
//! ask the same questions, and so do its parts: of the 34,351 questions about the rules of `rules/pass`, 8,959 differ
//! (2026-11-27, `selfsame verify rules/pass`).

use rustc_hash::FxHashMap;
use selfsame_core::{Condition, Variable};

/// The maximum number of index terms in the questions remembered. Those about one rule of `rules/pass` have at most
/// 213,000 (2026-11-28); a term takes some 100 bytes.
const MAX_TERMS: usize = 250_000;

/// Values of variables; those of other variables are not known.
pub type KnownValues = Vec<(Variable, i64)>;

/// The answer to an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObligationAnswer {
    /// The obligation holds for all values of the variables.
    Holds,
    /// The obligation fails for some values: these, as far as z3 gave them.
    Fails(KnownValues),
    /// Out of budget, or beyond what z3 decides.
    Unknown,
}

/// How products and floors are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProductEncoding {
    /// Each product of unknowns becomes a new unknown.
    #[default]
    Linear,
    /// Products and floors are encoded exactly.
    Full,
}

/// What z3 answered to a question.
#[derive(Clone, Debug)]
pub struct SolverAnswer {
    /// The answer.
    pub answer: ObligationAnswer,
    /// Whether something was abstracted.
    pub abstracted: bool,
}

/// The answers to questions, by conditions and encoding. Only identical conditions are the same question.
#[derive(Debug, Default)]
pub struct Memory {
    linear: FxHashMap<Vec<Condition>, SolverAnswer>,
    full: FxHashMap<Vec<Condition>, SolverAnswer>,
    /// The number of index terms in all questions remembered.
    terms: usize,
}

impl Memory {
    /// The answer to this question, if it is remembered.
    pub fn answer(&self, conditions: &[Condition], encoding: ProductEncoding) -> Option<&SolverAnswer> {
        match encoding {
            ProductEncoding::Linear => self.linear.get(conditions),
            ProductEncoding::Full => self.full.get(conditions),
        }
    }

    /// Remembers an answer. All others are forgotten if they take too much space with it.
    pub fn remember(&mut self, conditions: &[Condition], encoding: ProductEncoding, answered: SolverAnswer) {
        let mut terms = 0;
        conditions
            .iter()
            .for_each(|condition| condition.visit_terms(&mut |term| terms += 1 + term.terms().len()));
        if terms > MAX_TERMS {
            return;
        }
        if self.terms + terms > MAX_TERMS {
            *self = Memory::default();
        }
        self.terms += terms;
        let answers = match encoding {
            ProductEncoding::Linear => &mut self.linear,
            ProductEncoding::Full => &mut self.full,
        };
        answers.insert(conditions.to_vec(), answered);
    }
}
