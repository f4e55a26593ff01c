//! The shipped library of operators, as of build time.

use base::diagnostics::did_you_mean;

/// The library files, by name.
pub(super) const FILES: [(&str, &str); 4] = [
    ("convolutions.rules", include_str!("../../../rules/library/convolutions.rules")),
    ("functions.rules", include_str!("../../../rules/library/functions.rules")),
    ("networks.rules", include_str!("../../../rules/library/networks.rules")),
    ("tensors.rules", include_str!("../../../rules/library/tensors.rules")),
];

/// The file of the library that defines or declares this name.
pub fn file_of(name: &str) -> Option<&'static str> {
    let is_it = |line: &str| {
        let rest = line.strip_prefix("define ").or_else(|| line.strip_prefix("function "));
        let rest = rest.and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    FILES.iter().find(|(_, text)| text.lines().any(is_it)).map(|(file, _)| *file)
}

/// The hint that suggests a file of the library instead of one that is missing.
pub fn similar_file(missing: &str) -> Option<String> {
    let name = missing.rsplit('/').next()?;
    did_you_mean(name, FILES.iter().map(|(file, _)| *file))
}
