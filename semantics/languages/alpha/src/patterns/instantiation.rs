//! Instances of patterns: substitutes parts of a system for metavariables.

use super::{DomainPattern, FunctionPattern, Meta, Pattern, PatternOperator};
use crate::domains::{Domains, Undecided};
use crate::syntax::{Domain, ExprId, Expression, System, VariableId};
use crate::typing::type_system;
use base::diagnostics::Span;
use polyhedra::{AffineMap, Engine, EngineError, IndexSet, Name};
use rustc_hash::FxHashMap;
use selfsame_core::operations::identity;
use selfsame_core::operators::{Binary, Constant, ElementType};

/// The values of the metavariables.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// `E`
    pub expressions: FxHashMap<Meta, ExprId>,
    /// `V`
    pub variables: FxHashMap<Meta, VariableId>,
    /// `D`
    pub domains: FxHashMap<Meta, IndexSet>,
    /// `f`
    pub functions: FxHashMap<Meta, AffineMap>,
    /// `op`
    pub operator: Option<Binary>,
}

/// The names of dimensions that have none.
pub fn dimension_names(rank: usize) -> Vec<Name> {
    (1..=rank).map(|d| format!("i{d}").into()).collect()
}

/// Names what is missing if `id(op)` has no value.
pub const NO_IDENTITY: &str = "an identity of the operator";

/// Builds instances in a system, and keeps the domains of its parts up to date.
pub struct Instances<'a> {
    /// The system.
    pub system: System,
    /// The domains of its expressions.
    pub domains: Domains,
    engine: &'a dyn Engine,
}

