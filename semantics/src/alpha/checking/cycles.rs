//! Dependence cycles: an element that depends on itself (Definition 2).
//!
//! Short cycles are found by composing the dependences with themselves, which is exact. For the others,
//! the dependences of the variables of one cycle of definitions are one relation over tagged points `(variable, i, j, …)`.
//! If its transitive closure relates no point to itself, there is no cycle, even where the closure is only bounded from
//! above; if the closure is exact and relates one, there is a cycle. Otherwise only evaluation can tell.

use super::Checker;
use crate::alpha::accesses::walk;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Equation, Expression, VariableId};
use crate::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Affine, BasicSet, Error, Name, Relation, Space};
use rustc_hash::FxHashSet;

/// Cycles of so many steps are looked for one by one.
const SHORT_CYCLE: usize = 3;

impl Checker<'_> {
    pub(super) fn cycles(&mut self) -> Result<(), Undecided> {
        let mut done: FxHashSet<VariableId> = FxHashSet::default();
        for x in self.system.variable_ids() {
            let component = self.component(x);
            if done.insert(x) && component.contains(&x) {
                done.extend(&component);
                self.cycle(x, &component)?;
            }
        }
        Ok(())
    }

    /// The variables that `x` depends on and that depend on `x`.
    fn component(&self, x: VariableId) -> Vec<VariableId> {
        let below = self.reads_of(x);
        let mutual = below.into_iter().filter(|&y| y == x || self.reads_of(y).contains(&x));
        let mut mutual: Vec<VariableId> = mutual.collect();
        mutual.sort_unstable();
        mutual
    }

    /// The variables that a definition of `x` leads to, in any number of steps.
    fn reads_of(&self, x: VariableId) -> FxHashSet<VariableId> {
        let definitions = |x: VariableId| self.system.definitions(x).map(|equation| equation.expression);
        let mut found = FxHashSet::default();
        let mut pending: Vec<_> = definitions(x).collect();
        while let Some(e) = pending.pop() {
            match self.system.expression(e) {
                Expression::Variable(y) => {
                    if found.insert(*y) {
                        pending.extend(definitions(*y));
                    }
                }
                expression => pending.extend(expression.operands()),
            }
        }
        found
    }

    fn cycle(&mut self, x: VariableId, component: &[VariableId]) -> Result<(), Undecided> {
        let span =
            self.system.definitions(x).next().map_or(self.system.variable(x).span, |equation| equation.span);
        let dependences = self.dependences(component)?;
        let judged = self.self_related(span, &dependences);
        match judged {
            Ok(None) => {}
            Ok(Some((true, sample))) => {
                let y = component[usize::try_from(sample.point[0]).unwrap_or(0).min(component.len() - 1)];
                let rank = self.system.variable_rank(y);
                let element = polyhedra::Sample { point: sample.point[1..=rank].to_vec(), ..sample };
                let name = &self.system.variable(y).name;
                let message = format!("an element depends on itself, such as {name}{}", self.point(&element));
                self.findings.push(Diagnostic::new(Code::P0014, span, message, "defined in terms of itself"));
            }
            Ok(Some((false, _))) => self.undecided_cycle(x, span, "the transitive closure is not exact"),
            Err(Undecided { error, .. }) if error.is_out_of_budget() => {
                self.undecided_cycle(x, span, "it is out of budget");
            }
            Err(undecided) => return Err(undecided),
        }
        Ok(())
    }

    fn undecided_cycle(&mut self, x: VariableId, span: Span, reason: &str) {
        let name = &self.system.variable(x).name;
        let message = format!("whether an element of `{name}` depends on itself is not decided: {reason}");
        self.findings.push(Diagnostic::new(Code::P0017, span, message, "evaluation will tell"));
    }

    /// A point that the closure relates to itself, and whether the closure is exact.
    fn self_related(
        &self,
        span: Span,
        dependences: &Relation,
    ) -> Result<Option<(bool, polyhedra::Sample)>, Undecided> {
        let mut steps = dependences.clone();
        for _ in 0..SHORT_CYCLE {
            if let Some(sample) = Undecided::at(span, self.fixed_point(&steps))? {
                return Ok(Some((true, sample)));
            }
            steps = Undecided::at(
                span,
                dependences.after(&steps).and_then(|steps| self.engine.simplify(&steps)),
            )?;
        }
        let closure = Undecided::at(span, self.engine.transitive_closure(dependences))?;
        let sample = Undecided::at(span, self.fixed_point(&closure.relation))?;
        Ok(sample.map(|sample| (closure.exact, sample)))
    }

    /// A point that is related to itself.
    fn fixed_point(&self, relation: &Relation) -> Result<Option<polyhedra::Sample>, Error> {
        let identity = Relation::identity(&relation.domain_space());
        self.engine.sample(&relation.intersect(&identity)?.domain())
    }

    /// All dependences between the variables of a component, over tagged points.
    fn dependences(&self, component: &[VariableId]) -> Result<Relation, Undecided> {
        let rank = component.iter().map(|&x| self.system.variable_rank(x)).max().unwrap_or(0);
        let names: Vec<Name> = (0..=rank).map(|d| format!("t{d}").into()).collect();
        let space = self.system.space(&names);
        let mut all = Relation::new(space.clone(), space.clone(), Vec::new());
        let tag = |x: VariableId| component.iter().position(|&y| y == x);
        for equation in &self.system.equations {
            if let Some(from) = tag(equation.variable) {
                self.dependences_of(equation, from, &tag, &space, &mut all)?;
            }
        }
        Ok(all)
    }

    fn dependences_of(
        &self,
        equation: &Equation,
        from: usize,
        tag: &impl Fn(VariableId) -> Option<usize>,
        space: &Space,
        all: &mut Relation,
    ) -> Result<(), Undecided> {
        walk(self.system, self.domains, self.engine, equation, |e, relation| {
            if let Expression::Variable(y) = self.system.expression(e)
                && let Some(to) = tag(*y)
            {
                let read =
                    Undecided::at(self.system.span(e), relation.restrict_range(self.domains.declared(*y)))?;
                let tagged = Undecided::at(self.system.span(e), tagged(&read, from, to, space))?;
                *all = Undecided::at(self.system.span(e), all.union(&tagged))?;
            }
            Ok(())
        })
    }
}

/// A relation over tagged points: the tag, the coordinates, and zeros up to the common rank.
fn tagged(relation: &Relation, from: usize, to: usize, space: &Space) -> Result<Relation, Error> {
    let parameters = space.parameters.len();
    let (inputs, all) = (relation.inputs, relation.graph.space.rank());
    let width = space.rank();
    let place = |at: usize| match at.checked_sub(parameters) {
        None => at,
        Some(d) if d < inputs => parameters + 1 + d,
        Some(d) if d < all => parameters + width + 1 + (d - inputs),
        Some(local) => parameters + 2 * width + (local - all),
    };
    let fixed = |column: usize, value: usize| {
        Affine::constant(-i64::try_from(value).unwrap_or(i64::MAX))
            .plus(1, &Affine::column(parameters + column))
    };
    let mut fixings = vec![fixed(0, from)?, fixed(width, to)?];
    for zero in (1 + inputs..width).chain(width + 1 + (all - inputs)..2 * width) {
        fixings.push(fixed(zero, 0)?);
    }
    let piece = |piece: &BasicSet| {
        let mut piece = piece.moved(place);
        piece.equalities.extend(fixings.iter().cloned());
        piece
    };
    let pieces = relation.graph.pieces.iter().map(piece).collect();
    Ok(Relation::new(space.clone(), space.clone(), pieces))
}
