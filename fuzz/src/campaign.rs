//! A run of the fuzzer: random cases, a check of each, and what is found, made smaller.

use crate::case::{Case, Numbers};
use crate::finding::{Finding, Implementation};
use crate::generation::{Profile, case};
use crate::judgement::{Judgement, Kind, Tally};
use crate::meaning::{Meaning, Stopped};
use crate::shrinking::shrink;
use generators::choices::Random;
use polyhedra::Engine;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The maximum number of smaller cases that are tried for a finding.
pub const TRIALS: usize = 3_000;
/// At most this many of them may go unanswered.
const HANGING_TRIALS: usize = 12;
/// The maximum number of smaller cases where the implementation is started anew for each.
const FRESH_TRIALS: usize = 200;
/// A run ends when it has this many findings.
pub const MAX_FINDINGS: usize = 100;
/// After this many known findings of one kind in a row, only one in this many is made smaller.
const STREAK: u64 = 10;
/// The maximum number of reasons by which cases that were not judged are counted.
const MAX_REASONS: usize = 100;

/// What is asked about each case.
pub trait Check {
    /// Its name, under which it is found again.
    fn name(&self) -> String;
    /// What is checked.
    fn implementation(&self) -> Implementation;
    /// Forgets what was asked before.
    fn start_again(&mut self);
    /// What it says about the case of a number.
    fn judge(
        &mut self,
        case: &Case,
        meaning: &Meaning,
        number: u64,
        engine: &dyn Engine,
    ) -> Vec<(String, Judgement)>;
    /// What one of its parts says about a case.
    fn judge_again(&mut self, part: &str, case: &Case, engine: &dyn Engine) -> Judgement;
}

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What is random follows from this and the number of the case.
    pub seed: u64,
    /// The number of cases; without one the run has no end.
    pub cases: Option<u64>,
    /// What cases look like.
    pub profile: Profile,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cases that were made.
    pub cases: u64,
    /// How many of them each check has judged.
    pub judged: BTreeMap<String, u64>,
    /// Programs that are ill-formed: the generator makes none.
    pub rejected: u64,
    /// Cases that were not judged, or not by all: why, and how many.
    pub refused: BTreeMap<String, u64>,
    /// Cases with an element of which is not known whether it is right.
    pub abstained: u64,
    /// The elements.
    pub elements: Tally,
    /// By shape: the finding, and how often.
    pub findings: BTreeMap<String, (Finding, u64)>,
    /// The findings of each check and kind.
    pub kinds: BTreeMap<String, Hits>,
    /// What was found and is being made smaller.
    pub pending: Option<Box<Finding>>,
}

/// How the findings of a kind went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hits {
    /// How many in a row were known ones.
    streak: u64,
    /// How many came since these were enough in a row.
    since: u64,
    /// How many of these were not made smaller: they may be known ones.
    pub left: u64,
}

impl Hits {
    /// Whether one more is to be made smaller.
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
    /// In a line.
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

/// Runs cases until there are as many as wanted, enough findings, or `watch` says that it is time; it is shown the summary after each, and
/// whatever was found just then. While a finding is made smaller, too; that ends when it is time.
pub fn run(
    settings: Settings,
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

/// The case of a number.
///
/// # Errors
/// It was not made.
pub fn numbered(settings: Settings, number: u64, engine: &dyn Engine) -> Result<(Case, Meaning), Stopped> {
    let seed = settings.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number);
    case(&mut Random::seeded(seed), settings.profile, engine)
}

/// Judges a case; what is new about it.
fn one(
    settings: Settings,
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
        if matches!(judgement, Judgement::Right(_) | Judgement::Wrong(_)) {
            *summary.judged.entry(part.clone()).or_default() += 1;
        }
        match judgement {
            Judgement::Right(tally) => {
                abstains |= tally.abstain > 0;
                summary.elements.add(tally);
            }
            Judgement::Refused(why) => {
                summary.refuse(format!("{part}: {}", nameless(&why)));
            }
            Judgement::Stopped(stopped) => summary.stopped(&part, &stopped),
            Judgement::Wrong(difference) => {
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

/// Counts a finding, made smaller, with those of its shape; the finding if it is the first one.
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

/// A reason without the names in it, so that it is the same of other cases.
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
    fn stopped(&mut self, part: &str, stopped: &Stopped) {
        match stopped {
            Stopped::IllFormed(_) => self.rejected += 1,
            Stopped::OutOfBudget(_) => self.refuse(format!("{part}: out of budget")),
        }
    }

    fn refuse(&mut self, why: String) {
        let is_known = self.refused.len() < MAX_REASONS || self.refused.contains_key(&why);
        let why = if is_known { why } else { "other reasons".to_owned() };
        *self.refused.entry(why).or_default() += 1;
    }
}

/// The finding with the smallest case that is found in time. What is found in an implementation with a memory may be another one's fault: it is
/// asked again from the start, about the smaller case, then about the first one; if neither shows it, the first one is kept.
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

/// Cases that are tried while there is time.
struct Trying<'a> {
    check: &'a mut dyn Check,
    engine: &'a dyn Engine,
    has_time: &'a mut dyn FnMut() -> bool,
    is_late: Cell<bool>,
    unanswered: Cell<usize>,
}

impl Trying<'_> {
    /// The finding of the smallest case that is found, by an implementation that is new for each, or not.
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
            let Judgement::Wrong(difference) = judgement else { return None };
            unanswered.set(unanswered.get() + usize::from(difference.kind == Kind::Hang));
            Some(difference)
        };
        let (case, difference) = (finding.case.clone(), finding.difference.clone());
        let shrunken = shrink(case, difference, &goes_on, self.engine, &mut wrong);
        Finding { case: shrunken.case, difference: shrunken.difference, ..finding.clone() }
    }

    /// Whether a new implementation has the finding, if there is time to see.
    fn repeats(&mut self, finding: &Finding) -> Option<bool> {
        if self.is_late.get() {
            return None;
        }
        self.check.start_again();
        let judgement = self.check.judge_again(&finding.check, &finding.case, self.engine);
        self.is_late.set(!(self.has_time)());
        let is_same =
            matches!(judgement, Judgement::Wrong(difference) if difference.kind == finding.difference.kind);
        (is_same || !self.is_late.get()).then_some(is_same)
    }
}
