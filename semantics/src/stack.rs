//! Stacks of our own, for what recurses on things that nest.

/// The stack of such a thread. It takes no memory until it is used.
pub const STACK_BYTES: usize = 256 << 20;

/// Does work on a thread with a stack of [`STACK_BYTES`], whatever that of the caller; `None` if there is no such thread, or it died.
pub fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()?;
        thread.join().ok()
    })
}

/// What must be left of a stack for work that recurses, and what is added where less is left.
const LEFT_BYTES: usize = 128 << 10;
const MORE_BYTES: usize = 4 << 20;

/// Does a step of work that recurses; where little is left of the stack, on a new part of it.
pub fn growing<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT_BYTES, MORE_BYTES, work)
}
