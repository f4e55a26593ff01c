//! Reads programs, values of their parameters, and tensors for their variables.

pub mod json;
pub mod npy;
pub mod npz;
pub mod parameters;
pub mod program;
pub mod receiving;
pub mod tensors;

use crate::diagnostics::{CommandCode, Position, Report};
use crate::exit::{Exit, Failure};
use crate::files::note_input;
use crate::limits::MAX_INPUT_BYTES;
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The header that all versions of this program's file formats share.
#[derive(Default, Deserialize)]
pub struct Header {
    /// The name of the format.
    pub format: String,
    /// The version of the format.
    pub version: u32,
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// The file cannot be read, is larger (the failure is `too_large`), or would be overwritten by this command.
pub fn read_file(path: &Path, limit: u64, too_large: fn() -> Failure) -> Result<Vec<u8>, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    read_open(path, file, limit, too_large)
}

/// Like [`read_file`], for an open file.
///
/// # Errors
/// See [`read_file`].
pub fn read_open(
    path: &Path,
    file: File,
    limit: u64,
    too_large: fn() -> Failure,
) -> Result<Vec<u8>, Failure> {
    let in_this_file = |mut failure: Failure| {
        failure.reports = failure.reports.into_iter().map(|report| report.in_file(path, None)).collect();
        failure
    };
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    note_input(path, &metadata)?;
    if metadata.is_dir() {
        return Err(unreadable(path, &std::io::ErrorKind::IsADirectory.into()));
    }
    if metadata.len() > limit {
        return Err(in_this_file(too_large()));
    }
    // A pipe has no length, and a file may grow while it is read.
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limit { Err(in_this_file(too_large())) } else { Ok(bytes) }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::fault(Report::new(CommandCode::I0001, format!("cannot read: {error}")).in_file(path, None))
}

/// The bytes as text, without a byte order mark.
///
/// # Errors
/// They are not UTF-8.
pub fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let bad = error.as_bytes().get(valid.len()).copied().unwrap_or(0);
        let message = format!("not UTF-8: unexpected byte 0x{bad:02x}");
        Failure::fault(Report::new(CommandCode::I0003, message).in_file(path, Some(position_after(valid))))
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The position after a prefix of a file.
fn position_after(prefix: &[u8]) -> Position {
    let line = prefix.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let last = prefix.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    Position { line, column: String::from_utf8_lossy(last).chars().count() + 1 }
}

/// The failure for an input file that is larger than [`MAX_INPUT_BYTES`].
pub fn input_too_large() -> Failure {
    let limit = MAX_INPUT_BYTES;
    Failure::new(
        Exit::Fault,
        Report::new(CommandCode::I0002, format!("the file is larger than {limit} bytes")),
    )
}
