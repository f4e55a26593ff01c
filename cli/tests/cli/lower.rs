//! `selfsame lower`, through the real binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, examples};
use expect_test::expect;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.rink", "var input A : [n k]\nvar output x : [n n]\nx = (A # A) . [2 4]\nx = x + x\n");
    folder
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("--")).map(|line| format!("{line}\n")).collect()
}

/// The comments of the core say how to run it.
#[test]
fn differences_of_running_the_core_are_said() {
    let folder = Folder::new("lower_comments");
    folder.write("p.rink", "var input a : [] var output b : [] b = a / a");
    let core = folder.accepted("lower p.rink");
    assert!(
        core.starts_with("-- To divide as the program does, use --division controlled.\nsystem p "),
        "{core}"
    );
    folder.write("p.rink", "var input a : [2] var output b : [2] b = a + a");
    let core = folder.accepted("lower p.rink");
    assert!(
        core.starts_with("-- Indices start at 1: a matrix is given with \"origin\": [1, 1].\nsystem p "),
        "{core}"
    );
}

#[test]
fn all_sizes_in_both_notations() {
    let folder = folder("lower_notations");
    expect![[r#"
        -- Indices start at 1: a matrix is given with "origin": [1, 1].
        -- The final value of `x` is in x_2.
        system p (n, k : { n,k | n>=1; k>=1 } parameter;
            A : { i1,i2 | 1<=i1<=n; 1<=i2<=k } of real)
          returns (x_2 : { i1,i2 | 1<=i1<=n; 1<=i2<=n } of real);
        var
          x_1 : { i1,i2 | 1<=i1<=n; 1<=i2<=n } of real;
        let
          x_1 = reduce(+, (i1,i2,l->i1,i2), A.(i1,i2,l->i1,l) * A.(i1,i2,l->i2,l));
          x_2 = x_1 + x_1;
        tel;
    "#]]
    .assert_eq(&folder.accepted("lower p.rink"));
    let array = folder.accepted("lower p.rink --notation array");
    assert!(array.contains("  x_1[i1,i2] = reduce(+, (i1,i2,l->i1,i2), A[i1,l] * A[i2,l]);\n"), "{array}");
}

#[test]
fn given_sizes() {
    let folder = folder("lower_sizes");
    let text = folder.accepted("lower p.rink --param n=2 --param k=3");
    assert!(text.contains("system p (A : { i1,i2 | 1<=i1<=2; 1<=i2<=3 } of real)\n"), "{text}");
    folder.refused(2, "R0013", "lower p.rink --param n=2");
    folder.refused(2, "I0020", "lower p.rink --param m=2");
}

/// The printed core is a system that `check` accepts and whose core is itself.
#[test]
fn cores_of_the_examples_are_systems() {
    let folder = Folder::new("lower_examples");
    let mut count = 0;
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rink") {
            let core = folder.accepted(&format!("lower {}", path.display()));
            folder.write("core.alpha", &core);
            assert_eq!(folder.accepted("lower core.alpha"), without_comments(&core));
            folder.accepted("check core.alpha --deny-warnings");
            count += 1;
        }
    }
    assert!(count > 20);
}

/// The core of the matrix product runs, and gives the result of the program.
#[test]
fn cores_run() {
    let folder = Folder::new("lower_run");
    let (program, input) = (examples().join("figure-4-small.rink"), examples().join("figure-4-small.json"));
    let (program, input) = (program.display(), input.display());
    folder.write("core.alpha", folder.accepted(&format!("lower {program}")));
    let own = folder.accepted(&format!("run {program} --input {input} --json"));
    let tensors: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(input.to_string()).unwrap()).unwrap();
    let shifted = tensors.as_object().unwrap().iter().map(|(name, tensor)| {
        let mut tensor = tensor.clone();
        tensor["origin"] = serde_json::json!([1, 1]);
        (name.clone(), tensor)
    });
    let shifted: serde_json::Value = serde_json::Value::Object(shifted.collect());
    folder.write("in.json", shifted.to_string());
    let core = folder.accepted("run core.alpha --input in.json --division controlled --json");
    let data = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        json["store"]["C"]["data"].to_string()
    };
    assert_eq!(data(&own), data(&core));
}

#[test]
fn systems_are_their_own_cores() {
    let folder = Folder::new("lower_alpha");
    folder.write(
        "s.alpha",
        "system s (x : { i | 0<=i<=9 } of real) returns (y : { i | 1<=i<=9 } of real); -- difference\n\
         let y[i] = x[i] - x[i-1]; tel;",
    );
    expect![[r#"
        system s (x : { i | 0<=i<=9 } of real)
          returns (y : { i | 1<=i<=9 } of real);
        let
          y = x.(i->i) - x.(i->i-1);
        tel;
    "#]]
    .assert_eq(&folder.accepted("lower s.alpha"));
    assert!(folder.accepted("lower s.alpha --notation array").contains("y[i] = x[i] - x[i-1];"));
    folder.refused(2, "U0001", "lower s.alpha --param N=4");
    folder.write("bad.alpha", "system s (x : real) returns (y : real); let y = z; tel;");
    folder.refused(2, "P0004", "lower bad.alpha");
}

#[test]
fn programs_without_a_core() {
    let folder = Folder::new("lower_refused");
    folder.write("large.rink", "var A : [2 9223372036854775807]\nvar B : [9223372036854775808]\nB = B\n");
    let stderr = folder.refused(3, "R0022", "lower large.rink");
    assert!(stderr.contains("large.rink:2:10"), "{stderr}");
    folder.write("bad.rink", "var A : [2]\nA = B\n");
    folder.refused(2, "R0004", "lower bad.rink");
    folder.write("p.hml", "");
    folder.refused(3, "L0004", "lower p.hml");
}

/// The name of the system is the name of the file, as far as it can be.
#[test]
fn names_of_systems() {
    let folder = Folder::new("lower_names");
    for (file, name) in [("a-b.rink", "a_b"), ("2d.rink", "_2d"), ("let.rink", "_let"), ("é.rink", "_")] {
        let text = folder.write(file, "var x : [2]\nx = x\n").accepted(&format!("lower {file}"));
        assert!(text.contains(&format!("system {name} (")), "{text}");
        folder.write("core.alpha", text);
        folder.accepted("check core.alpha");
    }
}

/// In the core a size keeps its name, by which programs are compared; the text of the core has another.
#[test]
fn sizes_may_have_reserved_names() {
    let folder = Folder::new("lower-reserved");
    let program = |sum: &str| format!("var input x : [let] var output y : [let] y = {sum}");
    folder.write("a.rink", program("x + x + x")).write("b.rink", program("x + (x + x)"));
    folder.write("c.rink", program("x + x"));
    folder.write("core.alpha", without_comments(&folder.accepted("lower a.rink")));
    folder.accepted("check core.alpha");
    folder.accepted("equiv a.rink b.rink --certificate proof.json");
    folder.accepted("certify proof.json");
    let ran = folder.run("equiv a.rink c.rink");
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("counterexample in `rational`: let = 1\n"), "{}", ran.stdout);
}
