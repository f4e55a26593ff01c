//! Work that ended without an answer: it panicked, which is a bug in this program, or no thread could be started.
//!
//! The caller that starts the work reports the crash, so that a bug never looks like an answer or a limit.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::path::Path;

/// Why work ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crash {
    /// A panic, with its message and location.
    Panic(String),
    /// The operating system could not start a thread, with the reason.
    NoThread(String),
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crash::Panic(what) => write!(f, "internal error: {what}"),
            Crash::NoThread(why) => write!(f, "no thread could be started: {why}"),
        }
    }
}

thread_local! {
    /// The location of the thread's last panic.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs a hook that silences panics, unless `RUST_BACKTRACE` is set; [`caught`] returns the message instead.
pub fn listen() {
    let usual = std::panic::take_hook();
    let is_traced = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |panic| {
        PLACE.set(panic.location().map(place).unwrap_or_default());
        if is_traced {
            usual(panic);
        }
    }));
}

/// The file and line of a panic. A file of another package has an absolute path, of which only the name is shown.
fn place(location: &Location<'_>) -> String {
    let path = Path::new(location.file());
    let name = path.file_name().filter(|_| path.is_absolute()).map(Path::new);
    format!(" ({}:{})", name.unwrap_or(path).display(), location.line())
}

/// Does work and catches its panic. After a panic, callers must not use the state that the work has changed.
///
/// # Errors
/// The work panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Crash> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
        Crash::Panic(format!("{said}{}", PLACE.take()))
    })
}
