//! `selfsame run`: stores, number systems, padding, divisions, limits.

use crate::common::{Folder, examples};
use expect_test::{Expect, expect};

/// Runs a program on an input and compares its JSON.
fn check(options: &str, program: &str, input: &str, expected: Expect) {
    let folder = Folder::new("run_check");
    let folder = folder.write("p.rink", program);
    folder.write("in.json", input);
    let input = if input.is_empty() { "" } else { "--input in.json" };
    expected.assert_eq(&folder.accepted(&format!("run p.rink {input} --json {options}")));
}

#[test]
fn stores() {
    check(
        "",
        "",
        "",
        expect![[r#"
        {"store":{}}
    "#]],
    );
    check(
        "",
        "var z : [2] var a : []",
        "",
        expect![[r#"
        {"store":{"z":{"shape":[2],"data":[null,null]},"a":{"shape":[],"data":[null]}}}
    "#]],
    );
    let product = "var A : [2 2] var B : [2 2] var C : [2 2] C = (A # B) . [2 3]";
    let input = r#"{"A": {"shape": [2, 2], "data": [1, 2, 3, 4]}, "B": {"data": [0, 1, "1/2", null], "shape": [2, 2]}}"#;
    check(
        "",
        product,
        input,
        expect![[r#"
        {"store":{"A":{"shape":[2,2],"data":[1,2,3,4]},"B":{"shape":[2,2],"data":[0,1,"1/2",null]},"C":{"shape":[2,2],"data":[1,null,2,null]}}}
    "#]],
    );
    check(
        "--pad 3",
        product,
        input,
        expect![[r#"
        {"store":{"A":{"shape":[3,3],"data":[1,2,0,3,4,0,0,0,0]},"B":{"shape":[3,3],"data":[0,1,0,"1/2",null,0,0,0,0]},"C":{"shape":[3,3],"data":[1,null,0,2,null,0,0,null,0]}}}
    "#]],
    );
}

#[test]
fn number_systems() {
    let program = "var x : [3] var y : [3] y = x * x - x";
    let input = r#"{"x": {"shape": [3], "data": [2147483647, -3, 0]}}"#;
    check(
        "--values rational",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647,-3,0]},"y":{"shape":[3],"data":["4611686011984936962",12,0]}}}
    "#]],
    );
    check(
        "--values integer",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647,-3,0]},"y":{"shape":[3],"data":["4611686011984936962",12,0]}}}
    "#]],
    );
    check(
        "--values i32",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647,-3,0]},"y":{"shape":[3],"data":[-2147483646,12,0]}}}
    "#]],
    );
    check(
        "--values i64",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647,-3,0]},"y":{"shape":[3],"data":["4611686011984936962",12,0]}}}
    "#]],
    );
    check(
        "--values f32",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483600.0,-3.0,0.0]},"y":{"shape":[3],"data":[4.611686e+18,12.0,0.0]}}}
    "#]],
    );
    check(
        "--values f64",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647.0,-3.0,0.0]},"y":{"shape":[3],"data":[4.611686011984937e+18,12.0,0.0]}}}
    "#]],
    );
    check(
        "--values field",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[2147483647,"2305843009213693948",0]},"y":{"shape":[3],"data":["2305843002771243011",12,0]}}}
    "#]],
    );
}

