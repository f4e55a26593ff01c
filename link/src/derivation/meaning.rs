//! Where an expression of ALPHA has a meaning.

use alpha::syntax::{ExprId, Expression, System};
use alpha::typing::Typing;
use checker::systems::{casts, compares};
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, Constant, ElementType, Unary};
use values::{Scalar, SystemName};

/// Whether an expression of ALPHA has a meaning in a number system if its operands have.
pub fn expression_has_meaning(of: &System, typing: &Typing, e: ExprId, system: SystemName) -> bool {
    let data_type = |e: ExprId| system.of(typing.shape(e).data_type);
    let reads = |number: RBig| Scalar::has(data_type(e), &number);
    let is_compared = |operator: Binary, of: ElementType| {
        of == ElementType::Boolean || !compares(operator) || of.is_ordered()
    };
    match of.expression(e) {
        Expression::Constant(Constant::Integer(number)) => reads(number.clone().into()),
        Expression::Constant(Constant::Real(number) | Constant::Typed(number, _)) => reads(number.clone()),
        Expression::Unary(Unary::Absolute, operand) => data_type(*operand).is_ordered(),
        Expression::Unary(Unary::Cast(to), operand) => casts(data_type(*operand), system.of(*to)),
        Expression::Binary(operator, [left, _]) => is_compared(*operator, data_type(*left)),
        Expression::Reduce(operator, _, _) | Expression::ReduceOver(operator, ..) => {
            is_compared(*operator, data_type(e))
        }
        _ => true,
    }
}
