//! Rule files: finds them, verifies their rules in parallel, and shows the results.

pub mod counts;
pub mod files;
pub mod page;
pub mod rows;
pub mod table;
pub mod verified;

use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use link::certificate::Certificate;
use std::path::Path;

/// The content of a certificate's file.
///
/// # Errors
/// The proof is nested too deeply to be read again.
pub fn certificate_text(path: &Path, certificate: &Certificate) -> Result<Vec<u8>, Failure> {
    let too_deep = |reason| {
        let message = format!("the certificate cannot be written: {reason}");
        Failure::undecided(Report::new(CommandCode::L0006, message).in_file(path, None))
    };
    checker::nesting::write(certificate).map(String::into_bytes).map_err(too_deep)
}
