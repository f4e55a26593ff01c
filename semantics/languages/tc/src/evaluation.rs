//! Big-step semantics, with all sizes known. The page has prose; the rules are read from it.
//!
//! Conventions: `σ`: a store, from tensors to their elements; `ρ`: values of the loop indices of a statement, `I` those of its target;
//! `⟦e⟧σ,ρ`: the value of an expression; `⊕`: the operator of the reduction, `Id(⊕)` its identity.
//! ```text
//! tc-read       ⟦T(p1,…,pn)⟧σ,ρ = σ(T)(⟦p1⟧ρ,…,⟦pn⟧ρ)       • outside of the ranges of T
//! tc-gather     ⟦T(e1,…,en)⟧σ,ρ = σ(T)(⟦e1⟧σ,ρ,…,⟦en⟧σ,ρ)     • outside of the ranges of T, and where some ⟦ei⟧σ,ρ is •
//! tc-assign     T(I) = e:       σ'(T)(I) = ⟦e⟧σ,ρ                            for all I in range
//! tc-accumulate T(I) ⊕= e:      σ'(T)(I) = σ(T)(I) ⊕ (⊕ over ρ of ⟦e⟧σ,ρ)    ρ in lexicographic order
//! tc-initialize T(I) ⊕=! e:     σ'(T)(I) = Id(⊕) ⊕ (⊕ over ρ of ⟦e⟧σ,ρ)
//! tc-sequence   s1 s2:          σ →s1 σ' →s2 σ''
//! ```
//! The right side reads the store before the statement. Over no ρ, `tc-accumulate` leaves the element, and `tc-initialize` gives `Id(⊕)`. Numbers
//! without a least or a greatest one have no `Id(max)` and no `Id(min)`: `•` then, but no term changes. So `Id(⊕) ⊕ x` is `x` except for sums of
//! floats, where it makes `−0` a `0`.

use crate::indices::IndexExpr;
use crate::inference::Range;
use crate::prepared::Prepared;
use crate::syntax::{Reduction, ReductionOperator};
use crate::typed::{Assignment, Origin, TensorId, TypedProgram, Value, ValueId};
use language::{GivenInputs, Signature, Stopped};
use rustc_hash::FxHashMap;
use selfsame_core::operations::{
    Branches, Datum, Element, accumulated, binary, error, identity_element, primitive, result_of, selection,
    unary,
};
use selfsame_core::operators::{Binary, ElementType};
use values::indices::row_major;
use values::{Division, Literal, ValueDomain};

/// The elements of a tensor, row-major, over ranges.
#[derive(Clone, Debug)]
pub struct StoredTensor<D: ValueDomain> {
    /// The first index and the index after the last, of each dimension.
    pub ranges: Vec<[i64; 2]>,
    /// The elements.
    pub elements: Vec<Element<D>>,
}

impl<D: ValueDomain> StoredTensor<D> {
    /// The place of an element; `None` outside of the ranges.
    fn place(&self, at: &[i64]) -> Option<usize> {
        self.ranges.iter().zip(at).try_fold(0_usize, |place, ([b, e], i)| {
            // An index that is read may be any integer of 64 bits.
            if i < b || i >= e {
                return None;
            }
            let [length, offset] = [e - b, i - b].map(|number| usize::try_from(number).ok());
            Some(place * length? + offset?)
        })
    }

    /// The element at indices; `None` outside of the ranges.
    pub fn element(&self, at: &[i64]) -> Option<&Element<D>> {
        self.elements.get(self.place(at)?)
    }

    /// The elements with their indices, in order.
    pub fn indexed(&self) -> impl Iterator<Item = (Vec<i64>, &Element<D>)> {
        let extents: Vec<i64> = self.ranges.iter().map(|[b, e]| e - b).collect();
        let moved = |at: Vec<i64>| at.iter().zip(&self.ranges).map(|(i, [b, _])| i + b).collect();
        let indices: Vec<Vec<i64>> = row_major(&extents).map(moved).collect();
        indices.into_iter().zip(&self.elements)
    }
}

/// A store: the tensors that have elements.
pub type Store<D> = FxHashMap<TensorId, StoredTensor<D>>;

/// An evaluation of a program at sizes.
pub struct Evaluation<'a, D: ValueDomain, G> {
    /// The program.
    pub program: &'a TypedProgram,
    /// The values of its sizes.
    pub sizes: &'a [i64],
    /// The value domain.
    pub domain: &'a D,
    /// The inputs and functions.
    pub given: &'a G,
    /// The division that `/` denotes.
    pub division: Division,
    /// The steps that are left.
    pub steps: u64,
    /// The maximum number of elements of a tensor.
    pub elements: usize,
}

