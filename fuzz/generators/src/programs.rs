//! Random well-typed programs: first a type, then an expression of that type; variables are declared as needed.

use crate::choices::DecisionSource;
use rink::extents::{Extent, SizeParameter, SizeValues};
use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, Program, Qualifier};
use std::collections::BTreeSet;

/// The shape of random programs.
#[derive(Clone, Debug)]
pub struct ProgramShape {
    /// The extents to draw from.
    pub extents: Vec<u64>,
    /// The maximum rank of an expression.
    pub max_rank: usize,
    /// The maximum number of statements; the minimum is 1.
    pub max_statements: usize,
    /// The maximum number of operators of an expression.
    pub max_operators: usize,
    /// The maximum number of elements of a variable.
    pub max_elements: u64,
    /// The maximum number of elements of an operand, so that an implementation may compute one operator after the
    /// other.
    pub max_operand: u64,
    /// Whether `/` occurs.
    pub division: bool,
    /// Whether variables are qualified `input` and `output` at random.
    pub qualifiers: bool,
    /// Whether to generate products of several tensors with contractions between them; they may have this rank,
    /// whatever `max_rank` is.
    pub networks: Option<usize>,
}

impl Default for ProgramShape {
    /// Extents that vector lengths of 2 to 4 divide and do not divide, and the rank of a product of two matrices.
    /// Chosen, not measured: larger programs have more constructs that may interact, smaller ones are evaluated
    /// more often in the same time. An operand has at most as many elements as a tensor of a fuzzed case.
    fn default() -> ProgramShape {
        ProgramShape {
            extents: vec![1, 2, 3, 4, 5],
            max_rank: 4,
            max_statements: 3,
            max_operators: 6,
            max_elements: 64,
            max_operand: 1 << 20,
            division: true,
            qualifiers: true,
            networks: None,
        }
    }
}

/// A well-typed program.
pub fn program(choices: &mut impl DecisionSource, shape: &ProgramShape) -> Program {
    let mut generator = ProgramGenerator { choices, shape, program: Program::new(), variables: Vec::new() };
    for _ in 0..1 + generator.choices.below(shape.max_statements) {
        generator.statement();
    }
    generator.program
}

/// Replaces some extents of the program by size parameters, equal numbers by the same one; also returns the sizes
/// that give the program back.
pub fn symbolic(choices: &mut impl DecisionSource, program: &Program) -> (Program, SizeValues) {
    let extents = program.declarations.iter().flat_map(|declaration| &declaration.extents);
    let numbers: BTreeSet<u64> = extents.filter_map(Extent::number).filter(|&number| number > 0).collect();
    let replaced = numbers.into_iter().filter(|_| !choices.once_in(4));
    let sizes: SizeValues = replaced.map(|number| (format!("n{number}"), number)).collect();
    let mut symbolic = program.clone();
    for extent in symbolic.declarations.iter_mut().flat_map(|declaration| &mut declaration.extents) {
        let name = extent.number().map(|number| format!("n{number}"));
        if let Some(symbol) =
            name.filter(|name| sizes.contains_key(name)).and_then(|name| SizeParameter::new(&name))
        {
            *extent = Extent::Symbol(symbol);
        }
    }
    (symbolic, sizes)
}

struct ProgramGenerator<'a, C> {
    choices: &'a mut C,
    shape: &'a ProgramShape,
    program: Program,
    variables: Vec<(String, Vec<u64>)>,
}

/// The forms of expressions that a generator chooses from.
#[derive(Clone, Copy, PartialEq)]
enum ExpressionForm {
    Parenthesized,
    Elementwise,
    ScalarMultiple,
    ScalarQuotient,
    Product,
    Transposition,
    Contraction,
    Network,
}

