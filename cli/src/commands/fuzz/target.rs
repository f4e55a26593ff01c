//! The target of a test: this program's oracles, an adapter, or a command.

use super::FuzzArgs;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::Failure;
use ::fuzz::campaign::Check;
use ::fuzz::generation::Profile;
use ::fuzz::oracles::{ORACLES, Oracle, Oracles};
use ::fuzz::targets::{Process, ProcessLimits, TargetCheck, Trouble};
use base::escaping::path as shown;
use std::path::Path;

/// The adapters of this project: the name, the script, and its arguments.
pub const ADAPTERS: [(&str, &str, &str); 4] = [
    ("numpy", "numpy_target.py", ""),
    ("jax", "jax_target.py", ""),
    ("onnxruntime", "onnxruntime_target.py", ""),
    ("onnxruntime-plain", "onnxruntime_target.py", " plain"),
];

/// The name of the target that tests this program with all its oracles.
pub const SELF: &str = "self";

/// The check for each case, and the profile by which cases are generated.
///
/// # Errors
/// The target does not exist or cannot be used.
pub fn check(args: &FuzzArgs, name: &str) -> Result<(Box<dyn Check>, Profile), Failure> {
    if let Some(command) = &args.exec {
        return process(args, command);
    }
    let profile = Profile { sizes: args.sizes, ..Profile::default() };
    let oracles = match name {
        SELF => ORACLES.iter().collect(),
        _ => Oracle::named(name).into_iter().collect::<Vec<_>>(),
    };
    match oracles.is_empty() {
        true => process(args, &adapter(&args.adapters, name)?),
        false => Ok((Box::new(Oracles(oracles)), profile)),
    }
}

fn process(args: &FuzzArgs, command: &str) -> Result<(Box<dyn Check>, Profile), Failure> {
    let limits = ProcessLimits {
        answer: args.answer.unwrap_or(ProcessLimits::default().answer),
        ..ProcessLimits::default()
    };
    match TargetCheck::new(Process::new(command, limits)) {
        Ok(check) => {
            let profile = check.profile(args.sizes);
            Ok((Box::new(check), profile))
        }
        Err(Trouble::Unusable(why) | Trouble::Unsupported(why) | Trouble::Found(_, why)) => {
            let is_unknown = why.ends_with("exit code 127");
            let report = Report::new(CommandCode::I0027, why);
            Err(Failure::fault(match is_unknown {
                true => report.hint("the shell returns 127 for a command that it does not find"),
                false => report.hint("fuzz/PROTOCOL.md says what a target reads and writes"),
            }))
        }
    }
}

/// The shell command that starts an adapter.
fn adapter(folder: &Path, name: &str) -> Result<String, Failure> {
    let Some((_, script, arguments)) = ADAPTERS.iter().find(|(known, ..)| *known == name) else {
        let names = ORACLES.iter().map(|oracle| oracle.name).chain(ADAPTERS.iter().map(|(name, ..)| *name));
        let names: Vec<&str> = std::iter::once(SELF).chain(names).collect();
        let report = Report::new(CommandCode::U0001, format!("there is no target `{name}`"));
        let hint = format!("there are {}; or `--exec COMMAND`", names.join(", "));
        return Err(Failure::fault(report.hint(hint)));
    };
    let (python, script) = (folder.join(".venv/bin/python"), folder.join(script));
    let missing = |what: &str, hint: &str| {
        let report = Report::new(CommandCode::I0027, format!("the adapter {} {what}", shown(&script)));
        Err(Failure::fault(report.hint(hint)))
    };
    match (script.exists(), python.exists()) {
        (false, _) => {
            missing("is not there", "`--adapters DIR` says where fuzz/adapters of the repository is")
        }
        (true, false) => missing("is not installed", "`make adapters` in the repository installs it"),
        (true, true) => Ok(format!("exec '{}' '{}'{arguments}", python.display(), script.display())),
    }
}
