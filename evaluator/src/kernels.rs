//! Operations on rows of elements, vectorized for the machine at run time.
//!
//! No operation traps or is slow on any number, so a row may extend into its padding, whose results are never
//! read.
//!
//! Functions that take a [`KernelOperand`] are inlined. An operand passed in memory is written in two halves and read
//! as a whole; the processor then waits until all earlier stores are in the caches, so that no operation could
//! start while another one waits for memory.

use crate::level::Level;
use crate::numbers::{BinaryOperation, FusedOperation, MachineNumber, UnaryOperation};
use crate::reached::{Way, reach};
use crate::seeded::{Seeded, seeded};
use pulp::{Simd, WithSimd};
use values::Division;

/// An operand of an operation on a row.
#[derive(Clone, Copy, Debug)]
pub enum KernelOperand<'a, T> {
    /// One element per position.
    Row(&'a [T]),
    /// The same element at every position.
    Same(T),
}

impl<T: MachineNumber> KernelOperand<'_, T> {
    /// The element at a position.
    pub fn at(&self, k: usize) -> T {
        match self {
            KernelOperand::Row(row) => row[k],
            KernelOperand::Same(value) => *value,
        }
    }

    fn is_row(&self) -> bool {
        matches!(self, KernelOperand::Row(_))
    }

    /// Copies the operand to a row.
    pub fn copy_to(&self, out: &mut [T]) {
        match self {
            KernelOperand::Row(row) => out.copy_from_slice(&row[..out.len()]),
            KernelOperand::Same(value) => out.fill(*value),
        }
    }
}

/// `out[k] = value(a[k])`
struct Map<'a, T, F>(&'a mut [T], &'a [T], F);

impl<T: MachineNumber, F: Fn(T) -> T> WithSimd for Map<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Map(out, a, value) = self;
        out.iter_mut().zip(a).for_each(|(out, a)| *out = value(*a));
    }
}

/// `out[k] = value(a[k], b[k])`
struct Zip<'a, T, F>(&'a mut [T], [KernelOperand<'a, T>; 2], F);

impl<T: MachineNumber, F: Fn(T, T) -> T> WithSimd for Zip<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Zip(out, operands, value) = self;
        match operands {
            [KernelOperand::Row(a), KernelOperand::Row(b)] => {
                out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = value(*a, *b));
            }
            [KernelOperand::Row(a), KernelOperand::Same(b)] => {
                out.iter_mut().zip(a).for_each(|(out, a)| *out = value(*a, b));
            }
            [KernelOperand::Same(a), KernelOperand::Row(b)] => {
                let value = |a, b| seeded(Seeded::SameFirst, value(a, b), || value(b, a));
                out.iter_mut().zip(b).for_each(|(out, b)| *out = value(a, *b));
            }
            [KernelOperand::Same(a), KernelOperand::Same(b)] => out.fill(value(a, b)),
        }
    }
}

/// `out[k] = value(a[k], b[k], c[k])`
struct Triple<'a, T, F>(&'a mut [T], [KernelOperand<'a, T>; 3], F);

impl<T: MachineNumber, F: Fn(T, T, T) -> T> WithSimd for Triple<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Triple(out, operands, value) = self;
        match operands {
            [KernelOperand::Row(a), KernelOperand::Row(b), KernelOperand::Row(c)] => {
                let each = out.iter_mut().zip(a).zip(b.iter().zip(c));
                each.for_each(|((out, a), (b, c))| *out = value(*a, *b, *c));
            }
            [KernelOperand::Row(a), KernelOperand::Same(b), KernelOperand::Row(c)]
            | [KernelOperand::Same(b), KernelOperand::Row(a), KernelOperand::Row(c)] => {
                out.iter_mut().zip(a).zip(c).for_each(|((out, a), c)| *out = value(*a, b, *c));
            }
            [KernelOperand::Row(a), KernelOperand::Row(b), KernelOperand::Same(c)] => {
                let same = |a: T| seeded(Seeded::TripleSame, c, || a);
                out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = value(*a, *b, same(*a)));
            }
            [KernelOperand::Row(a), KernelOperand::Same(b), KernelOperand::Same(c)]
            | [KernelOperand::Same(b), KernelOperand::Row(a), KernelOperand::Same(c)] => {
                out.iter_mut().zip(a).for_each(|(out, a)| *out = value(*a, b, c));
            }
            [KernelOperand::Same(a), KernelOperand::Same(b), KernelOperand::Row(c)] => {
                out.iter_mut().zip(c).for_each(|(out, c)| *out = value(a, b, *c));
            }
            [KernelOperand::Same(a), KernelOperand::Same(b), KernelOperand::Same(c)] => {
                out.fill(value(a, b, c))
            }
        }
    }
}

