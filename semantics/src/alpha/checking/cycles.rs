//! Dependence cycles: an element that depends on itself (Definition 2).
//!
//! The dependences of the variables of one cycle of definitions are one relation over tagged points `(variable, i, j, …)`.
//! Short cycles are found by composing it with itself, which is exact. If its transitive closure relates no point to
//! itself, there is no cycle, even where the closure is only bounded from above; if the closure is exact and relates one,
//! there is a cycle. Otherwise paths of twice the length are looked at, and twice that: if there is none, there is no cycle.
//! After some of these only evaluation can tell.

use super::Checker;
use crate::alpha::accesses::walk;
use crate::alpha::domains::Undecided;
use crate::alpha::syntax::{Equation, Expression, VariableId};
use crate::diagnostics::{Code, Diagnostic, Span};
use polyhedra::{Affine, BasicSet, Error, Name, Relation, Sample, Space};

/// Cycles of so many steps are looked for one by one.
const SHORT_CYCLE: usize = 3;
/// The length of paths is doubled so many times, as long as they make up so many pieces.
const DOUBLINGS: usize = 8;
const MAX_PIECES: usize = 60;

/// What is found out about dependences.
enum Judged {
    Acyclic,
    /// A point that depends on itself.
    Cyclic(Sample),
    Undecided,
}

impl Checker<'_> {
    pub(super) fn cycles(&mut self) -> Result<(), Undecided> {
        for component in self.uses.cycles() {
            self.cycle(component[0], &component)?;
        }
        Ok(())
    }

    fn cycle(&mut self, x: VariableId, component: &[VariableId]) -> Result<(), Undecided> {
        let span = self.definitions(x).next().map_or(self.system.variable(x).span, |equation| equation.span);
        let dependences = self.dependences(component)?;
        match self.judged(span, &dependences) {
            Ok(Judged::Acyclic) => {}
            Ok(Judged::Cyclic(sample)) => self.cyclic(span, component, sample),
            Ok(Judged::Undecided) => self.undecided_cycle(x, span, "the transitive closure is not exact"),
            Err(Undecided { error, .. }) if error.is_out_of_budget() => {
                self.undecided_cycle(x, span, "it is out of budget");
            }
            Err(undecided) => return Err(undecided),
        }
        Ok(())
    }

    fn cyclic(&mut self, span: Span, component: &[VariableId], sample: Sample) {
        let x = component[usize::try_from(sample.point[0]).unwrap_or(0).min(component.len() - 1)];
        let rank = self.system.variable_rank(x);
        let element = Sample { point: sample.point[1..=rank].to_vec(), ..sample };
        let name = &self.system.variable(x).name;
        let message = format!("an element depends on itself, such as {name}{}", self.point(&element));
        let code = self.graded(Code::P0014, x);
        self.findings.push(Diagnostic::new(code, span, message, "defined in terms of itself"));
    }

    fn undecided_cycle(&mut self, x: VariableId, span: Span, reason: &str) {
        let name = &self.system.variable(x).name;
        let message = format!("whether an element of `{name}` depends on itself is not decided: {reason}");
        self.findings.push(Diagnostic::new(Code::P0017, span, message, "evaluation will tell"));
    }

    fn judged(&self, span: Span, dependences: &Relation) -> Result<Judged, Undecided> {
        let mut steps = dependences.clone();
        for _ in 0..SHORT_CYCLE {
            if let Some(sample) = Undecided::at(span, self.fixed_point(&steps))? {
                return Ok(Judged::Cyclic(sample));
            }
            let longer = dependences.after(&steps).and_then(|steps| self.engine.simplify(&steps));
            steps = Undecided::at(span, longer)?;
        }
        let closure = Undecided::at(span, self.engine.transitive_closure(dependences))?;
        match Undecided::at(span, self.fixed_point(&closure.relation))? {
            None => Ok(Judged::Acyclic),
            Some(sample) if closure.exact => Ok(Judged::Cyclic(sample)),
            Some(_) => Undecided::at(span, self.doubled(dependences)),
        }
    }

    /// Looks at paths of 2, 4, 8 … steps.
    fn doubled(&self, dependences: &Relation) -> Result<Judged, Error> {
        // All paths of exactly so many steps, and all of up to so many.
        let (mut exactly, mut up_to) = (dependences.clone(), dependences.clone());
        for _ in 0..DOUBLINGS {
            up_to = self.engine.simplify(&up_to.union(&up_to.after(&exactly)?)?)?;
            exactly = self.engine.simplify(&exactly.after(&exactly)?)?;
            if let Some(sample) = self.fixed_point(&up_to)? {
                return Ok(Judged::Cyclic(sample));
            }
            if self.engine.is_empty(&exactly.graph)? {
                return Ok(Judged::Acyclic);
            }
            if up_to.graph.pieces.len().max(exactly.graph.pieces.len()) > MAX_PIECES {
                break;
            }
        }
        Ok(Judged::Undecided)
    }

    /// A point that is related to itself.
    fn fixed_point(&self, relation: &Relation) -> Result<Option<Sample>, Error> {
        let identity = Relation::identity(&relation.domain_space());
        self.engine.sample(&relation.intersect(&identity)?.domain())
    }

    /// All dependences between the variables of a component, over tagged points.
    fn dependences(&self, component: &[VariableId]) -> Result<Relation, Undecided> {
        let rank = component.iter().map(|&x| self.system.variable_rank(x)).max().unwrap_or(0);
        let names: Vec<Name> = (0..=rank).map(|d| format!("t{d}").into()).collect();
        let space = self.system.space(&names);
        let mut all = Relation::new(space.clone(), space.clone(), Vec::new());
        let tag = |x: VariableId| component.binary_search(&x).ok();
        for (from, &x) in component.iter().enumerate() {
            for equation in self.definitions(x) {
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
