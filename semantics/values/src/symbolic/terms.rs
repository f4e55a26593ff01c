//! The symbolic value domain: values are terms over the inputs, hash-consed, so that equal terms have equal
//! identifiers.
//!
//! A term records the operations of the evaluation in their order, and nothing is rearranged, so *the same term*
//! means the same value in every number system. The normal forms beside this module decide what may be rearranged,
//! and under which laws. Only what every number system shares is simplified: `•` is absorbing, and operations on
//! the small constants that padding and index-to-value introduce are carried out (`0 + 0`, `0 · 0`, `0 − 0`, and
//! `0 / 0` by the division's own definition).

use crate::{
    ComparisonOperator, Division, Extremum, IntegerOperation, Literal, LiteralError, Primitive, ValueDomain,
};
use base::identifiers::identifier;
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A value: a term, by its place in the arena. Operands precede the terms that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The term's position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown: an element of a store before the first statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unknown(pub u32);

/// The operator of a binary term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a − b`
    Sub,
    /// `a · b`
    Mul,
    /// `a / b`
    Div(Division),
    /// An operation on integers, uninterpreted.
    Integer(IntegerOperation),
    /// An uninterpreted operation; if it has one operand, that stands in both places.
    Opaque(Opaque),
}

/// Operations that differ between number systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Opaque {
    /// `|a|`
    Absolute,
    /// The number rounded to an integer toward zero.
    Truncation,
    /// A primitive; possibly undefined.
    Primitive(Primitive),
    /// The identity of `min` or `max`, whatever the operand; possibly undefined.
    Identity(Extremum),
}

/// A term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermNode {
    /// `•`
    Undefined,
    /// An element of the initial store, possibly `•`.
    Unknown(Unknown),
    /// A small constant.
    Constant(i64),
    /// A binary operation.
    Binary(Operation, TermId, TermId),
    /// `a` where the formula is true, `b` where it is false, `•` where it is undefined.
    Select(Formula, TermId, TermId),
}

/// The result of a comparison of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Decided, or undefined.
    Known(Option<bool>),
    /// A comparison that depends on unknowns.
    Compare(ComparisonOperator, TermId, TermId),
    /// Sameness that depends on unknowns.
    Same(TermId, TermId),
}

/// The symbolic domain, with the arena of its terms.
#[derive(Debug)]
pub struct Terms {
    arena: RefCell<Arena>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Arena {
    nodes: Vec<TermNode>,
    ids: FxHashMap<TermNode, TermId>,
}

/// The maximum magnitude of a folded constant. Every number system represents these exactly; half precision,
/// with its 11 bits, would too.
const MAX_CONSTANT: i64 = 1 << 11;

impl Terms {
    /// A domain that holds up to `limit` terms. Beyond that every new term is `•`, [`Terms::is_exhausted`] holds,
    /// and no result means anything.
    pub fn with_limit(limit: usize) -> Terms {
        let terms = Terms { arena: RefCell::default(), limit };
        terms.undefined();
        terms
    }

    /// Whether the limit was reached, so that results must not be used.
    pub fn is_exhausted(&self) -> bool {
        self.len() >= self.limit
    }

    /// Whether at least a quarter of the limit is used.
    pub fn is_filling_up(&self) -> bool {
        self.len() >= self.limit / 4
    }

    /// The term of an unknown.
    pub fn unknown(&self, unknown: Unknown) -> TermId {
        self.intern(TermNode::Unknown(unknown))
    }