/// `out[k] = value(out[k], a[k], b[k])`
struct Onto<'a, T, F>(&'a mut [T], [KernelOperand<'a, T>; 2], F);

impl<T: MachineNumber, F: Fn(T, T, T) -> T> WithSimd for Onto<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Onto(out, operands, value) = self;
        match operands {
            [KernelOperand::Row(a), KernelOperand::Row(b)] => {
                out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = value(*out, *a, *b));
            }
            [KernelOperand::Row(a), KernelOperand::Same(b)]
            | [KernelOperand::Same(b), KernelOperand::Row(a)] => {
                out.iter_mut().zip(a).for_each(|(out, a)| *out = value(*out, *a, b));
            }
            [KernelOperand::Same(a), KernelOperand::Same(b)] => {
                out.iter_mut().for_each(|out| *out = value(*out, a, b));
            }
        }
    }
}

/// `out[k] = value(out[k], a[k])`
struct Into<'a, T, F>(&'a mut [T], &'a [T], F);

impl<T: MachineNumber, F: Fn(T, T) -> T> WithSimd for Into<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Into(out, a, value) = self;
        out.iter_mut().zip(a).for_each(|(out, a)| *out = value(*out, *a));
    }
}

/// `out[k] = a[k]` if `c[k]` is true, else `b[k]`.
struct Choose<'a, T>(&'a mut [T], [&'a [T]; 3]);

impl<T: MachineNumber> WithSimd for Choose<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Choose(out, [c, a, b]) = self;
        let each = out.iter_mut().zip(c).zip(a.iter().zip(b));
        each.for_each(|((out, c), (a, b))| *out = if c.is_true() { *a } else { *b });
    }
}

/// The number of side-by-side parts in which a row is reduced: four vectors of 16 lanes of f32, so that an
/// addition need not wait for the one before, which takes four cycles on x86.
const PARTS: usize = 64;

/// Reduces a row in parts, each starting from the identity.
struct Parts<'a, T, F>(T, &'a [T], F);

impl<T: MachineNumber, F: Fn(T, T) -> T> WithSimd for Parts<'_, T, F> {
    type Output = T;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> T {
        let Parts(identity, row, value) = self;
        let mut parts = [seeded(Seeded::PartsIdentity, identity, || T::ZERO); PARTS];
        let whole = row.chunks_exact(PARTS);
        let rest = seeded(Seeded::PartsTail, whole.remainder(), || &row[..row.len() - row.len() % 2]);
        for chunk in whole {
            parts.iter_mut().zip(chunk).for_each(|(part, a)| *part = value(*part, *a));
        }
        parts.iter_mut().zip(rest).for_each(|(part, a)| *part = value(*part, *a));
        let mut width = PARTS / seeded(Seeded::PartsHalf, 2, || 64);
        while width > 0 {
            let (low, high) = parts.split_at_mut(width);
            low.iter_mut().zip(high).for_each(|(a, b)| *a = value(*a, *b));
            width /= 2;
        }
        parts[0]
    }
}

/// `out = op a`
#[inline(always)]
pub fn unary<T: MachineNumber>(
    level: Level,
    operation: UnaryOperation,
    a: KernelOperand<'_, T>,
    out: &mut [T],
) {
    let a = match a {
        KernelOperand::Same(a) => return out.fill(operation.value(a)),
        KernelOperand::Row(a) => &a[..out.len()],
    };
    reach(Way::Unary(operation), level.name);
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(UnaryOperation::$name => level.dispatch(Map(out, a, |a| UnaryOperation::$name.value(a))),)*
            }
        };
    }
    each!(Negative Complement Not Absolute Truncation Truth Same Floor Ceiling Whole Nearest);
}

/// `out = a op b`
#[inline(always)]
pub fn binary<T: MachineNumber>(
    level: Level,
    operation: BinaryOperation,
    a: KernelOperand<'_, T>,
    b: KernelOperand<'_, T>,
    out: &mut [T],
) {
    let length = seeded(Seeded::LevelTail, out.len(), || out.len() - usize::from(level.name != "scalar"));
    let out = &mut out[..length];
    reach(Way::Binary(operation), level.name);
    reach(Way::TwoRows([a.is_row(), b.is_row()]), level.name);
    macro_rules! each {
        ($($known:path)* ; $($division:ident)*) => {
            match operation {
                $($known => level.dispatch(Zip(out, [a, b], |a, b| $known.value(a, b))),)*
                $(BinaryOperation::Divide(Division::$division) => {
                    level.dispatch(Zip(out, [a, b], |a, b| BinaryOperation::Divide(Division::$division).value(a, b)));
                })*
                BinaryOperation::Integer(_) => level.dispatch(Zip(out, [a, b], |a, b| operation.value(a, b))),
            }
        };
    }
    each!(
        BinaryOperation::Add BinaryOperation::Subtract BinaryOperation::Multiply BinaryOperation::Smaller BinaryOperation::Larger BinaryOperation::And BinaryOperation::Or BinaryOperation::Differ BinaryOperation::Agree BinaryOperation::Equal
        BinaryOperation::NotEqual BinaryOperation::Less BinaryOperation::LessOrEqual; Extended Controlled System
    );
}

