//! Stacks of our own, for what recurses on things that nest.

/// A stack of our own. It takes no memory until it is used.
pub const STACK_BYTES: usize = 256 << 20;

/// Does work that recurses with at least half of [`STACK_BYTES`] left, on a stack of its own where the caller has less.
pub fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_BYTES / 2, STACK_BYTES, work)
}

/// What must be left of a stack for work that recurses, and what is added where less is left.
const LEFT_BYTES: usize = 128 << 10;
const MORE_BYTES: usize = 4 << 20;

/// Does a step of work that recurses; where little is left of the stack, on a new part of it.
pub fn growing<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT_BYTES, MORE_BYTES, work)
}
