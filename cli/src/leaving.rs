//! The end of the process. All unsafe code of this crate is here.
#![allow(unsafe_code, reason = "the standard library has no end of a process without handlers")]

use crate::exit::Exit;
use crate::files::remove_temporaries;

/// Ends the process at once. A thread may still work in z3 or isl: destructors of static objects, which returning from `main` and
/// `std::process::exit` run, would take away under it what it uses. So everything is written and flushed before.
pub fn leave(exit: Exit) -> ! {
    remove_temporaries();
    // SAFETY: it takes a number, and ends the process whatever other threads do.
    unsafe { libc::_exit(i32::from(exit.code())) }
}
