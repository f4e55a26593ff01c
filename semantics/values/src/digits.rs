//! A limit on the length of exact numbers, so that `x = x * x` forty times runs out of budget and not out of
//! memory.
//!
//! Arithmetic has no way to fail, and should not have one. So the thread remembers that a result was too long and
//! continues with 0; [`within_limit`], in which every evaluation runs, fails at the end.

use std::cell::Cell;
use std::fmt;

/// The maximum number of bits of the numerator or denominator of an exact number: some 300,000 decimal digits,
/// 128 KiB. Squaring doubles the length, so that 20 squarings of a two-bit number reach it.
pub const MAX_BITS: usize = 1 << 20;

/// An exact number would have more than [`MAX_BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number has more than {MAX_BITS} bits")
    }
}

thread_local! {
    static EXCEEDED: Cell<bool> = const { Cell::new(false) };
    static WORK: Cell<usize> = const { Cell::new(0) };
}

/// The number, or the default if it is too long; counts the work.
pub(super) fn limited<N: Default>(number: N, bits: impl Fn(&N) -> usize) -> N {
    let bits = bits(&number);
    let words = bits / usize::BITS as usize;
    WORK.set(WORK.get().saturating_add(1 + words * words / 16));
    if bits <= MAX_BITS {
        return number;
    }
    EXCEEDED.set(true);
    N::default()
}

/// Runs a computation; also returns the work that it spent on exact arithmetic. An operation on short numbers counts
/// as one, an operation on long numbers as the number of short ones that take as long. The work of a computation
/// within another one counts for both.
pub fn counted<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let outer = WORK.replace(0);
    let result = run();
    let work = WORK.get();
    WORK.set(outer.saturating_add(work));
    (result, work)
}

/// Runs a computation. Its result means nothing if this fails, nor does any value that the computation has kept. A
/// computation within another one fails alone: what it could not compute, it says.
///
/// # Errors
/// A number became too long meanwhile.
pub fn within_limit<T>(run: impl FnOnce() -> T) -> Result<T, TooLong> {
    let outer = EXCEEDED.replace(false);
    let result = run();
    if EXCEEDED.replace(outer) { Err(TooLong) } else { Ok(result) }
}
