//! Files that are there for a while, beside what they become.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Those that are there, for whoever ends the process.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn with_all<T>(act: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    act(&mut ALL.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes what would be left over.
pub fn remove_all() {
    with_all(|all| {
        for path in std::mem::take(all) {
            std::fs::remove_file(path).ok();
        }
    });
}

/// A file of ours, which is removed unless it is put in place.
pub struct Temporary {
    path: PathBuf,
    /// To write to.
    pub file: File,
}

/// A name that is taken is no reason to give up.
const TRIES: u32 = 16;

impl Temporary {
    /// An empty file in a folder, with these permissions, as far as the mask allows.
    ///
    /// # Errors
    /// There can be none.
    pub fn inside(folder: &Path, mode: u32) -> std::io::Result<Temporary> {
        // The keys come from the operating system's source of random numbers.
        let secret = RandomState::new();
        for number in 0..TRIES {
            let path = folder.join(format!(".selfsame-{:016x}.partial", secret.hash_one(number)));
            // Listed first: whoever ends the process meanwhile removes it.
            with_all(|all| all.insert(path.clone()));
            match OpenOptions::new().write(true).create_new(true).mode(mode).open(&path) {
                Ok(file) => return Ok(Temporary { path, file }),
                Err(error) => {
                    with_all(|all| all.remove(&path));
                    if error.kind() != ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Puts it in the place of a file, or where none is.
    ///
    /// # Errors
    /// It cannot be put there.
    pub fn put_at(self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, path)?;
        with_all(|all| all.remove(&self.path));
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What was put in place is not in the list any more.
        if with_all(|all| all.remove(&self.path)) {
            std::fs::remove_file(&self.path).ok();
        }
    }
}
