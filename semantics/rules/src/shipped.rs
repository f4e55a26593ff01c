//! The shipped library of operators, as of build time.

use base::diagnostics::closest;
use std::path::Path;

/// The library files, by name.
pub(super) const FILES: [(&str, &str); 4] = [
    ("convolutions.rules", include_str!("../../../rules/library/convolutions.rules")),
    ("functions.rules", include_str!("../../../rules/library/functions.rules")),
    ("networks.rules", include_str!("../../../rules/library/networks.rules")),
    ("tensors.rules", include_str!("../../../rules/library/tensors.rules")),
];

/// The file of the library that defines or declares this name.
fn file_of(name: &str) -> Option<&'static str> {
    let is_it = |line: &str| {
        let rest = line.strip_prefix("define ").or_else(|| line.strip_prefix("function "));
        let rest = rest.and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    FILES.iter().find(|(_, text)| text.lines().any(is_it)).map(|(file, _)| *file)
}

/// The text of the shipped file with this path, `library/NAME`. Who reads files for an import falls back to it, so
/// that rules anywhere can import the library; a file of their own with this path comes first.
pub fn text_of(path: &Path) -> Option<&'static str> {
    let name = path.strip_prefix("library").ok()?;
    FILES.iter().find(|(file, _)| name == Path::new(file)).map(|(_, text)| *text)
}

/// How to import the file of the library that defines or declares this name.
pub fn import_of(name: &str) -> Option<String> {
    file_of(name).map(|file| format!("`import \"library/{file}\"` defines it"))
}

/// The hint that suggests a file of the library instead of one that is missing.
pub fn similar_file(missing: &str) -> Option<String> {
    let name = missing.rsplit('/').next()?;
    let stem = |file: &'static str| file.strip_suffix(".rules").unwrap_or(file);
    let stems = FILES.iter().map(|(file, _)| stem(file));
    let close = closest(name.strip_suffix(".rules").unwrap_or(name), stems)?;
    Some(format!("did you mean `library/{close}.rules`?"))
}
