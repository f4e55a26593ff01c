//! Abstract syntax of the tensor model language (Rink, Fig. 1), in arenas.
//!
//! An expression is an [`ExprId`] into its program's arena. **Children precede their parents**: every pass over a
//! program is a loop in arena order, so nothing recurses and depth costs no stack.

use super::extents::Extent;
use base::diagnostics::Span;
use base::identifiers::identifier;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An identifier, interned in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

/// An expression, by its index in the program's arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

impl NameId {
    /// The position of the name in the program's table of names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ExprId {
    /// The position of the expression in the program's arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An element-wise operator: `+`, `-`, `*`, `/`; the paper's `∘`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementwiseOperator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

impl ElementwiseOperator {
    /// The four operators, in the paper's order.
    pub const ALL: [ElementwiseOperator; 4] = [
        ElementwiseOperator::Add,
        ElementwiseOperator::Sub,
        ElementwiseOperator::Mul,
        ElementwiseOperator::Div,
    ];

    /// The operator's character.
    pub fn symbol(self) -> char {
        match self {
            ElementwiseOperator::Add => '+',
            ElementwiseOperator::Sub => '-',
            ElementwiseOperator::Mul => '*',
            ElementwiseOperator::Div => '/',
        }
    }
}

/// The position of a dimension in a type, counted from 1 as in the paper; 0 is representable because it can be
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DimensionPosition(pub u64);

impl fmt::Display for DimensionPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The `[m n]` of a contraction or a transposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AxisPair {
    /// The paper's `m`.
    pub m: DimensionPosition,
    /// The paper's `n`.
    pub n: DimensionPosition,
}

impl AxisPair {
    /// The pair `[m n]`.
    pub fn new(m: u64, n: u64) -> AxisPair {
        AxisPair { m: DimensionPosition(m), n: DimensionPosition(n) }
    }
}

impl fmt::Display for AxisPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} {}]", self.m, self.n)
    }
}

/// One node of an expression (Fig. 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// `x`
    Variable(NameId),
    /// `(e)`
    Parenthesized(ExprId),
    /// `e0 ∘ e1`
    Elementwise(ElementwiseOperator, ExprId, ExprId),
    /// `e0 # e1`
    Product(ExprId, ExprId),
    /// `e . [m n]`
    Contraction(ExprId, AxisPair),
    /// `e ^ [m n]`
    Transposition(ExprId, AxisPair),
}

impl Expression {
    /// The operands, left to right.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = ExprId> {
        let (first, second) = match self {
            Expression::Variable(_) => (None, None),
            Expression::Parenthesized(e)
            | Expression::Contraction(e, _)
            | Expression::Transposition(e, _) => (Some(e), None),
            Expression::Elementwise(_, e0, e1) | Expression::Product(e0, e1) => (Some(e0), Some(e1)),
        };
        first.into_iter().chain(second)
    }

    /// The same node with other operands, which are requested from right to left: the order in which a stack pops
    /// them.
    pub fn with_operands(self, mut operand: impl FnMut() -> ExprId) -> Expression {
        match self {
            Expression::Variable(_) => self,
            Expression::Parenthesized(_) => Expression::Parenthesized(operand()),
            Expression::Contraction(_, pair) => Expression::Contraction(operand(), pair),
            Expression::Transposition(_, pair) => Expression::Transposition(operand(), pair),
            Expression::Elementwise(operator, ..) => {
                let (e1, e0) = (operand(), operand());
                Expression::Elementwise(operator, e0, e1)
            }
            Expression::Product(..) => {
                let (e1, e0) = (operand(), operand());
                Expression::Product(e0, e1)
            }
        }
    }
}

/// The qualifier of a declaration (§5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Qualifier {
    /// `var x`: may start undefined, and is live at the end unless the program qualifies outputs.
    #[default]
    None,
    /// `var input x`: starts defined in every element (d-in-var, Fig. 15).
    Input,
    /// `var output x`: carries a result.
    Output,
}

