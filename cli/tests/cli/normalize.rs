//! `normalize`: normal forms and changes of basis, each with its certificate.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::Folder;

/// The shipped systems that are well-formed for all parameters, without one that mixes integers with other
/// numbers, for which the prover has no answer.
fn systems() -> Vec<String> {
    let examples = format!("{}/../examples", env!("CARGO_MANIFEST_DIR"));
    let files = [examples.clone(), format!("{examples}/recurrences")].into_iter().flat_map(|folder| {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().display().to_string())
    });
    let left_out = ["convolution-figure-2.alpha", "additions.alpha"];
    let mut systems: Vec<String> = files
        .filter(|file| file.ends_with(".alpha") && !left_out.iter().any(|name| file.ends_with(name)))
        .collect();
    systems.sort();
    systems
}

#[test]
fn every_system_has_a_normal_form_that_is_its_own() {
    let folder = Folder::new("normal-forms");
    let systems = systems();
    assert!(systems.len() > 20);
    for file in campaigns::spread("normal-forms", &systems) {
        let normal = folder.accepted(&format!("normalize {file} --certificate c.json"));
        folder.accepted("certify c.json");
        // Reductions are variables or whole right sides; no restriction, case or dependence is inside an operator.
        for inside in ["(case", "(reduce", "+ reduce", "- reduce", "* reduce", ").("] {
            assert!(!normal.contains(inside), "{file}: {normal}");
        }
        folder.write("normal.alpha", &normal);
        assert_eq!(folder.accepted("normalize normal.alpha"), normal, "{file}");
    }
}

#[test]
fn a_local_variable_is_moved_to_another_basis() {
    let folder = Folder::new("bases");
    let stencil = format!("{}/../examples/recurrences/stencil.alpha", env!("CARGO_MANIFEST_DIR"));
    let run = |basis: &str| {
        let mut command = folder.command();
        let arguments = ["normalize", &stencil, "--certificate", "c.json", "--basis", basis];
        let output = command.args(arguments).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, skewed, _) = run("u: t,i -> t,i+t");
    assert_eq!(code, Some(0));
    assert!(skewed.contains("u : { t,i | t<=i<=N+t-1; 0<=t<=T } of real"), "{skewed}");
    folder.accepted("certify c.json");
    for (basis, said) in [
        ("u: t,i -> 2t,i", "no inverse"),
        ("u: t,i -> t,t", "no inverse"),
        ("u: t -> t", "not a map"),
        ("u: t,i", "not a map"),
        ("w: t,i -> t,i+t", "no local variable"),
        ("y: i -> i+1", "no local variable"),
    ] {
        let (code, _, stderr) = run(basis);
        assert_eq!(code, Some(2), "{basis}");
        assert!(stderr.contains(said), "{basis}: {stderr}");
    }
}
