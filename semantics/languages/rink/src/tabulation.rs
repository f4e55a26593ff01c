//! The tabulated evaluator: computes each sub-expression once, for all its indices.
//!
//! Transpositions, products and contractions are not computed but accumulated in a [`PendingSum`] of products
//! `Σ… f1 · f2 · … · fn` over strided tensors. It is computed when something other than a further transposition,
//! contraction or (while it has no sum) factor needs it, so a contraction over a product never materializes the
//! product. Sums and products keep the order and association of the equations, so the result is the same, to the
//! bit, in every value domain.

use super::evaluation::{Evaluation, Stuck};
use super::store::{Store, StoredTensor, TooLarge};
use super::syntax::{ElementwiseOperator, ExprId, Expression};
use super::typing::ordered_offsets;
use std::sync::Arc;
use values::{Array, Strided, ValueDomain};

/// A dimension of a pending sum of products: its extent, and its stride in each factor.
#[derive(Clone, Debug)]
struct SumDimension {
    extent: usize,
    strides: Vec<usize>,
}

/// `Σ_{sums, the last one outermost} f1 · … · fn`, the product associated to the left.
#[derive(Debug)]
struct PendingSum<D: ValueDomain> {
    factors: Vec<Arc<D::Array>>,
    dimensions: Vec<SumDimension>,
    sums: Vec<SumDimension>,
}

impl<D: ValueDomain> PendingSum<D> {
    /// One dense tensor.
    fn dense(tensor: &StoredTensor<D>) -> PendingSum<D> {
        let mut stride = 1;
        let mut dimensions: Vec<SumDimension> = Vec::with_capacity(tensor.extents.len());
        for &extent in tensor.extents.iter().rev() {
            dimensions.push(SumDimension { extent, strides: vec![stride] });
            stride *= extent;
        }
        dimensions.reverse();
        PendingSum { factors: vec![tensor.elements.clone()], dimensions, sums: Vec::new() }
    }

    fn extents(&self) -> Vec<usize> {
        self.dimensions.iter().map(|dimension| dimension.extent).collect()
    }

    /// Whether it is a view of one tensor.
    fn is_view(&self) -> bool {
        self.factors.len() == 1 && self.sums.is_empty()
    }

    /// `e . [m n]`: two dimensions fewer, and one more sum, outside the existing ones.
    fn contract(&mut self, m: usize, n: usize) {
        let second = self.dimensions.remove(n);
        let first = self.dimensions.remove(m);
        let strides = first.strides.iter().zip(&second.strides).map(|(a, b)| a + b).collect();
        self.sums.push(SumDimension { extent: first.extent, strides });
    }

    /// `e0 # e1` where `e0` has no sums and `e1` is a view.
    fn multiply(&mut self, view: PendingSum<D>) {
        let before = self.factors.len();
        for dimension in &mut self.dimensions {
            dimension.strides.push(0);
        }
        self.factors.extend(view.factors);
        self.dimensions.extend(view.dimensions.into_iter().map(|dimension| {
            let mut strides = vec![0; before];
            strides.extend(dimension.strides);
            SumDimension { extent: dimension.extent, strides }
        }));
    }
}

/// `eval_{Γ,μ}(e_i)` for all `i ≤ t`.
///
/// # Errors
/// The expression is untyped, or a tensor that has to be materialized is too large.
pub(super) fn tabulate<D: ValueDomain>(
    evaluation: &Evaluation<'_, D>,
    store: &Store<D>,
    e: ExprId,
) -> Result<StoredTensor<D>, Stuck> {
    let tabulation = Tabulation { evaluation, store };
    let mut tables: Vec<PendingSum<D>> = Vec::new();
    for id in evaluation.program.postorder(e) {
        tabulation.step(&mut tables, id)?;
    }
    let table = tables.pop().ok_or(Stuck::Untyped(e))?;
    tabulation.compute(&table)
}

struct Tabulation<'a, 'b, D: ValueDomain> {
    evaluation: &'a Evaluation<'b, D>,
    store: &'a Store<D>,
}

impl<D: ValueDomain> Tabulation<'_, '_, D> {
    /// Replaces the tables of an expression's operands with its own.
    fn step(&self, tables: &mut Vec<PendingSum<D>>, id: ExprId) -> Result<(), Stuck> {
        match self.evaluation.program.expression(id) {
            Expression::Variable(x) => {
                let missing = || Stuck::OutOfBounds { x, index: Vec::new() };
                tables.push(PendingSum::dense(self.store.tensor(x).ok_or_else(missing)?));
            }
            Expression::Parenthesized(_) => {}
            Expression::Transposition(_, pair) => {
                let (m, n) = ordered_offsets(pair);
                if let Some(table) = tables.last_mut() {
                    table.dimensions.swap(m, n);
                }
            }
            Expression::Contraction(_, pair) => {
                let (m, n) = ordered_offsets(pair);
                if let Some(table) = tables.last_mut() {
                    table.contract(m, n);
                }
            }
            Expression::Product(..) => {
                let (e1, e0) =
                    (tables.pop().ok_or(Stuck::Untyped(id))?, tables.pop().ok_or(Stuck::Untyped(id))?);
                let mut product = if e0.sums.is_empty() { e0 } else { self.view(e0)? };
                product.multiply(self.view(e1)?);
                tables.push(product);
            }
            Expression::Elementwise(operator, ..) => {
                let (e1, e0) =
                    (tables.pop().ok_or(Stuck::Untyped(id))?, tables.pop().ok_or(Stuck::Untyped(id))?);
                let result = self.elementwise(operator, self.view(e0)?, self.view(e1)?)?;
                tables.push(PendingSum::dense(&result));
            }
        }
        Ok(())
    }

