//! Runs statements: rows of points, in chunks, on the buffers of a run.
//!
//! A statement that does not read its own buffer writes its elements directly, on several threads in blocks of the
//! first index. The terms of each element and their order do not depend on the number of threads.

use crate::buffers::{RunBuffers, Scratch};
use crate::kernels::{KernelOperand, PRODUCTS, accumulate, accumulate_product, accumulate_products, fold};
use crate::level::Level;
use crate::numbers::{BinaryOperation, MachineNumber};
use crate::reached::{Way, reach};
use crate::regions::{PointRow, Ranges, extent};
use crate::rows::Becomes;
use crate::seeded::{Seeded, seeded};
use crate::statement::{
    AffinePosition, BufferAccess, CompiledExpression, Mode, PlanStatement, StatementRows,
};
use crate::streaming;

/// A row of the target.
#[derive(Clone, Copy)]
struct Chunks {
    /// The position of its first element, and the stride.
    to: i64,
    stride: i64,
    length: usize,
    /// The distance between consecutive points.
    step: i64,
}

/// Pending rows of products to be added to one row.
struct Products {
    level: Level,
    to: i64,
    length: usize,
    starts: [[i64; 2]; PRODUCTS],
    count: usize,
}

impl Products {
    /// Adds the pending products.
    fn add_up<T: MachineNumber>(
        &mut self,
        factors: [&BufferAccess; 2],
        memory: &RunBuffers<'_, '_, T>,
        target: &mut TargetElements<'_, T>,
    ) {
        if self.count == 0 {
            return;
        }
        let from = target.at(self.to);
        let out = &mut target.elements[from..][..self.length];
        let operand = |at: usize, which: usize| {
            let buffer = memory.read(factors[which].buffer);
            let start = usize::try_from(self.starts[at][which]).unwrap_or(usize::MAX);
            match factors[which].place.along() {
                0 => KernelOperand::Same(buffer[start]),
                _ => KernelOperand::Row(&buffer[start..][..self.length]),
            }
        };
        let product = |at: usize| [operand(at, 0), operand(at, 1)];
        match self.count {
            PRODUCTS => accumulate_products(self.level, out, std::array::from_fn(product)),
            count => (0..count).map(product).for_each(|[a, b]| accumulate_product(self.level, out, a, b)),
        }
        self.count = 0;
    }
}

/// The elements of a target from a position on.
struct TargetElements<'t, T> {
    elements: &'t mut [T],
    from: i64,
}

impl<T> TargetElements<'_, T> {
    /// The offset of a position.
    fn at(&self, place: i64) -> usize {
        usize::try_from(place - self.from).unwrap_or(usize::MAX)
    }
}

impl<T: MachineNumber> PlanStatement<T> {
    /// Computes all rows, on one thread per scratch memory.
    pub fn run(&self, memory: &mut RunBuffers<'_, '_, T>, scratches: &mut [Scratch<T>]) {
        if self.reads_itself() {
            return self.in_place(memory, &mut scratches[0]);
        }
        memory.with(self.target.buffer, |memory, target| match &self.rows {
            StatementRows::List(rows) => {
                reach(Way::InRows, "");
                let (mut target, scratch) = (TargetElements { elements: target, from: 0 }, &mut scratches[0]);
                for row in rows {
                    self.along(&row.start, row.length, row.step, memory, &mut target, scratch);
                    self.settle(&mut target, scratch);
                }
            }
            StatementRows::Box(ranges) => {
                match self.blocks(ranges, scratches.len(), scratches[0].tuning.chunk) {
                    Some(blocks) => {
                        reach(Way::InBlocks, "");
                        self.in_parallel(&blocks, memory, target, scratches);
                    }
                    None => {
                        reach(Way::InBox, "");
                        let mut target = TargetElements { elements: target, from: 0 };
                        self.of_box(ranges, memory, &mut target, &mut scratches[0]);
                    }
                }
            }
        });
    }

    /// Computes one row.
    pub fn row(&self, row: &PointRow, memory: &mut RunBuffers<'_, '_, T>, scratch: &mut Scratch<T>) {
        if self.reads_itself() {
            return self.by_chunks(&row.start, row.length, row.step, memory, scratch);
        }
        memory.with(self.target.buffer, |memory, target| {
            let mut target = TargetElements { elements: target, from: 0 };
            self.along(&row.start, row.length, row.step, memory, &mut target, scratch);
            self.settle(&mut target, scratch);
        });
    }

