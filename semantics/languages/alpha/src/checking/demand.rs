//! The elements on which an output depends. A fault elsewhere cannot change an output, and is a warning.
//!
//! They are found for all parameters, starting from the outputs, each variable before those that it reads. If a
//! recurrence has no exact transitive closure, the result may be too large; then single values of the parameters
//! are searched for an element at fault on which an output does depend ([`following`](super::following)). If none
//! is found and none is excluded, the fault is an error, as in the paper.

use super::SystemChecker;
use super::following::Followed;
use super::witness::FaultWitness;
use crate::accesses::walk;
use crate::domains::Undecided;
use crate::syntax::{Equation, ExprId, Expression, VariableId, VariableRole};
use base::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Closure, EngineError, IndexRelation, IndexSet, Sample};

/// Added to a message about a fault that cannot change an output.
const UNREAD: &str = ", on which no output depends";
/// The hint if that is not known.
const PERHAPS: &str = "whether an output depends on it is not decided";
/// The hint if that is known of the example only.
const SUCH_AS: &str = "an output depends on the example, and perhaps not on all of them";
/// The maximum number of steps followed until no new elements are found. Chosen: half and twice give the same
/// verdicts (`docs/limits.md`).
const MAX_ROUNDS: usize = 12;
/// The maximum number of values of the parameters at which an element that an output depends on is searched
/// for. Chosen: half and twice give the same verdicts (`docs/limits.md`).
const MAX_PARAMETERS: usize = 6;

/// The variable or expression to which points at fault belong.
#[derive(Clone, Copy)]
pub(super) enum Site {
    Variable(VariableId),
    /// Points at which the expression is evaluated.
    Expression(ExprId),
    /// Any points: the expression is at fault wherever it is evaluated.
    Everywhere(ExprId),
}

/// The points of a set on which an output depends.
#[derive(Clone)]
pub(super) struct Demanded {
    pub(super) points: IndexSet,
    /// Whether the points are exact; otherwise there may be too many.
    pub(super) exact: bool,
}

/// Whether an output depends on a point at fault.
enum Relevance {
    /// One on which it depends, as the example, if there is a choice.
    Relevant(Option<Sample>),
    Irrelevant,
    Unknown,
}

