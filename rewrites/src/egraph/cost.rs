//! What a term costs, in arithmetic operations at given parameters.
//!
//! What a reduction gives is computed once at every point of its domain, and kept. Everything else is computed where it is needed, so
//! that its cost is that of a point, times the points at which it is needed. Restrictions, dependences and cases are ways to read
//! and cost nothing.

use super::counting::points;
use super::facts::{Fact, Graph};
use super::language::{Head, Term};
use egg::{CostFunction, Id, Language};
use polyhedra::SetId;
use rustc_hash::FxHashMap;
use semantics::alpha::domains::Domains;
use semantics::alpha::syntax::{Equation, ExprId, Expression, System, VariableId};
use std::cmp::Ordering;

/// The operations of all equations of a system, as it is written: nothing is shared but by variables.
pub fn operations(system: &System, domains: &Domains, parameters: &[i64]) -> f64 {
    let mut prices: Vec<[f64; 2]> = Vec::new();
    for (_, expression) in system.expressions() {
        let below = || expression.operands().iter().map(|e: &ExprId| prices[e.index()]);
        let once: f64 = below().map(|[once, _]| once).sum();
        let each: f64 = below().map(|[_, each]| each).sum();
        prices.push(match expression {
            Expression::Unary(..) | Expression::Binary(..) | Expression::If(_) | Expression::Call(..) => {
                [once, each + 1.0]
            }
            Expression::Case(_) => [once, below().map(|[_, each]| each).fold(0.0, f64::max)],
            Expression::Reduce(_, _, body) | Expression::ReduceOver(_, _, _, body) => {
                [once + points(domains.of(*body), parameters) * (each + 1.0), 0.0]
            }
            _ => [once, each],
        });
    }
    let of_equation = |equation: &Equation| {
        let [once, each] = prices[equation.expression.index()];
        let sets = [domains.declared(equation.variable), domains.of(equation.expression)];
        let [declared, there] = sets.map(|set| points(set, parameters));
        once + if each > 0.0 { each * declared.min(there) } else { 0.0 }
    };
    system.equations.iter().map(of_equation).sum()
}

/// A term itself counts so much, so that of two that cost the same the smaller one is taken.
const TERM: f64 = 1e-3;

/// The operations of a term.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// Once, for what is kept.
    pub once: f64,
    /// At each point.
    pub each: f64,
    /// At how many points it is taken to be needed when two terms are compared.
    at: f64,
}

impl Price {
    /// All operations, at so many points.
    pub fn total(self) -> f64 {
        self.once + self.each * self.at
    }
}

impl PartialEq for Price {
    fn eq(&self, other: &Price) -> bool {
        self.total() == other.total()
    }
}

impl PartialOrd for Price {
    fn partial_cmp(&self, other: &Price) -> Option<Ordering> {
        self.total().partial_cmp(&other.total())
    }
}

/// Costs at given parameters.
pub struct Cost<'g, 'a> {
    graph: &'g Graph<'a>,
    parameters: &'g [i64],
    /// Variables whose definitions are part of what is extracted.
    defined: &'g [VariableId],
    counted: FxHashMap<SetId, f64>,
    /// The points of the largest domain that is bounded: nothing is needed at more.
    largest: f64,
}

impl<'g, 'a> Cost<'g, 'a> {
    /// Costs of the terms of a graph; variables that are `defined` are never read.
    pub fn new(graph: &'g Graph<'a>, parameters: &'g [i64], defined: &'g [VariableId]) -> Cost<'g, 'a> {
        let mut cost = Cost { graph, parameters, defined, counted: FxHashMap::default(), largest: 1.0 };
        let all: Vec<f64> = graph.classes().map(|class| cost.points(class.id)).collect();
        cost.largest = all.into_iter().filter(|points| points.is_finite()).fold(1.0, f64::max);
        cost
    }

    /// How many points the domain of a class has; infinity for what is none.
    pub fn points(&mut self, class: Id) -> f64 {
        let Fact::Value { domain: Some(id), .. } = self.graph[class].data else { return f64::INFINITY };
        let (graph, parameters) = (self.graph, self.parameters);
        *self.counted.entry(id).or_insert_with(|| points(graph.analysis.set(id), parameters))
    }

    /// The price of a term by those of its operands.
    pub fn price(&mut self, term: &Term, operands: &[Price]) -> Price {
        let once: f64 = operands.iter().map(|price| price.once).sum::<f64>() + TERM;
        let each = |operands: &[Price]| operands.iter().map(|price| price.each).sum::<f64>();
        let kept = |cost: &mut Self, body: usize| {
            once + cost.points(term.operands[body]) * (operands[body].each + 1.0)
        };
        let (once, each) = match term.head {
            Head::Variable(x) if self.defined.contains(&x) => (f64::INFINITY, 0.0),
            Head::Unary(_) | Head::Binary(_) | Head::If | Head::Call(_) => (once, each(operands) + 1.0),
            Head::Case => (once, operands.iter().map(|price| price.each).fold(0.0, f64::max)),
            Head::Reduce(_) => (kept(self, 1), 0.0),
            Head::ReduceOver(_) => (kept(self, 2), 0.0),
            _ => (once, each(operands)),
        };
        let class = self.graph.lookup(term.clone());
        let at = class.map_or(self.largest, |class| self.points(class)).min(self.largest);
        Price { once, each, at }
    }
}

impl CostFunction<Term> for Cost<'_, '_> {
    type Cost = Price;

    fn cost<C: FnMut(Id) -> Price>(&mut self, term: &Term, costs: C) -> Price {
        let operands: Vec<Price> = term.children().iter().copied().map(costs).collect();
        self.price(term, &operands)
    }
}
