//! A right side, prepared for all points of its statement: literals are converted once, and a read whose indices are linear, and inside of
//! its tensor at all points, becomes a sum of strides.

use crate::evaluation::{Evaluation, Store, StoredTensor};
use crate::indices::IndexExpr;
use crate::typed::{Assignment, Value, ValueId};
use language::{GivenInputs, Stopped};
use rustc_hash::FxHashMap;
use selfsame_core::operations::Element;
use values::ValueDomain;

/// A right side with the values of its nodes at the last point.
pub(crate) struct Prepared<'a, D: ValueDomain> {
    /// The nodes that it needs, operands first; each with the places of its operands.
    pub(crate) nodes: Vec<(ValueId, Vec<usize>)>,
    ways: Vec<Way<'a, D>>,
    /// The values of the nodes, in order.
    pub(crate) known: Vec<Element<D>>,
}

/// How the value of a node comes about.
enum Way<'a, D: ValueDomain> {
    /// It is the same at all points.
    Fixed,
    /// An element of a tensor.
    Element { elements: &'a [Element<D>], first: i64, strides: Vec<i64> },
    /// By its rule.
    Rule,
}

impl<'a, D: ValueDomain> Prepared<'a, D> {
    /// # Errors
    /// A literal cannot be evaluated.
    pub(crate) fn new<G: GivenInputs<D>>(
        evaluation: &Evaluation<'_, D, G>,
        store: &'a Store<D>,
        statement: &Assignment,
        ranges: &[[i64; 2]],
    ) -> Result<Prepared<'a, D>, Stopped> {
        let nodes = order(evaluation.program, statement.value);
        let (mut ways, mut known) = (Vec::with_capacity(nodes.len()), Vec::with_capacity(nodes.len()));
        for (node, _) in &nodes {
            let data_type = evaluation.program.data_type(*node);
            let (way, value) = match evaluation.program.value(*node) {
                Value::Number(_) | Value::Truth(_) => {
                    (Way::Fixed, evaluation.node(store, *node, (&[], &[]), &[])?)
                }
                Value::Read(tensor, indices) => {
                    let stored = store.get(tensor);
                    let way = stored.and_then(|stored| element(stored, indices, evaluation.sizes, ranges));
                    (way.unwrap_or(Way::Rule), evaluation.nothing(data_type))
                }
                _ => (Way::Rule, evaluation.nothing(data_type)),
            };
            ways.push(way);
            known.push(value);
        }
        Ok(Prepared { nodes, ways, known })
    }

    /// `⟦e⟧σ,ρ`, with the values of all its nodes in `known`.
    ///
    /// # Errors
    /// The evaluation is out of budget, or a function has no value.
    pub(crate) fn value<G: GivenInputs<D>>(
        &mut self,
        evaluation: &mut Evaluation<'_, D, G>,
        store: &Store<D>,
        point: &[i64],
    ) -> Result<&Element<D>, Stopped> {
        evaluation.spend(self.nodes.len() as u64)?;
        for (at, (node, operands)) in self.nodes.iter().enumerate() {
            self.known[at] = match &self.ways[at] {
                Way::Fixed => continue,
                Way::Element { elements, first, strides } => {
                    let moved =
                        strides.iter().zip(point).fold(*first, |place, (stride, i)| place + stride * i);
                    let element = usize::try_from(moved).ok().and_then(|place| elements.get(place));
                    element.cloned().ok_or(Stopped::Budget)?
                }
                Way::Rule => evaluation.node(store, *node, (operands, &self.known), point)?,
            };
        }
        self.known.last().ok_or(Stopped::Budget)
    }
}

/// The way to an element, if the indices are linear, and inside of the tensor at all points.
fn element<'a, D: ValueDomain>(
    stored: &'a StoredTensor<D>,
    indices: &[IndexExpr],
    sizes: &[i64],
    ranges: &[[i64; 2]],
) -> Option<Way<'a, D>> {
    let (mut first, mut strides) = (0_i64, vec![0_i64; ranges.len()]);
    for (p, [b, e]) in indices.iter().zip(&stored.ranges) {
        let (loops, rest) = p.linear()?;
        let constant = rest.value(sizes, &[])?;
        let [mut least, mut greatest] = [constant; 2];
        let length = e.checked_sub(*b)?;
        first = first.checked_mul(length)?.checked_add(constant.checked_sub(*b)?)?;
        for stride in &mut strides {
            *stride = stride.checked_mul(length)?;
        }
        for (k, a) in loops {
            let ends = ranges[k].map(|end| a.checked_mul(end));
            let [low, high] = [ends[0]?, ends[1]?.checked_sub(a)?];
            (least, greatest) = (least.checked_add(low.min(high))?, greatest.checked_add(low.max(high))?);
            strides[k] = strides[k].checked_add(a)?;
        }
        if least < *b || greatest >= *e {
            return None;
        }
    }
    // No sum of some of these exceeds 64 bits.
    strides.iter().zip(ranges).try_fold(first.checked_abs()?, |sum, (stride, [b, e])| {
        sum.checked_add(stride.checked_abs()?.checked_mul(b.checked_abs()?.max(e.checked_abs()?))?)
    })?;
    Some(Way::Element { elements: &stored.elements, first, strides })
}

/// The values that a value needs, operands first; each with the places of its operands.
fn order(program: &crate::typed::TypedProgram, root: ValueId) -> Vec<(ValueId, Vec<usize>)> {
    let mut needed: Vec<ValueId> = Vec::new();
    let mut seen: FxHashMap<ValueId, usize> = FxHashMap::default();
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        if seen.insert(value, 0).is_none() {
            needed.push(value);
            pending.extend(program.value(value).operands());
        }
    }
    // Operands precede their users in the arena.
    needed.sort_unstable();
    seen.extend(needed.iter().enumerate().map(|(at, value)| (*value, at)));
    let places = |value: &ValueId| program.value(*value).operands().iter().map(|of| seen[of]).collect();
    needed.iter().map(|value| (*value, places(value))).collect()
}
