//! The shipped rules.

use semantics::core::Instance;
use semantics::rules::instances::instances;
use semantics::rules::library::Library;
use semantics::rules::syntax::Rule;
use std::path::Path;

/// A file of the folder `rules`.
pub fn shipped(file: &str) -> Library {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules").join(file);
    in_folder(&path, &read(&path).unwrap())
}

/// A text with the operators of the shipped library.
pub fn from_text_with_operators(text: &str) -> Library {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/library/test.rules");
    in_folder(&path, &format!("import \"tensors.rules\"\n{text}"))
}

fn in_folder(path: &Path, text: &str) -> Library {
    let (library, errors) = Library::load(path, text, &read);
    assert!(errors.is_empty(), "{errors:?}");
    library
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// A file of this text, without imports.
pub fn from_text(text: &str) -> Library {
    let (library, errors) =
        Library::load(Path::new("test.rules"), text, &|_| Err("there are no files".to_owned()));
    assert!(errors.is_empty(), "{errors:?}");
    library
}

pub fn instances_of(library: &Library, rule: &Rule) -> Vec<Instance> {
    instances(library, rule).unwrap()
}

/// An instance as a person reads it.
pub fn text(instance: &Instance) -> String {
    let program = &instance.program;
    let [left, right] = instance.claim.sides.map(|side| program.node_text(side));
    let [given, domain] =
        [&instance.assumptions, &instance.claim.domain()].map(|c| program.condition_text(c));
    format!("{:?}\nfor {given}\non {domain}\nleft {left}\nright {right}", instance.choices)
}
