//! An implementation in a separate process, which reads requests and writes answers, one line of JSON each.

use super::{Description, NamedOutputs, PROTOCOL, Target, Trouble, answer};
use crate::json;
use crate::judgement::DifferenceKind;
use base::escaping::in_line;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Limits on time and size of answers.
#[derive(Clone, Copy, Debug)]
pub struct ProcessLimits {
    /// The maximum time for the first answer: a compiler may have to start.
    pub start: Duration,
    /// The maximum time for any other answer.
    pub answer: Duration,
    /// The maximum number of bytes of an answer.
    pub bytes: u64,
}

impl Default for ProcessLimits {
    /// A compiler may have to start before the first answer. Chosen, not measured: with more time a target that
    /// hangs takes longer for each case tried, with less a slow one counts as hanging. 4 MiB hold 160,000 numbers
    /// of 25 characters.
    fn default() -> ProcessLimits {
        ProcessLimits { start: Duration::from_secs(120), answer: Duration::from_secs(20), bytes: 4 << 20 }
    }
}

/// A process that is started when needed, and restarted after it has ended or was stopped.
pub struct Process {
    command: String,
    limits: ProcessLimits,
    running: Option<Running>,
    /// Its first self-description.
    said: Option<Description>,
}

/// How often to check whether a process that does not answer has ended: five times a second costs nothing, and
/// nobody notices the wait.
const LOOK: Duration = Duration::from_millis(200);

/// A result of reading a line from a process.
enum ProcessLine {
    Text(Vec<u8>),
    TooLong,
    End,
}

struct Running {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<ProcessLine>,
}

/// The groups of the running processes; `None` once no more may start.
static GROUPS: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

/// Stops the processes of all targets and lets no new one start, for ends of this program that do not drop them.
pub fn stop_all() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner).take();
    groups.into_iter().flatten().for_each(stop);
}

/// Stops a whole process group, including what the shell started. The group may have ended already.
fn stop(group: u32) {
    // `kill` is built into the shell. With `-KILL` for `-s KILL`, dash takes the `--` for a number and stops
    // nothing.
    let mut kill = Command::new("sh");
    let line = format!("kill -s KILL -- -{group}");
    kill.args(["-c", &line]).stdout(Stdio::null()).stderr(Stdio::null()).status().ok();
}

