//! ⟦·⟧BI (§5.2): bound inference.

use super::{Reading, Result, Translation, bottom};
use crate::selections::{Source, find_shapes};
use crate::syntax::{Bound, ExprId, Limit, Partition, Pattern};
use base::diagnostics::Span;

/// A partition with both bounds.
pub(super) struct Bounded {
    pub partition: Partition,
    pub lower: Limit,
    pub upper: Limit,
}

fn dot(span: Span, inclusive: bool) -> Limit {
    Limit { bound: Bound::Dot(span), inclusive }
}

fn of(e: ExprId, inclusive: bool) -> Limit {
    Limit { bound: Bound::Of(e), inclusive }
}

impl Translation<'_> {
    /// ⟦i → e | …; γ⟧BI: one of four rules, by the bounds that are given.
    pub(super) fn bound_inference(&mut self, partition: Partition, is_last: bool) -> Result<Bounded> {
        let (lower, upper) = match (partition.lower, partition.upper) {
            (None, None) => self.no_bounds(&partition, is_last)?,
            (Some(lower), None) => (lower, self.lower_bound(&partition, lower, is_last)?),
            (None, Some(upper)) => (self.upper_bound(&partition, upper, is_last)?, upper),
            (Some(lower), Some(upper)) => {
                // **sac-bi-full** (§5.2)
                if is_last && matches!(upper.bound, Bound::Dot(_)) {
                    return bottom(partition.span, "the last partition has `.` as its upper bound");
                }
                (lower, upper)
            }
        };
        let span = partition.span;
        let (lower, upper) = (self.moved(lower, true, span), self.moved(upper, false, span));
        Ok(Bounded { partition, lower, upper })
    }

    /// A bound as the paper writes it, `l <= i < u`.
    fn moved(&mut self, bound: Limit, inclusive: bool, span: Span) -> Limit {
        match bound.bound {
            Bound::Of(e) if bound.inclusive != inclusive => {
                let one = self.number(1, span);
                of(self.call("+", vec![e, one], span), inclusive)
            }
            bound => Limit { bound, inclusive },
        }
    }

    /// **sac-bi-none** (§5.2): no bounds.
    fn no_bounds(&mut self, partition: &Partition, is_last: bool) -> Result<(Limit, Limit)> {
        let span = partition.span;
        match self.shapes(partition) {
            Some(s) => Ok((of(self.times_zero(s, span), true), of(s, false))),
            None if !is_last => Ok((dot(span, true), dot(span, false))),
            None => bottom(
                partition.pattern.span(),
                "the upper bound of the last partition does not follow from its value",
            ),
        }
    }

    /// **sac-bi-lower** (§5.2): only a lower bound.
    fn lower_bound(&mut self, partition: &Partition, lower: Limit, is_last: bool) -> Result<Limit> {
        let span = partition.span;
        let is_pattern = matches!(partition.pattern, Pattern::Components(..));
        match (self.shapes(partition), lower.bound) {
            (Some(s), Bound::Of(l)) if !is_pattern => {
                let length = self.call("shape", vec![l], span);
                Ok(of(self.call("take", vec![length, s], span), false))
            }
            (Some(s), _) => Ok(of(s, false)),
            (None, _) if !is_last => Ok(dot(span, false)),
            (None, _) => bottom(
                partition.pattern.span(),
                "the upper bound of the last partition does not follow from its value",
            ),
        }
    }

    /// **sac-bi-upper** (§5.2): only an upper bound. As printed `l = u * 0` also where `u` is `.`, which has no value; repaired, `l` is `.` there.
    fn upper_bound(&mut self, partition: &Partition, upper: Limit, is_last: bool) -> Result<Limit> {
        match upper.bound {
            Bound::Dot(span) if is_last => bottom(span, "the last partition has `.` as its upper bound"),
            Bound::Dot(span) => Ok(dot(span, true)),
            Bound::Of(u) => Ok(of(self.times_zero(u, partition.span), true)),
        }
    }

    /// `u * 0`
    fn times_zero(&mut self, u: ExprId, span: Span) -> ExprId {
        let zero = self.number(0, span);
        self.call("*", vec![u, zero], span)
    }

    /// **find-shapes** (§5.2), **is-complete** (§5.2): the least extents by which an index is bounded; `None` if an index has none.
    fn shapes(&mut self, partition: &Partition) -> Option<ExprId> {
        let span = partition.span;
        let sources = find_shapes(&self.target, &partition.pattern, partition.value);
        if sources.iter().any(Vec::is_empty) {
            return None;
        }
        let extents: Vec<ExprId> = sources.iter().map(|sources| self.least(sources, span)).collect();
        match partition.pattern {
            Pattern::Vector(_) => extents.first().copied(),
            Pattern::Components(..) => Some(self.vector(extents, span)),
        }
    }

    /// The minimum of extents. Index vectors may select from arrays of different ranks, whose shapes `min` does not compare: repaired, the components that
    /// all of them have.
    fn least(&mut self, sources: &[Source], span: Span) -> ExprId {
        let mut least = None;
        for Source { array, axis } in sources {
            let shape = self.call("shape", vec![*array], span);
            let extent = match axis {
                Some(axis) => {
                    let axis = self.number(*axis, span);
                    self.select(shape, axis, span)
                }
                None => shape,
            };
            let minimum = if axis.is_none() && self.reading == Reading::Repaired { "minima" } else { "min" };
            least = Some(match least {
                None => extent,
                Some(least) => self.call(minimum, vec![least, extent], span),
            });
        }
        least.unwrap_or_else(|| self.number(0, span))
    }
}
