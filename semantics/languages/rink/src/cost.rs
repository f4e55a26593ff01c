//! The work of an evaluation, from the types alone: scalar operations and accesses, saturating.

use super::evaluation::StatementMethod;
use super::syntax::{ElementwiseOperator, ExprId, Expression, Program};
use super::typing::{Typing, ordered_offsets};

/// The number of operations of one evaluation of all statements, at most `u64::MAX`.
///
/// ```
/// use rink::cost::operations;
/// use rink::evaluation::StatementMethod;
/// use rink::parsing::parse;
/// use rink::typing::type_program;
/// let program = parse("var A : [2 3]  var B : [3 4]  var C : [2 4]  C = (A # B) . [2 3]").program;
/// let typing = type_program(&program).unwrap();
/// // One tensor, with 2·4 sums of 3 products of 2 factors; equation by equation, each also adds up.
/// assert_eq!(operations(&program, &typing, StatementMethod::Tabulated), 16 + 2 * 4 * 3 * 2);
/// assert_eq!(operations(&program, &typing, StatementMethod::PointWise), 2 * 4 * (1 + 3 * 4));
/// ```
pub fn operations(program: &Program, typing: &Typing, method: StatementMethod) -> u64 {
    let statement = |e: ExprId| match method {
        StatementMethod::PointWise => {
            let elements = typing.expression(e).and_then(|t| t.elements()).unwrap_or(u64::MAX);
            elements.saturating_mul(equations(program, typing, e))
        }
        StatementMethod::Tabulated => tabulated(program, typing, e),
    };
    program.statements.iter().fold(0, |sum: u64, s| sum.saturating_add(statement(s.expression)))
}

/// The number of equations that evaluate `e_i`, for one `i`.
fn equations(program: &Program, typing: &Typing, root: ExprId) -> u64 {
    let mut costs: Vec<u64> = Vec::new();
    for e in program.postorder(root) {
        let mut operand = || costs.pop().unwrap_or(0);
        let cost = match program.expression(e) {
            Expression::Variable(_) => 1,
            Expression::Parenthesized(_) | Expression::Transposition(..) => operand().saturating_add(1),
            Expression::Product(..) | Expression::Elementwise(..) => {
                operand().saturating_add(operand()).saturating_add(1)
            }
            Expression::Contraction(inner, pair) => {
                let (m, _) = ordered_offsets(pair);
                let extent = typing.expression(inner).and_then(|t| t.0.get(m).copied()).unwrap_or(1);
                operand().saturating_mul(extent).saturating_add(1)
            }
        };
        costs.push(cost);
    }
    costs.pop().unwrap_or(0)
}

/// The cost of a tensor besides its elements, in operations: allocation and the loop's set-up. It keeps programs
/// of many scalars from costing nothing. Chosen, not measured: a greater cost would weigh tensors of few elements
/// more.
const TENSOR: u64 = 16;

/// A pending sum of products (module `tabulation`): extents, number of terms in each element's sum, and number of
/// factors.
struct PendingCost {
    extents: Vec<u64>,
    terms: u64,
    factors: u64,
}

impl PendingCost {
    fn dense(extents: Vec<u64>) -> PendingCost {
        PendingCost { extents, terms: 1, factors: 1 }
    }

    fn operations(&self) -> u64 {
        product(&self.extents).saturating_mul(self.terms).saturating_mul(self.factors).saturating_add(TENSOR)
    }

    /// A view of one tensor; adds the cost of computing that tensor.
    fn view(self, cost: &mut u64) -> PendingCost {
        if self.factors > 1 || self.terms > 1 {
            *cost = cost.saturating_add(self.operations());
        }
        PendingCost::dense(self.extents)
    }
}

fn product(extents: &[u64]) -> u64 {
    extents.iter().fold(1, |product, &extent| product.saturating_mul(extent))
}

fn tabulated(program: &Program, typing: &Typing, root: ExprId) -> u64 {
    let (mut tables, mut cost): (Vec<PendingCost>, u64) = (Vec::new(), 0);
    for e in program.postorder(root) {
        let mut operand = || tables.pop().unwrap_or_else(|| PendingCost::dense(Vec::new()));
        let t = || typing.expression(e).map_or(Vec::new(), |t| t.0.clone());
        let table = match program.expression(e) {
            Expression::Variable(_) => PendingCost::dense(t()),
            Expression::Parenthesized(_) => operand(),
            Expression::Transposition(..) => PendingCost { extents: t(), ..operand() },
            Expression::Contraction(_, pair) => {
                let inner = operand();
                let (m, _) = ordered_offsets(pair);
                let extent = inner.extents.get(m).copied().unwrap_or(1);
                PendingCost {
                    extents: t(),
                    terms: inner.terms.saturating_mul(extent),
                    factors: inner.factors,
                }
            }
            Expression::Product(..) => {
                let (e1, e0) = (operand(), operand());
                let e0 = if e0.terms == 1 { e0 } else { e0.view(&mut cost) };
                e1.view(&mut cost);
                PendingCost { extents: t(), terms: 1, factors: e0.factors.saturating_add(1) }
            }
            Expression::Elementwise(operator, ..) => {
                let (e1, e0) = (operand().view(&mut cost), operand().view(&mut cost));
                let scalar_left = operator == ElementwiseOperator::Mul && e0.extents.is_empty();
                let shape = if scalar_left { e1.extents } else { e0.extents };
                cost = cost.saturating_add(product(&shape)).saturating_add(TENSOR);
                PendingCost::dense(shape)
            }
        };
        tables.push(table);
    }
    tables.pop().map_or(cost, |table| cost.saturating_add(table.operations()))
}
