//! `selfsame replay FILE`: does a recorded contradiction inside this program still occur?

use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{input_too_large, read_file, utf8};
use crate::limits::MAX_INPUT_BYTES;
use crate::output::json_text;
use base::escaping::in_line;
use clap::Args;
use selfsame::contradiction::Reproducer;
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A file that a command wrote when it ended with "contradiction inside this program"
    pub file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Runs both sources of a contradiction on its input. The exit code is 1 if they differ, and 0 if they agree.
///
/// # Errors
/// The file cannot be read or records no contradiction, or its sources cannot be run.
pub fn execute(args: &ReplayArgs) -> Result<Outcome, Failure> {
    let fault = |code, message: String| Failure::fault(Report::new(code, message));
    let text = utf8(&args.file, read_file(&args.file, MAX_INPUT_BYTES, input_too_large)?)?;
    let reproducer = Reproducer::read(&text).map_err(|error| fault(CommandCode::I0019, error))?;
    let run = reproducer.run().map_err(|error| fault(CommandCode::I0019, error))?;
    let differ = match (&run.contradiction, run.unconfirmed.into_iter().next()) {
        (Some(_), _) => false,
        (None, None) => true,
        (None, Some(found)) => {
            let message = format!("not run: {}", found.why);
            return Err(Failure::undecided(Report::new(CommandCode::L0014, message)));
        }
    };
    let said = reproducer.said();
    let text = match (args.json, differ) {
        (true, _) => json_text(&json!({ "said": said, "differ": differ })),
        (false, true) => format!("said {}: the sides differ there\n", in_line(&said)),
        (false, false) => format!("said {}: the sides are the same there\n", in_line(&said)),
    };
    Ok(Outcome::new(if differ { Exit::No } else { Exit::Yes }, text))
}
