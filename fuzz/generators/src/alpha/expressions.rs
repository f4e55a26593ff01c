//! Generates expressions that have a value on a context.

use super::bounds::around_image;
use super::maps::{Change, coordinate, lifted};
use super::regions::relaxed;
use super::{DefinitionPlan, SystemGenerator, must};
use crate::choices::DecisionSource;
use alpha::syntax::{ExprId, Expression, FunctionId, Intrinsic, VariableId, VariableRole};
use base::diagnostics::Span;
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{Affine, AffineMap, IndexSet, Space};
use selfsame_core::operators::{Binary, Constant, ElementType, Primitive, Unary};
use selfsame_core::operators::{binary_type, unary_type};
use values::Rounding;

const TYPES: [ElementType; 3] = [ElementType::Integer, ElementType::Real, ElementType::Boolean];

/// Functions with a fixed meaning, with the type of their operands and their result.
const PRIMITIVES: [(ElementType, Primitive); 4] = [
    (ElementType::Real, Primitive::Integral(Rounding::Down)),
    (ElementType::Real, Primitive::Integral(Rounding::Up)),
    (ElementType::Real, Primitive::Integral(Rounding::TowardZero)),
    (ElementType::Integer, Primitive::Quotient),
];

impl<C: DecisionSource> SystemGenerator<'_, C> {
    pub(super) fn push(&mut self, expression: Expression) -> ExprId {
        self.system.push(expression, Span::default())
    }

    /// An expression of a type whose domain contains the context.
    pub(super) fn expression(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        if fuel == 0 || self.system.expressions().len() > 40 * self.shape.depth {
            return self.operand(t, context);
        }
        match self.choices.below(13) {
            0 => self.operand(t, context),
            1 if self.choices.once_in(2) => self.call(t, context, fuel - 1),
            1 => self.unary(t, context, fuel - 1),
            2..=4 => self.binary(t, context, fuel - 1),
            5 => self.conditional(t, context, fuel - 1),
            6 | 7 => self.case(t, context, fuel - 1),
            8 => self.restriction(t, context, fuel - 1),
            9 => self.dependence(t, context, fuel - 1),
            _ if context.space.rank() < self.shape.max_rank => self.reduction(t, context, fuel - 1),
            _ => self.operand(t, context),
        }
    }

    /// A call of a function with this result type; without such a function, a unary operation.
    fn call(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let functions = self.system.functions.iter().enumerate();
        let fitting: Vec<(usize, Vec<ElementType>)> =
            functions.filter(|(_, f)| f.result == t).map(|(at, f)| (at, f.arguments.clone())).collect();
        let primitive = PRIMITIVES.iter().filter(|(of, _)| *of == t).collect::<Vec<_>>();
        // Plans have no such functions.
        if self.shape.bounded.is_none() && !primitive.is_empty() && self.choices.once_in(4) {
            let (_, primitive) = self.choices.pick(&primitive);
            let operands = (0..primitive.arity()).map(|_| self.expression(t, context, fuel)).collect();
            return self.push(Expression::Intrinsic(Intrinsic::Primitive(*primitive), operands));
        }
        if fitting.is_empty() {
            return self.unary(t, context, fuel);
        }
        let (at, arguments) = self.choices.pick(&fitting);
        let arguments = arguments.into_iter().map(|t| self.expression(t, context, fuel)).collect();
        self.push(Expression::Call(FunctionId::at(at), arguments))
    }

    fn unary(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let operators = Unary::ALL.into_iter().flat_map(|op| TYPES.map(|operand| (op, operand)));
        let fitting: Vec<(Unary, ElementType)> =
            operators.filter(|&(op, operand)| unary_type(op, operand) == Some(t)).collect();
        let (operator, operand) = self.choices.pick(&fitting);
        let e = self.expression(operand, context, fuel);
        self.push(Expression::Unary(operator, e))
    }

    fn binary(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let operators = Binary::ALL.iter().flat_map(|&op| TYPES.map(|operands| (op, operands)));
        let fitting: Vec<_> =
            operators.filter(|&(op, operands)| binary_type(op, operands) == Some(t)).collect();
        if self.shape.bounded.is_some() && t != ElementType::Boolean && self.choices.once_in(4) {
            return self.product_and_sum(t, context);
        }
        let (operator, operands) = self.choices.pick(&fitting);
        if operator.is_partial() && self.choices.once_in(8) {
            return self.quotient(operator, operands, context);
        }
        let pair = [(); 2].map(|()| self.expression(operands, context, fuel));
        self.push(Expression::Binary(operator, pair))
    }

    /// A quotient whose divisor may be undefined: 0 divided by it is 0 under controlled division.
    fn quotient(&mut self, operator: Binary, t: ElementType, context: &IndexSet) -> ExprId {
        let [dividend, a, b] = [(); 3].map(|()| self.operand(t, context));
        let divisor = self.push(Expression::Binary(operator, [a, b]));
        self.push(Expression::Binary(operator, [dividend, divisor]))
    }

    /// `a·b + c`, `a·b − c` or `c − a·b`, which machines fuse into one operation; each operand may be a constant.
    fn product_and_sum(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        let [a, b, c] = [(); 3].map(|()| match self.choices.below(3) {
            0 => self.constant(t, &context.space),
            _ => self.operand(t, context),
        });
        let product = self.push(Expression::Binary(Binary::Mul, [a, b]));
        let operator = self.choices.pick(&[Binary::Add, Binary::Sub]);
        let pair = if self.choices.once_in(2) { [product, c] } else { [c, product] };
        self.push(Expression::Binary(operator, pair))
    }

    fn conditional(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let parts = [ElementType::Boolean, t, t].map(|t| self.expression(t, context, fuel));
        if self.choices.once_in(3) {
            return self.push(Expression::Intrinsic(Intrinsic::Select, parts.to_vec()));
        }
        self.push(Expression::If(parts))
    }

    /// A `case` with a branch for each part of the context, in some order; a part may be split again.
    fn case(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let mut parts = self.partition(&context.space);
        if self.choices.once_in(3) {
            let last = parts.remove(parts.len() - 1);
            parts.extend(self.partition(&context.space).iter().map(|part| must(last.intersect(part))));
        }
        let first = self.choices.below(parts.len());
        parts.rotate_left(first);
        let branches = parts.iter().map(|part| {
            let inside = must(context.intersect(part));
            let e = self.expression(t, &inside, fuel);
            let domain =
                if self.choices.once_in(4) { self.written(&inside, 1) } else { self.written(part, 2) };
            self.push(Expression::Restrict(domain, e))
        });
        let branches = branches.collect();
        self.push(Expression::Case(branches))
    }

    /// A domain around the context, and an expression that need not have a value outside the context.
    fn restriction(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let parity = self.choices.below(2);
        let around = relaxed(context, |e| e.constant.rem_euclid(2) as usize == parity);
        let e = self.expression(t, context, fuel);
        let domain = self.written(&around, 2);
        self.push(Expression::Restrict(domain, e))
    }

    fn dependence(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let Change { map, image } = self.change(context, self.shape.max_rank);
        let e = self.expression(t, &image, fuel);
        self.push(Expression::Dependence(e, map))
    }

    /// `reduce(op, f, e)` over one or two additional dimensions, which are bounded from both sides.
    fn reduction(&mut self, t: ElementType, context: &IndexSet, fuel: usize) -> ExprId {
        let fitting: Vec<Binary> = Binary::ALL
            .iter()
            .copied()
            .filter(|&op| op.is_commutative() && binary_type(op, t) == Some(t))
            .collect();
        let operator = match t {
            ElementType::Integer | ElementType::Real if self.choices.once_in(3) => Binary::Add,
            _ => self.choices.pick(&fitting),
        };
        let rank = context.space.rank();
        let more = if rank + 2 <= self.shape.max_rank && self.choices.once_in(3) { 2 } else { 1 };
        let space = self.space(rank + more);
        let everywhere = IndexSet::universe(context.space.clone());
        let is_everywhere = self.choices.once_in(3) && self.shape.bounded.is_none();
        let mut base = if is_everywhere { everywhere } else { context.clone() };
        let declared = self.choices.once_in(3);
        if declared && self.choices.once_in(2) {
            base = must(base.intersect(&self.partition(&context.space)[0]));
        }
        let fibres = (rank..rank + more).fold(lifted(&base, &space), |set, d| self.bounded_above(&set, d));
        // Sometimes a product of matrices, if the context is a box.
        let is_plain = self.shape.bounded.is_some()
            && operator == Binary::Add
            && t != ElementType::Boolean
            && self.choices.once_in(2);
        let forth = match is_plain {
            true => AffineMap::identity(space.clone()),
            false => self.bijection(&space).forth,
        };
        let body = must(fibres.preimage(&forth));
        let mut projection = AffineMap::new(space, forth.outputs[..rank].to_vec());
        let e = match operator {
            _ if is_plain => self.product(t, &body),
            Binary::Add if t != ElementType::Boolean && self.choices.once_in(3) => self.product(t, &body),
            _ => self.body(t, &body, fuel),
        };
        if !declared && self.choices.once_in(8) {
            let operators = [operator, self.choices.pick(&fitting)];
            return self.twins(t, operators, &projection, e);
        }
        if declared {
            if rank > 0 && self.choices.once_in(3) {
                projection.outputs[0] = must(projection.outputs[0].plus(1, &projection.outputs[0]));
            }
            return self.reduction_over(operator, projection, context, e);
        }
        self.push(Expression::Reduce(operator, projection, e))
    }

    /// A product of elements that are each read at some of the indices, as in a product of matrices, restricted to
    /// a set: only the set bounds the indices that are not read.
    fn product(&mut self, t: ElementType, set: &IndexSet) -> ExprId {
        let first = self.factor(t, set);
        let product = (0..1 + self.choices.below(3)).fold(first, |product, _| {
            let next = self.factor(t, set);
            self.push(Expression::Binary(Binary::Mul, [product, next]))
        });
        let domain = self.written(set, 1);
        self.push(Expression::Restrict(domain, product))
    }

    fn factor(&mut self, t: ElementType, body: &IndexSet) -> ExprId {
        let mut kept: Vec<usize> = (0..body.space.rank()).filter(|_| !self.choices.once_in(3)).collect();
        if self.choices.once_in(3) {
            kept.reverse();
        }
        let mut outputs = Vec::new();
        for d in kept {
            let offset = Affine::constant(i64::from(self.choices.once_in(4)));
            outputs.push(must(coordinate(&body.space, d).plus(1, &offset)));
        }
        let map = AffineMap::new(body.space.clone(), outputs);
        let around = self.shape.bounded.and_then(|high| around_image(body, &map, high));
        let mut image = around.unwrap_or(IndexSet::universe(map.target()));
        // The input may have more elements than are read.
        for bound in image.pieces.iter_mut().flat_map(|piece| &mut piece.inequalities) {
            bound.constant += i64::from(self.choices.once_in(4));
        }
        let x = self.declare(VariableRole::Input, t, &image);
        self.read(x, map)
    }

    /// Two reductions of the same body, by two operators.
    fn twins(&mut self, t: ElementType, operators: [Binary; 2], projection: &AffineMap, e: ExprId) -> ExprId {
        let twins = operators.map(|operator| self.push(Expression::Reduce(operator, projection.clone(), e)));
        let both = if t == ElementType::Boolean { Binary::Xor } else { Binary::Sub };
        self.push(Expression::Binary(both, twins))
    }

    /// A reduction with a declared domain: one around the context, whatever the image of the projection is.
    fn reduction_over(
        &mut self,
        operator: Binary,
        projection: AffineMap,
        context: &IndexSet,
        e: ExprId,
    ) -> ExprId {
        let parity = self.choices.below(3);
        let around = relaxed(context, |e| e.constant.rem_euclid(2) as usize != parity);
        let domain = self.written(&around, 2);
        self.push(Expression::ReduceOver(operator, projection, domain, e))
    }

    /// Restricts one coordinate to an interval whose ends may depend on the columns before it.
    fn bounded_above(&mut self, set: &IndexSet, d: usize) -> IndexSet {
        let column = Affine::column(set.space.column(d));
        let earlier = Space { dimensions: set.space.dimensions[..d].into(), ..set.space.clone() };
        let low = if self.choices.once_in(3) { self.affine(&earlier) } else { self.offset() };
        let length = match self.lows.len() {
            parameters if parameters > 0 && self.choices.once_in(3) => {
                let at = self.choices.below(parameters);
                must(Affine::constant(-self.lows[at]).plus(1, &Affine::column(at)))
            }
            _ => Affine::constant(self.choices.below(4) as i64),
        };
        let high = must(low.plus(1, &length));
        let bounds = vec![must(column.plus(-1, &low)), must(high.plus(-1, &column))];
        must(set.intersect(&IndexSet::constrained(set.space.clone(), Vec::new(), bounds)))
    }

    /// An expression that has a value on exactly this set.
    fn body(&mut self, t: ElementType, set: &IndexSet, fuel: usize) -> ExprId {
        if self.choices.once_in(4) && self.has_room() {
            let input = self.declare(VariableRole::Input, t, set);
            return self.push(Expression::Variable(input));
        }
        let e = self.expression(t, set, fuel);
        let domain = self.written(set, 1);
        self.push(Expression::Restrict(domain, e))
    }

    fn has_room(&self) -> bool {
        self.system.variables.len() < self.shape.max_variables
    }

    /// A constant, or a variable at some points.
    fn operand(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        match self.choices.below(6) {
            0 if t == ElementType::Integer && self.choices.once_in(2) => self.index(&context.space),
            0 => self.constant(t, &context.space),
            1 | 2 if self.has_room() => self.read_local(t, context),
            3 | 4 if self.has_room() => self.read_input(t, context),
            _ => self.read_known(t, context),
        }
    }

    /// An index as a value.
    fn index(&mut self, space: &Space) -> ExprId {
        let map = self.map_into(space, 1);
        self.push(Expression::Index(map, ElementType::Integer))
    }

    /// A constant over the space.
    fn constant(&mut self, t: ElementType, space: &Space) -> ExprId {
        let constant = match t {
            ElementType::Integer if self.choices.once_in(20) => Constant::Integer(IBig::from(10).pow(20)),
            ElementType::Integer => Constant::Integer(IBig::from(self.choices.below(8) as i64 - 3)),
            ElementType::Boolean => Constant::Boolean(self.choices.once_in(2)),
            _ => {
                let quarters = IBig::from(self.choices.below(20) as i64 - 8);
                Constant::Real(RBig::from(quarters) / RBig::from(IBig::from(4)))
            }
        };
        let constant = self.push(Expression::Constant(constant));
        match space.rank() {
            0 if !self.choices.once_in(4) => constant,
            _ => self.push(Expression::Dependence(constant, AffineMap::new(space.clone(), Vec::new()))),
        }
    }

    /// A read of a variable through a map; the identity is usually not written.
    fn read(&mut self, x: VariableId, map: AffineMap) -> ExprId {
        let e = self.push(Expression::Variable(x));
        match map.outputs == AffineMap::identity(map.space.clone()).outputs && !self.choices.once_in(4) {
            true => e,
            false => self.push(Expression::Dependence(e, map)),
        }
    }

    fn read_input(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        let Change { map, image } = self.change(context, self.shape.max_rank);
        let x = self.declare(VariableRole::Input, t, &image);
        self.read(x, map)
    }

    fn read_local(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        if context.space.rank() < self.shape.max_rank && self.choices.once_in(2) {
            return self.read_serialized(t, context);
        }
        let Change { map, image } = self.change(context, self.shape.max_rank);
        let x = self.declare(VariableRole::Local, t, &image);
        self.pending.push((x, DefinitionPlan::Free));
        self.read(x, map)
    }

    /// A serialized reduction as in Fig. 3: a recurrence over an additional dimension, read at its end.
    fn read_serialized(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        let space = self.space(context.space.rank() + 1);
        let length = self.choices.below(4) as i64;
        let (low, high) = (Affine::constant(0), Affine::constant(length));
        let identity = AffineMap::identity(context.space.clone());
        let (set, axis) = self.raised_straight(&lifted(context, &space), &low, Some(&high));
        let x = self.recurrent(VariableRole::Local, t, &set, axis);
        let outputs = identity.outputs.into_iter().chain([high]).collect();
        self.read(x, AffineMap::new(context.space.clone(), outputs))
    }

    /// A variable that was declared on the context or everywhere and causes no cycle; else a constant, or an
    /// input.
    fn read_known(&mut self, t: ElementType, context: &IndexSet) -> ExprId {
        let fits = |x: &VariableId| {
            let variable = self.system.variable(*x);
            let later =
                variable.kind == VariableRole::Input || x.index() > self.current && self.barred != Some(*x);
            let set = &self.known[x.index()];
            let total = *set == IndexSet::universe(set.space.clone());
            variable.data_type == t && later && (total || set == context)
        };
        let fitting: Vec<VariableId> = self.system.variable_ids().filter(fits).collect();
        if fitting.is_empty() {
            return if self.has_room() {
                self.read_input(t, context)
            } else {
                self.constant(t, &context.space)
            };
        }
        let x = self.choices.pick(&fitting);
        let set = self.known[x.index()].clone();
        let map = match set == *context {
            true => AffineMap::identity(context.space.clone()),
            false => self.map_into(&context.space, set.space.rank()),
        };
        self.read(x, map)
    }
}
