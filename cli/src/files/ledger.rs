//! The files that this process has read or will write, by device and inode and not by name.

use super::refusal::refused;
use crate::exit::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The identity of a file under all its names: its device and its inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(u64, u64);

impl Identity {
    /// The identity of a regular file; `None` for other files, because writing does not overwrite them.
    pub fn new(metadata: &Metadata) -> Option<Identity> {
        metadata.is_file().then(|| Identity(metadata.dev(), metadata.ino()))
    }
}

#[derive(Default)]
struct FileLedger {
    read: BTreeSet<Identity>,
    /// The option that writes each file.
    to_be_written: BTreeMap<Identity, &'static str>,
}

static LEDGER: Mutex<FileLedger> =
    Mutex::new(FileLedger { read: BTreeSet::new(), to_be_written: BTreeMap::new() });

fn ledger() -> MutexGuard<'static, FileLedger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a file is read.
///
/// # Errors
/// This command would overwrite the file.
pub fn note_input(path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let Some(identity) = Identity::new(metadata) else { return Ok(()) };
    let mut ledger = ledger();
    ledger.read.insert(identity);
    match ledger.to_be_written.get(&identity) {
        Some(option) => {
            Err(refused(path, &format!("it is an input of this command, which `{option}` would overwrite")))
        }
        None => Ok(()),
    }
}

/// Whether a file was read.
pub fn is_input(metadata: &Metadata) -> bool {
    Identity::new(metadata).is_some_and(|identity| ledger().read.contains(&identity))
}

/// Notes that an option writes a file; returns the option that was noted for the file before.
pub fn note_output(metadata: &Metadata, option: &'static str) -> Option<&'static str> {
    let identity = Identity::new(metadata)?;
    ledger().to_be_written.insert(identity, option)
}
