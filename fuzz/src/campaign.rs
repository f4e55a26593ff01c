//! Runs the fuzzer: random cases, a check of each, and findings, made smaller.

use crate::case::Case;
use crate::finding::{Finding, Implementation};
use crate::generation::{Profile, case, of_program};
use crate::judgement::{CaseJudgement, DifferenceKind, JudgementTally};
use crate::meaning::{CaseMeaning, NoMeaning};
use crate::numbers::Numbers;
use crate::shrinking::shrink;
use crate::subjects::Subject;
use generators::choices::Random;
use polyhedra::Engine;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The maximum number of smaller cases to try for a finding: at 300 cases a second, as many as `self` judges,
/// they take ten seconds (2026-11-27, a debug build).
pub const TRIALS: usize = 3_000;
/// The maximum number of these trials without an answer: at 20 s, by default the time for one, twelve take four
/// minutes.
const HANGING_TRIALS: usize = 12;
/// The maximum number of smaller cases if the implementation is restarted for each. Chosen, not measured: a start
/// may take seconds where a compiler is loaded, so these are a fifteenth of [`TRIALS`].
const FRESH_TRIALS: usize = 200;
/// The number of findings at which a run ends. Nobody reads more, and making each smaller takes up to
/// [`TRIALS`] runs.
pub const MAX_FINDINGS: usize = 100;
/// The number of known findings of one kind in a row after which only one in this many is made smaller. So a kind
/// that only repeats takes a tenth of the time, and every tenth finding is still looked at.
const STREAK: u64 = 10;
/// The maximum number of counted reasons why cases were not judged. Texts of implementations may differ at each
/// case, and memory would grow without end.
const MAX_REASONS: usize = 100;

/// A check of cases.
pub trait Check {
    /// The name, by which a replay finds the check again.
    fn name(&self) -> String;
    /// The implementation under test.
    fn implementation(&self) -> Implementation;
    /// Resets the implementation, so that it forgets earlier cases.
    fn start_again(&mut self);
    /// The judgements of the check's parts about a numbered case.
    fn judge(
        &mut self,
        case: &Case,
        meaning: &CaseMeaning,
        number: u64,
        engine: &dyn Engine,
    ) -> Vec<(String, CaseJudgement)>;
    /// The judgement of one part about a case.
    fn judge_again(&mut self, part: &str, case: &Case, engine: &dyn Engine) -> CaseJudgement;
}

/// The settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The seed: all random choices follow from it and the number of the case.
    pub seed: u64,
    /// The number of cases; `None` runs without end.
    pub cases: Option<u64>,
    /// The profile of the cases.
    pub profile: Profile,
    /// The program of all cases; `None` if each case has a random one.
    pub program: Option<&'a Subject>,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The number of cases.
    pub cases: u64,
    /// The number of cases that each check has judged.
    pub judged: BTreeMap<String, u64>,
    /// The number of ill-formed programs, of which the generator makes none.
    pub rejected: u64,
    /// The number of cases that were not judged, or not by all checks, by reason.
    pub refused: BTreeMap<String, u64>,
    /// The number of cases with an element that cannot be judged.
    pub abstained: u64,
    /// The elements compared.
    pub elements: JudgementTally,
    /// The findings by shape, each with its number of occurrences.
    pub findings: BTreeMap<String, (Finding, u64)>,
    /// The hits of each check and kind.
    pub kinds: BTreeMap<String, Hits>,
    /// The finding that is being made smaller.
    pub pending: Option<Box<Finding>>,
}

/// Counts the findings of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hits {
    /// The number of known findings in a row.
    streak: u64,
    /// The number of findings since the streak was long enough.
    since: u64,
    /// The number of findings that were not made smaller; they may be known ones.
    pub left: u64,
}

impl Hits {
    /// Whether to make one more finding smaller.
    fn is_worth_it(&mut self) -> bool {
        self.since += u64::from(self.streak >= STREAK);
        let is_worth_it = self.since.is_multiple_of(STREAK);
        self.left += u64::from(!is_worth_it);
        is_worth_it
    }

