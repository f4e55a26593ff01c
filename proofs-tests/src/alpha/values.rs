//! Compares values at every point: on numbers, and where possible for all values of the inputs.

use super::comparison::{ComparedObject, ComparedSide};
use alpha::checking::{index_text, parameters_text};
use alpha::evaluation::{InputFunction, Setting, Stuck, SystemEvaluator, VariableMethod, uninterpreted};
use alpha::instance::SystemInstance;
use alpha::syntax::VariableId;
use base::identifiers::identifier;
use dashu_ratio::RBig;
use polyhedra::{Engine, EngineError, IndexSet};
use rink::decision::{Budget, TermFinding, Tiers};
use selfsame_core::operations::{Datum, Element, error};
use selfsame_core::operators::ElementType;
use selfsame_core::relation::Relation;
use std::cell::RefCell;
use std::collections::BTreeMap;
use values::symbolic::{TermId, Terms, Unknown};
use values::{ComparisonOperator, Division, Extended, Literal, Rationals, ValueDomain};

/// The result of comparing the values of two sides.
pub(super) enum ValuesComparison {
    /// They are equal: for all values of the inputs (`true`), or for those tried.
    Same(bool),
    /// There are no values: no points, or infinite reductions on both sides.
    None,
    Differ(String),
    /// One side has a value where a reduction of the other is infinite.
    Infinite(String),
}

/// The maximum number of points of an instance. No instance of the quick surveys has more, or is undecided for
/// another reason (2026-11-27).
const MAX_POINTS: usize = 2_000;
/// The maximum number of steps of one evaluation: a hundred for each of [`MAX_POINTS`].
const MAX_STEPS: u64 = 200_000;
/// For unbounded domains, the range of coordinates of points to compare: 0 to 3, in which bounded domains are,
/// and one below.
const WINDOW: (i64, i64) = (-1, 3);

/// Compares two sides over the same set.
///
/// # Errors
/// Evaluation does not end, or the engine is out of budget.
pub(super) fn compare_values(
    left: &ComparedSide,
    right: &ComparedSide,
    parameters: &[Vec<i64>],
    engine: &dyn Engine,
) -> Result<ValuesComparison, EngineError> {
    let (mut all, mut some) = (true, false);
    for parameters in parameters {
        let points = points(left.set(), parameters, engine)?;
        for seed in 0..2 {
            let [a, b] = [left, right].map(|side| numbers(side, parameters, &points, seed));
            let (a, b) = (a?, b?);
            if let Some(at) = (0..points.len()).find(|&at| a[at] != b[at]) {
                return Ok(difference(parameters, &points[at], &a[at], &b[at], left));
            }
            some |= a.iter().any(Option::is_some);
        }
        all &= symbolically_equal([left, right], parameters, &points);
    }
    Ok(if some { ValuesComparison::Same(all) } else { ValuesComparison::None })
}

/// The points to compare.
fn points(set: &IndexSet, parameters: &[i64], engine: &dyn Engine) -> Result<Vec<Vec<i64>>, EngineError> {
    let mut set = set.at_parameters(parameters)?;
    if !engine.is_bounded(&set)? {
        set = set.within(&vec![WINDOW; set.space.rank()])?;
    }
    set.scan(&[])?.points(&[], MAX_POINTS)
}

fn difference(
    parameters: &[i64],
    point: &[i64],
    a: &Option<String>,
    b: &Option<String>,
    side: &ComparedSide,
) -> ValuesComparison {
    let value = |value: &Option<String>| match value {
        Some(value) => value.clone(),
        None => "a reduction of infinitely many terms".to_owned(),
    };
    let place = index_text(point) + &parameters_text(&side.system.parameters, parameters);
    let says = format!("at {place} the left side is {} and the right side {}", value(a), value(b));
    if a.is_some() && b.is_some() { ValuesComparison::Differ(says) } else { ValuesComparison::Infinite(says) }
}

/// The values at points for numbered inputs, as text.
fn numbers(
    side: &ComparedSide,
    parameters: &[i64],
    points: &[Vec<i64>],
    seed: i64,
) -> Result<Vec<Option<String>>, EngineError> {
    let input = |x: VariableId, z: &[i64]| Some(numbered(side.system.variable(x).data_type, x, z, seed));
    let text = |element: Element<Extended<Rationals>>| match element {
        Datum::Number(Some(number)) => number.to_string(),
        Datum::Truth(Some(truth)) => truth.to_string(),
        _ => "error".to_owned(),
    };
    let values = evaluate(side, parameters, points, &Extended(Rationals), &input)?;
    Ok(values.into_iter().map(|value| value.map(text)).collect())
}

