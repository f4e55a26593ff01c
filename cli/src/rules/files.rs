//! Finds rule files and reads them with their imports.

use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::Failure;
use crate::input::{read_file, read_open, utf8};
use base::diagnostics::{Diagnostic, MAX_SOURCE_BYTES};
use rule_files::library::Library;
use rule_files::shipped;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use values::System;

/// A rule file that was read.
#[derive(Debug)]
pub struct RuleFile {
    /// Its text.
    pub source: NamedSource,
    /// Its rules, and the definitions that they may use.
    pub library: Library,
    /// Its errors.
    pub errors: Vec<Diagnostic>,
    /// Its name, the key of its text in `texts`.
    pub name: String,
    /// The relative folder for output about it: its path as given, without the extension, the root, `.` and `..`.
    pub folder: PathBuf,
    /// The texts of the file and of its imports, by their paths from its folder.
    pub texts: BTreeMap<String, String>,
}

/// Reads the files among the paths, and all `.rules` files in the folders among them, which are sorted by name, for a number system.
///
/// # Errors
/// A path cannot be read, or there is no rule file.
pub fn load(paths: &[PathBuf], system: &System) -> Result<Vec<Arc<RuleFile>>, Failure> {
    let (files, unreadable) = load_readable(paths, system)?;
    unreadable.into_iter().next().map_or(Ok(files), |(_, failure)| Err(failure))
}

/// The rule files that were read, and the failure for each path that could not be read.
pub type Readable = (Vec<Arc<RuleFile>>, Vec<(PathBuf, Failure)>);

/// Reads what can be read of the paths, as [`load`] does, for rules about the operations of a number system.
///
/// # Errors
/// There is no rule file.
pub fn load_readable(paths: &[PathBuf], system: &System) -> Result<Readable, Failure> {
    let (mut found, mut files, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        if let Err(failure) = collect(path, "rules", &mut found) {
            unreadable.push((path.clone(), failure));
        }
    }
    for path in found {
        match load_one(&path, system) {
            Ok(file) => files.push(Arc::new(file)),
            Err(failure) => unreadable.push((path, failure)),
        }
    }
    if files.is_empty() && unreadable.is_empty() {
        return Err(Failure::fault(Report::new(
            CommandCode::U0001,
            "there is no `.rules` file among the paths",
        )));
    }
    Ok((files, unreadable))
}

/// Adds the path, or, if it is a folder, all files with that extension in it; adds no file twice.
///
/// # Errors
/// A folder cannot be read.
pub fn collect(path: &Path, ending: &str, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        let known = path.canonicalize().ok();
        if known.is_none() || files.iter().all(|other| other.canonicalize().ok() != known) {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    let unreadable = |error: std::io::Error| {
        Failure::fault(Report::new(CommandCode::I0001, format!("cannot read: {error}")).in_file(path, None))
    };
    let entries = std::fs::read_dir(path).map_err(unreadable)?;
    let mut inside: Vec<PathBuf> =
        entries.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>().map_err(unreadable)?;
    inside.retain(|entry| entry.is_dir() || entry.extension().is_some_and(|other| other == ending));
    inside.sort();
    inside.iter().try_for_each(|entry| collect(entry, ending, files))
}

fn too_large() -> Failure {
    Failure::fault(Report::new(
        CommandCode::I0002,
        format!("the file is larger than {MAX_SOURCE_BYTES} bytes"),
    ))
}

/// The text of an imported file; `left` is the number of bytes that remain for all imports together.
fn imported(path: &Path, left: &Cell<u64>) -> Result<String, String> {
    let in_words =
        |failure: Failure| failure.reports.into_iter().map(|report| report.message).collect::<String>();
    let bytes = read_open(path, regular_file(path)?, left.get(), imports_too_large).map_err(in_words)?;
    left.set(left.get().saturating_sub(bytes.len() as u64));
    utf8(path, bytes).map_err(in_words)
}

fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// Opens a regular file; refuses a pipe or a device without waiting for it.
fn regular_file(path: &Path) -> Result<File, String> {
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = opened.map_err(|error| error.to_string())?;
    match file.metadata() {
        Ok(there) if there.is_file() => Ok(file),
        Ok(_) => Err("it is not a regular file".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn imports_too_large() -> Failure {
    let message = format!("all imports of a file together are larger than {MAX_SOURCE_BYTES} bytes");
    Failure::fault(Report::new(CommandCode::I0002, message))
}

fn load_one(path: &Path, system: &System) -> Result<RuleFile, Failure> {
    let text = utf8(path, read_file(path, MAX_SOURCE_BYTES as u64, too_large)?)?;
    let (source, left) = (NamedSource::of_file(path, text), Cell::new(MAX_SOURCE_BYTES as u64));
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    let texts = RefCell::new(BTreeMap::from([(name.display().to_string(), source.text.to_string())]));
    let read = |inner: &Path| {
        let path = folder.join(inner);
        let text = match shipped::text_of(inner) {
            Some(text) if is_missing(&path) => text.to_owned(),
            _ => imported(&path, &left)?,
        };
        texts.borrow_mut().insert(inner.display().to_string(), text.clone());
        Ok(text)
    };
    let (mut library, errors) = Library::load(&name, &source.text, &read);
    library.system = system.clone();
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let folder = parts.collect::<PathBuf>().with_extension("");
    let (name, texts) = (name.display().to_string(), texts.into_inner());
    Ok(RuleFile { source, library, errors, name, folder, texts })
}