    fn is(&mut self, new: bool) {
        self.streak = if new { 0 } else { self.streak + 1 };
    }
}

impl Summary {
    /// The summary in a line.
    pub fn line(&self, seconds: f64) -> String {
        let Summary { cases, rejected, abstained, findings, .. } = self;
        let rate = *cases as f64 / seconds.max(1e-9);
        format!(
            "{cases} cases ({rate:.0}/s), {rejected} rejected, {abstained} abstained, {} finding{}",
            findings.len(),
            if findings.len() == 1 { "" } else { "s" }
        )
    }
}

/// Runs cases until there are as many as wanted, enough findings, or `watch` says that time is over. `watch` gets
/// the summary after each case, with a new finding if there is one, and also while a finding is made smaller.
pub fn run(
    settings: Settings<'_>,
    engine: &dyn Engine,
    check: &mut dyn Check,
    watch: &mut dyn FnMut(&Summary, Option<&Finding>) -> bool,
) -> Summary {
    let mut summary = Summary::default();
    for number in 0.. {
        let enough = settings.cases.is_some_and(|cases| number >= cases);
        if enough || summary.findings.len() >= MAX_FINDINGS {
            break;
        }
        let new = one(settings, number, engine, check, &mut summary, watch);
        if !watch(&summary, new.as_ref()) {
            break;
        }
    }
    summary
}

/// The case with a number.
///
/// # Errors
/// The case could not be made.
pub fn numbered(
    settings: Settings<'_>,
    number: u64,
    engine: &dyn Engine,
) -> Result<(Case, CaseMeaning), NoMeaning> {
    let seed = settings.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number);
    let random = &mut Random::seeded(seed);
    match settings.program {
        Some(program) => of_program(random, program, settings.profile, engine),
        None => case(random, settings.profile, engine),
    }
}

/// Judges a case; returns a new finding.
fn one(
    settings: Settings<'_>,
    number: u64,
    engine: &dyn Engine,
    check: &mut dyn Check,
    summary: &mut Summary,
    watch: &mut dyn FnMut(&Summary, Option<&Finding>) -> bool,
) -> Option<Finding> {
    summary.cases += 1;
    let (case, meaning) = match numbered(settings, number, engine) {
        Ok(made) => made,
        Err(stopped) => {
            summary.stopped("the generator", &stopped);
            return None;
        }
    };
    let (mut abstains, mut new) = (false, None);
    for (part, judgement) in check.judge(&case, &meaning, number, engine) {
        if matches!(judgement, CaseJudgement::Right(_) | CaseJudgement::Wrong(_)) {
            *summary.judged.entry(part.clone()).or_default() += 1;
        }
        match judgement {
            CaseJudgement::Right(tally) => {
                abstains |= tally.abstain > 0;
                summary.elements.add(tally);
            }
            CaseJudgement::Refused(why) => {
                summary.refuse(format!("{part}: {}", nameless(&why)));
            }
            CaseJudgement::Stopped(stopped) => summary.stopped(&part, &stopped),
            CaseJudgement::Wrong(difference) => {
                let finding = Finding {
                    check: part,
                    case: case.clone(),
                    difference,
                    origin: (settings.seed, number),
                    implementation: check.implementation(),
                    repeats: None,
                };
                new = found(finding, engine, check, summary, watch).or(new);
            }
        }
    }
    summary.abstained += u64::from(abstains);
    new
}

/// Makes a finding smaller and counts it by shape; returns it if it is the first of its shape.
fn found(
    finding: Finding,
    engine: &dyn Engine,
    check: &mut dyn Check,
    summary: &mut Summary,
    watch: &mut dyn FnMut(&Summary, Option<&Finding>) -> bool,
) -> Option<Finding> {
    let kind = format!("{}: {}", finding.check, finding.difference.kind.name());
    if !summary.kinds.entry(kind.clone()).or_default().is_worth_it() {
        return None;
    }
    summary.pending = Some(Box::new(finding.clone()));
    let finding = minimal(finding, check, engine, &mut || watch(summary, None));
    summary.pending = None;
    let (_, count) = summary.findings.entry(finding.shape()).or_insert((finding.clone(), 0));
    *count += 1;
    let is_new = *count == 1;
    summary.kinds.entry(kind).or_default().is(is_new);
    is_new.then_some(finding)
}

