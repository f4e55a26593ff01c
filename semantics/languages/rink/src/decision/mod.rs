//! Whether two ways to compute something always agree: symbolically where possible, by counterexample where not.
//!
//! A [`Problem`] computes pairs of values from an initial store, in any value domain: one evaluation over terms decides
//! for all stores (`tiers`), one over numbers shows a difference (`search`). A verdict "equivalent" or "refines"
//! rests on a proof alone, a verdict "different" on a concrete store on which the reference semantics differs.

mod search;
mod tiers;
mod verdict;

use search::Sought;
pub use tiers::{Budget, Finding, Hint, Tier, Tiers};
pub use verdict::{Counterexample, SystemVerdict, Verdict, WrittenTensor, element_to_json, within};

use crate::evaluation::{Method, Stuck};
use crate::store::MultiIndex;
use dashu_int::IBig;
use dashu_ratio::RBig;
use selfsame_core::{Relation, UNEQUAL};
use values::symbolic::{TermId, Terms, Unknown};
use values::{
    Division, Extended, F32, F64, I32, I64, Integers, Law, NumberSystem, PrimeField, Rationals, Reach,
    ValueDomain,
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
    /// How many elements it has.
    pub fn elements(&self) -> usize {
        self.extents.iter().product()
    }
}

/// Pairs of values, left and right.
pub type Sides<D> = Vec<(<D as ValueDomain>::Value, <D as ValueDomain>::Value)>;

/// Pairs of values that should be the same, as a function of an initial store.
pub trait Problem {
    /// The variables of the initial store, in order.
    fn variables(&self) -> &[InputVariable];
    /// Which division the programs use.
    fn division(&self) -> Division;
    /// The pairs, left and right, given the elements of all variables one after the other.
    ///
    /// # Errors
    /// Evaluation is out of budget.
    fn sides<D: ValueDomain>(
        &self,
        domain: &D,
        elements: &[D::Value],
        method: Method,
    ) -> Result<Sides<D>, Stuck>;
    /// The scalar operations of one evaluation of both sides.
    fn operations(&self, method: Method) -> u64;
    /// Whether both sides are the same program, so that nothing is to be decided.
    fn identical(&self) -> bool;
    /// Which element of which variable a pair is.
    fn place(&self, pair: usize) -> (String, MultiIndex);
    /// Parameters that a counterexample should name.
    fn parameters(&self) -> Vec<(String, u64)>;
    /// For which sizes and inputs a verdict holds.
    fn range(&self) -> String;
}

/// What is to be decided, and how hard to try.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The limits.
    pub budget: Budget,
    /// For the search of counterexamples.
    pub seed: u64,
}

/// Decides a problem in every number system.
///
/// Most pairs that differ do so at a random point modulo 2^61 − 1, which costs two evaluations. Such a point is where
/// the search for a counterexample starts, and then little is spent on a proof, which only serves to find a better
/// start. That the sides agree at a point means nothing.
pub fn decide<P: Problem>(problem: &P, options: &Options) -> Verdict {
    let operations = usize::try_from(problem.operations(Method::Tabulated)).unwrap_or(usize::MAX);
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
        _ if identical => Proof::nothing(),
        0 => Proof::open(format!("one evaluation takes more than {} operations", options.budget.operations)),
        _ => Proof::search(problem, budget),
    };
    if suspicion.is_some() {
        proof.doubt(problem.division());
    }
    let options = &Options { budget, ..*options };
    let rational = rational_verdict(problem, options, &proof, suspicion);
    let start = search::start_from(rational.counterexample.as_ref());
    let judge = Judge { problem, options, proof: &proof, start };
    let systems = vec![
        judge.system(Integers),
        judge.system(I32),
        judge.system(I64),
        judge.system(F32),
        judge.system(F64),
        judge.system(PrimeField),
    ];
    let systems = std::iter::once(rational).chain(systems).collect();
    let laws = if proof.is_complete() { proof.laws } else { Vec::new() };
    Verdict { range: problem.range(), laws, systems }
}

/// Where the sides are known to differ, polynomials are expanded so far and no further.
const MONOMIALS_FOR_A_HINT: usize = 2_000;

/// What is open where a proof is wrong, or an evaluation.
pub const CONTRADICTION: &str = "a proof and an evaluation contradict each other: please report this";

/// What the symbolic evaluation shows, over all pairs.
struct Proof {
    /// The weakest relation that is proved of a pair, with the highest tier; meaningful if nothing is open or different.
    relation: Relation,
    tier: Tier,
    largest_constant: IBig,
    laws: Vec<&'static str>,
    /// Where to look for the first pair that is not equal over ℚ.
    hint: Option<Hint>,
    /// Whether a pair differs over ℚ, and the right does not refine the left.
    different: bool,
    /// The first reason why a pair is not decided.
    open: Option<String>,
}

impl Proof {
    /// The proof that nothing needs.
    fn nothing() -> Proof {
        Proof {
            relation: Relation::Equivalent,
            tier: Tier::Opaque,
            largest_constant: IBig::ONE,
            laws: Vec::new(),
            hint: None,
            different: false,
            open: None,
        }
    }

    fn open(reason: String) -> Proof {
        Proof { open: Some(reason), ..Proof::nothing() }
    }

