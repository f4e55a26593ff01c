//! A rule, verified: at each of its instances, in each number system.

use crate::refutation::{Counterexample, Refuter, Sought};
use crate::samples::{self, Point};
use crate::search::{Search, Tier, whole};
use crate::systems::{Visitor, applies, in_each, shown};
use checker::laws::Laws;
use checker::proof::{Arithmetic, Strength};
use checker::rules::{Checker, Refusal, Side};
use checker::solver::Obligations;
use fastrand::Rng;
use semantics::core::Condition;
use semantics::decision::Relation;
use semantics::rules::elaboration::Fault;
use semantics::rules::instances::{Instance, instances};
use semantics::rules::library::Library;
use semantics::rules::syntax::Rule;
use semantics::values::{Algebra, NumberSystem};

/// The answer in one number system.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The number system.
    pub system: &'static str,
    /// With all inputs defined, and with inputs that may be undefined.
    pub relations: [Relation; 2],
    /// For each of them, an input that shows that the sides are not the same.
    pub counterexamples: [Option<Counterexample>; 2],
}

/// The answer for a rule.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// In each number system in which the rule means something.
    pub answers: Vec<Answer>,
    /// The laws of the proofs.
    pub laws: Vec<String>,
    /// How many instances the rule has.
    pub instances: usize,
    /// Why the rule says nothing, if so.
    pub vacuous: Option<String>,
    /// Why an answer is unknown.
    pub open: Option<String>,
    /// How many obligations were given to the checker.
    pub obligations: u64,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// For samples and counterexamples.
    pub seed: u64,
    /// Pairs of sides that the search for one proof looks at.
    pub budget: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, budget: 20_000 }
    }
}

/// Verifies a rule.
///
/// # Errors
/// The rule has no meaning at one of its choices.
pub fn verify(library: &Library, rule: &Rule, options: &Options) -> Result<Verdict, Fault> {
    let instances = instances(library, rule)?;
    let mut verdict = Verdict {
        answers: Vec::new(),
        laws: Vec::new(),
        instances: instances.len(),
        vacuous: None,
        open: None,
        obligations: 0,
    };
    for instance in &instances {
        let settled = verdict.different();
        verdict.weaken(Attempt::new(instance, options).verdict(&settled));
    }
    Ok(verdict)
}

impl Verdict {
    /// The verdict for this and another instance: the weaker answer in each system.
    fn weaken(&mut self, other: Verdict) {
        self.laws.extend(other.laws);
        self.laws.sort();
        self.laws.dedup();
        self.obligations += other.obligations;
        self.open = self.open.take().or(other.open);
        self.vacuous = self.vacuous.take().or(other.vacuous);
        if self.answers.is_empty() {
            self.answers = other.answers;
            return;
        }
        self.answers.retain(|answer| other.answers.iter().any(|o| o.system == answer.system));
        for mine in &mut self.answers {
            let Some(theirs) = other.answers.iter().find(|theirs| theirs.system == mine.system) else {
                continue;
            };
            for k in 0..2 {
                if theirs.relations[k] > mine.relations[k] {
                    mine.relations[k] = theirs.relations[k];
                    mine.counterexamples[k].clone_from(&theirs.counterexamples[k]);
                }
            }
        }
    }

    /// The systems in which no other instance can change the answer.
    fn different(&self) -> Vec<&'static str> {
        let settled = |answer: &&Answer| answer.relations == [Relation::Different; 2];
        self.answers.iter().filter(settled).map(|answer| answer.system).collect()
    }

    /// The answer in a number system.
    pub fn in_system(&self, system: &str) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.system == system)
    }
}

/// One instance, looked at.
struct Attempt<'a> {
    instance: &'a Instance,
    options: &'a Options,
    assignments: Vec<Point>,
    points: Vec<Point>,
    obligations: Obligations,
}

