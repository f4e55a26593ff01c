//! Runs the real binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The result of a run of the binary.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A fresh folder, in which the binary runs.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{name}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selfsame"));
        command.current_dir(&self.0);
        command
    }

    /// Runs the binary with arguments separated by blanks.
    pub fn run(&self, arguments: &str) -> Ran {
        self.command().args(arguments.split_whitespace()).output().unwrap().into()
    }

    /// Runs the binary, which must fail with this exit code and this error code, and print nothing on standard
    /// output.
    #[track_caller]
    pub fn refused(&self, exit: i32, code: &str, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(exit), ""), "{}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error[{code}]: ")), "{arguments}: {}", ran.stderr);
        ran.stderr
    }

    /// Runs the binary, which must succeed and print nothing on standard error.
    #[track_caller]
    pub fn accepted(&self, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}: {}", ran.stdout);
        ran.stdout
    }
}

/// The folder of examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Waits until the process handles the signal; if that cannot be observed, waits a while.
fn wait_for_handler(child: &Child) {
    const INTERRUPT: u64 = 1 << 1;
    for _ in 0..10_000 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        match caught.map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap()) {
            Some(mask) if mask & INTERRUPT != 0 => return,
            Some(_) => std::thread::sleep(Duration::from_millis(1)),
            None => return std::thread::sleep(Duration::from_millis(500)),
        }
    }
}

/// Sends a signal to a command after a while, and returns its result. What a test expects of the result holds whenever
/// the signal comes; the time only chooses which part of the work is interrupted.
pub fn interrupt(child: Child, signal: &str, after: Duration) -> Ran {
    wait_for_handler(&child);
    std::thread::sleep(after);
    let signal = format!("-{signal}");
    assert!(Command::new("kill").args([&signal, &child.id().to_string()]).status().unwrap().success());
    Ran::from(child.wait_with_output().unwrap())
}
