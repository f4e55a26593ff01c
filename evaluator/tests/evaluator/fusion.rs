//! Products and sums as one instruction.

use evaluator::fusion::fused;
use evaluator::numbers::{Three, Two};
use evaluator::statement::{Expression, Instruction, Source};

#[test]
fn products_that_are_used_once_go_with_their_sums() {
    use Source::{Read, Register};
    let two = |operation, a, b| Instruction::Two(operation, [a, b]);
    // (a·b + c·d) − a·b·c, where a·b is used twice.
    let expression = Expression::<f64> {
        instructions: vec![
            two(Two::Multiply, Read(0), Read(1)),
            two(Two::Multiply, Read(2), Read(3)),
            two(Two::Add, Register(0), Register(1)),
            two(Two::Multiply, Register(0), Read(2)),
            two(Two::Subtract, Register(2), Register(3)),
        ],
        constants: Vec::new(),
        reads: Vec::new(),
        indices: Vec::new(),
        root: Register(4),
    };
    let fused = fused(expression);
    let expected = [
        two(Two::Multiply, Read(0), Read(1)),
        Instruction::Three(Three::MultiplyAdd, [Read(2), Read(3), Register(0)]),
        Instruction::Three(Three::SubtractProduct, [Register(0), Read(2), Register(1)]),
    ];
    assert_eq!((&fused.instructions[..], fused.root), (&expected[..], Register(2)));
}
