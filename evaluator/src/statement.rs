//! What is computed for each point of a region, row by row: an expression, and what becomes of its value.

use crate::kernels::{Operand, accumulate, accumulate_product, choice, fold, one, three, two};
use crate::layout::{Buffer, Layout, Linear};
use crate::numbers::{Number, One, Three, Two};
use crate::regions::{Ranges, Row};
use crate::streaming;
use polyhedra::AffineMap;
use pulp::Arch;
use semantics::values::NumberSystem;

/// So many elements of a row are computed at a time, so that what is between stays near the processor.
pub const CHUNK: usize = 512;

/// Where elements are read across their rows, so many are computed of one row before the next one is gone on with.
const STRIP: usize = 64;

/// Where terms are added to the elements of a row, all terms of so many elements are added before the next ones.
const FOLDED: usize = 1024;

/// A buffer of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BufferId {
    /// Of an input.
    Input(usize),
    /// Of an output.
    Output(usize),
    /// Of the workspace.
    Own(usize),
}

/// An element as a function of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The buffer.
    pub buffer: BufferId,
    /// The place in it.
    pub place: Place,
}

/// A number as a function of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// An affine one.
    Linear(Linear),
    /// An affine one of the value of a map with floor terms.
    Floors(AffineMap, Linear),
}

impl Place {
    /// The value at a point.
    pub fn value(&self, point: &[i64]) -> i64 {
        match self {
            Place::Linear(linear) => linear.value(point),
            // Where there is a value it fits: the checks say so.
            Place::Floors(map, linear) => map.value(&[], point).map_or(0, |at| linear.value(&at)),
        }
    }

    /// How the value changes along the last index; 0 where that is not known.
    fn along(&self) -> i64 {
        match self {
            Place::Linear(linear) => linear.coefficients.last().copied().unwrap_or(0),
            Place::Floors(..) => 0,
        }
    }

    /// The values at the points of a row.
    pub fn along_row<'r>(&'r self, row: &'r Row) -> Box<dyn Iterator<Item = usize> + 'r> {
        let count = row.length as i64;
        match self {
            Place::Linear(_) => {
                let (start, stride) = (self.value(&row.start), self.along() * row.step);
                Box::new((0..count).filter_map(move |k| usize::try_from(start + stride * k).ok()))
            }
            Place::Floors(..) => {
                Box::new(row.points().filter_map(|point| usize::try_from(self.value(&point)).ok()))
            }
        }
    }

    /// As a function of the indices in another order.
    pub fn reordered(&self, order: &[usize]) -> Option<Place> {
        match self {
            Place::Linear(linear) => Some(Place::Linear(linear.reordered(order))),
            Place::Floors(..) => None,
        }
    }
}

/// An operand, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The result of an instruction.
    Register(usize),
    /// A constant.
    Constant(usize),
    /// An element that is read.
    Read(usize),
    /// An index.
    Index(usize),
}

/// An operation, with as many operands as it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// Of one.
    One(One, Source),
    /// Of two.
    Two(Two, [Source; 2]),
    /// Of a product and something.
    Three(Three, [Source; 3]),
    /// `if`
    Choice([Source; 3]),
}

impl Instruction {
    /// The operands.
    pub fn operands(&self) -> &[Source] {
        match self {
            Instruction::One(_, a) => std::slice::from_ref(a),
            Instruction::Two(_, operands) => operands,
            Instruction::Three(_, operands) | Instruction::Choice(operands) => operands,
        }
    }

    /// The operands, to be changed.
    pub fn operands_mut(&mut self) -> &mut [Source] {
        match self {
            Instruction::One(_, a) => std::slice::from_mut(a),
            Instruction::Two(_, operands) => operands,
            Instruction::Three(_, operands) | Instruction::Choice(operands) => operands,
        }
    }
}

/// An expression: instruction `k` has its result in register `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression<T> {
    /// The operations, operands first.
    pub instructions: Vec<Instruction>,
    /// The constants.
    pub constants: Vec<T>,
    /// What is read.
    pub reads: Vec<Access>,
    /// The indices that are values.
    pub indices: Vec<Place>,
    /// The value.
    pub root: Source,
}

/// The points of a statement, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// All within ranges.
    Box(Ranges),
    /// These.
    List(Vec<Row>),
}

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode<T> {
    /// It is the element.
    Assign,
    /// It is one of the terms of a reduction, whose operation has this identity.
    Fold(Two, T),
}

