//! From arguments to exit code: a command works on one thread while another waits for its result, its deadline or
//! Ctrl-C.
//!
//! The first of these decides. After Ctrl-C the exit code is 130, even if the work ends meanwhile; after the
//! deadline, only an answer that was found before counts. Nothing waits for the working thread to end: `main`
//! leaves with [`crate::leaving::leave`].

use crate::commands::Cli;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::deliver;
use base::escaping::{in_line, path};
use base::stack::STACK_BYTES;
use checker::solver::leave_interrupts_alone;
use clap::Parser;
use clap::error::ErrorKind;
use selfsame::crash::{self, Crash, caught};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// An event for the waiting thread.
enum Event {
    Done(Outcome),
    Interrupted,
}

/// The maximum wait, after Ctrl-C or the deadline, for a job to end and for output to be read: it is noticed,
/// and not yet annoying.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the command line, writes its outcome and returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let (sender, events) = channel();
    leave_interrupts_alone();
    listen_for_interrupts(sender.clone());
    crash::listen();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => Arc::new(cli),
        Err(error) => return deliver(&usage(&error, &arguments)),
    };
    let deadline = cli.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let progress = Progress::with_timeout(cli.timeout);
    let exit = match start(&cli, &progress, sender).map(|()| wait(&events, deadline, &progress)) {
        Err(crash) => deliver(&Failure::from(crash).into()),
        Ok(Ok(Event::Done(outcome))) => deliver_in_time(outcome, &events, deadline),
        Ok(Ok(Event::Interrupted)) => deliver_unread(ended(&events, &progress)),
        Ok(Err(RecvTimeoutError::Timeout)) => deliver_unread(out_of_time(&cli, &progress)),
        Ok(Err(RecvTimeoutError::Disconnected)) => Exit::Undecided,
    };
    // A job that did not end has not stopped the processes that it started.
    fuzz::targets::stop_all();
    exit
}

/// Starts the work on a thread, which sends the outcome even if the work panics.
fn start(cli: &Arc<Cli>, progress: &Progress, sender: Sender<Event>) -> Result<(), Crash> {
    let (cli, progress) = (cli.clone(), progress.clone());
    let work = move || {
        let start = Instant::now();
        let done = caught(|| cli.command.execute(cli.seed, &progress)).map_err(Failure::from);
        let outcome = done.and_then(|result| result).unwrap_or_else(|failure| failed(&cli, failure, start));
        sender.send(Event::Done(outcome)).ok();
    };
    // isl and the e-graph recurse on their input, so the default stack may overflow.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.map(drop).map_err(|error| Crash::NoThread(error.to_string()))
}

/// The outcome of a failed command. An undecided question has a verdict, which standard output states.
fn failed(cli: &Cli, failure: Failure, start: Instant) -> Outcome {
    let why = failure.reports.first().map(|report| format!("{}: {}", report.code, report.message));
    let stdout = match (failure.exit, why) {
        (Exit::Undecided, Some(why)) => cli.command.undecided(&why, start.elapsed().as_secs_f64()),
        _ => None,
    };
    Outcome { stdout: stdout.unwrap_or_default(), ..Outcome::from(failure) }
}

/// The outcome of an interrupted job: its result if it ends within [`PATIENCE`], otherwise its partial results.
/// The exit code is that of an interruption in either case.
fn ended(events: &Receiver<Event>, progress: &Progress) -> Outcome {
    progress.interrupt();
    if !progress.has_so_far() {
        return interrupted(progress);
    }
    let outcome = match events.recv_timeout(PATIENCE) {
        Ok(Event::Done(outcome)) => Some(outcome),
        _ => progress.so_far(),
    };
    let said = |outcome| {
        let Outcome { stdout, stderr, .. } = outcome;
        let stderr = format!("interrupted{}\n{stderr}", so_far(progress));
        Outcome { stderr, ..Outcome::new(Exit::Interrupted, stdout) }
    };
    outcome.map_or_else(|| interrupted(progress), said)
}

