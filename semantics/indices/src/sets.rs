//! Conditions on index expressions as index sets.

use crate::condition::Alternatives;
use crate::expression::{Atom, IndexExpr, Overflow};
use polyhedra::{Affine, BasicSet, IndexSet, Local, Space};
use std::fmt;

/// The maximum number of pieces of a set: each least value of a condition may make several.
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
    let (mut single, mut several) = (Vec::new(), Vec::new());
    for e in expressions {
        let mut alternatives = alternatives(std::slice::from_ref(e), &|_| true)?;
        if alternatives.len() == 1 {
            single.append(&mut alternatives);
        } else {
            several.push(alternatives);
        }
    }
    let all = Piece { space, set: BasicSet::universe() };
    let mut pieces: Vec<BasicSet> = Vec::new();
    let whole = all.with(&single.concat())?;
    if !whole.set.is_plainly_empty() {
        pieces.push(whole.set);
    }
    for alternatives in &several {
        let mut next: Vec<BasicSet> = Vec::new();
        for set in pieces {
            let piece = Piece { space, set };
            if piece.has_one(alternatives)? {
                next.push(piece.set);
                continue;
            }
            for alternative in alternatives {
                let Piece { set, .. } = piece.with(alternative)?;
                if !set.is_seen_empty(space.columns()) && !next.contains(&set) {
                    next.push(set);
                }
            }
            if next.len() > MAX_PIECES {
                return Err(NotAffine::TooLarge);
            }
        }
        pieces = next;
    }
    Ok(IndexSet { space: space.clone(), pieces })
}

/// Alternatives of expressions: where none of one is negative, and only there, none of the conditions is. In these, the least values that `is_chosen`
/// admits have been replaced by their operands: the least one is not negative where all are, and the greatest one where one is.
///
/// # Errors
/// There are more than 256 alternatives, or a coefficient exceeds 64 bits.
pub fn alternatives(
    conditions: &[IndexExpr],
    is_chosen: &impl Fn(&Atom) -> bool,
) -> Result<Alternatives, NotAffine> {
    let (mut pending, mut done) = (vec![conditions.to_vec()], Alternatives::new());
    while let Some(mut conditions) = pending.pop() {
        if pending.len() + done.len() > MAX_PIECES || conditions.len() > MAX_PIECES {
            return Err(NotAffine::TooLarge);
        }
        let mut found = None;
        for (at, e) in conditions.iter().enumerate() {
            if let Some((is_least, of)) = e.with_operands(is_chosen)? {
                found = Some((at, is_least, of));
                break;
            }
        }
        let Some((at, is_least, of)) = found else {
            done.push(conditions);
            continue;
        };
        if is_least {
            conditions.splice(at..=at, of);
            pending.push(conditions);
            continue;
        }
        // The first one is taken first.
        for e in of.into_iter().rev() {
            let mut chosen = conditions.clone();
            chosen[at] = e;
            pending.push(chosen);
        }
    }
    Ok(done)
}

/// A piece of a set.
struct Piece<'a> {
    space: &'a Space,
    set: BasicSet,
}

impl Piece<'_> {
    /// The part in which no expression is negative.
    fn with(&self, expressions: &[IndexExpr]) -> Result<Self, NotAffine> {
        let mut part = Piece { space: self.space, set: self.set.clone() };
        for e in expressions {
            let affine = part.affine(&e.cleared()?)?;
            part.set.inequalities.push(affine);
        }
        Ok(part)
    }

    /// Whether one of some alternatives is seen to hold at all its points.
    fn has_one(&self, alternatives: &Alternatives) -> Result<bool, NotAffine> {
        for alternative in alternatives {
            let mut holds = true;
            for e in alternative {
                let fails = self.with(&[e.negated()?])?;
                holds = holds && fails.set.is_seen_empty(self.space.columns());
            }
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn affine(&mut self, e: &IndexExpr) -> Result<Affine, NotAffine> {
        let mut sum = Affine::constant(e.constant());
        for (atom, a) in e.terms() {
            let value = match atom {
                Atom::Size(k) => Affine::column(*k),
                Atom::Loop(k) => Affine::column(self.space.column(*k)),
                Atom::Floor(of, d) => {
                    let local = Local::Floor { numerator: self.affine(of)?, denominator: *d };
                    let known = self.set.locals.iter().position(|known| *known == local);
                    let at = known.unwrap_or(self.set.locals.len());
                    if known.is_none() {
                        self.set.locals.push(local);
                    }
                    Affine::column(self.space.columns() + at)
                }
                // The least values have been replaced.
                Atom::Product(_) | Atom::Least(_) => return Err(NotAffine::Product),
            };
            sum = sum.plus(*a, &value).map_err(|_| NotAffine::TooLarge)?;
        }
        Ok(sum)
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
