//! Destinations of output: what already exists at a path, checked before the work is done and again when the file
//! is written.

use super::ledger::{is_input, note_output};
use super::refusal::{cannot_write, refused};
use super::temporary::Temporary;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use base::escaping::path as shown;
use std::fs::{Metadata, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// What exists at the path of an output.
pub enum Destination {
    /// Nothing.
    New,
    /// A file, which may be replaced.
    File(Metadata),
    /// A pipe or a character device.
    Stream,
}

impl Destination {
    /// Determines what exists at a path.
    ///
    /// # Errors
    /// It must not be replaced, or cannot be written.
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
            kind if !kind.is_file() => refuse("it is not a file, a pipe or a character device"),
            _ if is_input(&there) => refuse("it is an input of this command"),
            // Checked before opening, because root can open such a file for writing.
            _ if there.permissions().readonly() => refuse("it is a read-only file"),
            _ => match OpenOptions::new().write(true).open(path) {
                Ok(_) => Ok(Destination::File(there)),
                Err(error) => Err(cannot_write(path, &error)),
            },
        }
    }
}

/// Whether it is a pipe or a character device: writing to it replaces nothing.
pub fn is_stream(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_char_device()
}

/// The folder that contains a path.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The destinations of a command, each with the option that names it.
#[derive(Debug, Default)]
pub struct Destinations {
    /// Files.
    pub files: Vec<(&'static str, PathBuf)>,
    /// Folders, which are created if missing, and their files with names that are known before the work is done.
    pub folders: Vec<(&'static str, PathBuf, &'static [&'static str])>,
}

impl Destinations {
    /// Checks all destinations before the work is done, and notes them, so that an input that would be overwritten
    /// is refused.
    ///
    /// # Errors
    /// A destination cannot be written, or two options write to one file.
    pub fn require(&self) -> Result<(), Failure> {
        for (option, path) in &self.files {
            require_writable(path)?;
            let other = std::fs::metadata(path).ok().and_then(|there| note_output(&there, option));
            let same = self.files.iter().find(|(known, other)| known != option && is_same(other, path));
            if let Some(other) = other.or(same.map(|(known, _)| *known)) {
                let message = format!("`{other}` and `{option}` name the same file");
                return Err(Failure::fault(Report::new(CommandCode::U0001, message).in_file(path, None)));
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

/// Whether two paths denote one file, which need not exist. Never true for streams: outputs may share a stream.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| Some((parent(path).canonicalize().ok()?, path.file_name()?.to_owned()));
    !std::fs::metadata(one).is_ok_and(|there| is_stream(&there))
        && place(one).is_some_and(|at| Some(at) == place(other))
}

/// Requires that a file can be written.
///
/// # Errors
/// The file must not be replaced, or no file can be created in its folder.
pub fn require_writable(path: &Path) -> Result<(), Failure> {
    match Destination::at(path)? {
        Destination::Stream => Ok(()),
        Destination::New | Destination::File(_) => {
            Temporary::inside(parent(path), 0o600).map(drop).map_err(|error| cannot_write(path, &error))
        }
    }
}

/// Requires that files can be created in a folder, or, if the folder is missing, in its nearest existing ancestor.
///
/// # Errors
/// No file can be created there.
pub fn require_folder(folder: &Path) -> Result<(), Failure> {
    let there = |path: &&Path| std::fs::symlink_metadata(path).is_ok();
    let named = folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    let nearest = named.chain([Path::new(".")]).find(there).unwrap_or(Path::new("."));
    // This also fails if the ancestor is not a folder.
    Temporary::inside(nearest, 0o600).map(drop).map_err(|error| cannot_write(folder, &error))
}
