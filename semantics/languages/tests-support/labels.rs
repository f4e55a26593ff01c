//! Compares the labels of a paper's rules: in the table `RULES.md` of a language, in comments of the code, and in
//! comments of the tests.
//!
//! A label in code is `**label** (source)` in a comment of the item or branch that is the rule, which the table names
//! as `file: item` or `file: item, branch`; in a test it is `**label**` in a comment of a test that fails if the rule
//! is wrong. A claim has no label: the table names what checks it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use base::claims::Claim;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that implement rules of several papers.
const SHARED: [&str; 4] =
    ["semantics/core/src", "semantics/values/src", "polyhedra/src", "polyhedra/isl/src"];

/// A row of the table.
#[derive(Debug)]
struct Row {
    label: String,
    source: String,
    /// The places of the rule; none if it is not implemented.
    code: Vec<String>,
    /// What is stated, and if there is no code, why.
    note: String,
}

/// A label in a comment.
struct Mark {
    label: String,
    /// The text in parentheses after it, if there is one.
    source: Option<String>,
    /// The file, and what the comment is on.
    place: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

fn rows(language: &str) -> Vec<Row> {
    let page = fs::read_to_string(root().join(format!("semantics/languages/{language}/RULES.md"))).unwrap();
    let lines = page.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| row(line).unwrap_or_else(|| panic!("not a row: {line}"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [label, source, code, note] = cells.try_into().ok()?;
    let note = note.replace("\\|", "|");
    let code =
        code.split(" · ").filter(|place| *place != "–").map(|place| place.trim_matches('`').to_owned());
    let (label, source, note) = (label.trim_matches('`').to_owned(), source.to_owned(), note);
    Some(Row { label, source, code: code.collect(), note })
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => folders.push(entry),
                false if entry.extension().is_some_and(|extension| extension == "rs") => found.push(entry),
                false => {}
            }
        }
    }
    found
}

/// The marks of a folder; files are named relative to it, with `prefix` before them.
fn marks(folder: &str, prefix: &str) -> Vec<Mark> {
    let folder = root().join(folder);
    let mut all = Vec::new();
    for path in rust_files(&folder) {
        let file = format!("{prefix}{}", path.strip_prefix(&folder).unwrap().display());
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (at, comment) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("//")) {
            let place = || format!("{file}: {}", item(&lines, at));
            all.extend(marks_of(comment).map(|(label, source)| Mark { label, source, place: place() }));
        }
    }
    all
}

/// What a comment is on: the item that follows, or the branch or variant that follows, after the item around it.
fn item(lines: &[&str], comment: usize) -> String {
    let is_code = |line: &&&str| !line.starts_with("//") && !line.starts_with("#[");
    let code = lines[comment..].iter().find(is_code).copied().unwrap_or_default();
    if let Some(name) = declared(code) {
        return name.to_owned();
    }
    let around = lines[..comment].iter().rev().find_map(|line| declared(line));
    format!("{}, {}", around.unwrap_or_default(), name(code))
}

/// The name of the item that a line declares.
fn declared(line: &str) -> Option<&str> {
    let public =
        ["pub ", "pub(super) ", "pub(crate) "].into_iter().find_map(|public| line.strip_prefix(public));
    let (keyword, rest) = public.unwrap_or(line).split_once(' ')?;
    ["fn", "struct", "enum", "trait", "type", "const"].contains(&keyword).then(|| name(rest))
}

/// The name or path that a text begins with.
fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(':')
}

fn marks_of(comment: &str) -> impl Iterator<Item = (String, Option<String>)> {
    let parts: Vec<&str> = comment.split("**").collect();
    let bold = (1..parts.len()).step_by(2).filter(|&at| at + 1 < parts.len());
    let found = bold.filter(|&at| is_label(parts[at])).map(|at| {
        let source = parts[at + 1].strip_prefix(" (").and_then(|rest| rest.split(')').next());
        (parts[at].to_owned(), source.map(str::to_owned))
    });
    found.collect::<Vec<_>>().into_iter()
}

fn is_label(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_part)
}

/// The identifiers of claims, each with what checks it: the function beside it in a table of `proofs-tests`, or the
/// table whose row it is. A displayed equivalence is a row of `THEOREMS`.
fn checks(language: &str) -> Vec<(String, String)> {
    let theorems = root().join(format!("semantics/languages/{language}/src/theorems.rs"));
    let theorems = fs::read_to_string(theorems).unwrap_or_default();
    let quoted = |line: &str, before: &str| Some(line.split_once(before)?.1.split_once('"')?.0.to_owned());
    let rows = theorems.lines().filter_map(|line| quoted(line, "theorem!(\""));
    let mut found: Vec<_> = rows.map(|id| (id, "theorems.rs: THEOREMS".to_owned())).collect();
    for path in rust_files(&root().join("proofs-tests/src")) {
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim_start) {
            let pair = line.strip_prefix("(\"").and_then(|line| line.strip_suffix("),"));
            if let Some((id, function)) = pair.and_then(|pair| pair.split_once("\", ")) {
                found.extend(place(&path, function).map(|place| (id.to_owned(), place)));
            }
            found.extend(quoted(line, "id: \"").map(|id| (id, format!("{}: ROWS", relative(&path)))));
        }
    }
    found
}

