//! Simplifies reductions by reusing what a reduction has in common with one that is computed already (Gautam and
//! Rajopadhye, *Simplifying Reductions*, POPL 2006; for the systems of the report an equation of ours).
//!
//! Conventions: `X = reduce(⊕, f, D : e)`; `r`: a direction in which no part of `e` changes, `e[p + r] = e[p]`;
//! `d = f(r) ≠ 0`.
//! ```text
//! X = case
//!       ¬(Z + d)      : reduce(⊕, f, D : e)
//!       Z + d, A      : X.(z -> z − d) ⊕ reduce(⊕, f, D \ (D + r) : e)        A where the second one has terms
//!       Z + d, ¬A     : X.(z -> z − d)
//!     esac                                                    where D + r, within the fibres over Z ∩ (Z + d), is part of D
//! ```
//! where `Z` is the domain of `X`. A sum of `n` terms at each of `n` points becomes `n` terms in all. The prover
//! shows by induction that the result is the same program.

use crate::normalization::normalized;
use crate::optimization::egraph::cost::CostModel;
use alpha::domains::Domains;
use alpha::syntax::{ExprId, Expression, System};
use alpha::typing::type_system;
use base::diagnostics::Span;
use polyhedra::{Affine, AffineMap, Engine, EngineError, IndexSet, Space};
use selfsame_core::operators::{Binary, ElementType};

/// The maximum rank of spaces in which directions are tried. There are 3^rank of them: 243 at rank 5, and 729
/// at rank 6, each with a system to compute.
const MAX_RANK: usize = 5;
/// The maximum number of reductions to simplify in turn. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_STEPS: usize = 16;

/// A system with fewer operations, if a reduction with an associative operator can be simplified.
pub fn simplified(
    system: &System,
    domains: &Domains,
    model: &CostModel,
    is_associative: &dyn Fn(Binary, ElementType) -> bool,
    engine: &dyn Engine,
) -> Option<System> {
    let mut current = normalized(system, &type_system(system).ok()?, domains, engine).ok()?;
    let mut cost = model.total(model.work(system, domains));
    let mut is_simpler = false;
    for _ in 0..MAX_STEPS {
        let domains = Domains::new(&current, engine, None).ok()?;
        let candidates = (0..current.equations.len()).flat_map(|at| {
            let data_type = current.variable(current.equations[at].variable).data_type;
            let reduction = ReductionEquation::new(&current, &domains, at)
                .filter(|reduction| is_associative(reduction.operator, data_type));
            reduction.map_or(Vec::new(), |reduction| reduction.simplified(engine))
        });
        let priced = candidates.filter_map(|system| {
            let domains = Domains::new(&system, engine, None).ok()?;
            let system = normalized(&system, &type_system(&system).ok()?, &domains, engine).ok()?;
            let domains = Domains::new(&system, engine, None).ok()?;
            Some((model.total(model.work(&system, &domains)), system))
        });
        let best = priced.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let Some((price, system)) = best.filter(|(price, _)| *price < cost) else { break };
        (current, cost, is_simpler) = (system, price, true);
    }
    is_simpler.then_some(current)
}

/// The equation `X = reduce(⊕, f, D : e)`.
struct ReductionEquation<'a> {
    system: &'a System,
    domains: &'a Domains,
    equation: usize,
    operator: Binary,
    f: &'a AffineMap,
    body: ExprId,
}

