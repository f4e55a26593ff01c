//! Abstract syntax of Tensor Comprehensions (Grammar), in an arena. **Children precede their parents**, so every pass is a loop and nothing
//! recurses.

use base::diagnostics::Span;
use base::identifiers::identifier;
use dashu_ratio::RBig;
use selfsame_core::operators::{Binary, ElementType};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An identifier.
pub type Name = Arc<str>;

/// An identifier and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The identifier.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// An expression of a file, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);

impl ExprId {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The expression at a position.
    pub fn at(position: usize) -> ExprId {
        ExprId(identifier(position))
    }
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

impl UnaryOperator {
    /// The operators with their text.
    pub const TABLE: &[(UnaryOperator, &'static str)] =
        &[(UnaryOperator::Negate, "-"), (UnaryOperator::Not, "!"), (UnaryOperator::Complement, "~")];

    /// The operator as written.
    pub fn text(self) -> &'static str {
        UnaryOperator::TABLE.iter().find(|(of, _)| *of == self).map_or("", |(_, text)| text)
    }
}

/// A binary operator of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
}

impl BinaryOperator {
    /// The operator of the core on operands of one type; `None` for shifts, which are primitives there. So are quotients of integers.
    pub fn core(self) -> Option<Binary> {
        Some(match self {
            BinaryOperator::Or | BinaryOperator::BitOr => Binary::Or,
            BinaryOperator::And | BinaryOperator::BitAnd => Binary::And,
            BinaryOperator::BitXor => Binary::Xor,
            BinaryOperator::Equal => Binary::Equal,
            BinaryOperator::NotEqual => Binary::NotEqual,
            BinaryOperator::Less => Binary::Less,
            BinaryOperator::LessOrEqual => Binary::LessOrEqual,
            BinaryOperator::Greater => Binary::Greater,
            BinaryOperator::GreaterOrEqual => Binary::GreaterOrEqual,
            BinaryOperator::Add => Binary::Add,
            BinaryOperator::Sub => Binary::Sub,
            BinaryOperator::Mul => Binary::Mul,
            BinaryOperator::Div => Binary::Div,
            BinaryOperator::Mod => Binary::Rem,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => return None,
        })
    }

    /// The operators with their text and C's precedence; a higher one binds tighter.
    pub const TABLE: &[(BinaryOperator, &'static str, u8)] = &[
        (BinaryOperator::Or, "||", 2),
        (BinaryOperator::And, "&&", 3),
        (BinaryOperator::BitOr, "|", 4),
        (BinaryOperator::BitXor, "^", 5),
        (BinaryOperator::BitAnd, "&", 6),
        (BinaryOperator::Equal, "==", 7),
        (BinaryOperator::NotEqual, "!=", 7),
        (BinaryOperator::Less, "<", 8),
        (BinaryOperator::LessOrEqual, "<=", 8),
        (BinaryOperator::Greater, ">", 8),
        (BinaryOperator::GreaterOrEqual, ">=", 8),
        (BinaryOperator::ShiftLeft, "<<", 9),
        (BinaryOperator::ShiftRight, ">>", 9),
        (BinaryOperator::Add, "+", 10),
        (BinaryOperator::Sub, "-", 10),
        (BinaryOperator::Mul, "*", 11),
        (BinaryOperator::Div, "/", 11),
        (BinaryOperator::Mod, "%", 11),
    ];
    /// The precedence of unary operators.
    pub const UNARY: u8 = 12;

    /// Whether it has no floating-point operands.
    pub fn is_of_integers(self) -> bool {
        use BinaryOperator::{BitAnd, BitOr, BitXor, Mod, ShiftLeft, ShiftRight};
        matches!(self, BitAnd | BitOr | BitXor | Mod | ShiftLeft | ShiftRight)
    }

    /// The operator as written.
    pub fn text(self) -> &'static str {
        BinaryOperator::TABLE.iter().find(|(of, ..)| *of == self).map_or("", |(_, text, _)| text)
    }

