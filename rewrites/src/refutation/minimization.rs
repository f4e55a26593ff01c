//! Minimizes a counterexample.

use super::concrete::ElementKey;
use super::random_inputs::{InputStyle, KnownInputs};
use super::{DifferenceElements, FoundCounterexample, FoundInputs, Refuter};
use crate::search::samples::SamplePoint;
use rustc_hash::FxHashMap;
use selfsame_core::Condition;
use selfsame_core::operations::{Datum, Element};
use values::{Extended, Listed};

/// The maximum number of nodes evaluated to simplify a counterexample; at least [`MIN_SIMPLIFICATIONS`] tries
/// are made. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_SIMPLIFICATION: usize = 1 << 22;
/// The number of tries for large programs: half and twice give the same verdicts.
const MIN_SIMPLIFICATIONS: usize = 64;

/// Smaller groups of elements are simplified one by one only. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const FEW: usize = 64;

impl<S: Listed> Refuter<'_, S> {
    /// Minimizes a counterexample: sizes, then the index, then values, as long as the sides differ.
    pub(super) fn reduce(&mut self, (mut point, mut difference): FoundInputs<S>) -> FoundCounterexample {
        self.left += std::mem::take(&mut self.kept);
        let variables = [&self.instance.symbols[..], &self.instance.claim.point[..]].concat();
        let allowed = Condition::all([self.instance.assumptions.clone(), self.instance.claim.domain()]);
        let mut improved = true;
        while improved {
            improved = false;
            for v in &variables {
                let value = point[v.index()];
                for smaller in smaller_than(value) {
                    let mut next = point.clone();
                    next[v.index()] = smaller;
                    if allowed.holds(&next) != Ok(true) {
                        continue;
                    }
                    let Some(found) = self.anew(&next, &difference.known) else { continue };
                    (point, difference) = (next, found);
                    improved = true;
                    break;
                }
            }
        }
        self.simplify(&point, &mut difference);
        let DifferenceElements { known, left_defined } = difference;
        FoundCounterexample { counterexample: self.report(&point, known), left_defined }
    }

    /// Elements for which the sides differ at another point: the known ones in their order, or others.
    fn anew(&mut self, point: &SamplePoint, known: &KnownInputs<S>) -> Option<DifferenceElements<S>> {
        let inputs = self.inputs(FxHashMap::default(), InputStyle::Small, 0);
        let mut keys: Vec<&ElementKey> = known.keys().collect();
        keys.sort_by(|a, b| b.cmp(a));
        for key in keys {
            inputs.again.borrow_mut().entry(key.0).or_default().push(known[key].clone());
        }
        if let Some(found) = self.attempt_with(point, inputs) {
            return Some(found);
        }
        let first = if self.sought.undefined_inputs { InputStyle::Undefined } else { InputStyle::Small };
        let styles = [first, InputStyle::Tenths, InputStyle::Notable].into_iter();
        let mut tries = styles.flat_map(|style| (0..6u64).map(move |seed| (style, seed)));
        tries.find_map(|(style, seed)| self.attempt(point, FxHashMap::default(), style, seed))
    }

    /// Simplifies values until none gets simpler, or until more tries would take longer than finding the
    /// difference.
    fn simplify(&mut self, point: &SamplePoint, difference: &mut DifferenceElements<S>) {
        let mut keys: Vec<ElementKey> = difference.known.keys().cloned().collect();
        keys.sort();
        let mut tries = (MAX_SIMPLIFICATION / self.instance.program.len().max(1)).max(MIN_SIMPLIFICATIONS);
        self.simplify_many(point, difference, &keys, &mut tries);
        for key in keys {
            while let Some(simpler) = self.simpler(&key, &difference.known).into_iter().find_map(|value| {
                let mut next = difference.known.clone();
                next.insert(key.clone(), value);
                self.attempt_again(point, next, &mut tries)
            }) {
                *difference = simpler;
            }
        }
    }

    /// Most of many elements do not affect a difference: sets halves, quarters, … of them to the simplest value at
    /// once.
    fn simplify_many(
        &mut self,
        point: &SamplePoint,
        difference: &mut DifferenceElements<S>,
        keys: &[ElementKey],
        tries: &mut usize,
    ) {
        let mut width = keys.len() / 2;
        while width >= FEW {
            for part in keys.chunks(width) {
                let simplest = |key: &ElementKey| {
                    Some((key.clone(), self.simpler(key, &difference.known).into_iter().next()?))
                };
                let simplest: Vec<_> = part.iter().filter_map(simplest).collect();
                if simplest.is_empty() {
                    continue;
                }
                let mut next = difference.known.clone();
                next.extend(simplest);
                if let Some(found) = self.attempt_again(point, next, tries) {
                    *difference = found;
                }
            }
            width /= 2;
        }
    }

    fn attempt_again(
        &mut self,
        point: &SamplePoint,
        known: KnownInputs<S>,
        tries: &mut usize,
    ) -> Option<DifferenceElements<S>> {
        *tries = tries.checked_sub(1)?;
        self.attempt(point, known, InputStyle::Small, 0)
    }

    /// Simpler values, the simplest first: 0, 1 and −1, then integers nearer to 0.
    fn simpler(&self, key: &ElementKey, known: &KnownInputs<S>) -> Vec<Element<Extended<S>>> {
        let of = self.instance.program.input(key.0).data_type;
        let integer = |integer: i64| Datum::Number(Some(self.domain.0.index_as(of, integer)));
        let (simple, old) = match known.get(key) {
            Some(old @ Datum::Number(_)) => ([0, 1, -1].map(integer).to_vec(), old),
            Some(old @ Datum::Truth(_)) => ([false, true].map(|t| Datum::Truth(Some(t))).to_vec(), old),
            None => return Vec::new(),
        };
        if let Some(at) = simple.iter().position(|value| self.same(old, value)) {
            return simple[..at].to_vec();
        }
        let written = self.write(old).and_then(|literal| literal.exact().ok());
        let whole = written.and_then(|exact| i64::try_from(exact).ok());
        let nearer = whole.into_iter().flat_map(|integer| {
            let steps =
                (1..63).map(move |bits| integer.saturating_abs() >> bits).take_while(|step| *step > 0);
            steps.map(move |step| integer - integer.signum() * step)
        });
        simple.into_iter().chain(nearer.map(integer)).collect()
    }
}

/// At most six values of each sign nearer to 0, the smallest magnitudes first.
fn smaller_than(value: i64) -> Vec<i64> {
    let mut smaller: Vec<i64> = (0..value.saturating_abs()).take(6).collect();
    if value < 0 {
        smaller.extend(smaller.clone().into_iter().filter(|v| *v > 0).map(|v| -v));
    }
    smaller
}