impl Qualifier {
    /// The keyword, empty for none.
    pub fn keyword(self) -> &'static str {
        match self {
            Qualifier::None => "",
            Qualifier::Input => "input",
            Qualifier::Output => "output",
        }
    }
}

/// `var x : [d1 … dk]`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `input`, `output` or neither.
    pub qualifier: Qualifier,
    /// The variable.
    pub name: NameId,
    /// The extents as written; typing requires each to be positive.
    pub extents: Vec<Extent>,
    /// The place of the name.
    pub name_span: Span,
    /// The places of the extents, one for each; empty for a tree without source.
    pub extent_spans: Vec<Span>,
}

impl Declaration {
    /// The place of an extent, or of the name if the tree has no source.
    pub fn extent_span(&self, position: usize) -> Span {
        self.extent_spans.get(position).copied().unwrap_or(self.name_span)
    }
}

/// `x = e`
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The assigned variable.
    pub target: NameId,
    /// The right-hand side.
    pub expression: ExprId,
    /// The place of the target.
    pub target_span: Span,
}

/// `decl* stmt*`, with its arenas.
#[derive(Clone, Debug, Default)]
pub struct Program {
    names: Vec<String>,
    name_ids: FxHashMap<String, NameId>,
    expressions: Vec<Expression>,
    spans: Vec<Span>,
    /// The declarations, in order.
    pub declarations: Vec<Declaration>,
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

impl Program {
    /// An empty program.
    pub fn new() -> Program {
        Program::default()
    }

    /// Interns a name.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let id = NameId(arena_index(self.names.len()));
        self.names.push(name.to_owned());
        self.name_ids.insert(name.to_owned(), id);
        id
    }

