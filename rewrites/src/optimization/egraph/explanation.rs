//! Explains why an e-graph contains two systems in the same classes: a derivation, line by line, that a checker
//! replays.

use super::expressions::{added, push};
use super::facts::ExpressionGraph;
use super::language::{ENode, Head};
use super::rewriting::{AT, BACKWARD};
use alpha::domains::Domains;
use alpha::printing::print_expression;
use alpha::syntax::{System, VariableId, VariableRole};
use alpha::uses::Uses;
use egg::{FlatTerm, Id, RecExpr, TreeExplanation, TreeTerm};
use link::certificate::{DerivationLine, VariableDerivation};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The maximum number of lines of a derivation. Each is a theorem that the checker checks against two whole
/// systems, and nobody reads more.
const MAX_LINES: usize = 1_000;

/// The maximum number of terms in a line. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_TERMS: usize = 1_000;

/// Derives the definitions of another system's variables from those of the source; `None` if the e-graph does not
/// contain them, or the derivation is too long. `roots`: the term of each definition.
pub fn derived(
    graph: &mut ExpressionGraph<'_>,
    result: &System,
    domains: &Domains,
    roots: &[(VariableId, Id)],
) -> Option<Vec<VariableDerivation>> {
    let definitions = definitions(graph, result, domains)?;
    let mut all = Vec::new();
    for &(x, from) in roots {
        let name = graph.analysis.system.variable(x).name.to_string();
        // A variable that is missing in the result is a local that nothing reads.
        let Some(&to) = result.find(&name).and_then(|y| definitions.get(&y)) else { continue };
        if graph.find(from) != graph.find(to) {
            return None;
        }
        let mut explanation = graph.explain_id_equivalence(from, to);
        let [lines, terms] = ExplanationSize::default().measure(&explanation.explanation_trees);
        if lines > MAX_LINES || terms > MAX_TERMS {
            return None;
        }
        let lines = explanation.make_flat_explanation();
        let texts: Vec<String> = lines.iter().map(|line| text(graph, line)).collect::<Option<_>>()?;
        let steps = lines.iter().zip(&texts).skip(1).map(|(line, text)| step(line, text));
        all.push(VariableDerivation {
            variable: name,
            from: texts[0].clone(),
            lines: steps.collect::<Option<_>>()?,
        });
    }
    Some(all)
}

/// The sizes of explanations when written out; shared parts are computed once.
#[derive(Default)]
struct ExplanationSize(FxHashMap<*const TreeTerm<ENode>, [usize; 2]>);

impl ExplanationSize {
    /// The number of steps of a proof, and an upper bound of the number of terms of its largest line.
    fn measure(&mut self, proof: &TreeExplanation<ENode>) -> [usize; 2] {
        let mut all = [0_usize; 2];
        for term in proof {
            let [steps, terms] = self.measure_term(term);
            all = [all[0].saturating_add(steps), all[1].max(terms)];
        }
        all
    }

    fn measure_term(&mut self, term: &Rc<TreeTerm<ENode>>) -> [usize; 2] {
        if let Some(&known) = self.0.get(&Rc::as_ptr(term)) {
            return known;
        }
        let own = usize::from(term.forward_rule.is_some() || term.backward_rule.is_some());
        let mut all = [own, 1_usize];
        for child in &term.child_proofs {
            let of_child = self.measure(child);
            all = [0, 1].map(|k| all[k].saturating_add(of_child[k]));
        }
        self.0.insert(Rc::as_ptr(term), all);
        all
    }
}

/// The terms that define the variables of a system; locals that do not depend on themselves are inlined.
fn definitions(
    graph: &mut ExpressionGraph<'_>,
    system: &System,
    domains: &Domains,
) -> Option<FxHashMap<VariableId, Id>> {
    let uses = Uses::new(system);
    let (mut definitions, mut inlined) = (FxHashMap::default(), FxHashMap::default());
    let mut terms = vec![None; system.expressions().len()];
    for component in uses.components().into_iter().rev() {
        let is_inlined = !uses.is_cycle(&component);
        for x in component {
            let mut equations = system.definitions(x);
            let (Some(equation), None) = (equations.next(), equations.next()) else { continue };
            let read = |graph: &mut ExpressionGraph<'_>, y: VariableId| {
                let variable = system.variable(y);
                match inlined.get(&y) {
                    Some(&term) => Some(term),
                    None => {
                        let same = graph.analysis.system.find(&variable.name)?;
                        Some(graph.add_uncanonical(ENode::new(Head::Variable(same), [])))
                    }
                }
            };
            let term = added(graph, system, domains, equation.expression, &mut terms, &read)?;
            definitions.insert(x, term);
            if is_inlined && system.variable(x).kind == VariableRole::Local {
                inlined.insert(x, term);
            }
        }
    }
    Some(definitions)
}

/// The text of a line.
fn text(graph: &ExpressionGraph<'_>, line: &FlatTerm<ENode>) -> Option<String> {
    let mut terms: RecExpr<ENode> = RecExpr::default();
    let mut pending = vec![(line, false)];
    let mut done: Vec<Id> = Vec::new();
    while let Some((term, is_ready)) = pending.pop() {
        if !is_ready {
            pending.push((term, true));
            pending.extend(term.children.iter().rev().map(|child| (child, false)));
            continue;
        }
        let operands = done.split_off(done.len() - term.children.len());
        done.push(terms.add(ENode::new(term.node.head, operands)));
    }
    let mut system = graph.analysis.system.clone();
    let e = push(graph, &mut system, &terms)?;
    Some(print_expression(&system, e))
}

/// How a line follows from the previous one.
fn step(line: &FlatTerm<ENode>, text: &str) -> Option<DerivationLine> {
    let mut pending = vec![(line, Vec::new())];
    while let Some((term, at)) = pending.pop() {
        if let Some(rule) = term.forward_rule.or(term.backward_rule) {
            let label = rule.as_str();
            let (by, is_backward) = label.strip_suffix(BACKWARD).map_or((label, false), |by| (by, true));
            let backward = is_backward != term.backward_rule.is_some();
            let (by, sizes) =
                by.split_once(AT).map_or((by, None), |(by, sizes)| (by, Some(sizes.to_owned())));
            return Some(DerivationLine { by: by.to_owned(), sizes, backward, at, to: text.to_owned() });
        }
        let is_expression =
            |child: &&FlatTerm<ENode>| !matches!(child.node.head, Head::Set(_) | Head::Map(_));
        for (k, child) in term.children.iter().filter(is_expression).enumerate() {
            pending.push((child, [&at[..], &[k]].concat()));
        }
    }
    None
}
