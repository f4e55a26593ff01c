//! ⟦·⟧W (§5.4): comprehensions with bounds and without dots are with-loops.

use super::Translation;
use super::bounds::Bounded;
use crate::syntax::{Bound, ExprId, Expression, Generator, Name, Operator, Partition, Pattern, WithLoop};
use base::diagnostics::Span;
use rustc_hash::FxHashMap;

impl Translation<'_> {
    /// **sac-w** (§5.4): the last partition says the shape and the default element.
    pub(super) fn with_generators(&mut self, span: Span, partitions: Vec<Bounded>) -> ExprId {
        let operator = match partitions.last() {
            Some(last) => self.genarray(last),
            None => {
                let nothing = self.vector(Vec::new(), span);
                Operator::Genarray(nothing, nothing)
            }
        };
        let generators = partitions.into_iter().map(|Bounded { partition, lower, upper }| {
            let Partition { pattern, value, span, .. } = partition;
            Generator { lower, upper, pattern, step: None, width: None, body: Vec::new(), value, span }
        });
        let of = WithLoop { generators: generators.collect(), operator };
        self.target.push(Expression::With(Box::new(of)), span)
    }

    /// `genarray(uₙ, genarray(shape(ēₙ), zero(ēₙ)))`
    fn genarray(&mut self, last: &Bounded) -> Operator {
        let span = last.partition.span;
        let upper = match last.upper.bound {
            Bound::Of(u) => u,
            // Bound inference leaves no `.` there.
            Bound::Dot(span) => self.vector(Vec::new(), span),
        };
        let at_zero = self.at_zeros(last);
        let shape = self.call("shape", vec![at_zero], span);
        let zero = self.call("zero", vec![at_zero], span);
        Operator::Genarray(upper, self.call("genarray", vec![shape, zero], span))
    }

    /// ēₙ (§5.4): `subst eₙ ĩₙ genarray(shape(lₙ), zero(lₙ))`
    fn at_zeros(&mut self, last: &Bounded) -> ExprId {
        let span = last.partition.span;
        let mut by: FxHashMap<Name, ExprId> = FxHashMap::default();
        match (&last.partition.pattern, last.lower.bound) {
            (Pattern::Vector(binding), Bound::Of(l)) => {
                let (shape, zero) = (self.call("shape", vec![l], span), self.call("zero", vec![l], span));
                by.insert(binding.name.clone(), self.call("genarray", vec![shape, zero], span));
            }
            (pattern, _) => {
                let zero = self.number(0, span);
                by.extend(pattern.bindings().iter().map(|binding| (binding.name.clone(), zero)));
            }
        }
        self.substituted(last.partition.value, &by)
    }
}
