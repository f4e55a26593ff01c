//! The context of a judgement.

use base::seeded::Seeded;
use dashu_int::IBig;
use selfsame_core::index::Monomial;
use selfsame_core::{Condition, Index};

/// The conditions that hold. Of two bounds on one index term only the tighter one is kept, so that a judgement
/// under many restrictions of an index is as simple as under two.
#[derive(Debug, Default)]
pub struct Context(Vec<Condition>);

/// The data to leave a context.
pub struct ContextMark {
    len: usize,
    /// The replaced conditions, with their positions.
    replaced: Vec<(usize, Condition)>,
}

impl Context {
    /// The conditions.
    pub fn conditions(&self) -> &[Condition] {
        &self.0
    }

    /// Adds a condition.
    pub fn enter(&mut self, condition: &Condition) -> ContextMark {
        let mut mark = ContextMark { len: self.0.len(), replaced: Vec::new() };
        for part in condition.conjuncts() {
            if self.0.iter().any(|known| implies(known, part)) {
                continue;
            }
            match self.0.iter().position(|known| implies(part, known)) {
                Some(at) => mark.replaced.push((at, std::mem::replace(&mut self.0[at], part.clone()))),
                None => self.0.push(part.clone()),
            }
        }
        mark
    }

    /// Removes the condition entered last.
    pub fn leave(&mut self, mark: ContextMark) {
        if Seeded::ContextStays.is_in() {
            return;
        }
        for (at, condition) in mark.replaced.into_iter().rev() {
            self.0[at] = condition;
        }
        self.0.truncate(mark.len);
    }
}

/// Whether a condition plainly follows from another one.
pub fn implies(known: &Condition, condition: &Condition) -> bool {
    match (known, condition) {
        (Condition::NonNegative(p), Condition::NonNegative(q)) => {
            difference(q, p).is_some_and(|by| by >= IBig::ZERO)
        }
        _ => known == condition,
    }
}

/// `p − q`, if it is a constant.
fn difference(p: &Index, q: &Index) -> Option<IBig> {
    let split = |p: &Index| match p.terms().last() {
        Some((monomial, constant)) if monomial.is_empty() => (p.terms().len() - 1, constant.clone()),
        _ => (p.terms().len(), IBig::ZERO),
    };
    let ((m, c), (n, d)) = (split(p), split(q));
    let same = |((a, c), (b, d)): (&(Monomial, IBig), &(Monomial, IBig))| a == b && c == d;
    (m == n && p.terms()[..m].iter().zip(&q.terms()[..n]).all(same)).then(|| c - d)
}
