//! Budgets: sizes, wall-clock time, interruption; and what a long job has done so far.

use crate::diagnostics::{Code, Report, Source};
use crate::exit::{Failure, Outcome};
use rink::syntax::Program;
use rink::typing::{TensorType, Typing};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The default of `--max-elements`.
pub const DEFAULT_MAX_ELEMENTS: u64 = 1 << 24;
/// The largest input file that is read, in bytes.
pub const MAX_INPUT_BYTES: u64 = 512 << 20;
/// The maximum number of bytes of all variables of a program together.
pub const MAX_STORE_BYTES: u64 = 8 << 30;

/// What has been done so far, for whoever interrupts, and until when there is time. Clones share it.
#[derive(Clone, Default)]
pub struct Progress {
    done: Arc<Mutex<String>>,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    so_far: Arc<Mutex<Option<SoFar>>>,
}

/// What a job that is not finished has to say.
pub type SoFar = Box<dyn Fn() -> Outcome + Send>;

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.get())
    }
}

/// An unfinished job that has something to show stops this long before its time is over, or by this part of it if that is less.
const SPARE: (Duration, u32) = (Duration::from_millis(500), 10);

impl Progress {
    /// Nothing done, and `timeout` left.
    pub fn with_timeout(timeout: Option<Duration>) -> Progress {
        let spared = timeout.map(|timeout| timeout - (timeout / SPARE.1).min(SPARE.0));
        let deadline = spared.and_then(|time| Instant::now().checked_add(time));
        Progress { deadline, ..Progress::default() }
    }

    /// States what has been done.
    pub fn set(&self, done: impl Into<String>) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done.into();
    }

    /// What has been done.
    pub fn get(&self) -> String {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// For a job that has something to say when it does not end: what that is so far.
    pub fn tells(&self, so_far: SoFar) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
    }

    /// The same for a job that stops when it is interrupted; gives whether it is.
    pub fn stops_itself(&self, so_far: SoFar) -> impl Fn() -> bool + use<> {
        self.tells(so_far);
        let interrupted = self.interrupted.clone();
        move || interrupted.load(Ordering::SeqCst)
    }

    /// Interrupts a job.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Whether a job has something to say that does not end.
    pub fn has_so_far(&self) -> bool {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// What a job has to say that does not end, if it has.
    pub fn so_far(&self) -> Option<Outcome> {
        let so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.as_ref().map(|so_far| so_far())
    }

    /// When a job that can show what it has done stops.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

/// Reads the argument of `--timeout`.
///
/// # Errors
/// It is no positive number of seconds.
pub fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

/// Refuses a program with a variable that is larger than the limit, before anything is allocated.
///
/// # Errors
/// There is such a variable, or all variables together, at `bytes` bytes an element, exceed [`MAX_STORE_BYTES`].
pub fn check_declared(
    source: &Source,
    program: &Program,
    typing: &Typing,
    limit: u64,
    bytes: usize,
) -> Result<(), Failure> {
    let mut total: u64 = 0;
    for declaration in &program.declarations {
        let Some(t) = typing.variable(declaration.name) else { continue };
        let (name, span) = (program.name(declaration.name), declaration.name_span);
        let elements = t.elements().filter(|&n| n <= limit).ok_or_else(|| {
            let report = too_large(&format!("`{name}`"), t, limit).at(span, format!("`{name}` has type {t}"));
            Failure::undecided(report).in_source(source)
        })?;
        total = total.saturating_add(elements.saturating_mul(bytes as u64));
        if total > MAX_STORE_BYTES {
            let message = format!("the variables need {total} bytes or more, the limit is {MAX_STORE_BYTES}");
            let report = Report::new(Code::L0002, message).at(span, "the limit is exceeded here");
            return Err(Failure::undecided(report).in_source(source));
        }
    }
    Ok(())
}

/// The report on a tensor of type `t` that is larger than the limit.
pub fn too_large(what: &str, t: &TensorType, limit: u64) -> Report {
    let elements = t.elements().map_or("more than 2^64".to_owned(), |n| n.to_string());
    let message = format!("{what} has type {t}, {elements} elements; the limit is {limit}");
    Report::new(Code::L0001, message).hint("`--max-elements N` sets another limit")
}
