//! Rule files: finding them, verifying their rules side by side, and saying what was found.

pub mod files;
pub mod page;
pub mod rows;
pub mod table;
pub mod verified;

/// Threads that search for proofs or check them have so much stack: proofs nest as deep as expressions do.
pub const STACK_BYTES: usize = 256 << 20;

/// Does work in a thread with that much stack; `None` if there is no such thread, or it died.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()?;
        thread.join().ok()
    })
}
