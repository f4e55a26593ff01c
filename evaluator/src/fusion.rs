//! Fuses products that are used once with the sum or difference that uses them into one instruction: fewer passes
//! over rows, with the same roundings.

use crate::numbers::{BinaryOperation, FusedOperation};
use crate::seeded::{Seeded, seeded};
use crate::statement::{CompiledExpression, Instruction, InstructionOperand};

/// The expression with such products and sums fused.
pub fn fused<T>(mut expression: CompiledExpression<T>) -> CompiledExpression<T> {
    let mut uses = vec![0_usize; expression.instructions.len()];
    let sources = expression.instructions.iter().flat_map(Instruction::operands).chain([&expression.root]);
    for source in sources {
        if let InstructionOperand::Register(at) = source {
            uses[*at] += 1;
        }
    }
    let mut is_gone = vec![false; uses.len()];
    for at in 0..expression.instructions.len() {
        if let Some((product, three)) = with_product(&expression.instructions, at, &uses) {
            expression.instructions[at] = three;
            is_gone[product] = true;
        }
    }
    let left = |at: usize| is_gone[..at].iter().filter(|gone| !**gone).count();
    let register: Vec<usize> = (0..is_gone.len()).map(left).collect();
    let renamed = |source: &mut InstructionOperand| {
        if let InstructionOperand::Register(at) = source {
            *at = register[*at];
        }
    };
    let mut at = 0;
    expression.instructions.retain(|_| {
        at += 1;
        !is_gone[at - 1]
    });
    expression.instructions.iter_mut().flat_map(Instruction::operands_mut).for_each(renamed);
    renamed(&mut expression.root);
    expression
}

/// The product that an addition or subtraction uses, and the fused instruction.
fn with_product(instructions: &[Instruction], at: usize, uses: &[usize]) -> Option<(usize, Instruction)> {
    let Instruction::Binary(operation @ (BinaryOperation::Add | BinaryOperation::Subtract), sides) =
        instructions[at]
    else {
        return None;
    };
    let product = |source: InstructionOperand| match source {
        InstructionOperand::Register(k)
            if uses[k] == 1 || seeded(Seeded::FusedTwice, false, || uses[k] == 2) =>
        {
            match instructions[k] {
                Instruction::Binary(BinaryOperation::Multiply, [a, b]) => Some((k, a, b)),
                _ => None,
            }
        }
        _ => None,
    };
    let (first, second) = (product(sides[0]), product(sides[1]));
    let (three, (k, a, b), other) = match (operation, first, second) {
        (BinaryOperation::Add, Some(found), _) => (FusedOperation::MultiplyAdd, found, sides[1]),
        (BinaryOperation::Add, None, Some(found)) => (FusedOperation::MultiplyAdd, found, sides[0]),
        (_, Some(found), _) => {
            let three = seeded(Seeded::FusedDifference, FusedOperation::MultiplySubtract, || {
                FusedOperation::SubtractProduct
            });
            (three, found, sides[1])
        }
        (_, None, Some(found)) => (FusedOperation::SubtractProduct, found, sides[0]),
        _ => return None,
    };
    Some((k, Instruction::Fused(three, [a, b, other])))
}
