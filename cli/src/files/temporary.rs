//! Temporary files, in the folders of the files that they become.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// All temporary files that exist, so that the end of the process can remove them.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn with_all<T>(act: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    act(&mut ALL.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes all temporary files.
pub fn remove_all() {
    with_all(|all| {
        for path in std::mem::take(all) {
            std::fs::remove_file(path).ok();
        }
    });
}

/// A temporary file, which is removed unless it is put in place.
pub struct Temporary {
    path: PathBuf,
    /// The open file, for writing.
    pub file: File,
}

/// The maximum number of names to try, because a name may be taken. Names have 64 random bits: a second try
/// means that someone takes them on purpose.
const TRIES: u32 = 16;

impl Temporary {
    /// Creates an empty file in a folder, with the permissions `mode` less those that the process's mask removes.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn inside(folder: &Path, mode: u32) -> std::io::Result<Temporary> {
        // The keys come from the operating system's source of random numbers, so names cannot be guessed.
        let secret = RandomState::new();
        for number in 0..TRIES {
            let path = folder.join(format!(".selfsame-{:016x}.partial", secret.hash_one(number)));
            // Listed first, so that it is removed if the process ends meanwhile.
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

    /// Moves the file to `path` and replaces a file there, if one exists.
    ///
    /// # Errors
    /// The file cannot be moved.
    pub fn put_at(self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, path)?;
        with_all(|all| all.remove(&self.path));
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file that was put in place is no longer in the list.
        if with_all(|all| all.remove(&self.path)) {
            std::fs::remove_file(&self.path).ok();
        }
    }
}
