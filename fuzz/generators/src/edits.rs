//! Variants of a program, each by one step as a compiler makes it. Some steps change the meaning, and some only in
//! some number systems.

use rink::syntax::{AxisPair, ElementwiseOperator, ExprId, Expression, NameId, Program};
use rink::typing::{Typing, type_program};

/// A change of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditStep {
    /// `a ∘ b` to `b ∘ a`
    Commute,
    /// `(a ∘ b) • c` to `a ∘ (b • c)`
    Associate,
    /// `(a ∘ b) • c` to `(a • c) ∘ (b • c)`
    Distribute,
    /// `a ∘ b` to `a • b` with the next operator
    Operator,
    /// `a # b` to `b # a`, if that has the same type
    Swap,
    /// `e` to `e ^ [1 2] ^ [1 2]`
    TransposeTwice,
    /// `e` to `e ^ [1 2]`, if that has the same type
    Transpose,
    /// `e` to `e + (e - e)`
    Cancel,
    /// A variable to another variable of its type.
    Rename,
    /// `x` to `(y ∘ x) • x`, where `y` is another variable of its type.
    Extend,
}

/// All steps.
pub const STEPS: [EditStep; 10] = [
    EditStep::Commute,
    EditStep::Associate,
    EditStep::Distribute,
    EditStep::Operator,
    EditStep::Swap,
    EditStep::TransposeTwice,
    EditStep::Transpose,
    EditStep::Cancel,
    EditStep::Rename,
    EditStep::Extend,
];

/// The operators `∘` and `•` of [`EditStep::Extend`], used in turn.
const EXTENSIONS: [(ElementwiseOperator, ElementwiseOperator); 4] = [
    (ElementwiseOperator::Add, ElementwiseOperator::Add),
    (ElementwiseOperator::Mul, ElementwiseOperator::Mul),
    (ElementwiseOperator::Add, ElementwiseOperator::Mul),
    (ElementwiseOperator::Sub, ElementwiseOperator::Add),
];

/// A step at an expression of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of the statement, from 0.
    pub statement: usize,
    at: ExprId,
    /// The step.
    pub step: EditStep,
}

/// Every edit of a well-formed program; the edited programs are well-formed too.
pub fn edits(program: &Program, typing: &Typing) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (statement, root) in program.statements.iter().map(|s| s.expression).enumerate() {
        for at in program.postorder(root) {
            let of = STEPS.map(|step| Edit { statement, at, step });
            edits.extend(of.into_iter().filter(|edit| apply(program, typing, *edit).is_some()));
        }
    }
    edits
}

/// The edited program; `None` if the step does not apply, or would make a scalar a right operand.
pub fn apply(program: &Program, typing: &Typing, edit: Edit) -> Option<Program> {
    let mut edited = program.clone();
    let mut editor = Editor { program: &mut edited, typing };
    let new = editor.step(edit.at, edit.step)?;
    let new = editor.operand(new);
    let root = edited.statements.get(edit.statement)?.expression;
    edited.statements[edit.statement].expression = replaced(&mut edited, root, edit.at, new);
    // Drop the expressions that are not used any more.
    let statements = edited.statements.clone();
    let edited = edited.with_statements(statements);
    type_program(&edited).is_ok().then_some(edited)
}

struct Editor<'a> {
    program: &'a mut Program,
    typing: &'a Typing,
}

