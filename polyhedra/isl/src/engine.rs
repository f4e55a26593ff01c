//! The engine: answers each question by calls of isl, within a budget.

use crate::handles::{IslContext, IslFault, Map, Set};
use crate::{hulls, reading, writing};
use polyhedra::{Closure, Engine, EngineError, IndexRelation, IndexSet, Memo, PiecewiseMap, Sample};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::marker::PhantomData;
use std::rc::Rc;

/// The default budget of a call, in operations of isl, which counts allocations and the pivots of its linear
/// programs. This is about a second.
pub const DEFAULT_MAX_OPERATIONS: u64 = 1_000_000;

/// The cost of one operation of a transitive closure, relative to other calls: most of its time goes into
/// joining pieces, which isl does not count. With half of it, a set in the message on
/// `examples/broken/heat.alpha` is no longer simplified; twice gives the same messages.
const COST_OF_CLOSURES: u64 = 16;

/// Decides questions about sets with isl.
///
/// Every call has a budget of operations, and fails with [`EngineError::OutOfBudget`] when it is exceeded. The next call
/// starts afresh, unless the budget is for all calls together. The cost of a call depends only on its operands. An
/// engine belongs to the thread that made it.
#[derive(Clone, Debug)]
pub struct Isl {
    budget: OperationBudget,
    /// Makes the type neither `Send` nor `Sync`: isl's contexts and objects belong to one thread.
    thread: PhantomData<Rc<IslContext>>,
}

#[derive(Clone, Debug)]
enum OperationBudget {
    /// The maximum number of operations for each call, in a context of its own.
    Call(u64),
    /// The operations left for all calls, in one context that counts them.
    Total(Rc<IslContext>),
}

impl Default for Isl {
    fn default() -> Isl {
        Isl::new()
    }
}

impl Isl {
    /// An engine with [`DEFAULT_MAX_OPERATIONS`] for each call.
    pub fn new() -> Isl {
        Isl::with_budget(DEFAULT_MAX_OPERATIONS)
    }

    /// The same with a memory of its last answers: for checks of programs, which repeat most questions.
    pub fn with_memory() -> Memo<Isl> {
        Memo::new(Isl::new())
    }

    /// An engine with a budget of `max_operations` per call; 0 counts as 1.
    pub fn with_budget(max_operations: u64) -> Isl {
        Isl { budget: OperationBudget::Call(max_operations.max(1)), thread: PhantomData }
    }

    /// An engine with a budget of `max_operations` for all its calls together, including those of its clones; 0
    /// counts as 1. Once it is spent, every call fails immediately, so that programs of any length are checked in
    /// bounded time.
    pub fn with_total_budget(max_operations: u64) -> Isl {
        Isl { budget: OperationBudget::Total(IslContext::new(max_operations.max(1))), thread: PhantomData }
    }

    /// Runs an operation within the budget; a failure names the operation and its operands.
    fn ask<T>(
        &self,
        operation: &'static str,
        operands: &[&dyn Display],
        work: impl FnOnce(&Rc<IslContext>) -> Result<T, IslFault>,
    ) -> Result<T, EngineError> {
        let context = match &self.budget {
            OperationBudget::Call(max_operations) => IslContext::new(*max_operations),
            OperationBudget::Total(context) => {
                context.go_on();
                context.clone()
            }
        };
        let result = work(&context);
        let failure = context.failure();
        let operands = || operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        let failed = |message: String| EngineError::Failed { operation, operands: operands(), message };
        match (result, failure) {
            (_, Some(failure)) if failure.quota => {
                Err(EngineError::OutOfBudget { operation, operands: operands() })
            }
            (_, Some(failure)) if failure.message == UNBOUNDED_OPTIMUM => {
                Err(EngineError::Unbounded(operands()))
            }
            (_, Some(failure)) => Err(failed(failure.message)),
            (Ok(result), None) => Ok(result),
            (Err(IslFault::Isl), None) => Err(failed("isl gave no result and no reason".to_owned())),
            (Err(IslFault::Overflow), None) => Err(EngineError::Overflow),
            (Err(IslFault::Size), None) => Err(EngineError::OutOfBudget { operation, operands: operands() }),
            (Err(IslFault::Unbounded), None) => Err(EngineError::Unbounded(operands())),
            (Err(IslFault::NotSingleValued), None) => Err(EngineError::NotSingleValued(operands())),
            (Err(IslFault::Malformed(what)), None) => Err(failed(what.to_owned())),
        }
    }

