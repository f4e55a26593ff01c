//! Random instances of rules: attributes, sizes and inputs, both sides as graphs, and their expected values.

use super::graph::{GraphSide, OperatorGraph, TargetLanguage, graph, points, region};
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally};
use generators::choices::{DecisionSource, Random};
use rewrites::search::samples::assignments;
use rule_files::outline::Outline;
use selfsame_core::evaluation::{Environment, Evaluator};
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use selfsame_core::{FunctionId, InputId, Instance, Program};
use values::ValueDomain;
use values::tolerance::{FloatModel, PossibleTruths, PossibleValues, Tolerance, ToleranceOutcome};

/// The maximum number of steps to evaluate a side: some 3,000 for each of [`MAX_ELEMENTS`].
const MAX_STEPS: u64 = 1_000_000;
/// The maximum number of elements of a result. A graph that computes it element by element has a node or more for
/// each, and at most 600.
const MAX_ELEMENTS: usize = 300;

/// An input tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct InputTensor {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub data_type: ElementType,
    /// Its extents.
    pub shape: Vec<i64>,
    /// Its elements; truth values are 0 and 1.
    pub data: Vec<f64>,
}

/// A side of a rule at given sizes.
#[derive(Clone, Debug)]
pub struct Transcribed {
    /// The graph; `None` if it would be too large.
    pub graph: Option<OperatorGraph>,
    /// The extents of the result.
    pub shape: Vec<i64>,
    /// The elements of the result, with bounds.
    pub expected: Vec<Element<Tolerance>>,
}

/// A rule at given attributes and sizes.
#[derive(Clone, Debug)]
pub struct Transcription {
    /// The attributes and sizes, as text.
    pub said: String,
    /// The input tensors.
    pub inputs: Vec<InputTensor>,
    /// Both sides.
    pub sides: [Transcribed; 2],
}

/// The elements of inputs, for the reference.
struct TensorInputs<'a> {
    program: &'a Program,
    domain: &'a Tolerance,
    tensors: &'a [InputTensor],
    origins: &'a [Vec<i64>],
}

impl Environment<Tolerance> for TensorInputs<'_> {
    fn element(&self, input: InputId, index: &[i64]) -> Element<Tolerance> {
        let at = input.0 as usize;
        let (tensor, origin) = (&self.tensors[at], &self.origins[at]);
        let place = index.iter().zip(origin).zip(&tensor.shape).try_fold(0, |place, ((i, low), extent)| {
            (0..*extent).contains(&(i - low)).then_some(place * extent + i - low)
        });
        let number = place.and_then(|place| tensor.data.get(usize::try_from(place).ok()?).copied());
        match (tensor.data_type, number) {
            (ElementType::Boolean, Some(number)) => Datum::Truth(self.domain.truth(Some(number != 0.0))),
            (_, Some(number)) => Datum::Number(self.domain.given(number)),
            (_, None) => Datum::Number(self.domain.undefined()),
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Element<Tolerance>]) -> Option<Element<Tolerance>> {
        let number = |argument: &Element<Tolerance>| match argument {
            Datum::Number(number) => Some(*number),
            Datum::Truth(_) => None,
        };
        let arguments: Vec<_> = arguments.iter().map(number).collect::<Option<_>>()?;
        Some(Datum::Number(self.domain.function(&self.program.function(function).name, &arguments)))
    }
}

