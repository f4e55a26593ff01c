//! The end of the process. All unsafe code of this crate is here.
#![allow(unsafe_code, reason = "the standard library has no end of a process without handlers")]

use crate::exit::Exit;
use crate::files::remove_temporaries;

/// Ends the process at once; everything must be written and flushed before. A return from `main` and
/// `std::process::exit` run the destructors of static objects, but a thread may still use these in z3 or isl.
pub fn leave(exit: Exit) -> ! {
    remove_temporaries();
    // SAFETY: `_exit` takes a number, and ends the process whatever other threads do.
    unsafe { libc::_exit(i32::from(exit.code())) }
}
