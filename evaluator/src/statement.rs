//! Statements: an expression that is computed row by row at the points of a region, and how its value is used.

use crate::layout::{Layout, Linear};
use crate::numbers::{BinaryOperation, FusedOperation, MachineNumber, UnaryOperation};
use crate::regions::{PointRow, Ranges};
use crate::seeded::{Seeded, seeded};
use crate::tuning::Tuning;
use polyhedra::AffineMap;

/// A buffer of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BufferId {
    /// The buffer of an input.
    Input(usize),
    /// The buffer of an output.
    Output(usize),
    /// A buffer of the workspace.
    Own(usize),
}

/// An element of a buffer, as a function of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferAccess {
    /// The buffer.
    pub buffer: BufferId,
    /// The position of the element in the buffer.
    pub place: AffinePosition,
}

/// A position or index, as a function of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum AffinePosition {
    /// An affine function.
    Linear(Linear),
    /// An affine function of the value of a map with floor terms.
    Floors(AffineMap, Linear),
}

impl AffinePosition {
    /// The value at a point.
    pub fn value(&self, point: &[i64]) -> i64 {
        match self {
            AffinePosition::Linear(linear) => linear.value(point),
            // The value fits wherever it is used, as the static checks prove.
            AffinePosition::Floors(map, linear) => map.value(&[], point).map_or(0, |at| linear.value(&at)),
        }
    }

    /// The coefficient of the last index; 0 if unknown.
    pub fn along(&self) -> i64 {
        match self {
            AffinePosition::Linear(linear) => linear.coefficients.last().copied().unwrap_or(0),
            AffinePosition::Floors(..) => 0,
        }
    }

    /// The values at the points of a row.
    pub fn along_row<'r>(&'r self, row: &'r PointRow) -> Box<dyn Iterator<Item = usize> + 'r> {
        let count = row.length as i64;
        match self {
            AffinePosition::Linear(_) => {
                let (start, stride) = (self.value(&row.start), self.along() * row.step);
                Box::new((0..count).filter_map(move |k| usize::try_from(start + stride * k).ok()))
            }
            AffinePosition::Floors(..) => {
                Box::new(row.points().filter_map(|point| usize::try_from(self.value(&point)).ok()))
            }
        }
    }

    /// The place for permuted indices; `None` for floor terms.
    pub fn reordered(&self, order: &[usize]) -> Option<AffinePosition> {
        match self {
            AffinePosition::Linear(linear) => Some(AffinePosition::Linear(linear.reordered(order))),
            AffinePosition::Floors(..) => None,
        }
    }
}

/// An operand of an instruction, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InstructionOperand {
    /// The result of an instruction.
    Register(usize),
    /// A constant.
    Constant(usize),
    /// An element that is read.
    Read(usize),
    /// An index.
    Index(usize),
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// A unary operation.
    Unary(UnaryOperation, InstructionOperand),
    /// A binary operation.
    Binary(BinaryOperation, [InstructionOperand; 2]),
    /// A fused product and sum.
    Fused(FusedOperation, [InstructionOperand; 3]),
    /// `if`
    Choice([InstructionOperand; 3]),
}

impl Instruction {
    /// The operands.
    pub fn operands(&self) -> &[InstructionOperand] {
        match self {
            Instruction::Unary(_, a) => std::slice::from_ref(a),
            Instruction::Binary(_, operands) => operands,
            Instruction::Fused(_, operands) | Instruction::Choice(operands) => operands,
        }
    }

    /// The operands, mutably.
    pub fn operands_mut(&mut self) -> &mut [InstructionOperand] {
        match self {
            Instruction::Unary(_, a) => std::slice::from_mut(a),
            Instruction::Binary(_, operands) => operands,
            Instruction::Fused(_, operands) | Instruction::Choice(operands) => operands,
        }
    }
}

/// An expression: instruction `k` writes register `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledExpression<T> {
    /// The instructions, operands first.
    pub instructions: Vec<Instruction>,
    /// The constants.
    pub constants: Vec<T>,
    /// The elements that are read.
    pub reads: Vec<BufferAccess>,
    /// The indices that occur as values.
    pub indices: Vec<AffinePosition>,
    /// The value.
    pub root: InstructionOperand,
}

