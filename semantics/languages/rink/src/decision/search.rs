//! Searches for a concrete store on which two sides differ, and reduces it to a small one.

use super::tiers::Hint;
use super::verdict::written;
use super::{DecisionOptions, DecisionProblem, InputVariable, elements, initialized_unknowns};
use crate::evaluation::{StatementMethod, Stuck};
use dashu_ratio::RBig;
use selfsame_core::counterexample::{Counterexample, WrittenTensor};
use std::collections::BTreeMap;
use values::digits::counted;
use values::symbolic::Unknown;
use values::{Extended, Literal, NumberSystem, PrimeField, ValueDomain};

/// A store as written numbers.
pub(super) type WrittenInputs = Vec<Option<Literal>>;

/// A store: the concatenated elements of all variables.
type FlatStore<S> = Vec<Option<<S as NumberSystem>::Number>>;

/// The store of a counterexample, to be tried first in other number systems.
pub(super) fn start_from(counterexample: Option<&Counterexample>) -> Vec<WrittenInputs> {
    let written = |c: &Counterexample| c.inputs.iter().flat_map(WrittenTensor::elements).cloned().collect();
    counterexample.map(written).into_iter().collect()
}

/// A written store in a number system; `None` if an element is not a number there.
pub(super) fn read<S: NumberSystem>(system: &S, written: &WrittenInputs) -> Option<FlatStore<S>> {
    let read = |element: &Option<Literal>| match element {
        None => Some(None),
        Some(literal) => system.read(literal).ok().map(Some),
    };
    written.iter().map(read).collect()
}

/// A random store without `•` on which the sides differ modulo 2^61 − 1, as rational numbers: a filter, not a
/// verdict.
pub(super) fn differs_modulo_prime<P: DecisionProblem>(problem: &P, seed: u64) -> Option<Vec<Option<RBig>>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let domain = Extended(PrimeField);
    let numbers: Vec<i64> = (0..elements(problem)).map(|_| random.i64(1..1 << 16)).collect();
    let store: Vec<_> = numbers.iter().map(|&number| domain.index(number)).collect();
    let sides = problem.sides(&domain, &store, StatementMethod::Tabulated).ok()?;
    let differs = sides.iter().any(|(left, right)| left != right);
    differs.then(|| numbers.into_iter().map(|number| Some(RBig::from(number))).collect())
}

/// Stores that the symbolic difference suggests.
pub(super) fn starts_from_hint<P: DecisionProblem>(
    problem: &P,
    hint: Option<&Hint>,
    options: &DecisionOptions,
) -> Vec<Vec<Option<RBig>>> {
    let n = elements(problem);
    let place = |values: &BTreeMap<u32, RBig>, unknowns: &[(u32, Unknown)]| {
        let mut store = vec![Some(RBig::ZERO); n];
        for (variable, unknown) in unknowns {
            if let Some(value) = values.get(variable) {
                store[unknown.0 as usize] = Some(value.clone());
            }
        }
        store
    };
    match hint {
        None | Some(Hint::Anywhere) => Vec::new(),
        Some(Hint::Undefined(unknown)) => {
            let mut store = vec![Some(RBig::ZERO); n];
            store[unknown.0 as usize] = None;
            vec![store]
        }
        Some(Hint::Nonzero(polynomial, unknowns)) => vec![place(&polynomial.nonzero_point(), unknowns)],
        Some(Hint::OnPath(path, unknowns)) => {
            let mut random = fastrand::Rng::with_seed(options.seed);
            let variables: Vec<u32> = unknowns.iter().map(|&(variable, _)| variable).collect();
            let mut sample = |spread: i64| {
                path.assignment(variables.iter().copied(), |_| RBig::from(random.i64(-spread..=spread)))
            };
            let assignments: Vec<_> = (0..64i64).filter_map(|attempt| sample(1 + attempt / 4)).collect();
            assignments.iter().flat_map(|values| with_undefined(place(values, unknowns))).collect()
        }
    }
}

/// A store, and its variants with one element undefined.
fn with_undefined(store: Vec<Option<RBig>>) -> Vec<Vec<Option<RBig>>> {
    let undefined = (0..store.len().min(64)).map(|at| {
        let mut store = store.clone();
        store[at] = None;
        store
    });
    let undefined: Vec<_> = undefined.collect();
    std::iter::once(store).chain(undefined).collect()
}

