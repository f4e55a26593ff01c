//! The README's session is real: each command prints exactly the text below it. `UPDATE_EXPECT=1` rewrites it.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::process::Command;

/// Runs a line `$ selfsame …` in the repository's root; returns the line with its output.
fn session(line: &str, root: &Path) -> String {
    // A shell would remove the quotes.
    let arguments =
        line.trim_start_matches("$ selfsame ").split_whitespace().map(|argument| argument.trim_matches('\''));
    let output =
        Command::new(env!("CARGO_BIN_EXE_selfsame")).current_dir(root).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    format!("{line}\n{}{}", text(output.stdout), text(output.stderr))
}

#[test]
fn the_session_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut rewritten = String::new();
    let mut commands = 0;
    for (at, block) in readme.split("```").enumerate() {
        let real = match block.strip_prefix("console\n") {
            Some(block) => {
                let lines: Vec<&str> = block.lines().filter(|line| line.starts_with("$ selfsame ")).collect();
                commands += lines.len();
                format!(
                    "console\n{}",
                    lines.iter().map(|line| session(line, &root)).collect::<Vec<_>>().join("\n")
                )
            }
            None => block.to_owned(),
        };
        rewritten += &(if at > 0 { "```" } else { "" }.to_owned() + &real);
    }
    assert!(commands >= 5, "the README shows a session");
    expect_test::expect_file!["../../../README.md"].assert_eq(&rewritten);
}
