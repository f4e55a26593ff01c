//! `selfsame check`: types, all errors of a file, and files that are not programs.

use crate::common::{Folder, examples};
use expect_test::{expect, expect_file};

/// One error of each of the five kinds, and other faults of a text.
const ILL_FORMED: &str = "var A : [2 3]
var B : [3]
var A : [2]
C = B
A = B
B = D + B
B = A . [1 2] -- the extents differ
var E : [0]
B = b + (B
\t# Ä
";

#[test]
fn all_five_kinds_in_one_run() {
    let folder = Folder::new("five_kinds");
    let stderr = folder.write("bad.rink", ILL_FORMED).refused(2, "R0001", "check bad.rink");
    expect![[r#"
        error[R0001]: `A` is declared twice
         --> bad.rink:3:5
          |
        3 | var A : [2]
          |     ^ declared again here
          |
         ...
        1 | var A : [2 3]
          |     - first declared here

        error[R0002]: assignment to `C`, which is not declared
         --> bad.rink:4:1
          |
        4 | C = B
          | ^ expected a declared variable
          |
          = help: declare it before the first statement: `var C : […]`

        error[R0003]: `A` has type [2 3], but the expression has type [3]
         --> bad.rink:5:5
          |
        5 | A = B
          |     ^ expected [2 3], found [3]
          |
         ...
        1 | var A : [2 3]
          |     - `A` is declared with type [2 3]

        error[R0004]: `D` is not declared
         --> bad.rink:6:5
          |
        6 | B = D + B
          |     ^ expected a declared variable
          |
          = help: declare it before the first statement: `var D : […]`

        error[R0005]: dimensions 1 and 2 have different extents, 2 and 3
         --> bad.rink:7:5
          |
        7 | B = A . [1 2] -- the extents differ
          |     -^^^^^^^^
          |     |
          |     expected equal extents (rule t-contr)
          |     this has type [2 3]

        error[R0012]: declaration after a statement
         --> bad.rink:8:1
          |
        8 | var E : [0]
          | ^^^^^ all declarations stand before the first statement

        error[R0006]: extent 1 of `E` is 0
         --> bad.rink:8:10
          |
        8 | var E : [0]
          |          ^ expected a positive extent

        error[R0004]: `b` is not declared
         --> bad.rink:9:5
          |
        9 | B = b + (B
          |     ^ expected a declared variable
          |
          = help: did you mean `B`?

        error[R0010]: unexpected character 'Ä'
          --> bad.rink:10:4
           |
        10 |     # Ä
           |       ^ not part of the language
           |
           = help: identifiers consist of the letters a to z and A to Z and of digits, and start with a letter

    "#]]
    .assert_eq(&stderr);
}

#[test]
fn errors_as_json() {
    let folder = Folder::new("errors_json");
    let ran = folder.write("bad.rink", ILL_FORMED).run("check bad.rink --json");
    assert_eq!(ran.code, Some(2));
    expect![[r#"
        {"ok":false,"errors":[{"code":"R0001","line":3,"column":5,"message":"`A` is declared twice"},{"code":"R0002","line":4,"column":1,"message":"assignment to `C`, which is not declared"},{"code":"R0003","line":5,"column":5,"message":"`A` has type [2 3], but the expression has type [3]"},{"code":"R0004","line":6,"column":5,"message":"`D` is not declared"},{"code":"R0005","line":7,"column":5,"message":"dimensions 1 and 2 have different extents, 2 and 3"},{"code":"R0012","line":8,"column":1,"message":"declaration after a statement"},{"code":"R0006","line":8,"column":10,"message":"extent 1 of `E` is 0"},{"code":"R0004","line":9,"column":5,"message":"`b` is not declared"},{"code":"R0010","line":10,"column":4,"message":"unexpected character 'Ä'"}]}
    "#]].assert_eq(&ran.stdout);
}

#[test]
fn types() {
    let folder = Folder::new("types");
    folder.write("good.rink", "var input A : [002 3]\nvar s : []\nvar output z : [4]\ns = s * s");
    expect![[r#"
        A : [2 3] input
        s : []
        z : [4] output
    "#]]
    .assert_eq(&folder.run("check good.rink").stdout);
    expect![[r#"
        {"ok":true,"types":{"A":[2,3],"s":[],"z":[4]},"warnings":[{"code":"A0001","line":3,"column":12,"message":"the output `z` is never assigned"},{"code":"A0002","line":4,"column":1,"message":"no output depends on this value of `s`"},{"code":"A0001","line":4,"column":5,"message":"`s` may be undefined here"},{"code":"A0001","line":4,"column":9,"message":"`s` may be undefined here"}]}
    "#]]
    .assert_eq(&folder.accepted("check good.rink --json"));
}

#[test]
fn texts_that_are_programs() {
    let folder = Folder::new("texts_good");
    let deep = format!("var A : [2]\nA = {}A{}", "(".repeat(100_000), ")".repeat(100_000));
    let zeros = format!("var A : [{}2]", "0".repeat(1000));
    let cases = [
        ("empty", "", "{}"),
        ("blank", " \t\r\n\n", "{}"),
        ("bom", "\u{feff}var A : [2]", r#"{"A":[2]}"#),
        ("crlf", "var A : [2]\r\nA = A\r\n  + A\r\n", r#"{"A":[2]}"#),
        ("deep", &deep, r#"{"A":[2]}"#),
        ("zeros", &zeros, r#"{"A":[2]}"#),
        ("largest", "var A : [18446744073709551615]", r#"{"A":[18446744073709551615]}"#),
    ];
    for (name, text, types) in cases {
        let stdout = folder.write("p.rink", text).accepted("check --json p.rink");
        assert_eq!(stdout, format!("{{\"ok\":true,\"types\":{types}}}\n"), "{name}");
    }
}

#[test]
fn texts_that_are_not() {
    let folder = Folder::new("texts_bad");
    let cases = [
        ("var A : [0]", "R0006", "1:10"),
        ("var A : [2 18446744073709551616]", "R0007", "1:12"),
        ("var A : [4294967296 4294967296]", "R0008", "1:5"),
        ("\u{feff}var A : [0]", "R0006", "1:10"),
        ("var A : [2]\r\n\r\nA = B\r\n", "R0004", "3:5"),
        ("var A : [2]\n\tA = A +", "R0011", "2:9"),
        ("var A : [2]\n-- äöü\nA = A +\n", "R0011", "3:8"),
        ("var A : [2] {}", "R0010", "1:13"),
        ("\0\0\0", "R0010", "1:1"),
        ("var A : [2] \u{c}\u{b}", "R0010", "1:13"),
    ];
    for (text, code, place) in cases {
        let stderr = folder.write("p.rink", text).refused(2, code, "check p.rink");
        assert!(stderr.contains(&format!("--> p.rink:{place}\n")), "{stderr}");
        assert!(!stderr.contains('␍'), "{stderr}");
    }
}

#[test]
fn json_positions_agree_with_the_text() {
    let folder = Folder::new("positions");
    let ran = folder.write("p.rink", "var A : [2] -- ü\r\n\tA = Ä").run("check p.rink --json");
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for error in document["errors"].as_array().unwrap() {
        let (line, column) = (&error["line"], &error["column"]);
        assert!(ran.stderr.contains(&format!("--> p.rink:{line}:{column}\n")), "{}", ran.stderr);
    }
}

#[test]
fn limits_are_not_faults() {
    let folder = Folder::new("check_limits");
    folder.write("rank.rink", format!("var A : [{}]", "1 ".repeat(300)));
    folder.refused(3, "R0020", "check rank.rink");
    let ran = folder.run("check rank.rink --json");
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.starts_with(r#"{"ok":false,"errors":[{"code":"R0020","line":1,"#), "{}", ran.stdout);
    folder.write("both.rink", format!("var A : [{}] var B : [0]", "1 ".repeat(300)));
    assert_eq!(folder.run("check both.rink").code, Some(2));
    let huge = std::fs::File::create(folder.path("huge.rink")).unwrap();
    huge.set_len(1 << 30).unwrap();
    folder.refused(2, "R0021", "check huge.rink");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("unreadable");
    std::fs::create_dir(folder.path("folder.rink")).unwrap();
    folder.write("latin1.rink", b"var A : [2]\n-- \xc3\xa4 gr\xf6sse").write("p.txt", "").write("p.hml", "");
    folder.refused(2, "I0001", "check missing.rink");
    folder.refused(2, "I0001", "check folder.rink");
    folder.refused(2, "I0004", "check p.txt");
    folder.refused(2, "I0004", "check p");
    folder.refused(3, "L0004", "check p.hml");
    assert_eq!(folder.accepted("check p.txt --language rink"), "");
    let stderr = folder.refused(2, "I0003", "check latin1.rink");
    assert!(stderr.contains("latin1.rink:2:8"), "{stderr}");
    let ran = folder.run("check missing.rink --json");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stdout.starts_with(r#"{"ok":false,"errors":[{"code":"I0001","line":1,"column":1,"#),
        "{}",
        ran.stdout
    );
}

#[test]
fn many_errors_and_long_lines() {
    let folder = Folder::new("many_errors");
    let declarations: String = (0..10_000).map(|at| format!("var A{at} : [2] ")).collect();
    let statements: String = (0..10_000).map(|at| format!("A{at} = B{at} ")).collect();
    let ran = folder.write("p.rink", declarations + &statements).run("check p.rink");
    assert_eq!((ran.code, ran.stderr.matches("error[R0004]").count()), (Some(2), 10_000));
    assert!(ran.stderr.lines().all(|line| line.len() < 1000));
}

#[test]
fn all_examples_are_well_formed() {
    let mut checked = 0;
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rink") {
            checked += 1;
            let ran = Folder::new("examples_check").command().arg("check").arg(&path).output().unwrap();
            assert!(ran.status.success(), "{path:?}");
        }
    }
    assert!(checked >= 25);
}

/// The analyses of §5: A0001 and A0002 by default, A0003 and A0004 with `--analyze`.
#[test]
fn analyses_warn_and_note() {
    let text = "var input a : [2 2]\nvar u : [2 2]\nvar x : [2 2]\nvar output y : [2 2]\nvar output z : []\nx = a + u\n\
                x = a * a\nx = (a * a) + x\nx = x ^ [1 2]\ny = x\n";
    let folder = Folder::new("check_analyses");
    let plain = folder.write("p.rink", text).run("check p.rink");
    let asked = folder.run("check --analyze p.rink");
    let json = folder.run("check --analyze p.rink --json");
    assert_eq!((plain.code, asked.code, json.code), (Some(0), Some(0), Some(0)));
    assert_eq!(plain.stdout, asked.stdout);
    assert!(asked.stderr.starts_with(&plain.stderr));
    assert_eq!(folder.run("check p.rink --json").stderr, "");
    expect_file!["../expected/analyses.txt"].assert_eq(&format!("{}{}", asked.stderr, json.stdout));
    let clean =
        folder.write("q.rink", "var input a : [] var output y : [] y = a").run("check --analyze q.rink");
    assert_eq!((clean.code, clean.stderr.as_str()), (Some(0), ""));
}

/// One mistake gives one error, at its place; and the cause, if it is obvious.
#[test]
fn one_mistake_is_one_error() {
    let folder = Folder::new("check_mistakes");
    let first = "var A : [2 2]\nA = A ~ A\nA = A B\nA = A + A";
    let second = "var A : [2 2\nvar B : [2 2]\nB = A # B . [2 3] + A";
    let text = format!(
        "{}{}",
        folder.write("p.rink", first).refused(2, "R0010", "check p.rink"),
        folder.write("q.rink", second).refused(2, "R0011", "check q.rink")
    );
    expect_file!["../expected/mistakes.txt"].assert_eq(&text);
    let third = "var A : [2 3] var B : [3 3] B = A # A . [1 3] + A # A . [1 3]";
    let chained = folder.write("r.rink", third).refused(2, "R0005", "check r.rink");
    assert!(chained.contains("no operator binds tighter"), "{chained}");
}