impl<'a> Attempt<'a> {
    fn new(instance: &'a Instance, options: &'a Options) -> Attempt<'a> {
        let mut rng = Rng::with_seed(options.seed);
        let extents = instance.claim.extents.iter().map(|p| Condition::less(&Default::default(), p));
        let nonempty = Condition::all(extents.chain([instance.assumptions.clone()]));
        let mut assignments = samples::assignments(&instance.symbols, &nonempty, 24, &mut rng);
        for any in samples::assignments(&instance.symbols, &instance.assumptions, 12, &mut rng) {
            if !assignments.contains(&any) {
                assignments.push(any);
            }
        }
        let points = samples::points(&instance.claim, &assignments, &mut rng);
        Attempt { instance, options, assignments, points, obligations: Obligations::default() }
    }

    /// The verdict; in the settled systems nothing is looked for.
    fn verdict(&self, settled: &[&'static str]) -> Verdict {
        let (proof, mut open) = self.proof();
        let ill_formed = self.ill_formed();
        if let Err(reason) = &ill_formed {
            open = Some(reason.clone());
        }
        let is_ill_formed = matches!(ill_formed, Ok(true));
        let mut judge = Judge {
            attempt: self,
            laws: proof.as_ref().filter(|_| ill_formed == Ok(false)),
            is_ill_formed,
            settled,
        };
        let answers = in_each(&mut judge).into_iter().flatten().collect();
        let mut laws: Vec<String> = proof.iter().flat_map(Laws::iter).flat_map(|law| law.names()).collect();
        laws.sort();
        laws.dedup();
        let obligations = self.obligations.asked.get();
        let vacuous = self.vacuous();
        Verdict { answers, laws, instances: 1, vacuous, open, obligations }
    }

    /// The laws of a proof that the checker accepts.
    fn proof(&self) -> (Option<Laws>, Option<String>) {
        let mut open = None;
        for tier in [Tier::Opaque, Tier::Commutative, Tier::Semiring] {
            match self.attempt(tier, None) {
                Some(Ok(laws)) => return (Some(laws), None),
                Some(Err(refusal)) => open = Some(refusal.reason),
                None => {}
            }
        }
        (None, open.or_else(|| Some("no proof was found".to_owned())))
    }

    /// A proof that is found and checked: its laws, or why it was refused.
    fn attempt(
        &self,
        tier: Tier,
        arithmetic: Option<(Arithmetic, Strength)>,
    ) -> Option<Result<Laws, Refusal>> {
        let [e, f] = self.instance.claim.sides;
        let mut search = Search::new(&self.instance.program, tier, self.options.budget);
        search.arithmetic = arithmetic;
        let proof = search.prove(&whole(e), &whole(f), &self.points)?;
        let assumption = Condition::all([self.instance.assumptions.clone(), self.instance.claim.domain()]);
        let mut checker = Checker::new(&self.instance.program, &self.obligations, assumption);
        let none = Vec::new();
        let result = checker.check(Side { node: e, at: &none }, Side { node: f, at: &none }, &proof);
        Some(result.map(|()| checker.laws))
    }

    /// Whether the right side has no meaning, or another shape, for some sizes.
    fn ill_formed(&self) -> Result<bool, String> {
        let mut undecided = None;
        for requirement in &self.instance.requirements {
            let context = Condition::all([self.instance.assumptions.clone(), requirement.context.clone()]);
            let checker = Checker::new(&self.instance.program, &self.obligations, context);
            for part in requirement.condition.conjuncts() {
                if self.assignments.iter().any(|point| violated(requirement.context.is_always(), part, point))
                {
                    return Ok(true);
                }
                if let Err(refusal) = checker.require(part) {
                    undecided = Some(refusal.reason);
                }
            }
        }
        undecided.map_or(Ok(false), Err)
    }

    fn vacuous(&self) -> Option<String> {
        let instance = self.instance;
        let contradictory = |condition: Condition| {
            let checker = Checker::new(&instance.program, &self.obligations, condition);
            checker.require(&Condition::never()).is_ok()
        };
        if self.assignments.is_empty() && contradictory(instance.assumptions.clone()) {
            return Some("no sizes satisfy the conditions".to_owned());
        }
        let domain = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
        (self.points.is_empty() && contradictory(domain))
            .then(|| "the result has no elements, whatever the sizes".to_owned())
    }
}

