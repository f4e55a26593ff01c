//! Compares claims about two sides with the values that the sides compute.

use crate::case::Case;
use crate::judgement::{CaseJudgement, DifferenceKind, FoundDifference, JudgementTally, place_text};
use crate::machine::{TestedNumber, number};
use dashu_ratio::RBig;
use generators::choices::{DecisionSource, Random};
use rink::decision::{DecisionProblem, InputVariable};
use rink::evaluation::StatementMethod;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::WrittenElement;
use selfsame_core::counterexample::{Counterexample, WrittenTensor};
use selfsame_core::relation::Relation;
use std::collections::BTreeMap;
use values::{Extended, Literal, NumberSystem};

/// A claim about two sides in a number system.
pub struct SystemClaim {
    relation: Relation,
    shown: Option<ShownDifference>,
}

/// A counterexample: an input, and an element at which the sides differ.
struct ShownDifference {
    inputs: BTreeMap<String, Vec<WrittenElement>>,
    variable: String,
    index: Vec<i64>,
    values: [WrittenElement; 2],
}

impl From<&Counterexample> for ShownDifference {
    fn from(found: &Counterexample) -> ShownDifference {
        let elements = |tensor: &WrittenTensor| (tensor.name.clone(), tensor.elements().cloned().collect());
        ShownDifference {
            inputs: found.inputs.iter().map(elements).collect(),
            variable: found.variable.clone(),
            index: found.index.clone(),
            values: found.values.clone(),
        }
    }
}

impl SystemClaim {
    /// What an answer claims of one class of inputs.
    pub fn new(answer: &Answer, inputs: InputClass) -> SystemClaim {
        let shown = answer.counterexamples[inputs].as_ref().map(ShownDifference::from);
        SystemClaim { relation: answer.relations[inputs], shown }
    }
}

/// Whether a claim holds for the inputs of a case and for random ones, and its counterexample shows a difference.
pub fn judge<T: TestedNumber, P: DecisionProblem>(
    problem: &P,
    claim: &SystemClaim,
    case: &Case,
    what: &str,
) -> CaseJudgement {
    let wrong = |at: String, found: String| {
        let system = T::System::default().name();
        let expected = format!("{} in {system}", claim.relation.word());
        CaseJudgement::Wrong(FoundDifference {
            kind: DifferenceKind::Verdict,
            at,
            expected,
            found: format!("{found}, {what}"),
        })
    };
    let of = |name: &str| case.inputs.get(name).map(|array| &array.data[..]);
    let mut tally = JudgementTally::default();
    for store in [given(problem, of), random(problem)] {
        let Some(sides) = sides::<T, P>(problem, &store) else {
            return CaseJudgement::refused("too many steps");
        };
        if let Some(at) = against(claim.relation, &sides) {
            let (name, index) = place(problem, at);
            let (left, right) = &sides[at];
            return wrong(place_text(&name, &index), format!("{left:?} and {right:?}"));
        }
        if matches!(claim.relation, Relation::Equivalent | Relation::Refines) {
            tally.agree += sides.len();
        }
    }
    match &claim.shown {
        None if claim.relation >= Relation::Unequal => {
            return wrong(String::new(), "no counterexample".to_owned());
        }
        Some(shown) if !shows::<T, P>(problem, shown) => {
            return wrong(place_text(&shown.variable, &shown.index), "no difference".to_owned());
        }
        Some(_) => tally.agree += 1,
        None => {}
    }
    CaseJudgement::right_or(tally, || match claim.relation {
        Relation::Unknown => CaseJudgement::refused("the verdict is unknown"),
        _ => CaseJudgement::refused("there are no elements"),
    })
}

/// The first pair that contradicts a relation.
fn against<T: TestedNumber>(relation: Relation, sides: &NumberPairs<T>) -> Option<usize> {
    let is_allowed = |(left, right): &(Option<T>, Option<T>)| match relation {
        Relation::Equivalent => same::<T>(left, right),
        Relation::Refines => left.is_none() || same::<T>(left, right),
        Relation::Different | Relation::Unequal | Relation::Unknown => true,
    };
    sides.iter().position(|pair| !is_allowed(pair))
}

fn place<P: DecisionProblem>(problem: &P, at: usize) -> (String, Vec<i64>) {
    let (name, index) = problem.place(at);
    (name, index.iter().map(|i| i.cast_signed()).collect())
}

/// Pairs of numbers, or of `•`.
type NumberPairs<T> = Vec<(Option<T>, Option<T>)>;

/// The elements of all variables, in order; elements that are not given are `•`.
fn given<'a, T: TestedNumber, P: DecisionProblem>(
    problem: &P,
    given: impl Fn(&str) -> Option<&'a [WrittenElement]>,
) -> Vec<Option<T>> {
    let elements = |variable: &InputVariable| match given(&variable.name) {
        Some(data) => data.iter().map(number::<T>).collect(),
        None => vec![None; variable.elements()],
    };
    problem.variables().iter().flat_map(elements).collect()
}

/// Numbers with many digits, the same each time: most of their sums and products are rounded or overflow, so that
/// few laws hold by accident.
fn random<T: TestedNumber, P: DecisionProblem>(problem: &P) -> Vec<Option<T>> {
    let mut choices = Random::seeded(0);
    let denominator: i64 = if T::IS_FLOAT { 7 } else { 1 };
    let mut element = |_| {
        let numerator = choices.below(1 << 31) as i64 - (1 << 30);
        number(&Some(Literal::Exact(RBig::from_parts_signed(numerator.into(), denominator.into()))))
    };
    let count = problem.variables().iter().map(InputVariable::elements).sum();
    (0..count).map(&mut element).collect()
}

/// The values of both sides; `None` if that takes too many steps.
fn sides<T: TestedNumber, P: DecisionProblem>(problem: &P, elements: &[Option<T>]) -> Option<NumberPairs<T>> {
    let domain = Extended(T::System::default());
    problem.sides(&domain, elements, StatementMethod::Tabulated).ok()
}

fn same<T: TestedNumber>(left: &Option<T>, right: &Option<T>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => T::System::default().same(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Whether the sides differ and have the values that a counterexample states.
fn shows<T: TestedNumber, P: DecisionProblem>(problem: &P, shown: &ShownDifference) -> bool {
    let of = |name: &str| shown.inputs.get(name).map(|data| &data[..]);
    let there = (shown.variable.clone(), shown.index.clone());
    let mut sides = sides::<T, P>(problem, &given(problem, of)).unwrap_or_default().into_iter().enumerate();
    sides.any(|(at, (left, right))| {
        let [said_left, said_right] = shown.values.each_ref().map(number::<T>);
        !same::<T>(&left, &right)
            && same::<T>(&left, &said_left)
            && same::<T>(&right, &said_right)
            && place(problem, at) == there
    })
}
