//! `selfsame equiv A B`: are two programs the same program?

use crate::diagnostics::{Code, Report, Source as Text};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::program::{Language, Loaded, SourceArgs, load_pair, load_symbolic};
use crate::limits::{Progress, check_declared};
use crate::output::json_text;
use crate::running::{Standing, decided, subject};
use crate::verdicts::{VerdictArgs, verdict_text};
use clap::Args;
use guard::Effort;
use language::Difference;
use languages::{Chain, Source};
use rink::decision::{Budget, Options, decide};
use rink::equivalence::{Equivalence, Typed, same_interface};
use selfsame_core::relation::Relation;
use std::path::PathBuf;
use std::time::Instant;

mod division;
mod prover;

pub use prover::undecided;

/// Arguments of `equiv`.
#[derive(Debug, Args)]
pub struct EquivArgs {
    /// The one program
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// The other program
    #[arg(value_name = "B")]
    pub right: PathBuf,
    /// The language of both, whatever their endings
    #[arg(long)]
    pub language: Option<Language>,
    /// B need only refine A: equal it wherever A is defined
    #[arg(long)]
    pub refines: bool,
    /// Write a certificate of what is proved; the prover is then used where elements would be compared one by one
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Compare systems only for parameters that satisfy a condition, such as `N>=1` (ALPHA)
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Compare local variables that both systems define under one name, too (ALPHA)
    #[arg(long)]
    pub locals: bool,
    /// What is asked.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}

/// Compares two programs in every number system: element by element where all sizes are known, else by the prover.
///
/// # Errors
/// A program is at fault, they declare different variables, or a tensor is too large.
pub fn execute(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let source = |file: &PathBuf| SourceArgs { file: file.clone(), language: args.language };
    let (left, right) = (source(&args.left), source(&args.right));
    let is_alpha = [&left, &right].map(|source| source.language().is_ok_and(|l| l == Language::Alpha));
    let misused = match is_alpha {
        [false, false] if args.condition.is_some() => Some("--where"),
        [true, true] => None,
        _ => args.locals.then_some("--locals"),
    };
    if let Some(option) = misused {
        let message = format!("`{option}` is for systems of ALPHA");
        return Err(Failure::fault(Report::new(Code::U0001, message)));
    }
    if args.certificate.is_some() || !has_sizes([&left, &right], args, progress)? {
        return prover::compare(args, seed, progress);
    }
    let [left, right] = load_pair([&left, &right], &args.verdict.parameters, progress)?;
    for side in [&left, &right] {
        check_declared(
            &side.source,
            &side.program,
            &side.typing,
            args.verdict.max_elements,
            size_of::<u128>(),
        )?;
    }
    let division = args.verdict.division();
    let problem = match Equivalence::new(typed(&left), typed(&right), division, args.verdict.max_elements) {
        Ok(problem) => problem,
        // They may have locals of their own.
        Err(_) if same_interface(&left.program, &right.program).is_ok() => {
            return prover::compare(args, seed, progress);
        }
        Err(difference) => {
            let difference = difference.between([&left.program, &right.program]);
            return Err(different_declarations([&left.source, &right.source], &difference));
        }
    };
    progress.set(format!("starting to compare {} and {}", left.source.name, right.source.name));
    let verdict = decide(&problem, &Options { budget: Budget::default(), seed })
        .with_parameters(&args.verdict.parameters.sizes());
    let claimed = decided(&verdict);
    let run = guard::problems::run(&problem, &claimed, &Effort { seed, ..Effort::default() });
    let standing = Standing::new(&claimed, run, subject(&chain_of([&left, &right], args)?));
    let verdict = match standing.objection() {
        Some(objection) => verdict.retracted(&objection),
        None => verdict,
    };
    let values = args.verdict.values.to_string();
    let headline = verdict.headline(&values);
    let relation = headline.map_or(Relation::Unknown, |headline| headline.relation);
    if !args.verdict.json {
        let note = standing.note().map_or(String::new(), |note| format!("note: {note}\n"));
        let text = verdict_text(&verdict, &values, relation, ["first", "second"]) + &note;
        let mut outcome = Outcome::new(exit(relation, args.refines), text);
        standing.report(&mut outcome);
        return Ok(outcome);
    }
    let mut json = verdict.to_json(&values);
    json["verdict"] = relation.word().into();
    json["run"] = standing.to_json();
    json["seconds"] = start.elapsed().as_secs_f64().into();
    let mut outcome = Outcome::new(exit(relation, args.refines), json_text(&json));
    standing.report(&mut outcome);
    Ok(outcome)
}

/// What was run, as it stands in a file that reproduces a contradiction.
fn chain_of<E>(both: [&Loaded<E>; 2], args: &EquivArgs) -> Result<Chain, Failure> {
    let source = |of: &Loaded<E>| {
        let (name, text) = (of.source.name.clone(), of.source.text.to_string());
        Source { name, language: languages::Language::Rink, text }
    };
    let (parameters, division) = (args.verdict.parameters.values()?, args.verdict.division());
    Ok(Chain { parameters, division, ..Chain::of(both.map(source)) })
}

/// Whether both are programs of the tensor model language all of whose sizes are known.
fn has_sizes(sources: [&SourceArgs; 2], args: &EquivArgs, progress: &Progress) -> Result<bool, Failure> {
    let given = args.verdict.parameters.values()?;
    for source in sources {
        if source.language()? != Language::Rink {
            return Ok(false);
        }
        let loaded = load_symbolic(source, progress)?;
        if loaded.program.symbols().iter().any(|(symbol, _)| !given.contains_key(symbol.name())) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first difference, at the declaration in the program that has it; in the second one where both do.
fn different_declarations(sources: [&Text; 2], difference: &Difference) -> Failure {
    let message = format!("the programs declare different variables: {}", difference.message);
    let hint = "declare the same variables in both; where some are `output`, only those are compared";
    let report = Report::new(Code::I0018, message).at(difference.span, "declared here").hint(hint);
    Failure::fault(report).in_source(sources[difference.side])
}

/// A loaded program as the decision procedures take it.
pub fn typed(loaded: &Loaded) -> Typed<'_> {
    Typed { program: &loaded.program, typing: &loaded.typing }
}

/// The exit code of a verdict: whether the programs are the same, or whether the second one refines the first.
pub fn exit(relation: Relation, refines: bool) -> Exit {
    match relation {
        Relation::Equivalent => Exit::Yes,
        Relation::Refines if refines => Exit::Yes,
        Relation::Unequal if refines => Exit::Undecided,
        Relation::Refines | Relation::Unequal | Relation::Different => Exit::No,
        Relation::Unknown => Exit::Undecided,
    }
}
