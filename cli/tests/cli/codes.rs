//! Every error code of the command line is reached by a test, and files are written whole.

use selfsame_cli::diagnostics::CommandCode;
use selfsame_cli::files::write_file;
use std::path::Path;

/// Codes that occur only if a theorem of the paper is wrong, this program has a bug, or no thread can be started.
const UNREACHABLE: &[CommandCode] = &[CommandCode::L0005, CommandCode::L0013, CommandCode::X0001];

#[test]
fn every_code_is_tested() {
    let tests = [
        include_str!("alpha.rs"),
        include_str!("check.rs"),
        include_str!("fuzz.rs"),
        include_str!("run.rs"),
        include_str!("input.rs"),
        include_str!("lower.rs"),
        include_str!("optimize.rs"),
        include_str!("parameters.rs"),
        include_str!("process.rs"),
        include_str!("verdicts.rs"),
    ];
    for code in CommandCode::ALL.iter().filter(|code| !UNREACHABLE.contains(code)) {
        assert!(tests.iter().any(|text| text.contains(&format!("{code}"))), "{code}: {}", code.title());
    }
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written");
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(folder.join("taken")).unwrap();
    write_file(&folder.join("a"), b"one").unwrap();
    write_file(&folder.join("a"), b"two").unwrap();
    assert_eq!(std::fs::read(folder.join("a")).unwrap(), b"two");
    assert!(write_file(&folder.join("taken"), b"three").is_err());
    assert!(write_file(&folder.join("missing/b"), b"three").is_err());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}
