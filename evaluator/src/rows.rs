//! Computes an expression at the points of a row: its operands are gathered, then each instruction runs on the row.

use crate::buffers::{RunBuffers, Scratch};
use crate::kernels::{KernelOperand, accumulate_product, binary, choice, fused, unary};
use crate::layout::Buffer;
use crate::level::Level;
use crate::numbers::{BinaryOperation, MachineNumber};
use crate::reached::{Way, reach};
use crate::seeded::{Seeded, seeded};
use crate::statement::{CompiledExpression, Instruction, InstructionOperand};
use values::NumberSystem;

/// How computed values are used.
#[derive(Clone, Copy)]
pub enum Becomes {
    /// They are stored.
    Stored,
    /// They are products, which are added to the elements.
    Added,
}

impl<T: MachineNumber> CompiledExpression<T> {
    /// Computes the values of some points of a row, from point `done` on.
    pub fn evaluate(
        &self,
        done: usize,
        step: i64,
        memory: &RunBuffers<'_, '_, T>,
        scratch: &mut Scratch<T>,
        becomes: Becomes,
        out: &mut [T],
    ) {
        let Scratch { registers, gathered, starts, level, .. } = scratch;
        let (count, level) = (out.len(), *level);
        self.gather(done, count, step, memory, starts, gathered);
        let Some((last, before)) = self.instructions.split_last() else {
            let rows =
                RowOperands { expression: self, known: &[], gathered, starts, memory, done, count, step };
            return rows.operand(self.root).copy_to(out);
        };
        for (at, instruction) in before.iter().enumerate() {
            let (known, new) = registers.split_at_mut(at);
            let rows = RowOperands { expression: self, known, gathered, starts, memory, done, count, step };
            rows.apply(*instruction, &mut new[0].all_mut()[..count], level);
        }
        // The last instruction computes the value.
        let known = &registers[..before.len()];
        let rows = RowOperands { expression: self, known, gathered, starts, memory, done, count, step };
        match (becomes, *last) {
            (Becomes::Added, Instruction::Binary(BinaryOperation::Multiply, [a, b])) => {
                accumulate_product(level, out, rows.operand(a), rows.operand(b));
            }
            _ => rows.apply(*last, out, level),
        }
    }

    /// Gathers operands that are not contiguous, and writes indices.
    fn gather(
        &self,
        done: usize,
        count: usize,
        step: i64,
        memory: &RunBuffers<'_, '_, T>,
        starts: &[i64],
        gathered: &mut [Buffer<T>],
    ) {
        for (at, read) in self.reads.iter().enumerate() {
            let stride = read.place.along() * step;
            if stride != 0 && stride != 1 {
                reach(Way::Gather, "");
                let buffer = memory.read(read.buffer);
                let start = starts[at] + stride * seeded(Seeded::GatherChunk, done, || 0) as i64;
                let gathered = gathered[at].all_mut()[..count].iter_mut();
                match (usize::try_from(start), usize::try_from(stride)) {
                    (Ok(start), Ok(stride)) => {
                        gathered
                            .zip(buffer[start..].iter().step_by(stride))
                            .for_each(|(to, from)| *to = *from);
                    }
                    _ => gathered.enumerate().for_each(|(k, to)| {
                        *to = buffer[usize::try_from(start + stride * k as i64).unwrap_or(usize::MAX)];
                    }),
                }
            }
        }
        let system = T::System::default();
        for (at, index) in self.indices.iter().enumerate() {
            let stride = index.along() * step;
            let at = self.reads.len() + at;
            let done = seeded(Seeded::IndexChunk, done, || 0);
            let value = |k: usize| starts[at] + stride * (done + k) as i64;
            if stride != 0 {
                reach(Way::Index, "");
                let row = gathered[at].all_mut()[..count].iter_mut().enumerate();
                row.for_each(|(k, to)| *to = system.index(value(k)));
            }
        }
    }
}

/// The operands available while a row is computed.
struct RowOperands<'k, 'm, 'b, T> {
    expression: &'k CompiledExpression<T>,
    known: &'k [Buffer<T>],
    gathered: &'k [Buffer<T>],
    starts: &'k [i64],
    memory: &'k RunBuffers<'m, 'b, T>,
    done: usize,
    count: usize,
    step: i64,
}

impl<T: MachineNumber> RowOperands<'_, '_, '_, T> {
    #[inline(always)]
    fn operand(&self, source: InstructionOperand) -> KernelOperand<'_, T> {
        let CompiledExpression { reads, indices, constants, .. } = self.expression;
        match source {
            InstructionOperand::Register(at) => KernelOperand::Row(&self.known[at].all()[..self.count]),
            InstructionOperand::Constant(at) => KernelOperand::Same(constants[at]),
            InstructionOperand::Read(at) => {
                let buffer = self.memory.read(reads[at].buffer);
                let start = usize::try_from(self.starts[at]).unwrap_or(usize::MAX);
                match reads[at].place.along() * self.step {
                    0 => KernelOperand::Same(buffer[start]),
                    1 => KernelOperand::Row(&buffer[start + self.done..][..self.count]),
                    _ => KernelOperand::Row(&self.gathered[at].all()[..self.count]),
                }
            }
            InstructionOperand::Index(at) => match indices[at].along() * self.step {
                0 => {
                    let index = self.starts[reads.len() + at];
                    KernelOperand::Same(T::System::default().index(index))
                }
                _ => KernelOperand::Row(&self.gathered[reads.len() + at].all()[..self.count]),
            },
        }
    }

    fn apply(&self, instruction: Instruction, out: &mut [T], level: Level) {
        match instruction {
            Instruction::Unary(operation, a) => unary(level, operation, self.operand(a), out),
            Instruction::Binary(operation, [a, b]) => {
                binary(level, operation, self.operand(a), self.operand(b), out);
            }
            Instruction::Fused(operation, operands) => {
                fused(level, operation, operands.map(|operand| self.operand(operand)), out);
            }
            Instruction::Choice([c, a, b]) => {
                choice(level, self.operand(c), self.operand(a), self.operand(b), out);
            }
        }
    }
}
