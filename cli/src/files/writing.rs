//! Writing to a destination.

use super::destination::{Destination, is_stream, parent};
use super::ledger::is_input;
use super::temporary::Temporary;
use crate::diagnostics::{Code, Report};
use crate::exit::Failure;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;
use std::time::Duration;

/// Why a file or a folder is not written.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    refused(path, &error.to_string())
}

/// A destination that must stay as it is.
pub fn refused(path: &Path, why: &str) -> Failure {
    Failure::fault(Report::new(Code::I0017, format!("cannot write: {why}")).in_file(path, None))
}

/// Writes to a file, which is there whole or not at all, or to a pipe or a device.
///
/// # Errors
/// It cannot be written, or must stay as it is.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let written = match Destination::at(path)? {
        Destination::New => replace(path, None, content),
        Destination::File(there) => replace(path, Some(&there), content),
        Destination::Stream => return pour(path, content),
    };
    written.map_err(|error| cannot_write(path, &error))
}

fn replace(path: &Path, old: Option<&Metadata>, content: &[u8]) -> std::io::Result<()> {
    // Nobody reads it before it has the permissions of the old one.
    let mut new = Temporary::inside(parent(path), if old.is_some() { 0o600 } else { 0o666 })?;
    new.file.write_all(content)?;
    if let Some(old) = old {
        keep(&new.file, old)?;
    }
    new.put_at(path)
}

/// Gives a file the owner of another, where that is allowed, and its permissions; not what makes programs run as their owner.
fn keep(file: &File, old: &Metadata) -> std::io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid()))).ok();
    }
    file.set_permissions(Permissions::from_mode(old.mode() & 0o777))
}

/// How long to wait before a full pipe is tried again.
const PAUSE: Duration = Duration::from_millis(2);

/// Writes to a pipe or a device without replacing it. To open a pipe that nobody reads would wait for ever.
fn pour(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| match error.raw_os_error() {
        Some(libc::ENXIO) => refused(path, "nobody reads this pipe"),
        _ => cannot_write(path, &error),
    };
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut stream = OpenOptions::new().write(true).custom_flags(flags).open(path).map_err(failed)?;
    // It may have been replaced since it was looked at.
    if !stream.metadata().is_ok_and(|opened| is_stream(&opened)) {
        return Err(refused(path, "it was a pipe or a device, and is none any more"));
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

/// Makes a folder, and those that it is in.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))
}

/// Removes a file of an earlier run; what is no file is none.
///
/// # Errors
/// It cannot be removed, or is an input.
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
