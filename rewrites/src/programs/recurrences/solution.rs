//! Evaluates the recurrence elements that the outputs of both systems read, for made-up inputs, at one assignment
//! of sizes.

use super::{as_claim, sampled_sizes};
use crate::search::model::{Model, algebraic};
use crate::search::samples::{SamplePoint, assignments, points};
use alpha::to_core::{Definitions, Root};
use fastrand::Rng;
use rustc_hash::FxHashMap;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::{FunctionId, InputId};
use std::cell::RefCell;
use values::{Extended, NumberSystem, PrimeField, Rationals};

/// The maximum number of assignments of sizes to solve. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const SIZES: usize = 6;
/// The maximum number of elements at one assignment. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_ELEMENTS: usize = 4000;
/// The maximum number of steps of evaluating one element. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 20_000;

/// Values of elements, by the number of a definition and the indices.
type ElementTexts = FxHashMap<(usize, Vec<i64>), String>;

/// The values that both systems compute at one assignment of sizes.
pub struct Solution {
    /// The sizes, by variable number.
    pub sizes: SamplePoint,
    /// The values, as texts: equal values have equal texts.
    pub elements: ElementTexts,
    /// Whether the outputs of both systems have the same values.
    pub is_same: bool,
}

impl Solution {
    /// Solutions at several sizes.
    pub fn several(definitions: &Definitions, seed: u64) -> Vec<Solution> {
        let mut rng = Rng::with_seed(seed);
        let sizes =
            sampled_sizes(assignments(&definitions.symbols, &definitions.allowed, 4 * SIZES, &mut rng));
        let solutions = sizes.into_iter().filter_map(|sizes| Solution::at(definitions, sizes, &mut rng));
        solutions.take(SIZES).collect()
    }

    /// The solution at some sizes; `None` if it has too many elements.
    pub fn at(definitions: &Definitions, sizes: SamplePoint, rng: &mut Rng) -> Option<Solution> {
        let program = &definitions.program;
        let mut points = |root: &Root| {
            let points = points(&as_claim(root), std::slice::from_ref(&sizes), rng);
            points.iter().map(|point| root.point.iter().map(|v| point[v.index()]).collect()).collect()
        };
        let outputs: Vec<Vec<SamplePoint>> = definitions.outputs[0].iter().map(&mut points).collect();
        let others: Vec<Vec<SamplePoint>> = definitions.others.iter().map(|of| points(&of.root)).collect();
        let (elements, is_same) =
            match algebraic(program) {
                true => Solver::new(definitions, &Model::new(program, PrimeField, 1), &sizes)
                    .solve(&outputs, &others),
                false => Solver::new(definitions, &Model::new(program, Rationals, 1), &sizes)
                    .solve(&outputs, &others),
            }?;
        Some(Solution { sizes, elements, is_same })
    }
}

/// The known elements of recurrences.
type KnownElements<S> = FxHashMap<(usize, Vec<i64>), Element<Extended<S>>>;

/// Evaluates elements that depend on each other.
struct Solver<'a, S: NumberSystem<Number: Default>> {
    definitions: &'a Definitions,
    model: &'a Model<'a, S>,
    sizes: &'a SamplePoint,
    known: RefCell<KnownElements<S>>,
    /// Elements that were read and are not known yet.
    missing: RefCell<Vec<(usize, Vec<i64>)>>,
}

impl<'a, S: NumberSystem<Number: Default>> Solver<'a, S> {
    fn new(definitions: &'a Definitions, model: &'a Model<'a, S>, sizes: &'a SamplePoint) -> Solver<'a, S> {
        let (known, missing) = (RefCell::default(), RefCell::default());
        Solver { definitions, model, sizes, known, missing }
    }

    /// All elements that the given output elements depend on, some elements of other variables, and whether both
    /// systems have equal outputs.
    fn solve(
        self,
        outputs: &[Vec<SamplePoint>],
        others: &[Vec<SamplePoint>],
    ) -> Option<(ElementTexts, bool)> {
        let mut is_same = true;
        let [left, right] = &self.definitions.outputs;
        for ((left, right), elements) in left.iter().zip(right).zip(outputs) {
            for at in elements {
                let values = [self.output(left, at)?, self.output(right, at)?];
                is_same &= self.model.same(&values[0], &values[1]);
            }
        }
        let mut known = ElementTexts::default();
        for (of, elements) in others.iter().enumerate() {
            for at in elements {
                let value = self.output(&self.definitions.others[of].root, at)?;
                known.insert((self.definitions.recurrences.len() + of, at.clone()), format!("{value:?}"));
            }
        }
        let recurrences = self.known.into_inner();
        known.extend(recurrences.into_iter().map(|(element, value)| (element, format!("{value:?}"))));
        Some((known, is_same))
    }

    /// The value of an output element; evaluates everything that it depends on.
    fn output(&self, root: &Root, at: &[i64]) -> Option<Element<Extended<S>>> {
        self.value(root, at)?;
        let mut pending = self.missing.take();
        while let Some((of, at)) = pending.last().cloned() {
            if pending.len() > MAX_ELEMENTS || self.known.borrow().len() > MAX_ELEMENTS {
                return None;
            }
            let value = self.value(&self.definitions.recurrences[of].root, &at)?;
            let missing = self.missing.take();
            if missing.is_empty() {
                self.known.borrow_mut().insert((of, at), value);
                pending.pop();
            } else if missing.iter().any(|element| *element == (of, at.clone())) {
                return None;
            } else {
                pending.extend(missing);
            }
        }
        self.value(root, at)
    }

    /// The value at a point; valid only if nothing was added to `missing`.
    fn value(&self, root: &Root, at: &[i64]) -> Option<Element<Extended<S>>> {
        let program = &self.definitions.program;
        let mut variables = vec![0; program.variables.len()];
        self.definitions.symbols.iter().for_each(|v| variables[v.index()] = self.sizes[v.index()]);
        root.point.iter().zip(at).for_each(|(v, &value)| variables[v.index()] = value);
        Evaluator::new(program, self.model.domain(), self, STEPS).value(root.node, &mut variables).ok()
    }
}

impl<S: NumberSystem<Number: Default>> Environment<Extended<S>> for Solver<'_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        let recurrences = &self.definitions.recurrences;
        let Some(of) = recurrences.iter().position(|r| r.input == Some(input)) else {
            return self.model.element(input, index);
        };
        let element = (of, index.to_vec());
        if let Some(value) = self.known.borrow().get(&element) {
            return value.clone();
        }
        self.missing.borrow_mut().push(element);
        match self.model.element(input, index) {
            Datum::Number(_) => Datum::Number(None),
            Datum::Truth(_) => Datum::Truth(None),
        }
    }

    fn call(&self, f: FunctionId, arguments: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        self.model.call(f, arguments)
    }
}