/// The points of a statement, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementRows {
    /// All points within ranges.
    Box(Ranges),
    /// A list of rows.
    List(Vec<PointRow>),
}

/// How a statement uses its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode<T> {
    /// Stores the value in the element.
    Assign,
    /// Folds the value into the element, as a term of a reduction by an operation with this identity.
    Fold(BinaryOperation, T),
}

/// A computation at each point of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStatement<T> {
    /// The element to write.
    pub target: BufferAccess,
    /// How the value is used.
    pub mode: Mode<T>,
    /// The points.
    pub rows: StatementRows,
    /// The value.
    pub expression: CompiledExpression<T>,
    /// Whether rows end with their buffers' rows, so that they may be computed as whole vectors.
    pub is_padded: bool,
}

impl<T: MachineNumber> PlanStatement<T> {
    /// Permutes the loops of a reduction over a box so that most elements are read contiguously.
    pub fn ordered(mut self) -> PlanStatement<T> {
        let (StatementRows::Box(ranges), Mode::Fold(..)) = (&self.rows, self.mode) else { return self };
        let along = |place: &AffinePosition, d: usize| match place {
            AffinePosition::Linear(linear) => linear.coefficients[d],
            AffinePosition::Floors(..) => 2,
        };
        let cost = |d: &usize| {
            let apart = |place: &AffinePosition| usize::from(!matches!(along(place, *d), 0 | 1));
            let reads: usize = self.expression.reads.iter().map(|read| apart(&read.place)).sum();
            let is_short = ranges[*d].1 - ranges[*d].0 < 8;
            (reads + apart(&self.target.place), is_short, along(&self.target.place, *d) == 0)
        };
        // Among loops of equal cost, the last one stays innermost.
        let Some(inner) = (0..ranges.len()).rev().min_by_key(cost) else { return self };
        let order: Vec<usize> = (0..ranges.len()).filter(|d| *d != inner).chain([inner]).collect();
        let ranges = order.iter().map(|&d| ranges[d]).collect();
        let self_reads = self.expression.reads.len() + self.expression.indices.len();
        let accesses = self.expression.reads.iter_mut().map(|read| &mut read.place);
        let places = accesses.chain(&mut self.expression.indices).chain([&mut self.target.place]);
        let count = seeded(Seeded::FoldOrder, usize::MAX, || self_reads);
        for place in places.take(count) {
            if let Some(reordered) = place.reordered(&order) {
                *place = reordered;
            }
        }
        self.rows = StatementRows::Box(ranges);
        self
    }

    /// Marks the statement as padded if every row covers a whole row of its buffer, so that rows may be computed
    /// as whole vectors.
    pub fn padded(mut self, layout: &Layout) -> PlanStatement<T> {
        let whole = layout.extents.len().checked_sub(1).map(|last| layout.range(last));
        let (StatementRows::Box(ranges), Mode::Assign) = (&self.rows, self.mode) else { return self };
        let is_side_by_side = |access: &BufferAccess| matches!(access.place.along(), 0 | 1);
        self.is_padded = whole.is_some()
            && seeded(Seeded::PaddedWhole, ranges.last().copied() == whole, || true)
            && self.target.place.along() == 1
            && self.expression.reads.iter().all(is_side_by_side);
        self
    }

    /// Joins rows into as few as possible; not for rows with dependences. Rows must cover whole rows of the
    /// buffer, so that only padding lies between consecutive ones; joining continues while the joined rows are
    /// whole, too.
    pub fn joined(mut self, layout: &Layout) -> PlanStatement<T> {
        while self.is_padded
            && let Some((at, range)) = self.joins_rows(layout)
            && seeded(Seeded::JoinedPart, layout.range(at) == range, || true)
        {}
        self
    }