    /// The node of a term.
    pub fn node(&self, id: TermId) -> TermNode {
        self.arena.borrow().nodes[id.index()]
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.arena.borrow().nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An integer of any size, composed of digits that every term can hold.
    fn integer(&self, number: &IBig) -> TermId {
        if let Ok(small) = i64::try_from(number.clone()) {
            return self.index(small);
        }
        let mut digits = Vec::new();
        let mut rest = number.clone().unsigned_abs();
        let base = UBig::from(1_u64 << 31);
        while !rest.is_zero() {
            digits.push(i64::try_from(&rest % &base).unwrap_or(0));
            rest /= &base;
        }
        let radix = self.index(1 << 31);
        let shifted = |sum: TermId, digit: i64| self.add(&self.mul(&sum, &radix), &self.index(digit));
        let magnitude = digits.into_iter().rev().fold(self.index(0), shifted);
        if *number < IBig::ZERO { self.sub(&self.index(0), &magnitude) } else { magnitude }
    }

    pub(super) fn intern(&self, node: TermNode) -> TermId {
        let mut arena = self.arena.borrow_mut();
        if let Some(&id) = arena.ids.get(&node) {
            return id;
        }
        if arena.nodes.len() >= self.limit {
            return TermId(0);
        }
        let id = TermId(identifier(arena.nodes.len()));
        arena.nodes.push(node);
        arena.ids.insert(node, id);
        id
    }

    fn binary(&self, operation: Operation, a: TermId, b: TermId) -> TermId {
        let folded = fold(operation, self.node(a), self.node(b));
        self.intern(folded.unwrap_or(TermNode::Binary(operation, a, b)))
    }

    /// The terms that `roots` consist of, operands first, each once.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_until(roots, |_| false)
    }

    /// Like [`Terms::reachable`], without the terms that are done and their exclusive operands; takes the time of
    /// the rest only.
    pub fn reachable_until(&self, roots: &[TermId], done: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<TermId> = roots.to_vec();
        while let Some(id) = pending.pop() {
            if !done(id) && seen.insert(id) {
                pending.extend(operands(self.node(id)));
            }
        }
        let mut ids: Vec<TermId> = seen.into_iter().collect();
        ids.sort_unstable();
        ids
    }
}

/// The operands of a term, including those of its formula.
pub fn operands(node: TermNode) -> impl Iterator<Item = TermId> {
    let of_formula = |formula| match formula {
        Formula::Known(_) => [None, None],
        Formula::Compare(_, a, b) | Formula::Same(a, b) => [Some(a), Some(b)],
    };
    let (formula, terms) = match node {
        TermNode::Undefined | TermNode::Unknown(_) | TermNode::Constant(_) => ([None, None], [None, None]),
        TermNode::Binary(_, a, b) => ([None, None], [Some(a), Some(b)]),
        TermNode::Select(formula, a, b) => (of_formula(formula), [Some(a), Some(b)]),
    };
    formula.into_iter().chain(terms).flatten()
}

/// The result of an operation that is the same in every number system, if there is one.
fn fold(operation: Operation, a: TermNode, b: TermNode) -> Option<TermNode> {
    use TermNode::{Constant, Undefined};
    match (operation, a, b) {
        (Operation::Div(Division::Controlled), Constant(0), Undefined | Constant(0)) => Some(Constant(0)),
        // In floats, the quotient by 0 that a number system has is no error.
        (Operation::Div(Division::System), _, Constant(0)) => None,
        (_, Undefined, _) | (_, _, Undefined) | (Operation::Div(_), _, Constant(0))
            if is_undefined(operation, a, b) =>
        {
            Some(Undefined)
        }
        (Operation::Add, Constant(a), Constant(b)) => small(a + b),
        (Operation::Sub, Constant(a), Constant(b)) => small(a - b),
        (Operation::Mul, Constant(a), Constant(b)) => small(a * b),
        _ => None,
    }
}

/// Whether `a ∘ b` is `•` for all inputs: not where controlled division may have the numerator 0.
fn is_undefined(operation: Operation, a: TermNode, b: TermNode) -> bool {
    let strict = matches!(a, TermNode::Undefined) || operation != Operation::Div(Division::Controlled);
    let nonzero = matches!(a, TermNode::Constant(c) if c != 0);
    let operand = matches!(a, TermNode::Undefined) || matches!(b, TermNode::Undefined);
    let zero_divisor = matches!((operation, b), (Operation::Div(_), TermNode::Constant(0)));
    (strict || nonzero) && (operand || zero_divisor)
}

fn small(constant: i64) -> Option<TermNode> {
    (constant.unsigned_abs() <= MAX_CONSTANT.unsigned_abs()).then_some(TermNode::Constant(constant))
}

impl ValueDomain for Terms {
    type Value = TermId;
    type Truth = Formula;
    type Array = Vec<TermId>;

