//! Evidence for the displayed equivalences, on random instances.

use super::comparison::{ComparedSides, ComparisonOutcome, DifferenceSize, SideDifference};
use super::conditions::holds;
use super::instances::Maker;
use super::running::violation;
use crate::evidence::{Evidence, EvidenceKind, Violation};
use crate::ledger::{Depth, Entry, RepairEvidence};
use alpha::theorems::{self, Reading, SideCondition, THEOREMS, Theorem, TheoremForm};
use base::claims::Claim;
use generators::choices::Replay;
use polyhedra::{Engine, EngineError};
use polyhedra_isl::Isl;

/// The entry of a displayed equivalence; `None` for another claim.
pub(crate) fn entry(claim: &'static Claim, depth: Depth) -> Option<Entry> {
    let theorem = THEOREMS.iter().find(|theorem| theorem.claim.id == claim.id)?;
    Some(judged(theorem, if depth == Depth::Full { 10_000 } else { 30 }))
}

fn judged(theorem: &'static Theorem, instances: u64) -> Entry {
    let engine = Isl::with_memory();
    let mut evidence = TheoremStatement::printed(theorem).survey(instances, &engine);
    if CONVERSE.contains(&theorem.claim.id) {
        evidence.push(converse(theorem, instances, &engine));
    }
    let violated = evidence.iter().any(|evidence| evidence.violated > 0);
    let repairs = theorem.repairs.iter().filter(|_| violated);
    let repair = |repair: &'static theorems::Repair| RepairEvidence {
        statement: repair.statement,
        evidence: TheoremStatement::repaired(theorem, repair).survey(instances, &engine),
    };
    Entry { claim: &theorem.claim, evidence, repairs: repairs.map(repair).collect() }
}

/// A theorem as printed, or a repair.
#[derive(Clone)]
pub struct TheoremStatement {
    /// The theorem.
    pub theorem: &'static Theorem,
    /// What is equivalent.
    pub form: TheoremForm,
    /// The conditions.
    pub conditions: Vec<SideCondition>,
    /// The readings of §8.1 in which it is judged.
    pub readings: &'static [Reading],
}

impl TheoremStatement {
    /// The theorem as printed.
    pub fn printed(theorem: &'static Theorem) -> TheoremStatement {
        let (form, conditions) = (theorem.form, theorem.conditions.to_vec());
        TheoremStatement { theorem, form, conditions, readings: readings(form, Reading::BOTH) }
    }

    /// The theorem with one of its repairs.
    pub fn repaired(theorem: &'static Theorem, repair: &'static theorems::Repair) -> TheoremStatement {
        let form = repair.form.unwrap_or(theorem.form);
        let readings = readings(form, repair.readings);
        TheoremStatement { theorem, form, conditions: repair.conditions.to_vec(), readings }
    }

    /// Tries instances until `instances` of them count for each reading, or too many do not count.
    pub fn survey(&self, instances: u64, engine: &dyn Engine) -> Vec<Evidence> {
        let mut tallies: Vec<SurveyTally> = self.readings.iter().map(|_| SurveyTally::default()).collect();
        for seed in 0..instances * MAX_TRIES {
            if tallies.iter().all(|tally| tally.cases >= instances) {
                break;
            }
            let outcomes = self.outcomes(seed, engine);
            for (at, tally) in tallies.iter_mut().enumerate() {
                let outcome = match &outcomes {
                    Err(error) => Some(Err(error)),
                    Ok(all) => all.as_ref().map(|all| all[at].as_ref()),
                };
                tally.count(outcome, seed);
            }
        }
        for (at, tally) in tallies.iter_mut().enumerate() {
            tally.smallest = tally.smallest.take().map(|violation| self.shrunk(violation, at, engine));
        }
        let tallies = tallies.into_iter().zip(self.readings);
        tallies.map(|(tally, &reading)| tally.evidence(self.means(reading), instances)).collect()
    }

