//! Compares two programs for all sizes with the prover.

use super::division::usual_division;
use super::{EquivArgs, different_declarations, exit};
use crate::crash::{Crash, caught};
use crate::diagnostics::{Code, Report, render};
use crate::exit::{Failure, Outcome};
use crate::languages::commands;
use crate::limits::Progress;
use crate::output::json_text;
use crate::rules::certificate_text;
use crate::rules::rows::narrower_json;
use crate::rules::table::{counterexample_text, in_one_line, narrower_text, reason_text};
use crate::running::{self, Standing, claimed};
use crate::systems::SystemName;
use crate::verdicts::ValuesArg;
use base::escaping::in_line;
use base::seeded::Seeded;
use base::stack::on_large_stack;
use checker::certificate::Subject;
use languages::{Mismatch, Pair, indices_defined};
use polyhedra_isl::Isl;
use rewrites::narrowing::Narrower;
use rewrites::programs::{self, Compared};
use rewrites::verdict::{Answer, Verdict};
use rewrites::verification::Options;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::counterexample::Counterexample;
use selfsame_core::relation::{Relation, UNEQUAL};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;
use values::{Division, NUMBER_SYSTEMS};

/// Compares the programs, and writes a certificate if one is requested and the proof yields one.
///
/// # Errors
/// A program is at fault, or the programs differ in their interface or in the meaning of `/`.
pub fn compare(args: &EquivArgs, seed: u64, progress: &Progress) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let pair = pair(args, progress)?;
    progress.set(format!(
        "starting to compare {} and {}",
        pair.programs[0].source().name,
        pair.programs[1].source().name
    ));
    let answered = answered(|| answer(&pair, seed)).run(&pair, seed, progress);
    let relation = answered.asked(args);
    let stdout = match args.verdict.json {
        true => json_text(&answered.to_json(relation, args, start.elapsed().as_secs_f64())),
        false => answered.text(relation, args),
    };
    let stderr = answered.crash.as_ref().map(|crash| render(None, &[crash.report()])).unwrap_or_default();
    let mut outcome = Outcome { stderr, ..Outcome::new(exit(relation, args.refines), stdout) };
    if let (Some(path), Some(compared)) = (&args.certificate, &answered.compared)
        && answered.standing.objection().is_none()
        && let Some(certificate) = compared.verdict.certificate(Subject::Programs(compared.chain.clone()))
    {
        outcome.files.push((path.clone(), certificate_text(path, &certificate)?));
    }
    answered.standing.report(&mut outcome);
    Ok(outcome)
}

/// Reads both programs and checks that they are well-formed and have the same interface.
fn pair(args: &EquivArgs, progress: &Progress) -> Result<Pair, Failure> {
    let parameters = args.verdict.parameters.values()?;
    let read = |file: &Path| {
        let source = args.source(file);
        commands(source.language()?).read(&source, args, progress)
    };
    let [(left, a), (right, b)] = [read(&args.left)?, read(&args.right)?];
    if let Some(difference) = left.program().different_declaration(right.program()) {
        return Err(different_declarations([&a, &b], &difference));
    }
    let asked = args.verdict.division.map(Division::from);
    let Some(division) = asked.or_else(|| usual_division([left.program(), right.program()])) else {
        let message = "the programs mean different things by `/`: it is controlled in the tensor model language, and extended in ALPHA";
        let hint = "`--division controlled` or `--division extended` compares them with one of both";
        return Err(Failure::fault(Report::new(Code::U0001, message).hint(hint)));
    };
    let pair = Pair { parameters, division, locals: args.locals, ..Pair::of([left, right]) };
    require_one_interface(&pair)?;
    Ok(pair)
}

