//! Generates inputs, and evaluates the hypotheses on them.

use rustc_hash::FxHashMap;
use selfsame_core::evaluation::{Environment, Evaluator, NoValue};
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, InputId, Instance, NodeId};
use std::cell::RefCell;
use values::{Extended, Listed, Literal, SystemName, ValueDomain};

/// An element of an input.
pub type InputKey = (InputId, Vec<i64>);
/// The values of elements.
pub type InputLiterals = FxHashMap<InputKey, Literal>;

/// The maximum number of steps of one evaluation. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: u64 = 20_000;

/// The integers to try, the likeliest first: 0, 1 and −1 solve equations such as x·x = x and x·x = 1;
/// inequalities need either sign; 3, 5 and 7 have no common divisor, and powers of two have exact inverses in
/// floats.
const INTEGERS: [i64; 12] = [1, 2, 0, -1, 3, 4, -2, 5, 8, -3, 7, 16];

/// Inputs for which no hypothesis fails that can be evaluated.
pub struct MetInputs {
    /// The elements that were read.
    pub values: InputLiterals,
    /// Whether all hypotheses were evaluated; otherwise there are uninterpreted functions.
    pub is_whole: bool,
}

/// An evaluation of the hypotheses at a place.
pub struct HypothesesRun<'a, S> {
    instance: &'a Instance,
    place: &'a [i64],
    system: S,
    notable: FxHashMap<ElementType, Vec<Literal>>,
}

impl<'a, S: Listed> HypothesesRun<'a, S> {
    /// An evaluation at these sizes and this point.
    pub fn new(instance: &'a Instance, place: &'a [i64], system: S) -> HypothesesRun<'a, S> {
        let of = |of: ElementType| system.notable_as(of).iter().map(|number| system.write(number)).collect();
        let types = instance.program.inputs.iter().map(|input| input.data_type);
        let notable = types.filter(|of| of.is_number()).map(|data_type| (data_type, of(data_type))).collect();
        HypothesesRun { instance, place, system, notable }
    }

    /// The inputs of an attempt, if no hypothesis fails for them.
    pub fn attempt(&self, attempt: u64) -> Option<MetInputs> {
        let count = INTEGERS.len();
        // First the same integer everywhere; then random integers and, every third time, notable numbers.
        let uniform = usize::try_from(attempt).ok().and_then(|at| INTEGERS.get(at));
        self.evaluated(&|key: &InputKey, data_type| match (data_type, uniform) {
            (ElementType::Boolean, _) => Literal::Boolean(attempt == 0 || picked(attempt, key, 2) == 1),
            (_, Some(&value)) => integer(value),
            (of, None) => match self.notable.get(&of) {
                Some(notable) if attempt % 3 == 2 && !notable.is_empty() => {
                    notable[picked(attempt, key, notable.len())].clone()
                }
                _ => integer(INTEGERS[picked(attempt, key, count)]),
            },
        })
    }

    /// Whether the hypotheses hold for these values.
    pub fn confirms(&self, values: &InputLiterals) -> bool {
        let value = |key: &InputKey, data_type| match (values.get(key), data_type) {
            (Some(known), _) => known.clone(),
            (None, ElementType::Boolean) => Literal::Boolean(false),
            (None, _) => integer(0),
        };
        self.evaluated(&value).is_some_and(|found| found.is_whole)
    }

    fn evaluated(&self, value: &dyn Fn(&InputKey, ElementType) -> Literal) -> Option<MetInputs> {
        let inputs = ComputedInputs { run: self, value, read: RefCell::default() };
        let mut is_whole = true;
        let laws = if self.system.row() == SystemName::Rational { &self.instance.laws[..] } else { &[] };
        for (at, &node) in self.instance.given.iter().chain(laws).enumerate() {
            let is_given = at < self.instance.given.len();
            match self.truth(node, &inputs) {
                Ok(Some(true)) => {}
                Ok(None) if !is_given => {}
                Err(NoValue::Function(_)) => is_whole = false,
                _ => return None,
            }
        }
        Some(MetInputs { values: inputs.read.into_inner(), is_whole })
    }

    fn truth(&self, node: NodeId, inputs: &ComputedInputs<'_, '_, S>) -> Result<Option<bool>, NoValue> {
        let program = &self.instance.program;
        let mut variables = self.place.to_vec();
        variables.resize(program.variables.len().max(variables.len()), 0);
        let domain = Extended(self.system);
        match Evaluator::new(program, &domain, inputs, STEPS).value(node, &mut variables)? {
            Datum::Truth(truth) => Ok(truth),
            Datum::Number(_) => Ok(None),
        }
    }
}

fn integer(value: i64) -> Literal {
    Literal::Exact(value.into())
}

/// A number below `count` that depends only on the attempt and the element.
fn picked(attempt: u64, (input, index): &InputKey, count: usize) -> usize {
    let parts = [attempt, u64::from(input.0)].into_iter().chain(index.iter().map(|i| i.cast_unsigned()));
    let mixed = parts.fold(0x9E37_79B9_7F4A_7C15_u64, |mixed, part| {
        let mixed = (mixed ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB)
    });
    usize::try_from((mixed >> 33) % count.max(1) as u64).unwrap_or(0)
}

/// Inputs that are a function of the element.
struct ComputedInputs<'r, 'a, S> {
    run: &'r HypothesesRun<'a, S>,
    value: &'r dyn Fn(&InputKey, ElementType) -> Literal,
    read: RefCell<InputLiterals>,
}

impl<S: Listed> ComputedInputs<'_, '_, S> {
    /// Whether the index is within the input's bounds, as far as it has any.
    fn is_within(&self, input: InputId, index: &[i64]) -> bool {
        let bounds = &self.run.instance.program.input(input).bounds;
        index.iter().zip(bounds).all(|(&i, [lower, upper])| {
            let value = |p: &selfsame_core::Index| p.value(self.run.place).ok();
            lower.as_ref().is_none_or(|lower| value(lower).is_some_and(|lower| lower <= i))
                && upper.as_ref().is_none_or(|upper| value(upper).is_some_and(|upper| i < upper))
        })
    }
}

impl<S: Listed> Environment<Extended<S>> for ComputedInputs<'_, '_, S> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Extended<S>> {
        let domain = Extended(self.run.system);
        let data_type = self.run.instance.program.input(input).data_type;
        if !self.is_within(input, index) {
            return error(&domain, data_type);
        }
        let key = (input, index.to_vec());
        let literal = (self.value)(&key, data_type);
        let element = match (data_type, &literal) {
            (ElementType::Boolean, Literal::Boolean(truth)) => Datum::Truth(Some(*truth)),
            (ElementType::Boolean, _) => Datum::Truth(None),
            (of, literal) => Datum::Number(domain.literal_as(of, literal).ok().flatten()),
        };
        self.read.borrow_mut().insert(key, literal);
        element
    }

    /// In floats, a function is known where it is correctly rounded.
    fn call(&self, function: FunctionId, of: &[Element<Extended<S>>]) -> Option<Element<Extended<S>>> {
        let number = |argument: &Element<Extended<S>>| match argument {
            Datum::Number(Some(number)) => Some(number.clone()),
            _ => None,
        };
        let function = self.run.instance.program.function(function);
        if !function.is_of_reals() {
            return None;
        }
        let arguments: Option<Vec<S::Number>> = of.iter().map(number).collect();
        let Some(arguments) = arguments else { return Some(Datum::Number(None)) };
        let values = self.run.system.faithful(&function.name, &arguments)?;
        values.into_iter().next().map(|value| Datum::Number(Some(value)))
    }
}
