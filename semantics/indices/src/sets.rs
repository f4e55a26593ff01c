//! Conditions on index expressions as index sets.

use crate::expression::{Atom, IndexExpr, Overflow};
use polyhedra::{Affine, BasicSet, IndexSet, Local, Space};
use std::fmt;
use std::sync::Arc;

/// The maximum number of pieces of a set: each least value of a condition has one for each of its operands.
const MAX_PIECES: usize = 256;

/// Why a condition is no index set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAffine {
    /// It multiplies two expressions that are not constant.
    Product,
    /// There are more than 256 pieces, or a number exceeds 64 bits.
    TooLarge,
}

impl fmt::Display for NotAffine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotAffine::Product => "a product of sizes or indices is not affine",
            NotAffine::TooLarge => "an index set is too large",
        })
    }
}

impl From<Overflow> for NotAffine {
    fn from(Overflow: Overflow) -> NotAffine {
        NotAffine::TooLarge
    }
}

/// The points of a space at which no expression is negative. Size `k` is its parameter `k`, and loop index `k` its dimension `k`.
///
/// # Errors
/// An expression is not quasi-affine.
pub fn nonnegative(space: &Space, expressions: &[IndexExpr]) -> Result<IndexSet, NotAffine> {
    let mut conditions = Vec::new();
    for e in expressions {
        conditions.extend(e.conditions()?);
    }
    let mut choices: Vec<usize> = Vec::new();
    let mut pieces = Vec::new();
    loop {
        let mut piece = Piece { space, set: BasicSet::universe(), choices: &mut choices, known: Vec::new() };
        for e in &conditions {
            let affine = piece.affine(e)?;
            piece.set.inequalities.push(affine);
        }
        let arities: Vec<usize> = piece.known.iter().map(|(of, _)| of.len()).collect();
        if !piece.set.is_plainly_empty() {
            pieces.push(piece.set);
        }
        // The next choice, as an odometer.
        let Some(last) = (0..arities.len()).rev().find(|&at| choices[at] + 1 < arities[at]) else { break };
        choices[last] += 1;
        choices[last + 1..].iter_mut().for_each(|choice| *choice = 0);
        if pieces.len() >= MAX_PIECES {
            return Err(NotAffine::TooLarge);
        }
    }
    Ok(IndexSet { space: space.clone(), pieces })
}

/// A piece of a set, for a choice of the operand that is the least one, for each least value in the order in which they occur.
struct Piece<'a> {
    space: &'a Space,
    set: BasicSet,
    choices: &'a mut Vec<usize>,
    /// The least values so far, each with the operand that is chosen.
    known: Vec<(Arc<[IndexExpr]>, Affine)>,
}

impl Piece<'_> {
    fn affine(&mut self, e: &IndexExpr) -> Result<Affine, NotAffine> {
        let mut sum = Affine::constant(e.constant());
        for (atom, a) in e.terms() {
            let value = match atom {
                Atom::Size(k) => Affine::column(*k),
                Atom::Loop(k) => Affine::column(self.space.column(*k)),
                Atom::Floor(of, d) => {
                    let numerator = self.affine(of)?;
                    self.set.locals.push(Local::Floor { numerator, denominator: *d });
                    Affine::column(self.space.columns() + self.set.locals.len() - 1)
                }
                Atom::Least(of) => self.least(of)?,
                Atom::Product(_) => return Err(NotAffine::Product),
            };
            sum = sum.plus(*a, &value).map_err(|_| NotAffine::TooLarge)?;
        }
        Ok(sum)
    }

    fn least(&mut self, of: &Arc<[IndexExpr]>) -> Result<Affine, NotAffine> {
        if let Some((_, chosen)) = self.known.iter().find(|(known, _)| known == of) {
            return Ok(chosen.clone());
        }
        let values: Vec<Affine> = of.iter().map(|e| self.affine(e)).collect::<Result<_, _>>()?;
        let at = self.known.len();
        self.choices.resize(self.choices.len().max(at + 1), 0);
        let chosen = values[self.choices[at]].clone();
        self.known.push((of.clone(), chosen.clone()));
        for other in &values {
            let difference = other.plus(-1, &chosen).map_err(|_| NotAffine::TooLarge)?;
            if !difference.is_constant() || difference.constant < 0 {
                self.set.inequalities.push(difference);
            }
        }
        Ok(chosen)
    }
}

/// The maximum number of choices of least values in an access.
const MAX_CHOICES: usize = 64;

/// Conditions, of which none is negative, and index expressions without least values.
pub type Choice = (Vec<IndexExpr>, Vec<IndexExpr>);

/// For each choice of the operands that are the least ones, where that is so, and the expressions with them. Of several that are least, the
/// first one is chosen.
///
/// # Errors
/// There are more than 64 choices, or a coefficient exceeds 64 bits.
pub fn without_least(indices: &[IndexExpr]) -> Result<Vec<Choice>, NotAffine> {
    let (mut pending, mut done) = (vec![(Vec::new(), indices.to_vec())], Vec::new());
    while let Some((conditions, indices)) = pending.pop() {
        if pending.len() + done.len() > MAX_CHOICES {
            return Err(NotAffine::TooLarge);
        }
        let Some(least) = indices.iter().find_map(IndexExpr::least_value) else {
            done.push((conditions, indices));
            continue;
        };
        for (at, chosen) in least.iter().enumerate() {
            let mut conditions: Vec<IndexExpr> = conditions.clone();
            for (other_at, other) in least.iter().enumerate().filter(|(other_at, _)| *other_at != at) {
                let difference = other.plus(-1, chosen)?;
                conditions.push(if other_at < at { difference.plus_number(-1)? } else { difference });
            }
            let indices = indices.iter().map(|p| p.with_least(&least, chosen));
            pending.push((conditions, indices.collect::<Result<_, Overflow>>()?));
        }
    }
    Ok(done)
}
