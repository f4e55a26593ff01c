//! ⟦·⟧ED (§5.3): dots in index patterns become variables, with which the value is selected from.

use super::bounds::Bounded;
use super::{Reading, Translation};
use crate::syntax::{Binding, Bound, Component, ExprId, Limit, Name, Partition, Pattern};
use base::diagnostics::Span;
use rustc_hash::FxHashMap;

/// A pattern with dots, in its parts.
struct Dotted {
    /// The components left of `...`, or all.
    left: Vec<Component>,
    /// Those right of it, if it is there.
    right: Option<Vec<Component>>,
}

fn dots(of: &[Component]) -> usize {
    of.iter().filter(|component| matches!(component, Component::Dot(_))).count()
}

impl Dotted {
    fn of(pattern: &Pattern) -> Option<Dotted> {
        let Pattern::Components(components, _) = pattern else { return None };
        let many = components.iter().position(|component| matches!(component, Component::Dots(_)));
        match many {
            Some(at) => {
                let right = Some(components[at + 1..].to_vec());
                Some(Dotted { left: components[..at].to_vec(), right })
            }
            None if dots(components) > 0 => Some(Dotted { left: components.clone(), right: None }),
            None => None,
        }
    }
}

impl Translation<'_> {
    /// ⟦i → e | l ≤ ĩ < u⟧ED
    pub(super) fn eliminated(&mut self, of: Bounded) -> Bounded {
        match (Dotted::of(&of.partition.pattern), self.reading) {
            (None, _) => of,
            (Some(Dotted { left, right: None }), _) => self.single_dots(of, &left),
            (Some(Dotted { left, right: Some(right) }), Reading::Printed) => {
                self.triple_dots(of, &left, &right)
            }
            (Some(Dotted { left, right: Some(right) }), Reading::Repaired) => {
                self.triple_dots_as_vector(of, &left, &right)
            }
        }
    }

    /// ē (§5.3): the value where all indices are 0.
    fn at_zero(&mut self, partition: &Partition) -> ExprId {
        let zero = self.number(0, partition.span);
        let by: FxHashMap<Name, ExprId> =
            partition.pattern.bindings().iter().map(|binding| (binding.name.clone(), zero)).collect();
        self.substituted(partition.value, &by)
    }

    /// **sac-ed-single** (§5.3): `ĵ → e[[t]] | merge i l 0 ≤ ĵ < merge i u (take m (shape ē))`
    fn single_dots(&mut self, of: Bounded, pattern: &[Component]) -> Bounded {
        let Bounded { partition, lower, upper } = of;
        let (span, m) = (partition.span, dots(pattern));
        let at_zero = self.at_zero(&partition);
        let new: Vec<Binding> = (0..m).map(|_| self.fresh("t", span)).collect();
        let selection: Vec<ExprId> = new.iter().map(|of| self.variable(of)).collect();
        let index = self.vector(selection, span);
        let value = self.select(partition.value, index, span);
        let zeros = vec![self.number(0, span); m];
        let shape = self.call("shape", vec![at_zero], span);
        let count = self.number(m, span);
        let count = self.vector(vec![count], span);
        let extents = self.call("take", vec![count, shape], span);
        let extents: Vec<ExprId> = (0..m)
            .map(|k| {
                let k = self.number(k, span);
                self.select(extents, k, span)
            })
            .collect();
        let lower = self.merged_bound(pattern, lower, zeros, span);
        let upper = self.merged_bound(pattern, upper, extents, span);
        let components = self.merged_pattern(pattern, new);
        let pattern = Pattern::Components(components, partition.pattern.span());
        Bounded { partition: Partition { pattern, value, ..partition }, lower, upper }
    }

    /// **merge** (§5.3), of a pattern: the new variables for its dots.
    fn merged_pattern(&mut self, pattern: &[Component], new: Vec<Binding>) -> Vec<Component> {
        let mut new = new.into_iter();
        pattern
            .iter()
            .filter_map(|component| match component {
                Component::Variable(binding) => Some(Component::Variable(binding.clone())),
                Component::Dot(_) | Component::Dots(_) => new.next().map(Component::Variable),
            })
            .collect()
    }

    /// **merge** (§5.3), of a bound: `merge xs . ss = .`; the components of a vector are selected.
    fn merged_bound(&mut self, pattern: &[Component], bound: Limit, dots: Vec<ExprId>, span: Span) -> Limit {
        let Bound::Of(vector) = bound.bound else { return bound };
        let merged = self.merge(pattern, vector, 0, dots, span);
        let all = self.vector(merged, span);
        Limit { bound: Bound::Of(all), inclusive: bound.inclusive }
    }

    /// The components of a bound, from one on, and those for dots.
    fn merge(
        &mut self,
        pattern: &[Component],
        vector: ExprId,
        from: usize,
        dots: Vec<ExprId>,
        span: Span,
    ) -> Vec<ExprId> {
        let (mut at, mut dots) = (from, dots.into_iter());
        let mut merged = Vec::new();
        for component in pattern {
            match component {
                Component::Variable(_) => {
                    let k = self.number(at, span);
                    merged.push(self.select(vector, k, span));
                    at += 1;
                }
                Component::Dot(_) | Component::Dots(_) => merged.extend(dots.next()),
            }
        }
        merged
    }

    /// **sac-ed-triple** (§5.3), as printed: the variable for `...` is a component like the others, though its bounds are vectors of `dim(ē) − m − n`
    /// components. So the rule is right only where that is 1.
    fn triple_dots(&mut self, of: Bounded, left: &[Component], right: &[Component]) -> Bounded {
        let Bounded { partition, lower, upper } = of;
        let span = partition.span;
        let (m, n) = (dots(left), dots(right));
        let at_zero = self.at_zero(&partition);
        let new: Vec<Binding> = (0..m + 1 + n).map(|_| self.fresh("t", span)).collect();
        let selection: Vec<ExprId> = new.iter().map(|of| self.variable(of)).collect();
        let index = self.vector(selection, span);
        let value = self.select(partition.value, index, span);
        let bounds = self.bounds_around((left, right), (lower, upper), at_zero, span);
        let mut all = self.merged_pattern(left, new[..m].to_vec());
        all.push(Component::Variable(new[m].clone()));
        all.extend(self.merged_pattern(right, new[m + 1..].to_vec()));
        let pattern = Pattern::Components(all, partition.pattern.span());
        Bounded { partition: Partition { pattern, value, ..partition }, lower: bounds.0, upper: bounds.1 }
    }

    /// **merge-d** (§5.3), of both bounds: what stands left of `...`, what it stands for, and what stands right of it.
    fn bounds_around(
        &mut self,
        (left, right): (&[Component], &[Component]),
        (lower, upper): (Limit, Limit),
        at_zero: ExprId,
        span: Span,
    ) -> (Limit, Limit) {
        let (m, n) = (dots(left), dots(right));
        let (before, shape) = (left.len() - m, self.call("shape", vec![at_zero], span));
        let dim = self.call("dim", vec![at_zero], span);
        let single = self.number(m + n, span);
        let many = self.call("-", vec![dim, single], span);
        let many = self.vector(vec![many], span);
        let zero = self.number(0, span);
        let zeros = self.call("genarray", vec![many, zero], span);
        let [first, last] = [m, n].map(|count| self.number(count, span));
        let first = self.vector(vec![first], span);
        let last = self.call("-", vec![last], span);
        let last = self.vector(vec![last], span);
        let inner = self.call("drop", vec![last, shape], span);
        let inner = self.call("drop", vec![first, inner], span);
        let of_shape = |this: &mut Self, function: &str, count: ExprId, number: usize| -> Vec<ExprId> {
            let part = this.call(function, vec![count, shape], span);
            (0..number)
                .map(|k| {
                    let k = this.number(k, span);
                    this.select(part, k, span)
                })
                .collect()
        };
        let (extents_left, extents_right) =
            (of_shape(self, "take", first, m), of_shape(self, "take", last, n));
        let around = |this: &mut Self, bound: Limit, dots: [Vec<ExprId>; 2], middle: ExprId| {
            let Bound::Of(vector) = bound.bound else { return bound };
            let [of_left, of_right] = dots;
            let of_left = this.merge(left, vector, 0, of_left, span);
            let of_right = this.merge(right, vector, before, of_right, span);
            let parts = [this.vector(of_left, span), middle, this.vector(of_right, span)];
            let all = this.concatenated(parts.to_vec(), span);
            Limit { bound: Bound::Of(all), inclusive: bound.inclusive }
        };
        let lower = around(self, lower, [vec![zero; m], vec![zero; n]], zeros);
        let upper = around(self, upper, [extents_left, extents_right], inner);
        (lower, upper)
    }

    /// **sac-ed-triple** (§5.3), repaired: one variable for the index vector, of which the indices and the axes of dots are parts.
    fn triple_dots_as_vector(&mut self, of: Bounded, left: &[Component], right: &[Component]) -> Bounded {
        let Bounded { partition, lower, upper } = of;
        let span = partition.span;
        let at_zero = self.at_zero(&partition);
        let bounds = self.bounds_around((left, right), (lower, upper), at_zero, span);
        let vector = self.fresh("iv", span);
        let iv = self.variable(&vector);
        let mut by: FxHashMap<Name, ExprId> = FxHashMap::default();
        let (mut of_left, mut of_right) = (Vec::new(), Vec::new());
        for (at, component) in left.iter().enumerate() {
            let at = self.number(at, span);
            self.part_of_index(component, (iv, at), (&mut by, &mut of_left), span);
        }
        let shape = self.call("shape", vec![iv], span);
        let zero = self.number(0, span);
        let length = self.select(shape, zero, span);
        for (at, component) in right.iter().enumerate() {
            let back = self.number(right.len() - at, span);
            let at = self.call("-", vec![length, back], span);
            self.part_of_index(component, (iv, at), (&mut by, &mut of_right), span);
        }
        let [first, last] = [left.len(), right.len()].map(|count| self.number(count, span));
        let first = self.vector(vec![first], span);
        let last = self.call("-", vec![last], span);
        let last = self.vector(vec![last], span);
        let middle = self.call("drop", vec![last, iv], span);
        let middle = self.call("drop", vec![first, middle], span);
        let parts = [self.vector(of_left, span), middle, self.vector(of_right, span)];
        let index = self.concatenated(parts.to_vec(), span);
        let value = self.substituted(partition.value, &by);
        let value = self.select(value, index, span);
        let pattern = Pattern::Vector(vector);
        Bounded { partition: Partition { pattern, value, ..partition }, lower: bounds.0, upper: bounds.1 }
    }

    /// A component of the index vector: for a variable, or for a dot.
    fn part_of_index(
        &mut self,
        component: &Component,
        (iv, at): (ExprId, ExprId),
        (by, dots): (&mut FxHashMap<Name, ExprId>, &mut Vec<ExprId>),
        span: Span,
    ) {
        let part = self.select(iv, at, span);
        match component {
            Component::Variable(binding) => {
                by.insert(binding.name.clone(), part);
            }
            Component::Dot(_) | Component::Dots(_) => dots.push(part),
        }
    }
}
