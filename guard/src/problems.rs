//! Runs a decision problem of the tensor model language: its sides are evaluated by the paper's equations, at
//! stores of numbers.

use crate::inputs::Inputs;
use crate::report::{Claimed, Contradiction, Effort, Run};
use language::GivenInputs as _;
use rink::decision::{DecisionProblem, ValuePairs};
use rink::evaluation::StatementMethod;
use rink::store::index_of;
use selfsame_core::operations::Datum;
use selfsame_core::operators::ElementType;
use selfsame_core::relation::Relation;
use std::rc::Rc;
use values::{Extended, Listed, ValueDomain, Visitor};

/// The maximum number of operations of the one instance that is run where more are not affordable: products of n × n
/// matrices up to n = 96, as far as the decision goes.
const MAX_OPERATIONS: u64 = 20_000_000;

/// Runs a problem of fixed sizes in every number system that a claim names.
pub fn run<P: DecisionProblem>(problem: &P, claimed: &[Claimed], effort: &Effort) -> Run {
    let claimed = claimed.iter().filter(|claimed| claimed.says_something());
    let initialized = problem.variables().iter().filter(|variable| variable.initialized);
    let total = Rc::new(initialized.map(|variable| variable.name.clone()).collect::<Vec<_>>());
    let run = |claimed: &Claimed| {
        let mut visitor = ProblemInSystem { problem, claimed, effort, total: total.clone() };
        claimed.system.visit(&mut visitor)
    };
    claimed.map(run).reduce(Run::and).unwrap_or_default()
}

struct ProblemInSystem<'a, P> {
    problem: &'a P,
    claimed: &'a Claimed,
    effort: &'a Effort,
    total: Rc<Vec<String>>,
}

impl<P: DecisionProblem> Visitor for &mut ProblemInSystem<'_, P> {
    type Output = Run;

    fn visit<S: Listed>(self, system: S) -> Run {
        let mut run = Run::default();
        // All instances of a problem cost the same, so the affordable number is known in advance.
        let affordable = self.effort.steps.saturating_mul(self.effort.wanted as u64)
            / self.problem.operations(StatementMethod::PointWise).max(1);
        let one = u64::from(self.problem.operations(StatementMethod::PointWise) <= MAX_OPERATIONS);
        let instances = usize::try_from(affordable.max(one)).unwrap_or(usize::MAX).min(self.effort.wanted);
        for number in 0..instances {
            let inputs = Inputs::new(system, self.effort.seed, number, true, self.total.clone());
            let elements = self.elements(&inputs);
            let Ok(sides) = self.problem.sides(&Extended(system), &elements, StatementMethod::PointWise)
            else {
                run.why = Some("evaluation takes more memory or digits than it may".to_owned());
                return run;
            };
            run.instances += 1;
            run.counted += usize::from(!sides.is_empty());
            run.defined += usize::from(sides.iter().any(|(left, _)| left.is_some()));
            if let Some(pair) = self.wrong(system, &sides) {
                let (left, right) = &sides[pair];
                run.contradiction = Some(Box::new(self.contradiction(system, inputs, pair, [left, right])));
                return run;
            }
        }
        if instances < self.effort.wanted {
            run.why = Some("evaluation takes more steps than it may".to_owned());
        } else if run.counted < self.effort.wanted {
            let why =
                if run.counted == 0 { "nothing is compared" } else { "in the others nothing is compared" };
            run.why = Some(why.to_owned());
        }
        run
    }
}

impl<P: DecisionProblem> ProblemInSystem<'_, P> {
    fn elements<S: Listed>(&self, inputs: &Inputs<S>) -> Vec<Option<S::Number>> {
        let of = |variable: &rink::decision::InputVariable| -> Vec<Option<S::Number>> {
            let element = |at: usize| {
                let index =
                    index_of(&variable.extents, at).iter().map(|&i| i.cast_signed()).collect::<Vec<_>>();
                match inputs.element(&variable.name, &index, ElementType::Real) {
                    Datum::Number(number) => number,
                    Datum::Truth(_) => None,
                }
            };
            (0..variable.elements()).map(element).collect()
        };
        self.problem.variables().iter().flat_map(of).collect()
    }

    /// The first pair of values that violates the claim.
    fn wrong<S: Listed>(&self, system: S, sides: &ValuePairs<Extended<S>>) -> Option<usize> {
        let is_wrong = |(left, right): &(Option<S::Number>, Option<S::Number>)| {
            let is_free = self.claimed.relations.any == Relation::Refines && left.is_none();
            !is_free && Extended(system).same(left, right) != Some(true)
        };
        sides.iter().position(is_wrong)
    }

    fn contradiction<S: Listed>(
        &self,
        system: S,
        inputs: Inputs<S>,
        pair: usize,
        sides: [&Option<S::Number>; 2],
    ) -> Contradiction {
        let (name, index) = self.problem.place(pair);
        let parameters = self.problem.parameters().into_iter();
        let parameters = parameters.map(|(name, value)| (name, value.to_string()));
        Contradiction {
            system: self.claimed.system,
            claimed: self.claimed.relations.any,
            parameters: parameters.collect(),
            inputs: inputs.read(),
            at: (name, index.iter().map(|&i| i.cast_signed()).collect()),
            values: sides.map(|side| Some(side.as_ref().map(|number| system.write(number)))),
        }
    }
}