/// Requires that the programs have the same parameters, inputs and outputs. Cases that the engine cannot decide
/// are left to the checker.
fn require_one_interface(pair: &Pair) -> Result<(), Failure> {
    let Ok(sides) = pair.sides() else { return Ok(()) };
    if Seeded::InterfaceOff.is_in() {
        return Ok(());
    }
    let Ok(Some(mismatch)) = pair.mismatch(&sides, &Isl::new()) else { return Ok(()) };
    let hint = match mismatch {
        Mismatch::Sizes(..) => "`--where CONDITION` compares them where both have a meaning",
        _ => "what is compared must have the same inputs and outputs, with the same elements, in both",
    };
    let message = format!("the programs cannot be compared: {mismatch}");
    Err(Failure::fault(Report::new(Code::I0018, message).hint(hint)))
}

/// Runs the search. A crash becomes an answer that knows nothing: it must never pass for a verdict.
fn answered(search: impl FnOnce() -> Answered) -> Answered {
    caught(|| on_large_stack(search)).unwrap_or_else(|crash| Answered {
        crash: Some(crash.clone()),
        ..Answered::nothing(crash.to_string())
    })
}

fn answer(pair: &Pair, seed: u64) -> Answered {
    match programs::compare(pair, &Options { seed, ..Options::default() }) {
        Ok(compared) => {
            let (reason, standing) = (reason_text(&compared.verdict), Standing::default());
            Answered { reason, compared: Some(compared), standing, crash: None }
        }
        Err(reason) => Answered::nothing(reason),
    }
}

/// The JSON of an undecided answer, with the reason and the seconds spent.
pub fn undecided(args: &EquivArgs, why: &str, seconds: f64) -> Value {
    Answered::nothing(why.to_owned()).to_json(Relation::Unknown, args, seconds)
}

/// The result of a comparison, or the reason for its absence.
struct Answered {
    compared: Option<Compared>,
    reason: String,
    /// The result of running both programs.
    standing: Standing,
    /// The crash that ended the search, if there was one.
    crash: Option<Crash>,
}

impl Answered {
    fn nothing(reason: String) -> Answered {
        Answered { compared: None, reason, standing: Standing::default(), crash: None }
    }

    /// This answer, after running both programs by the reference semantics of their languages.
    fn run(self, pair: &Pair, seed: u64, progress: &Progress) -> Answered {
        let Some(verdict) = self.verdict().filter(|verdict| verdict.vacuous.is_none()) else { return self };
        progress.set(format!(
            "running {} and {}",
            pair.programs[0].source().name,
            pair.programs[1].source().name
        ));
        let standing = running::run(pair, &claimed(verdict), seed);
        Answered { standing, ..self }
    }

    fn verdict(&self) -> Option<&Verdict> {
        self.compared.as_ref().map(|compared| &compared.verdict)
    }

    /// The sizes for which both are equivalent; `None` if running the programs raises an objection.
    fn narrower(&self) -> Option<&Narrower> {
        let narrower = self.verdict().and_then(|verdict| verdict.narrower.as_ref());
        narrower.filter(|_| self.standing.objection().is_none())
    }

    fn answers(&self) -> &[Answer] {
        self.verdict().map_or(&[], |verdict| &verdict.answers)
    }

    /// The inputs that the question is about: defined ones, or all.
    fn inputs(&self) -> InputClass {
        self.compared.as_ref().map_or(InputClass::Any, |compared| compared.inputs)
    }

    fn same_text(&self) -> bool {
        let programs = self.compared.as_ref().map_or(&[][..], |compared| &compared.chain.programs);
        matches!(programs, [first, .., last] if first.text == last.text)
    }

    /// The answer that determines the verdict. Integer-only programs have no answer over the rationals, so the
    /// answer over the integers takes its place; for other programs a missing answer has no substitute.
    fn headline(&self, values: ValuesArg) -> Option<&Answer> {
        let only_integers = self.compared.as_ref().is_some_and(|compared| compared.only_integers);
        let all = only_integers || self.answers().len() == NUMBER_SYSTEMS.len();
        let weakest = self.answers().iter().max_by_key(|answer| answer.relations[self.inputs()]);
        match values {
            ValuesArg::All => {
                weakest.filter(|answer| all || answer.relations[self.inputs()] >= Relation::Unequal)
            }
            ValuesArg::One(system) => {
                let named = self.verdict().and_then(|verdict| verdict.in_system(&system.to_string()));
                let exact =
                    self.answers().first().filter(|_| only_integers && system == SystemName::default());
                named.or(exact)
            }
        }
    }

