//! Where an expression of ALPHA has a meaning.

use alpha::syntax::{ExprId, Expression, System};
use alpha::typing::Typing;
use checker::systems::{compares, is_ordered};
use dashu_ratio::RBig;
use selfsame_core::operators::{Constant, DataType, Unary};
use values::{Algebra, Literal, NumberSystem};

/// Whether an expression of ALPHA has a meaning in a number system if its operands have.
pub fn expression_has_meaning<S: NumberSystem>(of: &System, typing: &Typing, e: ExprId, system: &S) -> bool {
    let data_type = |e: ExprId| typing.shape(e).data_type;
    let reads = |number: RBig| system.read(&Literal::Exact(number)).is_ok();
    if data_type(e) == DataType::Integer && !matches!(system.algebra(), Algebra::Integers | Algebra::Wrapping)
    {
        return false;
    }
    match of.expression(e) {
        Expression::Constant(Constant::Integer(number)) => reads(number.clone().into()),
        Expression::Constant(Constant::Real(number)) => reads(number.clone()),
        Expression::Unary(Unary::Absolute | Unary::Cast(_), _) => is_ordered(system),
        Expression::Binary(operator, [left, _]) if data_type(*left) != DataType::Boolean => {
            !compares(*operator) || is_ordered(system)
        }
        Expression::Reduce(operator, _, _) | Expression::ReduceOver(operator, ..)
            if data_type(e) != DataType::Boolean =>
        {
            !compares(*operator) || is_ordered(system)
        }
        _ => true,
    }
}
