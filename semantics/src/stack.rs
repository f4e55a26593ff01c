//! A thread with a stack of our own, for what recurses on things that nest.

/// The stack of such a thread. It takes no memory until it is used.
pub const STACK_BYTES: usize = 256 << 20;

/// Does work on a thread with a stack of [`STACK_BYTES`], whatever that of the caller; `None` if there is no such thread, or it died.
pub fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()?;
        thread.join().ok()
    })
}