    /// Merges the last two indices if consecutive rows are adjacent in the same way in all buffers, so that many
    /// rows become one. Returns the index that is merged, and its range.
    fn joins_rows(&mut self, layout: &Layout) -> Option<(usize, (i64, i64))> {
        let StatementRows::Box(ranges) = &mut self.rows else { return None };
        let [.., (low, high), (first, last)] = ranges[..] else { return None };
        let (at, row) = (ranges.len() - 2, |place: &AffinePosition| match place {
            AffinePosition::Linear(linear) => linear.coefficients.last_chunk::<2>().copied(),
            AffinePosition::Floors(..) => None,
        });
        let [stride, 1] = row(&self.target.place)? else { return None };
        let reads = || self.expression.reads.iter().map(|read| &read.place);
        let follows = |place: &AffinePosition| matches!(row(place), Some([a, b]) if seeded(Seeded::JoinedStride, a == stride * b, || true) && (b == 0 || b == 1));
        let is_same = |place: &AffinePosition| row(place) == Some([0, 0]);
        let has_no_indices = self.expression.indices.iter().all(is_same);
        let has_no_indices = seeded(Seeded::JoinedIndex, has_no_indices, || true);
        let is_next = usize::try_from(stride).is_ok_and(|stride| stride == layout.strides[at]);
        if !is_next || !reads().all(follows) || !has_no_indices {
            return None;
        }
        ranges.truncate(at);
        ranges.push((first, last + (high - low) * stride));
        let reads = self.expression.reads.iter_mut().map(|read| &mut read.place);
        for place in reads.chain(&mut self.expression.indices).chain([&mut self.target.place]) {
            if let AffinePosition::Linear(linear) = place {
                let stride = linear.coefficients.remove(at);
                linear.constant += stride * low;
            }
        }
        Some((at, (low, high)))
    }

    /// The number of elements of a row to compute before those of the next row: few if something is read across
    /// its rows, so that consecutive reads are near each other; not many if several rows are added up.
    pub fn strip(&self, tuning: &Tuning) -> Option<usize> {
        let across = |read: &BufferAccess| match &read.place {
            AffinePosition::Linear(Linear { coefficients, .. }) => match &coefficients[..] {
                [outer @ .., last] => last.unsigned_abs() > 1 && outer.contains(&1),
                [] => false,
            },
            AffinePosition::Floors(..) => false,
        };
        if self.is_padded {
            return None;
        }
        let adds_up = match (&self.target.place, self.mode) {
            (AffinePosition::Linear(Linear { coefficients, .. }), Mode::Fold(..)) => {
                match &coefficients[..] {
                    [outer @ .., 1] => outer.contains(&0),
                    _ => false,
                }
            }
            _ => false,
        };
        let reads_across = self.expression.reads.iter().any(across);
        let strips = [(reads_across, tuning.strip), (adds_up, tuning.folded)];
        strips.into_iter().find_map(|(is, strip)| is.then_some(strip))
    }
}

impl<T: MachineNumber> CompiledExpression<T> {
    /// All places that the expression uses.
    pub fn places(&self) -> impl Iterator<Item = &AffinePosition> {
        self.reads.iter().map(|read| &read.place).chain(&self.indices)
    }

    /// The factors, if the value is a product of two elements that are constant or contiguous along a row.
    pub fn factors(&self) -> Option<[&BufferAccess; 2]> {
        match self.instructions[..] {
            [
                Instruction::Binary(
                    BinaryOperation::Multiply,
                    [InstructionOperand::Read(a), InstructionOperand::Read(b)],
                ),
            ] => {
                let factors = [&self.reads[a], &self.reads[b]];
                factors.iter().all(|factor| matches!(factor.place.along(), 0 | 1)).then_some(factors)
            }
            _ => None,
        }
    }

    /// Whether the value is a product.
    pub fn is_product(&self) -> bool {
        matches!(self.instructions.last(), Some(Instruction::Binary(BinaryOperation::Multiply, _)))
    }
}

impl<T> PlanStatement<T> {
    /// The buffers that are read.
    pub fn reads(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.expression.reads.iter().map(|read| read.buffer)
    }
}