/// A small pseudo-random number for a variable, a point and a seed; with the second seed, sometimes *error*.
pub fn numbered(data_type: ElementType, x: VariableId, z: &[i64], seed: i64) -> Element<Extended<Rationals>> {
    let domain = &Extended(Rationals);
    let mixed = z.iter().fold(seed * 31 + x.index() as i64 + 17, |mixed, &z| {
        (mixed.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(z.wrapping_mul(1_442_695_040_888_963_407))
    });
    let number = (mixed >> 33).rem_euclid(23) - 7;
    if seed == 1 && (mixed >> 17).rem_euclid(12) == 0 {
        return error(domain, data_type);
    }
    match data_type {
        ElementType::Boolean => Datum::Truth(domain.truth(Some(number % 2 == 0))),
        ElementType::Integer => Datum::Number(domain.index(number)),
        _ => {
            let half = Literal::Exact(RBig::from(number) / RBig::from(2));
            Datum::Number(domain.literal(&half).unwrap_or_else(|_| domain.undefined()))
        }
    }
}

/// The values at points; `None` if a reduction is infinite.
fn evaluate<D: ValueDomain>(
    side: &ComparedSide,
    parameters: &[i64],
    points: &[Vec<i64>],
    domain: &D,
    input: &InputFunction<'_, D>,
) -> Result<Vec<Option<Element<D>>>, EngineError> {
    let instance =
        SystemInstance::new(&side.system, &side.domains, parameters).map_err(|undecided| undecided.error)?;
    let setting = Setting {
        instance: &instance,
        typing: &side.typing,
        domain,
        division: Division::Extended,
        input,
        functions: &uninterpreted::<D>,
        method: VariableMethod::Eval2,
        max_steps: MAX_STEPS,
    };
    let mut evaluator = SystemEvaluator::new(setting);
    let value = |z: &Vec<i64>| {
        let value = match side.root {
            ComparedObject::Expression(e) => evaluator.expression(e, z),
            ComparedObject::Variable(x) => evaluator.element(x, z),
        };
        match value {
            Ok(value) => Ok(Some(value)),
            Err(Stuck::Fibre(_, _, EngineError::Unbounded(_))) => Ok(None),
            Err(Stuck::Fibre(_, _, error) | Stuck::Index(_, error)) => Err(error),
            Err(stuck) => {
                Err(EngineError::OutOfBudget { operation: "evaluation", operands: format!("{stuck:?}") })
            }
        }
    };
    points.iter().map(value).collect()
}

/// Whether the values are proved equal over the rationals for all inputs, including *error*.
fn symbolically_equal(sides: [&ComparedSide; 2], parameters: &[i64], points: &[Vec<i64>]) -> bool {
    let terms = Terms::with_limit(1 << 16);
    let unknowns: RefCell<BTreeMap<(VariableId, Vec<i64>), u32>> = RefCell::default();
    let input = |x: VariableId, z: &[i64]| {
        let mut unknowns = unknowns.borrow_mut();
        let next = identifier(unknowns.len());
        let unknown = terms.unknown(Unknown(*unknowns.entry((x, z.to_vec())).or_insert(next)));
        Some(match sides[0].system.variable(x).data_type {
            ElementType::Boolean => {
                Datum::Truth(terms.compare(ComparisonOperator::Less, &terms.index(0), &unknown))
            }
            _ => Datum::Number(unknown),
        })
    };
    let sides = sides.map(|side| evaluate(side, parameters, points, &terms, &input));
    let [Ok(a), Ok(b)] = sides else { return false };
    if terms.is_exhausted() {
        return false;
    }
    let initialized = vec![false; unknowns.borrow().len()];
    let budget = Budget { monomials: 2_000, paths: 50, ..Budget::default() };
    let mut tiers = Tiers::new(&terms, &initialized, budget);
    let number = |element: &Element<Terms>| -> TermId {
        match element {
            Datum::Number(number) => *number,
            Datum::Truth(truth) => terms.select(truth, &terms.index(1), &terms.index(0)),
        }
    };
    let equal = |finding| matches!(finding, TermFinding::Proved { relation: Relation::Equivalent, .. });
    a.iter().zip(&b).all(|pair| match pair {
        (Some(a), Some(b)) => {
            let (a, b) = (number(a), number(b));
            a == b || equal(tiers.decide(a, b))
        }
        (a, b) => a.is_none() && b.is_none(),
    })
}
