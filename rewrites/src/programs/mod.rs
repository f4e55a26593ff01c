//! Compares two programs.

mod recurrences;

use crate::search::samples::assignments;
use crate::verdict::ProverVerdict;
use crate::verification::Options;
use crate::verification::instances::verify_instances;
use crate::verification::narrowing::nonempty;
use alpha::to_core::{Recurrences, Refused};
use checker::instances::is_empty;
use checker::solver::{Obligations, in_own_context};
use fastrand::Rng;
use languages::{Chain, Pair, Question, ReadSource};
use link::coverage::covers;
use selfsame_core::answer::Answer;
use selfsame_core::by_inputs::InputClass;
use selfsame_core::operators::ElementType;
use selfsame_core::relation::Relation;
use selfsame_core::{About, Instance, NodeId, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The result of a comparison of two programs.
#[derive(Debug)]
pub struct ComparedPrograms {
    /// The verdict; `laws` and `proved` belong to the proof for all sizes.
    pub verdict: ProverVerdict,
    /// The inputs that the question is about.
    pub inputs: InputClass,
    /// Whether no value in the programs is a real number.
    pub only_integers: bool,
    /// The programs, with the treatment of their recurrences.
    pub chain: Chain,
    /// The inputs on which index sets of a program depend, by name.
    pub index_inputs: BTreeSet<String>,
}

/// Compares two programs. Recurrences are unrolled. Endless ones are compared by induction, as they are or with
/// serial recurrences turned into reductions. If that does not show that the programs are equal, recurrences are
/// unrolled for each element, at small sizes if the sizes are not known.
///
/// # Errors
/// The programs have no form that can be compared, or the first one has no meaning; the text says why.
pub fn compare(pair: &Pair, options: &Options) -> Result<ComparedPrograms, String> {
    compared(pair, options).map(|compared| compared.with_index_inputs())
}

fn compared(pair: &Pair, options: &Options) -> Result<ComparedPrograms, String> {
    let given = |recurrences: Recurrences| Pair { recurrences, ..pair.clone() };
    let name =
        |refused: &Refused| format!("{}: {}", pair.programs[refused.side].source().name, refused.reason);
    let endless = match at(&given(Recurrences::Unrolled), options)? {
        Err(refused) if refused.is_endless => refused,
        Err(refused) => return Err(name(&refused)),
        Ok(compared) => return Ok(compared),
    };
    let by_induction = match by_induction(pair, options)? {
        None => with_reductions(pair, options),
        found => found,
    };
    let open = match by_induction {
        Some(compared) if !is_open(&compared.verdict) => return Ok(compared),
        open => open,
    };
    match at(&given(Recurrences::ByElement), options)? {
        Ok(by_element) => Ok(by_element),
        Err(_) => {
            let reason = || name(&pair.definitions().err().unwrap_or(endless));
            refuted(pair, open, options).ok_or_else(reason)
        }
    }
}

/// Compares the first and the last of several programs, by comparing each with the one before it as [`compare`]
/// does.
///
/// # Errors
/// Those of [`compare`], or there are fewer than two programs.
pub fn compare_all(
    programs: &[ReadSource],
    of: &Pair,
    options: &Options,
) -> Result<ComparedPrograms, String> {
    let compared = |neighbours: &[ReadSource]| {
        compare(&Pair { programs: [neighbours[0].clone(), neighbours[1].clone()], ..of.clone() }, options)
    };
    let all: Vec<ComparedPrograms> = programs.windows(2).map(compared).collect::<Result<_, _>>()?;
    all.into_iter().reduce(ComparedPrograms::then).ok_or_else(|| "nothing to compare".to_owned())
}

/// The result of an induction, if one is found.
fn by_induction(pair: &Pair, options: &Options) -> Result<Option<ComparedPrograms>, String> {
    let Some(induction) = recurrences::induction(pair, options) else { return Ok(None) };
    Ok(at(&Pair { recurrences: Recurrences::Induction(induction), ..pair.clone() }, options)?.ok())
}

/// Compares the programs with serial recurrences replaced by reductions; `None` if that shows nothing.
fn with_reductions(pair: &Pair, options: &Options) -> Option<ComparedPrograms> {
    // Floats are not solved for: a reduction changes the order of their operations.
    let options = &Options { solves_floats: false, ..*options };
    let left = recurrences::reductions(pair, 0, options);
    let right = recurrences::reductions(pair, 1, options);
    if left.is_empty() && right.is_empty() {
        return None;
    }
    let first = left.last().map_or(&pair.programs[0], |link| &link.programs[1]).clone();
    let last = right.first().map_or(&pair.programs[1], |link| &link.programs[0]).clone();
    let between = Pair { programs: [first, last], ..pair.clone() };
    // A fault of an intermediate program is not a fault of the given ones.
    let between = match at(&between, options).ok()? {
        Ok(compared) => compared,
        Err(refused) if refused.is_endless => by_induction(&between, options).ok()??,
        Err(_) => return None,
    };
    if between.verdict.answers.iter().all(|answer| answer.relations.defined > Relation::Refines) {
        return None;
    }
    let of = |links: &[Pair]| -> Option<Vec<ComparedPrograms>> {
        links.iter().map(|link| at(link, options).ok()?.ok()).collect()
    };
    of(&left)?.into_iter().chain([between]).chain(of(&right)?).reduce(ComparedPrograms::then)
}

impl ComparedPrograms {
    /// Composes two comparisons, of which the second starts at the program where this one ends.
    fn then(mut self, other: ComparedPrograms) -> ComparedPrograms {
        self.verdict.then(other.verdict);
        self.chain = self.chain.then(other.chain);
        self.index_inputs.extend(other.index_inputs);
        self
    }

    /// Turns parameters back into inputs: the prover treats index inputs as parameters, counterexamples show them
    /// as inputs.
    fn with_index_inputs(mut self) -> ComparedPrograms {
        let has_found = |answer: &Answer| answer.counterexamples.iter().any(Option::is_some);
        if self.verdict.narrower.is_none() && !self.verdict.answers.iter().any(has_found) {
            return self;
        }
        let names = &self.index_inputs;
        for answer in &mut self.verdict.answers {
            answer.counterexamples.iter_mut().flatten().for_each(|found| found.move_to_inputs(names));
        }
        // A condition on an input is not a range of sizes.
        self.verdict.narrower =
            self.verdict.narrower.filter(|of| of.sizes.iter().all(|size| !names.contains(size)));
        self
    }
}

/// Compares the programs with one treatment of recurrences.
fn at(pair: &Pair, options: &Options) -> Result<Result<ComparedPrograms, Refused>, String> {
    let Question { claims, inputs } = match pair.question() {
        Ok(question) => question,
        Err(refused) => return Ok(Err(refused)),
    };
    let shares = u32::try_from(claims.instances.len().div_ceil(4)).unwrap_or(u32::MAX).max(1);
    let mut options =
        Options { budget: options.budget / shares, steps: options.steps / u64::from(shares), ..*options };
    if claims.is_inductive {
        // An inductive claim that fails says nothing, so counterexamples are not searched.
        (options.steps, options.solves_floats) = (0, false);
    }
    let verdict = verify_instances(&claims.instances, &options).map_err(|fault| {
        format!("{}: {}: {}", pair.programs[0].source().name, fault.message, fault.primary.text)
    })?;
    let mut verdict = if claims.is_inductive { verdict.by_induction() } else { verdict };
    if verdict.shows_something()
        && let Err(refusal) = in_own_context(|| covers(pair, &claims.instances, &Obligations::default()))
    {
        verdict.retract(refusal.flaw.to_string());
    }
    if verdict.vacuous.is_some() && !says_nothing(&claims.instances) {
        verdict.vacuous = None;
    }
    if !claims.is_inductive {
        verdict.narrower = nonempty(&claims.instances, &verdict, &options);
    }
    if inputs == InputClass::Defined {
        verdict.forget_undefined_inputs();
    }
    let only_integers = claims.instances.iter().all(|instance| is_integer(&instance.program));
    let (chain, index_inputs) = (pair.clone().into(), pair.index_inputs());
    Ok(Ok(ComparedPrograms { verdict, inputs, only_integers, chain, index_inputs }))
}

/// Whether no output has an element at any sizes.
fn says_nothing(instances: &[Instance]) -> bool {
    in_own_context(|| {
        let obligations = Obligations::default();
        let is_output = |instance: &&Instance| matches!(instance.claim.about, About::Output(..));
        instances.iter().filter(is_output).all(|instance| is_empty(instance, &obligations))
    })
}

/// Whether no value of a program is a real number.
fn is_integer(program: &Program) -> bool {
    let nodes = (0..program.len()).map(|at| program.data_type(NodeId::at(at)));
    let inputs = program.inputs.iter().map(|input| input.data_type);
    nodes.chain(inputs).all(|of| of != ElementType::Real)
}

fn is_open(verdict: &ProverVerdict) -> bool {
    verdict.answers.iter().any(|answer| answer.relations.defined == Relation::Unknown)
}

/// The maximum number of small sizes to try. Half of them miss the difference in floats between
/// `substitution-rows` and `substitution-columns` of `examples/recurrences`; twice as many find no more.
const SIZES: usize = 4;

/// Searches small sizes for a difference, because a claim about recurrences that fails says nothing.
fn refuted(pair: &Pair, open: Option<ComparedPrograms>, options: &Options) -> Option<ComparedPrograms> {
    let options = &Options { solves_floats: false, ..*options };
    let mut known = open;
    let differing = recurrences::different_at(pair, options.seed);
    for parameters in differing.into_iter().chain(small_sizes(pair, options.seed)) {
        let at_sizes = |recurrences| {
            at(&Pair { parameters: parameters.clone(), recurrences, ..pair.clone() }, options).ok()?.ok()
        };
        let ways = [Recurrences::Unrolled, Recurrences::ByElement];
        let Some(found) = ways.into_iter().find_map(at_sizes) else { continue };
        let ComparedPrograms { inputs, only_integers, .. } = found;
        let compared = known.get_or_insert_with(|| {
            let verdict = found.verdict.forgotten();
            let (chain, index_inputs) = (pair.clone().into(), pair.index_inputs());
            ComparedPrograms { verdict, inputs, only_integers, chain, index_inputs }
        });
        compared.verdict.refute(&found.verdict, &parameters);
        if !is_open(&compared.verdict) {
            break;
        }
    }
    known
}

/// Small values for the parameters without a given value.
fn small_sizes(pair: &Pair, seed: u64) -> Vec<BTreeMap<String, i64>> {
    let Ok((program, symbols, allowed)) = pair.sizes() else { return Vec::new() };
    let mut rng = Rng::with_seed(seed);
    let mut sizes = assignments(&symbols, &allowed, 3 * SIZES, &mut rng);
    sizes
        .sort_by_key(|point| (point.iter().map(|size| i128::from(*size).abs()).sum::<i128>(), point.clone()));
    let named = |point: Vec<i64>| {
        let of = |v: &Variable| (program.name(*v), point[v.index()]);
        pair.parameters.clone().into_iter().chain(symbols.iter().map(of)).collect()
    };
    sizes.into_iter().map(named).take(SIZES).collect()
}
