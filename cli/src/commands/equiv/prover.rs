//! Two programs, compared for all sizes by the prover.

use super::{EquivArgs, different_declarations, exit};
use crate::alpha::loading::LoadedSystem;
use crate::exit::{Failure, Outcome};
use crate::input::program::{Language, Loaded, SourceArgs, load_symbolic};
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::on_large_stack;
use crate::rules::rows::counterexample_json;
use crate::rules::table::{counterexample_text, reason_text};
use crate::systems::SystemName;
use crate::verdicts::ValuesArg;
use checker::certificate::Subject;
use rewrites::programs::{self, Compared};
use rewrites::verification::{Answer, Options, Verdict};
use semantics::decision::Relation;
use semantics::programs::{self as texts, Pair, Source};
use semantics::tensor_model::equivalence::same_declarations;
use semantics::tensor_model::extents::Extent;
use semantics::values::Division;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// Compares the programs, and writes a certificate if one is asked for and there is one.
///
/// # Errors
/// A program is at fault.
pub fn compare(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let pair = pair(args, progress)?;
    progress.set(format!("starting to compare {} and {}", pair.programs[0].name, pair.programs[1].name));
    let answered = on_large_stack(|| answer(&pair, seed));
    let mut answered = answered.unwrap_or_else(|| Answered::nothing("out of memory".to_owned()));
    answered.same_text = pair.programs[0].text == pair.programs[1].text;
    let relation = answered.asked(args);
    let stdout = match args.verdict.json {
        true => json_text(&answered.to_json(relation, args, start.elapsed().as_secs_f64())),
        false => answered.text(relation, args),
    };
    let mut outcome = Outcome::new(exit(relation, args.refines), stdout);
    if let (Some(path), Some(verdict)) = (&args.certificate, &answered.verdict)
        && let Some(certificate) = verdict.certificate(Subject::Programs(pair))
    {
        outcome.files.push((path.clone(), json_text(&certificate).into_bytes()));
    }
    Ok(outcome)
}

/// The texts of well-formed programs. Two programs of the tensor model language declare the same variables.
fn pair(args: &EquivArgs, progress: &Progress) -> Result<Pair, Failure> {
    let parameters = args.verdict.parameters.values()?;
    let read = |file: &PathBuf| {
        let source = SourceArgs { file: file.clone(), language: args.language };
        read(&source, &parameters, progress)
    };
    let [(left, a), (right, b)] = [read(&args.left)?, read(&args.right)?];
    let mut usual = Division::Extended;
    if let (Some(a), Some(b)) = (a, b) {
        usual = Division::Controlled;
        same_declarations(&a.program, &b.program)
            .map_err(|difference| different_declarations(&a, &b, &difference))?;
    }
    let division = args.verdict.division.map_or(usual, Division::from);
    Ok(Pair { programs: [left, right], parameters, division })
}

/// A well-formed program, if it is one of the tensor model language also its tree.
fn read(
    source: &SourceArgs,
    parameters: &BTreeMap<String, i64>,
    progress: &Progress,
) -> Result<(Source, Option<Loaded<Extent>>), Failure> {
    if source.language()? == Language::Alpha {
        let system = LoadedSystem::load(source, progress)?;
        system.checked_at(parameters, progress)?;
        let (name, text) = (system.source.name, system.source.text.to_string());
        return Ok((Source { name, language: texts::Language::Alpha, text }, None));
    }
    let program = load_symbolic(source, progress)?;
    let (name, text) = (program.source.name.clone(), program.source.text.to_string());
    Ok((Source { name, language: texts::Language::Rink, text }, Some(program)))
}

fn answer(pair: &Pair, seed: u64) -> Answered {
    match programs::compare(pair, &Options { seed, ..Options::default() }) {
        Ok(Compared { verdict, defined_inputs }) => {
            let (open, inputs) = (Some(reason_text(&verdict)), usize::from(!defined_inputs));
            Answered { verdict: Some(verdict), inputs, open, same_text: false }
        }
        Err(reason) => Answered::nothing(reason),
    }
}

/// What is known.
struct Answered {
    verdict: Option<Verdict>,
    /// Which relations are asked for: with defined inputs (0), or with any (1).
    inputs: usize,
    open: Option<String>,
    same_text: bool,
}

impl Answered {
    fn nothing(reason: String) -> Answered {
        Answered { verdict: None, inputs: 1, open: Some(reason), same_text: false }
    }

    fn answers(&self) -> &[Answer] {
        self.verdict.as_ref().map_or(&[], |verdict| &verdict.answers)
    }

