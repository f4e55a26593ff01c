//! Generates equations: one or several for a variable, and recurrences.

use super::maps::{Bijection, coordinate};
use super::regions::half;
use super::{Axis, DefinitionPlan, SystemGenerator, must};
use crate::choices::DecisionSource;
use alpha::syntax::{ExprId, Expression, VariableId, VariableRole};
use polyhedra::{Affine, AffineMap, IndexSet, Space};
use selfsame_core::operators::{Binary, ElementType};

impl<C: DecisionSource> SystemGenerator<'_, C> {
    pub(super) fn define(&mut self, x: VariableId, plan: &DefinitionPlan) {
        let set = self.known[x.index()].clone();
        match plan {
            DefinitionPlan::Free if self.choices.once_in(4) => self.in_parts(x, &set),
            DefinitionPlan::Free => {
                let e = self.expression(self.system.variable(x).data_type, &set, self.shape.depth);
                self.equate(x, e);
            }
            DefinitionPlan::Recurrence(axis) => self.recurs(x, x, axis, &set),
            DefinitionPlan::Mutual(axis, other) => self.recurs(x, *other, axis, &set),
            DefinitionPlan::Follower(leader) => {
                let data_type = self.system.variable(x).data_type;
                let leader = self.push(Expression::Variable(*leader));
                let e = self.combined(data_type, leader, &set);
                self.equate(x, e);
            }
        }
    }

    /// Several equations, each restricted to a part of the domain.
    fn in_parts(&mut self, x: VariableId, set: &IndexSet) {
        let data_type = self.system.variable(x).data_type;
        for part in self.partition(&set.space) {
            let context = must(set.intersect(&part));
            let e = self.expression(data_type, &context, self.shape.depth - 1);
            let part = self.written(&part, 1);
            let e = self.push(Expression::Restrict(part, e));
            self.equate(x, e);
        }
    }

    /// Declares a variable defined by its previous element, on a domain with a lowest coordinate; possibly through
    /// another variable between an element and its predecessor.
    pub(super) fn recurrence(
        &mut self,
        kind: VariableRole,
        data_type: ElementType,
        rank: usize,
    ) -> VariableId {
        let space = self.space(rank);
        let outer = self.boxed(&space);
        let column = space.column(rank - 1);
        let outer = super::regions::relaxed(&outer, |e| e.coefficient(column) == 0);
        let low = Affine::constant(self.choices.below(4) as i64 - 1);
        let high = self.choices.below(5) as i64;
        let is_bounded = !self.choices.once_in(3) || self.shape.bounded.is_some();
        let high = is_bounded.then(|| must(Affine::constant(high).plus(1, &low)));
        let (set, axis) = self.raised(&outer, &low, high.as_ref());
        self.recurrent(kind, data_type, &set, axis)
    }

    /// A set with its last coordinate between bounds, skewed at random, and the direction of that coordinate.
    fn raised(&mut self, outer: &IndexSet, low: &Affine, high: Option<&Affine>) -> (IndexSet, Axis) {
        let (set, Axis { height, before }) = self.raised_straight(outer, low, high);
        if !self.choices.once_in(3) {
            return (set, Axis { height, before });
        }
        let Bijection { forth, back } = self.bijection(&outer.space);
        let before = must(must(back.after(&before)).after(&forth));
        let skewed = must(AffineMap::new(outer.space.clone(), vec![height]).after(&forth));
        (must(set.preimage(&forth)), Axis { height: skewed.outputs[0].clone(), before })
    }

    /// A set with its last coordinate between bounds, and the direction of that coordinate.
    pub(super) fn raised_straight(
        &self,
        outer: &IndexSet,
        low: &Affine,
        high: Option<&Affine>,
    ) -> (IndexSet, Axis) {
        let (space, last) = (&outer.space, outer.space.rank() - 1);
        let x = coordinate(space, last);
        let height = must(x.plus(-1, low));
        let mut inequalities = vec![height.clone()];
        inequalities.extend(high.map(|high| must(high.plus(-1, &x))));
        let set = must(outer.intersect(&IndexSet::constrained(space.clone(), Vec::new(), inequalities)));
        let mut before = AffineMap::identity(space.clone());
        before.outputs[last] = must(x.plus(-1, &Affine::constant(1)));
        (set, Axis { height, before })
    }

    pub(super) fn recurrent(
        &mut self,
        kind: VariableRole,
        data_type: ElementType,
        set: &IndexSet,
        axis: Axis,
    ) -> VariableId {
        let x = self.declare(kind, data_type, set);
        if self.choices.once_in(4) {
            let follower = self.declare(VariableRole::Local, data_type, set);
            self.pending.push((x, DefinitionPlan::Mutual(axis, follower)));
            self.pending.push((follower, DefinitionPlan::Follower(x)));
        } else {
            self.pending.push((x, DefinitionPlan::Recurrence(axis)));
        }
        x
    }

    /// `X = case {height=0} : e; {height>0} : Y.before op e; esac`, as one equation or as two.
    fn recurs(&mut self, x: VariableId, y: VariableId, axis: &Axis, set: &IndexSet) {
        let data_type = self.system.variable(x).data_type;
        let space = set.space.clone();
        let lowest = self.at_the_bottom(&space, axis);
        let above = half(&space, &must(axis.height.plus(-1, &Affine::constant(1))));
        let context = must(set.intersect(&lowest));
        let first = self.expression(data_type, &context, 1);
        let lowest = self.written(&lowest, 1);
        let first = self.push(Expression::Restrict(lowest, first));
        let context = must(set.intersect(&above));
        let y = self.push(Expression::Variable(y));
        let before = self.push(Expression::Dependence(y, axis.before.clone()));
        let next = self.combined(data_type, before, &context);
        let above = self.written(&above, 1);
        let next = self.push(Expression::Restrict(above, next));
        if self.choices.once_in(3) {
            self.equate(x, next);
            self.equate(x, first);
        } else {
            let e = self.push(Expression::Case(vec![first, next]));
            self.equate(x, e);
        }
    }

    /// Where the height is 0, as an equality or as an inequality.
    fn at_the_bottom(&mut self, space: &Space, axis: &Axis) -> IndexSet {
        match self.choices.once_in(3) {
            true => half(space, &must(Affine::default().plus(-1, &axis.height))),
            false => IndexSet::constrained(space.clone(), vec![axis.height.clone()], Vec::new()),
        }
    }

    /// Combines an operand with another one, on either side, or puts it below an operator.
    fn combined(&mut self, data_type: ElementType, operand: ExprId, context: &IndexSet) -> ExprId {
        let operators: &[Binary] = match data_type {
            ElementType::Integer => {
                &[Binary::Add, Binary::Sub, Binary::Max, Binary::Mul, Binary::Xor, Binary::Mod]
            }
            ElementType::Boolean => &[Binary::And, Binary::Or, Binary::Xor, Binary::Equal],
            _ => &[Binary::Add, Binary::Sub, Binary::Mul, Binary::Min, Binary::Div],
        };
        let operator = self.choices.pick(operators);
        let other = self.expression(data_type, context, 1);
        let operands = if self.choices.once_in(3) { [other, operand] } else { [operand, other] };
        self.push(Expression::Binary(operator, operands))
    }
}
