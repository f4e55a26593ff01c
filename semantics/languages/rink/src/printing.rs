//! Printer: text that parses back to the same tree.
//!
//! Parentheses are nodes of the tree (rule t-paren), so an operand is printed as it is. A tree that was not parsed
//! may have an operation as a right operand; it is printed in parentheses, and parsing that back gives a tree with
//! one node more. [`is_printable`] tells whether a tree has no such operand.

use super::syntax::{Declaration, ExprId, Expression, Program};
use std::fmt;

/// The text of an expression.
pub fn expression_to_string(program: &Program, root: ExprId) -> String {
    let mut text = String::new();
    let mut pending = vec![Piece::Expression(root)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(&piece),
            Piece::Expression(id) => pending.extend(pieces(program, id).into_iter().rev()),
        }
    }
    text
}

enum Piece {
    Expression(ExprId),
    Text(String),
}

fn pieces(program: &Program, id: ExprId) -> Vec<Piece> {
    let text = |text: &str| Piece::Text(text.to_owned());
    match program.expression(id) {
        Expression::Variable(name) => vec![text(program.name(name))],
        Expression::Parenthesized(e) => vec![text("("), Piece::Expression(e), text(")")],
        Expression::Contraction(e, pair) => vec![Piece::Expression(e), Piece::Text(format!(" . {pair}"))],
        Expression::Transposition(e, pair) => vec![Piece::Expression(e), Piece::Text(format!(" ^ {pair}"))],
        Expression::Product(e0, e1) => binary(program, e0, " # ", e1),
        Expression::Elementwise(o, e0, e1) => binary(program, e0, &format!(" {} ", o.symbol()), e1),
    }
}

fn binary(program: &Program, e0: ExprId, operator: &str, e1: ExprId) -> Vec<Piece> {
    let operator = Piece::Text(operator.to_owned());
    if is_primary(program, e1) {
        return vec![Piece::Expression(e0), operator, Piece::Expression(e1)];
    }
    let (open, close) = (Piece::Text("(".to_owned()), Piece::Text(")".to_owned()));
    vec![Piece::Expression(e0), operator, open, Piece::Expression(e1), close]
}

fn is_primary(program: &Program, id: ExprId) -> bool {
    matches!(program.expression(id), Expression::Variable(_) | Expression::Parenthesized(_))
}

/// Whether every right operand is a variable or parenthesized, as in every parsed tree.
pub fn is_printable(program: &Program) -> bool {
    program.expressions().all(|(_, expression)| match expression {
        Expression::Elementwise(_, _, e1) | Expression::Product(_, e1) => is_primary(program, e1),
        _ => true,
    })
}

/// The text of a declaration.
pub fn declaration_to_string(program: &Program, declaration: &Declaration) -> String {
    let extents: Vec<String> = declaration.extents.iter().map(ToString::to_string).collect();
    let keyword = declaration.qualifier.keyword();
    let space = if keyword.is_empty() { "" } else { " " };
    format!("var {keyword}{space}{} : [{}]", program.name(declaration.name), extents.join(" "))
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for declaration in &self.declarations {
            writeln!(f, "{}", declaration_to_string(self, declaration))?;
        }
        for statement in &self.statements {
            let right = expression_to_string(self, statement.expression);
            writeln!(f, "{} = {right}", self.name(statement.target))?;
        }
        Ok(())
    }
}
