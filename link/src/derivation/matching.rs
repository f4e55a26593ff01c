//! Matches two expressions against the sides of a statement, and binds its metavariables.

use alpha::patterns::{DomainPattern, FunctionPattern, Meta, Pattern, PatternOperator};
use alpha::syntax::{DomainId, ExprId, Expression, System};
use polyhedra::AffineMap;
use selfsame_core::operators::{Binary, Constant, ElementType};

/// The bindings of metavariables, and what remains to be shown.
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
    /// Pairs of expressions that must be equal: two occurrences of one metavariable.
    pub same: Vec<[ExprId; 2]>,
    /// Sets in the expressions that must equal the pattern's.
    pub written: Vec<(&'p DomainPattern, DomainId)>,
    /// Functions in the expressions that must equal the pattern's.
    pub applied: Vec<(&'p FunctionPattern, AffineMap)>,
    /// Expressions that must be `id(op)`.
    pub identities: Vec<ExprId>,
    /// Expressions that must be the given constant at every point.
    pub constants: Vec<(&'p Constant, ExprId)>,
    /// Expressions that are restricted to a domain metavariable.
    pub restricted: Vec<(&'p Meta, ExprId)>,
}

impl<'p> Matched<'p> {
    /// Matches both sides; `None` if they do not have the patterns' form.
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
            (Pattern::Constant(constant), _) => {
                self.constants.push((constant, e));
                true
            }
            (Pattern::Index(function), Expression::Index(f, ElementType::Integer)) => {
                self.function(function, f);
                true
            }
            (Pattern::Unary(operator, inner), Expression::Unary(other, of)) => {
                operator == other && self.is(system, inner, *of)
            }
            (Pattern::If(parts), Expression::If(operands)) => self.are(system, &**parts, operands),
            (Pattern::Call(name, parts), Expression::Call(f, operands)) => {
                system.function(*f).name == *name && self.are(system, parts, operands)
            }
            (Pattern::Binary(op, sides), Expression::Binary(operator, operands)) => {
                self.operator(*op, *operator) && self.are(system, &**sides, operands)
            }
            (Pattern::Case(patterns), Expression::Case(branches)) => self.are(system, patterns, branches),
            (Pattern::Restrict(domain, inner), Expression::Restrict(written, of)) => {
                if let DomainPattern::Domain(meta) = domain {
                    self.restricted.push((meta, *of));
                }
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

    fn are(&mut self, system: &System, patterns: &'p [Pattern], all: &[ExprId]) -> bool {
        let mut pairs = patterns.iter().zip(all);
        patterns.len() == all.len() && pairs.all(|(pattern, &e)| self.is(system, pattern, e))
    }

    fn expression(&mut self, meta: &'p Meta, e: ExprId) -> bool {
        match self.expressions.iter().find(|(name, _)| *name == meta) {
            Some(&(_, other)) if other == e => {}
            Some(&(_, other)) => self.same.push([other, e]),
            None => self.expressions.push((meta, e)),
        }
        true
    }

    fn operator(&mut self, pattern: PatternOperator, operator: Binary) -> bool {
        match pattern {
            PatternOperator::Any => *self.operator.get_or_insert(operator) == operator,
            PatternOperator::This(expected) => expected == operator,
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