impl<C: DecisionSource> ProgramGenerator<'_, C> {
    fn statement(&mut self) {
        let t = self.target_type();
        let operators = self.choices.below(self.shape.max_operators + 1);
        let expression = self.expression(&t, operators);
        let target = self.variable(&t);
        self.program.assign(&target, expression);
    }

    /// A type for a statement; often that of a known variable, so that statements depend on each other.
    fn target_type(&mut self) -> Vec<u64> {
        if !self.variables.is_empty() && !self.choices.once_in(3) {
            return self.choices.pick(&self.variables).1;
        }
        let rank = self.choices.below(self.shape.max_rank.min(3) + 1);
        let t = (0..rank).map(|_| self.choices.pick(&self.shape.extents)).collect();
        self.fitting(t)
    }

    /// Drops extents until a tensor of the type is small enough.
    fn fitting(&self, mut t: Vec<u64>) -> Vec<u64> {
        while t.iter().product::<u64>() > self.shape.max_elements {
            t.pop();
        }
        t
    }

    fn expression(&mut self, t: &[u64], operators: usize) -> ExprId {
        if operators == 0 || (t.iter().product::<u64>() > self.shape.max_elements && t.len() < 2) {
            return self.leaf(t);
        }
        let form = self.form(t, operators);
        let rest = operators - 1;
        match form {
            ExpressionForm::Parenthesized => {
                let e = self.expression(t, rest);
                self.program.add(Expression::Parenthesized(e))
            }
            ExpressionForm::Elementwise => {
                let operator = self.operator();
                self.binary(t, t, rest, |e0, e1| Expression::Elementwise(operator, e0, e1))
            }
            ExpressionForm::ScalarMultiple => {
                self.binary(&[], t, rest, |e0, e1| Expression::Elementwise(ElementwiseOperator::Mul, e0, e1))
            }
            ExpressionForm::ScalarQuotient => {
                self.binary(t, &[], rest, |e0, e1| Expression::Elementwise(ElementwiseOperator::Div, e0, e1))
            }
            ExpressionForm::Product => {
                let k = self.choices.below(t.len() + 1);
                self.binary(&t[..k], &t[k..], rest, Expression::Product)
            }
            ExpressionForm::Transposition => {
                let (m, n) = self.two_positions(t.len());
                let mut operand = t.to_vec();
                operand.swap(m, n);
                let e = self.expression(&operand, rest);
                self.program.add(Expression::Transposition(e, AxisPair::new(m as u64 + 1, n as u64 + 1)))
            }
            ExpressionForm::Contraction => self.contraction(t, rest),
            ExpressionForm::Network => self.network(t, operators),
        }
    }

    /// A form of expressions of type `t`.
    fn form(&mut self, t: &[u64], operators: usize) -> ExpressionForm {
        let mut forms = vec![
            ExpressionForm::Parenthesized,
            ExpressionForm::Elementwise,
            ExpressionForm::ScalarMultiple,
            ExpressionForm::Product,
            ExpressionForm::Product,
        ];
        if self.shape.division {
            forms.push(ExpressionForm::ScalarQuotient);
        }
        if t.len() >= 2 {
            forms.push(ExpressionForm::Transposition);
        }
        if t.len() + 2 <= self.shape.max_rank {
            forms.extend([ExpressionForm::Contraction; 3]);
        }
        if operators >= 2 && self.shape.networks.is_some_and(|rank| t.len() + 2 <= rank) {
            forms.extend([ExpressionForm::Network; 2]);
        }
        self.choices.pick(&forms)
    }

    fn operator(&mut self) -> ElementwiseOperator {
        let operators =
            if self.shape.division { &ElementwiseOperator::ALL[..] } else { &ElementwiseOperator::ALL[..3] };
        self.choices.pick(operators)
    }

    fn binary(
        &mut self,
        t0: &[u64],
        t1: &[u64],
        operators: usize,
        node: impl FnOnce(ExprId, ExprId) -> Expression,
    ) -> ExprId {
        let left = self.choices.below(operators + 1);
        let e0 = self.expression(t0, left);
        let e1 = self.expression(t1, operators - left);
        let e1 = self.operand(e1);
        self.program.add(node(e0, e1))
    }

    /// The expression as a right operand, in parentheses where they are needed.
    fn operand(&mut self, e: ExprId) -> ExprId {
        match self.program.expression(e) {
            Expression::Variable(_) | Expression::Parenthesized(_) => e,
            _ => self.program.add(Expression::Parenthesized(e)),
        }
    }

    fn contraction(&mut self, t: &[u64], operators: usize) -> ExprId {
        let volume = t.iter().product::<u64>();
        let fits = |d: &&u64| volume * **d * **d <= self.shape.max_operand;
        let extents: Vec<u64> = self.shape.extents.iter().filter(fits).copied().collect();
        if extents.is_empty() {
            return self.leaf(t);
        }
        let d = self.choices.pick(&extents);
        let (m, n) = self.two_positions(t.len() + 2);
        let mut operand = t.to_vec();
        operand.insert(m.min(n), d);
        operand.insert(m.max(n), d);
        let e = self.expression(&operand, operators);
        self.program.add(Expression::Contraction(e, AxisPair::new(m as u64 + 1, n as u64 + 1)))
    }

    /// A product of two or more factors with contractions, mostly between different factors: at least two
    /// operators.
    fn network(&mut self, t: &[u64], operators: usize) -> ExprId {
        let count = 2 + self.choices.below((operators / 2).min(3));
        let mut cuts: Vec<usize> = (1..count).map(|_| self.choices.below(t.len() + 1)).collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([t.len()]);
        // The indices of each factor, as a number and an extent; those of the result come first.
        let mut factors: Vec<Vec<(usize, u64)>> = ends
            .scan(0, |from, to| {
                let part = (*from..to).map(|at| (at, t[at])).collect();
                *from = to;
                Some(part)
            })
            .collect();
        let (mut rank, mut volume) = (t.len(), t.iter().product::<u64>());
        let mut operand = volume;
        let most = self.choices.below(operators + 2 - count).max(1);
        for sum in t.len()..t.len() + most {
            let extent = self.choices.pick(&self.shape.extents);
            let is_small = volume * extent <= 4 * self.shape.max_elements
                && operand * extent * extent <= self.shape.max_operand;
            let fits = self.shape.networks.is_some_and(|most| rank + 2 <= most) && is_small;
            if !fits {
                break;
            }
            (rank, volume, operand) = (rank + 2, volume * extent, operand * extent * extent);
            let (first, next) = self.two_positions(count);
            let second = if self.choices.once_in(8) { first } else { next };
            for factor in [first, second] {
                let place = self.choices.below(factors[factor].len() + 1);
                factors[factor].insert(place, (sum, extent));
            }
        }
        self.contracted(&factors, t.len(), operators)
    }

    /// The product of factors with these indices, contracted over the indices with a number of at least `kept`.
    fn contracted(&mut self, factors: &[Vec<(usize, u64)>], kept: usize, operators: usize) -> ExprId {
        let mut indices: Vec<usize> = factors.iter().flatten().map(|(index, _)| *index).collect();
        let sums = (indices.len() - kept) / 2;
        let mut rest = operators.saturating_sub(factors.len() - 1 + sums);
        let mut product = None;
        for factor in factors {
            let of = self.choices.below(rest + 1);
            rest -= of;
            let extents: Vec<u64> = factor.iter().map(|(_, extent)| *extent).collect();
            let e = self.expression(&extents, of);
            product = Some(match product {
                None => e,
                Some(product) => {
                    let e = self.operand(e);
                    self.program.add(Expression::Product(product, e))
                }
            });
        }
        let mut e = product.unwrap_or_else(|| self.leaf(&[]));
        while let Some(&index) = indices.iter().filter(|index| **index >= kept).max() {
            let at: Vec<usize> = (0..indices.len()).filter(|&at| indices[at] == index).collect();
            let (m, n) = if self.choices.once_in(2) { (at[0], at[1]) } else { (at[1], at[0]) };
            e = self.program.add(Expression::Contraction(e, AxisPair::new(m as u64 + 1, n as u64 + 1)));
            indices.retain(|other| *other != index);
        }
        e
    }

    /// Two distinct offsets below `rank`, in either order.
    fn two_positions(&mut self, rank: usize) -> (usize, usize) {
        let m = self.choices.below(rank);
        let n = (m + 1 + self.choices.below(rank - 1)) % rank;
        (m, n)
    }

    /// A variable of the type; a product of two variables if it would have too many elements.
    fn leaf(&mut self, t: &[u64]) -> ExprId {
        if t.iter().product::<u64>() > self.shape.max_elements && t.len() >= 2 {
            let (t0, t1) = t.split_at(t.len() / 2);
            return self.binary(t0, t1, 0, Expression::Product);
        }
        let name = self.variable(t);
        self.program.variable(&name)
    }

    /// A variable of the type: a declared one, or a new one if none is declared, or at random.
    fn variable(&mut self, t: &[u64]) -> String {
        let fitting: Vec<&String> =
            self.variables.iter().filter(|(_, u)| u == t).map(|(name, _)| name).collect();
        if !fitting.is_empty() && (self.variables.len() > 6 || !self.choices.once_in(3)) {
            return self.choices.pick(&fitting).clone();
        }
        let name = format!("x{}", self.variables.len());
        let qualifier = match self.shape.qualifiers {
            true => {
                self.choices.pick(&[Qualifier::None, Qualifier::None, Qualifier::Input, Qualifier::Output])
            }
            false => Qualifier::None,
        };
        self.program.declare(qualifier, &name, t);
        self.variables.push((name.clone(), t.to_vec()));
        name
    }
}
