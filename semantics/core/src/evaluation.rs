//! The value of a node at a point, in any value domain.
//!
//! Conventions: `e`: [`NodeId`], `ρ`: the values of sizes and indices. Nothing recurses: the remaining work is on
//! a stack. `⟦e⟧ρ` is
//! ```text
//! ⟦c⟧ρ                    = c
//! ⟦p⟧ρ                    = index(p(ρ))
//! ⟦A[p1,…,pn]⟧ρ           = A(p1(ρ),…,pn(ρ))                    error outside of A's bounds
//! ⟦op(e1,…,en)⟧ρ          = ⟦e1⟧ρ op … op ⟦en⟧ρ                 as Table 1 of ALPHA; strict, except for selection
//! ⟦e1 where c, else e2⟧ρ  = ⟦e1⟧ρ if c(ρ), ⟦e2⟧ρ otherwise
//! ⟦⊕ over v, c of e⟧ρ     = ⊕ of ⟦e⟧ρ[v] over the v in lexicographic order for which c(ρ[v])
//!                           the identity of ⊕ if there are none; error if ⊕ has none
//! ```
//! `•` where an index term has no value (ours). A shared operand is evaluated once.

use super::index::NoIndex;
use super::syntax::{FunctionId, InputId, Node, NodeId, Operator, Program, Reduction, infinity};
use crate::operations::{Datum, Element, applied, identity_element, reduction, strict_in};
use rustc_hash::FxHashMap;
use values::digits::{TooLong, within_limit};
use values::{Literal, LiteralError, ValueDomain};

/// Why there is no value; *error*, in contrast, is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// An index term exceeds 64 bits, or a divisor is not positive.
    Index(NoIndex),
    /// A constant is not a number of the domain.
    Constant(LiteralError),
    /// The steps exceed the limit.
    Steps,
    /// A function without interpretation.
    Function(FunctionId),
    /// An exact number would have more digits than the limit.
    TooLong,
}

impl From<TooLong> for NoValue {
    fn from(TooLong: TooLong) -> NoValue {
        NoValue::TooLong
    }
}

impl From<NoIndex> for NoValue {
    fn from(reason: NoIndex) -> NoValue {
        NoValue::Index(reason)
    }
}

/// The inputs and functions of an evaluation.
pub trait Environment<D: ValueDomain> {
    /// An element of an input, *error* outside of its bounds.
    fn element(&self, input: InputId, index: &[i64]) -> Element<D>;
    /// The value of a function, if it is interpreted; if an argument is *error*, so is the call, whatever this
    /// returns.
    fn call(&self, function: FunctionId, arguments: &[Element<D>]) -> Option<Element<D>>;
}

/// Evaluates nodes of one program.
pub struct Evaluator<'a, D: ValueDomain, G> {
    /// The program that the nodes belong to.
    pub program: &'a Program,
    /// The value domain.
    pub domain: &'a D,
    /// Inputs and functions.
    pub given: &'a G,
    /// The number of steps that may still be taken.
    pub steps: u64,
    /// The values of shared operands, for the latest values of their variables.
    known: FxHashMap<NodeId, (Box<[i64]>, Element<D>)>,
    /// The index of the latest read.
    index: Vec<i64>,
}

