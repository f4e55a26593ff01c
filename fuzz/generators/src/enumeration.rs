//! Enumerates every expression over a context, up to a number of operators, in one arena.

use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program};
use rink::tensor_type::TensorType;

/// Expressions with their types, by number of operators.
#[derive(Debug)]
pub struct ExpressionEnumeration {
    /// The declarations, and an arena with all the expressions.
    pub program: Program,
    /// `levels[n]`: the expressions with exactly `n` operators.
    pub levels: Vec<Vec<(ExprId, TensorType)>>,
    limits: EnumerationLimits,
}

/// Limits of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct EnumerationLimits {
    /// The maximum number of operators (`+ - * / # . ^`; parentheses are not counted).
    pub operators: usize,
    /// The maximum rank of sub-expressions.
    pub rank: usize,
    /// Whether `/` occurs.
    pub division: bool,
}

/// Enumerates every well-typed expression over the declarations of `program`. Right operands are parenthesized
/// exactly where the syntax requires it, and of the pairs `[m n]` and `[n m]`, which mean the same, only the first
/// is enumerated.
pub fn enumerate(program: Program, limits: EnumerationLimits) -> ExpressionEnumeration {
    let mut enumeration = ExpressionEnumeration { program, levels: Vec::new(), limits };
    for operators in 0..=limits.operators {
        let level = if operators == 0 { enumeration.variables() } else { enumeration.level(operators) };
        enumeration.levels.push(level);
    }
    enumeration
}

impl ExpressionEnumeration {
    /// All expressions, the smallest first.
    pub fn expressions(&self) -> impl Iterator<Item = &(ExprId, TensorType)> {
        self.levels.iter().flatten()
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn variables(&mut self) -> Vec<(ExprId, TensorType)> {
        let declarations = self.program.declarations.iter();
        let declared: Vec<_> = declarations.filter_map(|d| Some((d.name, d.numbers()?))).collect();
        let variable = |(name, extents)| (self.program.add(Expression::Variable(name)), TensorType(extents));
        declared.into_iter().map(variable).collect()
    }

    fn level(&mut self, operators: usize) -> Vec<(ExprId, TensorType)> {
        let mut level = Vec::new();
        for (e, t) in self.levels[operators - 1].clone() {
            self.unary(e, &t, &mut level);
        }
        for left in 0..operators {
            let (lefts, rights) = (self.levels[left].clone(), self.levels[operators - 1 - left].clone());
            let rights: Vec<_> = rights.into_iter().map(|(e, t)| (self.primary(e), t)).collect();
            for (e0, t0) in &lefts {
                for (e1, t1) in &rights {
                    self.binary((*e0, t0), (*e1, t1), &mut level);
                }
            }
        }
        level
    }

    fn primary(&mut self, e: ExprId) -> ExprId {
        match self.program.expression(e) {
            Expression::Variable(_) => e,
            _ => self.program.add(Expression::Parenthesized(e)),
        }
    }

    fn unary(&mut self, e: ExprId, t: &TensorType, level: &mut Vec<(ExprId, TensorType)>) {
        for n in 1..t.rank() {
            for m in 0..n {
                let pair = AxisPair::new(m as u64 + 1, n as u64 + 1);
                let mut swapped = t.clone();
                swapped.0.swap(m, n);
                level.push((self.program.add(Expression::Transposition(e, pair)), swapped));
                if t.0[m] == t.0[n] {
                    let mut contracted = t.clone();
                    contracted.0.remove(n);
                    contracted.0.remove(m);
                    level.push((self.program.add(Expression::Contraction(e, pair)), contracted));
                }
            }
        }
    }

    fn binary(
        &mut self,
        (e0, t0): (ExprId, &TensorType),
        (e1, t1): (ExprId, &TensorType),
        level: &mut Vec<(ExprId, TensorType)>,
    ) {
        if t0.rank() + t1.rank() <= self.limits.rank {
            let t = TensorType([t0.0.as_slice(), &t1.0].concat());
            level.push((self.program.add(Expression::Product(e0, e1)), t));
        }
        for operator in ElementwiseOperator::ALL {
            let scalar_left = operator == ElementwiseOperator::Mul && t0.rank() == 0;
            let scalar_right = operator == ElementwiseOperator::Div && t1.rank() == 0;
            if operator == ElementwiseOperator::Div && !self.limits.division
                || !(t0 == t1 || scalar_left || scalar_right)
            {
                continue;
            }
            let t = if scalar_left { t1 } else { t0 };
            level.push((self.program.add(Expression::Elementwise(operator, e0, e1)), t.clone()));
        }
    }
}
