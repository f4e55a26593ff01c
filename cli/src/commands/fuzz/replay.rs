//! Replays the case of a finding.

use super::target::{ADAPTERS, SELF, check};
use super::{FuzzArgs, add, difference_json, finding_json};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{read_file, utf8};
use crate::output::json_text;
use ::fuzz::finding::Finding;
use ::fuzz::judgement::{CaseJudgement, JudgementTally};
use ::fuzz::meaning::CaseMeaning;
use ::fuzz::oracles::ORACLES;
use base::escaping::in_line;
use polyhedra::Engine;
use polyhedra_isl::Isl;
use serde_json::{Value, json};
use std::path::Path;

/// The maximum size of a finding's file in bytes. A case has at most 2^20 elements, operands included, of some
/// ten characters; once parsed, it takes much more memory.
const MAX_BYTES: u64 = 16 << 20;

/// Runs the case again, on the given target or else on the recorded one.
///
/// # Errors
/// The finding cannot be read, or its recorded target is a command, which is not run unless it is given.
pub fn run(args: &FuzzArgs, path: &Path) -> Result<Outcome, Failure> {
    let engine = Isl::with_memory();
    let finding = read(path, &engine)?;
    let target = match (&args.target, &args.exec) {
        (None, None) => recorded(&finding)?,
        (target, _) => target.as_deref().unwrap_or_default(),
    };
    let (mut check, _) = check(args, target)?;
    let parts: Vec<String> = match target {
        SELF => ORACLES.iter().map(|oracle| oracle.name.to_owned()).collect(),
        _ => vec![check.name()],
    };
    let results: Vec<(String, CaseJudgement)> = parts
        .into_iter()
        .map(|part| {
            let judgement = check.judge_again(&part, &finding.case, &engine);
            (part, judgement)
        })
        .collect();
    let exit = exit(&results);
    if !args.json {
        let found =
            in_line(&format!("(found: {}: {})", finding.check, finding.difference)).into_owned() + "\n";
        let line = |(part, judgement): &(String, CaseJudgement)| {
            in_line(&format!("{part}: {}", words(judgement))).into_owned() + "\n"
        };
        let text = results.iter().map(line);
        return Ok(Outcome::new(exit, text.chain([found]).collect::<String>()));
    }
    let results = results.iter().map(|(part, judgement)| {
        let mut json = json!({ "check": part, "result": words(judgement) });
        if let CaseJudgement::Wrong(difference) = judgement {
            add(&mut json, difference_json(difference));
        }
        json
    });
    let json = json!({
        "recorded": finding_json(&finding),
        "versions": check.implementation().versions,
        "results": results.collect::<Vec<Value>>(),
    });
    Ok(Outcome::new(exit, json_text(&json)))
}

fn read(path: &Path, engine: &dyn Engine) -> Result<Finding, Failure> {
    let malformed = |why: String| Failure::fault(Report::new(CommandCode::I0026, why).in_file(path, None));
    let text = utf8(path, read_file(path, MAX_BYTES, too_large)?)?;
    let finding = Finding::parse(&text).map_err(malformed)?;
    let misfit =
        CaseMeaning::new(&finding.case.subject, engine).and_then(|meaning| meaning.misfit(&finding.case));
    match misfit {
        Ok(Some(why)) => Err(malformed(format!("inputs.json: {why}"))),
        _ => Ok(finding),
    }
}

fn too_large() -> Failure {
    Failure::fault(Report::new(CommandCode::I0002, format!("the finding is larger than {MAX_BYTES} bytes")))
}

/// The recorded target, if it is an oracle or adapter of this project. A command is never taken from the file: an
/// untrusted file could name any command.
fn recorded(finding: &Finding) -> Result<&str, Failure> {
    let command = &finding.implementation.command;
    let is_ours = |(name, script, arguments): &(&str, &str, &str)| {
        *name == finding.check && command.ends_with(&format!("{script}'{arguments}"))
    };
    match command.is_empty() || ADAPTERS.iter().any(is_ours) {
        true => Ok(&finding.check),
        false => {
            let what = format!(
                "`{}` was tested as a command, and commands named in files are not run",
                finding.check
            );
            let hint = format!("it was `--exec '{}'`", command.replace('\'', "'\\''"));
            Err(Failure::fault(Report::new(CommandCode::U0001, what).hint(hint)))
        }
    }
}

/// The exit code, as for a run: `No` if a result is wrong, else `Yes` if one is right, else `Undecided`.
fn exit(results: &[(String, CaseJudgement)]) -> Exit {
    let is_wrong = |(_, judgement): &(String, CaseJudgement)| matches!(judgement, CaseJudgement::Wrong(_));
    let is_right = |(_, judgement): &(String, CaseJudgement)| matches!(judgement, CaseJudgement::Right(tally) if !tells_nothing(*tally));
    match (results.iter().any(is_wrong), results.iter().any(is_right)) {
        (true, _) => Exit::No,
        (false, true) => Exit::Yes,
        (false, false) => Exit::Undecided,
    }
}

fn tells_nothing(tally: JudgementTally) -> bool {
    tally.agree == 0
}

fn words(judgement: &CaseJudgement) -> String {
    match judgement {
        CaseJudgement::Wrong(difference) => difference.to_string(),
        CaseJudgement::Right(JudgementTally { agree: 0, abstain: 1.., .. }) => {
            "not judged: the bounds tell nothing about any element".to_owned()
        }
        CaseJudgement::Right(JudgementTally { agree: 0, .. }) => {
            "not judged: no element is defined in the reference".to_owned()
        }
        CaseJudgement::Right(_) => "right".to_owned(),
        CaseJudgement::Refused(why) => format!("not judged: {why}"),
        CaseJudgement::Stopped(stopped) => format!("not judged: {stopped}"),
    }
}
