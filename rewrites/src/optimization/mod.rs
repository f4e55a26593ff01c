//! Finds a cheaper system with the same outputs: by saturation of an e-graph, and extraction by cost.
//!
//! Nothing here is trusted: the prover and the checker show that the result is the same program.

pub mod egraph;
pub mod growth;
pub mod reuse;

use crate::optimization::egraph::cost::{CostModel, PointCounts, Work};
use crate::optimization::egraph::explanation::derived;
use crate::optimization::egraph::expressions::add_all;
use crate::optimization::egraph::extraction::{ChosenTerms, Extraction};
use crate::optimization::egraph::facts::{ExpressionGraph, Facts};
use crate::optimization::egraph::language::{ENode, Head};
use crate::optimization::egraph::rewriting::Rewrite;
use crate::optimization::egraph::saturation::{SaturationLimits, SaturationReport, saturate};
use crate::optimization::egraph::scalars::are_associative;
use crate::optimization::reuse::simplified;
use alpha::domains::Domains;
use alpha::syntax::{System, VariableId, VariableRole};
use alpha::uses::Uses;
use base::stack::on_large_stack;
use egg::{EGraph, Id};
use link::certificate::VariableDerivation;
use link::statements::theorems::SUBSTITUTION;
use polyhedra::{Engine, EngineError};
use rustc_hash::FxHashMap;

/// The result of an optimization.
#[derive(Clone, Debug)]
pub struct Optimized {
    /// Systems, each cheaper than the one before it and than the original: one by rewrites, and one with
    /// simplified reductions.
    pub systems: Vec<System>,
    /// The work of the original and of each of these.
    pub work: Vec<Work>,
    /// The report of the saturation.
    pub report: SaturationReport,
    /// The number of terms of the saturated e-graph.
    pub terms: usize,
    /// The derivation of the first system, or of the original if no system was found; `None` if the e-graph does not
    /// give it.
    pub derived: Option<Vec<VariableDerivation>>,
    /// Whether the first system comes from the e-graph; the others reuse common parts of reductions.
    pub is_rewritten: bool,
}

impl Optimized {
    /// Adds a system if it is cheaper than all others.
    fn add(&mut self, system: System, domains: &Domains, model: &CostModel) {
        let work = model.work(&system, domains);
        if self.work.last().is_none_or(|least| model.total(work) < model.total(*least)) {
            self.systems.push(system);
            self.work.push(work);
        }
    }
}

/// Looks for a cheaper system.
///
/// # Errors
/// The engine is out of budget.
pub fn optimize(
    system: &System,
    domains: &Domains,
    model: &CostModel,
    rewrites: &[Rewrite],
    limits: SaturationLimits,
    engine: &dyn Engine,
) -> Result<Option<Optimized>, EngineError> {
    // The e-graph recurses.
    on_large_stack(|| {
        let mut graph: ExpressionGraph<'_> =
            EGraph::new(Facts::new(system, domains, engine)).with_explanations_enabled();
        let SystemRoots { defined, roots, names } = add_system(&mut graph, system, domains)?;
        let report = saturate(&mut graph, rewrites, limits);
        let names = names.into_iter().map(|(class, name)| (graph.find(class), name)).collect();
        let Some(chosen) = ChosenTerms::cheapest(&graph, &PointCounts::new(&graph, model), &defined, &roots)
        else {
            return Ok(None);
        };
        let terms = graph.total_number_of_nodes();
        let Some(result) = Extraction::system(&graph, &chosen, &roots, &defined, names) else {
            return Ok(None);
        };
        let of_result = Domains::new(&result, engine, None).map_err(|undecided| undecided.error)?;
        let mut found = Optimized {
            systems: Vec::new(),
            work: vec![model.work(system, domains)],
            report,
            terms,
            derived: None,
            is_rewritten: false,
        };
        found.add(result, &of_result, model);
        found.is_rewritten = !found.systems.is_empty();
        let (first, of_first) = found.systems.first().map_or((system, domains), |first| (first, &of_result));
        found.derived = derived(&mut graph, first, of_first, &roots);
        let associative = |operator, data_type| are_associative(rewrites, operator, data_type);
        let (best, of_best) = found.systems.last().map_or((system, domains), |best| (best, &of_result));
        if let Some(simpler) = simplified(best, of_best, model, &associative, engine) {
            let of_simpler = Domains::new(&simpler, engine, None).map_err(|undecided| undecided.error)?;
            found.add(simpler, &of_simpler, model);
        }
        Ok(found.work[0].operations.is_finite().then_some(found))
    })
}

/// The variables of a system in its e-graph.
struct SystemRoots {
    /// The variables that do not depend on themselves; a reader of one may read its definition instead.
    defined: Vec<VariableId>,
    /// What must be computed: outputs, and variables that depend on themselves, with their classes.
    roots: Vec<(VariableId, Id)>,
    /// The other locals, by their classes.
    names: FxHashMap<Id, String>,
}

/// Adds the definitions of all variables, each before its readers.
fn add_system(
    graph: &mut ExpressionGraph<'_>,
    system: &System,
    domains: &Domains,
) -> Result<SystemRoots, EngineError> {
    let expressions = add_all(graph, domains)?;
    let uses = Uses::new(system);
    let components = uses.components().into_iter().rev().map(|mut component| {
        component.retain(|&x| system.definitions(x).next().is_some());
        component
    });
    let components: Vec<Vec<VariableId>> = components.filter(|component| !component.is_empty()).collect();
    let acyclic = components.iter().filter(|component| !uses.is_cycle(component));
    let defined: Vec<VariableId> = acyclic.flatten().copied().collect();
    let (mut roots, mut names) = (Vec::new(), FxHashMap::default());
    for x in components.into_iter().flatten() {
        let class = definition(graph, domains, &expressions, x)?;
        let is_local = system.variable(x).kind == VariableRole::Local;
        if defined.contains(&x) {
            let read = graph.add_uncanonical(ENode::new(Head::Variable(x), []));
            graph.union_trusted(read, class, SUBSTITUTION);
        }
        match is_local && defined.contains(&x) {
            true => names.extend([(class, system.variable(x).name.to_string())]),
            false => roots.push((x, class)),
        }
    }
    graph.rebuild();
    Ok(SystemRoots { defined, roots, names })
}

/// `D : case e1; …; en; esac` for the equations of a variable, with its declared domain.
fn definition(
    graph: &mut ExpressionGraph<'_>,
    domains: &Domains,
    expressions: &[Id],
    x: VariableId,
) -> Result<Id, EngineError> {
    let system = graph.analysis.system;
    let all: Vec<Id> =
        system.definitions(x).map(|equation| expressions[equation.expression.index()]).collect();
    let right = match all[..] {
        [only] => only,
        _ => graph.add_uncanonical(ENode::new(Head::Case, all)),
    };
    let set = graph.analysis.set_id(domains.declared(x))?;
    let set = graph.add_uncanonical(ENode::new(Head::Set(set), []));
    Ok(graph.add_uncanonical(ENode::new(Head::Restrict, [set, right])))
}
