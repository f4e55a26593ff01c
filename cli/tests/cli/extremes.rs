//! Extreme numbers in every place for a number: an answer, or a limit with its code, and never a panic.
//!
//! Each number of each example and of each shipped rule is replaced by each extreme, one at a time, and the
//! commands for such a file run on it. `cargo test` tries a sample; `make extremes` tries all, or one of several parts:
//! `SELFSAME_PART=k` tries the cases whose number leaves the remainder k.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{Folder, examples};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Numbers at the limits of machine arithmetic, and beyond.
const EXTREMES: &[&str] = &[
    "-9223372036854775808",
    "-9223372036854775807",
    "9223372036854775807",
    "9223372036854775806",
    "4611686018427387904",
    "2147483648",
    "9223372036854775808",
    "18446744073709551616",
    "10000000000000000000000000000000000000000",
    "0",
];

/// Of how many cases one is tried.
fn period() -> usize {
    10_000 / campaigns::size("extremes") as usize
}

/// A short time limit: whether a command ends well does not depend on it.
const BUDGET: &str = "--timeout 2";

/// A text with numbers, and the commands to run on it; `@` stands for its file.
struct TextWithNumbers {
    name: String,
    text: String,
    commands: Vec<String>,
    /// The places of the numbers to replace.
    numbers: Vec<Range<usize>>,
}

/// The places of numbers outside comments and names.
fn numbers(text: &str, comment: &str) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let code = line.split(comment).next().unwrap_or_default();
        let mut last = ' ';
        let mut at = 0;
        while let Some(c) = code[at..].chars().next() {
            let length = code[at..].bytes().take_while(u8::is_ascii_digit).count();
            if length > 0 && !last.is_alphanumeric() && last != '_' {
                found.push(start + at..start + at + length);
            }
            at += length.max(c.len_utf8());
            last = if length > 0 { '0' } else { c };
        }
        start += line.len();
    }
    found
}

/// The files of a folder with an ending, sorted by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

fn subject(path: &Path, comment: &str, commands: &[&str]) -> TextWithNumbers {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let commands = commands.iter().map(|&command| command.to_owned()).collect();
    TextWithNumbers { name, numbers: numbers(&text, comment), text, commands }
}

fn programs() -> Vec<TextWithNumbers> {
    let folders = ["", "recurrences", "broken"].map(|folder| examples().join(folder));
    let alpha = [
        "check @",
        "lower @",
        "derive @",
        "normalize @",
        "optimize @",
        "equiv @ @ --param N=3",
        "run @ --param N=3 --input input.json",
        "run @ --param N=3 --input input.json --fast --values f64",
    ];
    let rink = ["check @", "lower @", "derive @", "simulate @", "equiv @ @", "run @ --values f64"];
    let of = |folder: &PathBuf| {
        let alphas = files(folder, "alpha").into_iter().map(|path| subject(&path, "--", &alpha));
        let rinks = files(folder, "rink").into_iter().map(|path| subject(&path, "--", &rink));
        alphas.chain(rinks).collect::<Vec<_>>()
    };
    folders.iter().flat_map(of).collect()
}

/// Inputs of programs, and certificates.
fn documents() -> Vec<TextWithNumbers> {
    let theorems = files(&examples().join("theorems"), "json");
    let certificates = theorems.into_iter().map(|path| subject(&path, "\u{0}", &["certify @"]));
    let inputs =
        ["figure-4-small.rink", "elimination.alpha", "heat.alpha", "additions.alpha"].map(|program| {
            let (stem, _) = program.split_once('.').unwrap();
            let parameters = match stem {
                "elimination" => "--param N=3",
                "heat" => "--param N=4 --param T=2",
                "additions" => "--param N=4",
                _ => "",
            };
            let run = format!("run {program} {parameters} --input @");
            subject(&examples().join(format!("{stem}.json")), "\u{0}", &[&run])
        });
    certificates.chain(inputs).collect()
}

/// Each rule as a file of its own, with the definitions of its original file.
fn rules() -> Vec<TextWithNumbers> {
    let folders = ["pass", "broken"].map(|folder| examples().join("../rules").join(folder));
    let mut all = Vec::new();
    for path in folders.iter().flat_map(|folder| files(folder, "rules")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut items: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            let starts = ["rule ", "define ", "law ", "function ", "import "];
            match items.last_mut() {
                Some(item) if !starts.iter().any(|word| line.starts_with(word)) => item.push_str(line),
                _ => items.push(line.to_owned()),
            }
            items.iter_mut().next_back().unwrap().push('\n');
        }
        let others: String = items.iter().filter(|item| !item.starts_with("rule ")).cloned().collect();
        for rule in items.iter().filter(|item| item.starts_with("rule ")) {
            let text = format!("{others}{rule}");
            let numbers = numbers(&text, "#").into_iter().filter(|at| at.start >= others.len()).collect();
            let name = format!("pass/{}", path.file_name().unwrap().to_str().unwrap());
            all.push(TextWithNumbers { name, text, commands: vec!["verify @".to_owned()], numbers });
        }
    }
    all
}

