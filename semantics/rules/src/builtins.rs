//! Built-in functions of vectors, sets of dimensions and permutations, as a table of argument sorts and results.
//!
//! A set may be written as the vector of its dimensions, `[0, 2]`, or as a single dimension; a permutation as the
//! vector of each dimension's target, `[2, 0, 1]`.

use super::elaboration::{RuleError, fault};
use super::instances::MAX_COMPONENTS;
use super::values::Value;
use super::vectors::{MAX_INDEX, paired, too_large};
use base::diagnostics::{Code, Span, counted};
use base::seeded::{Seeded, seeded};
use selfsame_core::Index;
use std::rc::Rc;

/// The sort of an operand of a built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A tensor.
    Tensor,
    /// An index term.
    Index,
    /// A vector of index terms.
    Vector,
    /// An index term or a vector of them.
    Indices,
    /// A constant natural number: a number of dimensions, or one dimension.
    Natural,
    /// A set of dimensions.
    Set,
    /// A permutation of the dimensions.
    Permutation,
    /// A vector or a set.
    Parts,
}

/// A built-in function: name, operand sorts, implementation.
struct Builtin {
    name: &'static str,
    takes: &'static [Sort],
    gives: for<'a> fn(&CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError>,
}

const BUILTINS: &[Builtin] = &[
    Builtin { name: "extents", takes: &[Sort::Tensor], gives: |of| Ok(Value::Vector(of.extents(0))) },
    Builtin { name: "rank", takes: &[Sort::Tensor], gives: |of| natural(of.extents(0).len()) },
    Builtin { name: "length", takes: &[Sort::Parts], gives: |of| natural(of.length(0)) },
    Builtin { name: "total", takes: &[Sort::Vector], gives: total },
    Builtin { name: "repeat", takes: &[Sort::Index, Sort::Natural], gives: repeated },
    Builtin { name: "keep", takes: &[Sort::Vector, Sort::Set], gives: |of| part(of, true) },
    Builtin { name: "drop", takes: &[Sort::Vector, Sort::Set], gives: |of| part(of, false) },
    Builtin { name: "weave", takes: &[Sort::Set, Sort::Vector, Sort::Vector], gives: woven },
    Builtin { name: "choose", takes: &[Sort::Set, Sort::Indices, Sort::Indices], gives: chosen },
    Builtin { name: "replace", takes: &[Sort::Vector, Sort::Set, Sort::Index], gives: replaced },
    Builtin { name: "permute", takes: &[Sort::Vector, Sort::Permutation], gives: permuted },
    Builtin { name: "inverse", takes: &[Sort::Permutation], gives: |of| Ok(inverse(&of.places(0))) },
    Builtin { name: "fixed", takes: &[Sort::Permutation], gives: |of| Ok(fixed(&of.places(0))) },
    Builtin { name: "image", takes: &[Sort::Set, Sort::Permutation], gives: image },
    Builtin { name: "without", takes: &[Sort::Permutation, Sort::Set], gives: remaining },
    Builtin { name: "dims", takes: &[Sort::Natural, Sort::Natural], gives: |of| Ok(dims(of)) },
    Builtin { name: "others", takes: &[Sort::Set, Sort::Natural], gives: |of| Ok(others(of)) },
    Builtin { name: "union", takes: &[Sort::Set, Sort::Set], gives: |of| Ok(merged(of, in_either)) },
    Builtin { name: "either", takes: &[Sort::Set, Sort::Set], gives: |of| Ok(merged(of, |a, b| a != b)) },
    Builtin { name: "pick", takes: &[Sort::Set, Sort::Set], gives: picked },
    Builtin { name: "nth", takes: &[Sort::Set, Sort::Natural], gives: nth },
];

/// The names of the built-in functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|builtin| builtin.name)
}

/// Applies a built-in function; `None` if no function has this name.
///
/// # Errors
/// The operands do not fit the function, or a dimension is out of range.
pub(super) fn apply<'a>(
    name: &str,
    values: &[Value<'a>],
    span: Span,
) -> Option<Result<Value<'a>, RuleError>> {
    let builtin = BUILTINS.iter().find(|builtin| builtin.name == name)?;
    let fits = values.len() == builtin.takes.len();
    if fits && builtin.takes.iter().zip(values).all(|(sort, value)| sort.accepts(value)) {
        return Some((builtin.gives)(&CheckedOperands { values, span }));
    }
    let takes: Vec<&str> = builtin.takes.iter().map(|sort| sort.text()).collect();
    let found: Vec<&str> = values.iter().map(Value::kind).collect();
    let message = format!("`{name}` takes {}, found {}", takes.join(" and "), found.join(" and "));
    Some(fault(Code::V0005, span, message, "wrong operands"))
}

