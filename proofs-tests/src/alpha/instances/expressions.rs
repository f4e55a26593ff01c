//! Expressions: inputs and constants through functions, combined, within a domain.

use super::{Binary, INPUT_RANKS, Maker, declare};
use alpha::syntax::{ExprId, Expression, VariableId, VariableRole};
use dashu_ratio::RBig;
use generators::choices::DecisionSource;
use polyhedra::{AffineMap, EngineError, IndexSet};
use selfsame_core::operators::{Constant, ElementType, Unary};

/// The inverse frequency of expressions and variables of another type. Chosen, not measured: such instances are
/// often ill-formed on both sides and then count for nothing, but of the hundred of a theorem some should have
/// them.
const OTHER_TYPE: usize = 24;

impl Maker<'_> {
    pub(super) fn expressions(&mut self) -> Result<(), EngineError> {
        self.part()?;
        for at in 0..self.shapes.len() {
            let shape = &self.shapes[at];
            let (name, rank, reads, perhaps) = (shape.name, shape.from, shape.reads, shape.perhaps);
            if !name.starts_with('E') {
                continue;
            }
            let e = match reads {
                Some(variable) if name == "E1" && rank > 0 && self.random.once_in(3) => {
                    self.recursive(variable, rank)?
                }
                Some(_) if name == "E1" => self.expression(name, rank, None)?,
                Some(variable) => {
                    let x = self.defined_by_e1(variable)?;
                    let read = !perhaps || self.random.once_in(2);
                    self.expression(name, rank, read.then_some(x))?
                }
                None if perhaps && self.random.once_in(4) => {
                    self.missing.push(name);
                    let body = self.body(rank, None)?;
                    self.instances.restrict(IndexSet::empty(self.space(rank)), body)?
                }
                None => self.expression(name, rank, None)?,
            };
            self.given.expressions.insert(name.into(), e);
        }
        Ok(())
    }

    /// The variable that `E1` defines, declared on first use.
    fn defined_by_e1(&mut self, name: &'static str) -> Result<VariableId, EngineError> {
        if let Some(&x) = self.given.variables.get(name) {
            return Ok(x);
        }
        let e1 = self.given.expressions.get("E1").copied().ok_or(EngineError::Overflow)?;
        let set = self.instances.domains.domain(e1).clone();
        let set = match self.given.domains.get("D") {
            Some(d) => set.intersect(d)?,
            None => set,
        };
        Ok(self.declare(name, set))
    }

    fn declare(&mut self, name: &'static str, set: IndexSet) -> VariableId {
        let kind = if self.random.once_in(5) { VariableRole::Output } else { VariableRole::Local };
        let data_type = if self.random.once_in(OTHER_TYPE) { self.another_type() } else { self.data_type };
        let x = declare(&mut self.instances.system, name, set, kind, data_type);
        self.given.variables.insert(name.into(), x);
        x
    }

    /// A recurrence `case { z_d ≤ 0 } : e; { z_d ≥ 1 } : V.(z − 1_d) op e; esac` over a box.
    fn recursive(&mut self, name: &'static str, rank: usize) -> Result<ExprId, EngineError> {
        let domain = self.boxed(rank)?;
        self.given.domains.insert("D".into(), domain.clone());
        let x = self.declare(name, domain);
        let d = self.random.below(rank);
        let mut before = AffineMap::identity(self.space(rank));
        before.outputs[d].constant -= 1;
        let above = before.outputs[d].clone();
        let half = |e| IndexSet::constrained(self.space(rank), Vec::new(), vec![e]);
        let (low, high) = (half(above.negation()?), half(above));
        let base = self.body(rank, None)?;
        let variable = self.instances.push(Expression::Variable(x))?;
        let variable = self.instances.push(Expression::Dependence(variable, before))?;
        let next = self.combined([variable, base])?;
        let branches = vec![self.instances.restrict(low, base)?, self.instances.restrict(high, next)?];
        self.instances.push(Expression::Case(branches))
    }

    fn expression(
        &mut self,
        name: &str,
        rank: usize,
        reads: Option<VariableId>,
    ) -> Result<ExprId, EngineError> {
        let body = match self.random.once_in(OTHER_TYPE) {
            true => self.of_another_type(rank)?,
            false => self.body(rank, reads)?,
        };
        let domain = self.domain(rank)?.intersect(&self.parted(name, rank)?)?;
        self.instances.restrict(domain, body)
    }

    /// An expression of inputs, constants and at most one variable, at every point where the variable is defined.
    fn body(&mut self, rank: usize, reads: Option<VariableId>) -> Result<ExprId, EngineError> {
        let leaf = self.leaf(rank, reads)?;
        match self.random.below(8) {
            0 | 1 => {
                let other = self.leaf(rank, None)?;
                self.combined([leaf, other])
            }
            2 => {
                let not = self.data_type == ElementType::Boolean;
                let not = not || self.data_type == ElementType::Integer && self.random.once_in(2);
                self.instances.push(Expression::Unary(if not { Unary::Not } else { Unary::Negate }, leaf))
            }
            3 => {
                let condition = self.condition(rank)?;
                let other = self.leaf(rank, None)?;
                self.instances.push(Expression::If([condition, leaf, other]))
            }
            _ => Ok(leaf),
        }
    }

    fn combined(&mut self, operands: [ExprId; 2]) -> Result<ExprId, EngineError> {
        let operator = match self.data_type {
            ElementType::Boolean => Binary::Xor,
            _ => self.random.pick(&[Binary::Add, Binary::Mul, Binary::Sub]),
        };
        self.instances.push(Expression::Binary(operator, operands))
    }

    fn condition(&mut self, rank: usize) -> Result<ExprId, EngineError> {
        let a = self.leaf(rank, None)?;
        if self.data_type == ElementType::Boolean {
            return Ok(a);
        }
        let b = self.leaf(rank, None)?;
        self.instances.push(Expression::Binary(Binary::Less, [a, b]))
    }

    fn leaf(&mut self, rank: usize, reads: Option<VariableId>) -> Result<ExprId, EngineError> {
        if reads.is_none() && self.random.once_in(6) {
            let constant = self.constant(self.data_type);
            return self.everywhere(constant, rank);
        }
        let x = reads.unwrap_or_else(|| VariableId::at(self.random.below(INPUT_RANKS + 1)));
        let to = self.instances.system.variable_rank(x);
        let f = self.function(rank, to)?;
        let variable = self.instances.push(Expression::Variable(x))?;
        self.instances.push(Expression::Dependence(variable, f))
    }

    /// A constant of a type other than the instance's.
    fn of_another_type(&mut self, rank: usize) -> Result<ExprId, EngineError> {
        let data_type = self.another_type();
        let constant = self.constant(data_type);
        self.everywhere(constant, rank)
    }

    fn another_type(&mut self) -> ElementType {
        match self.data_type {
            ElementType::Integer => self.random.pick(&[ElementType::Real, ElementType::Boolean]),
            _ => ElementType::Integer,
        }
    }

    fn everywhere(&mut self, constant: Constant, rank: usize) -> Result<ExprId, EngineError> {
        let constant = self.instances.push(Expression::Constant(constant))?;
        let everywhere = AffineMap::new(self.space(rank), Vec::new());
        self.instances.push(Expression::Dependence(constant, everywhere))
    }

    fn constant(&mut self, data_type: ElementType) -> Constant {
        let number = self.random.below(5) as i64 - 1;
        match data_type {
            ElementType::Boolean => Constant::Boolean(number > 0),
            ElementType::Integer => Constant::Integer(number.into()),
            _ => Constant::Real(RBig::from(number) / RBig::from(2)),
        }
    }
}
