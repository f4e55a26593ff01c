//! Ill-formed programs: one mutation of a well-formed one, with the error that it must give.

use crate::choices::DecisionSource;
use base::diagnostics::Code;
use rink::syntax::{AxisPair, ElementwiseOperator, Expression, Program, Qualifier};

/// The kinds of fault that can be put into any program that has a statement.
pub const FAULTS: [Code; 6] = [Code::R0001, Code::R0002, Code::R0003, Code::R0004, Code::R0005, Code::R0006];

/// Puts one fault into a well-formed program with at least one statement. The program then has exactly the error
/// `fault`, one of [`FAULTS`].
pub fn mutate(choices: &mut impl DecisionSource, program: &Program, fault: Code) -> Program {
    let mut mutant = program.clone();
    let at = choices.below(mutant.statements.len());
    let e = mutant.statements[at].expression;
    match fault {
        Code::R0001 => {
            let declaration = choices.pick(&mutant.declarations);
            mutant.declarations.push(declaration);
        }
        Code::R0002 => mutant.statements[at].target = mutant.intern("undeclared"),
        Code::R0003 => {
            let extra = fresh(&mut mutant, &[2]);
            mutant.statements[at].expression = mutant.add(Expression::Product(e, extra));
        }
        Code::R0004 => {
            let unknown = mutant.variable("undeclared");
            mutant.statements[at].expression =
                mutant.add(Expression::Elementwise(ElementwiseOperator::Add, e, unknown));
        }
        Code::R0005 => mutant.statements[at].expression = ill_typed(choices, &mut mutant, e),
        _ => {
            mutant.declare(Qualifier::None, "flat", &[3, 0]);
        }
    }
    mutant
}

/// A variable with a new name.
fn fresh(program: &mut Program, extents: &[u64]) -> rink::syntax::ExprId {
    program.declare(Qualifier::None, "extra", extents);
    program.variable("extra")
}

/// An expression that no rule types: positions out of range or equal, or extents that differ.
fn ill_typed(
    choices: &mut impl DecisionSource,
    program: &mut Program,
    e: rink::syntax::ExprId,
) -> rink::syntax::ExprId {
    let node = match choices.below(5) {
        0 => Expression::Transposition(e, AxisPair::new(1, 500)),
        1 => Expression::Contraction(e, AxisPair::new(0, 1)),
        2 => Expression::Transposition(e, AxisPair::new(1, 1)),
        3 => {
            let matrix = fresh(program, &[2, 3]);
            Expression::Contraction(matrix, AxisPair::new(1, 2))
        }
        _ => {
            let odd = fresh(program, &[7, 11, 13]);
            Expression::Elementwise(ElementwiseOperator::Sub, e, odd)
        }
    };
    program.add(node)
}
