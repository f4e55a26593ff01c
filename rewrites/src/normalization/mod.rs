//! Normal forms of systems: the right side of every equation is a case of restrictions of point-wise expressions
//! of dependences of variables, or a reduction of such a case.
//!
//! Conventions: `g`: a map into the domain of an expression. The normal form of `e.g` is a list of branches
//! `D : p`:
//! ```text
//! N(c, g) = Z : c.g                    N(e.f, g)     = N(e, f∘g)
//! N(X, g) = Z : X.g                    N(D : e, g)   = g⁻¹(D) ∩ D' : p            for D' : p in N(e, g)
//! N(val f, g) = Z : val(f∘g)           N(case …, g)  = all branches of N(ek, g)
//! N(op(e1, …), g) = D1 ∩ … : op(p1, …)               for Dk : pk in N(ek, g)
//! ```
//! by the theorems of §§7 and 8 (ledger: `alpha/case-…`, `alpha/restrict-…`, `alpha/dependence-…`). A reduction
//! inside another expression becomes a local variable. The prover checks that the result is the same program.

pub mod basis;

use alpha::domains::{Domains, Undecided};
use alpha::syntax::{DomainId, Equation, ExprId, Expression, System};
use alpha::typing::Typing;
use base::diagnostics::Span;
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{AffineMap, Engine, EngineError, IndexSet, Space};
use selfsame_core::operators::{Constant, ElementType};

/// The maximum number of branches of an equation. Chosen: half and twice give the same verdicts
/// (`docs/limits.md`).
const MAX_BRANCHES: usize = 1000;

/// Why no normal form was found.
#[derive(Debug)]
pub enum NotNormalized {
    /// The engine did not decide a question about index sets.
    Undecided(Undecided),
    /// An equation would have too many branches.
    TooLarge(Span),
}

/// `D : p`; without `D`, the branch holds everywhere.
#[derive(Clone)]
struct NormalBranch {
    domain: Option<IndexSet>,
    value: ExprId,
}

/// A step that remains to be done; finished branches are on a separate stack.
enum NormalizationStep {
    Visit(ExprId, AffineMap),
    Restrict(DomainId, AffineMap),
    Apply(ExprId),
    Join(usize),
}

/// The system in normal form.
///
/// # Errors
/// A domain is undecided, or an equation would have too many branches.
pub fn normalized(
    system: &System,
    typing: &Typing,
    domains: &Domains,
    engine: &dyn Engine,
) -> Result<System, NotNormalized> {
    let mut normalizer = SystemNormalizer { source: system, typing, domains, engine, system: system.clone() };
    let mut done = 0;
    // Reductions that become variables get equations, which are normalized in turn.
    while done < normalizer.system.equations.len() {
        let Equation { variable, expression, span, .. } = normalizer.system.equations[done].clone();
        let is_new = variable.index() >= system.variables.len();
        let space =
            if is_new { domains.domain(expression) } else { domains.declared(variable) }.space.clone();
        let expression = normalizer.right_side(expression, space, span)?;
        let equation = &mut normalizer.system.equations[done];
        (equation.expression, equation.indices) = (expression, None);
        done += 1;
    }
    Ok(normalizer.system)
}

struct SystemNormalizer<'a> {
    /// The system whose domains are known.
    source: &'a System,
    typing: &'a Typing,
    domains: &'a Domains,
    engine: &'a dyn Engine,
    /// The system that it becomes.
    system: System,
}

