//! The search for proofs of one instance, each checked as soon as it is found.

use super::options::Options;
use crate::refutation::concrete::Resources;
use crate::search::samples::{self, SamplePoint};
use crate::search::{LawTier, Search, whole};
use crate::verification::meaning::absurdity;
use checker::instances::best;
use checker::laws::Laws;
use checker::proof::{Arithmetic, Proof, Strength};
use checker::refusal::Refusal;
use checker::rules::Hypotheses;
use checker::solver::Obligations;
use checker::systems::meant;
use fastrand::Rng;
use selfsame_core::{Condition, Instance, Node, NodeId, Variable};
use values::SystemName;

/// The maximum number of searches for a proof; each after the first adds a sample that was missing. Chosen:
/// half and twice give the same verdicts (`docs/limits.md`).
const MAX_ATTEMPTS: usize = 8;
/// The largest coordinate of such a sample. A sum over three indices up to 40 has 64,000 terms, three times the
/// steps of one evaluation: larger samples are not evaluated.
const MAX_COORDINATE: i64 = 40;
/// The largest coordinate of a point at which the sides are compared because an obligation fails there. Sums over one
/// index up to it take a tenth of the steps of one evaluation.
const MAX_SUSPECT: i64 = 2_000;

/// The verification of one instance: what every search for a proof or a counterexample needs.
#[derive(Clone)]
pub(super) struct Attempt<'a> {
    pub(super) instance: &'a Instance,
    pub(super) options: &'a Options,
    /// Sample sizes.
    pub(super) assignments: Vec<SamplePoint>,
    /// Sample points of the claim.
    pub(super) points: Vec<SamplePoint>,
    pub(super) obligations: &'a Obligations,
    /// The number systems in which the instance has a meaning.
    pub(super) systems: Vec<SystemName>,
    /// The solver's resources for counterexamples.
    pub(super) resources: &'a Resources<'a>,
}

/// A proof that the checker accepted, and the laws that it uses.
pub(super) struct Accepted {
    pub(super) proof: Proof,
    pub(super) laws: Laws,
}

/// Why a search has no proof.
pub(super) enum Unproved {
    /// It found none; the part of one side that matches nothing on the other, or the budget, if that is why.
    NotFound(Option<String>),
    /// The checker refused what it found.
    Refused(Refusal),
}

/// The proofs of an instance.
pub(super) struct Proofs {
    /// The accepted proofs, the weakest first.
    pub(super) accepted: Vec<Accepted>,
    /// Why there are none.
    pub(super) open: Option<String>,
    /// Points of the claim at which an obligation of a refused proof fails: perhaps the sides differ there.
    pub(super) suspects: Vec<SamplePoint>,
}