    /// The precedence.
    pub fn precedence(self) -> u8 {
        BinaryOperator::TABLE.iter().find(|(of, ..)| *of == self).map_or(0, |(.., precedence)| *precedence)
    }
}

/// **tc-syntax-exp** (Grammar): an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number; `is_real` if it is written with a fraction, an exponent or the suffix `f`.
    Number {
        /// Its value.
        value: RBig,
        /// Whether it is a number of a floating-point type.
        is_real: bool,
    },
    /// An identifier: a size, an index, a tensor without indices, or a value that `where` names.
    Variable(Name),
    /// `T.1`: the extent of a dimension, counted from 0.
    Dimension(Name, usize),
    /// `f(e1, …, en)`: an access or a call.
    Apply(Name, Vec<ExprId>),
    /// `float(e)`; ours (ledger: `tc/decision-casts`).
    Cast(ElementType, ExprId),
    /// `op e`
    Unary(UnaryOperator, ExprId),
    /// `e1 op e2`
    Binary(BinaryOperator, [ExprId; 2]),
    /// `e1 ? e2 : e3`
    Conditional([ExprId; 3]),
}

impl Expression {
    /// The operands, left to right.
    pub fn operands(&self) -> &[ExprId] {
        match self {
            Expression::Number { .. } | Expression::Variable(_) | Expression::Dimension(..) => &[],
            Expression::Apply(_, arguments) => arguments,
            Expression::Cast(_, e) | Expression::Unary(_, e) => std::slice::from_ref(e),
            Expression::Binary(_, operands) => operands,
            Expression::Conditional(parts) => parts,
        }
    }

    /// The operands, to be replaced.
    pub fn operands_mut(&mut self) -> &mut [ExprId] {
        match self {
            Expression::Number { .. } | Expression::Variable(_) | Expression::Dimension(..) => &mut [],
            Expression::Apply(_, arguments) => arguments,
            Expression::Cast(_, e) | Expression::Unary(_, e) => std::slice::from_mut(e),
            Expression::Binary(_, operands) => operands,
            Expression::Conditional(parts) => parts,
        }
    }
}

/// **tc-syntax-reduction** (Grammar): a reduction operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReductionOperator {
    /// `+=`
    Sum,
    /// `*=`
    Product,
    /// `min=`
    Least,
    /// `max=`
    Greatest,
}

/// A reduction of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The operator.
    pub operator: ReductionOperator,
    /// Whether `!` initializes the tensor with the identity.
    pub initializes: bool,
}

impl Reduction {
    /// The reduction as written.
    pub fn text(self) -> &'static str {
        use ReductionOperator::{Greatest, Least, Product, Sum};
        match (self.operator, self.initializes) {
            (Sum, false) => "+=",
            (Sum, true) => "+=!",
            (Product, false) => "*=",
            (Product, true) => "*=!",
            (Least, false) => "min=",
            (Least, true) => "min=!",
            (Greatest, false) => "max=",
            (Greatest, true) => "max=!",
        }
    }
}

/// An entry of `where`.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// **tc-syntax-range-constraint** (Grammar): `i in b:e`
    Range(Named, [ExprId; 2]),
    /// `x = e`; ours (ledger: `tc/decision-where-value`).
    Value(Named, ExprId),
    /// `exists e`; ours (ledger: `tc/decision-where-exists`).
    Exists(ExprId),
}

/// **tc-syntax-stmt** (Grammar): a statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `v(i, j) op= e where …`
    Define {
        /// The tensor.
        target: Named,
        /// Its indices.
        indices: Vec<Named>,
        /// The reduction; `None` for `=`.
        reduction: Option<Reduction>,
        /// The right side.
        expression: ExprId,
        /// The entries of `where`.
        constraints: Vec<Constraint>,
    },
    /// `a, b = f(x, y)`
    Call {
        /// The tensors that are defined.
        targets: Vec<Named>,
        /// The function.
        function: Named,
        /// Its arguments.
        arguments: Vec<Named>,
    },
}

impl Constraint {
    /// Its expressions.
    pub fn expressions(&self) -> &[ExprId] {
        match self {
            Constraint::Range(_, ends) => ends,
            Constraint::Value(_, e) | Constraint::Exists(e) => std::slice::from_ref(e),
        }
    }

