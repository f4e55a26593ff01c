//! Tensor Comprehensions through the commands.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use serde_json::{Value, json};

/// The examples that the core cannot express, and why.
const WITHOUT_CORE: &[(&str, &str)] = &[
    ("embedding.tc", "read at an index that is a value"),
    ("reshape.tc", "a product of sizes or indices is not affine"),
];

#[test]
fn every_example_is_well_formed_has_a_core_if_it_is_affine_and_runs() {
    let count = every_example("comprehensions", "tc", WITHOUT_CORE);
    assert!(count >= 25, "{count}");
}

/// Checks, lowers and runs the examples in a folder with an ending; the number of them. Those that the core cannot express have a reason.
pub fn every_example(folder_name: &str, ending: &str, without_core: &[(&str, &str)]) -> usize {
    let mut count = 0;
    let page = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let folder = Folder::new(folder_name);
    for entry in std::fs::read_dir(examples().join(folder_name)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|of| of != ending) {
            continue;
        }
        // The page says at which sizes and ranks the input is.
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")))
            .unwrap_or_else(|| panic!("{name}"));
        let options = row.split('`').nth_back(1).unwrap();
        let words: Vec<&str> = options.split_whitespace().collect();
        let ranks: Vec<String> =
            words.windows(2).filter(|pair| pair[0] == "--rank").map(|pair| pair.join(" ")).collect();
        let program = format!("{} {}", path.display(), ranks.join(" "));
        let others: Vec<&str> = words
            .chunks(2)
            .filter(|pair| pair[0] != "--rank")
            .flat_map(|pair| pair.iter().copied())
            .collect();
        let run =
            format!("run {program} --input {} {}", path.with_extension("json").display(), others.join(" "));
        let refused = without_core.iter().find(|(without, _)| *without == name);
        for command in [format!("check {program}"), format!("lower {program}"), run] {
            let ran = folder.run(command.trim());
            match refused.filter(|_| command.starts_with("lower")) {
                Some((_, why)) => assert!(ran.code == Some(3) && ran.stderr.contains(why), "{}", ran.stderr),
                None => assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr),
            }
        }
        count += 1;
    }
    count
}

/// A product of two matrices and a vector is computed from the right: the core is rewritten, and proved to be the program.
#[test]
fn a_chain_of_products_is_optimized() {
    let folder = Folder::new("comprehensions_optimize");
    folder.write(
        "chain.tc",
        "def chain(float(N, N) A, float(N, N) B, float(N) x) -> (y) {
           T(i, j) +=! A(i, k) * B(k, j)
           y(i) +=! T(i, j) * x(j)
         }",
    );
    let ran = folder.run("optimize chain.tc --certificate chain.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("4*N^2; 2*N^3"), "{}", ran.stdout);
    folder.write("result.alpha", &ran.stdout);
    let equal = folder.run("equiv chain.tc result.alpha");
    assert_eq!(equal.code, Some(0), "{}{}", equal.stdout, equal.stderr);
}

/// Derivations of ranges and of runs, from the file to the check, which finds a change.
#[test]
fn derivations_are_checked_again() {
    let folder = Folder::new("comprehensions_derive");
    for name in ["convolution-strided", "embedding", "softmax", "network"] {
        let program = examples().join(format!("comprehensions/{name}.tc"));
        let page = std::fs::read_to_string(examples().join("README.md")).unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}.tc` |"))).unwrap();
        let sizes = row.split('`').nth_back(1).unwrap();
        let input = program.with_extension("json");
        let run = format!("--of evaluation --input {} {sizes}", input.display());
        for options in ["", &run] {
            let derived = folder.run(&format!("derive {} {options} --format json", program.display()));
            assert_eq!(derived.code, Some(0), "{name}: {}", derived.stderr);
            folder.write("derivation.json", &derived.stdout);
            let checked = folder.run("derive --check derivation.json");
            assert_eq!(
                (checked.code, &*checked.stdout),
                (Some(0), "every step follows\n"),
                "{name} {options}"
            );
            let changed = derived.stdout.replacen("\"rule\":\"tc-", "\"rule\":\"tc-round\",\"was\":\"", 1);
            folder.write("derivation.json", changed);
            assert_eq!(folder.run("derive --check derivation.json").code, Some(2), "{name}");
            let dropped = derived.stdout.replacen("\"premises\":[0", "\"premises\":[1", 1);
            folder.write("derivation.json", &dropped);
            let checked = folder.run("derive --check derivation.json");
            assert!(
                dropped == derived.stdout || checked.code == Some(1) || checked.code == Some(2),
                "{name}"
            );
            for format in ["text", "latex"] {
                let shown = folder.run(&format!("derive {} {options} --format {format}", program.display()));
                assert_eq!(shown.code, Some(0), "{}", shown.stderr);
                assert!(
                    shown.stdout.contains("[tc") && (format == "text" || shown.stdout.is_ascii()),
                    "{}",
                    shown.stdout
                );
            }
        }
        let budget = folder.run(&format!("derive {} --budget 3", program.display()));
        assert_eq!(budget.code, Some(3), "{}", budget.stderr);
        let with_size = folder.run(&format!("derive {} --param N=3", program.display()));
        assert_eq!(with_size.code, Some(2), "{}", with_size.stderr);
    }
    let stencil = examples().join("comprehensions/stencil.tc");
    let input = json!({ "A": { "shape": [2], "data": [1, 2] } });
    folder.write("input.json", input.to_string());
    let run = format!("derive {} --of evaluation --input input.json --param N=2", stencil.display());
    assert_eq!(folder.run(&run).code, Some(2));
}

