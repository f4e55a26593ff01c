//! All well-typed expressions up to a size, over given variables.

use super::support::AnalyzedProgram;
use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program};

/// The maximum rank of an enumerated expression.
const RANK: usize = 4;

/// Declared variables with their extents.
pub type Variables = &'static [(&'static str, &'static [u64])];

struct Enumerator {
    program: Program,
    /// The expressions by size, from 1.
    found: Vec<Vec<(ExprId, Vec<u64>)>>,
}

/// A program with one statement `x = e` for each expression `e` of at most `size` nodes that has the type of `x`,
/// the first of the variables. There are no parentheses, and one operator represents all that have the same typing
/// rule.
pub fn assignments(variables: Variables, size: usize) -> AnalyzedProgram {
    let mut program = Program::new();
    for (x, extents) in variables {
        program.declare(Default::default(), x, extents);
    }
    let leaves = variables.iter().map(|(x, extents)| (program.variable(x), extents.to_vec())).collect();
    let mut enumerator = Enumerator { program, found: vec![Vec::new(), leaves] };
    for size in 2..=size {
        enumerator.grow(size);
    }
    let Enumerator { mut program, found } = enumerator;
    let (target, t) = variables[0];
    for (e, _) in found.into_iter().flatten().filter(|(_, u)| u == t) {
        program.assign(target, e);
    }
    AnalyzedProgram::new(program)
}

impl Enumerator {
    fn grow(&mut self, size: usize) {
        let mut grown = Vec::new();
        for (e, t) in self.found[size - 1].clone() {
            self.unary(e, &t, &mut grown);
        }
        for left in 1..size - 1 {
            for (e0, t0) in self.found[left].clone() {
                for (e1, t1) in self.found[size - 1 - left].clone() {
                    self.binary((e0, &t0), (e1, &t1), &mut grown);
                }
            }
        }
        self.found.push(grown);
    }

    fn unary(&mut self, e: ExprId, t: &[u64], grown: &mut Vec<(ExprId, Vec<u64>)>) {
        for n in 1..t.len() {
            for m in 0..n {
                let pair = AxisPair::new(m as u64 + 1, n as u64 + 1);
                let mut swapped = t.to_vec();
                swapped.swap(m, n);
                grown.push((self.program.add(Expression::Transposition(e, pair)), swapped));
                if t[m] == t[n] {
                    let mut shorter = t.to_vec();
                    shorter.remove(n);
                    shorter.remove(m);
                    grown.push((self.program.add(Expression::Contraction(e, pair)), shorter));
                }
            }
        }
    }

    fn binary(&mut self, e0: (ExprId, &[u64]), e1: (ExprId, &[u64]), grown: &mut Vec<(ExprId, Vec<u64>)>) {
        let ((e0, t0), (e1, t1)) = (e0, e1);
        let mut push = |node, t: Vec<u64>| grown.push((self.program.add(node), t));
        if t0.len() + t1.len() <= RANK {
            push(Expression::Product(e0, e1), [t0, t1].concat());
        }
        if t0 == t1 {
            push(Expression::Elementwise(ElementwiseOperator::Add, e0, e1), t0.to_vec());
        }
        if t1.is_empty() {
            push(Expression::Elementwise(ElementwiseOperator::Div, e0, e1), t0.to_vec());
        }
        if t0.is_empty() && !t1.is_empty() {
            push(Expression::Elementwise(ElementwiseOperator::Mul, e0, e1), t1.to_vec());
        }
    }
}