/// A requirement without context that does not hold at a sample.
fn violated(everywhere: bool, part: &Condition, point: &Point) -> bool {
    everywhere && part.holds(point) == Ok(false)
}

fn arithmetic(system: &str) -> Option<Arithmetic> {
    use Arithmetic::*;
    let named = [
        ("rational", Rational),
        ("integer", Integer),
        ("i32", I32),
        ("i64", I64),
        ("f32", F32),
        ("f64", F64),
    ];
    named.iter().find(|(name, _)| *name == system).map(|(_, arithmetic)| *arithmetic)
}

/// Asks for each number system what the proof shows, and else for a counterexample.
struct Judge<'a> {
    attempt: &'a Attempt<'a>,
    laws: Option<&'a Laws>,
    is_ill_formed: bool,
    settled: &'a [&'static str],
}

impl Visitor for Judge<'_> {
    type Output = Option<Answer>;

    fn visit<S: NumberSystem<Number: Default> + Copy>(&mut self, system: S) -> Option<Answer> {
        let instance = self.attempt.instance;
        if !applies(&instance.program, instance.claim.sides, &system) {
            return None;
        }
        let name = system.name();
        if self.is_ill_formed {
            return Some(Answer {
                system: name,
                relations: [Relation::Different; 2],
                counterexamples: [None, None],
            });
        }
        let mut relations = self.laws.map_or([Relation::Unknown; 2], |laws| shown(laws, &system));
        let mut counterexamples: [Option<Counterexample>; 2] = [None, None];
        if self.settled.contains(&name) {
            return Some(Answer { system: name, relations, counterexamples });
        }
        if relations[0] == Relation::Unknown
            && let Some(found) = self.search(system, Sought::Defined)
        {
            relations = [Relation::Different; 2];
            counterexamples = [Some(found.clone()), Some(found)];
        }
        if relations.contains(&Relation::Unknown) {
            relations = self.solve(&system, relations);
        }
        if relations[1] == Relation::Refines {
            counterexamples[1] = self.search(system, Sought::Undefined);
        } else if relations[1] == Relation::Unknown {
            counterexamples[1] = self.search(system, Sought::NoRefinement);
            if counterexamples[1].is_some() {
                relations[1] = Relation::Different;
            }
        }
        Some(Answer { system: name, relations, counterexamples })
    }
}

impl Judge<'_> {
    /// What the solver shows in the arithmetic of a number system, where it is more than what is known.
    fn solve<S: NumberSystem>(&self, system: &S, mut known: [Relation; 2]) -> [Relation; 2] {
        let Some(arithmetic) = arithmetic(system.name()) else { return known };
        let tier = if system.algebra() == Algebra::Ieee { Tier::Commutative } else { Tier::Semiring };
        for strength in [Strength::Undefined, Strength::Refines, Strength::Defined] {
            match self.attempt.attempt(tier, Some((arithmetic, strength))) {
                Some(Ok(laws)) => {
                    let shown = shown(&laws, system);
                    known = [0, 1].map(|k| known[k].min(shown[k]));
                }
                Some(Err(refusal)) if !refusal.undecided => {}
                _ => break,
            }
            if !known.contains(&Relation::Unknown) {
                break;
            }
        }
        known
    }

    fn search<S: NumberSystem<Number: Default> + Copy>(
        &self,
        system: S,
        sought: Sought,
    ) -> Option<Counterexample> {
        let mut refuter = Refuter::new(self.attempt.instance, system, sought);
        refuter.search(&self.attempt.assignments, self.attempt.options.seed)
    }
}