impl<'a> Instances<'a> {
    /// Starts from the expressions of a system.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn new(system: System, engine: &'a dyn Engine) -> Result<Instances<'a>, Undecided> {
        let domains = Domains::new(&system, engine, None)?;
        Ok(Instances { system, domains, engine })
    }

    /// Adds an expression, and computes its domain.
    ///
    /// # Errors
    /// The engine is out of budget, or spaces differ.
    pub fn push(&mut self, expression: Expression) -> Result<ExprId, EngineError> {
        let e = self.system.push(expression, Span::default());
        self.domains.update(&self.system, self.engine).map_err(|undecided| undecided.error)?;
        Ok(e)
    }

    /// Adds the restriction of an expression to a set.
    ///
    /// # Errors
    /// The engine is out of budget.
    pub fn restrict(&mut self, set: IndexSet, e: ExprId) -> Result<ExprId, EngineError> {
        let domain = self.system.push_domain(Domain::Polyhedron(set), Span::default());
        self.push(Expression::Restrict(domain, e))
    }

    /// The instance of a pattern, with `rank` dimensions.
    ///
    /// # Errors
    /// A metavariable has no value, `op` has no identity, the spaces do not fit, or the engine is out of budget.
    pub fn instance(
        &mut self,
        pattern: &Pattern,
        given: &Assignment,
        rank: usize,
    ) -> Result<ExprId, EngineError> {
        match pattern {
            Pattern::Expression(name) => found(&given.expressions, name).copied(),
            Pattern::Variable(name) => self.push(Expression::Variable(*found(&given.variables, name)?)),
            Pattern::Identity => self.identity(given, rank),
            Pattern::Constant(constant) => self.everywhere(constant.clone(), rank),
            Pattern::Index(function) => {
                let f = self.function(function, given, rank)?;
                self.push(Expression::Index(f, ElementType::Integer))
            }
            Pattern::Unary(operator, inner) => {
                let inner = self.instance(inner, given, rank)?;
                self.push(Expression::Unary(*operator, inner))
            }
            Pattern::If(parts) => {
                let [a, b, c] = &**parts;
                let parts = [
                    self.instance(a, given, rank)?,
                    self.instance(b, given, rank)?,
                    self.instance(c, given, rank)?,
                ];
                self.push(Expression::If(parts))
            }
            Pattern::Call(name, operands) => {
                let operands = operands.iter().map(|operand| self.instance(operand, given, rank));
                let operands = operands.collect::<Result<_, _>>()?;
                let f = self.system.find_function(name);
                let f = f.ok_or(EngineError::Syntax { at: 0, expected: "a function of the system" })?;
                self.push(Expression::Call(f, operands))
            }
            Pattern::Binary(op, sides) => {
                let [a, b] = &**sides;
                let operands = [self.instance(a, given, rank)?, self.instance(b, given, rank)?];
                self.push(Expression::Binary(operator(*op, given)?, operands))
            }
            Pattern::Case(branches) => {
                let branches = branches.iter().map(|branch| self.instance(branch, given, rank));
                let branches = branches.collect::<Result<_, _>>()?;
                self.push(Expression::Case(branches))
            }
            Pattern::Restrict(domain, inner) => {
                let set = self.domain(domain, given)?;
                let inner = self.instance(inner, given, set.space.rank())?;
                self.restrict(set, inner)
            }
            Pattern::Dependence(inner, function) => {
                let f = self.function(function, given, rank)?;
                let inner = self.instance(inner, given, f.outputs.len())?;
                self.push(Expression::Dependence(inner, f))
            }
            Pattern::Reduce(op, function, body) => {
                let f = self.function(function, given, rank)?;
                let body = self.instance(body, given, f.space.rank())?;
                self.push(Expression::Reduce(operator(*op, given)?, f, body))
            }
            Pattern::Substitute(inner, variable, by) => {
                let x = *found(&given.variables, variable)?;
                let inner = self.instance(inner, given, rank)?;
                let by = self.instance(by, given, self.system.variable_rank(x))?;
                self.substitute(inner, x, by)
            }
        }
    }

    fn identity(&mut self, given: &Assignment, rank: usize) -> Result<ExprId, EngineError> {
        let data_type = given.expressions.values().next().and_then(|&e| self.data_type(e));
        let constant = data_type
            .and_then(|data_type| identity(operator(PatternOperator::Any, given).ok()?, data_type))
            .ok_or(EngineError::Syntax { at: 0, expected: NO_IDENTITY })?;
        self.everywhere(constant, rank)
    }

    /// A constant at every point of ℤⁿ.
    fn everywhere(&mut self, constant: Constant, rank: usize) -> Result<ExprId, EngineError> {
        let extended = AffineMap::new(self.system.space(&dimension_names(rank)), Vec::new());
        let constant = self.push(Expression::Constant(constant))?;
        self.push(Expression::Dependence(constant, extended))
    }

    fn data_type(&self, e: ExprId) -> Option<ElementType> {
        type_system(&self.system).ok().map(|typing| typing.shape(e).data_type)
    }

    /// The set that a domain pattern denotes.
    ///
    /// # Errors
    /// See [`Instances::instance`].
    pub fn domain(&mut self, pattern: &DomainPattern, given: &Assignment) -> Result<IndexSet, EngineError> {
        match pattern {
            DomainPattern::Domain(name) => found(&given.domains, name).cloned(),
            DomainPattern::Of(expression) => {
                let e = self.instance(expression, given, 0)?;
                Ok(self.domains.domain(e).clone())
            }
            DomainPattern::Image(domain, function) => {
                let set = self.domain(domain, given)?;
                let f = self.function(function, given, 0)?;
                self.engine.image(&set, &f)
            }
            DomainPattern::Preimage(domain, function) => {
                let set = self.domain(domain, given)?;
                set.preimage(&self.function(function, given, set.space.rank())?)
            }
            DomainPattern::Union(sides) => {
                let [a, b] = self.domain_pair(sides, given)?;
                self.engine.union(&a, &b)
            }
            DomainPattern::Intersection(sides) => {
                let [a, b] = self.domain_pair(sides, given)?;
                self.engine.intersection(&a, &b)
            }
            DomainPattern::Difference(sides) => {
                let [a, b] = self.domain_pair(sides, given)?;
                self.engine.difference(&a, &b)
            }
        }
    }

    fn domain_pair(
        &mut self,
        sides: &[DomainPattern; 2],
        given: &Assignment,
    ) -> Result<[IndexSet; 2], EngineError> {
        Ok([self.domain(&sides[0], given)?, self.domain(&sides[1], given)?])
    }

    /// The map that a function pattern denotes; `rank` is the rank of the identity.
    ///
    /// # Errors
    /// A metavariable has no value, or the functions do not compose.
    pub fn function(
        &self,
        pattern: &FunctionPattern,
        given: &Assignment,
        rank: usize,
    ) -> Result<AffineMap, EngineError> {
        match pattern {
            FunctionPattern::Function(name) => found(&given.functions, name).cloned(),
            FunctionPattern::Identity => Ok(AffineMap::identity(self.system.space(&dimension_names(rank)))),
            FunctionPattern::Composition(sides) => {
                let [f, g] = &**sides;
                self.function(f, given, rank)?.after(&self.function(g, given, rank)?)
            }
        }
    }

    /// A copy of an expression with a variable replaced.
    fn substitute(&mut self, root: ExprId, x: VariableId, by: ExprId) -> Result<ExprId, EngineError> {
        let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for at in 0..=root.index() {
            let e = ExprId::at(at);
            let copy = match self.system.expression(e) {
                Expression::Variable(y) if *y == x => by,
                expression => {
                    let mut copy = expression.clone();
                    let changed = copy.operands_mut().iter_mut().fold(false, |changed, operand| {
                        let new = copies.get(operand).copied().unwrap_or(*operand);
                        let differs = new != *operand;
                        *operand = new;
                        changed || differs
                    });
                    if changed { self.push(copy)? } else { e }
                }
            };
            copies.insert(e, copy);
        }
        Ok(copies[&root])
    }
}

fn operator(operator: PatternOperator, given: &Assignment) -> Result<Binary, EngineError> {
    match operator {
        PatternOperator::Any => given.operator.ok_or(EngineError::Syntax { at: 0, expected: "an operator" }),
        PatternOperator::This(operator) => Ok(operator),
    }
}

fn found<'a, T>(values: &'a FxHashMap<Meta, T>, name: &Meta) -> Result<&'a T, EngineError> {
    values.get(name).ok_or(EngineError::Syntax { at: 0, expected: "a value for a metavariable" })
}
