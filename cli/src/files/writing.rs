//! Writing to a destination.

use super::destination::{Destination, is_stream, parent};
use super::ledger::is_input;
use super::refusal::{cannot_write, refused};
use super::temporary::Temporary;
use crate::exit::Failure;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;
use std::time::Duration;

/// Writes to a file, which appears whole or not at all, or to a pipe or a device.
///
/// # Errors
/// The destination cannot be written, or must not be replaced.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let written = match Destination::at(path)? {
        Destination::New => replace(path, None, content),
        Destination::File(there) => replace(path, Some(&there), content),
        Destination::Stream => return pour(path, content),
    };
    written.map_err(|error| cannot_write(path, &error))
}

fn replace(path: &Path, old: Option<&Metadata>, content: &[u8]) -> std::io::Result<()> {
    // Private until it has the permissions of the old file, so that nobody else reads it meanwhile.
    let mut new = Temporary::inside(parent(path), if old.is_some() { 0o600 } else { 0o666 })?;
    new.file.write_all(content)?;
    if let Some(old) = old {
        keep(&new.file, old)?;
    }
    new.put_at(path)
}

/// Gives a file the owner of another one, if that is allowed, and its permissions, but not set-user-ID,
/// set-group-ID or the sticky bit.
fn keep(file: &File, old: &Metadata) -> std::io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid()))).ok();
    }
    file.set_permissions(Permissions::from_mode(old.mode() & 0o777))
}

/// The wait before another attempt to write to a full pipe: it is short for people, and 500 attempts a second
/// are no load.
const PAUSE: Duration = Duration::from_millis(2);

/// Writes to a pipe or a device without replacing it. Opening does not block: for a pipe that nobody reads, it
/// would wait for ever.
fn pour(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| match error.raw_os_error() {
        Some(libc::ENXIO) => refused(path, "nobody reads this pipe"),
        _ => cannot_write(path, &error),
    };
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut stream = OpenOptions::new().write(true).custom_flags(flags).open(path).map_err(failed)?;
    // It may have been replaced since it was checked.
    if !stream.metadata().is_ok_and(|opened| is_stream(&opened)) {
        return Err(refused(path, "it is no longer the pipe or device that it was"));
    }
    let mut rest = content;
    while !rest.is_empty() {
        match stream.write(rest) {
            Ok(0) => return Err(failed(ErrorKind::WriteZero.into())),
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(())
}

/// Creates a folder and its missing ancestors.
///
/// # Errors
/// The folder cannot be created.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))
}

/// Removes a file of an earlier run, if it exists; leaves anything but a regular file.
///
/// # Errors
/// The file cannot be removed, or is an input.
pub fn remove_stale(path: &Path) -> Result<(), Failure> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if is_input(&there) => Err(refused(path, "it is an input of this command")),
        Ok(there) if there.is_file() => match std::fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(cannot_write(path, &error)),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}