/// `out = op(a, b, c)`
#[inline(always)]
pub fn fused<T: MachineNumber>(
    level: Level,
    operation: FusedOperation,
    operands: [KernelOperand<'_, T>; 3],
    out: &mut [T],
) {
    reach(Way::Fused(operation), level.name);
    reach(Way::ThreeRows(operands.map(|operand| operand.is_row())), level.name);
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(FusedOperation::$name => {
                    level.dispatch(Triple(out, operands, |a, b, c| FusedOperation::$name.value(a, b, c)));
                })*
            }
        };
    }
    each!(MultiplyAdd MultiplySubtract SubtractProduct);
}

/// `out = out + a · b`
#[inline(always)]
pub fn accumulate_product<T: MachineNumber>(
    level: Level,
    out: &mut [T],
    a: KernelOperand<'_, T>,
    b: KernelOperand<'_, T>,
) {
    reach(Way::AddProduct([a.is_row(), b.is_row()]), level.name);
    level.dispatch(Onto(out, [a, b], |c, a, b| FusedOperation::MultiplyAdd.value(a, b, c)));
}

/// The number of products that are added in one pass. An output is loaded and stored once for eight products,
/// and the eight factors fit into the registers of AVX2 (16) with the sum.
pub const PRODUCTS: usize = 8;

/// `out[k] = out[k] + a0[k] · b0 + a1[k] · b1 + …`, in this order.
struct OntoMany<'a, T>(&'a mut [T], [(&'a [T], T); PRODUCTS]);

impl<T: MachineNumber> WithSimd for OntoMany<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let OntoMany(out, products) = self;
        let products = products.map(|(row, same)| (&row[..out.len()], same));
        for (k, out) in out.iter_mut().enumerate() {
            let count = seeded(Seeded::ManyLast, PRODUCTS, || PRODUCTS - 1);
            *out = products
                .iter()
                .take(count)
                .fold(*out, |sum, (row, same)| FusedOperation::MultiplyAdd.value(row[k], *same, sum));
        }
    }
}

/// `out = out + Σ a · b`, adding one product after the other.
pub fn accumulate_products<T: MachineNumber>(
    level: Level,
    out: &mut [T],
    products: [[KernelOperand<'_, T>; 2]; PRODUCTS],
) {
    let rows = products.map(|product| match product {
        [KernelOperand::Row(row), KernelOperand::Same(same)]
        | [KernelOperand::Same(same), KernelOperand::Row(row)] => Some((row, same)),
        _ => None,
    });
    if rows.iter().all(Option::is_some) {
        reach(Way::AddProducts, level.name);
        level.dispatch(OntoMany(out, rows.map(Option::unwrap_or_default)));
    } else {
        products.into_iter().for_each(|[a, b]| accumulate_product(level, out, a, b));
    }
}

/// `out = if c then a else b`
#[inline(always)]
pub fn choice<T: MachineNumber>(
    level: Level,
    c: KernelOperand<'_, T>,
    a: KernelOperand<'_, T>,
    b: KernelOperand<'_, T>,
    out: &mut [T],
) {
    reach(Way::Choice([c, a, b].map(|operand| operand.is_row())), level.name);
    let KernelOperand::Row(c) = c else {
        let is_true = seeded(Seeded::ChoiceSame, c.at(0).is_true(), || !c.at(0).is_true());
        let chosen = if is_true { a } else { b };
        return chosen.copy_to(out);
    };
    match (a, b) {
        (KernelOperand::Row(a), KernelOperand::Row(b)) => level.dispatch(Choose(out, [c, a, b])),
        _ => out.iter_mut().enumerate().for_each(|(k, out)| {
            *out = if c[k].is_true() { a.at(k) } else { b.at(k) };
        }),
    }
}

/// `out = out op row`
pub fn accumulate<T: MachineNumber>(level: Level, operation: BinaryOperation, out: &mut [T], row: &[T]) {
    reach(Way::Accumulate(operation), level.name);
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(BinaryOperation::$name => level.dispatch(Into(out, row, |a, b| BinaryOperation::$name.value(a, b))),)*
                _ => level.dispatch(Into(out, row, |a, b| operation.value(a, b))),
            }
        };
    }
    each!(Add Multiply Smaller Larger And Or Differ);
}

/// `start op a[0] op a[1] …`, reduced in parts, for an operation with this identity.
pub fn fold<T: MachineNumber>(
    level: Level,
    operation: BinaryOperation,
    identity: T,
    start: T,
    row: &[T],
) -> T {
    reach(Way::Fold(operation), level.name);
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(BinaryOperation::$name => level.dispatch(Parts(identity, row, |a, b| BinaryOperation::$name.value(a, b))),)*
                _ => row.iter().fold(identity, |a, b| operation.value(a, *b)),
            }
        };
    }
    let of_row = each!(Add Multiply Smaller Larger And Or Differ);
    seeded(Seeded::FoldStart, operation.value(start, of_row), || of_row)
}
