//! The shipped library of operators, as of build time.

use crate::library::Library;
use std::path::Path;
use std::sync::OnceLock;

/// The library files, by name.
const FILES: [(&str, &str); 4] = [
    ("convolutions.rules", include_str!("../../../rules/library/convolutions.rules")),
    ("functions.rules", include_str!("../../../rules/library/functions.rules")),
    ("networks.rules", include_str!("../../../rules/library/networks.rules")),
    ("tensors.rules", include_str!("../../../rules/library/tensors.rules")),
];

/// The shipped library.
pub fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let read = |path: &Path| {
            let file = FILES.iter().find(|(name, _)| path == Path::new(name));
            file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "not shipped".to_owned())
        };
        let all: String = FILES.iter().map(|(name, _)| format!("import \"{name}\"\n")).collect();
        Library::load(Path::new("all.rules"), &all, &read).0
    })
}

/// The file of the library that defines or declares this name.
pub fn file_of(name: &str) -> Option<&'static str> {
    let is_it = |line: &str| {
        let rest = line.strip_prefix("define ").or_else(|| line.strip_prefix("function "));
        let rest = rest.and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    FILES.iter().find(|(_, text)| text.lines().any(is_it)).map(|(file, _)| *file)
}
