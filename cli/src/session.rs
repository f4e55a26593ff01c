//! From arguments to exit code: a command works on one thread while another waits for it, for the end of its time, or
//! for Ctrl-C.
//!
//! Whichever comes first decides: after Ctrl-C the exit code is 130, whatever the work comes to meanwhile, and after the end of the
//! time nothing is an answer that was not one before. The work is not waited for; `main` leaves with [`crate::leaving::leave`].

use crate::commands::Cli;
use crate::crash::{self, Crash, caught};
use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::limits::Progress;
use crate::output::deliver;
use base::escaping::{in_line, path};
use base::stack::STACK_BYTES;
use checker::solver::leave_interrupts_alone;
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What the waiting thread hears.
enum Event {
    Done(Outcome),
    Interrupted,
}

/// After Ctrl-C, output that nobody reads is waited for this long.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs the command line and writes what it has to say.
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
    // A job that did not end has not stopped what it started.
    fuzz::targets::stop_all();
    exit
}

/// Starts the work, which says when it has ended, however it ends.
fn start(cli: &Arc<Cli>, progress: &Progress, sender: Sender<Event>) -> Result<(), Crash> {
    let (cli, progress) = (cli.clone(), progress.clone());
    let work = move || {
        let start = Instant::now();
        let done = caught(|| cli.command.execute(cli.seed, &progress)).map_err(Failure::from);
        let outcome = done.and_then(|result| result).unwrap_or_else(|failure| failed(&cli, failure, start));
        sender.send(Event::Done(outcome)).ok();
    };
    // isl and the e-graph recurse on what they are given.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.map(drop).map_err(|error| Crash::NoThread(error.to_string()))
}

/// The end of a command that could not do what it was asked. What is undecided is a verdict, in JSON too.
fn failed(cli: &Cli, failure: Failure, start: Instant) -> Outcome {
    let why = failure.reports.first().map(|report| format!("{}: {}", report.code, report.message));
    let stdout = match (failure.exit, why) {
        (Exit::Undecided, Some(why)) => cli.command.undecided(&why, start.elapsed().as_secs_f64()),
        _ => None,
    };
    Outcome { stdout: stdout.unwrap_or_default(), ..Outcome::from(failure) }
}

/// What a job that was interrupted has to say: at its end, if that is soon, or so far. No end makes it an answer.
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

/// Without a handler, Ctrl-C ends the process at once, which is safe as well: nothing is half-written.
fn listen_for_interrupts(sender: Sender<Event>) {
    let handler = move || {
        sender.send(Event::Interrupted).ok();
    };
    ctrlc::set_handler(handler).ok();
}

/// How often a person who waits at a terminal is told what has been done.
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

/// Writes on another thread, because whoever should read our output may not.
fn delivery(outcome: Outcome) -> Receiver<Exit> {
    let (sender, delivered) = channel();
    std::thread::spawn(move || sender.send(deliver(&outcome)));
    delivered
}

/// Writes what is said when there is no more time, unless nobody reads it.
fn deliver_unread(outcome: Outcome) -> Exit {
    let exit = outcome.exit;
    delivery(outcome).recv_timeout(PATIENCE).unwrap_or(exit)
}

/// Writes what is said at the end of the work.
fn deliver_in_time(outcome: Outcome, events: &Receiver<Event>, deadline: Option<Instant>) -> Exit {
    let delivered = delivery(outcome);
    loop {
        if let Ok(exit) = delivered.recv_timeout(PATIENCE.min(Duration::from_millis(20))) {
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

/// What is wrong with the arguments, said of them as they may be shown.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Outcome {
    let shown = arguments.iter().map(|argument| path(Path::new(argument)));
    let said = Cli::try_parse_from(shown).err().filter(|said| said.kind() == error.kind());
    let text = said.as_ref().unwrap_or(error).render().to_string();
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
    let undecided = cli.command.undecided(&message, seconds).unwrap_or_default();
    let failure = Outcome::from(Failure::undecided(Report::new(Code::L0003, message)));
    match said {
        // What has been found is an answer.
        Some(found) if matches!(found.exit, Exit::Yes | Exit::No) => found,
        Some(Outcome { stdout, .. }) => Outcome { stdout, ..failure },
        None => Outcome { stdout: undecided, ..failure },
    }
}

fn so_far(progress: &Progress) -> String {
    let done = progress.get();
    if done.is_empty() { done } else { format!(" after {}", in_line(&done)) }
}