/// Sends an event at Ctrl-C. If no handler can be set, Ctrl-C ends the process at once, which is safe too: nothing
/// is half-written.
fn listen_for_interrupts(sender: Sender<Event>) {
    let handler = move || {
        sender.send(Event::Interrupted).ok();
    };
    ctrlc::set_handler(handler).ok();
}

/// The interval at which progress is shown on a terminal: often enough to see that something moves.
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
            write!(std::io::stderr(), "{seconds} s, done: {}", in_line(&progress.get())).ok();
        }
    }
}

/// Writes the outcome on another thread, because the reader of our output may never read it.
fn delivery(outcome: Outcome) -> Receiver<Exit> {
    let (sender, delivered) = channel();
    std::thread::spawn(move || sender.send(deliver(&outcome)));
    delivered
}

/// Writes an outcome after the deadline or an interruption; gives up after [`PATIENCE`] if nobody reads it.
fn deliver_unread(outcome: Outcome) -> Exit {
    let exit = outcome.exit;
    delivery(outcome).recv_timeout(PATIENCE).unwrap_or(exit)
}

/// Writes the outcome of finished work, unless the deadline or Ctrl-C comes first.
fn deliver_in_time(outcome: Outcome, events: &Receiver<Event>, deadline: Option<Instant>) -> Exit {
    let delivered = delivery(outcome);
    // One thread cannot wait on two channels, so this polls: fifty times a second is no load, and nobody notices
    // the wait.
    loop {
        if let Ok(exit) = delivered.recv_timeout(Duration::from_millis(20)) {
            return exit;
        }
        if matches!(events.try_recv(), Ok(Event::Interrupted)) {
            delivered.recv_timeout(PATIENCE).ok();
            return Exit::Interrupted;
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return delivered.recv_timeout(PATIENCE).unwrap_or(Exit::Undecided);
        }
    }
}

/// The outcome for arguments that do not parse, or that ask for help; arguments are escaped in the text.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Outcome {
    let shown = arguments.iter().map(|argument| path(Path::new(argument)));
    let said = Cli::try_parse_from(shown).err().filter(|said| said.kind() == error.kind());
    let text = said.as_ref().unwrap_or(error).render().to_string();
    if !error.use_stderr() {
        return Outcome::new(Exit::Yes, text);
    }
    let code = CommandCode::U0001;
    let stderr = match (error.kind(), text.strip_prefix("error: ")) {
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) | (_, None) => {
            format!("error[{code}]: a subcommand is required\n\n{text}")
        }
        (_, Some(message)) => format!("error[{code}]: {}", without_tip(message)),
    };
    Outcome { stderr, ..Outcome::new(Exit::Fault, "") }
}

/// The text without the tip to pass an unknown option as a value, which no argument here takes.
fn without_tip(text: &str) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !line.contains(" as a value, use '"));
    kept.collect::<String>().replace("\n\n\n", "\n\n")
}

fn interrupted(progress: &Progress) -> Outcome {
    let stderr = format!("interrupted{}; nothing was written\n", so_far(progress));
    Outcome { stderr, ..Outcome::new(Exit::Interrupted, "") }
}

fn out_of_time(cli: &Cli, progress: &Progress) -> Outcome {
    let said = progress.so_far();
    let seconds = cli.timeout.unwrap_or_default().as_secs_f64();
    let message = format!("the time limit of {seconds} s was reached{}", so_far(progress));
    let undecided = cli.command.undecided(&message, seconds).unwrap_or_default();
    let failure = Outcome::from(Failure::undecided(Report::new(CommandCode::L0003, message)));
    match said {
        // A partial result may already decide the question, such as a finding.
        Some(found) if matches!(found.exit, Exit::Yes | Exit::No) => found,
        Some(Outcome { stdout, .. }) => Outcome { stdout, ..failure },
        None => Outcome { stdout: undecided, ..failure },
    }
}

fn so_far(progress: &Progress) -> String {
    let done = progress.get();
    if done.is_empty() { done } else { format!(" after {}", in_line(&done)) }
}
