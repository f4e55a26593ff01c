//! Decides whether two ways to compute something always agree: by symbolic proof where possible, else by
//! counterexample.
//!
//! A [`DecisionProblem`] computes pairs of values from an initial store, in any value domain: one evaluation over terms
//! decides for all stores (`tiers`), one over numbers shows a difference (`search`). A verdict "equivalent" or
//! "refines" rests only on a proof, a verdict "different" on a concrete store on which the reference semantics
//! differs.

mod search;
mod tiers;
mod verdict;

use base::identifiers::identifier;
use search::SoughtDifference;
pub use tiers::{Budget, Hint, TermFinding, Tier, Tiers};
pub use verdict::{Decision, within};

use crate::evaluation::{StatementMethod, Stuck};
use crate::store::MultiIndex;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::answer::Answer;
use selfsame_core::relation::{Relation, UNEQUAL};
use values::symbolic::{TermId, Terms, Unknown};
use values::{
    Division, Extended, Law, Listed, PrimeField, Rationals, Reach, SystemName, ValueDomain, Visitor,
};

/// A declared variable of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputVariable {
    /// Its name.
    pub name: String,
    /// Its extents.
    pub extents: Vec<usize>,
    /// Whether it starts defined in every element (`input`).
    pub initialized: bool,
}

impl InputVariable {
    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.extents.iter().product()
    }
}

/// Pairs of values, left and right.
pub type ValuePairs<D> = Vec<(<D as ValueDomain>::Value, <D as ValueDomain>::Value)>;

/// Pairs of values that should be the same, as a function of an initial store.
pub trait DecisionProblem {
    /// The variables of the initial store, in order.
    fn variables(&self) -> &[InputVariable];
    /// The division that the programs use.
    fn division(&self) -> Division;
    /// The pairs, left and right, for the concatenated elements of all variables.
    ///
    /// # Errors
    /// Evaluation is out of budget.
    fn sides<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        method: StatementMethod,
    ) -> Result<ValuePairs<D>, Stuck>;
    /// The number of scalar operations in one evaluation of both sides.
    fn operations(&self, method: StatementMethod) -> u64;
    /// Whether both sides are the same program, so that there is nothing to decide.
    fn identical(&self) -> bool;
    /// The variable and index of the element that a pair compares.
    fn place(&self, pair: usize) -> (String, MultiIndex);
    /// Parameters that a counterexample should report.
    fn parameters(&self) -> Vec<(String, u64)>;
    /// The sizes and inputs for which a verdict holds.
    fn range(&self) -> String;
}

/// The limits and the seed of a decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecisionOptions {
    /// The limits.
    pub budget: Budget,
    /// The seed of the search for counterexamples.
    pub seed: u64,
}

/// Decides a problem in every number system.
///
/// Most pairs that differ do so at a random point modulo 2^61 − 1, which costs two evaluations. Such a point is
/// the start of the search for a counterexample; then little effort goes into a proof, which only serves to find a
/// better start. If the sides agree at a point, that proves nothing.
pub fn decide<P: DecisionProblem>(problem: &P, options: &DecisionOptions) -> Decision {
    let operations = usize::try_from(problem.operations(StatementMethod::Tabulated)).unwrap_or(usize::MAX);
    let affordable = options.budget.operations / operations.saturating_add(elements(problem)).max(1);
    let evaluations = options.budget.evaluations.min(affordable);
    let mut budget = Budget { evaluations, ..options.budget };
    let identical = problem.identical();
    let suspicion =
        if affordable == 0 || identical { None } else { search::differs_modulo_prime(problem, options.seed) };
    if suspicion.is_some() {
        budget.monomials = budget.monomials.min(MONOMIALS_FOR_A_HINT);
    }
    let mut proof = match affordable {
        _ if identical => SymbolicProof::nothing(),
        0 => SymbolicProof::open(format!(
            "one evaluation takes more than {} operations",
            options.budget.operations
        )),
        _ => SymbolicProof::search(problem, budget),
    };
    if suspicion.is_some() {
        proof.doubt(problem.division());
    }
    let options = &DecisionOptions { budget, ..*options };
    let rational = rational_verdict(problem, options, &proof, suspicion);
    let start = search::start_from(rational.answer.counterexamples.any.as_ref());
    let in_every_system = InEverySystem { problem, options, proof: &proof, start };
    let others = SystemName::JUDGED.into_iter().filter(|system| *system != SystemName::Rational);
    let others: Vec<Answered> = others.map(|system| system.visit(&in_every_system)).collect();
    let laws = if proof.is_complete() { proof.laws } else { Vec::new() };
    let mut decision = Decision { laws, ..Decision::nothing(problem.range()) };
    for Answered { answer, open } in std::iter::once(rational).chain(others) {
        decision.open.extend(open.map(|why| (answer.system, why)));
        decision.answers.push(answer);
    }
    decision
}

