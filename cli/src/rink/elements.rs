//! `selfsame equiv A.rink B.rink` for programs whose sizes are all known: compares them element by element.

use super::loading::{Loaded, instances, load_symbolic};
use crate::commands::equiv::{EquivArgs, different_declarations, exit};
use crate::exit::{Failure, Outcome};
use crate::limits::{Progress, check_declared};
use crate::output::json_text;
use crate::running::{Standing, decided, subject};
use crate::verdicts::verdict_text;
use guard::Effort;
use languages::{Chain, Language, Source};
use rink::decision::{Budget, Options, decide};
use rink::equivalence::{Equivalence, Typed, same_interface};
use rink::extents::Extent;
use selfsame_core::relation::Relation;
use std::path::PathBuf;
use std::time::Instant;

/// Compares two programs element by element; `None` if a size is unknown or the programs declare different locals.
///
/// # Errors
/// A program is at fault, they declare different variables, or a tensor is too large.
pub fn compare(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Option<Outcome>, Failure> {
    let start = Instant::now();
    let given = args.verdict.parameters.values()?;
    let load = |file: &PathBuf| load_symbolic(&args.source(file), progress);
    let symbolic = [load(&args.left)?, load(&args.right)?];
    let has_sizes = |side: &Loaded<Extent>| {
        side.program.symbols().iter().all(|(symbol, _)| given.contains_key(symbol.name()))
    };
    if !symbolic.iter().all(has_sizes) {
        return Ok(None);
    }
    let [left, right] = instances(symbolic, &args.verdict.parameters)?;
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
        // Different locals do not matter with the same interface; the prover compares such programs.
        Err(_) if same_interface(&left.program, &right.program).is_ok() => {
            return Ok(None);
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
        return Ok(Some(outcome));
    }
    let mut json = verdict.to_json(&values);
    json["verdict"] = relation.word().into();
    json["run"] = standing.to_json();
    json["seconds"] = start.elapsed().as_secs_f64().into();
    let mut outcome = Outcome::new(exit(relation, args.refines), json_text(&json));
    standing.report(&mut outcome);
    Ok(Some(outcome))
}

/// The programs that were run, in the form that a file for reproducing a contradiction stores.
fn chain_of<E>(both: [&Loaded<E>; 2], args: &EquivArgs) -> Result<Chain, Failure> {
    let source = |of: &Loaded<E>| {
        let (name, text) = (of.source.name.clone(), of.source.text.to_string());
        Source { name, language: Language::Rink, text }
    };
    let (parameters, division) = (args.verdict.parameters.values()?, args.verdict.division());
    Ok(Chain { parameters, division, ..Chain::of(both.map(source)) })
}

/// A loaded program in the form that the decision procedures take.
pub fn typed(loaded: &Loaded) -> Typed<'_> {
    Typed { program: &loaded.program, typing: &loaded.typing }
}
