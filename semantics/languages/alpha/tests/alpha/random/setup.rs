//! Random systems with parameters, points and inputs.

use crate::random::naive::{Naive, NaiveValue};
use alpha::domains::Domains;
use alpha::evaluation::{InputFunction, Setting, Stuck, SystemEvaluator, VariableMethod};
use alpha::instance::SystemInstance;
use alpha::printing::{Notation, print};
use alpha::syntax::{DeclaredFunction, System, VariableId};
use alpha::typing::{Typing, type_system};
use generators::alpha::{SystemShape, system};
use generators::choices::{DecisionSource, Random};
use polyhedra_isl::Isl;
use selfsame_core::operations::{Datum, Element};
use selfsame_core::operators::ElementType;
use values::{ComparisonOperator, Division, Literal, ValueDomain};

/// The first `count` seeds, scaled by the table of campaigns.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    0..campaigns::scaled("alpha", count)
}

/// The least number of cases of some kind, scaled in the same way.
pub fn least(count: u64) -> usize {
    campaigns::scaled("alpha", count) as usize
}

/// A system, typed, with its domains for all parameters.
pub struct CheckedSystem {
    pub seed: u64,
    pub system: System,
    pub typing: Typing,
    pub domains: Domains,
    pub choices: Random,
}

impl CheckedSystem {
    pub fn new(seed: u64) -> CheckedSystem {
        let mut choices = Random::seeded(seed);
        let system = system(&mut choices, &SystemShape::default());
        let typing = type_system(&system).expect("well-typed by construction");
        let domains = Domains::new(&system, &Isl::with_memory(), None).expect("within budget");
        CheckedSystem { seed, system, typing, domains, choices }
    }

    pub fn text(&self) -> String {
        format!("seed {}\n{}", self.seed, print(&self.system, Notation::Array))
    }

    /// Small allowed values of the parameters; those of inputs may be negative.
    pub fn parameters(&mut self) -> Vec<i64> {
        let declared = self.system.declared_parameters().len();
        let inputs: Vec<i64> =
            self.system.index_inputs.iter().map(|_| self.choices.below(9) as i64 - 4).collect();
        let allowed = |values: &[i64]| {
            let naive = Naive::new(&self.system, &[], &|_, _| NaiveValue::Error);
            self.system.parameter_domain.is_none_or(|d| naive.in_domain(d, values))
        };
        (0..)
            .map(|_| (0..declared).map(|_| self.choices.below(6) as i64).collect())
            .find(|p: &Vec<i64>| allowed(p))
            .map(|p| [p, inputs].concat())
            .unwrap()
    }

    /// A point near the origin.
    pub fn point(&mut self, rank: usize) -> Vec<i64> {
        (0..rank).map(|_| self.choices.below(11) as i64 - 4).collect()
    }

    /// Points of variables, inside their domains and outside.
    pub fn elements(&mut self, parameters: &[i64], count: usize) -> Vec<(VariableId, Vec<i64>)> {
        let variables: Vec<VariableId> = self.system.variable_ids().collect();
        (0..count).map(|_| self.element(parameters, &variables)).collect()
    }

    /// Some point of some variable, preferably in its domain.
    fn element(&mut self, parameters: &[i64], variables: &[VariableId]) -> (VariableId, Vec<i64>) {
        let x = self.choices.pick(variables);
        let mut point = self.point(self.system.variable_rank(x));
        for _ in 0..6 {
            if Naive::new(&self.system, parameters, &|_, _| NaiveValue::Error).declared(x, &point) {
                break;
            }
            point = self.point(self.system.variable_rank(x));
        }
        (x, point)
    }
}

/// An input of the oracle as an element of a value domain; numbers that the domain lacks become others.
pub fn element<D: ValueDomain>(domain: &D, value: NaiveValue) -> Element<D> {
    match value {
        NaiveValue::Truth(truth) => Datum::Truth(domain.truth(Some(truth))),
        NaiveValue::Error => Datum::Number(domain.undefined()),
        NaiveValue::Number(number) => {
            let doubled = number.numerator().clone().try_into().unwrap();
            Datum::Number(domain.literal(&Literal::Exact(number)).unwrap_or(domain.index(doubled)))
        }
    }
}

/// The interpretation of functions in these tests: by the sum of their arguments, truths as 0 or 1.
pub fn interpreted<D: ValueDomain>(
    domain: &D,
    function: &DeclaredFunction,
    arguments: &[Element<D>],
) -> Element<D> {
    let number = |argument: &Element<D>| match argument {
        Datum::Number(number) => number.clone(),
        Datum::Truth(truth) => domain.select(truth, &domain.index(1), &domain.index(0)),
    };
    let sum = domain.sum(arguments.iter().map(number));
    match function.result {
        ElementType::Integer => Datum::Number(domain.truncation(&sum)),
        ElementType::Boolean => {
            Datum::Truth(domain.compare(ComparisonOperator::Less, &domain.index(0), &sum))
        }
        _ => Datum::Number(domain.sub(&sum, &domain.index(1))),
    }
}

/// Evaluates elements; equal texts are equal results.
pub fn evaluate<D: ValueDomain>(
    domain: &D,
    typing: &Typing,
    instance: &SystemInstance<'_>,
    input: &InputFunction<'_, D>,
    method: VariableMethod,
    elements: &[(VariableId, Vec<i64>)],
) -> Vec<Result<Element<D>, Stuck>> {
    elements
        .iter()
        .map(|(x, z)| {
            let division = Division::Extended;
            let functions = &|function: &DeclaredFunction, arguments: &[Element<D>]| {
                Some(interpreted(domain, function, arguments))
            };
            let max_steps = 20_000;
            let setting = Setting { instance, typing, domain, division, input, functions, method, max_steps };
            SystemEvaluator::new(setting).element(*x, z)
        })
        .collect()
}

/// Whether a variable is boolean.
pub fn is_boolean(system: &System, x: VariableId) -> bool {
    system.variable(x).data_type == ElementType::Boolean
}