    /// The answer that the verdict is about.
    fn headline(&self, values: ValuesArg) -> Option<&Answer> {
        match values {
            ValuesArg::All => self.answers().iter().max_by_key(|answer| answer.relations[self.inputs]),
            ValuesArg::One(system) => {
                let named = self.answers().iter().find(|answer| answer.system == system.to_string());
                // Programs about integers have no answer over the rationals; that over the integers is the exact one.
                named.or_else(|| self.answers().first().filter(|_| system == SystemName::default()))
            }
        }
    }

    fn asked(&self, args: &EquivArgs) -> Relation {
        let vacuous = self.verdict.as_ref().is_some_and(|verdict| verdict.vacuous.is_some());
        let headline = self.headline(args.verdict.values).filter(|_| !vacuous);
        match headline.map(|answer| (answer.relations[self.inputs], self.counterexample(answer))) {
            // It leaves the left side undefined, so that the right side may still refine it.
            Some((Relation::Different, Some(found))) if args.refines && found.values[0].is_none() => {
                Relation::Unknown
            }
            Some((relation, _)) => relation,
            None => Relation::Unknown,
        }
    }

    fn counterexample<'a>(&self, answer: &'a Answer) -> Option<&'a rewrites::refutation::Counterexample> {
        answer.counterexamples[self.inputs].as_ref()
    }

    fn range(&self, args: &EquivArgs) -> String {
        let given = args.verdict.parameters.given.iter();
        let fixed: Vec<String> = given.map(|(name, value)| format!("{name} = {value}")).collect();
        let sizes = match fixed.is_empty() {
            true => "all sizes that the first program allows".to_owned(),
            false => format!("{}, all values of other parameters", fixed.join(", ")),
        };
        format!("{sizes}; all {}inputs", if self.inputs == 0 { "defined " } else { "" })
    }

    /// Why the answer is unknown.
    fn reason(&self, relation: Relation) -> Option<String> {
        let vacuous = self.verdict.as_ref().and_then(|verdict| verdict.vacuous.clone());
        (relation == Relation::Unknown).then(|| {
            let open = self.open.clone().filter(|open| !open.is_empty());
            vacuous.or(open).unwrap_or_else(|| "the programs mean nothing in this number system".to_owned())
        })
    }

    fn to_json(&self, relation: Relation, args: &EquivArgs, seconds: f64) -> Value {
        let relations = |inputs: usize| -> Map<String, Value> {
            self.answers().iter().map(|a| (a.system.to_owned(), a.relations[inputs].word().into())).collect()
        };
        let headline = self.headline(args.verdict.values);
        let counterexample = headline
            .filter(|_| relation == Relation::Different)
            .and_then(|answer| self.counterexample(answer));
        json!({
            "verdict": relation.word(),
            "range": self.range(args),
            "laws": self.verdict.as_ref().map_or(Vec::new(), |verdict| verdict.laws.clone()),
            "domains": relations(self.inputs),
            "defined": relations(0),
            "counterexample": counterexample.map_or(Value::Null, counterexample_json),
            "open": self.reason(relation),
            "vacuous": self.same_text || self.verdict.as_ref().is_some_and(|v| v.vacuous.is_some()),
            "obligations": self.verdict.as_ref().map_or(0, |verdict| verdict.obligations),
            "seconds": seconds,
        })
    }

    fn text(&self, relation: Relation, args: &EquivArgs) -> String {
        let headline = self.headline(args.verdict.values);
        let system = headline.map_or(args.verdict.values.to_string(), |answer| answer.system.to_owned());
        let mut text = format!("{relation} in `{system}` ({})\n", self.range(args));
        for answer in self.answers() {
            let [defined, any] = answer.relations;
            let also =
                if defined == any { String::new() } else { format!("; for defined inputs: {defined}") };
            text.push_str(&format!("  {:10} {}{also}\n", answer.system, answer.relations[self.inputs]));
        }
        if self.same_text {
            text.push_str("note: both programs are the same text\n");
        }
        if let Some(reason) = self.reason(relation) {
            text.push_str(&format!("open: {reason}\n"));
        }
        let laws = self.verdict.as_ref().map_or(&[][..], |verdict| &verdict.laws);
        if !laws.is_empty() {
            text.push_str(&format!("laws that the proof uses: {}\n", laws.join(", ")));
        }
        if relation == Relation::Different {
            let reason =
                self.verdict.as_ref().filter(|v| v.meaningless.is_some()).map(|v| reason_text(v) + "\n");
            let found = headline.and_then(|answer| self.counterexample(answer)).map(counterexample_text);
            text.push_str(&found.or(reason).unwrap_or_default());
        }
        text
    }
}