impl Sort {
    fn accepts(self, value: &Value<'_>) -> bool {
        match self {
            Sort::Tensor => matches!(value, Value::Tensor(_)),
            Sort::Index => matches!(value, Value::Index(_)),
            Sort::Vector => matches!(value, Value::Vector(_)),
            Sort::Indices => matches!(value, Value::Index(_) | Value::Vector(_)),
            Sort::Natural => value.as_natural().is_some_and(|number| number <= MAX_COMPONENTS),
            Sort::Set => set(value).is_some(),
            Sort::Permutation => permutation(value).is_some(),
            Sort::Parts => matches!(value, Value::Vector(_) | Value::Permutation(_)) || set(value).is_some(),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Sort::Tensor => "a tensor",
            Sort::Index => "an index term",
            Sort::Vector => "a vector",
            Sort::Indices => "an index term or a vector",
            Sort::Natural => "a number of dimensions up to 64",
            Sort::Set => "a set of dimensions below 64",
            Sort::Permutation => "a permutation",
            Sort::Parts => "a vector or a set",
        }
    }
}

/// A set of dimensions, ascending.
fn set(value: &Value<'_>) -> Option<Rc<[usize]>> {
    if let Value::Set(set) = value {
        return Some(set.clone());
    }
    let mut set = numbers(value)?;
    set.sort_unstable();
    set.windows(2).all(|pair| pair[0] < pair[1]).then(|| set.into())
}

/// The target of each dimension under a permutation.
fn permutation(value: &Value<'_>) -> Option<Rc<[usize]>> {
    if let Value::Permutation(places) = value {
        return Some(places.clone());
    }
    let places = numbers(value).filter(|_| matches!(value, Value::Vector(_)))?;
    (0..places.len()).all(|k| places.contains(&k)).then(|| places.into())
}

fn numbers(value: &Value<'_>) -> Option<Vec<usize>> {
    let (parts, _) = value.components()?;
    let number = |part: &Index| usize::try_from(part.as_constant()?).ok().filter(|k| *k < MAX_COMPONENTS);
    parts.iter().map(number).collect()
}

/// Operands of the sorts that the function takes.
struct CheckedOperands<'v, 'a> {
    values: &'v [Value<'a>],
    span: Span,
}

impl CheckedOperands<'_, '_> {
    fn extents(&self, at: usize) -> Rc<[Index]> {
        match &self.values[at] {
            Value::Tensor(tensor) => tensor.extents.clone(),
            _ => Rc::default(),
        }
    }

    fn vector(&self, at: usize) -> Rc<[Index]> {
        self.values[at].components().unwrap_or_default().0.into()
    }

    fn index(&self, at: usize) -> Index {
        self.vector(at).first().cloned().unwrap_or_default()
    }

    fn natural(&self, at: usize) -> usize {
        self.values[at].as_natural().unwrap_or_default()
    }

    fn set(&self, at: usize) -> Rc<[usize]> {
        set(&self.values[at]).unwrap_or_default()
    }

    fn places(&self, at: usize) -> Rc<[usize]> {
        permutation(&self.values[at]).unwrap_or_default()
    }

    fn length(&self, at: usize) -> usize {
        match &self.values[at] {
            Value::Set(parts) | Value::Permutation(parts) => parts.len(),
            Value::Vector(parts) => parts.len(),
            _ => self.set(at).len(),
        }
    }

    /// The set operand at position `at`, whose dimensions must be below `rank`.
    fn among(&self, at: usize, rank: usize) -> Result<Rc<[usize]>, RuleError> {
        let set = self.set(at);
        match set.iter().find(|&&k| k >= rank) {
            Some(k) => {
                let message = format!("there is no dimension {k} among {}", counted(rank, "dimension"));
                fault(Code::V0006, self.span, message, "out of range")
            }
            None => Ok(set),
        }
    }
}

fn natural<'a>(number: usize) -> Result<Value<'a>, RuleError> {
    Ok(Value::Index(Index::constant(number.into())))
}

fn total<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let mut product = Index::from(1);
    for part in &*of.vector(0) {
        if product.size() * part.size() > MAX_INDEX {
            return too_large(of.span);
        }
        product = &product * part;
    }
    Ok(Value::Index(product))
}

fn repeated<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    Ok(Value::Vector(vec![of.index(0); of.natural(1)].into()))
}

fn in_either(a: bool, b: bool) -> bool {
    seeded(Seeded::UnionEither, a || b, || a != b)
}

/// The components at the dimensions of the set, or at the other dimensions.
fn part<'a>(of: &CheckedOperands<'_, 'a>, inside: bool) -> Result<Value<'a>, RuleError> {
    let parts = of.vector(0);
    let set = of.among(1, parts.len())?;
    let is_kept = |k: &usize| {
        let is_too = Seeded::KeepDrop.is_in() && !inside && set.first() == Some(k);
        set.contains(k) == inside || is_too
    };
    let kept = parts.iter().enumerate().filter(|(k, _)| is_kept(k));
    Ok(Value::Vector(kept.map(|(_, part)| part.clone()).collect()))
}

