//! The elements of a variable that `e_i` reads, as a map from the multi-index `i`.
//!
//! Equations (7) to (12) never compute with indices: they drop, duplicate and exchange components of `i`, and (11)
//! adds a summation index, twice. So at each occurrence of `x` in `e`, every position of the index at which `x` is
//! read holds one component of `i`, or one summation index. On the path to one occurrence a component of `i` is
//! never duplicated (only the two operands of an element-wise operation get the same), so
//! - no position of `i` appears at two positions of an access, and a summation index appears at most twice;
//! - both have the extent of the position at which they appear, by the typing rules;
//! - summation indices run independently, so all their combinations are read.

use crate::store::MultiIndex;
use crate::syntax::{DimensionPosition, ElementwiseOperator, ExprId, Expression, NameId, Program};
use crate::tensor_type::TensorType;
use crate::typing::{Typing, ordered_offsets};

/// The content of one position of the index of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexSource {
    /// A component of the index `i` at which the expression is evaluated.
    Output(DimensionPosition),
    /// The summation index of a contraction.
    Summation(ExprId),
}

/// One occurrence of `x` in an expression, with the index at which it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The occurrence.
    pub occurrence: ExprId,
    /// The content of each position of the index.
    pub sources: Vec<IndexSource>,
}

impl Access {
    /// The index at which `x` is read, given `i` and the summation indices.
    pub fn index(&self, i: &[u64], mut summation: impl FnMut(ExprId) -> u64) -> MultiIndex {
        let component = |source: &IndexSource| match *source {
            IndexSource::Output(q) => i[offset(q)],
            IndexSource::Summation(contraction) => summation(contraction),
        };
        self.sources.iter().map(component).collect()
    }
}

/// The accesses to `x` in `e`, from left to right.
///
/// ```
/// use rink::analysis::accesses::{IndexSource, accesses};
/// use rink::parsing::parse;
/// use rink::syntax::DimensionPosition;
/// use rink::typing::type_program;
/// let program = parse("var x : [2 2]  x = (x # x) . [2 3]").program;
/// let statement = program.statements[0];
/// let typing = type_program(&program).unwrap();
/// let [left, right] = &accesses(&program, &typing, statement.target, statement.expression)[..] else { panic!() };
/// let sum = IndexSource::Summation(statement.expression);
/// assert_eq!(left.sources, [IndexSource::Output(DimensionPosition(1)), sum]);
/// assert_eq!(right.sources, [sum, IndexSource::Output(DimensionPosition(2))]);
/// ```
pub fn accesses(program: &Program, typing: &Typing, x: NameId, e: ExprId) -> Vec<Access> {
    let mut pending = vec![(e, (0..rank(typing, e)).map(|p| IndexSource::Output(position(p))).collect())];
    let mut found = Vec::new();
    while let Some((e, i)) = pending.pop() {
        match program.expression(e) {
            Expression::Variable(y) if x == y => found.push(Access { occurrence: e, sources: i }),
            Expression::Variable(_) => {}
            expression => descend(typing, &mut pending, e, expression, i),
        }
    }
    found
}

/// Equations (8) to (12), on symbolic indices: the operands of `e` with the indices at which `e_i` needs them.
fn descend(
    typing: &Typing,
    pending: &mut Vec<(ExprId, Vec<IndexSource>)>,
    e: ExprId,
    expression: Expression,
    mut i: Vec<IndexSource>,
) {
    match expression {
        Expression::Variable(_) => {}
        Expression::Parenthesized(e) => pending.push((e, i)),
        Expression::Product(e0, e1) => {
            let j = i.split_off(rank(typing, e0).min(i.len()));
            pending.extend([(e1, j), (e0, i)]);
        }
        Expression::Transposition(e, pair) => {
            let (m, n) = ordered_offsets(pair);
            i.swap(m, n);
            pending.push((e, i));
        }
        Expression::Contraction(e0, pair) => {
            let (m, n) = ordered_offsets(pair);
            i.insert(m, IndexSource::Summation(e));
            i.insert(n, IndexSource::Summation(e));
            pending.push((e0, i));
        }
        Expression::Elementwise(ElementwiseOperator::Mul, e0, e1) if typing.is_scalar(e0) => {
            pending.extend([(e1, i), (e0, Vec::new())]);
        }
        Expression::Elementwise(ElementwiseOperator::Div, e0, e1) if typing.is_scalar(e1) => {
            pending.extend([(e1, Vec::new()), (e0, i)]);
        }
        Expression::Elementwise(_, e0, e1) => pending.extend([(e1, i.clone()), (e0, i)]),
    }
}

/// The rank of an expression; in a well-formed program each expression has a type.
fn rank(typing: &Typing, e: ExprId) -> usize {
    typing.expression(e).map_or(0, TensorType::rank)
}

/// The position with this offset.
pub(super) fn position(offset: usize) -> DimensionPosition {
    DimensionPosition(offset as u64 + 1)
}

/// The offset of a position made by [`position`].
pub(super) fn offset(position: DimensionPosition) -> usize {
    position.0 as usize - 1
}