/// An index that is read from a tensor is one of it, or what is read is •; a product is an index, too; and least values choose.
#[test]
fn what_is_read_at_values_and_products() {
    let folder = Folder::new("comprehensions_reads");
    folder.write(
        "reads.tc",
        "def f(float(K) A, int32(N) I, uint8(N) J) -> (B, C, D, E) {
           B(i) = A(I(i))
           C(i) = A(I(i) + J(i))
           D(i, j) = A(i*N + j) where i in 0:2, j in 0:N
           E(i) = A(min(i, 1)) + max(i, 2) where i in 0:N
         }",
    );
    let ran = folder.run("check reads.tc");
    assert!(ran.code == Some(2) && ran.stderr.contains("P0009"), "{}", ran.stderr);
    let text = std::fs::read_to_string(folder.path("reads.tc")).unwrap();
    folder.write("reads.tc", text.replace("I(i) + J(i)", "I(i) + int32(J(i))"));
    let input = json!({
        "A": { "shape": [6], "data": [10, 11, 12, 13, 14, 15] },
        "I": { "shape": [3], "data": [5, -1, 2] },
        "J": { "shape": [3], "data": [1, 1, 3] }
    });
    folder.write("input.json", input.to_string());
    let ran = folder.run("run reads.tc --param K=6 --param N=3 --input input.json --json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    let data = |name: &str| result["store"][name]["data"].clone();
    assert_eq!(ran.stderr, "");
    assert_eq!(data("B"), json!([15, null, 12]));
    assert_eq!(data("C"), json!([null, 10, 15]));
    assert_eq!(data("D"), json!([10, 11, 12, 13, 14, 15]));
    assert_eq!(data("E"), json!([12, 13, 13]));
    let extreme = json!({
        "A": { "shape": [6], "data": [10, 11, 12, 13, 14, 15] },
        "I": { "shape": [3], "data": [-2147483648_i64, 2147483647, 0] },
        "J": { "shape": [3], "data": [1, 1, 3] }
    });
    folder.write("extreme.json", extreme.to_string());
    let ran = folder.run("run reads.tc --param K=6 --param N=3 --input extreme.json --json");
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["store"]["B"]["data"], json!([null, null, 10]));
    // The first index of C is 1, and the difference of 64 bits would be too large.
    folder.write("far.tc", "def f(float(N) B, int64(N) I) -> (C, D) { C(i) = B(i - 1) D(i) = C(I(i)) }");
    let far = json!({ "B": { "shape": [1], "data": [3] }, "I": { "shape": [1], "data": ["-9223372036854775808"] } });
    folder.write("far.json", far.to_string());
    let ran = folder.run("run far.tc --param N=1 --input far.json --json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = folder.run("run reads.tc --param K=5 --param N=3 --input input.json");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
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
    let without =
        json!({ "A": { "shape": [1, 2], "data": [1, 2] }, "B": { "shape": [2, 1], "data": [3, 4] } });
    folder.write("without.json", without.to_string());
    let sizes = "--param N=1 --param K=2 --param M=1 --input without.json --json";
    let ran = folder.run(&format!("run {} {sizes}", update.display()));
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    // What is not given is •.
    assert_eq!(result["store"]["C"]["data"], json!([null]));
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
