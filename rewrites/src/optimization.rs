//! A cheaper system with the same outputs: saturation of an e-graph, and extraction by cost.
//!
//! Nothing here is trusted: whether the result is the same program is for the prover and the checker.

use crate::egraph::cost::operations;
use crate::egraph::expressions::add_all;
use crate::egraph::extraction::{Chosen, Extraction};
use crate::egraph::facts::{Facts, Graph};
use crate::egraph::language::{Head, Term};
use crate::egraph::rewriting::Rewrite;
use crate::egraph::saturation::{Limits, Report, saturate};
use egg::{EGraph, Id};
use polyhedra::{Engine, Error};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::alpha::domains::Domains;
use semantics::alpha::syntax::{Expression, Kind, System, VariableId};

/// A cheaper system.
#[derive(Clone, Debug)]
pub struct Optimized {
    /// The system.
    pub system: System,
    /// The arithmetic operations of the original and of this one, at the given parameters.
    pub operations: [f64; 2],
    /// How the e-graph grew.
    pub report: Report,
    /// How many terms it had in the end.
    pub terms: usize,
}

/// Looks for a cheaper system.
///
/// # Errors
/// The engine is out of budget.
pub fn optimize(
    system: &System,
    domains: &Domains,
    parameters: &[i64],
    rewrites: &[Rewrite],
    limits: Limits,
    engine: &dyn Engine,
) -> Result<Option<Optimized>, Error> {
    let mut graph: Graph<'_> = EGraph::new(Facts::new(system, domains, engine));
    let expressions = add_all(&mut graph, domains)?;
    let defined = not_recursive(system);
    let mut roots = Vec::new();
    let mut names = FxHashMap::default();
    for x in system.variable_ids().filter(|&x| system.variable(x).kind != Kind::Input) {
        let class = definition(&mut graph, domains, &expressions, x)?;
        let is_local = system.variable(x).kind == Kind::Local;
        if defined.contains(&x) {
            let read = graph.add(Term::new(Head::Variable(x), []));
            graph.union_trusted(read, class, "alpha/equation-2");
        }
        match is_local && defined.contains(&x) {
            true => names.extend([(class, system.variable(x).name.to_string())]),
            false => roots.push((x, class)),
        }
    }
    graph.rebuild();
    roots.sort_by_key(|(x, _)| dependences(system, *x).len());
    let report = saturate(&mut graph, rewrites, limits);
    let names = names.into_iter().map(|(class, name)| (graph.find(class), name)).collect();
    let Some(chosen) = Chosen::cheapest(&graph, parameters, &defined, &roots) else { return Ok(None) };
    let terms = graph.total_number_of_nodes();
    let Some(result) = Extraction::system(&graph, &chosen, &roots, &defined, names) else { return Ok(None) };
    let of_result = Domains::new(&result, engine, None).map_err(|undecided| undecided.error)?;
    let operations = [operations(system, domains, parameters), operations(&result, &of_result, parameters)];
    Ok(operations.iter().all(|count| count.is_finite()).then_some(Optimized {
        system: result,
        operations,
        report,
        terms,
    }))
}

/// `D : case e1; …; en; esac` for the equations of a variable, with its declared domain.
fn definition(
    graph: &mut Graph<'_>,
    domains: &Domains,
    expressions: &[Id],
    x: VariableId,
) -> Result<Id, Error> {
    let system = graph.analysis.system;
    let all: Vec<Id> =
        system.definitions(x).map(|equation| expressions[equation.expression.index()]).collect();
    let right = match all[..] {
        [only] => only,
        _ => graph.add(Term::new(Head::Case, all)),
    };
    let set = graph.analysis.set_id(domains.declared(x))?;
    let set = graph.add(Term::new(Head::Set(set), []));
    Ok(graph.add(Term::new(Head::Restrict, [set, right])))
}

/// The variables, other than inputs, that do not depend on themselves.
fn not_recursive(system: &System) -> Vec<VariableId> {
    let computed = |x: &VariableId| system.variable(*x).kind != Kind::Input;
    system.variable_ids().filter(computed).filter(|&x| !dependences(system, x).contains(&x)).collect()
}

/// All variables that a variable depends on.
fn dependences(system: &System, x: VariableId) -> FxHashSet<VariableId> {
    let (mut pending, mut found, mut seen) = (vec![x], FxHashSet::default(), FxHashSet::default());
    while let Some(x) = pending.pop() {
        let mut expressions: Vec<_> = system.definitions(x).map(|equation| equation.expression).collect();
        while let Some(e) = expressions.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Expression::Variable(y) = system.expression(e)
                && found.insert(*y)
            {
                pending.push(*y);
            }
            expressions.extend(system.expression(e).operands());
        }
    }
    found
}
