//! The costs of a system and of a term at given parameters: arithmetic operations, and elements moved to and from
//! memory.
//!
//! The result of a reduction is computed once at each point of its domain and stored; so is an expression that is
//! read at more points than its domain has. Every other expression is computed where it is needed: it costs its
//! operations at each such point. Restrictions, dependences and cases only select what is read and cost nothing.

use super::counting::{PointCount, points};
use super::facts::{ExpressionGraph, Fact};
use super::language::{ENode, Head};
use alpha::domains::Domains;
use alpha::syntax::{Equation, ExprId, Expression, System, VariableId};
use egg::{CostFunction, Id, Language};
use polyhedra::{IndexSet, SetId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// The parameters of the cost model.
#[derive(Clone, Debug)]
pub struct CostModel {
    /// The values of the parameters at which costs are compared.
    pub parameters: Vec<i64>,
    /// The cost of moving an element to or from memory, in operations.
    pub moving: f64,
}

/// The cost of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// The number of arithmetic operations.
    pub operations: f64,
    /// The elements that equations and reductions read and write, each array once for each equation or reduction;
    /// unbounded arrays count 0.
    pub moved: f64,
    /// Whether both numbers are exact.
    pub is_exact: bool,
}

/// The maximum number of steps to count a set of a system. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const STEPS: f64 = 2e6;
/// The maximum number of steps to count a set of an e-graph, which has many. Chosen: half and twice give the
/// same verdicts (`docs/limits.md`).
const STEPS_OF_MANY: f64 = 20_000.0;

impl CostModel {
    /// The cost as one number of operations.
    pub fn total(&self, work: Work) -> f64 {
        work.operations + self.moving * work.moved
    }

    /// The number of points of a set; 0 if it is unbounded.
    fn bounded(&self, set: &IndexSet) -> PointCount {
        let count = points(set, &self.parameters, STEPS);
        if count.points.is_finite() { count } else { PointCount { points: 0.0, ..count } }
    }

    /// The work of all equations of a system as written: only variables are shared.
    pub fn work(&self, system: &System, domains: &Domains) -> Work {
        let mut work = Work { operations: 0.0, moved: 0.0, is_exact: true };
        for equation in &system.equations {
            let operations = self.operations(system, domains, equation);
            let moved = self.moved(system, domains, equation);
            work.operations += operations.points;
            work.moved += moved.points;
            work.is_exact &= operations.is_exact && moved.is_exact;
        }
        work
    }

    /// The operations of an equation. A reduction counts only the terms that are needed, as far as that is known:
    /// an operand of a dependence counts as needed on its whole domain.
    fn operations(&self, system: &System, domains: &Domains, equation: &Equation) -> PointCount {
        let declared = domains.declared(equation.variable);
        let root = equation.expression;
        let mut needed: FxHashMap<ExprId, Option<IndexSet>> = FxHashMap::default();
        let here = |e: ExprId, needed: Option<&IndexSet>| -> IndexSet {
            let there = domains.domain(e).clone();
            needed.and_then(|needed| needed.intersect(&there).ok()).unwrap_or(there)
        };
        needed.insert(root, Some(declared.clone()));
        let mut total = PointCount { points: 0.0, is_exact: true };
        // Children precede their parents, so this visits each expression after all that need it.
        for at in (0..=root.index()).rev() {
            let e = ExprId::at(at);
            let Some(of) = needed.get(&e).cloned() else { continue };
            let expression = system.expression(e);
            let region = here(e, of.as_ref());
            match expression {
                Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::If(_)
                | Expression::Intrinsic(..)
                | Expression::Call(..) => {
                    total = total + points(&region, &self.parameters, STEPS);
                }
                Expression::Reduce(_, f, body) | Expression::ReduceOver(_, f, _, body) => {
                    let terms = here(*body, region.preimage(f).ok().as_ref());
                    total = total + points(&terms, &self.parameters, STEPS);
                    needed.insert(*body, Some(terms));
                    continue;
                }
                _ => {}
            }
            let is_moved = matches!(expression, Expression::Dependence(..));
            for &operand in expression.operands() {
                let new = (!is_moved).then(|| region.clone());
                let known = needed.entry(operand).or_insert_with(|| new.clone());
                if *known != new {
                    *known = None;
                }
            }
        }
        total
    }

