//! Basic sets: conjunctions of affine constraints, with existentially quantified and floor terms.

use crate::affine::Affine;
use crate::elimination::{Rows, eliminate, rows};
use crate::error::EngineError;
use std::convert::Infallible;

/// A column that is neither a parameter nor a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Local {
    /// `∃ e`
    Exists,
    /// `⌊numerator / denominator⌋`; the numerator uses earlier columns only, and the denominator is positive.
    Floor {
        /// The dividend.
        numerator: Affine,
        /// The divisor.
        denominator: i64,
    },
}

impl Local {
    fn map<E>(&self, change: &impl Fn(&Affine) -> Result<Affine, E>) -> Result<Local, E> {
        Ok(match self {
            Local::Exists => Local::Exists,
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: change(numerator)?, denominator: *denominator }
            }
        })
    }
}

/// **alpha-definition-6** (Definition 6), **alpha-eq-2** (eq. 2): the points that satisfy every constraint. Columns are the owner's (parameters, then dimensions), then locals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BasicSet {
    /// The local columns.
    pub locals: Vec<Local>,
    /// `e = 0`
    pub equalities: Vec<Affine>,
    /// `e ≥ 0`
    pub inequalities: Vec<Affine>,
}

impl BasicSet {
    /// All points: no constraints.
    pub fn universe() -> BasicSet {
        BasicSet::default()
    }

    /// Applies `change` to every expression, including the numerators of floor terms.
    ///
    /// # Errors
    /// The errors of `change`.
    pub fn map<E>(&self, change: impl Fn(&Affine) -> Result<Affine, E>) -> Result<BasicSet, E> {
        Ok(BasicSet {
            locals: self.locals.iter().map(|local| local.map(&change)).collect::<Result<_, _>>()?,
            equalities: self.equalities.iter().map(&change).collect::<Result<_, _>>()?,
            inequalities: self.inequalities.iter().map(&change).collect::<Result<_, _>>()?,
        })
    }

    /// The constraints with their columns renumbered; `to` must not merge columns.
    pub fn moved(&self, to: impl Fn(usize) -> usize) -> BasicSet {
        let Ok(moved) = self.map::<Infallible>(|affine| Ok(affine.moved(&to)));
        moved
    }

    /// The conjunction of both; `outer` is the number of columns before the locals.
    pub fn intersect(&self, other: &BasicSet, outer: usize) -> BasicSet {
        let mine = self.locals.len();
        let other = other.moved(|at| if at < outer { at } else { at + mine });
        let mut both = self.clone();
        both.locals.extend(other.locals);
        extend_new(&mut both.equalities, other.equalities);
        extend_new(&mut both.inequalities, other.inequalities);
        both
    }

    /// The polyhedron in which every floor term is the fraction `numerator / denominator`, not rounded; `outer` is
    /// the number of columns before the locals.
    ///
    /// # Errors
    /// A coefficient exceeds 64 bits.
    pub(crate) fn with_fractions(&self, outer: usize) -> Result<BasicSet, EngineError> {
        let mut fractions = self.clone();
        for (at, local) in self.locals.iter().enumerate() {
            if let Local::Floor { numerator, denominator } = local {
                fractions.equalities.push(numerator.plus(-denominator, &Affine::column(outer + at))?);
                fractions.locals[at] = Local::Exists;
            }
        }
        Ok(fractions)
    }

    /// All expressions, each with whether it is an equality.
    pub fn constraints(&self) -> impl Iterator<Item = (&Affine, bool)> {
        let equalities = self.equalities.iter().map(|e| (e, true));
        equalities.chain(self.inequalities.iter().map(|e| (e, false)))
    }

    /// Whether a constant constraint is false, so that the set is plainly empty.
    pub fn is_plainly_empty(&self) -> bool {
        let fails = |(e, equality): (&Affine, bool)| {
            e.is_constant() && if equality { e.constant != 0 } else { e.constant < 0 }
        };
        self.constraints().any(fails)
    }

    /// Whether elimination over the rationals sees that the set is empty; `outer` is the number of columns before the locals.
    pub fn is_seen_empty(&self, outer: usize) -> bool {
        let columns = (0..outer + self.locals.len()).rev();
        let contradicts = |rows: &Rows| rows.iter().any(|row| row.is_constant() && row.constant < 0);
        let start = rows(self, outer).unwrap_or_default();
        let eliminated = columns.into_iter().try_fold(start, |rows, column| {
            (rows.len() <= MAX_SEEN && !contradicts(&rows))
                .then(|| eliminate(&rows, column).ok())
                .flatten()
                .ok_or(rows)
        });
        let (Ok(rows) | Err(rows)) = eliminated;
        contradicts(&rows)
    }
}

/// The maximum number of rows in which [`BasicSet::is_seen_empty`] eliminates a column.
const MAX_SEEN: usize = 100;

fn extend_new(constraints: &mut Vec<Affine>, more: Vec<Affine>) {
    for constraint in more {
        if !constraints.contains(&constraint) {
            constraints.push(constraint);
        }
    }
}