impl<D: ValueDomain, G: GivenInputs<D>> Evaluation<'_, D, G> {
    /// **tc-sequence** (Statements): the store after all statements.
    ///
    /// # Errors
    /// The program was not run to its end.
    pub fn run(&mut self) -> Result<Store<D>, Stopped> {
        let mut store = self.initial()?;
        for statement in &self.program.assignments {
            self.assign(&mut store, statement)?;
        }
        Ok(store)
    }

    /// The store with the inputs.
    ///
    /// # Errors
    /// An input has too many elements.
    pub(crate) fn initial(&self) -> Result<Store<D>, Stopped> {
        let mut store = Store::default();
        for (at, tensor) in self.program.tensors.iter().enumerate() {
            if tensor.origin == Origin::Statement {
                continue;
            }
            let ranges = self.ranges(&tensor.ranges)?;
            self.count(&ranges)?;
            let points = Points::new(ranges.clone());
            let elements = points.map(|at| self.given.element(&tensor.name, &at, tensor.data_type)).collect();
            store.insert(TensorId::at(at), StoredTensor { ranges, elements });
        }
        Ok(store)
    }

    fn ranges(&self, ranges: &[Range]) -> Result<Vec<[i64; 2]>, Stopped> {
        let end = |of: &IndexExpr| of.value(self.sizes, &[]).ok_or(Stopped::Budget);
        ranges.iter().map(|[b, e]| Ok([end(b)?, end(e)?])).collect()
    }

    /// The number of points of a box, if it is at most the maximum number of elements of a tensor.
    fn count(&self, ranges: &[[i64; 2]]) -> Result<usize, Stopped> {
        let count = ranges.iter().try_fold(1_usize, |count, [b, e]| {
            count.checked_mul(usize::try_from(e.checked_sub(*b)?).unwrap_or(0))
        });
        count.filter(|count| *count <= self.elements).ok_or(Stopped::Budget)
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.steps = self.steps.checked_sub(steps).ok_or(Stopped::Budget)?;
        Ok(())
    }

    /// The ranges of the indices of the target, and those of the reduction.
    ///
    /// # Errors
    /// The target has too many elements.
    pub(crate) fn boxes(&self, statement: &Assignment) -> Result<[Vec<[i64; 2]>; 2], Stopped> {
        let loops: Vec<Range> = statement.loops.iter().map(|(_, range)| range.clone()).collect();
        let mut outer = self.ranges(&loops)?;
        let inner = outer.split_off(statement.rank);
        self.count(&outer)?;
        Ok([outer, inner])
    }

    /// **tc-assign** (Statements), **tc-accumulate** (Statements), **tc-initialize** (Statements)
    fn assign(&mut self, store: &mut Store<D>, statement: &Assignment) -> Result<(), Stopped> {
        let [outer, inner] = self.boxes(statement)?;
        let mut prepared = Prepared::new(self, store, statement, &[&outer[..], &inner].concat())?;
        let mut defined = Vec::new();
        let (mut points, mut point) = (Points::new(outer.clone()), Vec::new());
        while points.next_into(&mut point) {
            let element = match statement.reduction {
                None => prepared.value(self, store, &point)?.clone(),
                Some(of) => {
                    let mut fold = Fold::new(of);
                    let (mut terms, mut reduced) = (Points::new(inner.clone()), Vec::new());
                    while terms.next_into(&mut reduced) {
                        point.truncate(statement.rank);
                        point.extend_from_slice(&reduced);
                        let term = prepared.value(self, store, &point)?;
                        self.fold(&mut fold, term);
                    }
                    let all = self.folded(fold);
                    self.reduced(store, (statement, of), &point[..statement.rank], all)
                }
            };
            defined.push(self.stored(element));
        }
        self.update(store, statement, &outer, defined);
        Ok(())
    }

    /// An element as a tensor keeps it.
    pub(crate) fn stored(&self, mut element: Element<D>) -> Element<D> {
        if let Datum::Number(number) = &mut element {
            self.domain.store(number);
        }
        element
    }

    /// **tc-statement** (Statements): gives a tensor the elements that a statement defines.
    pub(crate) fn update(
        &self,
        store: &mut Store<D>,
        statement: &Assignment,
        outer: &[[i64; 2]],
        defined: Vec<Element<D>>,
    ) {
        let data_type = self.program.tensor(statement.target).data_type;
        let tensor = store.entry(statement.target).or_insert_with(|| StoredTensor {
            ranges: outer.to_vec(),
            elements: vec![error(self.domain, data_type); defined.len()],
        });
        for (at, element) in Points::new(outer.to_vec()).zip(defined) {
            if let Some(place) = tensor.place(&at) {
                tensor.elements[place] = element;
            }
        }
    }

    /// Adds a term to `⊕ over ρ of ⟦e⟧σ,ρ`.
    pub(crate) fn fold(&self, fold: &mut Fold<D>, term: &Element<D>) {
        let operator = fold.of.operator.core();
        let next = accumulated(self.domain, operator, term);
        match &mut fold.all {
            None => fold.all = Some((next, term.clone())),
            Some((all, _)) => *all = binary(self.domain, self.division, operator, all, &next),
        }
    }

    /// `⊕ over ρ of ⟦e⟧σ,ρ`, from the first term on; `None` over nothing.
    pub(crate) fn folded(&self, fold: Fold<D>) -> Option<Element<D>> {
        let operator = fold.of.operator.core();
        fold.all.map(|(all, first)| result_of(self.domain, operator, all, &first))
    }

    /// **tc-accumulate** (Statements), **tc-initialize** (Statements): what stands before the terms.
    pub(crate) fn reduced(
        &self,
        store: &Store<D>,
        (statement, of): (&Assignment, Reduction),
        at: &[i64],
        all: Option<Element<D>>,
    ) -> Element<D> {
        let (operator, data_type) = (of.operator.core(), self.program.tensor(statement.target).data_type);
        let identity = || identity_element(self.domain, operator, data_type);
        let before = match of.initializes {
            true => (of.operator == ReductionOperator::Sum).then(identity),
            false => Some(self.read(store, statement.target, at)),
        };
        match (before, all) {
            (Some(before), Some(all)) => binary(self.domain, self.division, operator, &before, &all),
            (Some(before), None) => before,
            (None, all) => all.unwrap_or_else(identity),
        }
    }

    /// A truth value, if it is known.
    pub(crate) fn truth(&self, element: &Element<D>) -> Option<bool> {
        match element {
            Datum::Truth(truth) => self.domain.known(truth),
            Datum::Number(_) => None,
        }
    }

    /// **tc-read** (Expressions)
    fn read(&self, store: &Store<D>, tensor: TensorId, at: &[i64]) -> Element<D> {
        let stored = store.get(&tensor);
        let element = stored.and_then(|stored| Some(stored.elements[stored.place(at)?].clone()));
        element.unwrap_or_else(|| error(self.domain, self.program.tensor(tensor).data_type))
    }

    /// **tc-gather** (Expressions)
    fn gathered(
        &self,
        store: &Store<D>,
        (tensor, indices): (TensorId, &[Option<IndexExpr>]),
        operands: &[Element<D>],
        point: &[i64],
    ) -> Result<Element<D>, Stopped> {
        let mut operands = operands.iter();
        let mut at = Vec::with_capacity(indices.len());
        for index in indices {
            at.push(match index {
                Some(p) => p.value(self.sizes, point).ok_or(Stopped::Budget)?,
                None => match operands.next() {
                    Some(Datum::Number(number)) => {
                        match self.domain.position(number).ok_or_else(unknown_index)? {
                            Some(position) => position,
                            None => return Ok(error(self.domain, self.program.tensor(tensor).data_type)),
                        }
                    }
                    _ => return Err(unknown_index()),
                },
            });
        }
        Ok(self.read(store, tensor, &at))
    }

    /// • of a type.
    pub(crate) fn nothing(&self, of: ElementType) -> Element<D> {
        error(self.domain, of)
    }

    /// `⟦e⟧σ,ρ`, where the operands are at these places of what is known.
    pub(crate) fn node(
        &self,
        store: &Store<D>,
        node: ValueId,
        (operands, known): (&[usize], &[Element<D>]),
        point: &[i64],
    ) -> Result<Element<D>, Stopped> {
        let (domain, data_type) = (self.domain, self.program.data_type(node));
        let index = |p: &IndexExpr| p.value(self.sizes, point).ok_or(Stopped::Budget);
        let of = |at: usize| &known[operands[at]];
        let all = || operands.iter().map(|&at| known[at].clone()).collect::<Vec<Element<D>>>();
        Ok(match self.program.value(node) {
            // **tc-number** (Expressions)
            Value::Number(number) => {
                // A number without a meaning, such as 1/2 where reals are taken for integers, has no value.
                let literal = domain.literal_as(data_type, &Literal::Exact(number.clone()));
                literal.map_or_else(|_| error(domain, data_type), Datum::Number)
            }
            // **tc-truth** (Expressions)
            Value::Truth(truth) => Datum::Truth(domain.truth(Some(*truth))),
            // **tc-index** (Expressions)
            Value::Index(p) => Datum::Number(domain.index_as(data_type, index(p)?)),
            Value::Read(tensor, indices) => {
                let at: Vec<i64> = indices.iter().map(index).collect::<Result<_, _>>()?;
                self.read(store, *tensor, &at)
            }
            Value::Gather(tensor, indices, _) => self.gathered(store, (*tensor, indices), &all(), point)?,
            // **tc-operator** (Expressions)
            Value::Unary(operator, a) => unary(domain, (*operator, self.program.data_type(*a)), of(0)),
            Value::Binary(operator, _) => binary(domain, self.division, *operator, of(0), of(1)),
            Value::Primitive(primitive_of, _) => primitive(domain, *primitive_of, &all()),
            // **tc-choice** (Expressions)
            Value::Conditional(_) => selection(domain, Branches::Evaluated, of(0), of(1), of(2)),
            Value::Choose(condition, _) => {
                let holds = condition.holds(self.sizes, point).ok_or(Stopped::Budget)?;
                of(usize::from(!holds)).clone()
            }
            // **tc-call** (Expressions)
            Value::Call(name, _) => {
                let types: Vec<ElementType> = vec![data_type; operands.len()];
                let signature = Signature { name, arguments: &types, result: data_type };
                let value = self.given.call(signature, &all());
                value.ok_or_else(|| Stopped::Stuck(format!("the function `{name}` has no value")))?
            }
        })
    }
}