    fn reads_itself(&self) -> bool {
        self.reads().any(|read| read == self.target.buffer)
    }

    /// Splits the first index into blocks whose elements are in consecutive parts of the buffer; `None` if that is
    /// impossible.
    fn blocks(&self, ranges: &Ranges, threads: usize, chunk: usize) -> Option<Vec<Ranges>> {
        let AffinePosition::Linear(linear) = &self.target.place else { return None };
        let (&(low, high), inner) = ranges.split_first()?;
        let (first, others) = linear.coefficients.split_first()?;
        let lengths = others.iter().zip(inner);
        let span = lengths.fold(0_i64, |span, (a, (low, high))| {
            span.saturating_add(a.saturating_abs().saturating_mul(high.saturating_sub(*low)))
        });
        if threads < 2 || *first <= span || others.iter().any(|a| *a < 0) {
            return None;
        }
        // Blocks of a single row consist of whole chunks.
        let unit = if inner.is_empty() { chunk.next_multiple_of(T::LANES) } else { 1 };
        let each = extent(&(low, high)).div_ceil(threads).next_multiple_of(unit);
        let starts = (low..=high).step_by(each);
        let block = |start: i64| [&[(start, high.min(start + each as i64 - 1))], inner].concat();
        let count = seeded(Seeded::BlocksTail, threads, || threads - 1);
        Some(starts.map(block).take(count).collect())
    }

    fn in_parallel(
        &self,
        blocks: &[Ranges],
        memory: &RunBuffers<'_, '_, T>,
        target: &mut [T],
        scratches: &mut [Scratch<T>],
    ) {
        let start = |ranges: &Ranges| {
            let point: Vec<i64> = ranges.iter().map(|(low, _)| *low).collect();
            self.target.place.value(&point)
        };
        rayon::scope(|scope| {
            let (mut rest, mut base) = (target, 0);
            for ((at, block), scratch) in blocks.iter().enumerate().zip(scratches) {
                let end = blocks.get(at + 1).map(|next| usize::try_from(start(next) - base).unwrap_or(0));
                let (part, after) = rest.split_at_mut(end.unwrap_or(rest.len()));
                let from = seeded(Seeded::BlocksBase, base, || 0);
                (rest, base) = (after, base + part.len() as i64);
                scope.spawn(move |_| {
                    self.of_box(block, memory, &mut TargetElements { elements: part, from }, scratch)
                });
            }
        });
    }

    /// Computes the points within ranges, in a target that starts at some position.
    fn of_box(
        &self,
        ranges: &[(i64, i64)],
        memory: &RunBuffers<'_, '_, T>,
        target: &mut TargetElements<'_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let strip = self.strip(&scratch.tuning);
        if strip.is_some() {
            reach(Way::InStrips, "");
        }
        let strip = strip.unwrap_or(usize::MAX);
        let mut point = std::mem::take(&mut scratch.point);
        if let (Mode::Fold(BinaryOperation::Add, _), 1, Some(factors)) =
            (self.mode, self.target.place.along(), self.expression.factors())
        {
            reach(Way::Products, "");
            let mut products =
                Products { level: scratch.level, to: 0, length: 0, starts: [[0; 2]; PRODUCTS], count: 0 };
            each_row(ranges, strip, &mut point, &mut |start, length| {
                let to = self.target.place.value(start);
                let is_same = (products.to, products.length) == (to, length);
                let is_same = seeded(Seeded::ProductsLength, is_same, || products.length == length);
                if !is_same || products.count == PRODUCTS {
                    products.add_up(factors, memory, target);
                    (products.to, products.length) = (to, length);
                }
                products.starts[products.count] = factors.map(|factor| factor.place.value(start));
                products.count += 1;
            });
            if seeded(Seeded::ProductsTail, true, || products.count == PRODUCTS) {
                products.add_up(factors, memory, target);
            }
            scratch.point = point;
            return;
        }
        let mut strip_at = None;
        each_row(ranges, strip, &mut point, &mut |start, length| {
            // Side-by-side sums end with a strip, so that they do not depend on the number of elements of a
            // thread.
            if strip_at.replace(start.last().copied()) != Some(start.last().copied()) {
                self.settle(target, scratch);
            }
            self.along(start, length, 1, memory, target, scratch);
        });
        scratch.point = point;
        self.settle(target, scratch);
    }

