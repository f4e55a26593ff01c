//! Simplifies terms: bound indices that occur only in domains are counted, and index terms that a term is divided
//! by become part of the coefficient.

use crate::search::Search;
use crate::search::expansion::{SubstitutedNode, SumFactor, SumTerm};
use crate::search::matching::MAX_SAMPLES;
use crate::search::samples::{SamplePoint, extended};
use checker::counting::counted;
use checker::proof::Semiring;
use selfsame_core::{Index, Node, Variable};

impl Search<'_> {
    /// The terms of both sides with `simpler` applied where possible; `None` if it applies to none.
    pub(crate) fn simplified(
        &self,
        semiring: Semiring,
        sides: &[Vec<SumTerm>; 2],
        simpler: &dyn Fn(&Self, &SumTerm) -> Option<SumTerm>,
    ) -> Option<[Vec<SumTerm>; 2]> {
        let mut any = false;
        let simplified = [0, 1].map(|side| {
            let of = |term: &SumTerm| simpler(self, term).inspect(|_| any = true);
            sides[side].iter().map(of).collect::<Vec<_>>()
        });
        let or_itself = |side: usize, of: Vec<Option<SumTerm>>| -> Vec<SumTerm> {
            of.into_iter().zip(&sides[side]).map(|(new, term)| new.unwrap_or_else(|| term.clone())).collect()
        };
        let [left, right] = simplified;
        (any && semiring == Semiring::PlusTimes).then(|| [or_itself(0, left), or_itself(1, right)])
    }

    /// The term with the bound indices counted that occur only in its domain; `None` if there are none.
    pub(crate) fn counted(&self, term: &SumTerm) -> Option<SumTerm> {
        let in_factor = |side: &SubstitutedNode, v: Variable| {
            let mut free = self.program.free(side.node).iter();
            free.any(|&w| side.at.find(w).unwrap_or_else(|| Index::from(w)).mentions(v))
        };
        let (number, index) = &term.coefficient;
        let occurs = |v: Variable| {
            let in_coefficient = index.mentions(v) || term.over.mentions(v);
            in_coefficient || term.factors.iter().any(|factor| in_factor(&factor.side, v))
        };
        let binders: Vec<Variable> = term.binders.iter().map(|(v, _)| *v).collect();
        let counted = counted(&binders, &term.domain, &occurs)?;
        let mut term = term.clone();
        term.coefficient = (number.clone(), index * &counted.number);
        term.binders = without(&term.binders, &counted.binders);
        term.domain = counted.domain;
        Some(term)
    }

    /// The term with its index divisors moved into the coefficient; `None` if there are none, or one is 0 at a
    /// sample.
    pub(crate) fn divided(&self, term: &SumTerm, points: &[SamplePoint]) -> Option<SumTerm> {
        let divisor = |factor: &SumFactor| match self.program.node(factor.side.node) {
            Node::Index(p, _) if factor.reciprocal => Some(factor.side.at.index(p)),
            _ => None,
        };
        let divisors: Vec<Index> = term.factors.iter().filter_map(divisor).collect();
        let over = divisors.iter().fold(Index::from(1), |over, divisor| &over * divisor);
        let there = extended(points, &term.binders, &term.domain, MAX_SAMPLES);
        if divisors.is_empty() || there.iter().any(|point| over.value(point) == Ok(0)) {
            return None;
        }
        let mut term = SumTerm { over, ..term.clone() };
        term.factors.retain(|factor| divisor(factor).is_none());
        Some(term)
    }
}

/// Drops bound indices; the bounds of the kept ones no longer mention them, and are as wide as the dropped ones
/// allow.
fn without(binders: &[(Variable, [Index; 2])], kept: &[Variable]) -> Vec<(Variable, [Index; 2])> {
    let mut binders = binders.to_vec();
    while let Some(at) = binders.iter().rposition(|(v, _)| !kept.contains(v)) {
        let (gone, [lower, upper]) = binders.remove(at);
        let ends = [lower, upper - Index::from(1)];
        for (_, [lower, upper]) in &mut binders {
            let at_end = |p: &Index, end: &Index| p.substitute(&|v| (v == gone).then(|| end.clone()));
            *lower = at_end(lower, &ends[0]).minimum(&at_end(lower, &ends[1]));
            *upper = at_end(upper, &ends[0]).maximum(&at_end(upper, &ends[1]));
        }
    }
    binders
}
