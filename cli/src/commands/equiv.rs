//! `selfsame equiv A B`: are two programs equivalent?

use crate::diagnostics::{CommandCode, NamedSource as Text, Report, render};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::{known_sizes, require_allowed};
use crate::input::program::{Named, RankArgs, SourceArgs, ill_formed};
use crate::languages::commands;
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::certificate_text;
use crate::standing::report;
use crate::systems::SystemArgs;
use crate::verdicts::VerdictArgs;
use base::diagnostics::Span;
use clap::Args;
use language::Difference;
use languages::{Mismatch, ReadSource};
use selfsame::{Asked, Comparison, Error, Verdict};
use selfsame_core::relation::Relation;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Instant;
use values::Division;

/// Arguments of `equiv`.
#[derive(Clone, Debug, Args)]
pub struct EquivArgs {
    /// The first program
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// The second program
    #[arg(value_name = "B")]
    pub right: PathBuf,
    /// The language of both programs; overrides the file extensions
    #[arg(long)]
    pub language: Option<Named>,
    /// The ranks of inputs.
    #[command(flatten)]
    pub ranks: RankArgs,
    /// Require only that B refines A: equals it wherever A is defined
    #[arg(long)]
    pub refines: bool,
    /// Give the reason or the counterexample for each ?, ⊑ and ≠, in every number system
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Write a certificate of what is proved; uses the prover even where elements would be compared one by one
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Compare systems only for parameters that satisfy a condition, such as `N>=1` (ALPHA)
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Also compare local variables that both systems define under one name (ALPHA)
    #[arg(long)]
    pub locals: bool,
    /// The back end.
    #[command(flatten)]
    pub system: SystemArgs,
    /// What is asked.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}

/// Compares two programs in every number system, and writes a certificate if one is requested and the proof yields
/// one.
///
/// # Errors
/// A program is at fault, or the programs differ in their interface or in the meaning of `/`.
pub fn execute(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    match &args.ranks.choices()[..] {
        [_] => at_one_rank(args, seed, progress),
        choices => at_ranks(args, choices, seed, progress),
    }
}

/// Compares two programs at each of some choices of ranks: the worst answer is that of all.
fn at_ranks(
    args: &EquivArgs,
    choices: &[Vec<(String, usize)>],
    seed: u64,
    progress: &Progress,
) -> Result<Outcome, Failure> {
    if args.certificate.is_some() || args.verdict.json {
        let message = "a certificate and `--json` are of one rank of each input";
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let (mut stdout, mut stderr, mut worst) = (String::new(), String::new(), Exit::Yes);
    for choice in choices {
        let ranks: Vec<String> = choice.iter().map(|(name, rank)| format!("{name} = {rank}")).collect();
        let one = EquivArgs { ranks: RankArgs::of(choice), ..args.clone() };
        let outcome = at_one_rank(&one, seed, progress)?;
        stdout += &format!("ranks {}: {}", ranks.join(", "), outcome.stdout);
        stderr += &outcome.stderr;
        worst = worst.worse(outcome.exit);
    }
    Ok(Outcome { stderr, ..Outcome::new(worst, stdout) })
}

fn at_one_rank(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let asked = args.asked(seed)?;
    let (programs, texts) = read(args, progress)?;
    let verdict = Comparison { programs, asked }.answer(&|done| progress.set(done));
    let verdict = verdict.map_err(|error| failure(error, args, texts.each_ref()))?;
    let wanted = args.verdict.values;
    let stdout = match args.verdict.json {
        true => json_text(&timed(verdict.to_json(wanted), start.elapsed().as_secs_f64())),
        false if args.explain => verdict.text(wanted) + &verdict.explanation(wanted),
        false => verdict.text(wanted),
    };
    let stderr = verdict.crash().map(|crash| render(None, &[Report::from(crash)])).unwrap_or_default();
    let exit = exit(verdict.wanted(wanted), args.refines);
    let mut outcome = Outcome { stderr, ..Outcome::new(exit, stdout) };
    if let Some(path) = &args.certificate
        && let Some(certificate) = verdict.proof()
    {
        outcome.files.push((path.clone(), certificate_text(path, &certificate)?));
    }
    report(verdict.standing(), &mut outcome);
    Ok(outcome)
}

/// Reads both programs, with their texts for diagnostics.
fn read(args: &EquivArgs, progress: &Progress) -> Result<([ReadSource; 2], [Text; 2]), Failure> {
    let languages = [args.source(&args.left).language()?, args.source(&args.right).language()?];
    let both = languages.map(commands);
    let misused = match () {
        () if args.condition.is_some() && !both.iter().any(|one| one.has_conditions()) => Some("--where"),
        () if args.locals && !both.iter().all(|one| one.has_locals()) => Some("--locals"),
        () => None,
    };
    if let Some(option) = misused {
        let message = format!("`{option}` is for systems of ALPHA");
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let (left, a) = both[0].read(&args.source(&args.left), args, progress)?;
    let (right, b) = both[1].read(&args.source(&args.right), args, progress)?;
    let (programs, texts) = ([left, right], [a, b]);
    if args.certificate.is_none() && languages[0] == languages[1] {
        both[0].require_sizes(&programs, texts.each_ref(), args)?;
    }
    let sizes = known_sizes(&programs.each_ref(), &args.verdict.parameters)?;
    for (read, path) in programs.iter().zip([&args.left, &args.right]) {
        require_allowed(read, &sizes, path)?;
    }
    Ok((programs, texts))
}

/// The JSON of an undecided answer, with the reason and the seconds spent.
pub fn undecided(args: &EquivArgs, why: &str, seconds: f64) -> Value {
    let asked = args.asked(0).unwrap_or_default();
    timed(Verdict::undecided(asked, why).to_json(args.verdict.values), seconds)
}

fn timed(mut json: Value, seconds: f64) -> Value {
    json["seconds"] = seconds.into();
    json
}

impl EquivArgs {
    /// The source arguments for one of the two files.
    fn source(&self, file: &Path) -> SourceArgs {
        SourceArgs { file: file.to_owned(), language: self.language, ranks: self.ranks.clone() }
    }

    /// What is asked of both programs.
    fn asked(&self, seed: u64) -> Result<Asked, Failure> {
        self.verdict.parameters.values()?;
        Ok(Asked {
            parameters: self.verdict.parameters.given.clone(),
            condition: self.condition.clone(),
            division: self.verdict.division.map(Division::from),
            system: self.system.read()?,
            types: self.verdict.values.unusual(),
            locals: self.locals,
            proof: self.certificate.is_some(),
            max_elements: self.verdict.max_elements,
            seed,
        })
    }
}

/// The failure for programs that cannot be compared.
fn failure(error: Error, args: &EquivArgs, texts: [&Text; 2]) -> Failure {
    let message = error.to_string();
    let about = |code, hint: &str| Failure::fault(Report::new(code, message.as_str()).hint(hint));
    match error {
        Error::Declarations(Difference { side, span, .. }) => {
            let hint = "declare the same variables in both; where some are `output`, only those are compared";
            different_declarations(texts, Some((side, span)), &message, hint)
        }
        Error::Divisions => about(
            CommandCode::U0001,
            "`--division controlled` or `--division extended` sets one meaning for both programs",
        ),
        Error::Interfaces { mismatch: Mismatch::Sizes(side, _), .. } => {
            let file = [&args.left, &args.right][side];
            let can_restrict = |language| commands(language).has_conditions();
            let hint = match args.source(file).language().is_ok_and(can_restrict) {
                true => "`--where CONDITION` compares them where both have a meaning".to_owned(),
                false => {
                    let file = file.display();
                    format!(
                        "`selfsame lower {file}` gives a system of ALPHA, for which there is `--where CONDITION`"
                    )
                }
            };
            about(CommandCode::I0018, &hint)
        }
        Error::Interfaces { mismatch: Mismatch::Parameters(_), .. } => {
            about(CommandCode::I0018, "sizes are matched by their names: rename those of one program")
        }
        Error::Interfaces { place, .. } => {
            let hint =
                "what is compared must have the same inputs and outputs, with the same elements, in both";
            different_declarations(texts, place, &message, hint)
        }
        Error::IllFormed { faults, .. } => ill_formed(texts[0], faults),
        Error::Crashed(crash) => crash.into(),
        Error::Certificate(_) => Failure::undecided(Report::new(CommandCode::L0006, message)),
    }
}

/// The failure for programs that declare different variables. It points at the differing declaration in one of the
/// programs, if there is one.
fn different_declarations(
    texts: [&Text; 2],
    place: Option<(usize, Span)>,
    message: &str,
    hint: &str,
) -> Failure {
    let report = Report::new(CommandCode::I0018, message).hint(hint);
    match place {
        Some((side, span)) => Failure::fault(report.at(span, "declared here")).in_source(texts[side]),
        None => Failure::fault(report),
    }
}

/// The exit code for a verdict on equivalence, or on refinement of the first program by the second if `refines`.
pub fn exit(relation: Relation, refines: bool) -> Exit {
    match relation {
        Relation::Equivalent => Exit::Yes,
        Relation::Refines if refines => Exit::Yes,
        Relation::Unequal if refines => Exit::Undecided,
        Relation::Refines | Relation::Unequal | Relation::Different => Exit::No,
        Relation::Unknown => Exit::Undecided,
    }
}
