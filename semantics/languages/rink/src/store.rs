//! Dynamic stores μ (Definition 3) and their formation (Figs. 10, 13 and 15).
//!
//! Conventions: μ: [`Store`], `x_i`: a variable's [`NameId`] with a multi-index whose components start at 1.

use super::syntax::{NameId, Program, Qualifier};
use super::tensor_type::TensorType;
use super::typing::Typing;
use std::sync::Arc;
use values::{Array, ValueDomain};

/// **rink-definition-1** (Definition 1, (i)): a multi-index `i`; components start at 1.
///
/// Of the rest of the definition, (ii) is [`offset_of`]; (iii), `i ∈ (t,⌈t⌉)`, is what `pad` leaves 0; (iv),
/// `x_i`, is [`Store::get`]; and (v), `πm(t)`, is read in `Evaluation::eq_11`.
pub type MultiIndex = Vec<u64>;

/// All elements of one tensor, row-major.
#[derive(Debug)]
pub struct StoredTensor<D: ValueDomain> {
    /// The extents.
    pub extents: Vec<usize>,
    /// The elements, the last dimension running fastest.
    pub elements: Arc<D::Array>,
}

impl<D: ValueDomain> StoredTensor<D> {
    /// A tensor filled with one value.
    pub fn filled(extents: Vec<usize>, value: D::Value) -> StoredTensor<D> {
        let n = extents.iter().product();
        StoredTensor { extents, elements: Arc::new(D::Array::filled(value, n)) }
    }

    /// A tensor with the given elements, row-major; the length of `elements` must match the extents.
    pub fn new(extents: Vec<usize>, elements: Vec<D::Value>, filler: D::Value) -> StoredTensor<D> {
        let mut array = D::Array::filled(filler, elements.len());
        for (at, element) in elements.into_iter().enumerate() {
            array.set(at, element);
        }
        StoredTensor { extents, elements: Arc::new(array) }
    }

    /// The element at row-major offset `at`.
    pub fn get(&self, at: usize) -> D::Value {
        self.elements.get(at)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Always false: extents are positive.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// **rink-definition-1** (Definition 1, (ii)): `i ≤ t`. This is the row-major offset of `i`, or `None` if `i ≰ t`.
pub fn offset_of(extents: &[usize], index: &[u64]) -> Option<usize> {
    if extents.len() != index.len() {
        return None;
    }
    extents.iter().zip(index).try_fold(0, |offset, (&extent, &i)| {
        let i = usize::try_from(i).ok().filter(|i| (1..=extent).contains(i))?;
        Some(offset * extent + i - 1)
    })
}

/// The multi-index at a row-major offset.
pub fn index_of(extents: &[usize], offset: usize) -> MultiIndex {
    let mut rest = offset;
    let mut index: MultiIndex = Vec::with_capacity(extents.len());
    for &extent in extents.iter().rev() {
        index.push((rest % extent) as u64 + 1);
        rest /= extent;
    }
    index.reverse();
    index
}

/// **rink-definition-3** (Definition 3, (iii)): a dynamic store, defined on all elements of the variables that it holds.
#[derive(Debug)]
pub struct Store<D: ValueDomain> {
    tensors: Vec<Option<StoredTensor<D>>>,
}

impl<D: ValueDomain> Clone for StoredTensor<D> {
    fn clone(&self) -> StoredTensor<D> {
        StoredTensor { extents: self.extents.clone(), elements: self.elements.clone() }
    }
}

impl<D: ValueDomain> Clone for Store<D> {
    fn clone(&self) -> Store<D> {
        Store { tensors: self.tensors.clone() }
    }
}

/// A tensor has more elements than the limit; nothing was allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of elements; `None` if it exceeds `u64`.
    pub elements: Option<u64>,
    /// The limit.
    pub limit: u64,
}

impl<D: ValueDomain> Store<D> {
    /// **d-empty** (Fig. 10), **d-var** (Fig. 10), **rink-definition-6** (Definition 6): the store in which every element of every variable is `•`.
    /// ```text
    /// decl* ⊢d μ    t = (d1…dk)    ∀i≤t. xi ∈ V∪{•}
    /// ──────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢d μ{∀i≤t. x_i ↦ xi}
    /// ```
    ///
    /// # Errors
    /// A tensor has more than `limit` elements; this is checked before any is allocated.
    pub fn undefined(
        domain: &D,
        program: &Program,
        typing: &Typing,
        limit: u64,
    ) -> Result<Store<D>, TooLarge> {
        let types = program.declarations.iter().filter_map(|d| typing.variable(d.name));
        types.into_iter().try_for_each(|t| check_size(t, limit))?;
        let mut tensors: Vec<Option<StoredTensor<D>>> = vec![None; program.name_count()];
        for declaration in &program.declarations {
            if let Some(t) = typing.variable(declaration.name) {
                tensors[declaration.name.index()] =
                    Some(StoredTensor::filled(extents(t), domain.undefined()));
            }
        }
        Ok(Store { tensors })
    }