/// What is computed for each point.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<T> {
    /// The element that it is about.
    pub target: Access,
    /// What becomes of the value.
    pub mode: Mode<T>,
    /// The points.
    pub rows: Rows,
    /// The value.
    pub expression: Expression<T>,
    /// Whether rows end with their buffers' rows, so that they may be computed as whole vectors.
    pub is_padded: bool,
}

/// The buffers of a run.
pub struct Memory<'m, 'b, T> {
    pub inputs: &'m [&'m [T]],
    pub outputs: &'m mut [&'b mut [T]],
    pub own: &'m mut [Buffer<T>],
}

impl<'b, T: Number> Memory<'_, 'b, T> {
    /// Does something with a buffer to write, and the others to read: it is empty among them.
    pub fn with(&mut self, id: BufferId, act: impl FnOnce(&Memory<'_, 'b, T>, &mut [T])) {
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
            // No statement is about an input.
            BufferId::Input(_) => &mut [],
            BufferId::Output(at) => self.outputs[at],
            BufferId::Own(at) => self.own[at].all_mut(),
        }
    }
}

/// What statements compute in.
#[derive(Clone, Debug)]
pub struct Scratch<T> {
    registers: Vec<Vec<T>>,
    /// Elements that are not side by side in memory, or indices, one row for each read and index.
    gathered: Vec<Vec<T>>,
    starts: Vec<i64>,
    result: Vec<T>,
    point: Vec<i64>,
    /// Terms of one element, side by side, and which element.
    sums: Vec<T>,
    summed: Option<i64>,
    arch: Arch,
}

impl<T: Number> Scratch<T> {
    /// Enough for some statements.
    pub fn new<'s>(statements: impl Iterator<Item = &'s Statement<T>> + Clone, arch: Arch) -> Scratch<T> {
        let rows = |count: usize| vec![vec![T::ZERO; CHUNK]; count];
        let most = |of: fn(&Statement<T>) -> usize| statements.clone().map(of).max().unwrap_or(0);
        let accesses = most(|s| s.expression.reads.len() + s.expression.indices.len());
        Scratch {
            registers: rows(most(|s| s.expression.instructions.len())),
            gathered: rows(accesses),
            starts: Vec::with_capacity(accesses),
            result: vec![T::ZERO; CHUNK],
            point: Vec::with_capacity(most(|s| match &s.rows {
                Rows::Box(ranges) => ranges.len(),
                Rows::List(_) => 0,
            })),
            sums: Vec::with_capacity(CHUNK),
            summed: None,
            arch,
        }
    }
}

/// What becomes of computed values.
#[derive(Clone, Copy)]
enum Becomes {
    /// They are stored.
    Stored,
    /// They, a product, are added to what is there.
    Added,
}

/// A row of the target.
#[derive(Clone, Copy)]
struct Chunks {
    /// Where it starts, and the distance between two elements.
    to: i64,
    stride: i64,
    length: usize,
    /// The distance between two points.
    step: i64,
}

impl<T: Number> Statement<T> {
    /// With the loops of a reduction over a box in the order that reads most elements side by side.
    pub fn ordered(mut self) -> Statement<T> {
        let (Rows::Box(ranges), Mode::Fold(..)) = (&self.rows, self.mode) else { return self };
        let along = |place: &Place, d: usize| match place {
            Place::Linear(linear) => linear.coefficients[d],
            Place::Floors(..) => 2,
        };
        let cost = |d: &usize| {
            let apart = |place: &Place| usize::from(!matches!(along(place, *d), 0 | 1));
            let reads: usize = self.expression.reads.iter().map(|read| apart(&read.place)).sum();
            let is_short = ranges[*d].1 - ranges[*d].0 < 8;
            (reads + apart(&self.target.place), is_short, along(&self.target.place, *d) == 0)
        };
        // The last one of those that cost the same stays the last.
        let Some(inner) = (0..ranges.len()).rev().min_by_key(cost) else { return self };
        let order: Vec<usize> = (0..ranges.len()).filter(|d| *d != inner).chain([inner]).collect();
        let ranges = order.iter().map(|&d| ranges[d]).collect();
        let accesses = self.expression.reads.iter_mut().map(|read| &mut read.place);
        let places = accesses.chain(&mut self.expression.indices).chain([&mut self.target.place]);
        for place in places {
            if let Some(reordered) = place.reordered(&order) {
                *place = reordered;
            }
        }
        self.rows = Rows::Box(ranges);
        self
    }