    /// An operation from a set to a set of the same space.
    fn transform(
        &self,
        operation: &'static str,
        a: &IndexSet,
        work: impl FnOnce(&Rc<IslContext>, Set) -> Result<Set, IslFault>,
    ) -> Result<IndexSet, EngineError> {
        self.ask(operation, &[a], |isl| {
            let result = work(isl, writing::set(isl, a)?)?;
            reading::set(isl, result, &a.space)
        })
    }

    /// An operation on two sets of one space.
    fn combine(
        &self,
        operation: &'static str,
        (a, b): (&IndexSet, &IndexSet),
        work: impl FnOnce(&Rc<IslContext>, Set, Set) -> Result<Set, IslFault>,
    ) -> Result<IndexSet, EngineError> {
        a.require_compatible(b)?;
        self.ask(operation, &[a, b], |isl| {
            let result = work(isl, writing::set(isl, a)?, writing::set(isl, b)?)?;
            reading::set(isl, result, &a.space)
        })
    }

    /// A verdict on two sets of one space.
    fn compare(
        &self,
        operation: &'static str,
        (a, b): (&IndexSet, &IndexSet),
        verdict: impl FnOnce(&Rc<IslContext>, &Set, &Set) -> Result<bool, IslFault>,
    ) -> Result<bool, EngineError> {
        a.require_compatible(b)?;
        self.ask(operation, &[a, b], |isl| verdict(isl, &writing::set(isl, a)?, &writing::set(isl, b)?))
    }

    /// A verdict on a relation.
    fn judge(
        &self,
        operation: &'static str,
        r: &IndexRelation,
        verdict: impl FnOnce(&Rc<IslContext>, &Map) -> Result<bool, IslFault>,
    ) -> Result<bool, EngineError> {
        self.ask(operation, &[r], |isl| verdict(isl, &writing::relation(isl, r)?))
    }
}

/// isl's message for a set without a least point.
const UNBOUNDED_OPTIMUM: &str = "unbounded optimum";

/// The set in fewer pieces, after a check that it is unchanged: `isl_set_coalesce` of isl 0.25 can return a
/// different set where it joins two. Of one piece, it leaves out what follows from the rest.
fn coalesced(isl: &Rc<IslContext>, set: Set) -> Result<Set, IslFault> {
    if reading::basics(isl, &set)?.len() <= 1 {
        return isl.isl_set_coalesce(set);
    }
    let fewer = isl.isl_set_coalesce(isl.isl_set_copy(&set)?)?;
    if isl.isl_set_is_equal(&fewer, &set)? { Ok(fewer) } else { Ok(set) }
}

/// A set that is `a` within a context, and simpler. The equalities of `a` within the context are made explicit first:
/// `isl_set_gist` of isl 0.25 crashes where it finds one itself, and can return a different set. Of 200,000 random
/// pairs of 2 and 3 dimensions, 76 crashed and one was wrong; this way none (2026-11-27).
fn simpler(isl: &Rc<IslContext>, a: Set, context: Set) -> Result<Set, IslFault> {
    let within = isl.isl_set_intersect(a, isl.isl_set_copy(&context)?)?;
    isl.isl_set_gist(isl.isl_set_detect_equalities(within)?, context)
}

/// The pairs of a relation as a set, with floor terms only.
fn graph(isl: &Rc<IslContext>, relation: Map) -> Result<Set, IslFault> {
    writing::explicit(isl, isl.isl_set_flatten(isl.isl_map_wrap(relation)?)?)
}