fn unknown_index() -> Stopped {
    Stopped::Stuck("an index is read from a tensor whose elements are not known numbers".to_owned())
}

/// A reduction of the terms so far, in the type in which the machine accumulates, with the first term.
pub(crate) struct Fold<D: ValueDomain> {
    of: Reduction,
    all: Option<(Element<D>, Element<D>)>,
}

impl<D: ValueDomain> Fold<D> {
    pub(crate) fn new(of: Reduction) -> Fold<D> {
        Fold { of, all: None }
    }
}

/// The points of a box, in lexicographic order.
pub(crate) struct Points {
    ranges: Vec<[i64; 2]>,
    /// The point before, of the iterator.
    last: Vec<i64>,
    is_first: bool,
    has_next: bool,
}

impl Points {
    pub(crate) fn new(ranges: Vec<[i64; 2]>) -> Points {
        let has_next = ranges.iter().all(|[b, e]| b < e);
        Points { ranges, last: Vec::new(), is_first: true, has_next }
    }

    /// Makes the point before, which may be followed by more, the next one; false after the last one.
    pub(crate) fn next_into(&mut self, point: &mut Vec<i64>) -> bool {
        if !self.has_next {
            return false;
        }
        if std::mem::take(&mut self.is_first) {
            point.clear();
            point.extend(self.ranges.iter().map(|[b, _]| *b));
            return true;
        }
        point.truncate(self.ranges.len());
        for (i, [b, e]) in point.iter_mut().zip(&self.ranges).rev() {
            *i += 1;
            if *i < *e {
                return true;
            }
            *i = *b;
        }
        self.has_next = false;
        false
    }
}

impl Iterator for Points {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let mut point = std::mem::take(&mut self.last);
        if !self.next_into(&mut point) {
            return None;
        }
        self.last.clone_from(&point);
        Some(point)
    }
}

impl ReductionOperator {
    /// The operator of the core.
    pub fn core(self) -> Binary {
        match self {
            ReductionOperator::Sum => Binary::Add,
            ReductionOperator::Product => Binary::Mul,
            ReductionOperator::Least => Binary::Min,
            ReductionOperator::Greatest => Binary::Max,
        }
    }
}

/// Whether the sizes meet the conditions of a program: each is at least 1, and no condition on sizes is negative.
pub fn allows(program: &TypedProgram, sizes: &[i64]) -> bool {
    sizes.iter().all(|&size| size >= 1)
        && program
            .obligations
            .iter()
            .all(|of| of.expression.value(sizes, &[]).is_some_and(|value| value >= 0))
}