    /// The identifier, if the program mentions it.
    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.name_ids.get(name).copied()
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }

    /// The number of names.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Adds a node whose operands are already in the arena.
    pub fn push(&mut self, expression: Expression, span: Span) -> ExprId {
        debug_assert!(expression.operands().all(|operand| operand.index() < self.expressions.len()));
        let id = ExprId(arena_index(self.expressions.len()));
        self.expressions.push(expression);
        self.spans.push(span);
        id
    }

    /// Adds a node that has no place in a source text.
    pub fn add(&mut self, expression: Expression) -> ExprId {
        self.push(expression, Span::default())
    }

    /// Adds a variable by name.
    pub fn variable(&mut self, name: &str) -> ExprId {
        let name = self.intern(name);
        self.add(Expression::Variable(name))
    }

    /// Declares a variable whose extents are numbers.
    pub fn declare(&mut self, qualifier: Qualifier, name: &str, extents: &[u64]) -> NameId {
        self.declare_extents(qualifier, name, extents.iter().copied().map(Extent::Number).collect())
    }

    /// Declares a variable.
    pub fn declare_extents(&mut self, qualifier: Qualifier, name: &str, extents: Vec<Extent>) -> NameId {
        let (name, extent_spans) = (self.intern(name), Vec::new());
        self.declarations.push(Declaration {
            qualifier,
            name,
            extents,
            name_span: Span::default(),
            extent_spans,
        });
        name
    }

    /// Appends the statement `target = expression`.
    pub fn assign(&mut self, target: &str, expression: ExprId) {
        let target = self.intern(target);
        self.statements.push(Statement { target, expression, target_span: Span::default() });
    }

    /// Replaces the name in an occurrence of a variable.
    pub fn rename(&mut self, id: ExprId, name: &str) {
        let name = self.intern(name);
        if let Expression::Variable(occurrence) = &mut self.expressions[id.index()] {
            *occurrence = name;
        }
    }

    /// The node of an expression.
    pub fn expression(&self, id: ExprId) -> Expression {
        self.expressions[id.index()]
    }

    /// The place of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// Every expression of the arena, operands before the expressions that use them.
    pub fn expressions(&self) -> impl ExactSizeIterator<Item = (ExprId, Expression)> + '_ {
        self.expressions.iter().enumerate().map(|(at, &expression)| (ExprId(arena_index(at)), expression))
    }

    /// Whether the program contains a division.
    pub fn divides(&self) -> bool {
        self.expressions().any(|(_, e)| matches!(e, Expression::Elementwise(ElementwiseOperator::Div, ..)))
    }

    /// The nodes of one expression, operands first, each once for every occurrence.
    pub fn postorder(&self, root: ExprId) -> Vec<ExprId> {
        let mut order = Vec::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            order.push(id);
            pending.extend(self.expression(id).operands());
        }
        order.reverse();
        order
    }

    /// The declaration of a name (the first, if there are two).
    pub fn declaration_of(&self, name: NameId) -> Option<&Declaration> {
        self.declarations.iter().find(|declaration| declaration.name == name)
    }

    /// Copies an expression of another program into this arena.
    pub fn copy_expression(&mut self, from: &Program, root: ExprId) -> ExprId {
        let mut copied: Vec<ExprId> = Vec::new();
        for id in from.postorder(root) {
            let span = from.span(id);
            let node = match from.expression(id) {
                Expression::Variable(name) => Expression::Variable(self.intern(from.name(name))),
                node => node.with_operands(|| copied.pop().unwrap_or(ExprId(0))),
            };
            copied.push(self.push(node, span));
        }
        copied.pop().unwrap_or(ExprId(0))
    }

    /// A program with the same declarations and the given statements (each a target and an expression of `self`).
    pub fn with_statements(&self, statements: impl IntoIterator<Item = Statement>) -> Program {
        let mut program = Program::new();
        for declaration in &self.declarations {
            let name = program.intern(self.name(declaration.name));
            program.declarations.push(Declaration { name, ..declaration.clone() });
        }
        for statement in statements {
            let target = program.intern(self.name(statement.target));
            let expression = program.copy_expression(self, statement.expression);
            program.statements.push(Statement { target, expression, target_span: statement.target_span });
        }
        program
    }

    /// Whether expressions of two programs are the same tree.
    pub fn same_expression(&self, e: ExprId, other: &Program, f: ExprId) -> bool {
        let mut pending = vec![(e, f)];
        while let Some((e, f)) = pending.pop() {
            let (e, f) = (self.expression(e), other.expression(f));
            let same_node = match (e, f) {
                (Expression::Variable(x), Expression::Variable(y)) => self.name(x) == other.name(y),
                (Expression::Parenthesized(_), Expression::Parenthesized(_))
                | (Expression::Product(..), Expression::Product(..)) => true,
                (Expression::Elementwise(o, ..), Expression::Elementwise(p, ..)) => o == p,
                (Expression::Contraction(_, p), Expression::Contraction(_, q))
                | (Expression::Transposition(_, p), Expression::Transposition(_, q)) => p == q,
                _ => false,
            };
            if !same_node {
                return false;
            }
            pending.extend(e.operands().zip(f.operands()));
        }
        true
    }
}

/// `id ::= [a-zA-Z][a-zA-Z0-9]*`, except `var`.
pub fn is_identifier(name: &str) -> bool {
    let letter_first = name.starts_with(|c: char| c.is_ascii_alphabetic());
    letter_first && name.bytes().all(|b| b.is_ascii_alphanumeric()) && name != "var"
}

/// Arenas hold fewer nodes than a source has bytes, and sources are limited; saturation is unreachable.
fn arena_index(at: usize) -> u32 {
    identifier(at)
}

/// Equality of trees; spans are ignored.
impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        let same_declaration = |(a, b): (&Declaration, &Declaration)| {
            a.qualifier == b.qualifier && a.extents == b.extents && self.name(a.name) == other.name(b.name)
        };
        let same_statement = |(a, b): (&Statement, &Statement)| {
            self.name(a.target) == other.name(b.target)
                && self.same_expression(a.expression, other, b.expression)
        };
        self.declarations.len() == other.declarations.len()
            && self.statements.len() == other.statements.len()
            && self.declarations.iter().zip(&other.declarations).all(same_declaration)
            && self.statements.iter().zip(&other.statements).all(same_statement)
    }
}
