//! Evaluates a statement in place, step by step, in a given order or with interleaved reads and writes.

use super::domains::XorShift;
use super::support::{VariableReader, eval};
use rink::evaluation::Evaluation;
use rink::store::{MultiIndex, Store, extents, index_of};
use rink::syntax::{ExprId, NameId, Statement};
use values::ValueDomain;

/// One statement with everything needed to evaluate it.
pub struct Simulator<'a, D: ValueDomain> {
    pub evaluation: Evaluation<'a, D>,
    pub statement: Statement,
}

impl<D: ValueDomain> Simulator<'_, D> {
    /// The multi-indices of the target, in row-major order.
    pub fn indices(&self) -> Vec<MultiIndex> {
        let extents = extents(self.evaluation.typing.variable(self.statement.target).unwrap());
        (0..extents.iter().product()).map(|at| index_of(&extents, at)).collect()
    }

    fn step(&self, i: &MultiIndex, read: VariableReader<'_, D>) -> D::Value {
        eval(&self.evaluation, self.statement.expression, i.clone(), read)
    }

    /// ev-stmt, with its temporary.
    pub fn out_of_place(&self, store: &Store<D>) -> Store<D> {
        let mut after = store.clone();
        self.evaluation.ev_stmt(&mut after, self.statement).unwrap();
        after
    }

    /// Runs the steps one by one, in an order given by offsets.
    pub fn in_order(&self, store: &Store<D>, order: &[usize]) -> Store<D> {
        let slices: Vec<Vec<usize>> = order.iter().map(|&at| vec![at]).collect();
        self.slice_by_slice(store, &slices)
    }

    /// Runs slices of steps one by one, each slice with a temporary.
    pub fn slice_by_slice(&self, store: &Store<D>, slices: &[Vec<usize>]) -> Store<D> {
        let (mut store, indices) = (store.clone(), self.indices());
        for slice in slices {
            let values: Vec<D::Value> = slice
                .iter()
                .map(|&at| self.step(&indices[at], &mut |_, x, j| store.get(x, j).unwrap()))
                .collect();
            for (&at, value) in slice.iter().zip(values) {
                store.set_element(self.statement.target, at, value);
            }
        }
        store
    }

    /// Runs all steps at the same time: single reads and writes happen in random order, but in order within each
    /// step.
    pub fn interleaved(&self, store: &Store<D>, random: &mut XorShift) -> Store<D> {
        let (mut store, indices) = (store.clone(), self.indices());
        let mut waiting: Vec<Vec<(NameId, MultiIndex)>> =
            indices.iter().map(|i| self.reads(&store, i)).collect();
        let mut seen: Vec<Vec<D::Value>> = vec![Vec::new(); indices.len()];
        let mut running: Vec<usize> = (0..indices.len()).collect();
        while !running.is_empty() {
            let chosen = random.below(running.len());
            let at = running[chosen];
            if let Some((x, j)) = waiting[at].pop() {
                seen[at].push(store.get(x, &j).unwrap());
            } else {
                let mut values = std::mem::take(&mut seen[at]).into_iter();
                let value = self.step(&indices[at], &mut |_, _, _| values.next().unwrap());
                store.set_element(self.statement.target, at, value);
                running.swap_remove(chosen);
            }
        }
        store
    }

    /// The elements that one step reads, the last read first.
    fn reads(&self, store: &Store<D>, i: &MultiIndex) -> Vec<(NameId, MultiIndex)> {
        let mut reads = Vec::new();
        self.step(i, &mut |_, x, j| {
            reads.push((x, j.to_vec()));
            store.get(x, j).unwrap()
        });
        reads.reverse();
        reads
    }

    /// For each step, by offset, the elements of the target that it reads, with the occurrence.
    pub fn accesses(&self, store: &Store<D>) -> Vec<Vec<(ExprId, MultiIndex)>> {
        let of = |i: &MultiIndex| {
            let mut reads = Vec::new();
            self.step(i, &mut |e, x, j| {
                if x == self.statement.target {
                    reads.push((e, j.to_vec()));
                }
                store.get(x, j).unwrap()
            });
            reads
        };
        self.indices().iter().map(of).collect()
    }
}

/// All orders of `n` steps if there are at most 24; otherwise some, including row-major and its reverse.
pub fn orders(n: usize, random: &mut XorShift) -> Vec<Vec<usize>> {
    if n <= 4 {
        return permutations(n);
    }
    let row_major: Vec<usize> = (0..n).collect();
    let mut orders = vec![row_major.clone(), row_major.iter().rev().copied().collect()];
    for _ in 0..6 {
        let mut order = row_major.clone();
        random.shuffle(&mut order);
        orders.push(order);
    }
    orders
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let extend = |shorter: Vec<usize>| {
        (0..n).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, last);
            longer
        })
    };
    permutations(last).into_iter().flat_map(extend).collect()
}
