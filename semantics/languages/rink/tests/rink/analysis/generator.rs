//! Random well-formed programs, from the typing rules read upwards.

use super::domains::XorShift;
use super::support::AnalyzedProgram;
use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program, Qualifier};

/// The types of generated variables; every program has scalars and vectors among them.
const TYPES: [(&str, &[u64]); 8] = [
    ("s", &[]),
    ("u", &[1]),
    ("v", &[2]),
    ("w", &[2]),
    ("m", &[2, 2]),
    ("n", &[2, 2]),
    ("k", &[2, 1]),
    ("p", &[2, 1, 2]),
];

pub struct Generator<'a> {
    random: &'a mut XorShift,
    program: Program,
}

/// A program with a few statements over variables with random qualifiers.
pub fn program(random: &mut XorShift, statements: usize) -> AnalyzedProgram {
    let mut generator = Generator { random, program: Program::new() };
    for (name, extents) in TYPES {
        let qualifier = match generator.random.below(8) {
            0 => Qualifier::Output,
            1..6 => Qualifier::Input,
            _ => Qualifier::None,
        };
        generator.program.declare(qualifier, name, extents);
    }
    for _ in 0..statements {
        let (target, extents) = *generator.random.pick(&TYPES);
        let fuel = generator.random.below(6);
        let expression = generator.expression(extents, fuel);
        generator.program.assign(target, expression);
    }
    AnalyzedProgram::new(generator.program)
}

impl Generator<'_> {
    /// An expression of type `t`, from about `fuel` operations.
    fn expression(&mut self, t: &[u64], fuel: usize) -> ExprId {
        let Some(fuel) = fuel.checked_sub(1) else { return self.leaf(t) };
        let half = fuel / 2;
        match self.random.below(10) {
            0..3 => {
                let operator = *self.random.pick(&ElementwiseOperator::ALL);
                let (e0, e1) = (self.expression(t, half), self.primary(t, fuel - half));
                self.program.add(Expression::Elementwise(operator, e0, e1))
            }
            3 => {
                let (e0, e1) = (self.expression(&[], half), self.primary(t, fuel - half));
                self.program.add(Expression::Elementwise(ElementwiseOperator::Mul, e0, e1))
            }
            4 => {
                let (e0, e1) = (self.expression(t, fuel - half), self.primary(&[], half));
                self.program.add(Expression::Elementwise(ElementwiseOperator::Div, e0, e1))
            }
            5 => {
                let (t0, t1) = t.split_at(self.random.below(t.len() + 1));
                let (e0, e1) = (self.expression(t0, half), self.primary(t1, fuel - half));
                self.program.add(Expression::Product(e0, e1))
            }
            6 | 7 if t.len() >= 2 => self.transposition(t, fuel),
            6..9 if t.len() <= 2 => self.contraction(t, fuel),
            _ => {
                let e = self.expression(t, fuel);
                self.program.add(Expression::Parenthesized(e))
            }
        }
    }

    /// A variable or a parenthesized expression: a valid right operand.
    fn primary(&mut self, t: &[u64], fuel: usize) -> ExprId {
        let e = self.expression(t, fuel);
        match self.program.expression(e) {
            Expression::Variable(_) | Expression::Parenthesized(_) => e,
            _ => self.program.add(Expression::Parenthesized(e)),
        }
    }

    fn transposition(&mut self, t: &[u64], fuel: usize) -> ExprId {
        let (m, n) = self.positions(t.len());
        let mut swapped = t.to_vec();
        swapped.swap(m, n);
        let e = self.expression(&swapped, fuel);
        let e = self.in_parentheses(e);
        self.program.add(Expression::Transposition(e, AxisPair::new(m as u64 + 1, n as u64 + 1)))
    }

    fn contraction(&mut self, t: &[u64], fuel: usize) -> ExprId {
        let (m, n) = self.positions(t.len() + 2);
        let extent = 1 + self.random.below(2) as u64;
        let mut longer = t.to_vec();
        longer.insert(m.min(n), extent);
        longer.insert(m.max(n), extent);
        let e = self.expression(&longer, fuel);
        let e = self.in_parentheses(e);
        self.program.add(Expression::Contraction(e, AxisPair::new(m as u64 + 1, n as u64 + 1)))
    }

    /// Two different offsets, in either order.
    fn positions(&mut self, rank: usize) -> (usize, usize) {
        let m = self.random.below(rank);
        (m, (m + 1 + self.random.below(rank - 1)) % rank)
    }

    fn in_parentheses(&mut self, e: ExprId) -> ExprId {
        if self.random.below(2) == 0 { e } else { self.program.add(Expression::Parenthesized(e)) }
    }

    /// A variable of type `t`, or a product of smaller ones.
    fn leaf(&mut self, t: &[u64]) -> ExprId {
        let fitting: Vec<&str> = TYPES.iter().filter(|(_, u)| *u == t).map(|(name, _)| *name).collect();
        if !fitting.is_empty() {
            let name = *self.random.pick(&fitting);
            return self.program.variable(name);
        }
        let e0 = self.leaf(&t[..t.len() - 1]);
        let e1 = self.leaf(&t[t.len() - 1..]);
        self.program.add(Expression::Product(e0, e1))
    }
}
