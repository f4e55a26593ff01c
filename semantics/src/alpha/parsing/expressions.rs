//! §10.6: expressions.
//!
//! Prefix forms of low precedence (`not`, `if`, `domain :`) may stand wherever an operand may; they extend as far to the
//! right as their precedence lets them, as the paper's yacc grammar has it.

use super::{Parser, Result};
use crate::alpha::lexing::TokenKind;
use crate::alpha::syntax::{Binary, Constant, ExprId, Expression, Unary};
use crate::diagnostics::{Code, Diagnostic, Span};
use crate::seeded::{Seeded, seeded};
use dashu_int::IBig;
use dashu_ratio::RBig;
use polyhedra::{AffineMap, Name, Space};

/// Precedence of `domain : expression` (§11).
pub(crate) const RESTRICTION: u8 = 2;
/// Precedence of `if … then … else …` (§11).
pub(crate) const CONDITIONAL: u8 = 1;

/// The name before an index that is a value (ours).
pub(crate) const INDEX_VALUE: &str = "val";

impl Parser<'_> {
    /// An expression whose binary operators have at least this precedence. They associate to the left.
    pub(super) fn expression(&mut self, least: u8) -> Result<ExprId> {
        let start = self.at;
        let mut left = self.nested(Self::operand)?;
        while let Some(operator) = self.operator().filter(|operator| operator.precedence() >= least) {
            self.advance();
            let right = self.expression(operator.precedence() + 1)?;
            let span = self.since(start);
            let operands = seeded(Seeded::ParseOperands, [left, right], || match operator {
                Binary::Sub => [right, left],
                _ => [left, right],
            });
            left = self.system.push(Expression::Binary(operator, operands), span);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<Binary> {
        let (TokenKind::Symbol(text) | TokenKind::Keyword(text)) = self.peek() else { return None };
        Binary::ALL.iter().copied().find(|operator| operator.text() == text)
    }

    fn operand(&mut self) -> Result<ExprId> {
        let start = self.at;
        match self.peek() {
            _ if self.starts_domain() => self.restriction(),
            TokenKind::Keyword("if") => self.conditional(),
            TokenKind::Keyword("not") if !self.is_prefix_call() => self.unary(Unary::Not),
            TokenKind::Symbol("-") if !self.is_prefix_call() => self.negation(),
            _ => {
                let operand = self.primary()?;
                self.postfix(start, operand)
            }
        }
    }

    /// Whether a binary operator with its operands in parentheses follows: `min(a, b)`, `-(a, b)`.
    fn is_prefix_call(&self) -> bool {
        let open = self.at + 1;
        let (Some(TokenKind::Symbol("(")), Some(&Some(close))) =
            (self.tokens.get(open).map(|t| t.kind), self.matching.get(open))
        else {
            return false;
        };
        let mut at = open + 1;
        while at < close {
            match (self.tokens[at].kind, self.matching[at]) {
                (TokenKind::Symbol(","), _) => return true,
                (_, Some(inner)) => at = inner + 1,
                _ => at += 1,
            }
        }
        false
    }

    /// `domain : expression`
    fn restriction(&mut self) -> Result<ExprId> {
        let start = self.at;
        let domain = self.domain()?;
        self.require(":", "after the domain of a restriction")?;
        let expression = self.expression(RESTRICTION)?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Restrict(domain, expression), span))
    }

    fn conditional(&mut self) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        let condition = self.expression(0)?;
        self.require_keyword("then", "after the condition of `if`")?;
        let yes = self.expression(0)?;
        self.require_keyword("else", "after the first branch of `if`")?;
        let no = self.expression(CONDITIONAL)?;
        let span = self.since(start);
        let [yes, no] = seeded(Seeded::ParseIf, [yes, no], || [no, yes]);
        Ok(self.system.push(Expression::If([condition, yes, no]), span))
    }

    fn unary(&mut self, operator: Unary) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        let operand = self.expression(operator.precedence())?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Unary(operator, operand), span))
    }

    /// `-3` is a constant (§10.8), `-3.(i->)` the negation of a dependence, and `-0.0` that of a constant: floats have a −0.
    fn negation(&mut self) -> Result<ExprId> {
        let is_number = matches!(self.peek_after(1), TokenKind::Integer | TokenKind::Real);
        if !is_number || matches!(self.peek_after(2), TokenKind::Symbol("." | "[")) {
            return self.unary(Unary::Negate);
        }
        if self.peek_after(1) == TokenKind::Real && self.is_zero(self.at + 1) {
            return self.unary(Unary::Negate);
        }
        let start = self.at;
        self.advance();
        let constant = match self.number()? {
            Constant::Integer(number) => Constant::Integer(-number),
            Constant::Real(number) => Constant::Real(-number),
            truth => truth,
        };
        let span = self.since(start);
        Ok(self.system.push(Expression::Constant(constant), span))
    }

    fn is_zero(&self, at: usize) -> bool {
        self.source[self.tokens[at].span.range()].bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }

    /// `expression . function`, `expression [ index-expressions ]`
    fn postfix(&mut self, start: usize, mut operand: ExprId) -> Result<ExprId> {
        loop {
            let function = match self.peek() {
                TokenKind::Symbol(".") => {
                    self.advance();
                    self.function()?
                }
                TokenKind::Symbol("[") => self.selection()?,
                _ => return Ok(operand),
            };
            let span = self.since(start);
            operand = self.system.push(Expression::Dependence(operand, function), span);
        }
    }

    /// `[ index-expressions ]`, over the index names in force.
    pub(super) fn selection(&mut self) -> Result<AffineMap> {
        let start = self.at;
        self.advance();
        let Some(names) = self.names.clone() else {
            let message = "no index names are in force here";
            let error = Diagnostic::new(Code::P0005, self.tokens[start].span, message, "selects by index");
            let hint = "name the indices, as in `X.(i,j->i,j-1)`, `Y[i,j] = X[i,j-1]` or, for a scalar, `Y[] = X[N-1]`; \
                in parentheses that are followed by `[…]` or `.(…)` they have no names";
            return self.fail(error.hint(hint));
        };
        let outputs = if self.is_symbol("]") { Vec::new() } else { self.index_expressions(&names)? };
        self.require("]", "after index expressions")?;
        let space = Space { parameters: self.system.parameters.clone(), dimensions: names.into() };
        Ok(AffineMap::new(space, outputs))
    }

    fn primary(&mut self) -> Result<ExprId> {
        let start = self.at;
        match self.peek() {
            TokenKind::Symbol("(") => {
                self.advance();
                let inner = self.without_names(self.is_selected(start), |parser| parser.expression(0))?;
                self.require(")", "after an expression")?;
                Ok(inner)
            }
            TokenKind::Keyword("case") => self.without_names(self.is_selected(start), Self::case),
            TokenKind::Keyword("reduce") => self.reduce(),
            TokenKind::Keyword("integer" | "real" | "boolean") if self.is_call() => self.cast(),
            TokenKind::Name if self.is_call() => self.call(),
            TokenKind::Name if self.is_index_value() => self.index_value(),
            TokenKind::Name => {
                let (name, span) = self.name("a variable")?;
                match self.variables.get(&name).copied() {
                    Some(x) => Ok(self.system.push(Expression::Variable(x), span)),
                    None => Err(self.undeclared(&name, span)),
                }
            }
            TokenKind::Integer | TokenKind::Real | TokenKind::Keyword("true" | "false") => {
                let constant = self.number()?;
                let span = self.since(start);
                Ok(self.system.push(Expression::Constant(constant), span))
            }
            _ if self.operator().is_some() && self.is_prefix_call() => self.prefix_call(),
            _ => self.expected("an expression"),
        }
    }

    /// Whether `.` or `[` follows the bracket, or the `esac`, that closes what opens at a token.
    pub(super) fn is_selected(&self, open: usize) -> bool {
        self.matching[open]
            .is_some_and(|close| matches!(self.tokens[close + 1].kind, TokenKind::Symbol("." | "[")))
    }

    /// In `(e).f` and `(e)[…]` the indices of `e` are those of the function's values, which have no names.
    pub(super) fn without_names<T>(
        &mut self,
        yes: bool,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.with_names(if yes { None } else { self.names.clone() }, read)
    }

    fn with_names<T>(
        &mut self,
        names: Option<Vec<Name>>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.names, names);
        let result = read(self);
        self.names = outer;
        result
    }

    fn number(&mut self) -> Result<Constant> {
        let (kind, span) = (self.peek(), self.span());
        self.advance();
        let text = &self.source[span.range()];
        match kind {
            TokenKind::Keyword(truth) => Ok(Constant::Boolean(truth == "true")),
            _ => self.constant(text, span),
        }
    }

    fn constant(&mut self, text: &str, span: Span) -> Result<Constant> {
        if text.len() > MAX_DIGITS {
            let message = format!("a constant of more than {MAX_DIGITS} digits");
            return self.fail(Diagnostic::new(Code::P0007, span, message, "too long"));
        }
        let number = |text: &str| text.parse::<IBig>().unwrap_or_default();
        Ok(match text.split_once('.') {
            None => Constant::Integer(number(text)),
            Some((whole, fraction)) => {
                let scale = IBig::from(10).pow(fraction.len());
                Constant::Real(RBig::from(number(&format!("{whole}{fraction}"))) / RBig::from(scale))
            }
        })
    }

    /// `case expression-list ; esac`
    fn case(&mut self) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        let mut branches = Vec::new();
        while self.peek() != TokenKind::Keyword("esac") {
            branches.push(self.expression(0)?);
            if !self.take(";") && self.peek() != TokenKind::Keyword("esac") {
                return self.expected("`;` or `esac` after a branch of `case`");
            }
        }
        if branches.is_empty() {
            return self.expected("a branch of `case`");
        }
        self.advance();
        let span = self.since(start);
        Ok(self.system.push(Expression::Case(branches), span))
    }

    /// `reduce ( commutative-op , function , expression )`; in array notation the function's indices are in force.
    fn reduce(&mut self) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        self.require("(", "after `reduce`")?;
        let operator = match self.operator() {
            Some(operator) if operator.is_commutative() => operator,
            _ => {
                return self
                    .expected("`+`, `*`, `and`, `or`, `xor`, `min` or `max`, the operator of a reduction");
            }
        };
        self.advance();
        self.require(",", "after the operator of a reduction")?;
        let projection = self.function()?;
        self.require(",", "after the function of a reduction")?;
        let declared =
            if self.is_declared_domain() { Some(self.domain_of_reduction(start + 1)?) } else { None };
        let names = self.names.as_ref().map(|_| projection.space.dimensions.to_vec());
        let body = self.with_names(names, |parser| parser.expression(0))?;
        self.require(")", "after a reduction")?;
        let span = self.since(start);
        Ok(self.system.push(
            match declared {
                None => Expression::Reduce(operator, projection, body),
                Some(declared) => Expression::ReduceOver(operator, projection, declared, body),
            },
            span,
        ))
    }

    /// `binary-op ( expression , expression )`
    fn prefix_call(&mut self) -> Result<ExprId> {
        let start = self.at;
        let Some(operator) = self.operator() else { return self.expected("an operator") };
        self.advance();
        self.require("(", "after an operator in front of its operands")?;
        let left = self.expression(0)?;
        self.require(",", "between two operands")?;
        let right = self.expression(0)?;
        self.require(")", "after two operands")?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Binary(operator, [left, right]), span))
    }
}

/// The maximum number of digits of a constant.
const MAX_DIGITS: usize = 10_000;
