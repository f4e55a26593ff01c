//! `selfsame optimize FILE`: a cheaper equivalent program, with its certificate.

mod subject;

pub use self::subject::{CostedProgram, undecided};
use crate::alpha::transformation::compared;
use crate::commands::certify::name;
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::parameters::ParameterArgs;
use crate::input::program::SourceArgs;
use crate::languages::commands;
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::certificate_text;
use crate::rules::verified::VerifiedRules;
use crate::standing::failure;
use crate::systems::{SystemArgs, system};
use alpha::syntax::System;
use base::stack::on_large_stack;
use checker::solver::in_own_context;
use clap::Args;
use languages::{Language, Source};
use link::certificate::SystemDerivation;
use link::certificate::{self, Certificate};
use link::replay::of_derivation;
use polyhedra_isl::Isl;
use rewrites::optimization::egraph::cost::{CostModel, Work};
use rewrites::optimization::egraph::rewriting::Rewrite;
use rewrites::optimization::egraph::rules::rewrites;
use rewrites::optimization::egraph::saturation::{Ended, SaturationLimits};
use rewrites::optimization::egraph::{scalars, theorems};
use rewrites::optimization::growth::ParameterPolynomial;
use rewrites::optimization::{Optimized, optimize};
use rewrites::programs::ComparedPrograms;
use selfsame::crash::caught;
use selfsame::running;
use selfsame_core::by_inputs::ByInputs;
use selfsame_core::relation::Relation;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;
use values::{Listed, Machine, System as NumberSystem, SystemName, Visitor};

/// Arguments of `optimize`.
#[derive(Debug, Args)]
pub struct OptimizeArgs {
    /// The program.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The sizes at which costs are compared, large ones if none are given; the result is the same program at all sizes.
    #[command(flatten)]
    pub parameters: ParameterArgs,
    /// The number system whose laws may be used
    #[arg(long, value_name = "DOMAIN", default_value_t, value_parser = system())]
    pub values: SystemName,
    /// The back end.
    #[command(flatten)]
    pub system: SystemArgs,
    /// Write a certificate that both programs are equivalent
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write a derivation of the result, a theorem for each line, as a certificate of its own
    #[arg(long, value_name = "FILE")]
    pub derivation: Option<PathBuf>,
    /// Also rewrite by rules: by a file of rules, which are verified first, or a certificate of `verify` (repeatable)
    #[arg(long, value_name = "PATH")]
    pub rules: Vec<PathBuf>,
    /// Stop rewriting once the e-graph has this many terms
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    pub max_terms: usize,
    /// The cost of moving an element to or from memory, in arithmetic operations
    // 0.25: chosen, not measured. The less, the sooner a local that saves operations is worth its elements.
    #[arg(long, value_name = "COST", default_value_t = 0.25, value_parser = cost)]
    pub memory: f64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn cost(text: &str) -> Result<f64, String> {
    let cost: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    (0.0..=1e6)
        .contains(&cost)
        .then_some(cost)
        .ok_or_else(|| "expected a number from 0 to 1000000".to_owned())
}

/// The maximum height of an expression. The e-graph recurses on expressions, so their height bounds its stack, of
/// which half, 128 MiB, has 26 KB for each level. A sum of 4,901 terms takes 5 s (2026-11-27, a debug build).
const MAX_HEIGHT: usize = 5_000;

/// Collects the rewrites that are sound in a number system on a machine.
struct Rewrites<'a>(&'a Machine);

impl Visitor for Rewrites<'_> {
    type Output = Vec<Rewrite>;
    fn visit<S: Listed>(self, system: S) -> Vec<Rewrite> {
        [theorems::rewrites(&system, self.0), scalars::rewrites(&system, self.0)].concat()
    }
}