/// Arguments with extreme values.
fn arguments() -> Vec<String> {
    let mut all = Vec::new();
    for path in ["", "recurrences"].iter().flat_map(|folder| files(&examples().join(folder), "alpha")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display();
        for parameter in ["N", "T", "M"].iter().filter(|p| text.contains(&format!("{p} : {{"))) {
            for extreme in EXTREMES {
                let value = format!("--param {parameter}={extreme}");
                all.push(format!("equiv {name} {name} {value}"));
                all.push(format!("optimize {name} {value}"));
                all.push(format!("check {name} {value}"));
                all.push(format!("run {name} {value}"));
                all.push(format!("run {name} {value} --fast --values f64"));
                all.push(format!("run {name} --param {parameter}=3 --window y:{extreme}..{extreme}"));
                all.push(format!("run {name} --param {parameter}=3 --window y:0..{extreme}"));
            }
        }
    }
    all
}

/// Whether a case is among those that are tried, one in `period`.
fn is_tried(case: usize, period: usize) -> bool {
    let part = std::env::var("SELFSAME_PART").map_or(0, |part| part.parse().unwrap());
    case % period == part
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for part in ["library", "pass"] {
        std::fs::create_dir_all(folder.path(part)).unwrap();
    }
    for path in files(&examples().join("../rules/library"), "rules") {
        std::fs::copy(&path, folder.path("library").join(path.file_name().unwrap())).unwrap();
    }
    for path in files(&examples(), "alpha").into_iter().chain(files(&examples(), "rink")) {
        std::fs::copy(&path, folder.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    folder
}

/// The command exits by itself, with one of its own codes.
fn ends_well(folder: &Folder, arguments: &str) -> Result<(), String> {
    let output = folder.command().args(format!("{arguments} {BUDGET}").split_whitespace()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0..=3) if !stderr.contains("panicked at") && !stderr.contains("overflowed its stack") => Ok(()),
        code => Err(format!("{arguments}: {code:?}: {}", stderr.lines().next().unwrap_or_default())),
    }
}

/// Tries every n-th case; there must be some, and none may fail.
fn try_all(name: &str, subjects: &[TextWithNumbers]) {
    let folder = folder(name);
    let (mut case, mut tried, mut wrong) = (0, 0, Vec::new());
    for subject in subjects {
        let pairs = subject.numbers.iter().flat_map(|at| EXTREMES.iter().map(move |extreme| (at, extreme)));
        for (at, extreme) in pairs {
            for command in &subject.commands {
                case += 1;
                if !is_tried(case, period()) {
                    continue;
                }
                let text = [&subject.text[..at.start], extreme, &subject.text[at.end..]].concat();
                folder.write(&subject.name, &text);
                let input = Path::new(&subject.name).with_extension("json");
                let input = std::fs::read(examples().join(input)).unwrap_or_else(|_| b"{}".to_vec());
                folder.write("input.json", input);
                tried += 1;
                if let Err(reason) = ends_well(&folder, &command.replace('@', &subject.name)) {
                    wrong.push(format!("{extreme} at {}: {reason}", at.start));
                }
            }
        }
        // The cases of other subjects use the original file.
        let whole = examples().join(&subject.name);
        if whole.is_file() {
            std::fs::copy(whole, folder.path(&subject.name)).unwrap();
        }
    }
    assert!(tried > 5, "only {tried} of {case} cases");
    assert!(wrong.is_empty(), "{} of {tried} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn in_programs() {
    try_all("extremes-programs", &programs());
}

#[test]
fn in_rules() {
    try_all("extremes-rules", &rules());
}

#[test]
fn in_inputs_and_certificates() {
    try_all("extremes-documents", &documents());
}

#[test]
fn on_the_command_line() {
    let (folder, all) = (folder("extremes-arguments"), arguments());
    let tried = all.iter().enumerate().filter(|(case, _)| is_tried(*case, period().div_ceil(8)));
    let wrong: Vec<String> = tried.filter_map(|(_, one)| ends_well(&folder, one).err()).collect();
    assert!(!all.is_empty() && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_are_found_outside_of_comments_and_names() {
    let text = "x1 = 12[i+3] -- 4\n5..67 a_8";
    let found: Vec<&str> = numbers(text, "--").into_iter().map(|at| &text[at]).collect();
    assert_eq!(found, ["12", "3", "5", "67"]);
}
