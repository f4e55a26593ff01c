//! An implementation in a process of its own, which reads requests and writes answers, a line of JSON each.

use super::{Description, Outputs, PROTOCOL, Target, Trouble, answer};
use crate::judgement::Kind;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

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
        Limits { start: Duration::from_secs(120), answer: Duration::from_secs(20), bytes: 64 << 20 }
    }
}

/// A process that is started when it is needed, and again when it has ended or was stopped.
pub struct Process {
    command: String,
    limits: Limits,
    running: Option<Running>,
}

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

impl Drop for Running {
    fn drop(&mut self) {
        // The whole group: what the shell started, too. It may have ended already.
        let group = format!("-{}", self.child.id());
        let mut kill = Command::new("kill");
        kill.args(["-KILL", "--", &group]).stdout(Stdio::null()).stderr(Stdio::null()).status().ok();
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Process {
    /// The process of a command of the shell.
    pub fn new(command: &str, limits: Limits) -> Process {
        Process { command: command.to_owned(), limits, running: None }
    }

    fn start(&self) -> std::io::Result<Running> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).process_group(0).spawn()?;
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

    /// Sends a line and waits for one; a process that does not answer as it should is stopped.
    fn ask(&mut self, request: &Value) -> Result<Value, Trouble> {
        let found = |kind: Kind, what: String| Err(Trouble::Found(kind, what));
        let is_hello = request["hello"].is_u64();
        if self.running.is_none() {
            let cannot = |error: std::io::Error| {
                Trouble::Unusable(format!("`{}` does not start: {error}", self.command))
            };
            self.running = Some(self.start().map_err(cannot)?);
            if !is_hello {
                self.hello()?;
            }
        }
        let Some(running) = &mut self.running else { return found(Kind::Crash, "no process".to_owned()) };
        running.requests.send(format!("{request}\n")).ok();
        let patience = if is_hello { self.limits.start } else { self.limits.answer };
        let line = running.answers.recv_timeout(patience);
        let trouble = match line {
            Ok(Line::Text(text)) => match serde_json::from_slice(&text) {
                Ok(value) => return Ok(value),
                Err(error) => found(Kind::Garbage, format!("{error} in {}", beginning(&text))),
            },
            Ok(Line::TooLong) => {
                found(Kind::Garbage, format!("an answer of more than {} bytes", self.limits.bytes))
            }
            Err(RecvTimeoutError::Timeout) => found(Kind::Hang, format!("no answer after {patience:?}")),
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => {
                found(Kind::Crash, end(&mut running.child))
            }
        };
        self.running = None;
        trouble
    }

    fn hello(&mut self) -> Result<Description, Trouble> {
        let value = self.ask(&json!({ "hello": PROTOCOL }))?;
        Description::read(&value).map_err(Trouble::Unusable)
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
    format!("{shown:?}")
}

impl Target for Process {
    fn describe(&mut self) -> Result<Description, Trouble> {
        match self.hello() {
            Err(Trouble::Found(kind, what)) => Err(Trouble::Unusable(format!(
                "`{}` does not say hello: {}: {what}",
                self.command,
                kind.name()
            ))),
            other => other,
        }
    }

    fn run(&mut self, request: &Value) -> Result<Outputs, Trouble> {
        let value = self.ask(request)?;
        let outputs = answer(&value, request["id"].as_u64().unwrap_or(0));
        if matches!(outputs, Err(Trouble::Found(Kind::Garbage, _))) {
            self.running = None;
        }
        outputs
    }
}
