//! `selfsame optimize FILE`: a cheaper program that is the same, with its certificate.

use crate::alpha::loading::LoadedSystem;
use crate::alpha::transformation::compared;
use crate::diagnostics::{Code, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::{Language, SourceArgs};
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::on_large_stack;
use crate::systems::{SystemName, SystemVisitor, with_system};
use checker::certificate::{Certificate, Subject, of_derivation};
use checker::derivation::Derivation;
use checker::solver::in_own_context;
use clap::Args;
use polyhedra_isl::Isl;
use rewrites::egraph::rewriting::Rewrite;
use rewrites::egraph::saturation::{Ended, Limits};
use rewrites::egraph::{scalars, theorems};
use rewrites::optimization::{Optimized, optimize};
use rewrites::programs::Compared;
use semantics::alpha::printing::{Notation, print};
use semantics::decision::Relation;
use semantics::programs::Source as Program;
use semantics::values::NumberSystem;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `optimize`.
#[derive(Debug, Args)]
pub struct OptimizeArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes at which costs are compared; the result is the same program at all sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system whose laws may be used
    #[arg(long, value_name = "DOMAIN", default_value_t)]
    pub values: SystemName,
    /// Write the certificate that both programs are the same
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write a derivation of the result, line by line, each by a theorem, as a certificate of its own
    #[arg(long, value_name = "FILE")]
    pub derivation: Option<PathBuf>,
    /// No more rewrites once the e-graph has so many terms
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    pub max_terms: usize,
    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

/// The rewrites that hold in a number system.
struct Rewrites;

impl SystemVisitor for Rewrites {
    type Output = Vec<Rewrite>;
    fn visit<S: NumberSystem<Number: Default> + Copy>(self, system: S) -> Vec<Rewrite> {
        [theorems::rewrites(&system), scalars::rewrites(&system)].concat()
    }
}

/// Looks for a cheaper program, and proves that it is the same: what is not proved is not printed.
///
/// # Errors
/// The program is at fault, no cost is known of it, or what was found could not be proved to be the same.
pub fn execute(args: &OptimizeArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    if args.source.language()? != Language::Alpha {
        let report = Report::new(Code::L0003, "only systems of ALPHA are optimized");
        return Err(Failure::undecided(report.hint("`lower` makes one of any program")));
    }
    let loaded = LoadedSystem::load(&args.source, progress)?;
    let checked = loaded.checked(None, progress)?;
    let parameters = loaded.all_parameters(&args.parameters)?;
    progress.set(format!("looking for programs that are the same as {}", loaded.source.name));
    let rewrites = with_system(args.values, Rewrites);
    let limits = Limits { terms: args.max_terms, ..Limits::default() };
    let found = optimize(&loaded.system, &checked.domains, &parameters, &rewrites, limits, &Isl::new());
    let Ok(Some(found)) = found else {
        let report = Report::new(Code::L0003, "no cost is known of this program");
        return Err(Failure::undecided(report.in_file(&args.source.file, None)));
    };
    let proved = proved(&loaded, &found, args, seed, progress)?;
    let [before, after] = proved.operations;
    let stdout = match args.json {
        true => json_text(&json!({
            "program": proved.text,
            "operations": {"before": before, "after": after},
            "laws": proved.laws,
            "terms": found.terms,
            "complete": found.report.ended == Ended::Saturated,
            "applied": found.report.applied,
            "seconds": start.elapsed().as_secs_f64(),
        })),
        false => header(proved.operations, &loaded, &parameters) + &proved.text,
    };
    let mut outcome = Outcome::new(Exit::Yes, stdout);
    if let (Some(path), Some(certificate)) = (&args.certificate, &proved.certificate) {
        outcome.files.push((path.clone(), json_text(certificate).into_bytes()));
    }
    if let Some(path) = &args.derivation {
        let certificate = derivation(&loaded, &found, &proved.text)?;
        outcome.files.push((path.clone(), json_text(&certificate).into_bytes()));
    }
    Ok(outcome)
}

/// The cheapest program that is proved to be the same.
struct Proved {
    text: String,
    /// Before and after.
    operations: [f64; 2],
    certificate: Option<Certificate>,
    /// The laws of the proof; of a derivation none are named.
    laws: Vec<String>,
}

impl Proved {
    fn new(text: &str, operations: [f64; 2], compared: Option<Compared>) -> Proved {
        let certificate = compared
            .as_ref()
            .and_then(|compared| compared.verdict.certificate(Subject::Programs(compared.chain.clone())));
        let laws = compared.map_or(Vec::new(), |compared| compared.verdict.laws);
        Proved { text: text.to_owned(), operations, certificate, laws }
    }
}

fn proved(
    loaded: &LoadedSystem,
    found: &Optimized,
    args: &OptimizeArgs,
    seed: u64,
    progress: &Progress,
) -> Result<Proved, Failure> {
    let texts: Vec<String> = found.systems.iter().map(|system| print(system, Notation::Array)).collect();
    let same = |texts: &[&str]| {
        let compared = compared(loaded, "optimized", texts, seed, progress)?;
        Ok(compared.filter(|compared| is_same(compared, args.values)))
    };
    for count in (1..=texts.len()).rev() {
        let chain: Vec<&str> = texts[..count].iter().map(String::as_str).collect();
        if let Some(compared) = same(&chain)? {
            let operations = [found.operations[0], found.operations[count]];
            return Ok(Proved::new(&texts[count - 1], operations, Some(compared)));
        }
    }
    if let Some(text) = texts.first() {
        // What the prover does not find may be derived.
        if let Some(certificate) = derivation(loaded, found, text).ok().filter(|c| shows(c, args.values)) {
            let operations = [found.operations[0], found.operations[1]];
            let certificate = Some(certificate);
            return Ok(Proved { text: text.clone(), operations, certificate, laws: Vec::new() });
        }
        let message = format!("a program was found that is not proved to be the same in `{}`", args.values);
        return Err(Failure::undecided(Report::new(Code::L0003, message)));
    }
    // Of the source itself there is nothing to prove, unless that is asked for.
    let text = &*loaded.source.text;
    let compared = if args.certificate.is_some() { same(&[text])? } else { None };
    Ok(Proved::new(text, [found.operations[0]; 2], compared))
}

/// Whether a certificate shows that both programs are the same in a number system, for all inputs.
fn shows(certificate: &Certificate, values: SystemName) -> bool {
    let shown = certificate.relations.get(&values.to_string());
    shown.is_some_and(|relations| relations[1] == Relation::Equivalent.word())
}

/// The derivation of a program that was found, checked.
fn derivation(loaded: &LoadedSystem, found: &Optimized, text: &str) -> Result<Certificate, Failure> {
    let fails = |reason: String| Failure::undecided(Report::new(Code::L0003, reason));
    let Some(definitions) = found
        .derived
        .clone()
        .filter(|_| found.systems.first().is_some_and(|system| print(system, Notation::Array) == *text))
    else {
        return Err(fails(
            "there is no derivation of this program by theorems of the ledger alone".to_owned(),
        ));
    };
    let source = |name: &str, text: &str| Program {
        name: name.to_owned(),
        language: semantics::programs::Language::Alpha,
        text: text.to_owned(),
    };
    let programs = [source(&loaded.source.name, &loaded.source.text), source("optimized", text)];
    let checked = || in_own_context(|| of_derivation(Derivation { programs, definitions }));
    match on_large_stack(checked) {
        Some(Ok(certificate)) => Ok(certificate),
        Some(Err(refusal)) => Err(fails(format!("the derivation is not accepted: {refusal}"))),
        None => Err(fails("the derivation could not be checked".to_owned())),
    }
}

/// Whether both are the same in a number system, for all inputs; programs about integers alone have no answer over the rationals.
fn is_same(compared: &Compared, values: SystemName) -> bool {
    let of = |system: &str| compared.verdict.in_system(system).map(|answer| answer.relations[1]);
    let integers = || of("integer").filter(|_| compared.only_integers && values == SystemName::default());
    of(&values.to_string()).or_else(integers) == Some(Relation::Equivalent)
}

fn header([before, after]: [f64; 2], loaded: &LoadedSystem, parameters: &[i64]) -> String {
    let names = loaded.system.declared_parameters().iter();
    let at: Vec<String> = names.zip(parameters).map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
    match after < before {
        true => format!("-- {after} arithmetic operations{at}, {before} before.\n"),
        false => format!("-- Nothing cheaper was found: {before} arithmetic operations{at}.\n"),
    }
}