impl<'a> ReductionEquation<'a> {
    fn new(system: &'a System, domains: &'a Domains, equation: usize) -> Option<ReductionEquation<'a>> {
        let Expression::Reduce(operator, f, body) = system.expression(system.equations[equation].expression)
        else {
            return None;
        };
        Some(ReductionEquation { system, domains, equation, operator: *operator, f, body: *body })
    }

    /// The systems that the directions of reuse give.
    fn simplified(&self, engine: &dyn Engine) -> Vec<System> {
        let rank = self.f.space.rank();
        if rank > MAX_RANK || !self.f.floors.is_empty() {
            return Vec::new();
        }
        let Some(maps) = self.maps() else { return Vec::new() };
        let reused = |r: &Vec<i64>| {
            let is_zero = |d: Vec<i64>| d.iter().all(|k| *k == 0);
            maps.iter().all(|g| along(g, r).is_some_and(is_zero))
                && along(self.f, r).is_some_and(|d| !is_zero(d))
        };
        let directions = directions(rank).into_iter().filter(reused);
        directions.filter_map(|r| self.reusing(&r, engine).ok().flatten()).collect()
    }

    /// The maps through which the body reads; `None` if a part of it depends on the index in another way.
    fn maps(&self) -> Option<Vec<&'a AffineMap>> {
        let (mut maps, mut pending) = (Vec::new(), vec![self.body]);
        while let Some(e) = pending.pop() {
            match self.system.expression(e) {
                Expression::Dependence(of, g) => match self.system.expression(*of) {
                    Expression::Variable(_) | Expression::Constant(_) => maps.push(g),
                    _ => return None,
                },
                Expression::Index(g, _) => maps.push(g),
                Expression::Constant(_) => {}
                Expression::Variable(_) | Expression::Case(_) => return None,
                Expression::Reduce(..) | Expression::ReduceOver(..) => return None,
                of => pending.extend(of.operands()),
            }
        }
        maps.iter().all(|g| g.floors.is_empty()).then_some(maps)
    }

    fn reusing(&self, r: &[i64], engine: &dyn Engine) -> Result<Option<System>, EngineError> {
        let x = self.system.equations[self.equation].variable;
        let (body, declared) = (self.domains.domain(self.body), self.domains.declared(x));
        let Some(d) = along(self.f, r) else { return Ok(None) };
        let back = translation(&body.space, r)?;
        let earlier = translation(&declared.space, &d)?;
        let before = declared.preimage(&earlier)?;
        let known = engine.intersection(declared, &before)?;
        let moved = body.preimage(&back)?;
        let lost = engine.difference(&moved.intersect(&known.preimage(self.f)?)?, body)?;
        if !engine.is_empty(&lost)? || engine.is_empty(&known)? {
            return Ok(None);
        }
        let added = engine.coalesce(&engine.difference(body, &moved)?)?;
        let first = engine.coalesce(&engine.difference(declared, &before)?)?;
        let with_terms = engine.intersection(&known, &engine.image(&added, self.f)?)?;
        let without = engine.difference(&known, &with_terms)?;
        Ok(Some(self.built([&first, &with_terms, &without], &added, earlier, engine)?))
    }

    fn built(
        &self,
        [first, with_terms, without]: [&IndexSet; 3],
        added: &IndexSet,
        earlier: AffineMap,
        engine: &dyn Engine,
    ) -> Result<System, EngineError> {
        let (mut system, span) = (self.system.clone(), Span::default());
        let equation = &self.system.equations[self.equation];
        let reduce = |system: &mut System, set: &IndexSet| -> Result<ExprId, EngineError> {
            // With one term at each point there is nothing to sum.
            if let Ok([(_, at)]) = engine.inverse(self.f, set).as_deref() {
                return Ok(system.push(Expression::Dependence(self.body, at.clone()), span));
            }
            let set = engine.gist(set, self.domains.domain(self.body))?;
            let set = system.push_set(&engine.coalesce(&set)?, span);
            let body = system.push(Expression::Restrict(set, self.body), span);
            Ok(system.push(Expression::Reduce(self.operator, self.f.clone(), body), span))
        };
        let of_first = first.preimage(self.f)?.intersect(self.domains.domain(self.body))?;
        let all = reduce(&mut system, &of_first)?;
        let more = reduce(&mut system, added)?;
        let variable = system.push(Expression::Variable(equation.variable), span);
        let reused = system.push(Expression::Dependence(variable, earlier), span);
        let sum = system.push(Expression::Binary(self.operator, [reused, more]), span);
        let mut branches = Vec::new();
        for (set, value) in [(first, all), (with_terms, sum), (without, reused)] {
            if !engine.is_empty(set)? {
                let set = engine.gist(set, self.domains.declared(equation.variable))?;
                let set = system.push_set(&engine.coalesce(&set)?, span);
                branches.push(system.push(Expression::Restrict(set, value), span));
            }
        }
        let expression = system.push(Expression::Case(branches), span);
        let equation = &mut system.equations[self.equation];
        (equation.expression, equation.indices) = (expression, None);
        Ok(system)
    }
}

/// The linear part of a map applied to a direction; `None` if that exceeds 64 bits.
fn along(g: &AffineMap, r: &[i64]) -> Option<Vec<i64>> {
    let steps = || r.iter().enumerate().map(|(d, k)| (g.space.column(d), *k));
    g.outputs.iter().map(|e| e.growth(steps())).collect()
}

/// `p ↦ p − r`
fn translation(space: &Space, r: &[i64]) -> Result<AffineMap, EngineError> {
    let outputs =
        r.iter().enumerate().map(|(d, &k)| Affine::column(space.column(d)).plus(-k, &Affine::constant(1)));
    Ok(AffineMap::new(space.clone(), outputs.collect::<Result<_, EngineError>>()?))
}

/// All nonzero directions with coordinates −1, 0 and 1.
fn directions(rank: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..rank {
        all = all.iter().flat_map(|r| [0, 1, -1].map(|k| [&r[..], &[k]].concat())).collect();
    }
    all.retain(|r| r.iter().any(|k| *k != 0));
    all
}
