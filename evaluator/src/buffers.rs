//! The memory of a run: its buffers, and the scratch memory of statements.

use crate::fault::PlanFault;
use crate::layout::Buffer;
use crate::level::Level;
use crate::numbers::MachineNumber;
use crate::statement::{BufferId, PlanStatement, StatementRows};
use crate::tuning::Tuning;

/// The buffers of a run.
pub struct RunBuffers<'m, 'b, T> {
    pub inputs: &'m [&'m [T]],
    pub outputs: &'m mut [&'b mut [T]],
    pub own: &'m mut [Buffer<T>],
}

impl<'b, T: MachineNumber> RunBuffers<'_, 'b, T> {
    /// Acts on a buffer to write, with the other buffers to read; the written buffer appears empty among them.
    pub fn with(&mut self, id: BufferId, act: impl FnOnce(&RunBuffers<'_, 'b, T>, &mut [T])) {
        match id {
            BufferId::Input(_) => {}
            BufferId::Output(at) => {
                let taken = std::mem::take(&mut self.outputs[at]);
                act(self, taken);
                self.outputs[at] = taken;
            }
            BufferId::Own(at) => {
                let mut taken = std::mem::take(&mut self.own[at]);
                act(self, taken.all_mut());
                self.own[at] = taken;
            }
        }
    }

    pub fn read(&self, id: BufferId) -> &[T] {
        match id {
            BufferId::Input(at) => self.inputs[at],
            BufferId::Output(at) => self.outputs[at],
            BufferId::Own(at) => self.own[at].all(),
        }
    }

    pub fn write(&mut self, id: BufferId) -> &mut [T] {
        match id {
            // No statement writes an input.
            BufferId::Input(_) => &mut [],
            BufferId::Output(at) => self.outputs[at],
            BufferId::Own(at) => self.own[at].all_mut(),
        }
    }
}

/// The scratch memory of statements: rows of [`Tuning::chunk`] elements, aligned like all buffers.
#[derive(Debug)]
pub struct Scratch<T> {
    pub registers: Vec<Buffer<T>>,
    /// Elements that are not contiguous in memory, or indices: one row for each read and index.
    pub gathered: Vec<Buffer<T>>,
    pub starts: Vec<i64>,
    pub result: Buffer<T>,
    pub point: Vec<i64>,
    /// Side-by-side accumulators for one element, their number, and the element's position.
    pub sums: Buffer<T>,
    pub width: usize,
    pub summed: Option<i64>,
    pub level: Level,
    pub tuning: Tuning,
}

impl<T: MachineNumber> Scratch<T> {
    /// Scratch memory that suffices for all of these statements.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new<'s>(
        statements: impl Iterator<Item = &'s PlanStatement<T>> + Clone,
        level: Level,
        tuning: Tuning,
    ) -> Result<Scratch<T>, PlanFault> {
        let rows =
            |count: usize| (0..count).map(|_| Buffer::new(tuning.most::<T>())).collect::<Result<_, _>>();
        let most = |of: fn(&PlanStatement<T>) -> usize| statements.clone().map(of).max().unwrap_or(0);
        let accesses = most(|s| s.expression.reads.len() + s.expression.indices.len());
        Ok(Scratch {
            registers: rows(most(|s| s.expression.instructions.len()))?,
            gathered: rows(accesses)?,
            starts: Vec::with_capacity(accesses),
            result: Buffer::new(tuning.most::<T>())?,
            point: Vec::with_capacity(most(|s| match &s.rows {
                StatementRows::Box(ranges) => ranges.len(),
                StatementRows::List(_) => 0,
            })),
            sums: Buffer::new(tuning.chunk)?,
            width: 0,
            summed: None,
            level,
            tuning,
        })
    }
}
