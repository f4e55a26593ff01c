//! Tensor Comprehensions through the commands.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use serde_json::{Value, json};

#[test]
fn every_example_is_well_formed_has_a_core_and_runs() {
    let mut count = 0;
    let page = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let folder = Folder::new("comprehensions");
    for entry in std::fs::read_dir(examples().join("comprehensions")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "tc") {
            continue;
        }
        // The page says at which sizes the input is.
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        let sizes = row.split('`').nth_back(1).unwrap();
        let program = path.display();
        let run = format!("run {program} --input {} {sizes}", path.with_extension("json").display());
        for command in [format!("check {program}"), format!("lower {program}"), run] {
            let ran = folder.run(&command);
            assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        }
        count += 1;
    }
    assert!(count >= 25, "{count}");
}

/// A reduction without `!` starts from an input of the tensor's name, and a range need not start at 0.
#[test]
fn programs_run() {
    let folder = Folder::new("comprehensions_run");
    let update = examples().join("comprehensions/accumulation.tc");
    let input = json!({
        "A": { "shape": [1, 2], "data": [1, 2] },
        "B": { "shape": [2, 1], "data": [3, 4] },
        "C": { "shape": [1, 1], "data": [100] }
    });
    folder.write("input.json", input.to_string());
    let ran = folder.run(&format!(
        "run {} --param N=1 --param K=2 --param M=1 --input input.json --json",
        update.display()
    ));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["store"], json!({ "C": { "shape": [1, 1], "origin": [0, 0], "data": [111] } }));
    let stencil = examples().join("comprehensions/stencil.tc");
    folder.write("vector.json", json!({ "A": { "shape": [4], "data": [4, 8, 12, 16] } }).to_string());
    let ran = folder.run(&format!("run {} --param N=4 --input vector.json", stencil.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains('8') && ran.stdout.contains("12"), "{}", ran.stdout);
    let ran = folder.run(&format!("run {} --param N=2 --input vector.json", stencil.display()));
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    let norms = examples().join("comprehensions/norms.tc");
    folder.write("rows.json", json!({ "A": { "shape": [1, 2], "data": [3, 4] } }).to_string());
    let ran = folder.run(&format!(
        "run {} --param N=1 --param D=2 --input rows.json --values f64 --json",
        norms.display()
    ));
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["store"]["length"]["data"], json!([5.0]));
    assert_eq!(result["store"]["B"]["data"], json!([0.6, 0.8]));
}