    /// **rink-definition-9** (Definition 9): the store over `⌈Γ⌉`, which is `typing`, that agrees with `self` in range
    /// and is 0 in the padding. **d-pad-empty** (Fig. 13): `∅ ⊢pd ⊥`
    ///
    /// **d-pad-var** (Fig. 13)
    /// ```text
    /// decl* ⊢pd μ    t = (d1…dk)    ∀i≤t. xi ∈ V∪{•}    ∀i∈(t,⌈t⌉). xi = 0
    /// ──────────────────────────────────────────────────────────────────────
    /// decl* var x:[d1…dk] ⊢pd μ{∀i≤⌈t⌉. x_i ↦ xi}
    /// ```
    ///
    /// # Errors
    /// A padded tensor has more than `limit` elements.
    pub fn padded(
        &self,
        domain: &D,
        program: &Program,
        typing: &Typing,
        limit: u64,
    ) -> Result<Store<D>, TooLarge> {
        let mut padded = Store::undefined(domain, program, typing, limit)?;
        for (padded, tensor) in padded.tensors.iter_mut().zip(&self.tensors) {
            if let (Some(padded), Some(tensor)) = (padded, tensor) {
                *padded = pad(tensor, &padded.extents, domain.index(0));
            }
        }
        Ok(padded)
    }

    /// All elements of a variable; `None` if it is not declared.
    pub fn tensor(&self, x: NameId) -> Option<&StoredTensor<D>> {
        self.tensors.get(x.index())?.as_ref()
    }

    /// `μ(x_i)`; `None` if `x_i ∉ dom μ`.
    pub fn get(&self, x: NameId, index: &[u64]) -> Option<D::Value> {
        let tensor = self.tensor(x)?;
        Some(tensor.get(offset_of(&tensor.extents, index)?))
    }

    /// `μ{∀i≤t. x_i ↦ ri}`: replaces all elements of a variable by those of a tensor of its type.
    pub fn set(&mut self, x: NameId, tensor: StoredTensor<D>) {
        self.tensors[x.index()] = Some(tensor);
    }

    /// Replaces one element, by row-major offset.
    pub fn set_element(&mut self, x: NameId, at: usize, value: D::Value) {
        if let Some(tensor) = &mut self.tensors[x.index()] {
            Arc::make_mut(&mut tensor.elements).set(at, value);
        }
    }
}

/// **d-in-var** (Fig. 15)
/// ```text
/// decl* ⊢d μ    t = (d1…dk)    ∀i≤t. xi ∈ V
/// ───────────────────────────────────────────────
/// decl* var input x:[d1…dk] ⊢d μ{∀i≤t. x_i ↦ xi}
/// ```
/// This is its premise that can fail, `xi ∈ V`: the first `•` in an `input` variable; `None` if it holds.
pub fn uninitialized_input<D: ValueDomain>(
    domain: &D,
    program: &Program,
    store: &Store<D>,
) -> Option<(NameId, MultiIndex)> {
    let inputs = program.declarations.iter().filter(|d| d.qualifier == Qualifier::Input);
    inputs.filter_map(|d| Some((d.name, store.tensor(d.name)?))).find_map(|(x, tensor)| {
        let undefined = domain.undefined();
        let is_undefined =
            |at: &usize| domain.known(&domain.same(&tensor.get(*at), &undefined)) == Some(true);
        (0..tensor.len()).find(is_undefined).map(|at| (x, index_of(&tensor.extents, at)))
    })
}

/// The extents of a type whose element count is known to fit.
pub fn extents(t: &TensorType) -> Vec<usize> {
    t.0.iter().map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX)).collect()
}

/// Refuses a type with more than `limit` elements.
///
/// # Errors
/// It has more than `limit` elements.
pub fn check_size(t: &TensorType, limit: u64) -> Result<(), TooLarge> {
    match t.elements() {
        Some(elements) if elements <= limit => Ok(()),
        elements => Err(TooLarge { elements, limit }),
    }
}

/// **rink-definition-1** (Definition 1, (iii)): the tensor with elements 0 at each `i ∈ (t,⌈t⌉)`.
fn pad<D: ValueDomain>(tensor: &StoredTensor<D>, extents: &[usize], zero: D::Value) -> StoredTensor<D> {
    let mut array = D::Array::filled(zero, extents.iter().product());
    for at in 0..tensor.len() {
        let index = index_of(&tensor.extents, at);
        if let Some(to) = offset_of(extents, &index) {
            array.set(to, tensor.get(at));
        }
    }
    StoredTensor { extents: extents.to_vec(), elements: Arc::new(array) }
}