/// An instance of a rule at random sizes, for an implementation with this float model and these operators; `None`
/// if no sizes are found, or the instance is too large.
pub fn transcription(
    instance: &Instance,
    outlines: Option<&[Outline; 2]>,
    model: FloatModel,
    language: TargetLanguage,
    random: &mut Random,
) -> Option<Transcription> {
    let mut rng = fastrand::Rng::with_seed(random.below(usize::MAX) as u64);
    let sizes = assignments(&instance.symbols, &instance.assumptions, 1 + random.below(5), &mut rng).pop()?;
    let program = &instance.program;
    let (mut tensors, mut origins) = (Vec::new(), Vec::new());
    let eighths = random.once_in(2);
    for input in &program.inputs {
        let (origin, shape) = region(&input.bounds, &sizes)?;
        let count = points(&shape)?.len();
        let data = (0..count).map(|_| element(random, input.data_type, eighths)).collect();
        let (name, data_type) = (input.name.to_string(), input.data_type);
        origins.push(origin);
        tensors.push(InputTensor { name, data_type, shape, data });
    }
    let domain = Tolerance { model };
    let given = TensorInputs { program, domain: &domain, tensors: &tensors, origins: &origins };
    let (origin, shape) = region(&instance.claim.bounds, &sizes)?;
    // Keep only some results without elements, so that they do not dominate.
    if shape.contains(&0) && !random.once_in(4) {
        return None;
    }
    let side = |at: usize| {
        let side = GraphSide {
            program,
            sizes: &sizes,
            region: (&origin, &shape),
            outline: outlines.map(|outlines| &outlines[at]),
            element: instance.claim.sides[at],
            point: &instance.claim.point,
        };
        let expected = expected(&side, &given, &domain)?;
        Some(Transcribed { graph: graph(side, language), shape: shape.clone(), expected })
    };
    let sides = [side(0)?, side(1)?];
    let symbols = instance.symbols.iter().map(|v| format!("{} = {}", program.name(*v), sizes[v.index()]));
    let choices = instance.choices.iter().map(|(name, value)| format!("{name} = {value}"));
    Some(Transcription {
        said: choices.chain(symbols).collect::<Vec<_>>().join(", "),
        inputs: tensors,
        sides,
    })
}

fn element(random: &mut Random, data_type: ElementType, eighths: bool) -> f64 {
    match data_type {
        ElementType::Boolean => f64::from(u8::from(random.once_in(2))),
        of if of.is_real() && eighths => (random.below(41) as f64 - 20.0) / 8.0,
        _ => random.below(19) as f64 - 9.0,
    }
}

/// The elements of a side by the reference.
fn expected(
    side: &GraphSide<'_>,
    given: &TensorInputs<'_>,
    domain: &Tolerance,
) -> Option<Vec<Element<Tolerance>>> {
    let GraphSide { program, sizes, region: (origin, shape), element, point, .. } = *side;
    let mut evaluator = Evaluator::new(program, domain, given, MAX_STEPS);
    let mut variables = sizes.to_vec();
    variables.resize(program.variables.len(), 0);
    let places = points(shape).filter(|places| places.len() <= MAX_ELEMENTS)?;
    let value = |place: Vec<i64>| {
        let each = point.iter().zip(origin).zip(place);
        each.for_each(|((v, low), i)| variables[v.index()] = low + i);
        evaluator.value(element, &mut variables).ok()
    };
    places.into_iter().map(value).collect()
}

/// Compares a compiler's result for a side with the expected elements.
pub fn compare(side: &Transcribed, domain: &Tolerance, shape: &[i64], found: &[f64]) -> CaseJudgement {
    let wrong = |kind: DifferenceKind, at: &str, expected: String, found: String| {
        CaseJudgement::Wrong(FoundDifference { kind, at: at.to_owned(), expected, found })
    };
    if shape != side.shape || found.len() != side.expected.len() {
        return wrong(DifferenceKind::Shape, "", format!("{:?}", side.shape), format!("{shape:?}"));
    }
    let mut tally = JudgementTally::default();
    for ((expected, found), place) in side.expected.iter().zip(found).zip(points(shape).unwrap_or_default()) {
        let (outcome, text) = match expected {
            Datum::Number(PossibleValues::Undefined) | Datum::Truth(PossibleTruths::Undefined) => {
                (None, String::new())
            }
            Datum::Number(expected) => (Some(domain.outcome(expected, *found)), domain.text(expected)),
            Datum::Truth(expected) => {
                let outcome = domain.outcome_of_truth(*expected, *found != 0.0);
                (Some(outcome), format!("{expected:?}"))
            }
        };
        match outcome {
            None => tally.undefined += 1,
            Some(ToleranceOutcome::Agrees) => tally.agree += 1,
            Some(ToleranceOutcome::Abstains(_)) => tally.abstain += 1,
            Some(ToleranceOutcome::Disagrees) => {
                return wrong(DifferenceKind::Disagrees, &format!("{place:?}"), text, found.to_string());
            }
        }
    }
    CaseJudgement::Right(tally)
}
