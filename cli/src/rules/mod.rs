//! Rule files: finding them, verifying their rules side by side, and saying what was found.

pub mod files;
pub mod page;
pub mod rows;
pub mod table;

/// Threads that search for proofs or check them have so much stack: proofs nest as deep as expressions do.
pub const STACK_BYTES: usize = 256 << 20;
