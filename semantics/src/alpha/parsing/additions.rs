//! Expressions that are ours, not in the paper: an index as a value, `abs`, `rem`, casts, and the declared domain of a
//! reduction.

use super::{INDEX_VALUE, Parser, Result};
use crate::alpha::lexing::TokenKind;
use crate::alpha::syntax::{Binary, DataType, DomainId, ExprId, Expression, Unary};

impl Parser<'_> {
    /// Whether a `(` follows the next token.
    pub(super) fn is_call(&self) -> bool {
        self.peek_after(1) == TokenKind::Symbol("(")
    }

    fn is_name(&self, name: &str) -> bool {
        self.peek() == TokenKind::Name && &self.source[self.span().range()] == name
    }

    /// Whether `val [` follows, and no variable is called so.
    pub(super) fn is_index_value(&self) -> bool {
        let is_variable =
            || self.variables.contains_key(INDEX_VALUE) || self.unreadable.contains(INDEX_VALUE);
        self.is_name(INDEX_VALUE) && self.peek_after(1) == TokenKind::Symbol("[") && !is_variable()
    }

    /// `val [ index-expression ]`, of the indices in force.
    pub(super) fn index_value(&mut self) -> Result<ExprId> {
        let start = self.at;
        self.advance();
        let map = self.selection()?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Index(map), span))
    }

    /// Whether a domain follows, and a `,` after it.
    pub(super) fn is_declared_domain(&self) -> bool {
        if !self.starts_domain() {
            return false;
        }
        let mut at = self.at;
        loop {
            at = match (self.tokens[at].kind, self.matching[at]) {
                (TokenKind::Symbol("{" | "("), Some(close)) => close + 1,
                (TokenKind::Symbol("|" | "&" | "~" | ".") | TokenKind::Name, _) => at + 1,
                (kind, _) => return kind == TokenKind::Symbol(","),
            };
        }
    }

    /// The declared domain of a reduction; its indices are those around the reduction.
    pub(super) fn domain_of_reduction(&mut self) -> Result<DomainId> {
        let domain = self.domain()?;
        self.require(",", "after the domain of a reduction")?;
        Ok(domain)
    }

    /// A name before operands in parentheses.
    pub(super) fn call(&mut self) -> Result<ExprId> {
        let start = self.at;
        let (name, span) = self.name("a function")?;
        let expression = match &*name {
            INDEX_VALUE => Expression::Index(self.function()?),
            "abs" => {
                let [operand] = self.operands()?;
                Expression::Unary(Unary::Absolute, operand)
            }
            "rem" => Expression::Binary(Binary::Rem, self.operands()?),
            _ => match self.variables.get(&name) {
                Some(&x) => return Ok(self.system.push(Expression::Variable(x), span)),
                None => return Err(self.undeclared(&name, span)),
            },
        };
        let span = self.since(start);
        Ok(self.system.push(expression, span))
    }

    /// `integer ( expression )`, `real ( expression )`, `boolean ( expression )`
    pub(super) fn cast(&mut self) -> Result<ExprId> {
        let start = self.at;
        let data_type = self.data_type().unwrap_or(DataType::Integer);
        let [operand] = self.operands()?;
        let span = self.since(start);
        Ok(self.system.push(Expression::Unary(Unary::Cast(data_type), operand), span))
    }

    /// `( expression , … , expression )`, as many as there must be; as in other parentheses before `[…]` and `.(…)` the
    /// indices have no names there.
    fn operands<const COUNT: usize>(&mut self) -> Result<[ExprId; COUNT]> {
        let open = self.at;
        self.require("(", "before operands")?;
        let mut operands = [ExprId::at(0); COUNT];
        self.without_names(self.is_selected(open), |parser| {
            for (at, operand) in operands.iter_mut().enumerate() {
                if at > 0 {
                    parser.require(",", "between two operands")?;
                }
                *operand = parser.expression(0)?;
            }
            Ok(())
        })?;
        self.require(")", "after the operands")?;
        Ok(operands)
    }
}
