//! `selfsame simulate FILE.rink`: is padding safe for this program?

use super::loading::{Loaded, load_program, typed};
use crate::commands::equiv::exit;
use crate::commands::simulate::{Lengths, SimulateArgs};
use crate::diagnostics::{CommandCode, Report};
use crate::exit::{Failure, Outcome};
use crate::limits::{Progress, check_declared};
use crate::output::json_text;
use crate::setup::padding_failure;
use crate::standing::report;
use guard::{Effort, Run};
use rink::decision::{Budget, Decision, DecisionOptions, within};
use rink::simulation::{Half, Safety, Simulation, all_lengths, lengths_text, simulate};
use rink::tensor_type::VectorLength;
use selfsame::ReportedSystem;
use selfsame::decision::{decision_explanation, decision_json, decision_text};
use selfsame::running::{Standing, decided};
use selfsame::text::domains_json;
use selfsame_core::relation::Relation;
use serde_json::{Value, json};
use std::time::Instant;

/// Decides, in every number system, whether padded evaluation agrees in range and keeps the padding 0.
///
/// # Errors
/// The program is at fault, or a tensor is too large.
pub fn execute(args: &SimulateArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let loaded = load_program(&args.source, &args.verdict.parameters, progress)?;
    check_declared(
        &loaded.source,
        &loaded.program,
        &loaded.typing,
        args.verdict.max_elements,
        size_of::<u128>(),
    )?;
    let lengths = match args.pad {
        Lengths::One(m) => vec![m],
        Lengths::All => all_lengths(typed(&loaded)),
    };
    progress.set(format!("starting to pad {}", loaded.source.name));
    let options = DecisionOptions { budget: Budget::default(), seed };
    let sizes = args.verdict.parameters.sizes();
    if sizes.iter().any(|(name, _)| name == "M") {
        let message = "`M` is the vector length here, and cannot be a size parameter";
        return Err(Failure::fault(Report::new(CommandCode::U0001, message)));
    }
    let safety =
        simulate(typed(&loaded), &lengths, args.verdict.division(), args.verdict.max_elements, &options)
            .map_err(|errors| padding_failure(&loaded, lengths[0], &errors))?
            .with_parameters(&sizes);
    let standing = run(args, &loaded, &lengths, &safety, seed);
    let safety = match standing.objection() {
        Some(objection) => safety.retracted(&objection),
        None => safety,
    };
    let wanted = args.verdict.values;
    let relation = wanted.relation(&safety.both);
    if !args.verdict.json {
        let note = standing.note().map_or(String::new(), |note| format!("note: {note}\n"));
        let said = text(args, &safety, &lengths, &sizes) + &note;
        let mut outcome = Outcome::new(exit(relation, false), said);
        report(&standing, &mut outcome);
        return Ok(outcome);
    }
    let mut json = decision_json(&safety.both, wanted);
    json["in_range"] = domains(&safety.in_range);
    json["padding"] = domains(&safety.padding);
    json["run"] = standing.to_json();
    json["seconds"] = start.elapsed().as_secs_f64().into();
    let mut outcome = Outcome::new(exit(relation, false), json_text(&json));
    report(&standing, &mut outcome);
    Ok(outcome)
}

/// Runs the program with and without padding at every vector length.
fn run(
    args: &SimulateArgs,
    loaded: &Loaded,
    lengths: &[VectorLength],
    safety: &Safety,
    seed: u64,
) -> Standing {
    let effort = Effort { seed, ..Effort::default() };
    let effort = Effort { wanted: effort.wanted.div_ceil(lengths.len().max(1)), ..effort };
    let halves = [(Half::InRange, decided(&safety.in_range)), (Half::Padding, decided(&safety.padding))];
    let pairs = lengths.iter().flat_map(|&m| halves.iter().map(move |(half, claimed)| (m, *half, claimed)));
    let runs = pairs.filter_map(|(m, half, claimed)| {
        let division = args.verdict.division();
        let problem = Simulation::new(typed(loaded), m, half, division, args.verdict.max_elements).ok()?;
        Some(guard::problems::run(&problem, claimed, &effort))
    });
    let run = runs.reduce(Run::plus).unwrap_or_default();
    let subject = json!({ "program": &*loaded.source.text, "division": args.verdict.division() });
    let [(_, in_range), (_, padding)] = &halves;
    Standing::new(&[&in_range[..], padding].concat(), run, subject)
}

fn domains(verdict: &Decision) -> Value {
    domains_json(&verdict.answers, |answer| answer.relations.any)
}

fn text(args: &SimulateArgs, safety: &Safety, lengths: &[VectorLength], sizes: &[(String, u64)]) -> String {
    let wanted = args.verdict.values;
    let rest = if lengths.len() > 1 { "; larger M are not examined" } else { "" };
    let covered = within(sizes, &format!("M = {}{rest}", lengths_text(lengths)));
    let mut text = format!("{} ({covered})\n", answer(&safety.both, wanted));
    let parts = [
        (
            "in range, plain against padded evaluation",
            &safety.in_range,
            ["in the plain evaluation", "in the padded evaluation"],
        ),
        (
            "in the padding, 0 against padded evaluation",
            &safety.padding,
            ["as required", "in the padded evaluation"],
        ),
    ];
    for (heading, verdict, sides) in parts {
        text.push_str(&format!("\n{heading}:\n{}", decision_text(verdict, wanted, sides)));
        if args.explain {
            text.push_str(&decision_explanation(verdict, wanted, sides));
        }
    }
    text
}

/// The answer in one line, followed by the number systems with a different answer.
fn answer(both: &Decision, wanted: ReportedSystem) -> String {
    let relation = wanted.relation(both);
    let words = |relation| match relation {
        Relation::Equivalent => "padding is safe",
        Relation::Unknown => "it is not known whether padding is safe",
        Relation::Refines | Relation::Unequal | Relation::Different => "padding is not safe",
    };
    let headline = wanted.headline(both).map_or("", |headline| headline.system.name());
    let other = |wanted| -> Option<String> {
        let systems =
            both.answers.iter().filter(|v| words(v.relations.any) == wanted && wanted != words(relation));
        let names: Vec<String> = systems.map(|v| format!("`{}`", v.system)).collect();
        (!names.is_empty()).then(|| format!("; {wanted} in {}", names.join(", ")))
    };
    let kinds = [Relation::Equivalent, Relation::Different, Relation::Unknown].map(words);
    let others: String = kinds.into_iter().filter_map(other).collect();
    format!("{} in `{headline}`{others}", words(relation))
}