    fn search<P: Problem>(problem: &P, budget: Budget) -> Proof {
        let terms = Terms::with_limit(budget.terms);
        let elements: Vec<TermId> = unknowns(problem).map(|unknown| terms.unknown(unknown)).collect();
        let mut proof = Proof::nothing();
        match problem.sides(&terms, &elements, Method::Tabulated) {
            Ok(_) if terms.is_exhausted() => {}
            Ok(sides) => proof.decide_all(problem, &terms, &sides, budget),
            Err(stuck) => proof.open = Some(describe(&stuck)),
        }
        // Representatives are terms too: what was concluded with too few of them means nothing.
        if terms.is_exhausted() {
            proof.open = Some(format!("more than {} terms", budget.terms));
        }
        proof
    }

    fn decide_all<P: Problem>(
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

    fn record(&mut self, finding: Finding) {
        match finding {
            Finding::Proved { relation, tier, largest_constant, hint } => {
                if relation == Relation::Refines {
                    self.hint.get_or_insert(hint);
                }
                self.relation = self.relation.max(relation);
                self.tier = self.tier.max(tier);
                self.largest_constant = self.largest_constant.clone().max(largest_constant);
            }
            Finding::Different(hint) => {
                self.hint = Some(hint);
                self.different = true;
            }
            Finding::Open(reason) => self.open = self.open.take().or(Some(reason)),
        }
    }

    /// An evaluation modulo the prime shows a difference. If the proof holds there and says "equivalent", one of the two
    /// is wrong, and nothing is concluded.
    fn doubt(&mut self, division: Division) {
        if self.relation == Relation::Equivalent && self.holds_in(&PrimeField, division) {
            self.open = Some(CONTRADICTION.to_owned());
        }
    }

    fn is_complete(&self) -> bool {
        !self.different && self.open.is_none()
    }

    /// Whether the proof holds in a number system: it obeys every law of the tier on numbers (undefinedness is
    /// tracked by the proof itself), and no constant that is not 0 is 0 there.
    fn holds_in<S: NumberSystem>(&self, system: &S, division: Division) -> bool {
        let reach = Reach { undefined: false, division };
        let law = |id: &&str| Law::named(id).is_some_and(|law| law.holds_in(system, reach));
        self.is_complete()
            && self.tier.laws().iter().all(law)
            && system.characteristic().is_none_or(|zero| self.largest_constant < zero)
    }
}

/// How many elements an initial store has.
fn elements<P: Problem>(problem: &P) -> usize {
    problem.variables().iter().map(InputVariable::elements).sum()
}

/// The unknowns of a problem: the elements of its variables, in order.
fn unknowns<P: Problem>(problem: &P) -> impl Iterator<Item = Unknown> {
    (0..u32::try_from(elements(problem)).unwrap_or(u32::MAX)).map(Unknown)
}

fn initialized_unknowns<P: Problem>(problem: &P) -> Vec<bool> {
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
        Stuck::TooLong => format!("a number has more than {} bits", values::digits::MAX_BITS),
    }
}

fn rational_verdict<P: Problem>(
    problem: &P,
    options: &Options,
    proof: &Proof,
    suspicion: Option<Vec<Option<RBig>>>,
) -> SystemVerdict {
    let mut starts = search::starts_from_hint(problem, proof.hint.as_ref(), options);
    starts.extend(suspicion);
    Judge { problem, options, proof, start: Vec::new() }.answer(&Extended(Rationals), starts)
}

struct Judge<'a, P> {
    problem: &'a P,
    options: &'a Options,
    proof: &'a Proof,
    /// Stores that are likely to show a difference.
    start: Vec<search::Written>,
}

impl<P: Problem> Judge<'_, P> {
    fn system<S: NumberSystem<Number: Default>>(&self, system: S) -> SystemVerdict {
        let domain = Extended(system);
        let read = |written: &search::Written| search::read(&domain.0, written);
        self.answer(&domain, self.start.iter().filter_map(read).collect())
    }

    fn answer<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        starts: Vec<Vec<Option<S::Number>>>,
    ) -> SystemVerdict {
        match self.proof.holds_in(&domain.0, self.problem.division()) {
            true => self.proved(domain, starts),
            false => self.searched(domain, starts),
        }
    }

    /// The proof carries over. Where it shows refinement only, a store on which the sides differ is still looked for.
    fn proved<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        starts: Vec<Vec<Option<S::Number>>>,
    ) -> SystemVerdict {
        let relation = self.proof.relation;
        let seek = || search::counterexample(self.problem, domain, Sought::NoEquality, starts, self.options);
        let counterexample = (relation == Relation::Refines).then(seek).flatten();
        SystemVerdict { system: domain.0.name(), relation, counterexample, open: None }
    }

    fn searched<S: NumberSystem<Number: Default>>(
        &self,
        domain: &Extended<S>,
        starts: Vec<Vec<Option<S::Number>>>,
    ) -> SystemVerdict {
        let system = domain.0.name();
        let seek =
            |sought, starts| search::counterexample(self.problem, domain, sought, starts, self.options);
        if let found @ Some(_) = seek(Sought::NoRefinement, starts.clone()) {
            return SystemVerdict {
                system,
                relation: Relation::Different,
                counterexample: found,
                open: None,
            };
        }
        let open = self.open_reason(&domain.0);
        match seek(Sought::NoEquality, starts) {
            None => {
                SystemVerdict { system, relation: Relation::Unknown, counterexample: None, open: Some(open) }
            }
            counterexample => {
                let open = Some(format!("{UNEQUAL}: {open}"));
                SystemVerdict { system, relation: Relation::Unequal, counterexample, open }
            }
        }
    }

    fn open_reason<S: NumberSystem>(&self, system: &S) -> String {
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