/// The transitive closure, and whether it is exact.
///
/// isl joins pieces on the way, which can go wrong (see [`coalesced`]). So this checks that the closure contains
/// the steps, and every step followed by a pair of the closure; if the closure claims to be exact, also that it
/// contains nothing else.
fn closure(isl: &Rc<IslContext>, steps: Map) -> Result<(Set, bool), IslFault> {
    let (closure, exact) = isl.isl_map_transitive_closure(isl.isl_map_copy(&steps)?)?;
    let longer = isl.isl_map_apply_range(isl.isl_map_copy(&steps)?, isl.isl_map_copy(&closure)?)?;
    let (closure, paths) = (graph(isl, closure)?, [graph(isl, steps)?, graph(isl, longer)?]);
    for path in &paths {
        if !isl.isl_set_is_subset(path, &closure)? {
            return Err(IslFault::Malformed("isl gave a closure without some path"));
        }
    }
    let [steps, longer] = paths;
    let exact = exact && isl.isl_set_is_subset(&closure, &isl.isl_set_union(steps, longer)?)?;
    Ok((closure, exact))
}

/// Whether a set is bounded. Empty pieces are tested separately, because isl tests only for recession directions.
fn bounded(isl: &Rc<IslContext>, set: &Set) -> Result<bool, IslFault> {
    for basic in reading::basics(isl, set)? {
        if !isl.isl_basic_set_is_bounded(&basic)? && !isl.isl_basic_set_is_empty(&basic)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn points(isl: &Rc<IslContext>, a: &IndexSet, limit: usize) -> Result<Vec<Vec<i64>>, IslFault> {
    let set = writing::set(isl, a)?;
    if !a.space.parameters.is_empty() {
        return Err(IslFault::Malformed("the set has parameters"));
    }
    if !bounded(isl, &set)? {
        return Err(IslFault::Unbounded);
    }
    let mut points = BTreeSet::new();
    let mut fault = None;
    isl.for_each_point(&set, &mut |point| {
        match reading::point(isl, &point, &a.space) {
            Ok((_, point)) => drop(points.insert(point)),
            Err(error) => fault = Some(error),
        }
        fault.is_none() && points.len() <= limit
    })?;
    match fault {
        Some(fault) => Err(fault),
        None if points.len() > limit => Err(IslFault::Size),
        None => Ok(points.into_iter().collect()),
    }
}

impl Engine for Isl {
    fn is_empty(&self, a: &IndexSet) -> Result<bool, EngineError> {
        self.ask("emptiness", &[a], |isl| isl.isl_set_is_empty(&writing::implicit_set(isl, a)?))
    }

    fn is_subset(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError> {
        self.compare("inclusion", (a, b), |isl, a, b| isl.isl_set_is_subset(a, b))
    }

    fn is_equal(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError> {
        self.compare("equality", (a, b), |isl, a, b| isl.isl_set_is_equal(a, b))
    }

    fn is_disjoint(&self, a: &IndexSet, b: &IndexSet) -> Result<bool, EngineError> {
        self.compare("disjointness", (a, b), |isl, a, b| isl.isl_set_is_disjoint(a, b))
    }

    fn is_bounded(&self, a: &IndexSet) -> Result<bool, EngineError> {
        self.ask("boundedness", &[a], |isl| bounded(isl, &writing::set(isl, a)?))
    }

    fn sample(&self, a: &IndexSet) -> Result<Option<Sample>, EngineError> {
        self.ask("sample", &[a], |isl| {
            let point = isl.isl_set_sample_point(writing::implicit_set(isl, a)?)?;
            if isl.isl_point_is_void(&point)? {
                return Ok(None);
            }
            let (parameters, point) = reading::point(isl, &point, &a.space)?;
            Ok(Some(Sample { parameters, point }))
        })
    }

    /// **set-intersection** (§5): `{ x | x ∈ a, x ∈ b }`
    fn intersection(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.combine("intersection", (a, b), |isl, a, b| coalesced(isl, isl.isl_set_intersect(a, b)?))
    }

    /// **set-union** (§5): `{ x | x ∈ a or x ∈ b }`
    fn union(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.combine("union", (a, b), |isl, a, b| coalesced(isl, isl.isl_set_union(a, b)?))
    }

    /// **set-difference** (§5): `{ x | x ∈ a, x ∉ b }`
    fn difference(&self, a: &IndexSet, b: &IndexSet) -> Result<IndexSet, EngineError> {
        self.combine("difference", (a, b), |isl, a, b| isl.isl_set_subtract(a, b))
    }

    fn complement(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.transform("complement", a, |isl, a| isl.isl_set_complement(a))
    }

    fn convex_cover(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.ask("convex hull", &[a], |isl| hulls::convex(isl, a))
    }

    fn affine_hull(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.ask("affine hull", &[a], |isl| hulls::affine(isl, a))
    }

    fn shadow(&self, a: &IndexSet, keep: &dyn Fn(usize) -> bool) -> Result<IndexSet, EngineError> {
        let projected = a.project(keep);
        self.ask("shadow", &[a], |isl| reading::set(isl, hulls::shadow(isl, &projected)?, &projected.space))
    }

    fn eliminate_existentials(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.transform("elimination of existential terms", a, |_, a| Ok(a))
    }

    fn coalesce(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.transform("coalescing", a, coalesced)
    }

    fn gist(&self, a: &IndexSet, context: &IndexSet) -> Result<IndexSet, EngineError> {
        self.combine("gist", (a, context), simpler)
    }

    fn lexicographic_minimum(&self, a: &IndexSet) -> Result<IndexSet, EngineError> {
        self.transform("lexicographic minimum", a, |isl, a| isl.isl_set_lexmin(a))
    }

    fn enumerate(&self, a: &IndexSet, limit: usize) -> Result<Vec<Vec<i64>>, EngineError> {
        self.ask("enumeration", &[a], |isl| points(isl, a, limit))
    }

    fn simplify(&self, r: &IndexRelation) -> Result<IndexRelation, EngineError> {
        let graph = self.transform("simplification", &r.graph, coalesced)?;
        Ok(IndexRelation { graph, inputs: r.inputs })
    }

    fn is_single_valued(&self, r: &IndexRelation) -> Result<bool, EngineError> {
        self.judge("single-valuedness", r, |isl, r| isl.isl_map_is_single_valued(r))
    }

    fn is_bijective(&self, r: &IndexRelation) -> Result<bool, EngineError> {
        self.judge("bijectivity", r, |isl, r| isl.isl_map_is_bijective(r))
    }

    fn transitive_closure(&self, r: &IndexRelation) -> Result<Closure, EngineError> {
        require_equal_ends(r)?;
        let engine = match self.budget {
            OperationBudget::Call(max_operations) => Isl::with_budget(max_operations / COST_OF_CLOSURES),
            OperationBudget::Total(_) => self.clone(),
        };
        engine.ask("transitive closure", &[r], |isl| {
            let (closure, exact) = closure(isl, writing::relation(isl, r)?)?;
            let graph = reading::set(isl, closure, &r.graph.space)?;
            Ok(Closure { relation: IndexRelation { graph, inputs: r.inputs }, exact })
        })
    }

    fn piecewise(&self, r: &IndexRelation) -> Result<PiecewiseMap, EngineError> {
        self.ask("function", &[r], |isl| {
            let map = writing::relation(isl, r)?;
            if !isl.isl_map_is_single_valued(&map)? {
                return Err(IslFault::NotSingleValued);
            }
            let outputs = r.graph.space.rank() - r.inputs;
            reading::piecewise(isl, &isl.isl_pw_multi_aff_from_map(map)?, &r.domain_space(), outputs)
        })
    }
}

/// Requires as many outputs as inputs, as in a relation of a space with itself.
fn require_equal_ends(r: &IndexRelation) -> Result<(), EngineError> {
    if r.inputs * 2 == r.graph.space.rank() {
        return Ok(());
    }
    let inputs = r.inputs.min(r.graph.space.rank());
    let (domain, range) = r.graph.space.dimensions.split_at(inputs);
    let space = |names: &[polyhedra::Name]| Box::new(r.graph.space.with_dimensions(names.iter().cloned()));
    Err(EngineError::Spaces(space(domain), space(range)))
}
