//! The pages for people are true: each command of `README.md` and `docs/*.md` prints exactly the text below it
//! (`UPDATE_EXPECT=1` rewrites the pages), links lead to files, and limits and operators are those of the code.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use selfsame_core::operators::{Binary, Unary};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page, by its path from the repository's root.
struct Page {
    path: String,
    text: String,
}

impl Page {
    fn at(path: String) -> Page {
        Page { text: read(&path), path }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file, by its path from the repository's root.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The files of a folder with an ending, by their paths from the repository's root.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<String> =
        names.filter(|name| name.ends_with(ending)).map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    paths
}

/// `README.md`, then the pages of `docs`.
fn pages() -> Vec<Page> {
    let paths = std::iter::once("README.md".to_owned()).chain(files("docs", ".md"));
    paths.map(Page::at).collect()
}

/// The lines `$ selfsame …` of all pages.
pub fn commands() -> Vec<String> {
    let lines = |page: Page| page.text.lines().map(str::to_owned).collect::<Vec<String>>();
    pages().into_iter().flat_map(lines).filter(|line| line.starts_with("$ selfsame ")).collect()
}

/// Runs a line `$ selfsame …` in the repository's root; returns the line with its output.
fn session(line: &str) -> String {
    // A shell would remove the quotes.
    let arguments =
        line.trim_start_matches("$ selfsame ").split_whitespace().map(|argument| argument.trim_matches('\''));
    let output =
        Command::new(env!("CARGO_BIN_EXE_selfsame")).current_dir(root()).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    format!("{line}\n{}{}", text(output.stdout), text(output.stderr))
}

/// The text of a page with the current output of its commands, and the number of commands.
fn rewritten(text: &str) -> (String, usize) {
    let (mut rewritten, mut commands) = (String::new(), 0);
    for (at, block) in text.split("```").enumerate() {
        if at > 0 {
            rewritten.push_str("```");
        }
        let Some(console) = block.strip_prefix("console\n") else {
            rewritten.push_str(block);
            continue;
        };
        let lines = console.lines().filter(|line| line.starts_with("$ selfsame "));
        let sessions: Vec<String> = lines.map(session).collect();
        commands += sessions.len();
        rewritten.push_str("console\n");
        rewritten.push_str(&sessions.join("\n"));
    }
    (rewritten, commands)
}

/// The first line in which a page differs from its rewritten text.
fn difference(path: &str, text: &str, real: &str) -> String {
    let (written, printed): (Vec<&str>, Vec<&str>) = (text.lines().collect(), real.lines().collect());
    let at = written.iter().zip(&printed).take_while(|(a, b)| a == b).count();
    let line = |lines: &[&str]| lines.get(at).copied().unwrap_or("(the end)").to_owned();
    let (written, printed) = (line(&written), line(&printed));
    format!("{path}:{}: the page has\n  {written}\nand the program prints\n  {printed}", at + 1)
}

#[test]
fn the_sessions_are_real() {
    let (mut commands, mut wrong) = (0, Vec::new());
    for Page { path, text } in pages() {
        let (real, count) = rewritten(&text);
        commands += count;
        if real != text && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(root().join(path), real).unwrap();
        } else if real != text {
            wrong.push(difference(&path, &text, &real));
        }
    }
    assert!(wrong.is_empty(), "{}\n`UPDATE_EXPECT=1` rewrites the pages", wrong.join("\n"));
    assert!(commands >= 40, "the pages show {commands} commands");
}

#[test]
fn the_readme_is_short_and_links_every_page() {
    let pages = pages();
    let readme = &pages[0].text;
    assert!(readme.lines().count() <= 150, "{} lines", readme.lines().count());
    for Page { path, .. } in &pages[1..] {
        assert!(readme.contains(&format!("]({path})")), "{path} is not linked");
    }
    let rules = read("docs/three-rewrites.rules");
    let (_, shown) = rules.split_once("\n\n").unwrap();
    assert!(readme.contains(shown.trim_end()), "the rules that are verified are shown");
}

/// The targets of the links of a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

#[test]
fn links_lead_to_files() {
    let mut pages = pages();
    pages.push(Page::at("ARCHITECTURE.md".to_owned()));
    let mut count = 0;
    for Page { path, text } in &pages {
        let page = root().join(path);
        let folder = page.parent().unwrap();
        for target in links(text).filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let file = target.split('#').next().unwrap_or(target);
            assert!(folder.join(file).exists(), "{path} links {target}");
            count += 1;
        }
    }
    assert!(count >= 40, "{count} links");
}

/// What stands in backquotes on a page without blocks of code.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a source has a constant, a field or an argument of this name and this value, written like this.
fn declares(source: &str, name: &str, value: &str) -> bool {
    let (constant, ending) = (format!("const {name}: "), format!(" = {value};"));
    let is_constant = |line: &str| line.contains(&constant) && line.ends_with(&ending);
    let written = [format!("{name}: {value}"), format!("{name} = {value}")];
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_written = |line: &str| {
        let mut places = written.iter().filter_map(|text| line.split_once(text.as_str()));
        places.any(|(_, rest)| !goes_on(rest))
    };
    source.lines().any(|line| is_constant(line) || is_written(line))
}

/// A limit as `docs/limits.md` states it, `path/file.rs: NAME = value`: the file, the name and the value.
fn limit(code: &str) -> Option<(String, &str, &str)> {
    let (path, rest) = code.split_once(".rs: ")?;
    let (name, value) = rest.split_once(" = ")?;
    Some((format!("{path}.rs"), name, value))
}