/// The kind of difference that is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SoughtDifference {
    /// The left is defined, and the right is not the same: the right does not refine the left.
    NoRefinement,
    /// The sides are not the same; the left may be `•` where the right is defined.
    NoEquality,
}

/// A store on which the sides differ, made as small as single replacements of elements can make it, and confirmed
/// by the point-wise evaluator if that is affordable.
pub(super) fn counterexample<P: DecisionProblem, S: NumberSystem<Number: Default>>(
    problem: &P,
    domain: &Extended<S>,
    sought: SoughtDifference,
    starts: Vec<FlatStore<S>>,
    options: &DecisionOptions,
) -> Option<Counterexample> {
    let initialized = initialized_unknowns(problem);
    let mut search = CounterexampleSearch {
        problem,
        domain,
        sought,
        notable: domain.0.notable(),
        initialized,
        left: options.budget.evaluations,
        operations: options.budget.operations,
    };
    let first = starts.into_iter().find(|store| search.left > 0 && search.differs(store).is_some());
    let store = first.or_else(|| search.random(options.seed))?;
    let store = search.reduce(store);
    search.report(&store)
}

struct CounterexampleSearch<'a, P, S: NumberSystem> {
    problem: &'a P,
    domain: &'a Extended<S>,
    sought: SoughtDifference,
    notable: Vec<S::Number>,
    initialized: Vec<bool>,
    /// The number of evaluations left.
    left: usize,
    /// The number of operations on exact numbers left.
    operations: usize,
}

/// The cost of an evaluation that is out of budget, in ordinary evaluations. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const OUT_OF_BUDGET: usize = 200;

/// The pair at which two sides differ, with both values.
type DifferingPair<N> = (usize, Option<N>, Option<N>);

/// The maximum number of operations of the point-wise evaluation that confirms a counterexample; they grow
/// steeply. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_CONFIRMED: u64 = 1_000_000;

/// The maximum number of operations for simplifying a counterexample, but at least [`MIN_REDUCTIONS`] tries are
/// allowed. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_REDUCTION: u64 = 1 << 22;
/// The number of tries for large programs: half and twice give the same verdicts.
const MIN_REDUCTIONS: u64 = 64;

/// The minimum size of groups of elements that are simplified together; fewer elements are simplified one by
/// one. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const FEW: usize = 64;