/// Searches for a cheaper program and proves it equivalent. An unproved result is not printed.
///
/// # Errors
/// The program or a rule is at fault, its cost is unknown, or running the result contradicts the proof.
pub fn execute(args: &OptimizeArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let subject = commands(args.source.language()?).subject(&args.source, &args.parameters, progress)?;
    let height = subject.system.height();
    if height > MAX_HEIGHT {
        let message = format!(
            "expressions are nested {height} deep: too deep for the e-graph, the limit is {MAX_HEIGHT}"
        );
        return Err(Failure::undecided(
            Report::new(CommandCode::L0006, message).in_file(&args.source.file, None),
        ));
    }
    let system = args.system.read()?;
    let (rules, of_rules) = of_rules(args, &system, seed, progress)?;
    let rewrites = [args.values.visit(Rewrites(&system.machine)), of_rules].concat();
    progress.set(format!("looking for programs that are the same as {}", subject.source.name));
    let limits = SaturationLimits { terms: args.max_terms, ..SaturationLimits::default() };
    let CostedProgram { system: program, domains, parameters, .. } = &subject;
    let model = CostModel { parameters: parameters.clone(), moving: args.memory };
    let found = optimize(program, domains, &model, &rewrites, limits, &Isl::with_memory());
    let Ok(Some(found)) = found else {
        let message = "no cost is known of this program: some domain in it has no known number of points at these sizes";
        let report = Report::new(CommandCode::L0014, message);
        return Err(Failure::undecided(report.in_file(&args.source.file, None)));
    };
    let proved = proved((&subject, &system), &found, &rules, args, seed, progress)?;
    let [before, after] = proved.work;
    let growth = [subject.growth(&subject.system), subject.growth(proved.system(&subject, &found))];
    let stdout = match args.json {
        true => {
            let mut json = proved_json(&subject, &found, &proved, &growth);
            json["seconds"] = start.elapsed().as_secs_f64().into();
            json_text(&json)
        }
        false => {
            let is_shown = before != after && !subject.parameters.is_empty();
            let general = if is_shown { near(&subject.small_sizes(), &growth) } else { Vec::new() };
            let said = [vec![header(&proved, found.systems.is_empty(), &subject)], general].concat();
            comments(proved.program.language, &said) + &proved.program.text
        }
    };
    let mut outcome = Outcome { stderr: rules.notes(), ..Outcome::new(Exit::Yes, stdout) };
    if let (Some(path), Some(certificate)) = (&args.certificate, &proved.certificate) {
        outcome.files.push((path.clone(), certificate_text(path, certificate)?));
    }
    if let Some(path) = &args.derivation {
        match derivation((&subject, &system), &found, &rules, &proved.program) {
            Ok(certificate) => outcome.files.push((path.clone(), certificate_text(path, &certificate)?)),
            // A missing derivation does not invalidate the program: equivalence is already proved.
            Err(failure) => {
                let Outcome { exit, stderr, .. } = Outcome::from(failure);
                outcome.exit = exit;
                outcome.stderr.push_str(&stderr);
            }
        }
    }
    Ok(outcome)
}

/// The operations of a program and the elements that it moves, as polynomials of its sizes, where they are known.
type Growth = [Option<ParameterPolynomial>; 2];

/// The JSON of the result, without the seconds; `growth` is near small sizes, before and after.
fn proved_json(
    subject: &CostedProgram,
    found: &Optimized,
    proved: &ProvedProgram,
    growth: &[Growth; 2],
) -> Value {
    let [before, after] = proved.work;
    let text = |k: usize, when: usize| growth[when][k].as_ref().map(ToString::to_string);
    json!({
        "program": proved.program.text,
        "operations": {"before": before.operations, "after": after.operations},
        "elements_moved": {"before": before.moved, "after": after.moved},
        "exact": before.is_exact && after.is_exact,
        "near_small_sizes": {
            "sizes": subject.small_sizes(),
            "operations": {"before": text(0, 0), "after": text(0, 1)},
            "elements_moved": {"before": text(1, 0), "after": text(1, 1)},
        },
        "laws": proved.laws,
        "terms": found.terms,
        "complete": found.report.ended == Ended::Saturated,
        "applied": found.report.applied,
    })
}