    /// The relation reported in a number system. `Unknown` if running the programs contradicts the verdict, or
    /// objects to the proof.
    fn said(&self, answer: &Answer, inputs: InputClass) -> Relation {
        match answer.relations[inputs] {
            _ if self.standing.is_contradicted() || self.is_vacuous() => Relation::Unknown,
            Relation::Equivalent | Relation::Refines if self.standing.objection().is_some() => {
                Relation::Unknown
            }
            relation => relation,
        }
    }

    /// Whether the comparison is vacuous for all sizes.
    fn is_vacuous(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.vacuous.is_some())
    }

    fn asked(&self, args: &EquivArgs) -> Relation {
        let headline = self.headline(args.verdict.values);
        headline.map_or(Relation::Unknown, |answer| self.said(answer, self.inputs()))
    }

    fn counterexample<'a>(&self, answer: &'a Answer) -> Option<&'a Counterexample> {
        answer.counterexamples[self.inputs()].as_ref()
    }

    fn range(&self, args: &EquivArgs) -> String {
        let given = args.verdict.parameters.given.iter();
        let fixed: Vec<String> = given.map(|(name, value)| format!("{name} = {value}")).collect();
        let sizes = match fixed.is_empty() {
            true if args.condition.is_some() => {
                let condition = args.condition.as_deref().unwrap_or_default();
                format!("all sizes that the first program allows with {}", in_line(condition))
            }
            true => "all sizes that the first program allows".to_owned(),
            false => format!("{}, all values of other parameters", fixed.join(", ")),
        };
        let inputs = if self.inputs() == InputClass::Defined { "defined " } else { "" };
        let division = match args.verdict.division.map(Division::from) {
            None => "",
            Some(Division::Controlled) => "; with controlled division",
            Some(Division::Extended) => "; with extended division",
        };
        let indices = self.compared.as_ref().map_or_else(Vec::new, |compared| compared.chain.index_inputs());
        let locals = if args.locals { "; outputs, and locals that both programs have" } else { "" };
        format!("{sizes}; all {inputs}inputs{}{locals}{division}", indices_defined(&indices))
    }

    /// Why the relation is unknown or only unequal; `None` for other relations.
    fn reason(&self, relation: Relation, values: ValuesArg) -> Option<String> {
        let vacuous = self.verdict().and_then(|verdict| verdict.vacuous.clone());
        if relation == Relation::Unequal {
            return Some(UNEQUAL.to_owned());
        }
        (relation == Relation::Unknown).then(|| {
            let reason = vacuous.or(self.standing.objection()).or_else(|| self.without_meaning(values));
            let open = || Some(self.reason.clone()).filter(|open| !open.is_empty());
            reason.or_else(open).unwrap_or_else(|| self.undecided())
        })
    }

    /// Lists the requested number systems in which the programs have no meaning; `None` if there are none.
    fn without_meaning(&self, values: ValuesArg) -> Option<String> {
        let compared = self.compared.as_ref()?;
        if self.answers().is_empty() {
            return Some("no number system has integers and the other numbers of these programs".to_owned());
        }
        let asked = |system: &str| match values {
            ValuesArg::All => !compared.only_integers,
            ValuesArg::One(name) => name.to_string() == system && self.headline(values).is_none(),
        };
        let known = |system: &str| self.answers().iter().any(|answer| answer.system == system);
        let missing = NUMBER_SYSTEMS.iter().filter(|system| asked(system) && !known(system));
        let missing: Vec<String> = missing.map(|system| format!("`{system}`")).collect();
        (!missing.is_empty()).then(|| format!("the programs have no meaning in {}", missing.join(", ")))
    }

    /// Lists the number systems with neither a proof nor a counterexample.
    fn undecided(&self) -> String {
        let open =
            self.answers().iter().filter(|answer| answer.relations[self.inputs()] == Relation::Unknown);
        let open: Vec<String> = open.map(|answer| format!("`{}`", answer.system)).collect();
        format!("neither a proof nor a counterexample is found in {}", open.join(", "))
    }

    fn to_json(&self, relation: Relation, args: &EquivArgs, seconds: f64) -> Value {
        let relations = |inputs: InputClass| -> Map<String, Value> {
            self.answers().iter().map(|a| (a.system.to_owned(), self.said(a, inputs).word().into())).collect()
        };
        let headline = self.headline(args.verdict.values);
        let counterexample =
            headline.filter(|_| relation >= Relation::Unequal).and_then(|answer| self.counterexample(answer));
        json!({
            "verdict": relation.word(),
            "range": self.range(args),
            "holds_where": self.narrower().map(narrower_json),
            "laws": self.verdict().map_or(Vec::new(), |verdict| verdict.laws.clone()),
            "domains": relations(self.inputs()),
            "defined": relations(InputClass::Defined),
            "counterexample": counterexample.map_or(Value::Null, Counterexample::to_json),
            "open": self.reason(relation, args.verdict.values),
            "vacuous": self.same_text() || self.is_vacuous(),
            "run": self.standing.to_json(),
            "obligations": self.verdict().map_or(0, |verdict| verdict.obligations),
            "seconds": seconds,
        })
    }

    fn text(&self, relation: Relation, args: &EquivArgs) -> String {
        let headline = self.headline(args.verdict.values);
        let system = headline.map_or(args.verdict.values.to_string(), |answer| answer.system.to_owned());
        let mut text = format!("{relation} in `{system}` ({})\n", self.range(args));
        for answer in self.answers() {
            let [defined, any] = InputClass::BOTH.map(|inputs| self.said(answer, inputs));
            let also =
                if defined == any { String::new() } else { format!("; for defined inputs: {defined}") };
            text.push_str(&format!("  {:10} {}{also}\n", answer.system, self.said(answer, self.inputs())));
        }
        if self.same_text() {
            text.push_str("note: both programs are the same text\n");
        }
        if let Some(reason) = self.reason(relation, args.verdict.values) {
            text.push_str(&format!("open: {}\n", in_one_line(&reason)));
        }
        if let Some(note) = self.standing.note() {
            text.push_str(&format!("note: {note}\n"));
        }
        let laws = self.verdict().map_or(&[][..], |verdict| &verdict.laws);
        if !laws.is_empty() {
            text.push_str(&format!("laws that the proof uses: {}\n", laws.join(", ")));
        }
        if relation >= Relation::Unequal {
            let reason = self.verdict().filter(|v| v.meaningless.is_some()).map(|v| reason_text(v) + "\n");
            let found = headline.and_then(|answer| self.counterexample(answer)).map(counterexample_text);
            text.push_str(&found.or(reason).unwrap_or_default());
            text.push_str(&self.verdict().map(narrower_text).unwrap_or_default());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{Cli, Command};
    use crate::exit::Exit;
    use clap::Parser;

    #[test]
    fn a_panic_of_the_search_is_an_internal_error_and_no_verdict() {
        let none = std::hint::black_box(Vec::<Answered>::new());
        let answered = answered(move || none.into_iter().nth(1).unwrap());
        let Command::Equiv(args) = Cli::parse_from(["selfsame", "equiv", "a.alpha", "b.alpha"]).command
        else {
            unreachable!()
        };
        let relation = answered.asked(&args);
        assert_eq!(exit(relation, args.refines), Exit::Undecided);
        let open = &answered.to_json(relation, &args, 0.0)["open"];
        assert!(open.as_str().unwrap().starts_with("internal error: called `Option::unwrap()`"), "{open}");
        assert!(answered.text(relation, &args).contains("open: internal error: "));
        assert_eq!(answered.crash.unwrap().report().code, "X0001");
    }
}