/// The maximum number of terms of a polynomial once the sides are known to differ: the proof then only gives a
/// hint. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MONOMIALS_FOR_A_HINT: usize = 2_000;

/// The reason for an open verdict if a proof and an evaluation contradict each other.
pub const CONTRADICTION: &str = "a proof and an evaluation contradict each other: please report this";

/// The result of the symbolic evaluation, over all pairs.
struct SymbolicProof {
    /// The weakest relation that is proved of a pair, with the highest tier; meaningful only if nothing is open or
    /// different.
    relation: Relation,
    tier: Tier,
    largest_constant: IBig,
    laws: Vec<&'static str>,
    /// The hint for the first pair that is not equal over ℚ.
    hint: Option<Hint>,
    /// Whether a pair differs over ℚ, and the right does not refine the left.
    different: bool,
    /// The first reason why a pair is undecided.
    open: Option<String>,
}

impl SymbolicProof {
    /// The proof that needs no laws.
    fn nothing() -> SymbolicProof {
        SymbolicProof {
            relation: Relation::Equivalent,
            tier: Tier::Opaque,
            largest_constant: IBig::ONE,
            laws: Vec::new(),
            hint: None,
            different: false,
            open: None,
        }
    }

    fn open(reason: String) -> SymbolicProof {
        SymbolicProof { open: Some(reason), ..SymbolicProof::nothing() }
    }

    fn search<P: DecisionProblem>(problem: &P, budget: Budget) -> SymbolicProof {
        let terms = Terms::with_limit(budget.terms);
        let elements: Vec<TermId> = unknowns(problem).map(|unknown| terms.unknown(unknown)).collect();
        let mut proof = SymbolicProof::nothing();
        match problem.sides(&terms, &elements, StatementMethod::Tabulated) {
            Ok(_) if terms.is_exhausted() => {}
            Ok(sides) => proof.decide_all(problem, &terms, &sides, budget),
            Err(stuck) => proof.open = Some(describe(&stuck)),
        }
        // Representatives are terms too: conclusions from too few of them mean nothing.
        if terms.is_exhausted() {
            proof.open = Some(format!("more than {} terms", budget.terms));
        }
        proof
    }

    fn decide_all<P: DecisionProblem>(
        &mut self,
        problem: &P,
        terms: &Terms,
        sides: &[(TermId, TermId)],
        budget: Budget,
    ) {
        let initialized = initialized_unknowns(problem);
        let mut tiers = Tiers::new(terms, &initialized, budget);
        let mut decided = rustc_hash::FxHashSet::default();
        for &(left, right) in sides {
            if decided.insert((left, right)) {
                self.record(tiers.decide(left, right));
            }
            if self.different {
                return;
            }
        }
        let roots: Vec<TermId> = sides.iter().flat_map(|&(left, right)| [left, right]).collect();
        self.laws = self.tier.laws_used(terms, &roots);
    }

    fn record(&mut self, finding: TermFinding) {
        match finding {
            TermFinding::Proved { relation, tier, largest_constant, hint } => {
                if relation == Relation::Refines {
                    self.hint.get_or_insert(hint);
                }
                self.relation = self.relation.max(relation);
                self.tier = self.tier.max(tier);
                self.largest_constant = self.largest_constant.clone().max(largest_constant);
            }
            TermFinding::Different(hint) => {
                self.hint = Some(hint);
                self.different = true;
            }
            TermFinding::Open(reason) => self.open = self.open.take().or(Some(reason)),
        }
    }

    /// Called if an evaluation modulo the prime shows a difference. If the proof holds there and says
    /// "equivalent", one of the two is wrong, and nothing is concluded.
    fn doubt(&mut self, division: Division) {
        if self.relation == Relation::Equivalent && self.holds_in(&PrimeField, division) {
            self.open = Some(CONTRADICTION.to_owned());
        }
    }

    fn is_complete(&self) -> bool {
        !self.different && self.open.is_none()
    }

    /// Whether the proof holds in a number system: the system obeys every law of the tier on numbers (the proof
    /// itself tracks undefinedness), and no constant taken to be nonzero vanishes there.
    fn holds_in<S: Listed>(&self, system: &S, division: Division) -> bool {
        let reach = Reach { undefined: false, division };
        let law = |id: &&str| Law::named(id).is_some_and(|law| law.holds_in(system, reach));
        self.is_complete()
            && self.tier.laws().iter().all(law)
            && system.characteristic().is_none_or(|zero| self.largest_constant < zero)
    }
}

/// The number of elements of an initial store.
fn elements<P: DecisionProblem>(problem: &P) -> usize {
    problem.variables().iter().map(InputVariable::elements).sum()
}

/// The unknowns of a problem: the elements of its variables, in order.
fn unknowns<P: DecisionProblem>(problem: &P) -> impl Iterator<Item = Unknown> {
    (0..identifier(elements(problem))).map(Unknown)
}

