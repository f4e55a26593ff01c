//! From arguments to exit code: a command works on one thread while another waits for it, for the end of its time, or
//! for Ctrl-C.

use crate::commands::Cli;
use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::deliver;
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What the waiting thread hears.
enum Event {
    Done(Outcome),
    Interrupted,
    /// The working thread ended without an outcome: a bug in this program, which has said so.
    Crashed,
}

/// Tells the waiting thread when the working thread ends, however it ends.
struct Farewell(Sender<Event>);

impl Drop for Farewell {
    fn drop(&mut self) {
        self.0.send(Event::Crashed).ok();
    }
}

/// After Ctrl-C, output that nobody reads is waited for this long.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the command line and writes what it has to say.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return deliver(&usage(&error)),
    };
    let deadline = cli.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let (progress, (sender, events)) = (Progress::with_timeout(cli.timeout), channel());
    listen_for_interrupts(sender.clone());
    let (shared, cli) = (progress.clone(), Arc::new(cli));
    let worker = cli.clone();
    std::thread::spawn(move || {
        let farewell = Farewell(sender);
        let outcome = worker.command.execute(worker.seed, &shared).unwrap_or_else(Outcome::from);
        farewell.0.send(Event::Done(outcome)).ok();
    });
    let exit = match wait(&events, deadline, &progress) {
        Ok(Event::Done(outcome)) => deliver_in_time(outcome, &events, deadline),
        Ok(Event::Interrupted) => deliver(&ended(&events, &progress)),
        Err(RecvTimeoutError::Timeout) => deliver(&out_of_time(&cli, &progress)),
        Ok(Event::Crashed) | Err(RecvTimeoutError::Disconnected) => Exit::Undecided,
    };
    // A job that did not end has not stopped what it started.
    fuzz::targets::stop_all();
    exit
}

/// What a job that was interrupted has to say: at its end, if that is soon, or so far.
fn ended(events: &Receiver<Event>, progress: &Progress) -> Outcome {
    progress.interrupt();
    if !progress.has_so_far() {
        return interrupted(progress);
    }
    match events.recv_timeout(PATIENCE) {
        Ok(Event::Done(outcome)) => outcome,
        _ => progress.so_far().unwrap_or_else(|| interrupted(progress)),
    }
}

/// Without a handler, Ctrl-C ends the process at once, which is safe as well: nothing is half-written.
fn listen_for_interrupts(sender: Sender<Event>) {
    let handler = move || {
        sender.send(Event::Interrupted).ok();
    };
    ctrlc::set_handler(handler).ok();
}

/// A person who waits at a terminal is told so often what has been done.
const TELL: Duration = Duration::from_secs(1);

fn wait(
    events: &Receiver<Event>,
    deadline: Option<Instant>,
    progress: &Progress,
) -> Result<Event, RecvTimeoutError> {
    let (start, is_watched) = (Instant::now(), std::io::stderr().is_terminal());
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let event = events.recv_timeout(left.map_or(TELL, |left| left.min(TELL)));
        let is_over = left.is_some_and(|left| left <= TELL);
        if is_watched && start.elapsed() >= TELL {
            write!(std::io::stderr(), "\r\x1b[K").ok();
        }
        match event {
            Err(RecvTimeoutError::Timeout) if !is_over => {}
            event => return event,
        }
        if is_watched && !progress.get().is_empty() {
            let seconds = start.elapsed().as_secs();
            write!(std::io::stderr(), "{seconds} s, done: {}", progress.get()).ok();
        }
    }
}

/// Writes on another thread, because whoever should read our output may not.
fn deliver_in_time(outcome: Outcome, events: &Receiver<Event>, deadline: Option<Instant>) -> Exit {
    let (sender, delivered) = channel();
    std::thread::spawn(move || sender.send(deliver(&outcome)));
    loop {
        if let Ok(exit) = delivered.recv_timeout(PATIENCE.min(Duration::from_millis(20))) {
            return exit;
        }
        if matches!(events.try_recv(), Ok(Event::Interrupted)) {
            return delivered.recv_timeout(PATIENCE).unwrap_or(Exit::Interrupted);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return delivered.recv_timeout(PATIENCE).unwrap_or(Exit::Undecided);
        }
    }
}

fn usage(error: &clap::Error) -> Outcome {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return Outcome::new(Exit::Yes, text);
    }
    let code = Code::U0001;
    let stderr = match (error.kind(), text.strip_prefix("error: ")) {
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) | (_, None) => {
            format!("error[{code}]: a subcommand is required\n\n{text}")
        }
        (_, Some(message)) => format!("error[{code}]: {message}"),
    };
    Outcome { stderr, ..Outcome::new(Exit::Fault, "") }
}

fn interrupted(progress: &Progress) -> Outcome {
    let stderr = format!("interrupted{}; nothing was written\n", so_far(progress));
    Outcome { stderr, ..Outcome::new(Exit::Interrupted, "") }
}

fn out_of_time(cli: &Cli, progress: &Progress) -> Outcome {
    let said = progress.so_far();
    let seconds = cli.timeout.unwrap_or_default().as_secs_f64();
    let message = format!("the time limit of {seconds} s is over{}", so_far(progress));
    let undecided = cli.command.undecided(&message).unwrap_or_default();
    let failure = Outcome::from(Failure::undecided(Report::new(Code::L0003, message)));
    match said {
        // What has been found is an answer.
        Some(found) if found.exit == Exit::No => found,
        Some(Outcome { stdout, .. }) => Outcome { stdout, ..failure },
        None => Outcome { stdout: undecided, ..failure },
    }
}

fn so_far(progress: &Progress) -> String {
    let done = progress.get();
    if done.is_empty() { done } else { format!(" after {done}") }
}