impl<P: DecisionProblem, S: NumberSystem<Number: Default>> CounterexampleSearch<'_, P, S> {
    /// The first pair that shows the difference sought.
    fn differs(&mut self, store: &FlatStore<S>) -> Option<DifferingPair<S::Number>> {
        let (found, work) = counted(|| self.difference(store, StatementMethod::Tabulated));
        self.operations = self.operations.saturating_sub(work);
        if self.operations == 0 {
            self.left = 0;
        }
        self.left = self.left.saturating_sub(if found.is_ok() { 1 } else { OUT_OF_BUDGET });
        found.ok()?
    }

    /// The first pair that shows the difference sought, by one evaluation method.
    ///
    /// # Errors
    /// The evaluation is out of budget.
    fn difference(
        &self,
        store: &FlatStore<S>,
        method: StatementMethod,
    ) -> Result<Option<DifferingPair<S::Number>>, Stuck> {
        if store.iter().zip(&self.initialized).any(|(element, &init)| element.is_none() && init) {
            return Ok(None);
        }
        let sides = self.problem.sides(self.domain, store, method)?;
        let same = |(left, right): &(Option<S::Number>, Option<S::Number>)| {
            self.domain.known(&self.domain.same(left, right)) == Some(true)
        };
        let counts =
            |pair: &(Option<S::Number>, _)| self.sought == SoughtDifference::NoEquality || pair.0.is_some();
        let at = sides.iter().position(|pair| counts(pair) && !same(pair));
        Ok(at.map(|at| (at, sides[at].0.clone(), sides[at].1.clone())))
    }

    /// Tries random stores: first of few and small numbers, then of all notable ones. Every fourth has one number
    /// for a whole variable, which makes all terms of a sum alike.
    fn random(&mut self, seed: u64) -> Option<FlatStore<S>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let attempts = self.left.div_ceil(2);
        for attempt in 0..attempts {
            let variety = (2 + attempt * self.notable.len() * 2 / attempts).min(self.notable.len());
            let store = match attempt % 4 {
                3 => self.uniform_store(&mut random, variety),
                kind => self.random_store(&mut random, variety, kind == 1),
            };
            if self.differs(&store).is_some() {
                return Some(store);
            }
            if self.left == 0 {
                break;
            }
        }
        None
    }

    fn random_store(&self, random: &mut fastrand::Rng, variety: usize, undefined: bool) -> FlatStore<S> {
        let mut element = |&initialized: &bool| {
            let bullet = undefined && !initialized && random.usize(0..4) == 0;
            (!bullet).then(|| self.notable[random.usize(0..variety)].clone())
        };
        self.initialized.iter().map(&mut element).collect()
    }

    fn uniform_store(&self, random: &mut fastrand::Rng, variety: usize) -> FlatStore<S> {
        let mut fill = |variable: &InputVariable| {
            let number = self.notable[random.usize(0..variety)].clone();
            vec![Some(number); variable.elements()]
        };
        self.problem.variables().iter().flat_map(&mut fill).collect()
    }

    /// Replaces elements by simpler ones while the sides still differ, until no single replacement preserves that,
    /// or further tries would take longer than the search.
    fn reduce(&mut self, mut store: FlatStore<S>) -> FlatStore<S> {
        let operations = self.problem.operations(StatementMethod::Tabulated).max(1);
        let mut tries = (MAX_REDUCTION / operations).max(MIN_REDUCTIONS);
        self.reduce_many(&mut store, &mut tries);
        loop {
            let mut changed = false;
            for at in 0..store.len() {
                for simpler in self.simpler_than(&store[at]) {
                    let before = std::mem::replace(&mut store[at], simpler);
                    if self.still_differs(&store, &mut tries) {
                        changed = true;
                        break;
                    }
                    store[at] = before;
                }
            }
            if !changed {
                return store;
            }
        }
    }

    /// Most of many elements play no part in a difference: sets halves, quarters, … of them to the simplest number
    /// at once.
    fn reduce_many(&mut self, store: &mut FlatStore<S>, tries: &mut u64) {
        let Some(simplest) = self.notable.first().cloned() else { return };
        let mut width = store.len() / 2;
        while width >= FEW {
            for start in (0..store.len()).step_by(width) {
                let mut simpler = store.clone();
                let part = start..store.len().min(start + width);
                let others = part.filter(|&at| !self.simpler_than(&store[at]).is_empty());
                let others: Vec<usize> = others.collect();
                others.iter().for_each(|&at| simpler[at] = Some(simplest.clone()));
                if !others.is_empty() && self.still_differs(&simpler, tries) {
                    *store = simpler;
                }
            }
            width /= 2;
        }
    }

    /// Whether the sides differ, if there are tries left.
    fn still_differs(&mut self, store: &FlatStore<S>, tries: &mut u64) -> bool {
        if self.left == 0 || *tries == 0 {
            return false;
        }
        *tries -= 1;
        self.differs(store).is_some()
    }

    /// The notable numbers that precede the element in the list; `•` counts as less simple than all except the
    /// exotic ones.
    fn simpler_than(&self, element: &Option<S::Number>) -> Vec<Option<S::Number>> {
        let rank = match element {
            None => 2,
            Some(number) => {
                self.notable.iter().position(|n| self.domain.0.same(n, number)).unwrap_or(usize::MAX)
            }
        };
        self.notable.iter().take(rank).cloned().map(Some).collect()
    }

    fn report(&self, store: &FlatStore<S>) -> Option<Counterexample> {
        let affordable = self.problem.operations(StatementMethod::PointWise) <= MAX_CONFIRMED;
        let method = if affordable { StatementMethod::PointWise } else { StatementMethod::Tabulated };
        let (at, left, right) = self.difference(store, method).ok()??;
        let (variable, index) = self.problem.place(at);
        let write = |number: &Option<S::Number>| number.as_ref().map(|number| self.domain.0.write(number));
        Some(Counterexample {
            system: self.domain.0.name(),
            parameters: written(&self.problem.parameters()),
            inputs: split(self.problem.variables(), store.iter().map(write).collect()),
            variable,
            index: index.into_iter().map(u64::cast_signed).collect(),
            values: [write(&left), write(&right)],
            ..Counterexample::default()
        })
    }
}

/// The elements of all variables as tensors.
fn split(variables: &[InputVariable], mut elements: WrittenInputs) -> Vec<WrittenTensor> {
    let take = |variable: &InputVariable| {
        let rest = elements.split_off(variable.elements());
        let elements = std::mem::replace(&mut elements, rest);
        WrittenTensor::whole(&variable.name, &variable.extents, elements)
    };
    variables.iter().map(take).collect()
}