/// The given rules, and the rewrites made of those that hold in the number system.
fn of_rules(
    args: &OptimizeArgs,
    system: &NumberSystem,
    seed: u64,
    progress: &Progress,
) -> Result<(VerifiedRules, Vec<Rewrite>), Failure> {
    let mut rules = VerifiedRules::load(&args.rules, system, seed, progress)?;
    let mut all = Vec::new();
    for certificate in &rules.certificates {
        match rewrites(certificate, args.values, &system.machine) {
            Ok(rewrites) => all.extend(rewrites),
            Err(why) => rules.refused.push(format!("{}: {why}", name(&certificate.subject))),
        }
    }
    Ok((rules, all))
}

/// The cheapest program that is proved equivalent.
struct ProvedProgram {
    program: Source,
    /// The position of the program among the systems found, from 1; 0 for the source.
    count: usize,
    /// The work before and after.
    work: [Work; 2],
    certificate: Option<Certificate>,
    /// The laws that the proof uses; empty for a derivation.
    laws: Vec<String>,
}

impl ProvedProgram {
    fn new(
        program: Source,
        count: usize,
        found: &Optimized,
        compared: Option<ComparedPrograms>,
    ) -> ProvedProgram {
        let certificate = compared.as_ref().and_then(|compared| {
            compared.verdict.certificate(certificate::CertificateSubject::Programs(compared.chain.clone()))
        });
        let laws = compared.map_or(Vec::new(), |compared| compared.verdict.laws);
        ProvedProgram { program, count, work: [found.work[0], found.work[count]], certificate, laws }
    }

    fn system<'s>(&self, subject: &'s CostedProgram, found: &'s Optimized) -> &'s System {
        if self.count == 0 { &subject.system } else { &found.systems[self.count - 1] }
    }
}

fn proved(
    (subject, system): (&CostedProgram, &NumberSystem),
    found: &Optimized,
    rules: &VerifiedRules,
    args: &OptimizeArgs,
    seed: u64,
    progress: &Progress,
) -> Result<ProvedProgram, Failure> {
    // Each system is proved through the ones before it: the first inexpressible one ends the list.
    let programs: Vec<Source> = found.systems.iter().map_while(|system| subject.written(system)).collect();
    let same = |programs: &[Source]| {
        let arithmetic = (subject.division, system.clone());
        match compared(subject.source.clone(), programs, arithmetic, seed, progress) {
            Ok(compared) => Ok(compared.filter(|compared| is_same(compared, args.values))),
            Err(failure) if failure.is_internal() => Err(failure),
            // An ill-formed result is not equivalent; a failure with files is a contradiction to report.
            Err(failure) if failure.files.is_empty() => Ok(None),
            Err(contradiction) => Err(contradiction),
        }
    };
    for count in (1..=programs.len()).rev() {
        if let Some(compared) = same(&programs[..count])? {
            return Ok(ProvedProgram::new(programs[count - 1].clone(), count, found, Some(compared)));
        }
    }
    if let Some(program) = programs.first() {
        // A derivation may succeed where the prover fails.
        let derived = derivation((subject, system), found, rules, program).ok();
        let derived = derived.filter(|c| shows(c, args.values));
        if let Some(certificate) = &derived {
            let standing = running::certificate(certificate, seed);
            failure(&standing).map_or(Ok(()), Err)?;
            return Ok(ProvedProgram {
                certificate: derived,
                ..ProvedProgram::new(program.clone(), 1, found, None)
            });
        }
    }
    // The source is trivially equivalent to itself; a proof is needed only for a requested certificate.
    let program = subject.source.clone();
    let compared = if args.certificate.is_some() { same(std::slice::from_ref(&program))? } else { None };
    Ok(ProvedProgram::new(program, 0, found, compared))
}

/// Whether a certificate proves equivalence in a number system for all inputs.
fn shows(certificate: &Certificate, values: SystemName) -> bool {
    let is_proved = |of: &ByInputs<Relation>| of.any == Relation::Equivalent;
    certificate::claimed(certificate).is_ok_and(|relations| relations.get(&values).is_some_and(is_proved))
}