/// Interleaves two vectors: the components of one at the dimensions of the set, those of the other elsewhere, each
/// in order.
fn woven<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let (inside, outside) = (of.vector(1), of.vector(2));
    let length = inside.len() + outside.len();
    let set = of.among(0, length)?;
    if set.len() != inside.len() {
        let message =
            format!("{} for {}", counted(inside.len(), "component"), counted(set.len(), "dimension"));
        return fault(Code::V0006, of.span, message, "the numbers differ");
    }
    let (mut inside, mut outside) = (inside.iter(), outside.iter());
    let woven = (0..length).filter_map(|k| if set.contains(&k) { inside.next() } else { outside.next() });
    Ok(Value::Vector(woven.cloned().collect()))
}

/// The components of the first vector at the dimensions of the set, of the second elsewhere.
fn chosen<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let [a, b] = [1, 2].map(|at| of.values[at].components().unwrap_or_default());
    let pairs = paired(a, b, of.span)?.pairs;
    let set = of.among(0, pairs.len())?;
    let chosen = pairs.into_iter().enumerate().map(|(k, (a, b))| if set.contains(&k) { a } else { b });
    Ok(Value::Vector(chosen.collect()))
}

fn replaced<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let mut parts = of.vector(0).to_vec();
    for &k in &*of.among(1, parts.len())? {
        parts[k] = of.index(2);
        if Seeded::ReplaceFirst.is_in() {
            break;
        }
    }
    Ok(Value::Vector(parts.into()))
}

fn permuted<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let (parts, places) = (of.vector(0), of.places(1));
    if parts.len() != places.len() {
        let message = format!("a permutation of {} for {}", places.len(), counted(parts.len(), "component"));
        return fault(Code::V0006, of.span, message, "the numbers differ");
    }
    let places = seeded(Seeded::PermuteInverse, places.to_vec(), || inverted(&places));
    Ok(Value::Vector(places.iter().map(|&k| parts[k].clone()).collect()))
}

fn inverse<'a>(places: &[usize]) -> Value<'a> {
    let inverse = seeded(Seeded::InverseIdentity, inverted(places), || places.to_vec());
    Value::Permutation(inverse.into())
}

fn inverted(places: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; places.len()];
    places.iter().enumerate().for_each(|(at, &k)| inverse[k] = at);
    inverse
}

fn fixed<'a>(places: &[usize]) -> Value<'a> {
    Value::Set((0..places.len()).filter(|&k| places[k] == k).collect())
}

/// The image of a set of dimensions under a permutation.
fn image<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let places = of.places(1);
    let mut image: Vec<usize> = of.among(0, places.len())?.iter().map(|&k| places[k]).collect();
    image.sort_unstable();
    Ok(Value::Set(image.into()))
}

/// The permutation that remains after the results in the set are dropped, renumbered.
fn remaining<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let places = of.places(0);
    let set = of.among(1, places.len())?;
    let left: Vec<usize> = (0..places.len()).filter(|k| !set.contains(k)).map(|k| places[k]).collect();
    Ok(Value::Permutation(left.iter().map(|k| left.iter().filter(|other| *other < k).count()).collect()))
}

fn dims<'a>(of: &CheckedOperands<'_, 'a>) -> Value<'a> {
    Value::Set((of.natural(0)..of.natural(1)).collect())
}

fn others<'a>(of: &CheckedOperands<'_, 'a>) -> Value<'a> {
    let set = of.set(0);
    let is_other = |k: &usize| !set.contains(k) || *k == 0 && Seeded::OthersAll.is_in();
    Value::Set((0..of.natural(1)).filter(is_other).collect())
}

/// The dimensions that `keep` selects by their membership in the first and the second set.
fn merged<'a>(of: &CheckedOperands<'_, 'a>, keep: fn(bool, bool) -> bool) -> Value<'a> {
    let (a, b) = (of.set(0), of.set(1));
    let bound = a.iter().chain(&*b).map(|k| k + 1).max().unwrap_or(0);
    Value::Set((0..bound).filter(|k| keep(a.contains(k), b.contains(k))).collect())
}

/// The elements of the first set at the positions given by the second.
fn picked<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let set = of.set(0);
    Ok(Value::Set(of.among(1, set.len())?.iter().map(|&at| set[at]).collect()))
}

fn nth<'a>(of: &CheckedOperands<'_, 'a>) -> Result<Value<'a>, RuleError> {
    let set = of.set(0);
    let at = of.among(1, set.len())?;
    let next = usize::from(Seeded::NthNext.is_in());
    natural(at.first().map_or(0, |&at| set[(at + next).min(set.len() - 1)]))
}
