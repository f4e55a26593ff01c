//! Writing replaces nothing that must be kept, and reading is bounded.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::{Folder, Ran};
use std::fs::{Permissions, metadata, set_permissions, symlink_metadata};
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SYSTEM: &str = "system s (N : { N | N>=0 } parameter; x : { i | 0<=i<=N } of real)
  returns (y : { i | 0<=i<=N } of real);
let
  y[i] = x[i];
tel;
";

/// A rule whose proof takes no time.
const RULES: &str = "rule swapped \"\"\n  tensors A, B\n  left A + B\n  right B + A\n";

/// A folder with two equal programs, and a file of rules that imports another.
fn programs(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a.alpha", SYSTEM).write("b.alpha", SYSTEM).write("lib.rules", "# nothing\n");
    folder.write("r.rules", format!("import \"lib.rules\"\n{RULES}"));
    folder
}

fn tool(folder: &Folder, tool: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder.path("")).stderr(Stdio::null());
    command.status().unwrap().success()
}

/// No temporary file of the program remains.
#[track_caller]
fn is_tidy(folder: &Path) {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().contains("partial")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[track_caller]
fn certified(path: &Path) {
    assert!(std::fs::read_to_string(path).unwrap().starts_with("{\"format\":\"selfsame-certificate\""));
}

/// Only root can create a device; other users cannot replace the machine's device.
#[test]
fn a_device_is_written_to() {
    let folder = programs("device");
    let own = folder.path("null");
    let device =
        if tool(&folder, "mknod", &["null", "c", "1", "3"]) { own } else { PathBuf::from("/dev/null") };
    symlink(&device, folder.path("link")).unwrap();
    for path in [device.as_path(), &folder.path("link")] {
        folder.accepted(&format!("equiv a.alpha b.alpha --certificate {}", path.display()));
    }
    assert!(symlink_metadata(&device).unwrap().file_type().is_char_device());
    assert!(symlink_metadata(folder.path("link")).unwrap().is_symlink());
    is_tidy(&folder.path(""));
}

#[test]
fn a_pipe_is_written_to_if_somebody_reads_it() {
    let folder = programs("fifo");
    assert!(tool(&folder, "mkfifo", &["pipe"]));
    let pipe = folder.path("pipe");
    let stderr = folder.refused(2, "I0017", "equiv a.alpha b.alpha --certificate pipe --timeout 300");
    assert!(stderr.contains("nobody reads this pipe"), "{stderr}");
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    // Writing is refused until the reader has opened the pipe.
    let written = (0..1000).any(|_| folder.run("equiv a.alpha b.alpha --certificate pipe").code == Some(0));
    let read = String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap();
    assert!(
        written && read.starts_with("{\"format\":\"selfsame-certificate\"") && read.ends_with("}\n"),
        "{read}"
    );
    assert!(symlink_metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_link_is_not_followed() {
    let folder = programs("links");
    folder.write("target", "mine");
    symlink("target", folder.path("link")).unwrap();
    symlink("nothing", folder.path("dangling")).unwrap();
    for link in ["link", "dangling"] {
        let stderr = folder.refused(2, "I0017", &format!("equiv a.alpha b.alpha --certificate {link}"));
        assert!(stderr.contains("symbolic link to"), "{stderr}");
        assert!(symlink_metadata(folder.path(link)).unwrap().is_symlink());
    }
    std::fs::create_dir(folder.path("report")).unwrap();
    symlink("../target", folder.path("report/index.html")).unwrap();
    folder.refused(2, "I0017", "verify r.rules --report report");
    folder.refused(2, "I0017", "theorems --only rink/theorem-3 --report report");
    assert_eq!(std::fs::read(folder.path("target")).unwrap(), b"mine");
    assert!(!folder.path("nothing").exists());
    // A link to a folder is followed.
    std::fs::create_dir(folder.path("real")).unwrap();
    symlink("real", folder.path("by-link")).unwrap();
    assert_eq!(folder.run("verify r.rules --report by-link").code, Some(0));
    assert!(folder.path("real/index.html").is_file());
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = programs("inputs");
    std::fs::hard_link(folder.path("b.alpha"), folder.path("other-name")).unwrap();
    std::fs::create_dir_all(folder.path("report")).unwrap();
    std::fs::hard_link(folder.path("lib.rules"), folder.path("report/index.html")).unwrap();
    for arguments in [
        "equiv a.alpha b.alpha --certificate a.alpha",
        "equiv a.alpha b.alpha --certificate other-name",
        "normalize a.alpha --certificate ./a.alpha",
        "optimize a.alpha --certificate a.alpha",
        "optimize a.alpha --derivation a.alpha",
        "optimize a.alpha --rules r.rules --certificate r.rules",
    ] {
        let stderr = folder.refused(2, "I0017", arguments);
        assert!(stderr.contains("an input of this command"), "{arguments}: {stderr}");
    }
    // The fault of an import is reported at the import.
    for arguments in
        ["verify r.rules --report report", "optimize a.alpha --rules r.rules --derivation lib.rules"]
    {
        let ran = folder.run(arguments);
        assert!(ran.code == Some(2) && ran.stderr.contains("an input of this command"), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read_to_string(folder.path("a.alpha")).unwrap(), SYSTEM);
    assert_eq!(std::fs::read_to_string(folder.path("b.alpha")).unwrap(), SYSTEM);
    assert_eq!(std::fs::read_to_string(folder.path("lib.rules")).unwrap(), "# nothing\n");
    folder.refused(2, "U0001", "optimize a.alpha --certificate c.json --derivation ./c.json");
    assert!(!folder.path("c.json").exists());
}

#[test]
fn what_a_file_is_stays() {
    let folder = programs("modes");
    let path = folder.path("c.json");
    folder.accepted("equiv a.alpha b.alpha --certificate c.json");
    let usual = metadata(folder.path("a.alpha")).unwrap().mode();
    assert_eq!(metadata(&path).unwrap().mode(), usual);
    for mode in [0o600, 0o640, 0o666, 0o755] {
        set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        std::fs::write(&path, "old").unwrap();
        folder.accepted("equiv a.alpha b.alpha --certificate c.json");
        assert_eq!(metadata(&path).unwrap().mode() & 0o7777, mode);
        certified(&path);
    }
    set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let before = metadata(&path).unwrap().ino();
    let stderr = folder.refused(2, "I0017", "equiv a.alpha b.alpha --certificate c.json");
    assert!(stderr.contains("read-only"), "{stderr}");
    assert_eq!(metadata(&path).unwrap().ino(), before);
    is_tidy(&folder.path(""));
}

/// The work would take forever, so it must not begin.
#[test]
fn what_cannot_be_written_is_said_at_once() {
    let folder = programs("at-once");
    folder.write("file", "mine");
    for out in ["file", "file/inside", "r.rules"] {
        let arguments = format!("fuzz --cases 1000000000 --timeout 300 --out {out}");
        let stderr = folder.refused(2, "I0017", &arguments);
        assert!(stderr.contains(out), "{stderr}");
        folder.refused(2, "I0017", &format!("theorems --full --timeout 300 --report {out}"));
        folder.refused(2, "I0017", &format!("verify r.rules --report {out}"));
        folder.refused(2, "I0017", &format!("verify r.rules --certificates {out}"));
    }
    folder.refused(2, "I0017", "equiv a.alpha b.alpha --certificate missing/c.json");
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.refused(2, "I0017", "equiv a.alpha b.alpha --certificate folder");
    assert_eq!(std::fs::read(folder.path("file")).unwrap(), b"mine");
    // Nothing is found, so no folder is created.
    folder.accepted("fuzz --cases 3 --target printed --out found/here");
    assert!(!folder.path("found").exists());
}

#[test]
fn certificates_of_rules_replace_only_files() {
    let folder = programs("certificates");
    std::fs::create_dir_all(folder.path("out/r")).unwrap();
    let (path, swapped) = (folder.path("out/r/swapped.json"), "out/r/swapped.json");
    folder.write("target", "mine");
    symlink("../../target", &path).unwrap();
    folder.refused(2, "I0017", "verify r.rules --certificates out");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(folder.run("verify r.rules --certificates out").code, Some(0));
    certified(&path);
    // A rule that is no longer proved leaves no certificate, and removes nothing else.
    folder.write("r.rules", RULES.replace("B + A", "B + B"));
    assert_eq!(folder.run("verify r.rules --certificates out").code, Some(1));
    assert!(!path.exists());
    assert!(tool(&folder, "mkfifo", &[swapped]));
    assert_eq!(folder.run("verify r.rules --certificates out").code, Some(1));
    assert!(symlink_metadata(&path).unwrap().file_type().is_fifo());
    assert_eq!(std::fs::read(folder.path("target")).unwrap(), b"mine");
    is_tidy(&folder.path("out/r"));
}

/// `import3.rules` of the cases imports /dev/zero, which once took 12 GB in 30 s.
#[test]
fn an_import_is_a_file_of_limited_size() {
    let folder = programs("imports");
    assert!(tool(&folder, "mkfifo", &["pipe"]));
    std::fs::create_dir(folder.path("folder")).unwrap();
    std::fs::File::create(folder.path("huge")).unwrap().set_len((64 << 20) + 1).unwrap();
    let case = include_str!("../cases/import3.rules");
    assert!(case.contains("import \"/dev/zero\""));
    symlink("/dev/zero", folder.path("zero")).unwrap();
    // Each file alone is small enough.
    folder.write("half", [b"#".as_slice(), &[b'x'; 1 << 20], b"\n"].concat());
    std::fs::File::create(folder.path("rest")).unwrap().set_len(64 << 20).unwrap();
    let import =
        |names: &[&str]| names.iter().map(|name| format!("import \"{name}\"\n")).collect::<String>() + RULES;
    for (text, why) in [
        (case.to_owned(), "starts at the folder"),
        (import(&["/etc/passwd"]), "starts at the folder"),
        (import(&["zero"]), "not a regular file"),
        (import(&["pipe"]), "not a regular file"),
        (import(&["folder"]), "not a regular file"),
        (import(&["huge"]), "larger than"),
        (import(&["half", "rest"]), "together are larger than"),
    ] {
        folder.write("i.rules", &text);
        let ran = folder.run("verify i.rules --timeout 300");
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{text}: {}", ran.stderr);
        assert!(!ran.stderr.contains("root:"), "{}", ran.stderr);
    }
}

#[test]
fn a_program_may_come_from_a_pipe_but_not_without_end() {
    let folder = programs("pipes");
    folder.refused(2, "R0021", "check --language alpha /dev/zero --timeout 300");
    let mut command = folder.command();
    command.args(["check", "--language", "alpha", "/dev/stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SYSTEM.as_bytes()).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}
