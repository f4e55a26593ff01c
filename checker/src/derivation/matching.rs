//! What the metavariables of a statement stand for, where two expressions are its sides.

use polyhedra::AffineMap;
use semantics::alpha::patterns::{DomainPattern, FunctionPattern, Meta, Operator, Pattern};
use semantics::alpha::syntax::{Binary, DomainId, ExprId, Expression, System};

/// What metavariables stand for, and what is then still to be shown.
#[derive(Default)]
pub struct Matched<'p> {
    /// `E`
    pub expressions: Vec<(&'p Meta, ExprId)>,
    /// `D`
    pub domains: Vec<(&'p Meta, DomainId)>,
    /// `f`
    pub functions: Vec<(&'p Meta, AffineMap)>,
    /// `op`
    pub operator: Option<Binary>,
    /// What two occurrences of a metavariable are.
    pub same: Vec<[ExprId; 2]>,
    /// The same for sets that are written, and what they must be.
    pub written: Vec<(&'p DomainPattern, DomainId)>,
    /// The same for functions.
    pub applied: Vec<(&'p FunctionPattern, AffineMap)>,
    /// What must be `id(op)`.
    pub identities: Vec<ExprId>,
}

impl<'p> Matched<'p> {
    /// The metavariables of both sides; nothing if these are no sides of it.
    pub fn new(system: &System, patterns: &'p [Pattern; 2], sides: [ExprId; 2]) -> Option<Matched<'p>> {
        let mut matched = Matched::default();
        let both = patterns.iter().zip(sides).all(|(pattern, e)| matched.is(system, pattern, e));
        both.then_some(matched)
    }

    fn is(&mut self, system: &System, pattern: &'p Pattern, e: ExprId) -> bool {
        match (pattern, system.expression(e)) {
            (Pattern::Expression(meta), _) => self.expression(meta, e),
            (Pattern::Identity, _) => {
                self.identities.push(e);
                true
            }
            (Pattern::Binary(op, sides), Expression::Binary(operator, operands)) => {
                self.operator(*op, *operator)
                    && sides.iter().zip(operands).all(|(side, &operand)| self.is(system, side, operand))
            }
            (Pattern::Case(patterns), Expression::Case(branches)) => {
                patterns.len() == branches.len()
                    && patterns
                        .iter()
                        .zip(branches)
                        .all(|(pattern, &branch)| self.is(system, pattern, branch))
            }
            (Pattern::Restrict(domain, inner), Expression::Restrict(written, of)) => {
                self.domain(domain, *written);
                self.is(system, inner, *of)
            }
            (Pattern::Dependence(inner, function), Expression::Dependence(of, f)) => {
                self.function(function, f);
                self.is(system, inner, *of)
            }
            (Pattern::Reduce(op, function, inner), Expression::Reduce(operator, f, of)) => {
                self.function(function, f);
                self.operator(*op, *operator) && self.is(system, inner, *of)
            }
            _ => false,
        }
    }

    fn expression(&mut self, meta: &'p Meta, e: ExprId) -> bool {
        match self.expressions.iter().find(|(name, _)| *name == meta) {
            Some(&(_, other)) if other == e => {}
            Some(&(_, other)) => self.same.push([other, e]),
            None => self.expressions.push((meta, e)),
        }
        true
    }

    fn operator(&mut self, pattern: Operator, operator: Binary) -> bool {
        match pattern {
            Operator::Any => *self.operator.get_or_insert(operator) == operator,
            Operator::This(expected) => expected == operator,
        }
    }

    fn domain(&mut self, pattern: &'p DomainPattern, written: DomainId) {
        match pattern {
            DomainPattern::Domain(meta) if self.domains.iter().all(|(name, _)| *name != meta) => {
                self.domains.push((meta, written));
            }
            _ => self.written.push((pattern, written)),
        }
    }

    fn function(&mut self, pattern: &'p FunctionPattern, f: &AffineMap) {
        match pattern {
            FunctionPattern::Function(meta) if self.functions.iter().all(|(name, _)| *name != meta) => {
                self.functions.push((meta, f.clone()));
            }
            _ => self.applied.push((pattern, f.clone())),
        }
    }
}
