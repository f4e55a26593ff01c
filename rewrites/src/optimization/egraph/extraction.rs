//! Extracts a system of the cheapest terms: the results of reductions, and what is used more than once, become
//! variables.

use super::cost::{Cost, PointCounts};
use super::expressions::ExpressionBuilder;
use super::facts::{ExpressionGraph, Fact};
use super::language::{ENode, Head};
use super::liveness::live;
use alpha::syntax::{Equation, ExprId, Expression, System, VariableId};
use base::diagnostics::Span;
use egg::{Extractor, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The term chosen for each class.
pub struct ChosenTerms {
    terms: FxHashMap<Id, ENode>,
    /// The classes that are variables of their own: roots and stored results.
    kept: FxHashSet<Id>,
}

impl ChosenTerms {
    /// Chooses the cheapest terms of some variables. Each may read the variables before it, but no other `defined`
    /// one. `None` if one of them has no term that can be computed.
    pub fn cheapest(
        graph: &ExpressionGraph<'_>,
        counts: &PointCounts,
        defined: &[VariableId],
        roots: &[(VariableId, Id)],
    ) -> Option<ChosenTerms> {
        let mut terms: FxHashMap<Id, ENode> = FxHashMap::default();
        for (at, (_, root)) in roots.iter().enumerate() {
            let is_before = |x: &VariableId| roots[..at].iter().any(|(before, _)| before == x);
            let unread: Vec<VariableId> = defined.iter().copied().filter(|x| !is_before(x)).collect();
            let extractor = Extractor::new(graph, Cost { graph, counts, unread: &unread });
            if !extractor.find_best_cost(*root).total().is_finite() {
                return None;
            }
            let mut pending = vec![graph.find(*root)];
            while let Some(class) = pending.pop() {
                if let Entry::Vacant(entry) = terms.entry(class) {
                    let term = entry.insert(extractor.find_best_node(class).clone());
                    pending.extend(term.operands.iter().map(|&operand| graph.find(operand)));
                }
            }
        }
        let kept = roots.iter().map(|(_, root)| graph.find(*root)).collect();
        let mut chosen = ChosenTerms { terms, kept };
        chosen.keep(graph, counts);
        Some(chosen)
    }

    /// Stores the results of reductions, and of operations that several terms use, directly or through reads, or
    /// that are read at more points than they have; only where these points are finitely many.
    fn keep(&mut self, graph: &ExpressionGraph<'_>, counts: &PointCounts) {
        let mut users: FxHashMap<Id, FxHashSet<Id>> = FxHashMap::default();
        for (&class, term) in &self.terms {
            for &operand in &term.operands {
                users.entry(graph.find(operand)).or_default().insert(class);
            }
        }
        let shared = |of: &Id| {
            let (mut pending, mut seen, mut uses) = (vec![*of], FxHashSet::default(), 0);
            while let Some(class) = pending.pop() {
                if counts.points(graph, *of) < counts.points(graph, class) {
                    return true;
                }
                uses += usize::from(self.kept.contains(&class));
                for &user in users.get(&class).into_iter().flatten() {
                    let twice =
                        self.terms[&user].operands.iter().filter(|&&id| graph.find(id) == class).count();
                    match self.terms[&user].head {
                        Head::Reduce(_) | Head::ReduceOver(_) => uses += 1,
                        head if head.is_operation() => uses += twice,
                        _ if seen.insert(user) => pending.push(user),
                        _ => {}
                    }
                }
            }
            uses > 1
        };
        let reductions =
            |class: &&Id| matches!(self.terms[*class].head, Head::Reduce(_) | Head::ReduceOver(_));
        let kept: Vec<Id> = self
            .terms
            .keys()
            .filter(|class| reductions(class) || self.terms[*class].head.is_operation() && shared(class))
            .filter(|class| counts.points(graph, **class).is_finite())
            .copied()
            .collect();
        self.kept.extend(kept);
    }

    fn term(&self, graph: &ExpressionGraph<'_>, class: Id) -> &ENode {
        &self.terms[&graph.find(class)]
    }

    fn head(&self, graph: &ExpressionGraph<'_>, class: Id) -> Head {
        self.term(graph, class).head
    }
}

/// A system under construction.
pub struct Extraction<'g, 'a> {
    graph: &'g ExpressionGraph<'a>,
    chosen: &'g ChosenTerms,
    system: System,
    /// The variable that stores a class.
    kept: FxHashMap<Id, VariableId>,
    /// The source's names for new variables, where it has one.
    names: FxHashMap<Id, String>,
    built: FxHashMap<Id, ExprId>,
}

impl<'g, 'a> Extraction<'g, 'a> {
    /// The system in which these variables have these values. Stored classes get the names in `names` that are
    /// free.
    pub fn system(
        graph: &'g ExpressionGraph<'a>,
        chosen: &'g ChosenTerms,
        roots: &[(VariableId, Id)],
        defined: &[VariableId],
        names: FxHashMap<Id, String>,
    ) -> Option<System> {
        let mut system = graph.analysis.system.clone();
        system.equations.clear();
        for x in defined.iter().filter(|x| roots.iter().all(|(y, _)| y != *x)) {
            system.variables[x.index()].name = "".into();
        }
        let (kept, built) = (FxHashMap::default(), FxHashMap::default());
        let mut extraction = Extraction { graph, chosen, system, kept, names, built };
        for &(x, class) in roots {
            let class = graph.find(class);
            let expression = match extraction.kept.get(&class) {
                Some(&y) => extraction.system.push(Expression::Variable(y), Span::default()),
                None => extraction.build(class)?,
            };
            if let Entry::Vacant(entry) = extraction.kept.entry(class) {
                entry.insert(x);
                let read = extraction.system.push(Expression::Variable(x), Span::default());
                extraction.built.insert(class, read);
            }
            extraction.equation(x, expression);
        }
        Some(live(&extraction.system))
    }

    fn equation(&mut self, variable: VariableId, expression: ExprId) {
        self.system.equations.push(Equation { variable, indices: None, expression, span: Span::default() });
    }

    /// Builds the expression of a class after those of the classes below it; pending classes are on a stack.
    fn build(&mut self, root: Id) -> Option<ExprId> {
        let root = self.graph.find(root);
        let mut pending = vec![(root, false)];
        while let Some((class, ready)) = pending.pop() {
            let class = self.graph.find(class);
            if self.built.contains_key(&class) || self.is_index(class) {
                continue;
            }
            let (graph, chosen) = (self.graph, self.chosen);
            let term = chosen.term(graph, class);
            if !ready {
                pending.push((class, true));
                pending.extend(term.operands.iter().map(|&operand| (operand, false)));
                continue;
            }
            let built = &self.built;
            let head = |id: Id| chosen.head(graph, id);
            let of = |id: Id| built.get(&graph.find(id)).copied();
            let expression =
                ExpressionBuilder { graph, head: &head, of: &of }.expression(&mut self.system, term)?;
            let mut e = self.system.push(expression, Span::default());
            if class != root && chosen.kept.contains(&class) {
                let x = self.keep(class)?;
                self.equation(x, e);
                e = self.system.push(Expression::Variable(x), Span::default());
            }
            self.built.insert(class, e);
        }
        self.built.get(&root).copied()
    }

    fn is_index(&self, class: Id) -> bool {
        !matches!(self.graph[class].data, Fact::Value { .. })
    }

    /// Adds a local variable for a class.
    fn keep(&mut self, class: Id) -> Option<VariableId> {
        let Fact::Value { domain: Some(id), data_type } = self.graph[class].data else { return None };
        let set = self.graph.analysis.written(id)?;
        // A scalar may be defined for some parameters only.
        let is_everywhere = set.pieces.iter().any(|piece| piece.constraints().next().is_none());
        let domain = match set.space.rank() {
            0 if is_everywhere => None,
            _ => Some(self.system.push_set(&set, Span::default())),
        };
        let names = self.names.get(&class).cloned().into_iter().chain((1..).map(|k| format!("t{k}")));
        let x = self.system.push_local(names, domain, data_type, Span::default());
        self.kept.insert(class, x);
        Some(x)
    }
}