#[test]
fn elements_are_read_without_loss() {
    let data = r#"[0.1, 1e-3, "0x1.8p3", "-7/3", 123456789012345678901234567890, 9007199254740991, 9007199254740992]"#;
    let input = format!(r#"{{"x": {{"shape": [7], "data": {data}}}}}"#);
    check(
        "",
        "var x : [7]",
        &input,
        expect![[r#"
        {"store":{"x":{"shape":[7],"data":["1/10","1/1000",12,"-7/3","123456789012345678901234567890",9007199254740991,"9007199254740992"]}}}
    "#]],
    );
    check(
        "--values f64",
        "var x : [7]",
        &input,
        expect![[r#"
        {"store":{"x":{"shape":[7],"data":[0.1,0.001,12.0,-2.3333333333333335,1.2345678901234568e+29,9007199254740991.0,9007199254740992.0]}}}
    "#]],
    );
    let input = r#"{"x": {"shape": [5], "data": ["inf", "-inf", "nan", -0.0, 1e-400]}}"#;
    check(
        "--values f32",
        "var x : [5]",
        input,
        expect![[r#"
        {"store":{"x":{"shape":[5],"data":["inf","-inf","nan",-0.0,0.0]}}}
    "#]],
    );
}

#[test]
fn divisions() {
    let program = "var x : [3] var y : [3] var q : [3] q = x / y";
    let input = r#"{"x": {"shape": [3], "data": [0, 0, 1]}, "y": {"shape": [3], "data": [0, null, 0]}}"#;
    check(
        "",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[0,0,1]},"y":{"shape":[3],"data":[0,null,0]},"q":{"shape":[3],"data":[0,0,null]}}}
    "#]],
    );
    check(
        "--division extended",
        program,
        input,
        expect![[r#"
        {"store":{"x":{"shape":[3],"data":[0,0,1]},"y":{"shape":[3],"data":[0,null,0]},"q":{"shape":[3],"data":[null,null,null]}}}
    "#]],
    );
}

#[test]
fn the_evaluators_agree() {
    for stem in ["figure-4-small", "figure-6-small", "interpolation", "inverse-helmholtz"] {
        let run = |options: &[&str]| {
            let (program, input) =
                (examples().join(format!("{stem}.rink")), examples().join(format!("{stem}.json")));
            let folder = Folder::new("evaluators");
            let output =
                folder.command().arg("run").arg(program).arg("--input").arg(input).args(options).output();
            let ran = crate::common::Ran::from(output.unwrap());
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
            ran.stdout
        };
        for values in ["rational", "f32", "field"] {
            let options = ["--json", "--values", values, "--evaluator"];
            assert_eq!(
                run(&[&options[..], &["pointwise"]].concat()),
                run(&[&options[..], &["tabulated"]].concat())
            );
        }
    }
}

#[test]
fn pairs_of_examples() {
    let mut pairs = 0;
    for entry in std::fs::read_dir(examples()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix("-a.rink") else { continue };
        let store = |side: &str| {
            let (program, input) =
                (examples().join(format!("{stem}-{side}.rink")), examples().join(format!("{stem}.json")));
            let folder = Folder::new("pairs");
            let ran = folder
                .command()
                .arg("run")
                .arg(program)
                .arg("--input")
                .arg(input)
                .arg("--json")
                .output()
                .unwrap();
            assert!(ran.status.success(), "{stem} {side}");
            ran.stdout
        };
        assert_eq!(store("a") == store("b"), stem.ends_with("-equal"), "{stem}");
        pairs += 1;
    }
    assert_eq!(pairs, 10);
}

#[test]
fn commands_of_the_readme() {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let commands = readme.split('`').chain(readme.lines()).map(str::trim);
    let commands: Vec<&str> = commands.filter_map(|text| text.strip_prefix("selfsame ")).collect();
    assert!(commands.len() >= 10);
    // `readme.rs` runs what stands in the other pages, too.
    let others = crate::readme::commands();
    let others = |command: &&str| !others.iter().any(|line| line == &format!("$ selfsame {command}"));
    for command in commands.into_iter().filter(others) {
        let mut selfsame = Folder::new("readme").command();
        let ran =
            selfsame.current_dir(examples().join("..")).args(command.split_whitespace()).output().unwrap();
        assert!(ran.status.success(), "{command}");
    }
}

#[test]
fn for_people() {
    let folder = Folder::new("for_people");
    folder.write(
        "p.rink",
        "var s : [] var v : [3] var m : [2 2] var t : [2 1 3] var w : [30 1] var h : [1 30] var x : [9 1 1]",
    );
    folder.write("in.json", r#"{"m": {"shape": [2, 2], "data": ["-1/3", 20, null, 4]}}"#);
    expect![[r#"
        s : []
          •
        v : [3]
          •  •  •
        m : [2 2]
          -1/3  20
             •   4
        t : [2 1 3]
          [1 · ·] =
          •  •  •
          [2 · ·] =
          •  •  •
        w : [30 1]
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          •
          … 6 more rows (--json shows all)
        h : [1 30]
          •  •  •  •  •  •  •  •  •  •  •  •  …
          … 18 more columns (--json shows all)
        x : [9 1 1]
          [1 · ·] =
          •
          [2 · ·] =
          •
          [3 · ·] =
          •
          [4 · ·] =
          •
          [5 · ·] =
          •
          [6 · ·] =
          •
          [7 · ·] =
          •
          [8 · ·] =
          •
          … 1 more slices (--json shows all)
    "#]]
    .assert_eq(&folder.accepted("run p.rink --input in.json"));
}

#[test]
fn deep_programs_run() {
    let folder = Folder::new("deep_run");
    folder.write("p.rink", format!("var A : [] A = {}A{}", "(".repeat(100_000), ")".repeat(100_000)));
    folder.write("in.json", r#"{"A": {"shape": [], "data": [7]}}"#);
    for evaluator in ["pointwise", "tabulated"] {
        let stdout = folder.accepted(&format!("run p.rink --input in.json --json --evaluator {evaluator}"));
        assert_eq!(stdout, "{\"store\":{\"A\":{\"shape\":[],\"data\":[7]}}}\n");
    }
}

#[test]
fn tensors_that_are_too_large() {
    let folder = Folder::new("too_large");
    folder.write("declared.rink", "var x : [5000 5000]");
    let stderr = folder.refused(3, "L0001", "run declared.rink");
    expect![[r#"
        error[L0001]: `x` has type [5000 5000], 25000000 elements; the limit is 16777216
         --> declared.rink:1:5
          |
        1 | var x : [5000 5000]
          |     ^ `x` has type [5000 5000]
          |
          = help: `--max-elements N` sets another limit

    "#]]
    .assert_eq(&stderr);
    folder.accepted("run declared.rink --values f32 --max-elements 25000000");
    folder.write("between.rink", "var x : [100 100] var s : [] s = (x # x + (x # x)) . [1 2] . [1 2]");
    let stderr = folder.refused(3, "L0001", "run between.rink");
    expect![[r#"
        error[L0001]: an intermediate tensor has type [100 100 100 100], 100000000 elements; the limit is 16777216
         --> between.rink:1:35
          |
        1 | var x : [100 100] var s : [] s = (x # x + (x # x)) . [1 2] . [1 2]
          |                                   ^^^^^ computing this
          |
          = help: `--max-elements N` sets another limit

    "#]].assert_eq(&stderr);
    folder.write("padded.rink", "var x : [1 1 1]");
    folder.refused(3, "L0001", "run padded.rink --pad 1000");
    folder.refused(2, "R0008", "run padded.rink --pad 18446744073709551615");
    folder.write("all.rink", "var x : [18446744073709551615]");
    folder.refused(3, "L0001", "run all.rink");
    folder.refused(3, "L0002", "run all.rink --max-elements 18446744073709551615");
    folder.write("product.rink", "var x : [100000] var s : [] s = (x # x # x + (x # x # x)) . [1 2] . [1 1]");
    folder.refused(2, "R0005", "run product.rink");
    folder.write(
        "product.rink",
        "var x : [100000] var s : [] s = ((x # x # x # x) + (x # x # x # x)) . [1 2] . [1 2]",
    );
    folder.refused(3, "L0001", "run product.rink --max-elements 18446744073709551615");
}

#[test]
fn the_figures_at_printed_size() {
    let run = |figure: &str, options: &[&str]| {
        let mut selfsame = Folder::new(&format!("figure_{figure}")).command();
        let program = examples().join(format!("figure-{figure}.rink"));
        crate::common::Ran::from(selfsame.arg("run").arg(program).args(options).output().unwrap())
    };
    for figure in ["2", "6"] {
        let ran = run(figure, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
        assert!(ran.stderr.contains("the limit is 16777216"), "{}", ran.stderr);
    }
    for figure in ["3", "4", "5"] {
        assert_eq!(run(figure, &["--values", "f64"]).code, Some(0));
    }
    assert_eq!(run("4", &["--max-elements", "199999"]).code, Some(3));
}

/// Repeated squaring makes numbers exceed the memory: out of budget (L0008), in every command.
#[test]
fn numbers_that_are_too_long() {
    let squarings = format!("var input x : []\nvar output y : []\ny = x\n{}", "y = y * y\n".repeat(40));
    let folder = Folder::new("run_long");
    folder.write("p.rink", squarings).write("p.json", r#"{"x": {"shape": [], "data": [3]}}"#);
    folder.refused(3, "L0008", "run p.rink --input p.json");
    folder.refused(3, "L0008", "run p.rink --input p.json --values integer");
    folder.refused(3, "L0008", "derive p.rink --input p.json --of evaluation");
    assert_eq!(folder.run("run p.rink --input p.json --values i64").code, Some(0));
    let long = format!("var input x : []\nvar output y : []\ny = x\n{}", "y = y * y\n".repeat(19));
    let stdout = folder.write("q.rink", long).accepted("run q.rink --input p.json");
    assert!(stdout.len() > 250_000, "{}", stdout.len());
}