    /// The first positions of all reads for a row, and the row of the target.
    fn starting(&self, start: &[i64], length: usize, step: i64, scratch: &mut Scratch<T>) -> Chunks {
        let CompiledExpression { reads, indices, .. } = &self.expression;
        scratch.starts.clear();
        scratch.starts.extend(reads.iter().map(|read| read.place.value(start)));
        scratch.starts.extend(indices.iter().map(|index| index.value(start)));
        let (to, stride) = (self.target.place.value(start), self.target.place.along() * step);
        if self.is_padded {
            reach(Way::Padded, "");
        }
        let length = if self.is_padded { length.next_multiple_of(T::LANES) } else { length };
        Chunks { to, stride, length, step }
    }

    /// Computes `length` points from `start`, with a step of the last index.
    fn along(
        &self,
        start: &[i64],
        length: usize,
        step: i64,
        memory: &RunBuffers<'_, '_, T>,
        target: &mut TargetElements<'_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let row = self.starting(start, length, step, scratch);
        match (row.stride, self.mode) {
            (0, Mode::Fold(operation, identity)) => {
                reach(Way::SideBySide, "");
                self.side_by_side(row, (operation, identity), memory, target, scratch);
            }
            (1, _) => self.straight(row, memory, target, scratch),
            _ => {
                reach(Way::Strided, "");
                let (mut result, level) = (std::mem::take(&mut scratch.result), scratch.level);
                let chunk = scratch.tuning.chunk;
                for done in (0..row.length).step_by(chunk) {
                    let out = &mut result.all_mut()[..chunk.min(row.length - done)];
                    self.expression.evaluate(done, row.step, memory, scratch, Becomes::Stored, out);
                    let stride = seeded(Seeded::StoreStride, row.stride, || 1);
                    self.store(target, row.to + stride * done as i64, row.stride, out, level);
                }
                scratch.result = result;
            }
        }
    }

    /// Computes a row directly in its target.
    fn straight(
        &self,
        row: Chunks,
        memory: &RunBuffers<'_, '_, T>,
        target: &mut TargetElements<'_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let start = target.at(row.to);
        let is_large = size_of_val(target.elements) > scratch.tuning.many_bytes && self.mode == Mode::Assign;
        let (mut result, level) = (std::mem::take(&mut scratch.result), scratch.level);
        let chunk = if is_large { scratch.tuning.few::<T>() } else { scratch.tuning.chunk };
        let tail = seeded(Seeded::ChunkTail, 0, || if row.length > chunk { row.length % chunk } else { 0 });
        if row.length > chunk {
            reach(Way::Chunks, "");
        }
        for (k, out) in target.elements[start..start + row.length - tail].chunks_mut(chunk).enumerate() {
            let values = &mut result.all_mut()[..out.len()];
            let mut evaluate = |becomes: Becomes, out: &mut [T]| {
                self.expression.evaluate(k * chunk, row.step, memory, scratch, becomes, out);
            };
            match self.mode {
                Mode::Assign if is_large => {
                    evaluate(Becomes::Stored, values);
                    streaming::store(out, values);
                }
                Mode::Assign => evaluate(Becomes::Stored, out),
                Mode::Fold(BinaryOperation::Add, _) if self.expression.is_product() => {
                    evaluate(Becomes::Added, out)
                }
                Mode::Fold(operation, _) => {
                    evaluate(Becomes::Stored, values);
                    accumulate(level, operation, out, values);
                }
            }
        }
        if is_large {
            reach(Way::Streamed, "");
            streaming::finish();
        }
        scratch.result = result;
    }

    /// Adds terms of one element to the side-by-side accumulators.
    fn side_by_side(
        &self,
        row: Chunks,
        (operation, identity): (BinaryOperation, T),
        memory: &RunBuffers<'_, '_, T>,
        target: &mut TargetElements<'_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let (chunk, level) = (scratch.tuning.chunk, scratch.level);
        let width = row.length.min(chunk);
        let is_other =
            seeded(Seeded::SettleLate, scratch.summed != Some(row.to), || scratch.summed.is_none());
        if is_other || scratch.width < width {
            self.settle(target, scratch);
            let filled = seeded(Seeded::SumsStale, width, || width - width % 2);
            scratch.sums.all_mut()[..filled].fill(identity);
            (scratch.summed, scratch.width) = (Some(row.to), width);
        }
        let (mut sums, mut result) = (std::mem::take(&mut scratch.sums), std::mem::take(&mut scratch.result));
        for done in (0..row.length).step_by(chunk) {
            let count = chunk.min(row.length - done);
            let mut evaluate = |becomes: Becomes, out: &mut [T]| {
                self.expression.evaluate(done, row.step, memory, scratch, becomes, out);
            };
            if operation == BinaryOperation::Add && self.expression.is_product() {
                evaluate(Becomes::Added, &mut sums.all_mut()[..count]);
            } else {
                let values = &mut result.all_mut()[..count];
                evaluate(Becomes::Stored, values);
                accumulate(level, operation, &mut sums.all_mut()[..count], values);
            }
        }
        (scratch.sums, scratch.result) = (sums, result);
    }