impl Drop for Running {
    fn drop(&mut self) {
        stop(self.child.id());
        if let Some(groups) = &mut *GROUPS.lock().unwrap_or_else(PoisonError::into_inner) {
            groups.remove(&self.child.id());
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Process {
    /// A process for a shell command.
    pub fn new(command: &str, limits: ProcessLimits) -> Process {
        Process { command: command.to_owned(), limits, running: None, said: None }
    }

    fn start(&self) -> std::io::Result<Running> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = {
            let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
            let groups = groups.as_mut().ok_or(std::io::ErrorKind::Interrupted)?;
            let child = command.stderr(Stdio::null()).process_group(0).spawn()?;
            groups.insert(child.id());
            child
        };
        let (requests, pending) = channel::<String>();
        if let Some(mut input) = child.stdin.take() {
            std::thread::spawn(move || {
                while let Ok(request) = pending.recv() {
                    if input.write_all(request.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        // A process that writes too many lines blocks until they are read.
        let (sender, answers) = sync_channel(1);
        if let Some(output) = child.stdout.take() {
            let limit = self.limits.bytes;
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                while sender.send(line(&mut output, limit)).is_ok() {}
            });
        }
        Ok(Running { child, requests, answers })
    }

    /// The running process, or a new one that has said hello.
    fn ready(&mut self) -> Result<Running, Trouble> {
        if let Some(running) = self.running.take() {
            return Ok(running);
        }
        self.started().map(|(running, _)| running).map_err(|trouble| match trouble {
            Trouble::Unusable(why) => Trouble::Found(DifferenceKind::Garbage, why),
            other => other,
        })
    }

    /// A new process and its self-description.
    fn started(&self) -> Result<(Running, Description), Trouble> {
        let cannot =
            |error: std::io::Error| Trouble::Unusable(format!("`{}` does not start: {error}", self.command));
        let mut running = self.start().map_err(cannot)?;
        let hello = running.ask(&json!({ "hello": PROTOCOL }), self.limits.start, &self.limits)?;
        let description = Description::read(&hello).map_err(Trouble::Unusable)?;
        let description = Description { command: self.command.clone(), ..description };
        match &self.said {
            Some(said) if *said != description => {
                Err(Trouble::Unusable("it says something else of itself than before".to_owned()))
            }
            _ => Ok((running, description)),
        }
    }
}

impl Running {
    /// Sends a line and waits for one. A line that is already there answers no request, which its number shows.
    fn ask(&mut self, request: &Value, patience: Duration, limits: &ProcessLimits) -> Result<Value, Trouble> {
        let found = |kind: DifferenceKind, what: String| Err(Trouble::Found(kind, what));
        self.requests.send(format!("{request}\n")).ok();
        match self.line(patience) {
            Ok(ProcessLine::Text(text)) => match json::parse(&text) {
                Ok(value) => Ok(value),
                Err(error) => found(DifferenceKind::Garbage, format!("{error} in {}", beginning(&text))),
            },
            Ok(ProcessLine::TooLong) => {
                found(DifferenceKind::Garbage, format!("an answer of more than {} bytes", limits.bytes))
            }
            Err(RecvTimeoutError::Timeout) => {
                found(DifferenceKind::Hang, format!("no answer after {patience:?}"))
            }
            Ok(ProcessLine::End) | Err(RecvTimeoutError::Disconnected) => {
                found(DifferenceKind::Crash, end(&mut self.child))
            }
        }
    }
}

impl Running {
    /// The next line. A child of an ended process may keep the output open; it is not waited for.
    fn line(&mut self, patience: Duration) -> Result<ProcessLine, RecvTimeoutError> {
        let deadline = Instant::now().checked_add(patience);
        let mut has_ended = false;
        loop {
            let left = deadline.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            match self.answers.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if has_ended => return Ok(ProcessLine::End),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {
                    has_ended = matches!(self.child.try_wait(), Ok(Some(_)));
                }
                line => return line,
            }
        }
    }
}

/// The next line, if it is at most `limit` bytes long.
fn line(output: &mut BufReader<ChildStdout>, limit: u64) -> ProcessLine {
    let mut text = Vec::new();
    match output.by_ref().take(limit).read_until(b'\n', &mut text) {
        Ok(0) | Err(_) => ProcessLine::End,
        Ok(_) if text.ends_with(b"\n") => ProcessLine::Text(text),
        Ok(count) if count as u64 >= limit => ProcessLine::TooLong,
        Ok(_) => ProcessLine::Text(text),
    }
}

/// How a process ended that has closed its output; it may still be running.
fn end(child: &mut Child) -> String {
    // Looks of 10 ms each, one second in all.
    const PATIENCE: u32 = 100;
    for _ in 0..PATIENCE {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Ok(Some(status)) => {
                return match status.signal() {
                    Some(signal) => format!("ended by signal {signal}"),
                    None => format!("ended with exit code {}", status.code().unwrap_or(0)),
                };
            }
            Err(error) => return error.to_string(),
        }
    }
    "closed its output without an end".to_owned()
}

/// The beginning of a text, for display.
fn beginning(text: &[u8]) -> String {
    let shown: String = String::from_utf8_lossy(text).chars().take(80).collect();
    format!("`{}`", in_line(&shown))
}

impl Target for Process {
    fn describe(&mut self) -> Result<Description, Trouble> {
        self.running = None;
        let (running, description) = self.started().map_err(|trouble| match trouble {
            Trouble::Found(kind, what) => {
                Trouble::Unusable(format!("`{}` does not say hello: {}: {what}", self.command, kind.name()))
            }
            other => other,
        })?;
        (self.running, self.said) = (Some(running), Some(description.clone()));
        Ok(description)
    }

    fn run(&mut self, request: &Value) -> Result<NamedOutputs, Trouble> {
        let mut running = self.ready()?;
        let value = running.ask(request, self.limits.answer, &self.limits)?;
        let outputs = answer(&value, request["id"].as_u64().unwrap_or(0));
        if !matches!(outputs, Err(Trouble::Found(DifferenceKind::Garbage, _))) {
            self.running = Some(running);
        }
        outputs
    }
}
