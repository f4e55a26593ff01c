//! The files that a command writes. What exists at the path decides what is done:
//!
//! | at the path | what is done |
//! |---|---|
//! | nothing | a new file, which appears whole or not at all |
//! | a file | a new one takes its place in one step, with its permissions and, if that is allowed, its owner |
//! | a file that nobody may write | refused, as `cp` does |
//! | a file that this command reads | refused, before any work if that is already known |
//! | a pipe, a character device such as `/dev/null` | written to; a pipe that nobody reads is refused |
//! | a symbolic link | refused, unless it leads to a pipe or a character device |
//! | anything else: a folder, a block device, a socket | refused |
//!
//! A temporary file has a name that cannot be guessed, and never replaces a file when it is created.

mod destination;
mod ledger;
mod refusal;
mod temporary;
mod writing;

pub use destination::{Destinations, require_folder, require_writable};
pub use ledger::note_input;
pub use refusal::cannot_write;
pub use temporary::remove_all as remove_temporaries;
pub use writing::{make_folder, remove_stale, write_file};