    /// Its expressions, to be replaced.
    pub fn expressions_mut(&mut self) -> &mut [ExprId] {
        match self {
            Constraint::Range(_, ends) => ends,
            Constraint::Value(_, e) | Constraint::Exists(e) => std::slice::from_mut(e),
        }
    }
}

impl Statement {
    /// Its expressions: the right side, then those of `where`.
    pub fn expressions(&self) -> Vec<ExprId> {
        match self {
            Statement::Define { expression, constraints, .. } => std::iter::once(*expression)
                .chain(constraints.iter().flat_map(Constraint::expressions).copied())
                .collect(),
            Statement::Call { .. } => Vec::new(),
        }
    }

    /// Its expressions, to be replaced.
    pub fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        match self {
            Statement::Define { expression, constraints, .. } => std::iter::once(expression)
                .chain(constraints.iter_mut().flat_map(Constraint::expressions_mut))
                .collect(),
            Statement::Call { .. } => Vec::new(),
        }
    }

    /// The tensors that it defines.
    pub fn targets(&self) -> &[Named] {
        match self {
            Statement::Define { target, .. } => std::slice::from_ref(target),
            Statement::Call { targets, .. } => targets,
        }
    }
}

/// An extent of an argument's type.
#[derive(Clone, Debug)]
pub enum Extent {
    /// A size variable.
    Size(Named),
    /// A number; ours (ledger: `tc/decision-number-extents`).
    Number(i64, Span),
}

/// **tc-syntax-arg** (Grammar): an argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its element type.
    pub data_type: ElementType,
    /// The extents of its dimensions.
    pub extents: Vec<Extent>,
    /// Its name.
    pub name: Named,
}

/// **tc-syntax-func** (Grammar): a definition.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Named,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The names of what it returns.
    pub returns: Vec<Named>,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// The definitions of a file. The last one is the program; the others may be called.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The definitions, in order.
    pub functions: Vec<Function>,
    expressions: Vec<(Expression, Span)>,
}

/// What stands in the place of an expression; it is made of expressions of the same file that precede it.
#[derive(Clone, Debug)]
pub enum Replacement {
    /// An expression before it, such as an operand.
    Part(ExprId),
    /// A node, whose operands stand before it.
    Node(Expression),
}

impl File {
    /// Adds an expression whose operands exist.
    pub fn push(&mut self, expression: Expression, span: Span) -> ExprId {
        self.expressions.push((expression, span));
        ExprId::at(self.expressions.len() - 1)
    }

    /// The node of an expression.
    pub fn expression(&self, e: ExprId) -> &Expression {
        &self.expressions[e.index()].0
    }

    /// All expressions, operands first.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.expressions.iter().map(|(expression, _)| expression)
    }

    /// The expressions that these are made of, operands first.
    pub fn parts(&self, roots: impl IntoIterator<Item = ExprId>) -> BTreeSet<ExprId> {
        let (mut parts, mut pending) = (BTreeSet::new(), Vec::from_iter(roots));
        while let Some(e) = pending.pop() {
            if parts.insert(e) {
                pending.extend(self.expression(e).operands());
            }
        }
        parts
    }

    /// The file with others for some expressions.
    #[must_use]
    pub fn replaced(&self, mut by: impl FnMut(ExprId, &Expression) -> Option<Replacement>) -> File {
        let mut file = File { functions: self.functions.clone(), expressions: Vec::new() };
        let mut done: Vec<ExprId> = Vec::with_capacity(self.expressions.len());
        for (at, (expression, span)) in self.expressions.iter().enumerate() {
            let by = by(ExprId::at(at), expression);
            done.push(match by.unwrap_or_else(|| Replacement::Node(expression.clone())) {
                Replacement::Part(part) => done[part.index()],
                Replacement::Node(mut node) => {
                    node.operands_mut().iter_mut().for_each(|e| *e = done[e.index()]);
                    file.push(node, *span)
                }
            });
        }
        let statements = file.functions.iter_mut().flat_map(|function| &mut function.statements);
        statements.flat_map(Statement::expressions_mut).for_each(|e| *e = done[e.index()]);
        file
    }

    /// The place of an expression.
    pub fn span(&self, e: ExprId) -> Span {
        self.expressions[e.index()].1
    }
}