impl SystemChecker<'_> {
    /// The findings about some points: an error about those on which an output depends, and a warning about the
    /// others. The demand is computed only if there are points and it makes a difference.
    pub(super) fn graded(
        &self,
        span: Span,
        code: Code,
        site: Site,
        points: &IndexSet,
        finding: impl Fn(&FaultWitness) -> Diagnostic,
    ) -> Result<Vec<Diagnostic>, Undecided> {
        let mut findings = Vec::new();
        if Undecided::at(span, self.engine.is_empty(points))? {
            return Ok(findings);
        }
        let demanded = match self.as_printed {
            true => Demanded { points: points.clone(), exact: true },
            false => self.demanded_of(site, points)?,
        };
        let mut report = |points: &IndexSet, example, change: &dyn Fn(Diagnostic) -> Diagnostic| {
            if let Some(witness) = self.witness(span, points, example)? {
                findings.push(change(finding(&witness)));
            }
            Ok(())
        };
        let error = |mut finding: Diagnostic| {
            finding.code = code;
            finding
        };
        let warning = |mut finding: Diagnostic| {
            finding.code = Code::P0016;
            finding.message += UNREAD;
            finding
        };
        let mut others = Undecided::at(span, self.engine.difference(points, &demanded.points))?;
        match Undecided::at(span, self.relevance(site, &demanded))? {
            Relevance::Relevant(None) => report(&demanded.points, None, &error)?,
            Relevance::Relevant(example) => {
                report(&demanded.points, example, &|finding| match finding.hint {
                    Some(_) => error(finding),
                    None => error(finding).hint(SUCH_AS),
                })?;
            }
            Relevance::Unknown => report(&demanded.points, None, &|finding| error(finding).hint(PERHAPS))?,
            Relevance::Irrelevant => others = points.clone(),
        }
        report(&others, None, &warning)?;
        Ok(findings)
    }

    /// The points at fault on which an output depends.
    fn demanded_of(&self, site: Site, points: &IndexSet) -> Result<Demanded, Undecided> {
        match site {
            Site::Variable(x) => {
                let demanded = &self.demand()?[x.index()];
                let both = demanded.points.renamed(&points.space.dimensions);
                let both = both.and_then(|demanded| self.engine.intersection(points, &demanded));
                let points = Undecided::at(self.system.variable(x).span, both)?;
                Ok(Demanded { points, exact: demanded.exact })
            }
            Site::Expression(e) => self.evaluated(e, points),
            Site::Everywhere(e) => {
                let evaluated = self.evaluated(e, self.domains.domain(e))?;
                let parameters = self.engine.parameters(&evaluated.points);
                let points = parameters
                    .and_then(|some| self.engine.intersection(points, &some.parameters_in(&points.space)));
                Ok(Demanded { points: Undecided::at(self.system.span(e), points)?, exact: evaluated.exact })
            }
        }
    }

    /// The points of a set at which an expression is evaluated for an output.
    fn evaluated(&self, e: ExprId, set: &IndexSet) -> Result<Demanded, Undecided> {
        let demand = self.demand()?;
        let mut evaluated = Demanded { points: IndexSet::empty(set.space.clone()), exact: true };
        for equation in self.system.equations.iter().filter(|equation| self.contains(equation, e)) {
            let read = &demand[equation.variable.index()];
            walk(self.system, self.domains, self.engine, equation, |part, relation| {
                if part == e {
                    let range = self.range(relation, &read.points, set);
                    let more = range.and_then(|range| self.engine.union(&evaluated.points, &range));
                    evaluated.points = Undecided::at(self.system.span(e), more)?;
                    evaluated.exact &= read.exact;
                }
                Ok(())
            })?;
        }
        Ok(evaluated)
    }

    /// Whether an output depends on one of the points found to be demanded.
    fn relevance(&self, site: Site, demanded: &Demanded) -> Result<Relevance, EngineError> {
        if demanded.exact {
            return Ok(Relevance::Relevant(None));
        }
        let (mut rest, mut all_followed) = (demanded.points.clone(), true);
        for _ in 0..MAX_PARAMETERS {
            let Some(sample) = self.engine.sample(&rest)? else {
                return Ok(if all_followed { Relevance::Irrelevant } else { Relevance::Unknown });
            };
            match self.followed(site, &demanded.points, &sample) {
                Followed::Found(sample) => return Ok(Relevance::Relevant(Some(sample))),
                Followed::All => {}
                Followed::Some => all_followed = false,
            }
            let these = IndexSet::with_columns(&rest.space, &sample.parameters)?;
            rest = self.engine.difference(&rest, &these)?;
        }
        Ok(Relevance::Unknown)
    }

    /// For every variable, the elements on which an output depends; computed on the first call.
    pub(super) fn demand(&self) -> Result<&[Demanded], Undecided> {
        if let Some(demand) = self.demand.get() {
            return Ok(demand);
        }
        let demand = match self.demanded() {
            Err(undecided) if undecided.error.is_out_of_budget() => self.everything(),
            demand => demand?,
        };
        Ok(self.demand.get_or_init(|| demand))
    }

    /// Every element of each variable that an output depends on: an upper bound.
    fn everything(&self) -> Vec<Demanded> {
        let all = |x: VariableId| self.domains.declared(x).clone();
        let of = |x: VariableId| match self.needed[x.index()] {
            true => Demanded { points: all(x), exact: false },
            false => Demanded { points: IndexSet::empty(all(x).space), exact: true },
        };
        self.system.variable_ids().map(of).collect()
    }

    /// Computes the demand from the outputs on, each variable before those that it reads.
    fn demanded(&self) -> Result<Vec<Demanded>, Undecided> {
        let start = |x: VariableId| match self.system.variable(x).kind {
            VariableRole::Output => self.domains.declared(x).clone(),
            _ => IndexSet::empty(self.domains.declared(x).space.clone()),
        };
        let mut demand: Vec<Demanded> =
            self.system.variable_ids().map(|x| Demanded { points: start(x), exact: true }).collect();
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

    /// Closes the demand of a component under the dependences within it.
    fn close(&self, component: &[VariableId], demand: &mut [Demanded]) -> Result<(), Undecided> {
        let dependences = self.dependences(component)?;
        let span = self.system.variable(component[0]).span;
        let closed = || {
            let space = self.tagged_space(component);
            let start =
                component.iter().enumerate().try_fold(IndexSet::empty(space.clone()), |all, (at, x)| {
                    all.union(&self.tag(&demand[x.index()].points, at, &space)?)
                })?;
            let reached = self.reached(&self.together(&dependences, &space)?, &start)?;
            let exact = reached.exact && component.iter().all(|x| demand[x.index()].exact);
            let of = |(at, x): (usize, &VariableId)| {
                let points = self.untag(&reached.points, at, *x)?;
                let points = self.engine.intersection(self.domains.declared(*x), &points)?;
                Ok(Demanded { points, exact })
            };
            component.iter().enumerate().map(of).collect::<Result<Vec<_>, EngineError>>()
        };
        let all = |x: &VariableId| Demanded { points: self.domains.declared(*x).clone(), exact: false };
        let closed = match closed() {
            Err(error) if error.is_out_of_budget() => component.iter().map(all).collect(),
            closed => Undecided::at(span, closed)?,
        };
        component.iter().zip(closed).for_each(|(x, closed)| demand[x.index()] = closed);
        Ok(())
    }

    /// The points reachable from `start`, including `start`.
    fn reached(&self, steps: &IndexRelation, start: &IndexSet) -> Result<Demanded, EngineError> {
        let everywhere = IndexSet::universe(start.space.clone());
        let by =
            |closure: &IndexRelation| self.engine.union(start, &self.range(closure, start, &everywhere)?);
        let closure = self.closure(steps)?;
        if let Some(Closure { relation, exact: true }) = &closure {
            return Ok(Demanded { points: by(relation)?, exact: true });
        }
        let mut points = start.clone();
        for _ in 0..MAX_ROUNDS {
            let next = self.range(steps, &points, &everywhere)?;
            if self.engine.is_subset(&next, &points)? {
                return Ok(Demanded { points, exact: true });
            }
            points = self.engine.union(&points, &next)?;
        }
        let points = closure.map_or(Ok(everywhere.clone()), |closure| by(&closure.relation))?;
        Ok(Demanded { points, exact: false })
    }

    /// Adds the elements outside the component that the demanded elements of an equation read.
    fn pass_on(
        &self,
        equation: &Equation,
        component: &[VariableId],
        demand: &mut [Demanded],
    ) -> Result<(), Undecided> {
        let read = demand[equation.variable.index()].clone();
        walk(self.system, self.domains, self.engine, equation, |e, relation| {
            if let Expression::Variable(y) = self.system.expression(e)
                && component.binary_search(y).is_err()
            {
                let range = self.range(relation, &read.points, self.domains.declared(*y));
                let known = &mut demand[y.index()];
                let more = range.and_then(|range| self.engine.union(&known.points, &range));
                known.points = Undecided::at(self.system.span(e), more)?;
                known.exact &= read.exact;
            }
            Ok(())
        })
    }

    /// The points of `set` that a relation reaches from points of `start`.
    fn range(
        &self,
        relation: &IndexRelation,
        start: &IndexSet,
        set: &IndexSet,
    ) -> Result<IndexSet, EngineError> {
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
