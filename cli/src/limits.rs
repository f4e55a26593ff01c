//! Limits: sizes, wall-clock time, interruption; and the progress of a long job.

use crate::diagnostics::{CommandCode, NamedSource, Report};
use crate::exit::{Failure, Outcome};
use rink::syntax::Program;
use rink::tensor_type::TensorType;
use rink::typing::Typing;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum size of an input file, in bytes: [`selfsame::MAX_ELEMENTS`] numbers of 32 characters in JSON.
pub const MAX_INPUT_BYTES: u64 = 512 << 20;
/// The maximum size of all variables of a program together, in bytes: half the memory of a machine with 16 GiB.
pub const MAX_STORE_BYTES: u64 = 8 << 30;

/// The progress of a job, for the thread that may interrupt it, and its deadline. Clones share the progress.
#[derive(Clone, Default)]
pub struct Progress {
    done: Arc<Mutex<String>>,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    so_far: Arc<Mutex<Option<SoFar>>>,
}

/// Computes the outcome of a job that is not finished.
pub type SoFar = Box<dyn Fn() -> Outcome + Send>;

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.get())
    }
}

/// A job that can show partial results stops before its time is over: by this duration, or by the time divided by
/// this number if that is less.
const SPARE: (Duration, u32) = (Duration::from_millis(500), 10);

impl Progress {
    /// The progress of a job that starts now and has `timeout` left.
    pub fn with_timeout(timeout: Option<Duration>) -> Progress {
        let spared = timeout.map(|timeout| timeout - (timeout / SPARE.1).min(SPARE.0));
        let deadline = spared.and_then(|time| Instant::now().checked_add(time));
        Progress { deadline, ..Progress::default() }
    }

    /// Records what has been done.
    pub fn set(&self, done: impl Into<String>) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done.into();
    }

    /// A description of what has been done.
    pub fn get(&self) -> String {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Registers the partial results of a job, which are its outcome if it does not finish.
    pub fn tells(&self, so_far: SoFar) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
    }

    /// Like [`Progress::tells`], for a job that stops itself when the returned predicate says it is interrupted.
    pub fn stops_itself(&self, so_far: SoFar) -> impl Fn() -> bool + use<> {
        self.tells(so_far);
        let interrupted = self.interrupted.clone();
        move || interrupted.load(Ordering::SeqCst)
    }

    /// Interrupts the job.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Whether the job can show partial results.
    pub fn has_so_far(&self) -> bool {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The outcome so far of the job, if it can show partial results.
    pub fn so_far(&self) -> Option<Outcome> {
        let so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.as_ref().map(|so_far| so_far())
    }

    /// The time at which a job that can show partial results stops.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

/// Reads the argument of `--timeout`.
///
/// # Errors
/// The text is not a positive number of seconds.
pub fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

/// Refuses a program whose variables are too large, before anything is allocated.
///
/// # Errors
/// A variable has more than `limit` elements, or all variables together, at `bytes` bytes per element, exceed
/// [`MAX_STORE_BYTES`].
pub fn check_declared(
    source: &NamedSource,
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
            let report = Report::new(CommandCode::L0002, message).at(span, "the limit is exceeded here");
            return Err(Failure::undecided(report).in_source(source));
        }
    }
    Ok(())
}

/// The report on a tensor of type `t` that is larger than the limit.
pub fn too_large(what: &str, t: &TensorType, limit: u64) -> Report {
    let elements = t.elements().map_or("more than 2^64".to_owned(), |n| n.to_string());
    let message = format!("{what} has type {t}, {elements} elements; the limit is {limit}");
    Report::new(CommandCode::L0001, message).hint("`--max-elements N` sets another limit")
}