/// Builds and checks the derivation of a program that was found.
fn derivation(
    (subject, system): (&CostedProgram, &NumberSystem),
    found: &Optimized,
    rules: &VerifiedRules,
    program: &Source,
) -> Result<Certificate, Failure> {
    let fails = |reason: &str| {
        Failure::undecided(Report::new(
            CommandCode::L0014,
            format!("there is no derivation of this program: {reason}"),
        ))
    };
    if !commands(program.language).has_derivations() {
        return Err(fails("derivations are about systems of ALPHA"));
    }
    let first = found.systems.first().filter(|_| found.is_rewritten);
    let first = first.and_then(|system| subject.written(system)).unwrap_or_else(|| subject.source.clone());
    if first.text != program.text {
        return Err(fails("the reuse of what reductions have in common is not a theorem of the ledger"));
    }
    let Some(definitions) = found.derived.clone() else {
        return Err(fails("not everything in it comes from the e-graph"));
    };
    let programs = [subject.source.clone(), program.clone()];
    let (rules, system) = (rules.used(&definitions), system.clone());
    let derivation = SystemDerivation { programs, system, rules, definitions };
    let checked = || in_own_context(|| of_derivation(derivation, &Isl::with_memory()));
    match caught(|| on_large_stack(checked))? {
        Ok(certificate) => Ok(certificate),
        Err(refusal) => Err(fails(&format!("it is not accepted: {refusal}"))),
    }
}

/// Whether both programs are equivalent in a number system for the inputs compared. Integer-only programs have no
/// answer over the rationals, so the answer over the integers takes its place.
fn is_same(compared: &ComparedPrograms, values: SystemName) -> bool {
    let of = |system: SystemName| {
        compared.verdict.in_system(system).map(|answer| answer.relations[compared.inputs])
    };
    let integers =
        || of(SystemName::Integer).filter(|_| compared.only_integers && values == SystemName::default());
    of(values).or_else(integers) == Some(Relation::Equivalent)
}

/// Lines as comments of a language; nothing if it has none.
fn comments(language: Language, lines: &[String]) -> String {
    let Some(start) = language.comment() else { return String::new() };
    lines.iter().map(|line| format!("{start} {line}\n")).collect()
}

/// The costs as polynomials of the sizes, near small sizes, as far as they are known.
fn near(sizes: &str, [before, after]: &[Growth; 2]) -> Vec<String> {
    let line = |(k, what): (usize, &str)| {
        let (before, after) = (before[k].as_ref()?, after[k].as_ref()?);
        Some(format!("{what} near {sizes}: {after}; {before} before."))
    };
    ["Operations", "Elements moved"].into_iter().enumerate().filter_map(line).collect()
}

fn header(proved: &ProvedProgram, is_best: bool, subject: &CostedProgram) -> String {
    let [before, after] = proved.work;
    let at = match (subject.sizes(), subject.are_chosen) {
        (none, _) if none.is_empty() => none,
        (sizes, false) => format!(" at {sizes}"),
        (sizes, true) => format!(" at {sizes} (large sizes, because none are given)"),
    };
    let about = |work: Work| if work.is_exact { "" } else { "about " };
    let numbers =
        |work: Work| [work.operations, work.moved].map(|n| if work.is_exact { n } else { n.round() });
    let text = |work: Work| {
        let [operations, moved] = numbers(work);
        format!("{}{operations} arithmetic operations, {moved} elements moved", about(work))
    };
    match (before != after, is_best) {
        (true, _) => {
            let [operations, moved] = numbers(before);
            format!("{}{at}; {}{operations} and {moved} before.", text(after), about(before))
        }
        (false, true) => format!("Nothing cheaper was found: {}{at}.", text(before)),
        (false, false) => {
            format!("What was found is not proved to be the same: {}{at}.", text(before))
        }
    }
}