    /// The outcome of one instance for each reading; `None` if it does not satisfy the conditions.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn outcomes(
        &self,
        seed: u64,
        engine: &dyn Engine,
    ) -> Result<Option<Vec<Result<ComparisonOutcome, EngineError>>>, EngineError> {
        self.outcomes_of(Maker::make(self.theorem, seed, engine)?, engine)
    }

    fn outcomes_of(
        &self,
        mut maker: Maker<'_>,
        engine: &dyn Engine,
    ) -> Result<Option<Vec<Result<ComparisonOutcome, EngineError>>>, EngineError> {
        for &condition in &self.conditions {
            if !holds(&mut maker, condition, engine)? {
                return Ok(None);
            }
        }
        let sides = ComparedSides::new(&maker, self.form, engine)?;
        let satisfied =
            !self.conditions.contains(&SideCondition::ValidReductions) || sides.have_valid_reductions();
        Ok(satisfied.then(|| sides.outcomes(self.readings, engine)))
    }

    /// Shrinks a violation by changing decisions of the generator, each in turn, as long as that helps.
    fn shrunk(&self, violation: Smallest, reading: usize, engine: &dyn Engine) -> Smallest {
        let Smallest { mut size, seed, mut difference } = violation;
        let Ok(maker) = Maker::make(self.theorem, seed, engine) else {
            return Smallest { size, seed, difference };
        };
        let mut decisions = maker.random.made;
        let (mut at, mut tries) = (0, 0);
        while at < decisions.len() && tries < MAX_SHRINKING {
            let (made, possible) = decisions[at];
            let smaller = (0..possible).filter(|&other| other != made).find_map(|other| {
                tries += 1;
                let mut given: Vec<usize> = decisions.iter().map(|(made, _)| *made).collect();
                given[at] = other;
                let maker = Maker::replay(self.theorem, Replay::new(given, seed), engine).ok()?;
                let made = maker.random.made.clone();
                match self.outcomes_of(maker, engine).ok()??.swap_remove(reading).ok()? {
                    ComparisonOutcome::Differ(difference) if difference.size() < size => {
                        Some((made, difference))
                    }
                    _ => None,
                }
            });
            match smaller {
                Some((made, smaller)) => {
                    (decisions, size, difference, at) = (made, smaller.size(), smaller, 0)
                }
                None => at += 1,
            }
        }
        Smallest { size, seed, difference }
    }

    fn means(&self, reading: Reading) -> &'static str {
        match reading {
            _ if !has_case(self.form) => "random instances",
            Reading::Strict => "random instances, branches of a case disjoint everywhere",
            Reading::WhereEvaluated => "random instances, branches of a case disjoint where it is evaluated",
        }
    }
}

/// The maximum number of instances generated for each one that counts. The repair of `alpha/equation-2` needs 16,
/// more than any other statement (2026-11-27).
const MAX_TRIES: u64 = 40;
/// The maximum number of instances generated to shrink a violation. Chosen, not measured: with fewer the
/// violation shown may be larger, with more the ledger takes longer where statements are violated.
const MAX_SHRINKING: u64 = 2_000;

/// The smallest violation so far.
struct Smallest {
    size: DifferenceSize,
    /// The seed of the decisions that led to it.
    seed: u64,
    difference: SideDifference,
}