    /// Computed as whole vectors, if every row goes from the first to the last element of a row of its buffer.
    pub fn padded(mut self, layout: &Layout) -> Statement<T> {
        let whole = layout.origin.last().zip(layout.extents.last());
        let whole = whole.map(|(low, extent)| (*low, low + extent.cast_signed() as i64 - 1));
        let (Rows::Box(ranges), Mode::Assign) = (&self.rows, self.mode) else { return self };
        let is_side_by_side = |access: &Access| matches!(access.place.along(), 0 | 1);
        self.is_padded = whole.is_some()
            && ranges.last().copied() == whole
            && self.target.place.along() == 1
            && self.expression.reads.iter().all(is_side_by_side);
        self
    }

    /// The buffers that are read.
    pub fn reads(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.expression.reads.iter().map(|read| read.buffer)
    }

    /// Computes all rows.
    pub fn run(&self, memory: &mut Memory<'_, '_, T>, scratch: &mut Scratch<T>) {
        match &self.rows {
            Rows::List(rows) => rows.iter().for_each(|row| self.row(row, memory, scratch)),
            Rows::Box(ranges) => {
                let Some((&(low, high), outer)) = ranges.split_last() else {
                    self.along(&[], 1, 1, memory, scratch);
                    return self.settle(memory, scratch);
                };
                let length = usize::try_from(high - low + 1).unwrap_or(0);
                let strip = self.strip().unwrap_or(length).max(1);
                let mut point = std::mem::take(&mut scratch.point);
                for done in (0..length).step_by(strip) {
                    point.clear();
                    point.extend(outer.iter().map(|(low, _)| *low).chain([low + done as i64]));
                    loop {
                        self.along(&point, strip.min(length - done), 1, memory, scratch);
                        let next = (0..outer.len()).rev().find(|&at| point[at] < outer[at].1);
                        let Some(next) = next else { break };
                        point[next] += 1;
                        (next + 1..outer.len()).for_each(|at| point[at] = outer[at].0);
                    }
                }
                scratch.point = point;
            }
        }
        self.settle(memory, scratch);
    }

    /// How many elements of a row are computed before those of the next one: few where something is read across its rows, so that what
    /// is read for one row is near what is read for the next one; not many where several rows are added up.
    fn strip(&self) -> Option<usize> {
        let across = |read: &Access| match &read.place {
            Place::Linear(Linear { coefficients, .. }) => match &coefficients[..] {
                [outer @ .., last] => last.abs() > 1 && outer.contains(&1),
                [] => false,
            },
            Place::Floors(..) => false,
        };
        if self.is_padded {
            return None;
        }
        let adds_up = match (&self.target.place, self.mode) {
            (Place::Linear(Linear { coefficients, .. }), Mode::Fold(..)) => match &coefficients[..] {
                [outer @ .., 1] => outer.contains(&0),
                _ => false,
            },
            _ => false,
        };
        let reads_across = self.expression.reads.iter().any(across);
        [(reads_across, STRIP), (adds_up, FOLDED)].into_iter().find_map(|(is, strip)| is.then_some(strip))
    }

    /// Computes one row.
    pub fn row(&self, row: &Row, memory: &mut Memory<'_, '_, T>, scratch: &mut Scratch<T>) {
        self.along(&row.start, row.length, row.step, memory, scratch);
        self.settle(memory, scratch);
    }

    /// Computes so many points from one on, with a step of the last index.
    fn along(
        &self,
        start: &[i64],
        length: usize,
        step: i64,
        memory: &mut Memory<'_, '_, T>,
        scratch: &mut Scratch<T>,
    ) {
        let Expression { reads, indices, .. } = &self.expression;
        scratch.starts.clear();
        scratch.starts.extend(reads.iter().map(|read| read.place.value(start)));
        scratch.starts.extend(indices.iter().map(|index| index.value(start)));
        let (to, stride) = (self.target.place.value(start), self.target.place.along() * step);
        let length = if self.is_padded { length.next_multiple_of(T::LANES) } else { length };
        let row = Chunks { to, stride, length, step };
        let is_read = reads.iter().any(|read| read.buffer == self.target.buffer);
        match (stride, is_read) {
            (0, false) if self.mode != Mode::Assign => self.side_by_side(row, memory, scratch),
            (1, false) => memory.with(self.target.buffer, |memory, target| {
                self.straight(row, memory, target, scratch);
            }),
            _ => self.by_chunks(row, memory, scratch),
        }
    }