/// The place of a function, by its path in a file of its crate.
fn place(user: &Path, function: &str) -> Option<String> {
    let (file, name) = match function.split_once("::") {
        None => (user.to_owned(), function),
        Some((module, name)) => {
            let file = format!("{module}.rs");
            let below = user.with_extension("").join(&file);
            (if below.exists() { below } else { user.with_file_name(file) }, name)
        }
    };
    let text = fs::read_to_string(&file).ok()?;
    let is_there = text.lines().any(|line| declared(line) == Some(name));
    is_there.then(|| format!("{}: {name}", relative(&file)))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// Everything in which table, code, tests and ledger differ, as lines.
fn differences(language: &str, others: &[&str], claims: &[Claim]) -> Vec<String> {
    let rows = rows(language);
    let of_other: BTreeSet<String> =
        others.iter().flat_map(|other| self::rows(other)).map(|row| row.label).collect();
    let mut code = marks(&format!("semantics/languages/{language}/src"), "");
    for folder in SHARED {
        let shared = marks(folder, &format!("{folder}/")).into_iter();
        code.extend(shared.filter(|mark| !of_other.contains(&mark.label)));
    }
    let mut tests = marks(&format!("semantics/languages/{language}/tests"), "");
    tests.extend(marks("proofs-tests/src", "").into_iter().filter(|mark| !of_other.contains(&mark.label)));
    let ledger = fs::read_to_string(root().join("proofs-tests/ledger.txt")).unwrap();
    let mut tested: BTreeSet<&str> = tests.iter().map(|mark| mark.label.as_str()).collect();
    tested.extend(ledger.lines().filter_map(|line| line.split_whitespace().next()));
    let checks = checks(language);
    for claim in claims.iter().filter(|claim| !claim.source.starts_with("ours")) {
        let places = checks.iter().filter(|(id, _)| *id == claim.id).map(|(_, place)| place.as_str());
        let mut places: Vec<&str> = places.collect();
        if places.is_empty() {
            places.push("no check");
        }
        for place in places {
            let (label, source) = (claim.id.to_owned(), Some(claim.source.to_owned()));
            code.push(Mark { label, source, place: place.to_owned() });
        }
    }
    let mut found = in_rows(&rows, &code, &tested);
    for claim in claims {
        let row = rows.iter().find(|row| row.label == claim.id);
        if let Some(row) = row.filter(|row| row.note != claim.statement) {
            found.push(format!("{} states {:?}, the table says {:?}", claim.id, claim.statement, row.note));
        }
    }
    let listed: BTreeSet<&str> = rows.iter().map(|row| row.label.as_str()).collect();
    let unlisted = code.iter().chain(&tests).filter(|mark| !listed.contains(mark.label.as_str()));
    found.extend(unlisted.map(|mark| format!("{} in {} is not in the table", mark.label, mark.place)));
    found
}

fn in_rows(rows: &[Row], code: &[Mark], tested: &BTreeSet<&str>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeMap::new();
    for Row { label, source, code: stated, note } in rows {
        if let Some(before) = seen.insert(label, source) {
            found.push(format!("{label} is listed twice: {before}, {source}"));
        }
        let marks: Vec<&Mark> = code.iter().filter(|mark| mark.label == *label).collect();
        let (mut places, mut stated) =
            (marks.iter().map(|mark| mark.place.clone()).collect::<Vec<_>>(), stated.clone());
        places.sort();
        stated.sort();
        if places != stated {
            found.push(format!("{label} is in {places:?}, the table says {stated:?}"));
        }
        let right = |mark: &&Mark| mark.source.as_ref().is_some_and(|text| text.starts_with(source.as_str()));
        found.extend(marks.into_iter().filter(|mark| !right(mark)).map(|mark| {
            format!("{label} has the source {:?} in {}, the table says {source}", mark.source, mark.place)
        }));
        match (stated.is_empty(), tested.contains(label.as_str())) {
            (true, _) if !note.contains("not implemented:") => {
                found.push(format!("{label} has no code and no reason"))
            }
            (false, false) => found.push(format!("{label} has no test")),
            _ => {}
        }
    }
    found
}

/// Fails with all differences between the table, the code and the tests of a language.
pub fn compare(language: &str, others: &[&str], claims: &[Claim], at_least: usize) {
    assert_eq!(differences(language, others, claims), Vec::<String>::new());
    assert!(rows(language).len() >= at_least, "the whole set of the paper");
}