impl SystemNormalizer<'_> {
    fn right_side(&mut self, e: ExprId, space: Space, span: Span) -> Result<ExprId, NotNormalized> {
        let mut of = self.source.expression(e).clone();
        let (space, body) = match &of {
            Expression::Reduce(_, f, body) | Expression::ReduceOver(_, f, _, body) => {
                (f.space.clone(), *body)
            }
            _ => (space, e),
        };
        let branches = self.branches(body, AffineMap::identity(space.clone()), span)?;
        let case = match branches.is_empty() {
            true => self.nowhere(self.typing.shape(body).data_type, space, span)?,
            false => self.case(branches, span)?,
        };
        if body == e {
            return Ok(case);
        }
        of.operands_mut().fill(case);
        Ok(self.system.push(of, span))
    }

    /// An expression with an empty domain, because a `case` needs a branch.
    fn nowhere(&mut self, t: ElementType, space: Space, span: Span) -> Result<ExprId, NotNormalized> {
        let constant = match t {
            ElementType::Boolean => Constant::Boolean(false),
            ElementType::Integer => Constant::Integer(IBig::ZERO),
            _ => Constant::Real(RBig::ZERO),
        };
        let constant = self.system.push(Expression::Constant(constant), span);
        let value = self.along(constant, AffineMap::new(space.clone(), Vec::new()), span).value;
        self.case(vec![NormalBranch { domain: Some(IndexSet::empty(space)), value }], span)
    }

    fn case(&mut self, branches: Vec<NormalBranch>, span: Span) -> Result<ExprId, NotNormalized> {
        let mut restricted = Vec::new();
        for branch in branches {
            restricted.push(match branch.domain {
                Some(set) => {
                    let d = self.push(set, span)?;
                    self.system.push(Expression::Restrict(d, branch.value), span)
                }
                None => branch.value,
            });
        }
        Ok(match restricted[..] {
            [only] => only,
            _ => self.system.push(Expression::Case(restricted), span),
        })
    }

    /// Adds a set without the constraints that the parameters satisfy anyway.
    fn push(&mut self, set: IndexSet, span: Span) -> Result<DomainId, NotNormalized> {
        let context = self.domains.context().parameters_in(&set.space);
        let set = self.engine.gist(&set, &context).and_then(|set| self.engine.coalesce(&set));
        Ok(self.system.push_set(&self.decided(span, set)?, span))
    }

    /// `N(e, g)`
    fn branches(&mut self, e: ExprId, g: AffineMap, span: Span) -> Result<Vec<NormalBranch>, NotNormalized> {
        let mut steps = vec![NormalizationStep::Visit(e, g)];
        let mut done: Vec<Vec<NormalBranch>> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                NormalizationStep::Visit(e, g) => self.visit(e, g, &mut steps, &mut done)?,
                NormalizationStep::Restrict(d, g) => {
                    let set = self.decided(span, self.domains.of_domain(d).preimage(&g))?;
                    let branches = done.pop().unwrap_or_default();
                    done.push(self.within(branches, &set, span)?);
                }
                NormalizationStep::Join(count) => {
                    let all = done.split_off(done.len() - count);
                    done.push(all.into_iter().flatten().collect());
                }
                NormalizationStep::Apply(e) => {
                    let operands = done.split_off(done.len() - self.source.expression(e).operands().len());
                    done.push(self.applied(e, operands, span)?);
                }
            }
            if done.last().is_some_and(|branches| branches.len() > MAX_BRANCHES) {
                return Err(NotNormalized::TooLarge(span));
            }
        }
        Ok(done.pop().unwrap_or_default())
    }

    fn visit(
        &mut self,
        e: ExprId,
        g: AffineMap,
        steps: &mut Vec<NormalizationStep>,
        done: &mut Vec<Vec<NormalBranch>>,
    ) -> Result<(), NotNormalized> {
        let span = self.source.span(e);
        match self.source.expression(e) {
            Expression::Constant(_) | Expression::Variable(_) => done.push(vec![self.along(e, g, span)]),
            Expression::Index(f, of) => {
                let f = self.decided(span, f.after(&g))?;
                done.push(vec![NormalBranch {
                    domain: None,
                    value: self.system.push(Expression::Index(f, *of), span),
                }]);
            }
            Expression::Reduce(..) | Expression::ReduceOver(..) => {
                let local = self.local(e, span)?;
                done.push(vec![self.along(local, g, span)]);
            }
            Expression::Dependence(of, f) => {
                steps.push(NormalizationStep::Visit(*of, self.decided(span, f.after(&g))?))
            }
            Expression::Restrict(d, of) => {
                steps.push(NormalizationStep::Restrict(*d, g.clone()));
                steps.push(NormalizationStep::Visit(*of, g));
            }
            Expression::Case(branches) => {
                steps.push(NormalizationStep::Join(branches.len()));
                steps
                    .extend(branches.iter().rev().map(|&branch| NormalizationStep::Visit(branch, g.clone())));
            }
            of => {
                steps.push(NormalizationStep::Apply(e));
                steps.extend(
                    of.operands().iter().rev().map(|&operand| NormalizationStep::Visit(operand, g.clone())),
                );
            }
        }
        Ok(())
    }

    /// `e.g`
    fn along(&mut self, e: ExprId, g: AffineMap, span: Span) -> NormalBranch {
        let value = match g.is_identity() {
            true => e,
            false => self.system.push(Expression::Dependence(e, g), span),
        };
        NormalBranch { domain: None, value }
    }

    /// Makes a reduction a local variable.
    fn local(&mut self, e: ExprId, span: Span) -> Result<ExprId, NotNormalized> {
        let data_type = self.typing.shape(e).data_type;
        let domain = Some(self.push(self.domains.domain(e).clone(), span)?);
        let names = (1..).map(|k| format!("r{k}"));
        let variable = self.system.push_local(names, domain, data_type, span);
        self.system.equations.push(Equation { variable, indices: None, expression: e, span });
        Ok(self.system.push(Expression::Variable(variable), span))
    }

    /// The branches of an operator: one for each combination of branches of its operands.
    fn applied(
        &mut self,
        e: ExprId,
        operands: Vec<Vec<NormalBranch>>,
        span: Span,
    ) -> Result<Vec<NormalBranch>, NotNormalized> {
        let mut chosen: Vec<(Option<IndexSet>, Vec<ExprId>)> = vec![(None, Vec::new())];
        for branches in operands {
            let mut longer = Vec::new();
            for (domain, values) in &chosen {
                for branch in &branches {
                    let both = match (domain, &branch.domain) {
                        (Some(a), Some(b)) => Some(self.decided(span, self.engine.intersection(a, b))?),
                        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
                    };
                    let is_empty = match &both {
                        Some(set) => self.decided(span, self.engine.is_empty(set))?,
                        None => false,
                    };
                    if !is_empty {
                        longer.push((both, [&values[..], &[branch.value]].concat()));
                    }
                }
            }
            if longer.len() > MAX_BRANCHES {
                return Err(NotNormalized::TooLarge(span));
            }
            chosen = longer;
        }
        let mut branches = Vec::new();
        for (domain, values) in chosen {
            let mut applied = self.source.expression(e).clone();
            applied.operands_mut().copy_from_slice(&values);
            branches.push(NormalBranch { domain, value: self.system.push(applied, span) });
        }
        Ok(branches)
    }

    /// Restricts branches to a set, without those that become empty.
    fn within(
        &self,
        branches: Vec<NormalBranch>,
        set: &IndexSet,
        span: Span,
    ) -> Result<Vec<NormalBranch>, NotNormalized> {
        let mut within = Vec::new();
        for branch in branches {
            let domain = match &branch.domain {
                Some(other) => self.decided(span, self.engine.intersection(set, other))?,
                None => set.clone(),
            };
            if !self.decided(span, self.engine.is_empty(&domain))? {
                within.push(NormalBranch { domain: Some(domain), ..branch });
            }
        }
        Ok(within)
    }

    fn decided<T>(&self, span: Span, result: Result<T, EngineError>) -> Result<T, NotNormalized> {
        result.map_err(|error| NotNormalized::Undecided(Undecided { span, error }))
    }
}
