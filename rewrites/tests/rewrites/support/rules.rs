//! The shipped rules.

use link::certificate::{Certificate, CertificateSubject, CertifiedRule};
use rewrites::verification::{Options, verify};
use rule_files::instances::instances;
use rule_files::library::Library;
use rule_files::syntax::Rule;
use selfsame_core::Instance;
use std::collections::BTreeMap;
use std::path::Path;
use values::SystemName;

/// Loads a file of the folder `rules`.
pub fn shipped(file: &str) -> Library {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules").join(file);
    in_folder(&path, &read(&path).unwrap())
}

/// Loads a text with the operators of the shipped library.
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

/// Loads a text without imports.
pub fn from_text(text: &str) -> Library {
    let (library, errors) =
        Library::load(Path::new("test.rules"), text, &|_| Err("there are no files".to_owned()));
    assert!(errors.is_empty(), "{errors:?}");
    library
}

pub fn instances_of(library: &Library, rule: &Rule) -> Vec<Instance> {
    instances(library, rule).unwrap()
}

/// The readable text of an instance.
pub fn text(instance: &Instance) -> String {
    let program = &instance.program;
    let [left, right] = instance.claim.sides.map(|side| program.node_text(side));
    let [given, domain] =
        [&instance.assumptions, &instance.claim.domain()].map(|c| program.condition_text(c));
    format!("{:?}\nfor {given}\non {domain}\nleft {left}\nright {right}", instance.choices)
}

/// The texts of a file and of its imports, by their paths from its folder.
fn texts(folder: &Path, file: &str) -> BTreeMap<String, String> {
    let library =
        ["tensors", "networks", "functions", "convolutions"].map(|name| format!("../library/{name}.rules"));
    let read = |name: &String| (name.clone(), std::fs::read_to_string(folder.join(name)).unwrap());
    [file.to_owned()].iter().chain(&library).map(read).collect()
}

/// The certificates of rules in a file of the folder `rules/pass`: of the rules with these names, or of all rules
/// of which something is proved.
pub fn certificates(file: &str, names: &[&str]) -> Vec<Certificate> {
    certificates_in(&SystemName::ALL, file, names)
}

/// The certificates of these shipped rules, or of all in the file, in these number systems.
pub fn certificates_in(systems: &'static [SystemName], file: &str, names: &[&str]) -> Vec<Certificate> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/pass");
    let library = shipped(&format!("pass/{file}"));
    let rules = library.rules().iter().filter(|rule| names.is_empty() || names.contains(&&*rule.name.text));
    let certificate = |rule: &Rule| {
        let verdict =
            verify(&library, rule, &Options { systems: Some(systems), ..Options::default() }).unwrap();
        let (file, files) = (file.to_owned(), texts(&folder, file));
        let (rule, system) = (rule.name.text.clone(), library.system.clone());
        verdict.certificate(CertificateSubject::Rule(CertifiedRule { file, rule, files, system }))
    };
    let all: Vec<Certificate> = rules.filter_map(certificate).collect();
    assert!(all.len() >= names.len());
    all
}