/// The readings to check; without a `case`, the readings of §8.1 coincide.
fn readings(form: TheoremForm, readings: &'static [Reading]) -> &'static [Reading] {
    if has_case(form) { readings } else { &readings[..1] }
}

fn has_case(form: TheoremForm) -> bool {
    let cases = |text: &str| text.contains("case(");
    match form {
        TheoremForm::Expressions(left, right) => cases(left) || cases(right),
        TheoremForm::Equations { left, right, .. } => left.iter().chain(right).any(|(_, text)| cases(text)),
    }
}

/// The results of a survey.
#[derive(Default)]
pub struct SurveyTally {
    /// Instances that count.
    pub cases: u64,
    violated: u64,
    /// Cases decided for all values of the inputs.
    symbolic: u64,
    neither: u64,
    vacuous: u64,
    undecided: u64,
    outside: u64,
    smallest: Option<Smallest>,
}

impl SurveyTally {
    fn count(&mut self, outcome: Option<Result<&ComparisonOutcome, &EngineError>>, seed: u64) {
        match outcome {
            None => self.outside += 1,
            Some(Err(_)) => self.undecided += 1,
            Some(Ok(ComparisonOutcome::Neither)) => self.neither += 1,
            Some(Ok(ComparisonOutcome::Vacuous)) => self.vacuous += 1,
            Some(Ok(ComparisonOutcome::Agree(all))) => {
                self.cases += 1;
                self.symbolic += u64::from(*all);
            }
            Some(Ok(ComparisonOutcome::Differ(difference))) => {
                self.cases += 1;
                self.violated += 1;
                let size = difference.size();
                if self.smallest.as_ref().is_none_or(|smallest| size < smallest.size) {
                    self.smallest = Some(Smallest { size, seed, difference: difference.clone() });
                }
            }
        }
    }

    /// The evidence; it is insufficient with fewer than half of the wanted cases.
    pub fn evidence(self, means: &str, wanted: u64) -> Evidence {
        let SurveyTally { cases, violated, symbolic, neither, vacuous, undecided, outside, smallest } = self;
        let left_out = [
            (neither, "with both sides ill-formed"),
            (vacuous, "without a value to compare"),
            (undecided, "undecided"),
            (outside, "outside the conditions"),
        ];
        let left_out =
            left_out.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}"));
        let left_out = left_out.collect::<Vec<_>>().join(", ");
        let left_out = if left_out.is_empty() { left_out } else { format!("; left out: {left_out}") };
        let range = format!("{means}, {symbolic} of them for all values of the inputs{left_out}");
        let violation =
            smallest.map(|Smallest { difference: SideDifference { says, instance, .. }, .. }| Violation {
                program: instance,
                counterexample: None,
                says,
            });
        let evidence = Evidence::tried(EvidenceKind::Random, range, cases, violation);
        Evidence { violated, sufficient: cases > 0 && 2 * cases >= wanted, ..evidence }
    }
}

/// Theorems that say "iff": if a condition fails, the sides must differ.
const CONVERSE: [&str; 1] = ["alpha/restrict-2"];

fn converse(theorem: &'static Theorem, instances: u64, engine: &dyn Engine) -> Evidence {
    let unconditional = TheoremStatement { conditions: Vec::new(), ..TheoremStatement::printed(theorem) };
    let (mut cases, mut undecided, mut violated) = (0, 0, None);
    for seed in 0..instances * MAX_TRIES {
        if cases == instances {
            break;
        }
        match fails(theorem, seed, engine)
            .and_then(|fails| Ok((fails, unconditional.outcomes(seed, engine)?)))
        {
            Ok((true, Some(outcomes))) => {
                cases += 1;
                if outcomes.iter().any(|outcome| {
                    matches!(outcome, Ok(ComparisonOutcome::Agree(_) | ComparisonOutcome::Vacuous))
                }) {
                    violated = Some(violation("", "the condition fails, and the sides are equivalent"));
                }
            }
            Ok(_) => {}
            Err(_) => undecided += 1,
        }
    }
    let range =
        format!("the converse: instances where the condition fails differ; left out: {undecided} undecided");
    Evidence {
        sufficient: 2 * cases >= instances,
        ..Evidence::tried(EvidenceKind::Random, range, cases, violated)
    }
}

/// Whether a condition of a theorem fails.
fn fails(theorem: &'static Theorem, seed: u64, engine: &dyn Engine) -> Result<bool, EngineError> {
    let mut maker = Maker::make(theorem, seed, engine)?;
    let mut conditions = theorem.conditions.iter();
    conditions.try_fold(false, |fails, &condition| Ok(fails || !holds(&mut maker, condition, engine)?))
}
