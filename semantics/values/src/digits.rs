//! A limit on the length of exact numbers, so that `x = x * x` forty times is out of budget and not out of memory.
//!
//! Arithmetic on numbers has no way to fail, and should not have one. So a result that is too long is remembered for
//! the thread, 0 goes on in its place, and [`within_limit`], which every evaluation runs in, fails in the end.

use std::cell::Cell;

/// The maximum number of bits of numerators and denominators of exact numbers: some 300,000 decimal digits.
pub const MAX_BITS: usize = 1 << 20;

/// An exact number would have more than [`MAX_BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

thread_local! {
    static EXCEEDED: Cell<bool> = const { Cell::new(false) };
    static WORK: Cell<usize> = const { Cell::new(0) };
}

/// The number, or its default in place of one that is too long.
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

/// What this thread has spent on exact arithmetic since it was asked last: an operation on short numbers counts as one,
/// on long ones as many as take as long.
pub fn take_work() -> usize {
    WORK.replace(0)
}

/// Runs something, whose results mean nothing if it fails.
///
/// # Errors
/// A number became too long meanwhile.
pub fn within_limit<T>(run: impl FnOnce() -> T) -> Result<T, TooLong> {
    EXCEEDED.set(false);
    let result = run();
    if EXCEEDED.replace(false) { Err(TooLong) } else { Ok(result) }
}
