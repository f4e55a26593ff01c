//! An implementation in a process of its own, which reads requests and writes answers, a line of JSON each.

use super::{Description, Outputs, PROTOCOL, Target, Trouble, answer};
use crate::json;
use crate::judgement::Kind;
use base::escaping::in_line;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is waited for, and how much is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The first answer takes no longer: a compiler may have to start.
    pub start: Duration,
    /// Any other answer takes no longer.
    pub answer: Duration,
    /// No answer has more bytes.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { start: Duration::from_secs(120), answer: Duration::from_secs(20), bytes: 4 << 20 }
    }
}

/// A process that is started when it is needed, and again when it has ended or was stopped.
pub struct Process {
    command: String,
    limits: Limits,
    running: Option<Running>,
    /// What it said of itself at first.
    said: Option<Description>,
}

/// How often to check whether a process that does not answer has ended.
const LOOK: Duration = Duration::from_millis(200);

/// What is read from a process.
enum Line {
    Text(Vec<u8>),
    TooLong,
    End,
}

struct Running {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Line>,
}

/// The groups of the processes that run; none once no more are to be started.
static GROUPS: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

/// Stops the processes of all targets, where this program ends without dropping them, and lets none be started.
pub fn stop_all() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner).take();
    groups.into_iter().flatten().for_each(stop);
}

/// Stops a whole group: what the shell started, too. It may have ended already.
fn stop(group: u32) {
    // The shell has the command built in. With `-KILL` for `-s KILL`, dash takes the `--` for a number, and stops nothing.
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
    /// The process of a command of the shell.
    pub fn new(command: &str, limits: Limits) -> Process {
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
        // Whoever writes more than is asked for waits until it is read.
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

    /// The process that runs, or a new one that has said hello.
    fn ready(&mut self) -> Result<Running, Trouble> {
        if let Some(running) = self.running.take() {
            return Ok(running);
        }
        self.started().map(|(running, _)| running).map_err(|trouble| match trouble {
            Trouble::Unusable(why) => Trouble::Found(Kind::Garbage, why),
            other => other,
        })
    }

    /// A new process, and what it says of itself.
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
    /// Sends a line and waits for one. A line that is there before that is an answer to nothing, as its number tells.
    fn ask(&mut self, request: &Value, patience: Duration, limits: &Limits) -> Result<Value, Trouble> {
        let found = |kind: Kind, what: String| Err(Trouble::Found(kind, what));
        self.requests.send(format!("{request}\n")).ok();
        match self.line(patience) {
            Ok(Line::Text(text)) => match json::parse(&text) {
                Ok(value) => Ok(value),
                Err(error) => found(Kind::Garbage, format!("{error} in {}", beginning(&text))),
            },
            Ok(Line::TooLong) => {
                found(Kind::Garbage, format!("an answer of more than {} bytes", limits.bytes))
            }
            Err(RecvTimeoutError::Timeout) => found(Kind::Hang, format!("no answer after {patience:?}")),
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => found(Kind::Crash, end(&mut self.child)),
        }
    }
}

impl Running {
    /// The next line. What a process left behind that has ended may keep its output open, and is not waited for.
    fn line(&mut self, patience: Duration) -> Result<Line, RecvTimeoutError> {
        let deadline = Instant::now().checked_add(patience);
        let mut has_ended = false;
        loop {
            let left = deadline.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            match self.answers.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if has_ended => return Ok(Line::End),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {
                    has_ended = matches!(self.child.try_wait(), Ok(Some(_)));
                }
                line => return line,
            }
        }
    }
}

/// The next line, if it is not too long.
fn line(output: &mut BufReader<ChildStdout>, limit: u64) -> Line {
    let mut text = Vec::new();
    match output.by_ref().take(limit).read_until(b'\n', &mut text) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) if text.ends_with(b"\n") => Line::Text(text),
        Ok(count) if count as u64 >= limit => Line::TooLong,
        Ok(_) => Line::Text(text),
    }
}

/// How a process ended that has closed its output; it may live on.
fn end(child: &mut Child) -> String {
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

/// The beginning of a text, to be shown.
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

    fn run(&mut self, request: &Value) -> Result<Outputs, Trouble> {
        let mut running = self.ready()?;
        let value = running.ask(request, self.limits.answer, &self.limits)?;
        let outputs = answer(&value, request["id"].as_u64().unwrap_or(0));
        if !matches!(outputs, Err(Trouble::Found(Kind::Garbage, _))) {
            self.running = Some(running);
        }
        outputs
    }
}
