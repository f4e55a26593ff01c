//! Rule files: finding them, verifying their rules side by side, and saying what was found.

pub mod files;
pub mod page;
pub mod rows;
pub mod table;
pub mod verified;

use crate::crash::{Crash, caught};
use crate::diagnostics::{Code, Report};
use crate::exit::Failure;
use checker::certificate::Certificate;
pub use semantics::stack::STACK_BYTES;
use std::path::Path;

/// What a certificate's file has in it.
///
/// # Errors
/// The proof is nested too deep to be read again.
pub fn certificate_text(path: &Path, certificate: &Certificate) -> Result<Vec<u8>, Failure> {
    let too_deep = |reason| {
        let message = format!("the certificate cannot be written: {reason}");
        Failure::undecided(Report::new(Code::L0006, message).in_file(path, None))
    };
    checker::nesting::write(certificate).map(String::into_bytes).map_err(too_deep)
}

/// Does work in a thread with a large stack: proofs nest as deep as expressions do.
///
/// # Errors
/// There is no such thread, or the work panicked.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Crash> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, || caught(work));
        let thread = thread.map_err(|error| Crash::NoThread(error.to_string()))?;
        thread.join().unwrap_or_else(|_| Err(Crash::Panic("a thread ended without a word".to_owned())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(on_large_stack(|| 1), Ok(1));
        let (low, high) = (std::hint::black_box(0_u8), std::hint::black_box(1_u8));
        let crash = on_large_stack(|| low - high).unwrap_err().to_string();
        assert!(crash.starts_with("internal error: attempt to subtract with overflow"), "{crash}");
    }
}