    /// Computes a row where it belongs.
    fn straight(&self, row: Chunks, memory: &Memory<'_, '_, T>, target: &mut [T], scratch: &mut Scratch<T>) {
        let start = usize::try_from(row.to).unwrap_or(usize::MAX);
        let is_large = size_of_val(target) > streaming::MANY_BYTES && self.mode == Mode::Assign;
        let (mut result, arch) = (std::mem::take(&mut scratch.result), scratch.arch);
        for (k, out) in target[start..start + row.length].chunks_mut(CHUNK).enumerate() {
            let values = &mut result[..out.len()];
            let mut evaluate = |becomes: Becomes, out: &mut [T]| {
                self.expression.evaluate(k * CHUNK, row.step, memory, scratch, becomes, out);
            };
            match self.mode {
                Mode::Assign if is_large => {
                    evaluate(Becomes::Stored, values);
                    streaming::store(out, values);
                }
                Mode::Assign => evaluate(Becomes::Stored, out),
                Mode::Fold(Two::Add, _) if self.expression.is_product() => evaluate(Becomes::Added, out),
                Mode::Fold(operation, _) => {
                    evaluate(Becomes::Stored, values);
                    accumulate(arch, operation, out, values);
                }
            }
        }
        if is_large {
            streaming::finish();
        }
        scratch.result = result;
    }

    /// Adds the terms of one element to those of the rows before, side by side.
    fn side_by_side(&self, row: Chunks, memory: &mut Memory<'_, '_, T>, scratch: &mut Scratch<T>) {
        let Mode::Fold(operation, identity) = self.mode else { return };
        let (width, arch) = (row.length.min(CHUNK), scratch.arch);
        if scratch.summed != Some(row.to) || scratch.sums.len() < width {
            self.settle(memory, scratch);
            scratch.sums.clear();
            scratch.sums.resize(width, identity);
            scratch.summed = Some(row.to);
        }
        let (mut sums, mut result) = (std::mem::take(&mut scratch.sums), std::mem::take(&mut scratch.result));
        for done in (0..row.length).step_by(CHUNK) {
            let count = CHUNK.min(row.length - done);
            let mut evaluate = |becomes: Becomes, out: &mut [T]| {
                self.expression.evaluate(done, row.step, memory, scratch, becomes, out);
            };
            if operation == Two::Add && self.expression.is_product() {
                evaluate(Becomes::Added, &mut sums[..count]);
            } else {
                evaluate(Becomes::Stored, &mut result[..count]);
                accumulate(arch, operation, &mut sums[..count], &result[..count]);
            }
        }
        (scratch.sums, scratch.result) = (sums, result);
    }

    /// Makes one element of what was added up side by side.
    fn settle(&self, memory: &mut Memory<'_, '_, T>, scratch: &mut Scratch<T>) {
        if let (Some(to), Mode::Fold(operation, identity)) = (scratch.summed.take(), self.mode) {
            let to = usize::try_from(to).unwrap_or(usize::MAX);
            let target = memory.write(self.target.buffer);
            target[to] = fold(scratch.arch, operation, identity, target[to], &scratch.sums);
        }
    }

    /// Computes a row chunk by chunk, each to be stored.
    fn by_chunks(&self, row: Chunks, memory: &mut Memory<'_, '_, T>, scratch: &mut Scratch<T>) {
        let (mut result, arch) = (std::mem::take(&mut scratch.result), scratch.arch);
        for done in (0..row.length).step_by(CHUNK) {
            let out = &mut result[..CHUNK.min(row.length - done)];
            self.expression.evaluate(done, row.step, memory, scratch, Becomes::Stored, out);
            let target = memory.write(self.target.buffer);
            self.store(target, row.to + row.stride * done as i64, row.stride, out, arch);
        }
        scratch.result = result;
    }

    fn store(&self, target: &mut [T], to: i64, stride: i64, values: &[T], arch: Arch) {
        let at = |k: usize| usize::try_from(to + stride * k as i64).unwrap_or(usize::MAX);
        match (self.mode, stride) {
            (Mode::Assign, 1) => target[at(0)..at(0) + values.len()].copy_from_slice(values),
            (Mode::Assign, _) => values.iter().enumerate().for_each(|(k, value)| target[at(k)] = *value),
            (Mode::Fold(operation, identity), 0) => {
                target[at(0)] = fold(arch, operation, identity, target[at(0)], values);
            }
            (Mode::Fold(operation, _), _) => values.iter().enumerate().for_each(|(k, value)| {
                target[at(k)] = operation.value(target[at(k)], *value);
            }),
        }
    }
}