impl Proofs {
    /// The laws of each proof.
    pub(super) fn laws(&self) -> Vec<Laws> {
        self.accepted.iter().map(|accepted| accepted.laws.clone()).collect()
    }
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        instance: &'a Instance,
        options: &'a Options,
        obligations: &'a Obligations,
        resources: &'a Resources<'a>,
    ) -> Attempt<'a> {
        let mut rng = Rng::with_seed(options.seed);
        let extents = instance
            .claim
            .bounds
            .iter()
            .filter_map(|[lower, upper]| Some(Condition::less(lower.as_ref()?, upper.as_ref()?)));
        let nonempty = Condition::all(extents.chain([instance.assumptions.clone()]));
        let mut assignments = samples::assignments(&instance.symbols, &nonempty, 24, &mut rng);
        for any in samples::assignments(&instance.symbols, &instance.assumptions, 12, &mut rng) {
            if !assignments.contains(&any) {
                assignments.push(any);
            }
        }
        // The search for proofs needs some samples at which every reduction has terms, if there are any.
        let full = Condition::all([nonempty, has_terms(instance)]);
        let mut sampled = assignments.clone();
        if !sampled.iter().any(|point| full.holds(point) == Ok(true)) {
            sampled.extend(samples::assignments(&instance.symbols, &full, 8, &mut rng));
        }
        let points = samples::points(&instance.claim, &sampled, &mut rng);
        let systems = meant(instance, options.systems);
        Attempt { instance, options, assignments, points, obligations, systems, resources }
    }

    /// The proofs without the redundant ones.
    pub(super) fn needed(&self, mut proofs: Vec<Accepted>) -> Vec<Proof> {
        let laws = |proofs: &[Accepted]| proofs.iter().map(|of| of.laws.clone()).collect::<Vec<_>>();
        let best = |laws: &[Laws]| best(self.instance, laws);
        let all = best(&laws(&proofs));
        for at in (0..proofs.len()).rev() {
            let dropped = proofs.remove(at);
            if best(&laws(&proofs)) != all {
                proofs.insert(at, dropped);
            }
        }
        proofs.into_iter().map(|accepted| accepted.proof).collect()
    }

    /// The proofs that the checker accepts, the weakest first, up to one of the whole claim.
    pub(super) fn proofs(&self) -> Proofs {
        let (mut accepted, mut refused, mut leftover, mut suspects) = (Vec::new(), None, None, Vec::new());
        for tier in [LawTier::Opaque, LawTier::Commutative, LawTier::Semiring, LawTier::Expanded] {
            match self.attempt(tier, None) {
                Ok(found) => {
                    let is_all = !found.laws.weaken();
                    accepted.push(found);
                    if is_all {
                        break;
                    }
                }
                Err(Unproved::Refused(refusal)) => {
                    suspects.extend(self.missed(refusal.flaw.failed_at(), MAX_SUSPECT));
                    refused = Some(refusal.flaw.to_string());
                }
                Err(Unproved::NotFound(unmatched)) => leftover = unmatched.or(leftover),
            }
        }
        let reason = || refused.or(leftover).unwrap_or_else(|| "no proof was found".to_owned());
        let open = accepted.is_empty().then(reason);
        Proofs { accepted, open, suspects }
    }

    /// Searches for a proof and checks it. If an obligation fails at sizes that are not among the samples, they
    /// join the samples, and the search starts again.
    pub(super) fn attempt(
        &self,
        tier: LawTier,
        arithmetic: Option<(Arithmetic, Strength)>,
    ) -> Result<Accepted, Unproved> {
        let mut points = self.points.clone();
        for _ in 0..MAX_ATTEMPTS {
            let refusal = match self.attempt_at(tier, arithmetic, &points) {
                Err(Unproved::Refused(refusal)) => refusal,
                ended => return ended,
            };
            match self
                .missed(refusal.flaw.failed_at(), MAX_COORDINATE)
                .filter(|point| !points.contains(point))
            {
                Some(point) => points.insert(0, point),
                None => return Err(Unproved::Refused(refusal)),
            }
        }
        Err(Unproved::NotFound(None))
    }

    /// The point at which an obligation fails, if it is a point of the claim with coordinates up to a limit.
    fn missed(&self, model: &[(Variable, i64)], limit: i64) -> Option<SamplePoint> {
        let instance = self.instance;
        let wanted = instance.symbols.iter().chain(&instance.claim.point);
        let width = wanted.clone().map(|v| v.index() + 1).max()?;
        let mut point = vec![0; width];
        for v in wanted {
            point[v.index()] = model.iter().find(|(w, _)| w == v).map_or(0, |(_, value)| *value);
        }
        let claimed = Condition::all([instance.assumptions.clone(), instance.claim.domain()]);
        let small = point.iter().all(|value| value.saturating_abs() <= limit);
        (small && !model.is_empty() && claimed.holds(&point) == Ok(true)).then_some(point)
    }

    fn attempt_at(
        &self,
        tier: LawTier,
        arithmetic: Option<(Arithmetic, Strength)>,
        points: &[SamplePoint],
    ) -> Result<Accepted, Unproved> {
        let [e, f] = self.instance.claim.sides;
        let mut search = Search::new(&self.instance.program, tier, self.options.budget);
        search.arithmetic = arithmetic;
        search.hypotheses = Hypotheses { given: &self.instance.given, laws: &self.instance.laws };
        search.outermost = &self.instance.claim.point;
        let Some(proof) = search.prove(&whole(e), &whole(f), points) else {
            let unmatched = search.leftover.map(|leftover| leftover.reason(self.instance));
            let reason = if search.budget == 0 { Some("out of budget".to_owned()) } else { unmatched };
            return Err(Unproved::NotFound(reason));
        };
        let laws = checker::instances::laws(self.instance, &proof, self.obligations);
        laws.map(|laws| Accepted { proof, laws }).map_err(Unproved::Refused)
    }

    /// Whether the hypotheses contradict each other in the arithmetic of a number system.
    pub(super) fn is_contradictory(&self, arithmetic: Arithmetic) -> bool {
        if self.instance.given.is_empty() {
            return false;
        }
        let absurd = absurdity(self.instance);
        let attempt = Attempt { instance: &absurd, ..self.clone() };
        let strengths = [Strength::Undefined, Strength::Defined];
        strengths
            .iter()
            .any(|&strength| attempt.attempt(LawTier::Opaque, Some((arithmetic, strength))).is_ok())
    }
}

/// The condition that every bound index has a value, for reductions whose bounds depend on sizes only.
fn has_terms(instance: &Instance) -> Condition {
    let program = &instance.program;
    let is_size = |condition: &Condition| condition.variables().iter().all(|v| instance.symbols.contains(v));
    let mut conditions = Vec::new();
    for node in (0..program.len()).map(NodeId::at) {
        if let Node::Reduce(reduction) = program.node(node) {
            let binders = reduction.binders.iter();
            conditions
                .extend(binders.map(|(_, [lower, upper])| Condition::less(lower, upper)).filter(is_size));
        }
    }
    Condition::all(conditions)
}