fn initialized_unknowns<P: DecisionProblem>(problem: &P) -> Vec<bool> {
    problem.variables().iter().flat_map(|v| std::iter::repeat_n(v.initialized, v.elements())).collect()
}

fn describe(stuck: &Stuck) -> String {
    match stuck {
        Stuck::TooLarge(too_large) => match too_large.elements {
            Some(elements) => {
                format!("a tensor of {elements} elements exceeds the limit of {}", too_large.limit)
            }
            None => format!("a tensor exceeds the limit of {} elements", too_large.limit),
        },
        Stuck::OutOfBounds { .. } => "an access is out of bounds".to_owned(),
        Stuck::Untyped(_) => "an expression has no type".to_owned(),
        Stuck::TooLong => values::digits::TooLong.to_string(),
    }
}

fn rational_verdict<P: DecisionProblem>(
    problem: &P,
    options: &DecisionOptions,
    proof: &SymbolicProof,
    suspicion: Option<Vec<Option<RBig>>>,
) -> Answered {
    let mut starts = search::starts_from_hint(problem, proof.hint.as_ref(), options);
    starts.extend(suspicion);
    InEverySystem { problem, options, proof, start: Vec::new() }.answer(&Extended(Rationals), starts)
}

/// The answer in a number system, and why something is open there.
struct Answered {
    answer: Answer,
    open: Option<String>,
}

/// Answers in each number system: the proof carries over, or a counterexample is sought.
struct InEverySystem<'a, P> {
    problem: &'a P,
    options: &'a DecisionOptions,
    proof: &'a SymbolicProof,
    /// Stores that are likely to show a difference.
    start: Vec<search::WrittenInputs>,
}

impl<P: DecisionProblem> Visitor for &InEverySystem<'_, P> {
    type Output = Answered;

    fn visit<S: Listed>(self, system: S) -> Answered {
        let domain = Extended(system);
        let read = |written: &search::WrittenInputs| search::read(&domain.0, written);
        self.answer(&domain, self.start.iter().filter_map(read).collect())
    }
}

impl<P: DecisionProblem> InEverySystem<'_, P> {
    fn answer<S: Listed>(&self, domain: &Extended<S>, starts: Vec<Vec<Option<S::Number>>>) -> Answered {
        match self.proof.holds_in(&domain.0, self.problem.division()) {
            true => self.proved(domain, starts),
            false => self.searched(domain, starts),
        }
    }

    /// The proof carries over. If it shows only refinement, a store on which the sides differ is still sought.
    fn proved<S: Listed>(&self, domain: &Extended<S>, starts: Vec<Vec<Option<S::Number>>>) -> Answered {
        let relation = self.proof.relation;
        let seek = || {
            search::counterexample(self.problem, domain, SoughtDifference::NoEquality, starts, self.options)
        };
        let counterexample = (relation == Relation::Refines).then(seek).flatten();
        Answered { answer: Answer::of_all_inputs(domain.0.row(), relation, counterexample), open: None }
    }

    fn searched<S: Listed>(&self, domain: &Extended<S>, starts: Vec<Vec<Option<S::Number>>>) -> Answered {
        let answer = |relation, found| Answer::of_all_inputs(domain.0.row(), relation, found);
        let seek =
            |sought, starts| search::counterexample(self.problem, domain, sought, starts, self.options);
        if let found @ Some(_) = seek(SoughtDifference::NoRefinement, starts.clone()) {
            return Answered { answer: answer(Relation::Different, found), open: None };
        }
        let open = self.open_reason(&domain.0);
        match seek(SoughtDifference::NoEquality, starts) {
            None => Answered { answer: Answer::unknown(domain.0.row()), open: Some(open) },
            found => {
                let open = Some(format!("{UNEQUAL}: {open}"));
                Answered { answer: answer(Relation::Unequal, found), open }
            }
        }
    }

    fn open_reason<S: Listed>(&self, system: &S) -> String {
        let tried = format!("no counterexample within {} evaluations", self.options.budget.evaluations);
        if let Some(reason) = &self.proof.open {
            return format!("{reason}; {tried}");
        }
        if self.proof.different {
            return format!(
                "the sides differ symbolically over the rationals, but {tried} in `{}`",
                system.name()
            );
        }
        let reach = Reach { undefined: false, division: self.problem.division() };
        let missing = |id: &&&str| Law::named(id).is_none_or(|law| !law.holds_in(system, reach));
        let laws: Vec<&str> = self.proof.laws.iter().filter(missing).copied().collect();
        if laws.is_empty() {
            let name = system.name();
            return format!("the proof divides by constants that could be 0 in `{name}`; {tried}");
        }
        format!("the proof uses laws that `{}` does not obey ({}); {tried}", system.name(), laws.join(", "))
    }
}