    /// Reduces the side-by-side accumulators to one element.
    fn settle(&self, target: &mut TargetElements<'_, T>, scratch: &mut Scratch<T>) {
        if let (Some(to), Mode::Fold(operation, identity)) = (scratch.summed.take(), self.mode) {
            let element = &mut target.elements[target.at(to)];
            *element =
                fold(scratch.level, operation, identity, *element, &scratch.sums.all()[..scratch.width]);
        }
    }

    /// Computes all rows of a statement that reads its own buffer.
    fn in_place(&self, memory: &mut RunBuffers<'_, '_, T>, scratch: &mut Scratch<T>) {
        reach(Way::InPlace, "");
        match &self.rows {
            StatementRows::List(rows) => {
                rows.iter().for_each(|row| self.by_chunks(&row.start, row.length, row.step, memory, scratch));
            }
            StatementRows::Box(ranges) => {
                let mut point = std::mem::take(&mut scratch.point);
                each_row(ranges, usize::MAX, &mut point, &mut |start, length| {
                    self.by_chunks(start, length, 1, memory, scratch);
                });
                scratch.point = point;
            }
        }
    }

    /// Computes a row chunk by chunk; each chunk is stored after all of it has been read.
    fn by_chunks(
        &self,
        start: &[i64],
        length: usize,
        step: i64,
        memory: &mut RunBuffers<'_, '_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let row = self.starting(start, length, step, scratch);
        let (mut result, level) = (std::mem::take(&mut scratch.result), scratch.level);
        let chunk = scratch.tuning.chunk;
        for done in (0..row.length).step_by(chunk) {
            let out = &mut result.all_mut()[..chunk.min(row.length - done)];
            self.expression.evaluate(done, row.step, memory, scratch, Becomes::Stored, out);
            let mut target = TargetElements { elements: memory.write(self.target.buffer), from: 0 };
            self.store(&mut target, row.to + row.stride * done as i64, row.stride, out, level);
        }
        scratch.result = result;
    }

    fn store(&self, target: &mut TargetElements<'_, T>, to: i64, stride: i64, values: &[T], level: Level) {
        let (first, from) = (target.at(to), target.from);
        let at = |k: usize| usize::try_from(to + stride * k as i64 - from).unwrap_or(usize::MAX);
        let target = &mut *target.elements;
        match (self.mode, stride) {
            (Mode::Assign, 1) => target[first..first + values.len()].copy_from_slice(values),
            (Mode::Assign, _) => values.iter().enumerate().for_each(|(k, value)| target[at(k)] = *value),
            (Mode::Fold(operation, identity), 0) => {
                target[first] = fold(level, operation, identity, target[first], values);
            }
            (Mode::Fold(operation, _), _) => values.iter().enumerate().for_each(|(k, value)| {
                target[at(k)] = operation.value(target[at(k)], *value);
            }),
        }
    }
}

/// Visits each row of a box in strips of at most `strip` points: all rows of a strip before the next strip.
fn each_row(ranges: &[(i64, i64)], strip: usize, point: &mut Vec<i64>, act: &mut dyn FnMut(&[i64], usize)) {
    let Some((&(low, high), outer)) = ranges.split_last() else { return act(&[], 1) };
    let length = extent(&(low, high));
    let strip = strip.min(length).max(1);
    for done in (0..length).step_by(strip) {
        point.clear();
        let first = seeded(Seeded::StripBegin, low + done as i64, || low);
        point.extend(outer.iter().map(|(low, _)| *low).chain([first]));
        loop {
            act(point, strip.min(length - done));
            let next = (0..outer.len()).rev().find(|&at| point[at] < outer[at].1);
            let Some(next) = next else { break };
            point[next] += 1;
            (next + 1..outer.len()).for_each(|at| point[at] = outer[at].0);
        }
    }
}
