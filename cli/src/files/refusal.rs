//! Why a destination is not written.

use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use std::path::Path;

/// The failure for a file or a folder that cannot be written.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    refused(path, &error.to_string())
}

/// The failure for a destination that is refused.
pub fn refused(path: &Path, why: &str) -> Failure {
    Failure::fault(Report::new(CommandCode::I0017, format!("cannot write: {why}")).in_file(path, None))
}
