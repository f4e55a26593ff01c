//! The `.npz` format: a zip archive of `.npy` files, each named after its variable.

use super::npy;
use super::receiving::Receiver;
use super::tensors::InputProblem;
use crate::diagnostics::CommandCode;
use crate::exit::Failure;
use std::io::{Cursor, Read};
use std::path::Path;
use zip::ZipArchive;

/// The maximum number of bytes of an entry besides its elements. A header of the first version has at most 64
/// KiB, by its 16-bit length; this is twice that.
const MAX_HEADER_BYTES: u64 = 1 << 17;

/// Reads every tensor of an archive.
///
/// # Errors
/// The archive is malformed or does not fit the program.
pub fn archive<R: Receiver>(path: &Path, bytes: Vec<u8>, reader: &mut R) -> Result<(), Failure> {
    let take = |reader: &mut R| {
        let stated = entries(&bytes);
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
        if stated.is_some_and(|stated| stated != archive.len()) {
            return Err(InputProblem::new(
                CommandCode::I0016,
                "two entries of the archive have the same name",
            ));
        }
        for at in 0..archive.len() {
            entry(path, &mut archive, at, reader)?;
        }
        Ok(())
    };
    take(reader).map_err(|problem: InputProblem| problem.in_file(path, None))
}

/// The number of entries that the end of the central directory states. It differs from the reader's if two entries
/// have one name, because the reader keeps only the last of them.
fn entries(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let [low, high] = *bytes.get(end + 10..end + 12)? else { return None };
    let stated = u16::from_le_bytes([low, high]);
    // The largest number says that the true number is in a Zip64 record.
    (stated != u16::MAX).then_some(usize::from(stated))
}

fn malformed(error: impl std::fmt::Display) -> InputProblem {
    InputProblem::new(CommandCode::I0013, format!("not a readable .npz file: {error}"))
}

fn entry<R: Receiver>(
    path: &Path,
    archive: &mut ZipArchive<Cursor<Vec<u8>>>,
    at: usize,
    reader: &mut R,
) -> Result<(), InputProblem> {
    let file = archive.by_index(at).map_err(malformed)?;
    let name = file.name().map_err(malformed)?.into_owned();
    let name = name.strip_suffix(".npy").unwrap_or(&name);
    let x = reader.variable(name)?;
    // An element has at most 8 bytes.
    let limit = reader.room(x).saturating_mul(8).saturating_add(MAX_HEADER_BYTES);
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(malformed)?;
    if bytes.len() as u64 > limit {
        let declared = reader.shape(x).map(|t| format!("`{name}` has type {t}, but ")).unwrap_or_default();
        let message = format!("{declared}the tensor has more than {limit} bytes");
        return Err(InputProblem::new(CommandCode::I0010, message));
    }
    let named =
        |problem: InputProblem| InputProblem { message: format!("`{name}`: {}", problem.message), ..problem };
    let tensor = npy::tensor(&bytes, reader.shape(x)).map_err(named)?;
    reader.give(x, tensor, path)
}