/// A step that remains to be done; values are on a separate stack.
enum NodeStep<'a> {
    Eval(NodeId),
    Apply(Operator, &'a [NodeId]),
    /// The value of a shared node is known; keep it.
    Keep(NodeId),
    /// The value of a term at the point is known; go on with the next point.
    Next(&'a Reduction, Vec<i64>, usize),
}

impl<'a, D: ValueDomain, G: Environment<D>> Evaluator<'a, D, G> {
    /// An evaluator that has evaluated nothing.
    pub fn new(program: &'a Program, domain: &'a D, given: &'a G, steps: u64) -> Evaluator<'a, D, G> {
        Evaluator { program, domain, given, steps, known: FxHashMap::default(), index: Vec::new() }
    }

    /// `⟦e⟧ρ`; `variables` holds the values of all variables. Those that are bound in `e` do not matter.
    ///
    /// # Errors
    /// There is no value.
    pub fn value(&mut self, e: NodeId, variables: &mut [i64]) -> Result<Element<D>, NoValue> {
        let value = within_limit(|| self.steps_of(e, variables));
        if value.is_err() {
            // Some of what is kept was computed from a number that was too long.
            self.known.clear();
        }
        value?
    }

    fn steps_of(&mut self, e: NodeId, variables: &mut [i64]) -> Result<Element<D>, NoValue> {
        let mut steps = vec![NodeStep::Eval(e)];
        let mut values: Vec<Element<D>> = Vec::new();
        while let Some(step) = steps.pop() {
            self.steps = self.steps.checked_sub(1).ok_or(NoValue::Steps)?;
            match step {
                NodeStep::Eval(e) => self.eval(e, variables, &mut steps, &mut values)?,
                NodeStep::Apply(operator, operands) => {
                    let first = values.len() - operands.len();
                    let value = self.apply(operator, operands, &values[first..])?;
                    values.truncate(first);
                    values.push(value);
                }
                NodeStep::Keep(e) => {
                    let at = self.free_values(e, variables).collect();
                    self.known.extend(values.last().map(|value| (e, (at, value.clone()))));
                }
                NodeStep::Next(reduction, mut point, count) => {
                    let next = advance(reduction, &mut point, variables)?;
                    self.reduce(reduction, point, count, next, &mut steps, &mut values)?;
                }
            }
        }
        Ok(values.pop().unwrap_or_else(|| Datum::Number(self.domain.undefined())))
    }

    fn eval(
        &mut self,
        e: NodeId,
        variables: &mut [i64],
        steps: &mut Vec<NodeStep<'a>>,
        values: &mut Vec<Element<D>>,
    ) -> Result<(), NoValue> {
        let node = self.program.node(e);
        if self.program.is_shared(e) && !node.operands().is_empty() {
            match self.known.get(&e) {
                Some((at, value)) if at.iter().copied().eq(self.free_values(e, variables)) => {
                    values.push(value.clone());
                    return Ok(());
                }
                _ => steps.push(NodeStep::Keep(e)),
            }
        }
        match node {
            Node::Number(number, of) => {
                let literal = self.domain.literal_as(*of, &Literal::Exact(number.clone()));
                values.push(Datum::Number(literal.map_err(NoValue::Constant)?));
            }
            Node::Infinite { negative, of } => {
                let literal = self.domain.literal_as(*of, &infinity(*negative));
                values.push(Datum::Number(literal.map_err(NoValue::Constant)?));
            }
            Node::Truth(truth) => values.push(Datum::Truth(self.domain.truth(Some(*truth)))),
            Node::Index(p, of) => {
                values.push(Datum::Number(self.domain.index_as(*of, p.value(variables)?)));
            }
            Node::Read(input, index) => {
                self.index.clear();
                for p in index {
                    self.index.push(p.value(variables)?);
                }
                values.push(self.given.element(*input, &self.index));
            }
            Node::Apply(operator, operands) => {
                steps.push(NodeStep::Apply(*operator, operands));
                steps.extend(operands.iter().rev().map(|&operand| NodeStep::Eval(operand)));
            }
            Node::Choose(condition, [yes, no]) => {
                steps.push(NodeStep::Eval(if condition.holds(variables)? { *yes } else { *no }));
            }
            Node::Reduce(reduction) => {
                let mut point = Vec::with_capacity(reduction.binders.len());
                let found = settle(reduction, &mut point, variables)?;
                self.reduce(reduction, point, 0, found, steps, values)?;
            }
        }
        Ok(())
    }

    /// The values of the free variables of a node.
    fn free_values(&self, e: NodeId, variables: &[i64]) -> impl Iterator<Item = i64> {
        self.program.free(e).iter().map(|v| variables.get(v.index()).copied().unwrap_or(0))
    }

    /// With `count` terms on the stack of values: evaluates one more at `point`, or reduces them.
    fn reduce(
        &mut self,
        reduction: &'a Reduction,
        point: Vec<i64>,
        count: usize,
        more: bool,
        steps: &mut Vec<NodeStep<'a>>,
        values: &mut Vec<Element<D>>,
    ) -> Result<(), NoValue> {
        if more {
            steps.push(NodeStep::Next(reduction, point, count + 1));
            steps.push(NodeStep::Eval(reduction.body));
            return Ok(());
        }
        let terms = values.drain(values.len() - count..);
        let of = self.program.data_type(reduction.body);
        let value = self::reduction(self.domain, self.program.division, reduction.operator, terms);
        values.push(value.unwrap_or_else(|| identity_element(self.domain, reduction.operator, of)));
        Ok(())
    }

    fn apply(
        &self,
        operator: Operator,
        operands: &[NodeId],
        values: &[Element<D>],
    ) -> Result<Element<D>, NoValue> {
        let (domain, program) = (self.domain, self.program);
        if let Operator::Call(f) = operator {
            let value = self.given.call(f, values).ok_or(NoValue::Function(f))?;
            return Ok(values.iter().fold(value, |value, argument| strict_in(domain, argument, value)));
        }
        let of = program.data_type(operands[0]);
        let value = applied(domain, program.division, (operator, of), values);
        Ok(value.unwrap_or_else(|| Datum::Number(domain.undefined())))
    }
}

/// Completes `point` to the first point from there on that lies within the bounds and satisfies the filter.
fn settle(reduction: &Reduction, point: &mut Vec<i64>, variables: &mut [i64]) -> Result<bool, NoValue> {
    loop {
        while let Some((_, [lower, _])) = reduction.binders.get(point.len()) {
            let lower = lower.value(variables)?;
            point.push(lower);
            if !in_bounds(reduction, point, variables)? && !carry(reduction, point, variables)? {
                return Ok(false);
            }
        }
        if reduction.filter.holds(variables)? {
            return Ok(true);
        }
        if !step(reduction, point, variables)? {
            return Ok(false);
        }
    }
}

/// The next point after `point` in the domain of the reduction.
fn advance(reduction: &Reduction, point: &mut Vec<i64>, variables: &mut [i64]) -> Result<bool, NoValue> {
    for (&(v, _), &value) in reduction.binders.iter().zip(point.iter()) {
        variables[v.index()] = value;
    }
    Ok(step(reduction, point, variables)? && settle(reduction, point, variables)?)
}

/// The next prefix in lexicographic order: increments the last coordinate, or an earlier one.
fn step(reduction: &Reduction, point: &mut Vec<i64>, variables: &mut [i64]) -> Result<bool, NoValue> {
    let Some(last) = point.last_mut() else { return Ok(false) };
    *last += 1;
    Ok(in_bounds(reduction, point, variables)? || carry(reduction, point, variables)?)
}

/// The last coordinate is beyond its bound: drops it and increments the one before.
fn carry(reduction: &Reduction, point: &mut Vec<i64>, variables: &mut [i64]) -> Result<bool, NoValue> {
    loop {
        point.pop();
        let Some(last) = point.last_mut() else { return Ok(false) };
        *last += 1;
        if in_bounds(reduction, point, variables)? {
            return Ok(true);
        }
    }
}

/// Whether the last coordinate is below its upper bound; sets the variable.
fn in_bounds(reduction: &Reduction, point: &[i64], variables: &mut [i64]) -> Result<bool, NoValue> {
    let at = point.len() - 1;
    let (v, [_, upper]) = &reduction.binders[at];
    variables[v.index()] = point[at];
    Ok(point[at] < upper.value(variables)?)
}