#[test]
fn the_limits_are_those_of_the_code() {
    let page = read("docs/limits.md");
    let mut count = 0;
    for (path, name, value) in quoted(&page).filter_map(limit) {
        assert!(declares(&read(&path), name, value), "{path} has no {name} = {value}");
        count += 1;
    }
    assert!(count >= 70, "{count} limits");
    assert!(declares("const A: u64 = 1 << 24;\n", "A", "1 << 24"));
    assert!(!declares("const A: u64 = 1 << 24;\n", "A", "1 << 2"));
    assert!(!declares("terms: 8_000_000,\n", "terms", "8_000"));
}

#[test]
fn the_operators_are_those_of_the_code() {
    let page = read("docs/operators.md");
    let has = |code: &str| page.contains(&format!("`{code}"));
    for operator in Binary::ALL {
        let text = operator.text();
        assert!(has(&format!("a {text} b")) || has(&format!("{text}(a, b)")), "{text}");
    }
    for operator in Unary::ALL {
        let text = operator.text();
        let code = if operator.is_function() { format!("{text}(a)") } else { format!("{text} a") };
        assert!(has(&code), "{text}");
    }
    for name in rule_files::builtins::names() {
        assert!(has(&format!("{name}(")), "{name}");
    }
    for library in files("rules/library", ".rules") {
        let text = read(&library);
        let declared = text.lines().filter_map(|line| {
            let rest = line.strip_prefix("define ").or_else(|| line.strip_prefix("function "))?;
            Some(rest.split_once('(')?.0)
        });
        for name in declared {
            assert!(has(name), "{name} of {library}");
        }
    }
}

/// The folders of `tests` that the invariants name.
const TESTED: [&str; 13] = [
    "checker",
    "cli",
    "evaluator",
    "fuzz",
    "guard",
    "proofs-tests",
    "rewrites",
    "semantics/languages/alpha",
    "semantics/languages/rink",
    "semantics/rules",
    "semantics/values",
    "link",
    "selfsame",
];

#[test]
fn the_invariants_name_tests() {
    let page = read("ARCHITECTURE.md");
    let (_, invariants) = page.split_once("\n## Invariants\n").unwrap();
    let named: Vec<&str> =
        quoted(invariants).filter(|code| code.contains('/') && code.ends_with(".rs")).collect();
    for name in &named {
        let exists = TESTED.iter().any(|folder| root().join(folder).join("tests").join(name).exists());
        assert!(exists, "{name}");
    }
    assert!(named.len() >= 30, "{} tests", named.len());
}

/// The lines of code in a folder of sources, counted as the page says: without tests, comments and blanks.
fn lines_of_code(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| {
        if path.is_dir() {
            return lines_of_code(&path);
        }
        let is_counted = path.extension().is_some_and(|of| of == "rs")
            && path.file_name().is_some_and(|of| of != "tests.rs");
        let text = if is_counted { std::fs::read_to_string(path).unwrap() } else { String::new() };
        let code = text.lines().take_while(|line| !line.starts_with("mod tests"));
        code.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count()
    };
    entries.map(of).sum()
}

/// The page says how large each crate is; it may be wrong by 3 %.
#[test]
fn the_map_counts_lines() {
    let page = read("ARCHITECTURE.md");
    let (map, _) = page.split_once("\n## Where to find a thing\n").unwrap();
    let mut crates = 0;
    for row in map.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let parts: Vec<&str> = quoted(cells[0]).collect();
        let parent = parts[0].rsplit_once('/').map_or("", |(parent, _)| parent);
        let folder = |(at, part): (usize, &&str)| match at {
            0 => root().join(part).join("src"),
            _ => root().join(parent).join(part).join("src"),
        };
        let found: usize = parts.iter().enumerate().map(folder).map(|folder| lines_of_code(&folder)).sum();
        let said: usize = cells[3].replace(',', "").parse().unwrap();
        assert!(found.abs_diff(said) * 100 <= 3 * found + 500, "{row}: {found} lines");
        crates += 1;
    }
    assert_eq!(crates, 23);
}

/// The lines of a page's blocks of Rust.
fn rust_blocks(text: &str) -> Vec<Vec<&str>> {
    let blocks = text.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.map(|block| block.lines().collect()).collect()
}

/// The examples in the documentation of a file: what is shown of its doctests.
fn doctests(source: &str) -> Vec<Vec<&str>> {
    let mut examples = vec![];
    let mut is_inside = false;
    for line in source.lines().filter_map(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        match line {
            "```" => {
                is_inside = !is_inside;
                if is_inside {
                    examples.push(vec![]);
                }
            }
            hidden if hidden.starts_with("# ") => {}
            shown => {
                examples.last_mut().filter(|_| is_inside).into_iter().for_each(|example| example.push(shown))
            }
        }
    }
    examples
}

#[test]
fn examples_of_the_library_are_doctests() {
    let source = read("selfsame/src/lib.rs");
    let tested = doctests(&source);
    let (readme, page) = (read("README.md"), read("docs/library.md"));
    let shown: Vec<Vec<&str>> = [&readme, &page].into_iter().flat_map(|text| rust_blocks(text)).collect();
    assert_eq!(shown.first(), tested.first(), "the first example of the library stands in README.md");
    for example in &shown {
        assert!(tested.contains(example), "no doctest of selfsame/src/lib.rs:\n{}", example.join("\n"));
    }
}
