//! Statements.

use super::{Parser, Result};
use crate::syntax::{ExprId, Expression, Named, Statement, StatementId};
use base::diagnostics::{Code, Span};

/// Assignments that name an operator: `x += e` is `x = x + e`.
const UPDATES: &[(&str, &str)] = &[("+=", "+"), ("-=", "-"), ("*=", "*"), ("/=", "/"), ("%=", "%")];

impl Parser<'_> {
    /// `{ statements return … }`
    pub(super) fn function_body(&mut self) -> Result<(Vec<StatementId>, Vec<ExprId>)> {
        self.expect("{", "before the body of a function")?;
        let mut body = Vec::new();
        while !self.is_word("return") {
            if self.is("}") {
                return Err(self.expected("`return` at the end of a function"));
            }
            self.statement(&mut body)?;
        }
        let returns = self.returned()?;
        self.expect("}", "after `return`, the last statement of a function")?;
        Ok((body, returns))
    }

    /// `return (a, b);` or `return e;`
    fn returned(&mut self) -> Result<Vec<ExprId>> {
        self.at += 1;
        let start = self.at;
        let errors = self.errors.len();
        if self.take("(")
            && let Ok(values) = self.list(")", "between results", &mut |parser| parser.expression())
            && self.take(";")
        {
            return Ok(values);
        }
        // What starts with parentheses may go on, as `(a) + b`.
        self.at = start;
        self.errors.truncate(errors);
        let value = self.expression()?;
        self.expect(";", "after a result")?;
        Ok(vec![value])
    }

    pub(super) fn block(&mut self) -> Result<Vec<StatementId>> {
        self.expect("{", "before statements")?;
        let mut statements = Vec::new();
        while !self.take("}") {
            self.statement(&mut statements)?;
        }
        Ok(statements)
    }

    /// Adds a statement to others; a `for` is two.
    fn statement(&mut self, statements: &mut Vec<StatementId>) -> Result<()> {
        self.nested(|parser| {
            let start = parser.token().span;
            let statement = match parser.text() {
                "if" => parser.conditional()?,
                "while" => {
                    parser.at += 1;
                    let condition = parser.condition()?;
                    Statement::While(condition, parser.block()?)
                }
                "do" => parser.do_while()?,
                "for" => return parser.for_loop(start, statements),
                "return" => {
                    return Err(parser.expected("a statement; `return` is the last one of a function"));
                }
                _ => {
                    let assignment = parser.assignment()?;
                    parser.expect(";", "after an assignment")?;
                    assignment
                }
            };
            let span = parser.span_from(start);
            statements.push(parser.file.push_statement(statement, span));
            Ok(())
        })
    }

    fn condition(&mut self) -> Result<ExprId> {
        self.expect("(", "before a condition")?;
        let condition = self.expression()?;
        self.expect(")", "after a condition")?;
        Ok(condition)
    }

    fn conditional(&mut self) -> Result<Statement> {
        self.at += 1;
        let condition = self.condition()?;
        let yes = self.block()?;
        let mut no = Vec::new();
        if self.take_word("else") {
            if self.is_word("if") { self.statement(&mut no)? } else { no = self.block()? }
        }
        Ok(Statement::If(condition, yes, no))
    }

    fn do_while(&mut self) -> Result<Statement> {
        self.at += 1;
        let body = self.block()?;
        if !self.take_word("while") {
            return Err(self.expected("`while` after the body of `do`"));
        }
        let condition = self.condition()?;
        self.expect(";", "after a condition")?;
        Ok(Statement::DoWhile(body, condition))
    }

    /// `for (a; c; b) { … }` is `a; while (c) { … b; }`.
    fn for_loop(&mut self, start: Span, statements: &mut Vec<StatementId>) -> Result<()> {
        self.at += 1;
        self.expect("(", "after `for`")?;
        let first = self.assignment()?;
        let span = self.span_from(start);
        statements.push(self.file.push_statement(first, span));
        self.expect(";", "after the first part of `for`")?;
        let condition = self.expression()?;
        self.expect(";", "after the condition of `for`")?;
        let last = self.assignment()?;
        self.expect(")", "after the parts of `for`")?;
        let mut body = self.block()?;
        let span = self.span_from(start);
        body.push(self.file.push_statement(last, span));
        statements.push(self.file.push_statement(Statement::While(condition, body), span));
        Ok(())
    }

    /// An assignment, without its `;`.
    fn assignment(&mut self) -> Result<Statement> {
        let first = self.name("a statement")?;
        if self.take("[") {
            return self.indexed(first);
        }
        if let Some((_, operator)) = UPDATES.iter().find(|(symbol, _)| self.is(symbol)) {
            let span = self.token().span;
            self.at += 1;
            let value = self.expression()?;
            return self.updated(first, (operator, span), value);
        }
        for (symbol, operator) in [("++", "+"), ("--", "-")] {
            let span = self.token().span;
            if self.take(symbol) {
                let one = self.push(Expression::Number(1.into(), crate::syntax::Scalar::Int), span, &[])?;
                return self.updated(first, (operator, span), one);
            }
        }
        let mut variables = vec![first];
        while self.take(",") {
            variables.push(self.name("a variable")?);
        }
        self.expect("=", "in an assignment")?;
        let value = self.expression()?;
        for (at, variable) in variables.iter().enumerate() {
            if variables[..at].iter().any(|other| other.name == variable.name) {
                let message = format!("`{}` is assigned twice", variable.name);
                return Err(self.report(Code::P0003, variable.span, message));
            }
        }
        let variables = variables.into_iter().map(|named| self.bind(named)).collect();
        Ok(Statement::Assign(variables, value))
    }

    /// `x = x op value`
    fn updated(&mut self, variable: Named, (operator, at): (&str, Span), value: ExprId) -> Result<Statement> {
        let before = self.push(Expression::Variable(variable.name.clone()), variable.span, &[])?;
        let span = self.span_from(variable.span);
        let call = Expression::Call(Named { name: operator.into(), span: at }, vec![before, value]);
        let value = self.push(call, span, &[before, value])?;
        let binding = self.bind(variable);
        Ok(Statement::Assign(vec![binding], value))
    }

    /// `x[iv] = value`, after the `[`.
    fn indexed(&mut self, variable: Named) -> Result<Statement> {
        let before = self.push(Expression::Variable(variable.name.clone()), variable.span, &[])?;
        let index = self.index(variable.span)?;
        self.expect("=", "in an assignment")?;
        let value = self.expression()?;
        let binding = self.bind(variable);
        Ok(Statement::Update(binding, before, index, value))
    }
}