/// A reason without the names in it, so that equal reasons of different cases are equal texts.
fn nameless(why: &str) -> String {
    let parts = why.split('`').enumerate();
    parts
        .map(|(at, part)| {
            let is_a_name = at % 2 == 1 && part.len() < 4 && Numbers::named(part).is_none();
            if is_a_name { "_" } else { part }
        })
        .collect::<Vec<_>>()
        .join("`")
}

impl Summary {
    fn stopped(&mut self, part: &str, stopped: &NoMeaning) {
        match stopped {
            NoMeaning::IllFormed(_) => self.rejected += 1,
            NoMeaning::OutOfBudget(_) => self.refuse(format!("{part}: out of budget")),
            NoMeaning::Unsupported(_) => self.refuse(format!("{part}: unsupported")),
        }
    }

    fn refuse(&mut self, why: String) {
        let is_known = self.refused.len() < MAX_REASONS || self.refused.contains_key(&why);
        let why = if is_known { why } else { "other reasons".to_owned() };
        *self.refused.entry(why).or_default() += 1;
    }
}

/// The finding with the smallest case found in time. Earlier cases may cause a finding in an implementation with a
/// memory: it is restarted and asked about the smaller case, then about the first one; if neither shows the
/// finding, the first one is kept.
fn minimal(
    finding: Finding,
    check: &mut dyn Check,
    engine: &dyn Engine,
    has_time: &mut dyn FnMut() -> bool,
) -> Finding {
    let mut trying = Trying { check, engine, has_time, is_late: Cell::new(false), unanswered: Cell::new(0) };
    let small = trying.smaller(&finding, TRIALS, false);
    let Some(is_repeated) = trying.repeats(&small) else { return small };
    if is_repeated {
        return Finding { repeats: Some(true), ..small };
    }
    match trying.repeats(&finding) {
        None => small,
        Some(false) => Finding { repeats: Some(false), ..finding },
        Some(true) => Finding { repeats: Some(true), ..trying.smaller(&finding, FRESH_TRIALS, true) },
    }
}

/// Tries cases while there is time.
struct Trying<'a> {
    check: &'a mut dyn Check,
    engine: &'a dyn Engine,
    has_time: &'a mut dyn FnMut() -> bool,
    is_late: Cell<bool>,
    unanswered: Cell<usize>,
}

impl Trying<'_> {
    /// The finding with the smallest case found; restarts the implementation for each case if `is_new`.
    fn smaller(&mut self, finding: &Finding, trials: usize, is_new: bool) -> Finding {
        let (is_late, unanswered) = (&self.is_late, &self.unanswered);
        unanswered.set(0);
        let goes_on = |tried| tried < trials && unanswered.get() < HANGING_TRIALS && !is_late.get();
        let mut wrong = |case: &Case| {
            if is_new {
                self.check.start_again();
            }
            let judgement = self.check.judge_again(&finding.check, case, self.engine);
            is_late.set(!(self.has_time)());
            let CaseJudgement::Wrong(difference) = judgement else { return None };
            unanswered.set(unanswered.get() + usize::from(difference.kind == DifferenceKind::Hang));
            Some(difference)
        };
        let (case, difference) = (finding.case.clone(), finding.difference.clone());
        let shrunken = shrink(case, difference, &goes_on, self.engine, &mut wrong);
        Finding { case: shrunken.case, difference: shrunken.difference, ..finding.clone() }
    }

    /// Whether a restarted implementation shows the finding; `None` if there is no time.
    fn repeats(&mut self, finding: &Finding) -> Option<bool> {
        if self.is_late.get() {
            return None;
        }
        self.check.start_again();
        let judgement = self.check.judge_again(&finding.check, &finding.case, self.engine);
        self.is_late.set(!(self.has_time)());
        let is_same = matches!(judgement, CaseJudgement::Wrong(difference) if difference.kind == finding.difference.kind);
        (is_same || !self.is_late.get()).then_some(is_same)
    }
}
