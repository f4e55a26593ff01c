//! Products and sums as one instruction.

use evaluator::fusion::fused;
use evaluator::numbers::{BinaryOperation, FusedOperation};
use evaluator::statement::{CompiledExpression, Instruction, InstructionOperand};

#[test]
fn products_that_are_used_once_go_with_their_sums() {
    use InstructionOperand::{Read, Register};
    let two = |operation, a, b| Instruction::Binary(operation, [a, b]);
    // (a·b + c·d) − a·b·c, where a·b is used twice.
    let expression = CompiledExpression::<f64> {
        instructions: vec![
            two(BinaryOperation::Multiply, Read(0), Read(1)),
            two(BinaryOperation::Multiply, Read(2), Read(3)),
            two(BinaryOperation::Add, Register(0), Register(1)),
            two(BinaryOperation::Multiply, Register(0), Read(2)),
            two(BinaryOperation::Subtract, Register(2), Register(3)),
        ],
        constants: Vec::new(),
        reads: Vec::new(),
        indices: Vec::new(),
        root: Register(4),
    };
    let fused = fused(expression);
    let expected = [
        two(BinaryOperation::Multiply, Read(0), Read(1)),
        Instruction::Fused(FusedOperation::MultiplyAdd, [Read(2), Read(3), Register(0)]),
        Instruction::Fused(FusedOperation::SubtractProduct, [Register(0), Read(2), Register(1)]),
    ];
    assert_eq!((&fused.instructions[..], fused.root), (&expected[..], Register(2)));
}