    fn undefined(&self) -> TermId {
        self.intern(TermNode::Undefined)
    }
    fn index(&self, index: i64) -> TermId {
        self.intern(TermNode::Constant(index))
    }
    fn add(&self, a: &TermId, b: &TermId) -> TermId {
        self.binary(Operation::Add, *a, *b)
    }
    fn sub(&self, a: &TermId, b: &TermId) -> TermId {
        self.binary(Operation::Sub, *a, *b)
    }
    fn mul(&self, a: &TermId, b: &TermId) -> TermId {
        self.binary(Operation::Mul, *a, *b)
    }
    fn div(&self, division: Division, a: &TermId, b: &TermId) -> TermId {
        self.binary(Operation::Div(division), *a, *b)
    }
    fn compare(&self, comparison: ComparisonOperator, a: &TermId, b: &TermId) -> Formula {
        match (self.node(*a), self.node(*b)) {
            (TermNode::Undefined, _) | (_, TermNode::Undefined) => Formula::Known(None),
            (TermNode::Constant(a), TermNode::Constant(b)) => {
                Formula::Known(Some(comparison.holds(Some(a.cmp(&b)))))
            }
            _ => Formula::Compare(comparison, *a, *b),
        }
    }
    fn same(&self, a: &TermId, b: &TermId) -> Formula {
        match (self.node(*a), self.node(*b)) {
            _ if a == b => Formula::Known(Some(true)),
            (TermNode::Constant(_) | TermNode::Undefined, TermNode::Constant(_) | TermNode::Undefined) => {
                Formula::Known(Some(false))
            }
            _ => Formula::Same(*a, *b),
        }
    }
    fn select(&self, truth: &Formula, a: &TermId, b: &TermId) -> TermId {
        match truth {
            Formula::Known(Some(true)) => *a,
            Formula::Known(Some(false)) => *b,
            Formula::Known(None) => self.undefined(),
            formula => self.intern(TermNode::Select(*formula, *a, *b)),
        }
    }
    fn literal(&self, literal: &Literal) -> Result<TermId, LiteralError> {
        let number = literal.exact()?;
        let numerator = self.integer(number.numerator());
        match number.denominator() {
            one if one.is_one() => Ok(numerator),
            denominator => {
                Ok(self.div(Division::Extended, &numerator, &self.integer(&IBig::from(denominator.clone()))))
            }
        }
    }
    fn integer_operation(&self, operation: IntegerOperation, a: &TermId, b: &TermId) -> TermId {
        self.binary(Operation::Integer(operation), *a, *b)
    }
    fn absolute(&self, a: &TermId) -> TermId {
        self.binary(Operation::Opaque(Opaque::Absolute), *a, *a)
    }
    fn truncation(&self, a: &TermId) -> TermId {
        self.binary(Operation::Opaque(Opaque::Truncation), *a, *a)
    }
    fn primitive(&self, primitive: Primitive, operands: &[TermId]) -> TermId {
        match operands {
            [a] => self.binary(Operation::Opaque(Opaque::Primitive(primitive)), *a, *a),
            [a, b] => self.binary(Operation::Opaque(Opaque::Primitive(primitive)), *a, *b),
            _ => self.undefined(),
        }
    }
    fn extremum_identity(&self, extremum: Extremum) -> TermId {
        let zero = self.index(0);
        self.binary(Operation::Opaque(Opaque::Identity(extremum)), zero, zero)
    }
    fn known(&self, truth: &Formula) -> Option<bool> {
        match truth {
            Formula::Known(known) => *known,
            _ => None,
        }
    }
}
