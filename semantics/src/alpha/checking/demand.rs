//! What an output depends on. A fault elsewhere can change no output, and is a warning.

use super::Checker;
use super::witness::Witness;
use crate::alpha::accesses::walk;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Equation, ExprId, Expression, Kind, VariableId};
use crate::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Error, IndexSet, Relation};

/// What a message about a fault that can change no output adds.
const UNREAD: &str = ", on which no output depends";

impl Checker<'_> {
    /// The findings about some points: an error about those that are `demanded`, as an output depends on them, and a warning
    /// about the others. Which are demanded is asked only if there are points, and if it makes a difference.
    pub(super) fn graded(
        &self,
        span: Span,
        code: Code,
        points: &IndexSet,
        demanded: impl FnOnce() -> Result<IndexSet, Undecided>,
        finding: impl Fn(&Witness) -> Diagnostic,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let mut findings = Vec::new();
        if Undecided::at(span, self.engine.is_empty(points))? {
            return Ok(findings);
        }
        let demanded = if self.as_printed { points.clone() } else { demanded()? };
        let others = Undecided::at(span, self.engine.difference(points, &demanded))?;
        for (code, points, unread) in [(code, &demanded, ""), (Code::P0016, &others, UNREAD)] {
            if let Some(witness) = self.witness(span, points)? {
                let mut finding = finding(&witness);
                finding.code = code;
                finding.message += unread;
                findings.push(finding);
            }
        }
        Ok(findings)
    }

    /// The points of a set at which an expression is evaluated for an output, and perhaps more.
    pub(super) fn evaluated(&self, e: ExprId, set: &IndexSet) -> Result<IndexSet, Undecided> {
        let demand = self.demand()?;
        let mut points = IndexSet::empty(set.space.clone());
        for equation in self.system.equations.iter().filter(|equation| self.contains(equation, e)) {
            let read = &demand[equation.variable.index()];
            walk(self.system, self.domains, self.engine, equation, |part, relation| {
                if part == e {
                    let range = self.range(relation, read, set);
                    let more = range.and_then(|range| self.engine.union(&points, &range));
                    points = Undecided::at(self.system.span(e), more)?;
                }
                Ok(())
            })?;
        }
        Ok(points)
    }

    /// The points of a set at which a variable is read for an output, and perhaps more.
    pub(super) fn read(&self, x: VariableId, set: &IndexSet) -> Result<IndexSet, Undecided> {
        let read = self.demand()?[x.index()].renamed(&set.space.dimensions);
        let both = read.and_then(|read| self.engine.intersection(set, &read));
        Undecided::at(self.system.variable(x).span, both)
    }

    /// For every variable the elements on which an output depends, and perhaps more; found when it is first asked for.
    pub(super) fn demand(&self) -> Result<&[IndexSet], Undecided> {
        if let Some(demand) = self.demand.get() {
            return Ok(demand);
        }
        let demand = match self.demanded() {
            Err(undecided) if undecided.error.is_out_of_budget() => self.everything(),
            demand => demand?,
        };
        Ok(self.demand.get_or_init(|| demand))
    }

    /// Every element of a variable that an output depends on.
    fn everything(&self) -> Vec<IndexSet> {
        let all = |x: VariableId| self.domains.declared(x).clone();
        let of = |x: VariableId| match self.needed[x.index()] {
            true => all(x),
            false => IndexSet::empty(all(x).space),
        };
        self.system.variable_ids().map(of).collect()
    }

    /// From the outputs on, variables before those that they read.
    fn demanded(&self) -> Result<Vec<IndexSet>, Undecided> {
        let start = |x: VariableId| match self.system.variable(x).kind {
            Kind::Output => self.domains.declared(x).clone(),
            _ => IndexSet::empty(self.domains.declared(x).space.clone()),
        };
        let mut demand: Vec<IndexSet> = self.system.variable_ids().map(start).collect();
        for component in self.uses.components().iter().filter(|component| self.needed[component[0].index()]) {
            if self.uses.is_cycle(component) {
                self.close(component, &mut demand)?;
            }
            for equation in component.iter().flat_map(|&x| self.definitions(x)) {
                self.pass_on(equation, component, &mut demand)?;
            }
        }
        Ok(demand)
    }

    /// Adds what the demanded elements of a component lead to within it.
    fn close(&self, component: &[VariableId], demand: &mut [IndexSet]) -> Result<(), Undecided> {
        let dependences = self.dependences(component)?;
        let span = self.system.variable(component[0]).span;
        let closed = || {
            let space = self.tagged_space(component);
            let start =
                component.iter().enumerate().try_fold(IndexSet::empty(space.clone()), |all, (at, x)| {
                    all.union(&self.tag(&demand[x.index()], at, &space)?)
                })?;
            let steps = self.together(&dependences, &space)?;
            let closure = self.closure(&steps)?.relation;
            let reached = self.range(&closure, &start, &IndexSet::universe(space))?;
            let of = |(at, x): (usize, &VariableId)| {
                let declared = self.domains.declared(*x);
                let points = self.engine.union(&demand[x.index()], &self.untag(&reached, at, *x)?)?;
                self.engine.intersection(declared, &points)
            };
            component.iter().enumerate().map(of).collect::<Result<Vec<_>, Error>>()
        };
        let closed = match closed() {
            Err(error) if error.is_out_of_budget() => {
                component.iter().map(|&x| self.domains.declared(x).clone()).collect()
            }
            closed => Undecided::at(span, closed)?,
        };
        component.iter().zip(closed).for_each(|(x, closed)| demand[x.index()] = closed);
        Ok(())
    }

    /// Adds what the demanded elements of an equation read outside its component.
    fn pass_on(
        &self,
        equation: &Equation,
        component: &[VariableId],
        demand: &mut [IndexSet],
    ) -> Result<(), Undecided> {
        let read = demand[equation.variable.index()].clone();
        walk(self.system, self.domains, self.engine, equation, |e, relation| {
            if let Expression::Variable(y) = self.system.expression(e)
                && component.binary_search(y).is_err()
            {
                let range = self.range(relation, &read, self.domains.declared(*y));
                let more = range.and_then(|range| self.engine.union(&demand[y.index()], &range));
                demand[y.index()] = Undecided::at(self.system.span(e), more)?;
            }
            Ok(())
        })
    }

    /// The points of `set` to which a relation leads from points of `start`.
    fn range(&self, relation: &Relation, start: &IndexSet, set: &IndexSet) -> Result<IndexSet, Error> {
        let start = start.renamed(&relation.domain_space().dimensions)?;
        let range = self.engine.eliminate_existentials(&relation.restrict_domain(&start)?.range())?;
        self.engine.intersection(set, &range.renamed(&set.space.dimensions)?)
    }

    /// Whether an expression is part of an equation's right side.
    fn contains(&self, equation: &Equation, e: ExprId) -> bool {
        let mut pending = vec![equation.expression];
        while let Some(part) = pending.pop() {
            if part == e {
                return true;
            }
            pending.extend(self.system.expression(part).operands());
        }
        false
    }
}
