//! External text is escaped where it is shown: it cannot control the terminal, hide text, or forge a line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::common::Folder;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Output;

/// Control characters of terminals, invisible characters, and characters that reverse text; then a line that
/// imitates the program's output.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{8}\u{b}\u{c}\u{7f}\u{85}\u{9b}31m\u{9f}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\
     \u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{e0041}";
const FORGED: &str = "\r\nFORGED equivalent\n";

/// Written from the list of forbidden characters, independently of the program's code.
fn is_raw(c: char) -> bool {
    matches!(c, '\0'..='\t' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[track_caller]
fn is_clean(what: &str, output: &Output) {
    for (name, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).unwrap_or_else(|_| panic!("{what}: not UTF-8"));
        assert!(!text.contains(is_raw), "{what}: standard {name}: {text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("FORGED")), "{what}: {text}");
        if name == "output" && text.starts_with(['{', '[']) {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{what}: {text}");
        }
    }
    assert!(output.status.code().is_some(), "{what}");
    assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{what}: nothing is said");
}

fn with(folder: &Folder, arguments: &[&OsStr]) -> Output {
    folder.command().args(arguments).output().unwrap()
}

#[track_caller]
fn clean(folder: &Folder, arguments: &[&str]) -> Output {
    let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    let output = with(folder, &arguments);
    is_clean(&format!("{arguments:?}"), &output);
    output
}

fn hostile() -> String {
    format!("{HOSTILE}{FORGED}")
}

const RINK: &str = "var x : [2]\nx = x + x\n";
const SYSTEM: &str = "system s (N : { N | N>=0 } parameter; x : { i | 0<=i<=N } of real)
  returns (y : { i | 0<=i<=N } of real);
let
  y[i] = x[i];
tel;
";

/// `esc_name.json` of the cases: a name in a certificate cleared the screen and forged a line.
#[test]
fn names_in_certificates() {
    let folder = Folder::new("esc_certificates");
    let case = include_str!("../cases/esc_name.json");
    folder.write("case.json", case).write("other.json", case);
    for arguments in [
        &["certify", "case.json"][..],
        &["certify", "case.json", "other.json"],
        &["certify", "case.json", "--json"],
    ] {
        let output = clean(&folder, arguments);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("\\u001b[2J") && text.contains("HACK"), "{text}");
        assert!(!text.lines().any(|line| line.starts_with("rational equivalent")), "{text}");
    }
    let name = serde_json::to_string(&hostile()).unwrap();
    let mut texts: Vec<String> = Vec::new();
    for place in [
        "\"alpha\"",
        "\"P2.alpha\"",
        "\"f32\"",
        "\"equivalent\"",
        "\"unrolled\"",
        "\"extended\"",
        "\"leaf\"",
        "\"N\"",
        "\"format\"",
        "\"selfsame-certificate\"",
    ] {
        assert!(case.contains(place), "{place}");
        texts.push(case.replacen(place, &name, 1));
    }
    texts.push(case.replacen("y[i] = x[i]", &format!("y[i] = {}", name.trim_matches('"')), 1));
    for (at, text) in texts.iter().enumerate() {
        folder.write("forged.json", text);
        clean(&folder, &["certify", "forged.json"]);
        clean(&folder, &["certify", "forged.json", "--json"]);
        assert!(text != case, "{at}");
    }
}

/// Names with bytes that are not text are among them.
#[test]
fn names_of_files() {
    let folder = Folder::new("esc_names");
    for (name, is_text) in [(hostile().into_bytes(), true), (b"a\xff\x1b[2J\xe2\x80\nFORGED".to_vec(), false)]
    {
        let with_ending = |ending: &str| OsString::from_vec([name.as_slice(), ending.as_bytes()].concat());
        let [rink, alpha, rules, json, finding, npy, npz, none, missing] =
            [".rink", ".alpha", ".rules", ".json", ".finding", ".npy", ".npz", "", "-missing.alpha"]
                .map(with_ending);
        let write = |name: &OsStr, text: &str| std::fs::write(folder.path("").join(name), text).unwrap();
        write(&rink, RINK);
        write(&alpha, SYSTEM);
        write(&rules, "rule r \"\"\n  tensors A\n  left A\n  right A * 2\n");
        for name in [&json, &finding, &npy, &npz, &none] {
            write(name, "nonsense");
        }
        let named = |variable: &str, file: &OsStr| {
            OsString::from_vec([variable.as_bytes(), b"=", file.as_bytes()].concat())
        };
        let s = OsStr::new;
        let mut all: Vec<Vec<&OsStr>> = Vec::new();
        for file in [&rink, &alpha, &missing, &none] {
            for command in ["check", "run", "derive", "lower", "optimize", "normalize", "simulate"] {
                all.push(vec![s(command), file]);
            }
            all.push(vec![s("check"), file, s("--json")]);
            all.push(vec![s("equiv"), file, file]);
            all.push(vec![s("equiv"), file, file, s("--json")]);
            all.push(vec![s("equiv"), s("no.alpha"), file]);
            all.push(vec![s("equiv"), &alpha, &alpha, s("--certificate"), file]);
        }
        for file in [&rules, &missing] {
            for option in ["--explain", "--json"] {
                all.push(vec![s("verify"), file, s(option)]);
            }
            all.push(vec![s("optimize"), &alpha, s("--rules"), file]);
        }
        all.push(vec![s("verify"), &rules, s("--report"), &none]);
        all.push(vec![s("verify"), &rules, s("--certificates"), &none]);
        let x = named("x", &npy);
        for file in [&json, &npy, &npz, &none, &x] {
            all.push(vec![s("run"), &rink, s("--input"), file]);
            all.push(vec![s("run"), &alpha, s("--input"), file, s("--param"), s("N=2")]);
        }
        all.push(vec![s("certify"), &json]);
        all.push(vec![s("certify"), &json, &json, s("--json")]);
        all.push(vec![s("derive"), s("--check"), &json]);
        all.push(vec![s("fuzz"), s("--replay"), &finding]);
        all.push(vec![s("fuzz"), s("--cases"), s("1"), s("--out"), &none]);
        all.push(vec![s("fuzz"), s("--target"), s("numpy"), s("--adapters"), &none]);
        all.push(vec![s("theorems"), s("--report"), &none]);
        for arguments in &all {
            let output = with(&folder, arguments);
            is_clean(&format!("{arguments:?}"), &output);
        }
        // The name is still shown.
        let output = with(&folder, &[s("check"), &missing]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.contains(if is_text { "\\u001b[2J" } else { "a\\xff\\u001b[2J\\xe2\\x80\\nFORGED" }),
            "{text}"
        );
    }
}

#[test]
fn arguments() {
    let folder = Folder::new("esc_arguments");
    folder.write("p.rink", RINK).write("s.alpha", SYSTEM);
    let hostile = hostile();
    let parameter = format!("{hostile}=4");
    let condition = format!("N>=1 -- {hostile}");
    for arguments in [
        vec!["theorems", "--only", &hostile],
        vec!["fuzz", "--target", &hostile],
        vec!["run", "p.rink", "--param", &parameter],
        vec!["run", "s.alpha", "--param", &parameter],
        vec!["run", "s.alpha", "--param", &hostile],
        vec!["run", "s.alpha", "--param", "N=2", "--window", &hostile],
        vec!["equiv", "s.alpha", "s.alpha", "--param", &parameter],
        vec!["equiv", "s.alpha", "s.alpha", "--where", &hostile],
        vec!["equiv", "s.alpha", "s.alpha", "--where", &condition],
        vec!["equiv", "s.alpha", "s.alpha", "--values", &hostile],
        vec!["check", "p.rink", "--timeout", &hostile],
        vec!["check", "p.rink", &hostile],
        vec![&hostile],
        vec!["check", "--language", &hostile],
        vec!["run", "p.rink", "--pad", &hostile],
    ] {
        clean(&folder, &arguments);
    }
}

/// Hostile text in places where it is refused and where it is skipped.
#[test]
fn texts() {
    let folder = Folder::new("esc_texts");
    let hostile = HOSTILE;
    for text in
        [format!("{RINK}{hostile}"), format!("var {hostile} : [2]"), format!("var x : [2] x = y{hostile}")]
    {
        folder.write("p.rink", text);
        clean(&folder, &["check", "p.rink"]);
        clean(&folder, &["check", "p.rink", "--json"]);
        clean(&folder, &["run", "p.rink"]);
    }
    for text in
        [format!("{SYSTEM}{hostile}"), format!("-- {hostile}\n{SYSTEM}"), SYSTEM.replace("x[i]", hostile)]
    {
        folder.write("s.alpha", text);
        for command in ["check", "optimize", "lower", "normalize"] {
            clean(&folder, &[command, "s.alpha"]);
        }
        clean(&folder, &["equiv", "s.alpha", "s.alpha", "--json"]);
    }
    let rule = "rule r \"\"\n  tensors A\n  left A\n  right A * 2\n";
    for text in [
        format!("{rule}{hostile}"),
        rule.replace("\"\"", &format!("\"{hostile}\"")),
        rule.replace("right", &format!("# {hostile}\n  right")),
        format!("import \"{hostile}\"\n{rule}"),
        format!("import \"i.rules\"\n{rule}"),
    ] {
        folder.write("i.rules", format!("define {hostile} = 1")).write("r.rules", text);
        clean(&folder, &["verify", "r.rules"]);
        clean(&folder, &["verify", "r.rules", "--json", "--report", "page"]);
        let page = std::fs::read_to_string(folder.path("page/index.html")).unwrap_or_default();
        assert!(!page.contains(is_raw), "{page}");
    }
    folder.write("p.rink", "var x : [2] input");
    let key = serde_json::to_string(hostile).unwrap();
    for text in [
        format!("{{{key}: 1}}"),
        format!("{{\"x\": {key}}}"),
        format!("{{\"x\": {{{key}: 1}}}}"),
        hostile.to_owned(),
    ] {
        folder.write("i.json", &text).write("x.npy", &text).write("t.json", &text);
        clean(&folder, &["run", "p.rink", "--input", "i.json"]);
        clean(&folder, &["run", "p.rink", "--input", "x.npy"]);
        clean(&folder, &["derive", "--check", "t.json"]);
        clean(&folder, &["certify", "t.json"]);
    }
}

/// Hostile text in a target's answers, and in a file that records them.
#[test]
fn targets() {
    let folder = Folder::new("esc_targets");
    let name = serde_json::to_string(&hostile()).unwrap();
    let hello = r#"{"protocol":1,"name":"old","versions":"1","numbers":["i32"],"floats":{}}"#;
    let answers = [
        format!("{hello}\n{{\"id\":1,\"unsupported\":{name}}}"),
        format!("{hello}\n{{\"id\":1,\"error\":{name}}}"),
        format!("{hello}\n{{\"id\":{name}}}"),
        format!("{hello}\n{{\"id\":1,\"outputs\":{{{name}:1}}}}"),
        format!("{hello}\n{HOSTILE}"),
        format!("{}\n{{\"id\":1,\"error\":{name}}}", hello.replace("\"old\"", &name)),
        format!("{}\n{{\"id\":1,\"error\":{name}}}", hello.replace("\"1\"", &name)),
        hello.replace("\"i32\"", &name),
        hello.replace("\"floats\":{}", &format!("\"floats\":{{{name}:true}}")),
        HOSTILE.to_owned(),
        format!("{{\"protocol\":{name}}}"),
    ];
    for answer in answers {
        folder.write("answer", answer + "\n");
        let command = "exec 3<answer; read request; IFS= read -r line <&3; printf '%s\\n' \"$line\"; read request; \
                       cat <&3; read request";
        for option in ["--seed", "--json"] {
            let arguments = ["fuzz", "--cases", "1", "--exec", command, option, "1"];
            clean(&folder, &arguments[..if option == "--json" { 6 } else { 7 }]);
        }
        for file in std::fs::read_dir(folder.path("findings")).into_iter().flatten() {
            let file = file.unwrap().path().display().to_string();
            clean(&folder, &["fuzz", "--target", "printed", "--replay", &file]);
            let text = std::fs::read_to_string(&file).unwrap();
            let header = |name: &str| {
                let line = text.lines().find(|line| line.starts_with(name)).unwrap_or("case");
                text.replacen(line, &format!("{name}{HOSTILE}"), 1)
            };
            for name in ["check: ", "kind: ", "at: ", "expected: ", "found: ", "versions: ", "numbers: "] {
                folder.write("forged", header(name));
                clean(&folder, &["fuzz", "--target", "printed", "--replay", "forged"]);
                clean(&folder, &["fuzz", "--replay", "forged", "--json"]);
            }
            // The next answer has its own.
            std::fs::remove_file(file).unwrap();
        }
    }
}
