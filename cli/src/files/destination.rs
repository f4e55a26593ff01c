//! Where something is to be written: what is there, looked at before the work is done and again when it is written.

use super::ledger::{is_input, note_output};
use super::temporary::Temporary;
use super::writing::{cannot_write, refused};
use crate::diagnostics::{Code, Report};
use crate::exit::Failure;
use base::escaping::path as shown;
use std::fs::{Metadata, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// What is where something is to be written.
pub enum Destination {
    /// Nothing.
    New,
    /// A file, which may be replaced.
    File(Metadata),
    /// A pipe or a character device.
    Stream,
}

impl Destination {
    /// Looks at what is there.
    ///
    /// # Errors
    /// It must stay as it is.
    pub fn at(path: &Path) -> Result<Destination, Failure> {
        let refuse = |why: &str| Err(refused(path, why));
        let there = match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Destination::New),
            Err(error) => return Err(cannot_write(path, &error)),
            Ok(there) => there,
        };
        let leads_to_stream = || std::fs::metadata(path).is_ok_and(|target| is_stream(&target));
        match there.file_type() {
            _ if is_stream(&there) => Ok(Destination::Stream),
            kind if kind.is_symlink() && leads_to_stream() => Ok(Destination::Stream),
            kind if kind.is_symlink() => {
                let target = std::fs::read_link(path).map(|target| shown(&target)).unwrap_or_default();
                refuse(&format!("it is a symbolic link to {target}, and links are not followed"))
            }
            kind if kind.is_dir() => refuse("it is a folder"),
            kind if !kind.is_file() => refuse("it is no file, no pipe and no character device"),
            _ if is_input(&there) => refuse("it is an input of this command"),
            // Root may write to it all the same.
            _ if there.permissions().readonly() => refuse("it is a file that nobody may write"),
            _ => match OpenOptions::new().write(true).open(path) {
                Ok(_) => Ok(Destination::File(there)),
                Err(error) => Err(cannot_write(path, &error)),
            },
        }
    }
}

/// Whether writing there replaces nothing.
pub fn is_stream(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_char_device()
}

/// The folder in which a path is.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a command is to write, each with the option that says so.
#[derive(Debug, Default)]
pub struct Destinations {
    /// Files.
    pub files: Vec<(&'static str, PathBuf)>,
    /// Folders, which are made where they are missing, and the files in them whose names are known before the work is done.
    pub folders: Vec<(&'static str, PathBuf, &'static [&'static str])>,
}

impl Destinations {
    /// Looks at all of them before the work is done, and has inputs refused that would be overwritten.
    ///
    /// # Errors
    /// Something cannot be written, or two options write to one file.
    pub fn require(&self) -> Result<(), Failure> {
        for (option, path) in &self.files {
            require_writable(path)?;
            let other = std::fs::metadata(path).ok().and_then(|there| note_output(&there, option));
            let same = self.files.iter().find(|(known, other)| known != option && is_same(other, path));
            if let Some(other) = other.or(same.map(|(known, _)| *known)) {
                let message = format!("`{other}` and `{option}` are one file");
                return Err(Failure::fault(Report::new(Code::U0001, message).in_file(path, None)));
            }
        }
        for (option, folder, names) in &self.folders {
            require_folder(folder)?;
            let files = names.iter().map(|name| folder.join(name));
            for path in files.filter(|path| std::fs::symlink_metadata(path).is_ok()) {
                require_writable(&path)?;
                std::fs::metadata(&path).ok().and_then(|there| note_output(&there, option));
            }
        }
        Ok(())
    }
}

/// Whether two paths to files that may not be there are one; streams take more than one text.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| Some((parent(path).canonicalize().ok()?, path.file_name()?.to_owned()));
    !std::fs::metadata(one).is_ok_and(|there| is_stream(&there))
        && place(one).is_some_and(|at| Some(at) == place(other))
}

/// Requires that a file can be written.
///
/// # Errors
/// It cannot.
pub fn require_writable(path: &Path) -> Result<(), Failure> {
    match Destination::at(path)? {
        Destination::Stream => Ok(()),
        Destination::New | Destination::File(_) => {
            Temporary::inside(parent(path), 0o600).map(drop).map_err(|error| cannot_write(path, &error))
        }
    }
}

/// Requires that files can be made in a folder, or the folder where it is missing.
///
/// # Errors
/// They cannot.
pub fn require_folder(folder: &Path) -> Result<(), Failure> {
    let there = |path: &&Path| std::fs::symlink_metadata(path).is_ok();
    let named = folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    let nearest = named.chain([Path::new(".")]).find(there).unwrap_or(Path::new("."));
    // What is no folder has nothing inside.
    Temporary::inside(nearest, 0o600).map(drop).map_err(|error| cannot_write(folder, &error))
}