    /// The elements that an equation writes, the arrays that it reads, and the results of inner reductions, which
    /// are written and read.
    fn moved(&self, system: &System, domains: &Domains, equation: &Equation) -> PointCount {
        let (mut pending, mut seen) = (vec![equation.expression], FxHashSet::default());
        let mut read: FxHashSet<VariableId> = FxHashSet::default();
        let mut moved = self.bounded(domains.declared(equation.variable));
        while let Some(e) = pending.pop() {
            if !seen.insert(e) {
                continue;
            }
            match system.expression(e) {
                Expression::Variable(x) if read.insert(*x) => {
                    moved = moved + self.bounded(domains.declared(*x));
                }
                Expression::Reduce(..) | Expression::ReduceOver(..) if e != equation.expression => {
                    let kept = self.bounded(domains.domain(e));
                    moved = moved + kept + kept;
                }
                _ => {}
            }
            pending.extend(system.expression(e).operands());
        }
        moved
    }
}

/// The cost of each term, so that of two equally cheap ones the smaller wins: a thousand terms weigh as much as
/// one arithmetic operation.
const TERM: f64 = 1e-3;

/// The price of a term, in operations.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    /// The operations done once, for stored results.
    pub once: f64,
    /// The operations at each point.
    pub each: f64,
    /// The number of points at which the term is assumed to be needed when terms are compared.
    at: f64,
}

impl Price {
    /// All operations: those done once, and those at each point.
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

/// The number of points of the domains of classes, at given parameters.
pub struct PointCounts {
    of: FxHashMap<SetId, f64>,
    /// The number of points of the largest bounded domain: nothing is needed at more.
    largest: f64,
    moving: f64,
}

impl PointCounts {
    /// Counts the domains of all classes.
    pub fn new(graph: &ExpressionGraph<'_>, model: &CostModel) -> PointCounts {
        let mut of = FxHashMap::default();
        for class in graph.classes() {
            if let Fact::Value { domain: Some(id), .. } = class.data {
                of.entry(id).or_insert_with(|| {
                    points(graph.analysis.set(id), &model.parameters, STEPS_OF_MANY).points
                });
            }
        }
        let largest = of.values().copied().filter(|points| points.is_finite()).fold(1.0, f64::max);
        PointCounts { of, largest, moving: model.moving }
    }

    /// The number of points of the domain of a class; infinity if the class has none.
    pub fn points(&self, graph: &ExpressionGraph<'_>, class: Id) -> f64 {
        match graph[class].data {
            Fact::Value { domain: Some(id), .. } => self.of.get(&id).copied().unwrap_or(f64::INFINITY),
            _ => f64::INFINITY,
        }
    }
}

/// Prices the terms of an e-graph for extraction.
pub struct Cost<'g, 'a> {
    /// The e-graph.
    pub graph: &'g ExpressionGraph<'a>,
    /// The number of points at which each class is computed.
    pub counts: &'g PointCounts,
    /// Variables that may not be read: their definitions are extracted.
    pub unread: &'g [VariableId],
}

impl Cost<'_, '_> {
    /// The price of a term, from the prices of its operands.
    fn price(&self, term: &ENode, operands: &[Price]) -> Price {
        let points = |class: Id| self.counts.points(self.graph, class);
        let once: f64 = operands.iter().map(|price| price.once).sum::<f64>() + TERM;
        let each = |operands: &[Price]| operands.iter().map(|price| price.each).sum::<f64>();
        let moved = |points: f64| if points.is_finite() { self.counts.moving * points } else { 0.0 };
        let class = self.graph.lookup(term.clone());
        let here = class.map_or(self.counts.largest, points);
        let at = here.min(self.counts.largest);
        // The result of a reduction is written and read.
        let kept = |body: usize| {
            // An unbounded body is bounded where the result is needed.
            let terms = points(term.operands[body]).min(self.counts.largest.powi(2));
            once + terms * (operands[body].each + 1.0) + 2.0 * moved(here)
        };
        let (once, each) = match term.head {
            Head::Variable(x) if self.unread.contains(&x) => (f64::INFINITY, 0.0),
            head if head.is_operation() => (once, each(operands) + 1.0),
            // An expression read at more points than it has is computed once at each of its points, and stored.
            Head::Dependence if points(term.operands[0]) < here => {
                (once + points(term.operands[0]) * operands[0].each, 0.0)
            }
            Head::Case => (once, operands.iter().map(|price| price.each).fold(0.0, f64::max)),
            Head::Reduce(_) => (kept(1), 0.0),
            Head::ReduceOver(_) => (kept(2), 0.0),
            Head::Variable(_) => (once + moved(here), 0.0),
            _ => (once, each(operands)),
        };
        Price { once, each, at }
    }
}

impl CostFunction<ENode> for Cost<'_, '_> {
    type Cost = Price;

    fn cost<C: FnMut(Id) -> Price>(&mut self, term: &ENode, costs: C) -> Price {
        let operands: Vec<Price> = term.children().iter().copied().map(costs).collect();
        self.price(term, &operands)
    }
}
