//! Files that a command writes. Nothing that is written replaces what it should not:
//!
//! | what is there | what is done |
//! |---|---|
//! | nothing | a new file, which is there whole or not at all |
//! | a file | a new one takes its place in one step, with its permissions and, where that is allowed, its owner |
//! | a file that nobody may write | refused, as `cp` does |
//! | a file that this command reads | refused, before any work where that is known then |
//! | a pipe, a character device such as `/dev/null` | written to; a pipe that nobody reads is refused |
//! | a symbolic link | refused, except where it leads to a pipe or a character device |
//! | anything else: a folder, a block device, a socket | refused |
//!
//! Whatever is only a file for a while has a name that cannot be guessed, and is made where nothing is.

mod destination;
mod ledger;
mod temporary;
mod writing;

pub use destination::{Destinations, require_folder, require_writable};
pub use ledger::note_input;
pub use temporary::remove_all as remove_temporaries;
pub use writing::{cannot_write, make_folder, remove_stale, write_file};