impl Editor<'_> {
    fn step(&mut self, at: ExprId, step: EditStep) -> Option<ExprId> {
        match (step, self.program.expression(at)) {
            (EditStep::Commute, Expression::Elementwise(op, a, b)) => Some(self.elementwise(op, b, a)),
            (EditStep::Associate, Expression::Elementwise(outer, left, c)) => {
                let (inner, a, b) = self.operands(left)?;
                let right = self.elementwise(outer, b, c);
                Some(self.elementwise(inner, a, right))
            }
            (EditStep::Distribute, Expression::Elementwise(outer, left, c)) => {
                let (inner, a, b) = self.operands(left)?;
                let (left, right) = (self.elementwise(outer, a, c), self.elementwise(outer, b, c));
                Some(self.elementwise(inner, left, right))
            }
            (EditStep::Operator, Expression::Elementwise(op, a, b)) => Some(self.elementwise(next(op), a, b)),
            (EditStep::Swap, Expression::Product(a, b)) => {
                let (of_a, of_b) = (self.typing.expression(a)?, self.typing.expression(b)?);
                let is_typed = of_a == of_b || of_a.rank() == 0 || of_b.rank() == 0;
                let (a, b) = (self.operand(a), self.operand(b));
                is_typed.then(|| self.program.add(Expression::Product(b, a)))
            }
            (EditStep::TransposeTwice, _) => {
                let once = self.transposed(at)?;
                Some(self.program.add(Expression::Transposition(once, AxisPair::new(1, 2))))
            }
            (EditStep::Transpose, _) => {
                let extents = &self.typing.expression(at)?.0;
                let is_typed = extents.len() >= 2 && extents[0] == extents[1];
                is_typed.then(|| self.transposed(at)).flatten()
            }
            (EditStep::Cancel, Expression::Variable(_)) => {
                let zero = self.elementwise(ElementwiseOperator::Sub, at, at);
                Some(self.elementwise(ElementwiseOperator::Add, at, zero))
            }
            (EditStep::Rename, Expression::Variable(x)) => self.other(x),
            (EditStep::Extend, Expression::Variable(x)) => {
                let (inner, outer) = EXTENSIONS[at.index() % EXTENSIONS.len()];
                let other = self.other(x)?;
                let left = self.elementwise(inner, other, at);
                Some(self.elementwise(outer, left, at))
            }
            _ => None,
        }
    }

    /// Another variable with the type of a variable.
    fn other(&mut self, x: NameId) -> Option<ExprId> {
        let t = self.typing.variable(x)?;
        let mut others = self.program.declarations.iter().map(|declaration| declaration.name);
        let other = others.find(|&y| y != x && self.typing.variable(y) == Some(t))?;
        Some(self.program.add(Expression::Variable(other)))
    }

    /// `a ∘ b`, in parentheses or not.
    fn operands(&self, mut e: ExprId) -> Option<(ElementwiseOperator, ExprId, ExprId)> {
        loop {
            match self.program.expression(e) {
                Expression::Parenthesized(inner) => e = inner,
                Expression::Elementwise(operator, a, b) => return Some((operator, a, b)),
                _ => return None,
            }
        }
    }

    fn transposed(&mut self, e: ExprId) -> Option<ExprId> {
        let has_two = self.typing.expression(e)?.rank() >= 2;
        let e = self.operand(e);
        has_two.then(|| self.program.add(Expression::Transposition(e, AxisPair::new(1, 2))))
    }

    /// `(a ∘ b)`
    fn elementwise(&mut self, operator: ElementwiseOperator, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (self.operand(a), self.operand(b));
        let e = self.program.add(Expression::Elementwise(operator, a, b));
        self.program.add(Expression::Parenthesized(e))
    }

    /// The expression as an operand, in parentheses where they are needed.
    fn operand(&mut self, e: ExprId) -> ExprId {
        match self.program.expression(e) {
            Expression::Variable(_) | Expression::Parenthesized(_) => e,
            _ => self.program.add(Expression::Parenthesized(e)),
        }
    }
}

fn next(operator: ElementwiseOperator) -> ElementwiseOperator {
    match operator {
        ElementwiseOperator::Add => ElementwiseOperator::Sub,
        ElementwiseOperator::Sub => ElementwiseOperator::Mul,
        ElementwiseOperator::Mul => ElementwiseOperator::Div,
        ElementwiseOperator::Div => ElementwiseOperator::Add,
    }
}

/// An expression with one of its parts replaced.
fn replaced(program: &mut Program, root: ExprId, part: ExprId, by: ExprId) -> ExprId {
    let mut new = vec![None; program.expressions().len()];
    for e in program.postorder(root) {
        let of = |operand: ExprId| new[operand.index()];
        let keep = |operand: ExprId| of(operand).unwrap_or(operand);
        new[e.index()] = match program.expression(e) {
            _ if e == part => Some(by),
            node if node.operands().all(|operand| of(operand).is_none()) => None,
            Expression::Variable(_) => None,
            Expression::Parenthesized(a) => Some(Expression::Parenthesized(keep(a))).map(|e| program.add(e)),
            Expression::Elementwise(op, a, b) => {
                Some(program.add(Expression::Elementwise(op, keep(a), keep(b))))
            }
            Expression::Product(a, b) => Some(program.add(Expression::Product(keep(a), keep(b)))),
            Expression::Contraction(a, pair) => Some(program.add(Expression::Contraction(keep(a), pair))),
            Expression::Transposition(a, pair) => Some(program.add(Expression::Transposition(keep(a), pair))),
        };
    }
    new[root.index()].unwrap_or(root)
}