    fn view(&self, table: PendingSum<D>) -> Result<PendingSum<D>, Stuck> {
        if table.is_view() { Ok(table) } else { Ok(PendingSum::dense(&self.compute(&table)?)) }
    }

    /// Equation (12): a scalar operand of `*` or `/` stands for all indices.
    fn elementwise(
        &self,
        operator: ElementwiseOperator,
        e0: PendingSum<D>,
        e1: PendingSum<D>,
    ) -> Result<StoredTensor<D>, Stuck> {
        let scalar = |table: &PendingSum<D>| table.dimensions.is_empty();
        let shape = if operator == ElementwiseOperator::Mul && scalar(&e0) { &e1 } else { &e0 };
        let shape = shape.extents();
        let strides = |table: &PendingSum<D>| -> Vec<usize> {
            if scalar(table) {
                vec![0; shape.len()]
            } else {
                table.dimensions.iter().map(|d| d.strides[0]).collect()
            }
        };
        let loops: Vec<SumDimension> = shape
            .iter()
            .zip(strides(&e0).into_iter().zip(strides(&e1)))
            .map(|(&extent, (s0, s1))| SumDimension { extent, strides: vec![s0, s1] })
            .collect();
        let (left, right) = (&e0.factors[0], &e1.factors[0]);
        self.fill(&loops, 2, |at| self.evaluation.operate(operator, &left.get(at[0]), &right.get(at[1])))
    }

    fn compute(&self, table: &PendingSum<D>) -> Result<StoredTensor<D>, Stuck> {
        let mut offsets = vec![0; table.factors.len()];
        self.fill(&table.dimensions, table.factors.len(), |at| {
            offsets.copy_from_slice(at);
            self.sum(table, &table.sums, &mut offsets)
        })
    }

    /// A dense tensor over `loops`, each element computed from the offsets of `streams` strided arrays.
    fn fill(
        &self,
        loops: &[SumDimension],
        streams: usize,
        mut element: impl FnMut(&[usize]) -> D::Value,
    ) -> Result<StoredTensor<D>, Stuck> {
        let extents: Vec<usize> = loops.iter().map(|dimension| dimension.extent).collect();
        let n = self.checked_size(&extents)?;
        let mut array = D::Array::filled(self.evaluation.domain.index(0), n);
        let (mut index, mut offsets) = (vec![0; loops.len()], vec![0; streams]);
        for at in 0..n {
            array.set(at, element(&offsets));
            advance(loops, &mut index, &mut offsets);
        }
        Ok(StoredTensor { extents, elements: Arc::new(array) })
    }

    fn checked_size(&self, extents: &[usize]) -> Result<usize, Stuck> {
        let limit = self.evaluation.max_elements;
        let n = extents.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent));
        n.filter(|&n| n as u64 <= limit)
            .ok_or(Stuck::TooLarge(TooLarge { elements: n.map(|n| n as u64), limit }))
    }

    /// Equation (11), once for each pending sum, the last of `sums` outermost. At most half the rank of them are
    /// nested.
    fn sum(&self, table: &PendingSum<D>, sums: &[SumDimension], offsets: &mut [usize]) -> D::Value {
        let domain = self.evaluation.domain;
        match (sums, &table.factors[..]) {
            ([], _) => self.product(table, offsets),
            ([only], [a, b]) => {
                let strided =
                    |array, at: usize| Strided { array, offset: offsets[at], stride: only.strides[at] };
                domain.sum_of_products(only.extent, strided(&**a, 0), strided(&**b, 1))
            }
            ([inner @ .., outer], _) => domain.sum((0..outer.extent).map(|l| {
                let mut offsets: Vec<usize> = offsets.to_vec();
                shift(&mut offsets, &outer.strides, l);
                self.sum(table, inner, &mut offsets)
            })),
        }
    }

    /// Equation (9), once for each factor after the first.
    fn product(&self, table: &PendingSum<D>, offsets: &[usize]) -> D::Value {
        let mut factors = table.factors.iter().zip(offsets).map(|(factor, &at)| factor.get(at));
        let first = factors.next().unwrap_or_else(|| self.evaluation.domain.index(1));
        factors.fold(first, |product, factor| self.evaluation.domain.mul(&product, &factor))
    }
}

fn shift(offsets: &mut [usize], strides: &[usize], l: usize) {
    for (offset, stride) in offsets.iter_mut().zip(strides) {
        *offset += l * stride;
    }
}

/// Steps to the next index in row-major order, and updates the offsets.
fn advance(loops: &[SumDimension], index: &mut [usize], offsets: &mut [usize]) {
    for (dimension, i) in loops.iter().zip(index).rev() {
        *i += 1;
        if *i < dimension.extent {
            shift(offsets, &dimension.strides, 1);
            return;
        }
        *i = 0;
        for (offset, stride) in offsets.iter_mut().zip(&dimension.strides) {
            *offset -= (dimension.extent - 1) * stride;
        }
    }
}