impl<T: Number> Expression<T> {
    /// All functions of a point.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.reads.iter().map(|read| &read.place).chain(&self.indices)
    }

    /// Whether the value is a product.
    fn is_product(&self) -> bool {
        matches!(self.instructions.last(), Some(Instruction::Two(Two::Multiply, _)))
    }

    /// The values of some points of a row, from the `done`th one on.
    fn evaluate(
        &self,
        done: usize,
        step: i64,
        memory: &Memory<'_, '_, T>,
        scratch: &mut Scratch<T>,
        becomes: Becomes,
        out: &mut [T],
    ) {
        let Scratch { registers, gathered, starts, arch, .. } = scratch;
        let (count, arch) = (out.len(), *arch);
        self.gather(done, count, step, memory, starts, gathered);
        let Some((last, before)) = self.instructions.split_last() else {
            let rows = Known { expression: self, known: &[], gathered, starts, memory, done, count, step };
            return rows.operand(self.root).copy_to(out);
        };
        for (at, instruction) in before.iter().enumerate() {
            let (known, new) = registers.split_at_mut(at);
            let rows = Known { expression: self, known, gathered, starts, memory, done, count, step };
            rows.apply(*instruction, &mut new[0][..count], arch);
        }
        // The last instruction is the value.
        let known = &registers[..before.len()];
        let rows = Known { expression: self, known, gathered, starts, memory, done, count, step };
        match (becomes, *last) {
            (Becomes::Added, Instruction::Two(Two::Multiply, [a, b])) => {
                accumulate_product(arch, out, rows.operand(a), rows.operand(b));
            }
            _ => rows.apply(*last, out, arch),
        }
    }

    /// Reads what is not side by side, and writes indices.
    fn gather(
        &self,
        done: usize,
        count: usize,
        step: i64,
        memory: &Memory<'_, '_, T>,
        starts: &[i64],
        gathered: &mut [Vec<T>],
    ) {
        for (at, read) in self.reads.iter().enumerate() {
            let stride = read.place.along() * step;
            if stride != 0 && stride != 1 {
                let buffer = memory.read(read.buffer);
                let start = starts[at] + stride * done as i64;
                let gathered = gathered[at][..count].iter_mut();
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
            let value = |k: usize| starts[at] + stride * (done + k) as i64;
            if stride != 0 {
                let row = gathered[at][..count].iter_mut().enumerate();
                row.for_each(|(k, to)| *to = system.index(value(k)));
            }
        }
    }
}

/// The operands that are known while a row is computed.
struct Known<'k, 'm, 'b, T> {
    expression: &'k Expression<T>,
    known: &'k [Vec<T>],
    gathered: &'k [Vec<T>],
    starts: &'k [i64],
    memory: &'k Memory<'m, 'b, T>,
    done: usize,
    count: usize,
    step: i64,
}

impl<T: Number> Known<'_, '_, '_, T> {
    fn operand(&self, source: Source) -> Operand<'_, T> {
        let Expression { reads, indices, constants, .. } = self.expression;
        match source {
            Source::Register(at) => Operand::Row(&self.known[at][..self.count]),
            Source::Constant(at) => Operand::Same(constants[at]),
            Source::Read(at) => {
                let buffer = self.memory.read(reads[at].buffer);
                let start = usize::try_from(self.starts[at]).unwrap_or(usize::MAX);
                match reads[at].place.along() * self.step {
                    0 => Operand::Same(buffer[start]),
                    1 => Operand::Row(&buffer[start + self.done..][..self.count]),
                    _ => Operand::Row(&self.gathered[at][..self.count]),
                }
            }
            Source::Index(at) => match indices[at].along() * self.step {
                0 => {
                    let index = self.starts[reads.len() + at];
                    Operand::Same(T::System::default().index(index))
                }
                _ => Operand::Row(&self.gathered[reads.len() + at][..self.count]),
            },
        }
    }

    fn apply(&self, instruction: Instruction, out: &mut [T], arch: Arch) {
        match instruction {
            Instruction::One(operation, a) => one(arch, operation, self.operand(a), out),
            Instruction::Two(operation, [a, b]) => {
                two(arch, operation, self.operand(a), self.operand(b), out);
            }
            Instruction::Three(operation, operands) => {
                three(arch, operation, operands.map(|operand| self.operand(operand)), out);
            }
            Instruction::Choice([c, a, b]) => {
                choice(arch, self.operand(c), self.operand(a), self.operand(b), out);
            }
        }
    }
}
